"""The facts about the parts of definitions: which axioms a measure, view, builder, aggregation or centre keeps.

They are data, one TOML table for each part, in `data`; each has a proof in words in `proofs/axioms`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from verifier.definitions import find
from verifier.errors import InputError

AXIOMS = ("post-processing", "convexity", "composition")
"""The three properties of DP22, section 2.3: Definition 3 has the first two, Definition 4 the last."""
AXES = {
    "builder": "builders",
    "view": "views",
    "measure": "measures",
    "aggregation": "aggregations",
    "centre": "centres",
}
"""The axes of a definition, with the file of their facts and the page of their proofs."""
FOLDER = Path(__file__).with_name("data")
HOLDS = ("yes", "no", "open")
KINDS = ("convex", "quasi-convex")
OVER = "every two mechanisms with coins of their own, of which neither looks at the other's output, and every [policy]"
"""What a composition is about, unless a fact says otherwise."""
_KEYS = {"holds", "because", "kind", "rule", "where", "needs", "refuted", "derived", "over"}


class Part(NamedTuple):
    """A part of a definition: its axis, and its name in entries."""

    axis: str
    name: str


@dataclass(frozen=True)
class Fact:
    """The fact that one part keeps one axiom, or does not.

    `holds` is yes, no or open, `because` the reason in a line. `kind` says how a measure is convex, `rule` what the
    parameters of a pair of mechanisms are, `where` under which condition the axiom is kept, `needs` which kinds or
    rules of the measure that needs, and `refuted` which refutations show a no, or `derived` which function of
    `proofs/axioms/second.py`; the rule of a no is what holds instead. `over` is what a composition is about.
    """

    part: Part
    axiom: str
    holds: str
    because: str
    kind: str = ""
    rule: str = ""
    where: str = ""
    needs: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()
    derived: str = ""
    over: str = ""

    @property
    def proof(self) -> str:
        """The page of the proof, with its heading."""
        return f"proofs/axioms/{AXES[self.part.axis]}.md#{self.part.name}"

    @property
    def sentence(self) -> str:
        """The part and its reason, in words."""
        return f"{self.part.axis} {self.part.name}: {self.because}"


def table(name: str) -> dict[str, Any]:
    """The tables of a file of `data`."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def facts() -> Mapping[tuple[Part, str], Fact]:
    """Every fact, by part and axiom.

    >>> facts()[Part("measure", "tail"), "convexity"].holds
    'no'
    """
    rules = table("rules")
    return {
        (Part(axis, name), axiom): _fact(Part(axis, name), axiom, of_part, rules)
        for axis, file in AXES.items()
        for name, of_part in table(file).items()
        for axiom in AXIOMS
    }


def fact_of(part: Part, axiom: str) -> Fact:
    """The fact about a part and an axiom; open where the data have none.

    >>> fact_of(Part("measure", "no-such-measure"), "convexity").holds
    'open'
    """
    unknown = f"nothing is known of the {part.axis} {part.name}"
    return facts().get((part, axiom)) or Fact(part, axiom, "open", unknown)


def _fact(part: Part, axiom: str, of_part: Mapping[str, Any], rules: Mapping[str, Any]) -> Fact:
    """The fact about a part and an axiom, from the table of the part.

    Raises:
        InputError: for data in another form, and for a no without a refutation.

    """
    where = f"{AXES[part.axis]}.toml: [{part.name}] {axiom}"
    if axiom not in of_part or set(of_part) - set(AXIOMS):
        raise InputError(f"the axioms are {', '.join(of_part)}", where=where, wanted=", ".join(AXIOMS))
    fields = dict(of_part[axiom])
    if unknown := set(fields) - _KEYS:
        raise InputError(
            f"the keys {', '.join(sorted(unknown))} are unknown", where=where, wanted=", ".join(sorted(_KEYS))
        )
    needs, refuted = (tuple(fields.pop(name, ())) for name in ("needs", "refuted"))
    fact = Fact(part, axiom, needs=needs, refuted=refuted, **fields)
    if fact.holds not in HOLDS or (fact.kind and fact.kind not in KINDS) or (fact.rule and fact.rule not in rules):
        raise InputError(f"{fields} has an unknown part", where=where, wanted="a known answer, kind and rule")
    if (fact.holds == "no") is not bool(fact.refuted or fact.derived):
        raise InputError(
            f"{fact.holds} does not go with the refutations",
            where=where,
            wanted="refutations for a no, and for a no alone",
        )
    return fact


def rule_text(name: str, key: str) -> str:
    """A rule of composition in words, for the definition with this key: of δ only if the definition has one.

    >>> rule_text("adds", "adp"), rule_text("adds", "renyidp")
    ('ε adds, and so does a δ', 'ε adds')
    """
    rule = table("rules")[name]
    return str(rule["says"] if find(key).has_delta else rule.get("without-delta", rule["says"]))
