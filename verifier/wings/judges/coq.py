"""A certificate as a Coq file: the tables, and theorems about them that are proved by computing.

The statements are those of `proofs/coq/PartialKnowledge.v`, where each definition is spelled out and its decision
function is proved right. Nothing of the answer but what a theorem says is used. Definitions of DP22 have no such
statement: `proofs/coq/DP22.v` proves theorems about them, and SMT-LIB states what a certificate says of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from verifier.definitions import DEFINITIONS, Definition
from verifier.definitions.compare import conditional, counterfactual, neighbouring, posterior
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.wings.judges import coq_simulators
from verifier.wings.judges.coq_text import bracket, listed, preamble, rational, theorem
from verifier.wings.judges.numbers import BELOW, amount
from verifier.wings.judges.sized import Sized, read_sized
from verifier.wings.judges.tables import CertifiedAnswer, Tables, World, plain, question_of, read, title_of, undamaged

READINGS = {
    "default": "Default",
    "one-order": "OneOrder",
    "all-values": "AllValues",
    "possible-values": "PossibleValues",
    "infinite-loss": "InfiniteLoss",
    "any-delta": "Default",
}
MOST_TUPLES, MOST_DATABASES = 6, 25
"""Largest size and number of the multisets that Coq is asked to sample."""
SPELLED = (neighbouring, conditional, counterfactual, posterior)
"""The comparisons that PartialKnowledge.v spells out under the key of a definition."""


@undamaged()
def coq(certificate: dict[str, Any]) -> str:
    """The Coq file of a certificate: its tables, and a theorem for each part of the answer.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate without a Coq export, with the reason.

    """
    if certificate.get("engine") == "schemes":
        raise UnsupportedError(
            "a definition of DP22 has no Coq form",
            tip="SMT-LIB has one of most of them: --to smt, or --with z3,cvc5",
        )
    question = question_of(certificate)
    definition = question.definition
    if not (definition.changes_size or question.simulated or _spelled(definition)):
        raise UnsupportedError(f"{definition.key} has no Coq export", tip="export it to smt")
    if definition.changes_size:
        sized = read_sized(certificate)
        if sized.last > MOST_TUPLES or len(sized.databases(0)) > MOST_DATABASES:
            raise LimitError(f"multisets of up to {sized.last} tuples", wanted="fewer, for Coq", tip="export it to smt")
        rate_theorem = _rate(question, sized.rate)
        body = [
            *_sized(sized),
            *rate_theorem,
            *_theorems(question, verdict=not rate_theorem or question.delta < sized.rate),
        ]
    else:
        tables = read(certificate)
        theorems = (
            coq_simulators.theorems(tables, certificate["evidence"]) if question.simulated else _theorems(question)
        )
        body = [*(f"(* {line} *)" for line in tables.names()), "", *_model(tables), *theorems]
    return "\n".join([*preamble(title_of(certificate, question)), *body, ""])


def _spelled(definition: Definition) -> str | None:
    """The name in Coq of the comparisons of a definition, with tails or without; None where Coq has none."""
    if definition.changes_size:
        return "sized_dp"
    alike = (
        known.key
        for known in DEFINITIONS.values()
        if (known.compare, known.aggregation) == (definition.compare, definition.aggregation)
    )
    return next(alike, None) if definition.compare in SPELLED else None


def _sized(sized: Sized) -> list[str]:
    labels = [f"(* value {v}: {plain(name)} *)" for v, name in enumerate(sized.values)]
    labels += [f"(* output {o}: {plain(name)} *)" for o, name in enumerate(sized.outputs)]
    rows = _rows(sized.laws)
    header = f"  {len(sized.values)} {sized.first} {sized.last} {rational(sized.rate)}"
    return [*labels, "", "Definition model : sized := Sized", header, f"  [{rows}]."]


def _rate(question: CertifiedAnswer, rate: Fraction) -> list[str]:
    """The theorem that β > δ, which (β, ε, δ)-DPS asks for too (LQS12, Definition 3)."""
    if not question.bounded_by_rate:
        return []
    above = question.delta < rate
    statement = f"less {rational(question.delta)} (rate model) = {str(above).lower()}"
    if above:
        return theorem("rate_above_delta", "the rate is more than delta", statement, "vm_compute. reflexivity.")
    if question.verdict == "holds":
        raise InputError("dps holds with δ ≥ β", where="the certificate", wanted="the verdict fails")
    comment = "dps fails, since the rate is not more than delta"
    return theorem("the_rate_is_not_above_delta", comment, statement, "vm_compute. reflexivity.")


def _model(tables: Tables) -> list[str]:
    targets = ["Column"] if tables.secrets is None else [f"Record_ {i}" for i in tables.secrets]
    thetas = [f"  [{(';' + chr(10) + '   ').join(map(_world, worlds))}]" for worlds in tables.thetas]
    return [
        "Definition model : model := Model",
        f"  {tables.size} {listed(tables.values)} {listed(tables.domain)} {listed(targets)}",
        f"  [{(';' + chr(10)).join(thetas).strip()}]",
        f"  [{_rows(tables.mechanism)}].",
    ]


def _rows(laws: Mapping[tuple[int, ...], dict[int, Fraction]]) -> str:
    rows = [f"   ({listed(at)}, {listed(f'({o}, {rational(p)})' for o, p in law.items())})" for at, law in laws.items()]
    return ";\n".join(rows).strip()


def _world(world: World) -> str:
    column = max(world.secret, 0)
    return f"World {listed(world.database)} {world.knowledge} {column} {rational(world.probability)}"


def _within(question: CertifiedAnswer, e: Fraction, delta: Fraction) -> str:
    return f"({'Tail' if question.tail else 'Within'} {rational(e)} {rational(delta)})"


def _theorems(question: CertifiedAnswer, *, verdict: bool = True) -> list[str]:
    """A theorem for each part of the answer; with `verdict=False` none for the verdict itself."""
    base = _spelled(question.definition)
    reading = READINGS[question.reading]

    def claim(name: str, comment: str, close: str, *, holds: bool) -> list[str]:
        """The definition holds, or fails, at one closeness."""
        statement = f"{base} {reading} {close} model"
        word = "yes" if holds else "no"
        proof = f"apply ({word} _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
        return theorem(name, comment, statement if holds else f"~ {statement}", proof)

    def never(name: str, comment: str) -> list[str]:
        """No finite ε is enough."""
        if question.tail:
            return claim(name, f"{comment}: in the limit", f"(Limit {rational(question.delta)})", holds=False)
        delta = rational(question.delta)
        proof = (
            f"apply (never (fun c => {base} {reading} c model) _ (fun E => {base}_limit _ _ E _)). "
            f"apply (no _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
        )
        return theorem(name, comment, f"forall E, ~ {base} {reading} (Within E {delta}) model", proof)

    flags = f"{str(question.reach == 'change').lower()} {str(question.reach == 'all').lower()}"
    lines = theorem(
        "tables_are_laws",
        "every table sums to 1",
        "well_formed_sized model = true" if base == "sized_dp" else f"well_formed {flags} model = true",
        "vm_compute. reflexivity.",
    )
    if question.verdict == "vacuous":
        return lines + claim("verdict", "nothing is compared", "nothing", holds=True)
    lines += claim("something_is_compared", "the verdict is not vacuous", "nothing", holds=False)
    epsilon, tight, holds = question.epsilon, question.tight_epsilon, question.verdict == "holds"
    comment = f"{question.definition.key} {question.verdict}"
    if epsilon is None:
        if holds:
            enough = _within(question, tight.high, question.delta)
            proof = (
                f"exists {rational(tight.high)}. split; [discriminate|]. "
                f"apply (yes _ _ ({base}_reflect _ _ _)). vm_compute. reflexivity."
            )
            inside = enough.replace(rational(tight.high), "E", 1)
            statement = f"exists E, (1 <= E)%Q /\\ {base} {reading} {inside} model"
            lines += theorem("verdict", f"{comment}: some finite epsilon is enough", statement, proof)
        else:
            lines += never("verdict", f"{comment}: no finite epsilon is enough")
    elif epsilon.kind == "inf":
        lines += claim("verdict", comment, f"(Limit {rational(question.delta)})", holds=holds)
    elif verdict:
        e = epsilon.low if holds else epsilon.high
        lines += bracket(epsilon, e, holds=holds)
        lines += claim("verdict", comment, _within(question, e, question.delta), holds=holds)
    return lines + _tightest(question, claim, never)


def _tightest(question: CertifiedAnswer, claim: Any, never: Any) -> list[str]:
    """The smallest δ and ε: they are enough, and one part in 2^20 less is not; only where e^ε is rational."""
    epsilon, tight = question.epsilon, question.tight_epsilon
    least = None if epsilon is None or question.tight_delta is None else amount(question.tight_delta, epsilon.text)
    lines: list[str] = []
    if epsilon is not None and least is not None and not least.b and epsilon.kind in {"rational", "inf"}:

        def close(delta: Fraction) -> str:
            return f"(Limit {rational(delta)})" if epsilon.kind == "inf" else _within(question, epsilon.low, delta)

        lines += claim("smallest_delta_is_enough", "the smallest delta", close(least.a), holds=True)
        if least.a:
            lines += claim("less_delta_is_not", "one part in 2^20 less", close(least.a * BELOW), holds=False)
    if tight.kind == "inf":
        return lines + (never("no_finite_epsilon", "no finite epsilon is enough") if epsilon is not None else [])
    if tight.kind == "rational":
        close_to = _within(question, tight.low, question.delta)
        lines += claim("smallest_epsilon_is_enough", "the smallest epsilon", close_to, holds=True)
        if tight.low > 1:
            below = _within(question, max(Fraction(1), tight.low * BELOW), question.delta)
            lines += claim("less_epsilon_is_not", "e^epsilon smaller by one part in 2^20", below, holds=False)
    return lines
