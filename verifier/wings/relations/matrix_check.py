"""Whether the smallest ε of a model agree with what is proved: each chain whose condition the model meets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.model import Model
from verifier.wings.papers.relations.arrows import CONDITIONS as OF_PAPERS
from verifier.wings.relations.matrix_closure import Chain, proved
from verifier.wings.relations.matrix_conditions import CONDITIONS
from verifier.wings.relations.matrix_facts import DELTA, LEVELS, SAME_MAP, SOME, SOME_MAP
from verifier.wings.relations.matrix_values import bounds, exceeds, larger


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
    """The conditions that a model meets; those on θ and B̂ only where databases are lists with a θ."""
    has_theta = model.sizes is None and bool(model.thetas)
    return frozenset(
        key for key, each in CONDITIONS.items() if (has_theta or key not in OF_PAPERS) and each.holds(model)
    )


def factor_of(text: str, model: Model) -> Fraction | None:
    """The number that a map multiplies ε by, on a model; None where it is none."""
    size = model.sizes[1] if model.sizes is not None else model.size
    numbers = {"e": Fraction(1), "n": Fraction(size), "group": Fraction(model.policy.group or 0)}
    parts = text.split("*")
    if any(part not in numbers and not part.isdecimal() for part in parts):
        return None
    product = Fraction(1)
    for part in parts:
        product *= numbers[part] if part in numbers else Fraction(part)
    return product


def _bound(text: str, model: Model) -> str | None:
    """The bound that a map names, where it is a parameter of the file."""
    known = {"xi": model.policy.xi, "mu": model.policy.mu}
    plain = re.fullmatch("xi|mu", text)
    value = known[plain[0]] if plain else None
    return None if value is None else str(value)


def contradictions(model: Model, values: Mapping[str, Mapping[str, str]]) -> Iterator[Contradiction]:
    """Every proved pair that the smallest ε of a model contradict."""
    met = conditions_met(model)
    for level in LEVELS:
        for source, target, chain in proved(level):
            if not chain.conditions <= met:
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
    factor = None if chain.map == SOME_MAP else factor_of(chain.map, model)
    if factor is not None:
        return exceeds(second, first, factor)
    named = _bound(chain.map, model)
    return named is not None and larger(named, second)
