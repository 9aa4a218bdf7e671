"""Axioms from parts: whether a definition is closed under channels and mixtures, and how it composes.

No verdict is written down for a definition. An axiom is proved if each of the definition's parts has a proof, and the
parts fit together; refuted if a part fails and a model shows it for this very definition; else open, with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from verifier.wings.implications.axioms.facts import AXIOMS, OVER, Fact, facts, rule_text
from verifier.wings.implications.axioms.parts import parts_of, undecided_because
from verifier.wings.implications.axioms.refutations import Shown, refutations, shown

PROVED, REFUTED, OPEN = "proved", "refuted", "open"


@dataclass(frozen=True)
class AxiomVerdict:
    """The verdict on one axiom of one definition.

    `chain` has the facts that it follows from: of a proof those about all parts, else those that fail. `where` has the
    conditions of a proof, `rule` the parameters of a pair of mechanisms, or what holds where it is refuted, `over` what
    the pair may be, `shown` the models of a refutation, and `derived` a function of `proofs/axioms/second.py`.
    """

    key: str
    axiom: str
    verdict: str
    chain: tuple[Fact, ...] = ()
    where: tuple[str, ...] = ()
    rule: str = ""
    shown: tuple[Shown, ...] = ()
    reason: str = ""
    derived: str = ""
    over: str = ""

    @property
    def text(self) -> str:
        """The verdict in words, with its rule, conditions, models or reason."""
        if self.verdict == OPEN:
            return self.reason
        rule = [rule_text(self.rule, self.key)] if self.rule else []
        about = f"for {self.over}" if self.over not in {"", OVER} else ""
        if self.verdict == REFUTED:
            text = "; ".join([*(each.sentence for each in self.shown), *self.derivations, *rule])
            return f"{about}: no; {text}" if about else text
        return ", ".join([*rule, *(f"where {condition}" for condition in self.where), *([about] if about else [])])

    @property
    def derivations(self) -> list[str]:
        """The derivation that refutes it, in words."""
        return [f"{self.chain[0].because} (proofs/axioms/second.py, {self.derived})"] if self.derived else []


@cache
def derive(key: str, axiom: str) -> AxiomVerdict:
    """The verdict on one axiom of a definition, from the facts of its parts.

    >>> derive("adp", "convexity").verdict, derive("prodp", "convexity").verdict, derive("indcdp", "convexity").verdict
    ('proved', 'refuted', 'open')
    """
    if because := undecided_because(key):
        return AxiomVerdict(key, axiom, OPEN, reason=because)
    chain = tuple(facts()[part, axiom] for part in parts_of(key))
    over = next((fact.over for fact in chain if fact.over), OVER) if axiom == "composition" else ""
    failing = tuple(fact for fact in chain if fact.holds == "no")
    if failing:
        return _refuted(key, axiom, failing, over)
    unknown = [fact for fact in chain if fact.holds == "open"]
    if unknown:
        return AxiomVerdict(key, axiom, OPEN, reason="; ".join(fact.because for fact in unknown))
    if gap := _gap(chain):
        return AxiomVerdict(key, axiom, OPEN, reason=gap)
    conditions = tuple(dict.fromkeys(fact.where for fact in chain if fact.where))
    return AxiomVerdict(key, axiom, PROVED, chain, conditions, _rule(chain), over=over)


def _refuted(key: str, axiom: str, failing: tuple[Fact, ...], over: str) -> AxiomVerdict:
    """The verdict where a part fails: refuted if a model of the part, or a derivation, shows it, else open."""
    rule, over = (_rule(failing), over) if all(fact.rule for fact in failing) else ("", OVER if over else "")
    named = dict.fromkeys(name for fact in failing for name in fact.refuted)
    models = tuple(each for name in named if (each := shown(refutations()[name], key)) is not None)
    if models:
        return AxiomVerdict(key, axiom, REFUTED, failing, rule=rule, shown=models[:1], over=over)
    derived = next((fact.derived for fact in failing if fact.derived), "")
    if derived:
        return AxiomVerdict(key, axiom, REFUTED, failing, rule=rule, derived=derived, over=over)
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
