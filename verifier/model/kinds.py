"""The named kinds of mechanism: for each what a record adds to a sum, and which output the sum gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from verifier.errors import InputError, LimitError
from verifier.model.composition import Lists
from verifier.model.mechanism import (
    ANYTHING,
    Database,
    Draw,
    Element,
    Mechanism,
    Range,
    Statistic,
    Threshold,
    alike,
    among,
    lists_of_counts,
    numbers,
    sums,
    union,
)
from verifier.numbers import Symbolic, exact_text, rational, shorten
from verifier.numbers.powers import primitive_root
from verifier.tables import NO_ANSWER, Label, Law, label

MAX_OUTPUT_BITS = 14_000
"""Longest number that a mechanism may put out, numerator and denominator together."""

Values: TypeAlias = tuple[Label, ...]


@dataclass(frozen=True)
class KindSetting:
    """The setting of a mechanism: the values T, the number of records, and the location in the file, for messages."""

    values: Values
    size: int
    where: str
    spell: Callable[[Label], Label] = lambda output: output
    """The label as it was first spelled in the file."""


def summed(
    zero: Element,
    add: Callable[..., Element],
    element: Callable[[int, int], Element],
    finish: Callable[..., object],
    operations: tuple[str, ...] | None = ("+",),
    *,
    any_size: bool = True,
    uniform: bool = True,
    threshold: Threshold | None = None,
) -> Statistic:
    """A statistic without randomness: record i with value v adds `element(i, v)`, `finish` makes the output of the sum.

    `zero` and `add` are those of the commutative monoid; the other arguments are fields of `Statistic`.
    """

    def draw(i: int, v: int) -> Draw:
        return ((element(i, v), 1),)

    @lru_cache(maxsize=1 << 16)
    def finished(state: Element) -> Law:
        return Law.point(label(_measured(finish(state))))

    return Statistic(
        zero, add, draw, finished, any_size=any_size, operations=operations, uniform=uniform, threshold=threshold
    )


def _measured(output: object) -> object:
    """An output as it is; refused where its text would be so long that labels would cut it."""
    if isinstance(output, int | Fraction):
        bits = output.numerator.bit_length() + output.denominator.bit_length()
        if bits > MAX_OUTPUT_BITS:
            raise LimitError(
                f"an output of the mechanism has {bits:,} bits",
                wanted=f"at most {MAX_OUTPUT_BITS:,}",
                tip="use shorter numbers as values and weights",
            )
    return output


def _plus(x: Fraction | int, y: Fraction | int) -> Fraction | int:
    return x + y


def _merged(x: tuple[tuple[int, int], ...], y: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """The sum in the monoid of lists of (record, value), sorted by record."""
    return tuple(sorted(x + y))


def added_counts(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[int, ...]:
    """The sum of two lists of counts."""
    return tuple(p + q for p, q in zip(x, y, strict=True))


def mechanism(title: str, setting: KindSetting, statistic: Statistic, outputs: Range = ANYTHING) -> Mechanism:
    """A mechanism from its statistic; its outputs lie in a range, and are spelled as the file spells them."""
    finish = statistic.finish
    spelled = replace(statistic, finish=lambda state: finish(state).relabelled(setting.spell))
    return Mechanism(title, setting.size, setting.values, spelled, codomain=outputs)


def constant(setting: KindSetting, output: Label) -> Mechanism:
    """The same label on every database: the attacker learns nothing."""
    statistic = summed((), lambda x, _: x, lambda _i, _v: (), lambda _: output, ())
    return mechanism(f"constant {output}", setting, statistic, among([output]))


def records(setting: KindSetting, indices: Sequence[int], title: str) -> Mechanism:
    """The values of some records, as a list in the order of `indices`."""
    chosen = indices if isinstance(indices, range) else set(indices)

    def element(i: int, v: int) -> Element:
        return ((i, v),) if i in chosen else ()

    def finish(state: tuple[tuple[int, int], ...]) -> object:
        at = dict(state)
        return [setting.values[at[i]] for i in indices]

    statistic = summed((), _merged, element, finish, None, any_size=False, uniform=False)
    known_records = mechanism(title, setting, statistic, alike(among(setting.values), len(indices)))
    return replace(known_records, records=indices)


def count(setting: KindSetting, counted: frozenset[Label], above: int | None, otherwise: Label) -> Mechanism:
    """How many records have one of the values in `counted`; with `above`, a count up to that gives `otherwise`."""
    title = "count of " + ", ".join(v.text for v in setting.values if v in counted)

    def finish(k: int) -> object:
        return k if above is None or k > above else otherwise

    if above is not None:
        title += f", or {otherwise} if it is at most {above}"
    threshold = Threshold(-1 if above is None else above, otherwise)
    statistic = summed(0, _plus, lambda _, v: int(setting.values[v] in counted), finish, threshold=threshold)
    counts = numbers(Fraction(max(0, threshold.above + 1)), Fraction(setting.size), Fraction(1))
    return mechanism(title, setting, statistic, counts if above is None else union([counts, among([otherwise])]))


def parity(setting: KindSetting, counted: frozenset[Label]) -> Mechanism:
    """The number of records with one of the values in `counted`, mod 2."""
    title = "parity of the count of " + ", ".join(v.text for v in setting.values if v in counted)
    statistic = summed(
        0, lambda x, y: (x + y) % 2, lambda _, v: int(setting.values[v] in counted), lambda k: k, ("mod 2",)
    )
    return mechanism(title, setting, statistic, among([label(0), label(1)]))


def numbers_of(setting: KindSetting, kind: str) -> tuple[Fraction, ...]:
    """The values as numbers, for a kind that computes with them.

    Raises:
        InputError: with the first value that is no number.

    """
    for v in setting.values:
        try:
            number: Fraction | None = rational(v.text, setting.where, "a value")
        except InputError:
            number = None
        if number is None:
            raise InputError(
                f'kind = "{kind}" cannot have the value {shorten(v.shown)}',
                where=setting.where,
                wanted="values that are numbers",
                tip='integers, or strings such as "1/2"',
            )
    return tuple(rational(v.text) for v in setting.values)


def linear(setting: KindSetting, weights: tuple[Fraction, ...] | None, title: str, *, divide: int = 1) -> Mechanism:
    """Σ wᵢ·D(i)/divide, where all wᵢ are 1 without `weights`: sum, linear query and arithmetic mean."""
    numeric = numbers_of(setting, title.split(maxsplit=1)[0])

    def element(i: int, v: int) -> Element:
        return numeric[v] * (weights[i] if weights else 1) / divide

    any_size = weights is None and divide == 1
    threshold = Threshold(-1, label(NO_ANSWER)) if any_size and set(numeric) <= {0, 1} else None
    statistic = summed(
        Fraction(0), _plus, element, lambda s: s, any_size=any_size, uniform=not weights, threshold=threshold
    )
    factors = Counter(weights) if weights else {Fraction(1): setting.size}
    outputs = sums((times, [x * factor / divide for x in numeric]) for factor, times in factors.items())
    return mechanism(title, setting, statistic, outputs)


def root_text(value: Fraction, degree: int) -> object:
    """The degree-th root of a rational ≥ 0: exact where rational, else `sqrt(5/2)` or `root(5/2, 3)`.

    >>> root_text(Fraction(9, 4), 2), root_text(Fraction(5, 2), 2), root_text(Fraction(4), 4)
    (Fraction(3, 2), 'sqrt(5/2)', 'sqrt(2)')
    """
    if value in (0, 1):
        return value
    base, power = primitive_root(value if value > 1 else 1 / value)
    if value < 1:
        base = 1 / base
    exponent = Fraction(power, degree)
    _measured(base**exponent.numerator)
    inside = exact_text(base**exponent.numerator, 4300)
    if exponent.denominator == 1:
        return base**exponent.numerator
    return f"sqrt({inside})" if exponent.denominator == 2 else f"root({inside}, {exponent.denominator})"


def mean(setting: KindSetting, kind: str) -> Mechanism:
    """The arithmetic, geometric, harmonic or quadratic mean of the records, exactly.

    Raises:
        InputError: for values that are no numbers, or not positive where the mean is geometric or harmonic.

    """
    n = setting.size
    if kind == "mean":
        return linear(setting, None, "mean of the records", divide=n)
    numeric = numbers_of(setting, kind)
    if kind != "quadratic-mean" and any(x <= 0 for x in numeric):
        raise InputError(
            f'kind = "{kind}" cannot have the value {shorten(min(numeric))}',
            where=setting.where,
            wanted="positive values (DMKB20, Proposition 6)",
        )
    title = f"{kind.replace('-', ' ')} of the records"
    if kind == "geometric-mean":
        statistic = summed(
            Fraction(1), lambda x, y: x * y, lambda _, v: numeric[v], lambda s: root_text(s, n), ("*",), any_size=False
        )
    elif kind == "harmonic-mean":
        statistic = summed(Fraction(0), _plus, lambda _, v: 1 / numeric[v], lambda s: n / s, any_size=False)
    else:
        statistic = summed(
            Fraction(0), _plus, lambda _, v: numeric[v] ** 2, lambda s: root_text(s / n, 2), any_size=False
        )
    return mechanism(title, setting, statistic)


def extreme(setting: KindSetting, kind: str) -> Mechanism:
    """The maximum or minimum of the records by the order of `values`, whatever numbers these are."""
    choose: Callable[[int, int], int] = max if kind == "maximum" else min
    zero = -1 if kind == "maximum" else len(setting.values)
    statistic = summed(zero, choose, lambda _, v: v, lambda v: setting.values[v], (choose.__name__,), any_size=False)
    return mechanism(f"{kind} of the records", setting, statistic, among(setting.values))


def unit(position: int | None, length: int) -> tuple[int, ...]:
    """The counts that one record adds: 1 at its position, else 0; 0 everywhere for a value that is not counted."""
    return tuple(int(k == position) for k in range(length))


def mode(setting: KindSetting) -> Mechanism:
    """The most frequent value; ties go to the first in the order of `values`."""
    length = len(setting.values)

    def finish(counts: tuple[int, ...]) -> object:
        return setting.values[counts.index(max(counts))]

    statistic = summed(
        (0,) * length, added_counts, lambda _, v: unit(v, length), finish, ("+",) * length, any_size=False
    )
    return mechanism("mode of the records", setting, statistic, among(setting.values))


def histogram(setting: KindSetting, listed: Values, smallest: int, title: str) -> Mechanism:
    """The list of the counts of the values in `listed`; counts below `smallest` are replaced by ⊥."""
    position = {v: k for k, v in enumerate(listed)}

    def element(_: int, v: int) -> Element:
        return unit(position.get(setting.values[v]), len(listed))

    def finish(counts: tuple[int, ...]) -> object:
        return [NO_ANSWER if k < smallest else k for k in counts]

    statistic = summed((0,) * len(listed), added_counts, element, finish, ("+",) * len(listed))
    every = len(listed) == len(setting.values)
    return mechanism(title, setting, statistic, lists_of_counts(len(listed), setting.size, smallest, every=every))


def kept_text(keep: Fraction, number: int) -> str:
    """How often a value is reported as it is, in words, where there are so many values.

    >>> kept_text(Fraction(1, 2), 2), kept_text(Fraction(-1, 2), 2)
    ('kept with probability 1/2', 'true with probability 1/4')
    """
    if isinstance(keep, Symbolic) or keep >= 0:
        return f"kept with probability {keep}"
    return f"true with probability {keep + (1 - keep) / number}"


def randomized_response(setting: KindSetting, keep: Fraction, indices: Sequence[int]) -> Mechanism:
    """The list of the records in `indices`, each kept with probability `keep`, else replaced by a uniform value."""
    number = len(setting.values)
    replaced = (1 - keep) / number
    denominator = (keep + replaced).denominator * replaced.denominator
    chosen = set(indices)

    kept, other = (chance.numerator * (denominator // chance.denominator) for chance in (keep + replaced, replaced))

    @lru_cache(maxsize=1 << 12)
    def draw(i: int, v: int) -> Draw:
        if i not in chosen:
            return (((), denominator),)
        weights = ((w, kept if w == v else other) for w in range(number))
        return tuple((((i, w),), weight) for w, weight in weights if weight)

    @lru_cache(maxsize=1 << 16)
    def finish(state: tuple[tuple[int, int], ...]) -> Law:
        at = dict(state)
        return Law.point(label([setting.values[at[i]] for i in indices]))

    lists = Lists(lambda outputs: setting.spell(label(list(outputs))))

    @lru_cache(maxsize=1 << 12)
    def response(v: int) -> Law:
        return Law.from_integers({setting.values[w]: kept if w == v else other for w in range(number)}, denominator)

    def table(database: Database) -> Law:
        """The same law as that of the statistic, without adding record by record."""
        return lists.law([response(database[i]) for i in indices])

    statistic = Statistic((), _merged, draw, finish, denominator, any_size=False)
    title = f"randomized response on each record ({kept_text(keep, number)})"
    responses = mechanism(title, setting, statistic, alike(among(setting.values), len(indices)))
    return replace(responses, table=table)
