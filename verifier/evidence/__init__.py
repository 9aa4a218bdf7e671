"""Evidence: the plain tables that an answer rests on, as a certificate for the independent re-check."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

from verifier.checker import Beyond
from verifier.checker import judge as replay
from verifier.definitions.answer import ALL_DIGITS
from verifier.definitions.builders.resolve import ComparingNeighbours
from verifier.definitions.definition import Definition
from verifier.definitions.registry import find
from verifier.definitions.verdict import Verdict
from verifier.definitions.witness import Share, Witness
from verifier.engine import Engine
from verifier.errors import UnsupportedError
from verifier.evidence import engines, schemes
from verifier.evidence.rejected import rechecking, uncompared
from verifier.evidence.texts import absent_text, database_texts, law_where_defined, number_text, world_rows
from verifier.model import NOTHING, Model, replaced

MAX_WORK = 200_000
"""Largest number of (world, sensitive attribute, replaced value) visits that is re-checked by default."""
MAX_SUM_WORK = 1 << 21
"""Largest number of additions of long integers that is re-checked by default."""
CHANGED = frozenset({"counterfactual", "posterior"})
"""Kinds of comparisons in which a record is set to another value."""


def replayed(answer: Verdict, engine: Engine, share: int = 1, *, reads_file: bool = False) -> Verdict:
    """The answer with `replayed` set to True, once the checker has derived it again.

    The answer itself, where it has no certificate, or the work or the numbers would be too large.

    `share` is the number of answers that share the limit on the work for sums. With `reads_file` the checker also reads
    the text of the model, where there is one, and compares the tables with it; `uncompared` says why it did not.

    Raises:
        RejectedError: where the answer does not follow from its evidence, or the evidence from the model file.

    """
    if answer.verdict in {"unsupported", "undecided"} or not has_certificate(answer, engine, share):
        return answer
    try:
        evidence = certificate(answer, engine)
    except UnsupportedError:
        return answer
    with rechecking(answer.definition):
        try:
            replay.replay(evidence)
        except Beyond:
            return answer
        why = uncompared(evidence, engine) if reads_file and engine.model.text else ""
    again = replace(answer, replayed=True, unchecked=why)
    again.__dict__.update({key: answer.__dict__[key] for key in ("witness", "tightest") if key in answer.__dict__})
    return again


def has_certificate(answer: Verdict, engine: Engine, share: int = 1) -> bool:
    """Whether the checker derives answers of this kind, and the tables are not too large for it."""
    definition = find(answer.definition)
    reads_policy, file = _by_scheme(definition, answer.model), definition.comparisons.evidence
    if reads_policy and not schemes.derived(answer):
        return False
    if file and (definition.kind != "simulator" or answer.method == "table"):
        simulated = import_module(f"{__package__}.{file}")
        if simulated.work(answer, engine) > simulated.MAX_STEPS:
            return False
        if definition.kind != "simulator":
            return True
    if reads_policy:
        return True
    if answer.model.sizes is not None:
        return engines.work_of_sizes(engine, answer.definition) <= MAX_WORK
    if definition.own:
        return engines.size_of_laws(definition, engine, answer.reading) <= engines.MAX_OUTPUTS
    if answer.method == "table":
        return _work(answer, definition) <= MAX_WORK
    if answer.method != "sum":
        return False
    return definition.kind in engines.KINDS_BY_SUMS and engines.work_of_sums(engine) * share <= MAX_SUM_WORK


def _work(answer: Verdict, definition: Definition) -> int:
    model = answer.model
    number, attributes = len(model.values), len(model.secrets)
    if not definition.needs_theta:
        return int(min(number**model.size, MAX_WORK + 1)) * model.size * number
    worlds = sum(theta.count() for theta in model.thetas)
    return worlds * attributes * (number if definition.kind in CHANGED else 1)


def certificate(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """The certificate of an answer: its question, its values, and the tables from which the checker derives them.

    Raises:
        UnsupportedError: where there is no certificate: a monoid without a name, too many outputs, or an enclosure.

    """
    definition = find(answer.definition)
    write = schemes.witness_table if _by_scheme(definition, answer.model) else _witness
    return {
        **_evidence(answer, engine),
        "question": {
            "definition": answer.definition,
            "reading": answer.reading,
            "epsilon": None if answer.epsilon is None else answer.epsilon.text(ALL_DIGITS),
            "delta": number_text(answer.delta),
        },
        "answer": {
            "verdict": answer.verdict,
            "tight_delta": None if answer.tight_delta is None else answer.tight_delta.text(ALL_DIGITS),
            "tight_epsilon": None if answer.tight_epsilon is None else answer.tight_epsilon.text(ALL_DIGITS),
            "comparisons": answer.comparisons,
            "multiplicity": answer.multiplicity,
            "empty": answer.empty,
            "witness": write(answer.witness),
            "tightest": write(answer.tightest),
        },
        **_simulated(answer, engine),
    }


def _by_scheme(definition: Definition, model: Model) -> bool:
    """Whether the checker derives the rows of a definition from databases: of DP22, and `dp` of multisets."""
    return definition.reads_policy or (model.sizes is not None and isinstance(definition.compare, ComparingNeighbours))


def _simulated(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """The evidence of an answer about a simulator; else nothing. Few are, so the file is loaded where it is needed."""
    file = find(answer.definition).comparisons.evidence
    return {"evidence": import_module(f"{__package__}.{file}").evidence(answer, engine)} if file else {}


def _evidence(answer: Verdict, engine: Engine) -> dict[str, Any]:
    """What the answer rests on: the laws of one's own definition, the structure of a sum, or the model's tables."""
    definition, model = find(answer.definition), answer.model
    if definition.own:
        return engines.laws(definition, engine, answer.reading)
    if _by_scheme(definition, model):
        return engine.memo("schemes", lambda: schemes.tables(engine))
    if model.sizes is not None:
        key = answer.definition
        return engine.memo(("certificate", key), lambda: engines.tables_of_sizes(engine, key))
    if answer.method == "sum":
        structure = engine.memo("structure", lambda: engines.structure(engine))
        if structure is None:
            raise UnsupportedError(
                "this model has no certificate: too many outputs, or a sum in a monoid without a name"
            )
        return structure
    everything, changed = not definition.needs_theta, definition.kind in CHANGED
    return engine.memo(
        ("certificate", everything, changed), lambda: _tables(model, everything=everything, changed=changed)
    )


def _tables(model: Model, *, everything: bool, changed: bool) -> dict[str, Any]:
    """The worlds of each θ and the mechanism on every database that the definition reaches."""
    reached = dict.fromkeys(model.support())
    if everything:
        reached = dict.fromkeys(model.mechanism.all_databases())
    if changed:
        for database in list(reached):
            for secret_ in model.secrets:
                for v in range(len(model.values)):
                    if secret_.record is not None:
                        reached[replaced(database, secret_.record, v)] = None
    return {
        **setting(model, worlds=not everything),
        "mechanism": [
            [database_texts(model, d), law] for d in reached if (law := law_where_defined(model, d)) is not None
        ],
    }


def setting(model: Model, *, worlds: bool = True) -> dict[str, Any]:
    """The size, T, what is protected, and the worlds of each θ: database, B̂, S (None for records), probability."""
    return {
        "size": model.size,
        "values": [v.text for v in model.values],
        **absent_text(model),
        "secrets": ["S"] if not model.protects_records else [secret.record for secret in model.secrets],
        "domain": [v.text for v in model.secrets[0].domain],
        "worlds": {theta.name: world_rows(model, theta, nothing=NOTHING.text) for theta in model.thetas if worlds},
    }


def _witness(witness: Witness | None) -> dict[str, Any] | None:
    """The witness as texts; empty for a simulator, whose tests are written apart."""
    if witness is None:
        return None
    if witness.kind == "simulator":
        return {}
    return {
        "distribution": witness.distribution,
        "record": witness.record if witness.record is not None else "S",
        "a": None if witness.a is None else witness.a.text,
        "b": None if witness.b is None else witness.b.text,
        "knowledge": None if witness.knowledge is None else witness.knowledge.text,
        **schemes.event_table(witness),
        "at_epsilon": witness.epsilon.text(ALL_DIGITS),
        "direction": witness.direction,
        "output": None if witness.output is None else witness.output.text,
        "databases": None if witness.databases is None else [[v.text for v in d] for d in witness.databases],
        "terms": _terms(witness),
    }


def _terms(witness: Witness) -> list[dict[str, Any]] | None:
    """The knowledge values of an average with their weights; of a divergence they have no events."""
    shares = witness.terms if witness.parts is None else witness.parts
    if shares is None:
        return None
    return [
        {
            "knowledge": None if term.knowledge is None else term.knowledge.text,
            "weight": number_text(term.weight),
            "event": [o.text for o in term.event] if isinstance(term, Share) else [],
        }
        for term in shares
    ]
