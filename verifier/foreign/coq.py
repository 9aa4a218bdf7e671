"""A certificate as a Coq file: the tables, and theorems about them that are proved by computing.

The statements are those of `proofs/coq/PartialKnowledge.v`, where each definition is spelled out and its decision
function is proved right. Nothing of the answer but what a theorem says is used.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from verifier.errors import UnsupportedError
from verifier.foreign import coq_simulators
from verifier.foreign.coq_text import BELOW, bracket, listed, rational, theorem
from verifier.foreign.numbers import amount
from verifier.foreign.tables import NOTHING, Question, Tables, World, plain, question_of, read, title_of, undamaged

READINGS = {
    "default": "Default",
    "one-order": "OneOrder",
    "all-values": "AllValues",
    "possible-values": "PossibleValues",
    "infinite-loss": "InfiniteLoss",
}


@undamaged()
def coq(certificate: dict[str, Any]) -> str:
    """The file.

    Raises:
        InputError: where the certificate is damaged.
        UnsupportedError, LimitError: where this certificate has no such export, with the reason.

    """
    question = question_of(certificate)
    if question.base in {"dps", "safe"}:
        raise UnsupportedError("databases of several sizes have no Coq export", tip="--to smt")
    if question.base == "dependency":
        raise UnsupportedError("dependency has no Coq export", tip="--to smt")
    tables = read(certificate)
    simulated = question.base == "ddp"
    theorems = coq_simulators.theorems(tables, certificate["evidence"]) if simulated else _theorems(question)
    head = [
        f"(** {title_of(certificate, question)}",
        "    The definitions are in PartialKnowledge.v; how to read this file: docs/judges.md. *)",
        "From Coq Require Import QArith List.",
        "From PK Require Import PartialKnowledge.",
        "Import ListNotations.",
        "Open Scope nat_scope.",
        "",
        *_labels(tables),
        "",
    ]
    return "\n".join([*head, *_model(tables), *theorems, ""])


def _labels(tables: Tables) -> list[str]:
    labels = tables.labels
    each = (
        ("value", labels.values),
        ("sensitive value", labels.domain if tables.secrets is None else ()),
        ("knowledge", tuple("nothing" if one == NOTHING else one for one in labels.knowledge)),
        ("output", labels.outputs),
        ("distribution", labels.thetas),
    )
    return [f"(* {what} {k}: {plain(name)} *)" for what, found in each for k, name in enumerate(found)]


def _model(tables: Tables) -> list[str]:
    targets = ["Column"] if tables.secrets is None else [f"Record_ {i}" for i in tables.secrets]
    thetas = [f"  [{(';' + chr(10) + '   ').join(map(_world, worlds))}]" for worlds in tables.thetas]
    rows = [
        f"   ({listed(database)}, {listed(f'({o}, {rational(p)})' for o, p in law.items())})"
        for database, law in tables.mechanism.items()
    ]
    return [
        "Definition model : model := Model",
        f"  {tables.size} {listed(tables.values)} {listed(tables.domain)} {listed(targets)}",
        f"  [{(';' + chr(10)).join(thetas).strip()}]",
        f"  [{(';' + chr(10)).join(rows).strip()}].",
    ]


def _world(world: World) -> str:
    column = max(world.secret, 0)
    return f"World {listed(world.database)} {world.knowledge} {column} {rational(world.probability)}"


def _within(question: Question, e: Fraction, delta: Fraction) -> str:
    return f"({'Tail' if question.tail else 'Within'} {rational(e)} {rational(delta)})"


def _theorems(question: Question) -> list[str]:
    base = "np" if question.base == "apkdp" else question.base
    reading = READINGS[question.reading]

    def claim(name: str, said: str, close: str, *, holds: bool) -> list[str]:
        """The definition holds, or fails, at one closeness."""
        statement = f"{base} {reading} {close} model"
        word = "yes" if holds else "no"
        proof = f"apply ({word} _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
        return theorem(name, said, statement if holds else f"~ {statement}", proof)

    def never(name: str, said: str) -> list[str]:
        """No finite ε is enough."""
        if question.tail:
            return claim(name, f"{said}: in the limit", f"(Limit {rational(question.delta)})", holds=False)
        delta = rational(question.delta)
        proof = (
            f"apply (never (fun c => {base} {reading} c model) _ (fun E => {base}_limit _ _ E _)). "
            f"apply (no _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
        )
        return theorem(name, said, f"forall E, ~ {base} {reading} (Within E {delta}) model", proof)

    flags = f"{str(base in {'cdp', 'ibcdp'}).lower()} {str(base == 'dp').lower()}"
    lines = theorem(
        "tables_are_laws",
        "every table sums to 1",
        f"well_formed {flags} model = true",
        "vm_compute. reflexivity.",
    )
    if question.verdict == "vacuous":
        return lines + claim("verdict", "nothing is compared", "nothing", holds=True)
    lines += claim("something_is_compared", "the verdict is not vacuous", "nothing", holds=False)
    asked, tight, holds = question.epsilon, question.tight_epsilon, question.verdict == "holds"
    said = f"{question.definition} {question.verdict}"
    if asked is None:
        if holds:
            enough = _within(question, tight.high, question.delta)
            proof = (
                f"exists {rational(tight.high)}. split; [discriminate|]. "
                f"apply (yes _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
            )
            inside = enough.replace(rational(tight.high), "E", 1)
            statement = f"exists E, (1 <= E)%Q /\\ {base} {reading} {inside} model"
            lines += theorem("verdict", f"{said}: some finite epsilon is enough", statement, proof)
        else:
            lines += never("verdict", f"{said}: no finite epsilon is enough")
    elif asked.kind == "inf":
        lines += claim("verdict", said, f"(Limit {rational(question.delta)})", holds=holds)
    else:
        e = asked.low if holds else asked.high
        lines += bracket(asked, e, holds=holds)
        lines += claim("verdict", said, _within(question, e, question.delta), holds=holds)
    return lines + _tightest(question, claim, never)


def _tightest(question: Question, claim: Any, never: Any) -> list[str]:
    """The smallest δ and ε: they are enough, and one part in 2^20 less is not; only where e^ε is rational."""
    asked, tight = question.epsilon, question.tight_epsilon
    least = None if asked is None or question.tight_delta is None else amount(question.tight_delta, asked.text)
    lines: list[str] = []
    if asked is not None and least is not None and not least.b and asked.kind in {"rational", "inf"}:

        def close(delta: Fraction) -> str:
            return f"(Limit {rational(delta)})" if asked.kind == "inf" else _within(question, asked.low, delta)

        lines += claim("smallest_delta_is_enough", "the smallest delta", close(least.a), holds=True)
        if least.a:
            lines += claim("less_delta_is_not", "one part in 2^20 less", close(least.a * BELOW), holds=False)
    if tight.kind == "inf":
        return lines + (never("no_finite_epsilon", "no finite epsilon is enough") if asked is not None else [])
    if tight.kind == "rational":
        close_to = _within(question, tight.low, question.delta)
        lines += claim("smallest_epsilon_is_enough", "the smallest epsilon", close_to, holds=True)
        if tight.low > 1:
            below = _within(question, max(Fraction(1), tight.low * BELOW), question.delta)
            lines += claim("less_epsilon_is_not", "e^epsilon smaller by one part in 2^20", below, holds=False)
    return lines
