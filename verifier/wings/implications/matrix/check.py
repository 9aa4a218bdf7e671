"""The test whether the smallest ε of a model agree with each proved chain whose condition the model meets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from verifier.model import Model
from verifier.wings.implications.matrix.closure import Chain, proved
from verifier.wings.implications.matrix.conditions import CONDITIONS, OF_THETA
from verifier.wings.implications.matrix.facts import DELTA, LEVELS, SAME_MAP, SOME, terms_of
from verifier.wings.implications.matrix.values import bounds, exceeds, larger


@dataclass(frozen=True)
class Contradiction:
    """A pair that a chain proves and a model refutes, with the two smallest ε."""

    source: str
    target: str
    delta: str
    first: str
    second: str
    chain: Chain

    def __str__(self) -> str:
        facts = "; ".join(fact.sentence for fact in self.chain.facts) or "the two have the same parts"
        return f"{self.source} ⟹ {self.target} at δ = {self.delta}: {self.first}, then {self.second} ({facts})"


def conditions_met(model: Model) -> frozenset[str]:
    """The keys of the conditions that a model meets; of those on θ and B̂ none without a θ on databases of one size."""
    has_theta = model.sizes is None and bool(model.thetas)
    return frozenset(
        key for key, each in CONDITIONS.items() if (has_theta or key not in OF_THETA) and each.holds(model)
    )


def affine(text: str, model: Model) -> tuple[Fraction, Fraction] | None:
    """The numbers f and c of a map f·ε + c on a model; None for another map, and where a field is missing.

    ξ is 0 where [policy] leaves it out, as in the definitions.
    """
    size = model.sizes[1] if model.sizes is not None else model.size
    policy = model.policy
    numbers = {"n": size, "group": policy.group, "order": policy.order, "xi": policy.xi or 0, "mu": policy.mu, "e": 1}
    factor, constant = Fraction(0), Fraction(0)
    for number, symbols in terms_of(text):
        values = [numbers.get(symbol) for symbol in symbols]
        if None in values:
            return None
        product = prod((Fraction(value) for value in values if value is not None), start=Fraction(number))
        factor, constant = (factor + product, constant) if "e" in symbols else (factor, constant + product)
    return factor, constant


def contradictions(model: Model, values: Mapping[str, Mapping[str, str]]) -> Iterator[Contradiction]:
    """The proved pairs that the smallest ε of a model contradict."""
    met = conditions_met(model)
    for level in LEVELS:
        for source, target, chain in proved(level):
            if not chain.when <= met:
                continue
            for delta, at in values.items():
                first, second = at.get(source), at.get(target)
                if first is None or second is None or (level != DELTA and delta != "0"):
                    continue
                if bounds(first) is not None and _contradicts(level, chain, model, first, second):
                    yield Contradiction(source, target, delta, first, second, chain)


def _contradicts(level: str, chain: Chain, model: Model, first: str, second: str) -> bool:
    """Whether a smallest ε is larger than a chain allows."""
    if level != SOME or chain.map == SAME_MAP:
        return larger(first, second)
    if bounds(second) is None:
        return True
    numbers = affine(chain.map, model)
    return numbers is not None and exceeds(second, first, *numbers)
