"""A definition of one's own: an answer about the laws that it lists, in `laws`.

Which laws are compared comes from the user's own code, and is not derived; everything that follows from them is. So
such an answer never has the name of a definition of the papers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from .comparisons import NOTHING, Asked, Comparison, Term
from .definitions import ALIASES, DEFINITIONS, NOT_LISTED, Definition
from .judge import Decision
from .number_text import require_number
from .numbers import INFINITY, BeyondLimits, Line, Measure, Number, Power, label, law_of, rational, require

NAME = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
OTHER_NAMES = frozenset(
    {
        "causal",
        "noiseless",
        "apk",
        "apk-dp",
        "ppk",
        "ppk-dp",
        "ib-cdp",
        "bounded-dependency",
        "dp-under-sampling",
        "epsilon-safe",
    }
)
"""Names of the papers for definitions that have another key here."""
CURVES = ("hockey-stick", "tail")


def verify(answer: Mapping[str, Any], epsilon: Number | None, delta: Fraction) -> str:
    """What is confirmed of an answer, at the ε and δ of its question; Rejected where its laws say something else."""
    name, reading = answer["definition"], answer["reading"]
    taken = name in DEFINITIONS or name in NOT_LISTED or name in ALIASES or name in OTHER_NAMES
    require(not taken, f"{name} is decided from the model, never from laws that are given")
    require(
        len(name) <= 40 and re.fullmatch(NAME, name),
        f"definition: {name[:40]!r} is no name. Expected small letters, digits and single hyphens",
    )
    require(
        reading.isprintable() and reading == reading.strip() != "",
        "reading: a name is printable, without blanks around it",
    )
    laws = answer["laws"]
    require(laws.keys() == {"measure", "compared", "empty"}, "laws: measure, compared and empty are expected")
    measure, rows = laws["measure"], laws["compared"]
    compared = [Comparison(tuple(map(_term, row["terms"]))) for row in rows]
    require(
        all(c.terms and min(t.share for t in c.terms) >= 0 and sum(t.share for t in c.terms) <= 1 for c in compared),
        "laws: no terms, terms that weigh more than 1, or one that weighs less than 0",
    )
    counts = [row["multiplicity"] for row in rows] + [laws["empty"] + 1]
    require(all(type(k) is int and k >= 1 for k in counts), "laws: multiplicities are positive integers")
    for field, count in (("comparisons", len(rows)), ("multiplicity", sum(counts[:-1])), ("empty", laws["empty"])):
        require(answer[field] == count and type(answer[field]) is int, f"{field}: there are {count}")
    asked = Asked(SimpleNamespace(policy={"divergence": measure}, records=[], field=lambda _: measure))  # type: ignore[arg-type]  # only `field` is read
    curve = measure in CURVES
    if not curve and any(len(c.terms) > 1 for c in compared):
        raise BeyondLimits(f"averages of {measure[:40]}")
    definition = Definition(
        lambda _: iter(compared), measure if curve else "divergence", () if curve else ("divergence",)
    )
    decision = Decision(asked, definition, epsilon, delta)
    require(
        answer["verdict"] == decision.verdict,
        f"the verdict is {decision.verdict}, and the answer says {answer['verdict'][:40]}",
    )
    require_number(answer, "tight_epsilon", decision.tight_epsilon)
    require_number(answer, "tight_delta", decision.tight_delta)
    fails = decision.verdict == "fails"
    witness, tightest = answer["witness"], answer["tightest"]
    require((witness is not None) == fails, "witness: one belongs to what fails")
    require(tightest is None or decision.verdict == "holds", "tightest: one belongs to what holds")
    for shown in (witness, tightest):
        if shown is not None and curve:
            require(
                any(_shows(decision, c, shown, fails) for c in compared),
                "the witness adds up to no comparison of the laws",
            )
    return f"{name} {decision.verdict}, smallest ε {decision.tight_epsilon}, from the laws that it lists"


def _term(row: Mapping[str, Any]) -> Term:
    first = _law(row["p"])
    return Term(rational(row["weight"]), first, NOTHING if row["q"] is None else _law(row["q"]))


def _law(chances: Mapping[str, Any]) -> Measure:
    require(isinstance(chances, dict), "laws: the first law of a pair must exist")
    return law_of({label(o): rational(p) for o, p in chances.items()})


def _shows(decision: Decision, c: Comparison, shown: Mapping[str, Any], fails: bool) -> bool:
    """Whether the events of a witness have their probabilities in a comparison, and exceed δ where it fails."""
    entries = [shown] if shown.get("event") is not None else shown.get("terms") or []
    left, a, b = list(c.terms), Fraction(0), Fraction(0)
    for entry in entries:
        event, share = [label(o) for o in entry["event"]], rational(entry.get("weight", 1))
        sums = [rational(entry[name] or 0) for name in ("probability_a", "probability_b")]
        match = next((t for t in left if [t.p.event(event), t.q.event(event)] == sums and t.share >= share >= 0), None)  # type: ignore[union-attr]
        if match is None:
            return False
        left.remove(match)
        a, b = a + share * sums[0], b + share * sums[1]
    power = Power(INFINITY if decision.epsilon is None else decision.epsilon)
    return not fails or Line(a, Fraction(0) if decision.measure == "tail" else b, power).exceeds(decision.delta)
