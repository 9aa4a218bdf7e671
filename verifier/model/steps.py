"""Channels on outputs: what `then = [ … ]` may hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import InputError, LimitError
from verifier.model.place import many
from verifier.model.ranges import NOISY, Range, among
from verifier.model.tails import INTEGER, half_line, splits
from verifier.numbers import shorten
from verifier.tables import NO_ANSWER, Label, Law, label, product

Channel = Callable[[Label], Law]
MAX_LAW = 1 << 18
"""Most outcomes of one law that a step makes."""
MAX_NOISE_BITS = 1 << 31
"""Most bits of all the laws that a noise step may need."""


@dataclass(frozen=True)
class Step:
    """A channel on outputs; `check` refuses, cheaply, an output that it does not take."""

    title: str
    law: Channel
    check: Callable[[Label], object]
    outputs: Range
    """A set that holds all that it puts out."""
    tails: frozenset[str] | None = None
    """The lumped tails in its outputs; None where it keeps those that it gets."""
    noise: Fraction | None = None
    """p, where the step adds two-sided geometric noise."""


def rows_step(rows: Mapping[Label, Law], otherwise: Law | None, where: str, tails: Collection[str] = ()) -> Step:
    """A table from outputs to laws, with an optional law for all the others."""

    def channel(given: Label) -> Law:
        split = next((one for one in rows if splits(given, one, tails)), None)
        if split is not None:
            raise InputError(
                f"the row with the input {split} is a part of the lumped tail {given} of the noise",
                where=where,
                wanted="rows that take a tail as a whole",
                tip="inside `all`, put the rows into the part that has the noise; there an integer widens its range",
            )
        found = rows.get(given, otherwise)
        if found is None:
            raise InputError(
                f"the step has no row for the input {given}",
                where=where,
                wanted="a row for every output of the mechanism before it",
                tip='add the row, or `otherwise = "…"`',
            )
        return found

    laws = [*rows.values(), *([otherwise] if otherwise else [])]
    outputs = among(outcome for law in laws for outcome in law.outcomes)
    return Step("a table of outputs", channel, channel, outputs, frozenset())


def response_step(values: tuple[Label, ...], keep: Fraction, where: str) -> Step:
    """Randomized response on a value or on each entry of a list of values.

    A value v is kept with probability `keep`, else replaced by a uniform value of T (v itself included).
    """
    known = set(values)

    def check(given: Label) -> None:
        parts = parts_of(given)
        if not known.issuperset(parts):
            raise InputError(
                f'kind = "randomized-response" was given the output {given}',
                where=where,
                wanted="one of `values`, or a list of them",
                tip="put it after `identity`, `records`, `maximum`, `minimum` or `mode`",
            )
        if len(values) ** len(parts) > MAX_LAW:
            raise LimitError(
                f"randomized response on a list of {len(parts)} has {len(values)}^{len(parts)} outputs",
                where=where,
                wanted=f"at most {MAX_LAW:,}",
            )

    def parts_of(given: Label) -> list[Label]:
        return [given] if given in known or given.parts is None else list(given.parts)

    def one(given: Label) -> Law:
        share = (1 - keep) / len(values)
        return Law.from_fractions({v: share + (keep if v == given else 0) for v in values})

    def channel(given: Label) -> Law:
        check(given)
        if given in known:
            return one(given)
        return product([one(part) for part in parts_of(given)], lambda parts: label(list(parts)))

    outputs = Range("values, or lists of them", lambda output: known.issuperset(parts_of(output)))
    return Step("randomized-response", channel, check, outputs)


def geometric_step(p: Fraction, inputs: Iterable[Label], named: Iterable[Label], where: str) -> Step:
    """Two-sided geometric noise, P[X = k] = (1-p)/(1+p)·p^|k| (DMKB20, Definition 19), without a cut.

    All inputs lie between `low` and `high`. Beyond them every law has the same geometric shape, so that the
    likelihood ratio of any two is constant on each tail: a tail may be one outcome, `"< low"` or `"> high"`,
    and no privacy profile changes. `named` are outputs that a later step tells apart; they widen the range.

    >>> law = geometric_step(Fraction(1, 2), [label(0), label(1)], [], "").law(label(0))
    >>> [(str(o), law.probability(o)) for o in law.outcomes]
    [('0', Fraction(1, 3)), ('1', Fraction(1, 6)), ('< 0', Fraction(1, 3)), ('> 1', Fraction(1, 6))]
    """
    whole = [integer(one, where) for one in inputs if one.text != NO_ANSWER]
    extra = [int(one.text) for one in named if INTEGER.fullmatch(one.text)]
    low, high = min([*whole, *extra], default=0), max([*whole, *extra], default=0)
    a, c, width = p.numerator, p.denominator, high - low + 1
    if len(whole) * width**2 * c.bit_length() > MAX_NOISE_BITS:
        raise LimitError(
            f"geometric noise on {many(len(whole), 'integer')} from {shorten(low)} to {shorten(high)} is too wide",
            where=where,
            wanted=f"laws of at most {MAX_NOISE_BITS:,} bits together",
            tip="use fewer records, smaller integers or a shorter p",
        )

    def channel(given: Label) -> Law:
        if given.text == NO_ANSWER:
            return Law.point(given)
        at = integer(given, where)
        # the weights over (c + a)·c^width, with p = a/c
        power = [a**k * c ** (width - k) for k in range(width + 1)]
        table = {label(k): (c - a) * power[abs(k - at)] for k in range(low, high + 1)}
        table[half_line("<", low)] = c * power[at - low + 1]
        table[half_line(">", high)] = c * power[high - at + 1]
        return Law.from_integers(table, (c + a) * c**width)

    def check(given: Label) -> None:
        if given.text != NO_ANSWER:
            integer(given, where)

    return Step("geometric-noise", channel, check, NOISY, frozenset({f"< {low}", f"> {high}"}), p)


def integer(given: Label, where: str) -> int:
    """The integer that a label is."""
    if INTEGER.fullmatch(given.text):
        return int(given.text)
    raise InputError(
        f'kind = "geometric-noise" was given the output {given}',
        where=where,
        wanted=f'integers (and "{NO_ANSWER}", which passes through)',
        tip="put it after a count or a sum of integers; noise after noise is not supported",
    )
