"""Probability laws on finitely many labels, in canonical form; their mixtures, products, and images under channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from verifier.errors import InputError
from verifier.numbers import Symbolic, probability, quotient, refuse_other_sum, shorten
from verifier.tables.labels import Label, in_order
from verifier.tables.weights import gathered


@dataclass(frozen=True, slots=True)
class Law:
    """A probability law on finitely many labels: sorted, positive integer weights over one denominator.

    The weights have no common factor, so that equal laws are equal objects. Make one with `Law.of`, which
    refuses what is no law; nothing is normalised.

    >>> from verifier.tables.labels import label
    >>> coin = Law.of({label("odd"): "1/2", label("even"): "1/2"})
    >>> coin.weights, coin.denominator, coin.probability(label("odd"))
    ((1, 1), 2, Fraction(1, 2))
    """

    outcomes: tuple[Label, ...]
    weights: tuple[int, ...]
    denominator: int

    @classmethod
    def of(cls, table: Mapping[Label, object], where: str = "") -> Law:
        """Read a table of exact probabilities.

        Raises:
            InputError: where it is empty, an entry is negative, or the exact sum is not 1.

        """
        return cls.from_fractions(
            {key: probability(value, f"{where}, {key.text}" if where else key.text) for key, value in table.items()},
            where,
        )

    @classmethod
    def from_fractions(cls, table: Mapping[Label, Fraction], where: str = "") -> Law:
        """The law with these probabilities.

        Raises:
            InputError: where they do not sum to 1, or one is negative.

        """
        refuse_other_sum(sum(table.values(), Fraction(0)), "the probabilities", where)
        denominator = lcm(*(value.denominator for value in table.values()))
        return cls.from_integers(
            {key: value.numerator * (denominator // value.denominator) for key, value in table.items()},
            denominator,
        )

    @classmethod
    def from_integers(cls, weights: Mapping[Label, int], denominator: int) -> Law:
        """The law with these weights over a denominator.

        >>> from verifier.tables.labels import label
        >>> Law.from_integers({label(0): 2, label(1): 4}, 6).denominator
        3

        Raises:
            InputError: where a weight is negative, or the denominator is not the sum of the weights.

        """
        try:
            negative = denominator <= 0 or min(weights.values()) < 0
        except TypeError:  # functions of parameters have no order
            negative = any(weight < 0 for weight in weights.values() if not isinstance(weight, Symbolic))
        if negative or sum(weights.values()) != denominator:
            raise InputError(
                f"weights are negative, or sum to {shorten(sum(weights.values()))} over {shorten(denominator)}",
                wanted="non-negative weights with the sum of the denominator",
            )
        return cls._clean(dict(weights), denominator)

    @classmethod
    def from_weights(cls, weights: Mapping[Label, int]) -> Law:
        """The law proportional to non-negative integer weights, such as those of the outcomes in an event.

        >>> from verifier.tables.labels import label
        >>> Law.from_weights({label(0): 2, label(1): 4}).weights
        (1, 2)
        """
        return cls.from_integers(weights, sum(weights.values()))

    @classmethod
    def point(cls, outcome: Label) -> Law:
        """The law of a constant."""
        return cls((outcome,), (1,), 1)

    @classmethod
    def mixed(cls, weighted_laws: Sequence[tuple[int, Law]]) -> Law:
        """The mixture Σ (weight/sum of the weights)·law, with integer weights.

        >>> from verifier.tables.labels import label
        >>> Law.mixed([(1, Law.point(label(0))), (3, Law.point(label(1)))]).weights
        (1, 3)
        """
        shared = lcm(*(law.denominator for _, law in weighted_laws))
        result: dict[Label, int] = {}
        for weight, law in weighted_laws:
            scale = weight * (shared // law.denominator)
            for outcome, part in law.items():
                result[outcome] = result.get(outcome, 0) + scale * part
        return cls._clean(result, shared * sum(weight for weight, _ in weighted_laws))

    @classmethod
    def _clean(cls, weights: dict[Label, int], denominator: int) -> Law:
        support = in_order(key for key, weight in weights.items() if weight)
        try:
            shared = gcd(denominator, *weights.values())
        except TypeError:  # functions of parameters: their quotients, which are of a field
            return cls(tuple(support), tuple(quotient(weights[key], denominator) for key in support), 1)
        return cls(tuple(support), tuple(weights[key] // shared for key in support), denominator // shared)

    def relabelled(self, spell: Callable[[Label], Label]) -> Law:
        """The same law with its labels spelled otherwise; their texts stay."""
        return Law(tuple(map(spell, self.outcomes)), self.weights, self.denominator)

    def probability(self, outcome: Label) -> Fraction:
        """P[X = outcome], for X with this law."""
        probability: Fraction = quotient(dict(self.items()).get(outcome, 0), self.denominator)
        return probability

    def items(self) -> Iterable[tuple[Label, int]]:
        """The support with its integer weights."""
        return zip(self.outcomes, self.weights, strict=True)

    def then(self, channel: Callable[[Label], Law]) -> Law:
        """The law of the output of a channel whose input has this law.

        >>> from verifier.tables.labels import label
        >>> Law.point(label(0)).then(lambda x: Law.of({x: "1/3", label(1): "2/3"})).probability(label(1))
        Fraction(2, 3)
        """
        if len(self.outcomes) == 1:
            return channel(self.outcomes[0])
        return Law.mixed([(weight, channel(outcome)) for outcome, weight in self.items()])


def product(laws: Iterable[Law], combine: Callable[[tuple[Label, ...]], Label]) -> Law:
    """The law of the label that `combine` makes of independent draws, one from each law."""
    table: dict[tuple[Label, ...], int] = {(): 1}
    denominator = 1
    for law in laws:
        table = {(*key, outcome): weight * part for key, weight in table.items() for outcome, part in law.items()}
        denominator *= law.denominator
    return Law.from_integers(gathered((combine(key), weight) for key, weight in table.items()), denominator)
