"""Axioms from parts: whether a definition is closed under channels and mixtures, and how it composes.

No verdict is written down for a definition. An axiom is proved if each of the definition's parts has a proof, and the
parts fit together; refuted if a part fails and a model shows it for this very definition; else open, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from verifier.wings.relations.axioms_facts import AXIOMS, Fact, facts, rule_text
from verifier.wings.relations.axioms_parts import parts_of, undecided_because
from verifier.wings.relations.axioms_refutations import Shown, refutations, shown

PROVED, REFUTED, OPEN = "proved", "refuted", "open"


@dataclass(frozen=True)
class AxiomVerdict:
    """The verdict on one axiom of one definition.

    `chain` has the facts that it follows from: of a proof those about all parts, else those that fail. `where` has the
    conditions of a proof, `rule` the parameters of a pair of mechanisms, `shown` the models of a refutation.
    """

    key: str
    axiom: str
    verdict: str
    chain: tuple[Fact, ...] = ()
    where: tuple[str, ...] = ()
    rule: str = ""
    shown: tuple[Shown, ...] = ()
    reason: str = ""

    @property
    def text(self) -> str:
        """The verdict in words, with its rule, conditions, models or reason."""
        if self.verdict == OPEN:
            return self.reason
        if self.verdict == REFUTED:
            return "; ".join(each.sentence for each in self.shown)
        conditions = [f"where {condition}" for condition in self.where]
        return ", ".join([*([rule_text(self.rule, self.key)] if self.rule else []), *conditions])


@cache
def derive(key: str, axiom: str) -> AxiomVerdict:
    """The verdict on one axiom of a definition, from the facts of its parts.

    >>> derive("adp", "convexity").verdict, derive("prodp", "convexity").verdict, derive("indcdp", "convexity").verdict
    ('proved', 'refuted', 'open')
    """
    if because := undecided_because(key):
        return AxiomVerdict(key, axiom, OPEN, reason=because)
    chain = tuple(facts()[part, axiom] for part in parts_of(key))
    failing = tuple(fact for fact in chain if fact.holds == "no")
    if failing:
        return _refuted(key, axiom, failing)
    unknown = [fact for fact in chain if fact.holds == "open"]
    if unknown:
        return AxiomVerdict(key, axiom, OPEN, reason="; ".join(fact.because for fact in unknown))
    if gap := _gap(chain):
        return AxiomVerdict(key, axiom, OPEN, reason=gap)
    conditions = tuple(dict.fromkeys(fact.where for fact in chain if fact.where))
    return AxiomVerdict(key, axiom, PROVED, chain, conditions, _rule(chain))


def _refuted(key: str, axiom: str, failing: tuple[Fact, ...]) -> AxiomVerdict:
    """The verdict where a part fails: refuted if one of the part's models shows it for this definition, else open."""
    named = dict.fromkeys(name for fact in failing for name in fact.refuted)
    models = tuple(each for name in named if (each := shown(refutations()[name], key)) is not None)
    if models:
        return AxiomVerdict(key, axiom, REFUTED, failing, shown=models[:1])
    reason = "; ".join(fact.sentence for fact in failing)
    return AxiomVerdict(key, axiom, OPEN, failing, reason=f"no model shows it of this definition, but {reason}")


def _gap(chain: tuple[Fact, ...]) -> str:
    """The reason why proved parts do not fit together; empty where they do."""
    measure = next((fact for fact in chain if fact.part.axis == "measure"), None)
    if measure is None:
        return ""
    convexity = facts()[measure.part, "convexity"]
    known = {convexity.kind, measure.rule}
    for fact in chain:
        if fact.needs and not known & set(fact.needs):
            return f"{fact.part.axis} {fact.part.name} needs a measure that is {' or '.join(fact.needs)}"
    return ""


def _rule(chain: tuple[Fact, ...]) -> str:
    """The rule of a composition: a builder's or an aggregation's own takes the place of the measure's."""
    rules = [fact.rule for fact in sorted(chain, key=lambda fact: fact.part.axis == "measure") if fact.rule]
    return rules[0] if rules else ""


def verdicts(key: str) -> tuple[AxiomVerdict, ...]:
    """The verdicts on the three axioms of a definition, in the order of `AXIOMS`."""
    return tuple(derive(key, axiom) for axiom in AXIOMS)
