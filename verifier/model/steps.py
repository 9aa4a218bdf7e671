"""Steps behind a mechanism (`then = [ … ]`): channels on its outputs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verifier.errors import InputError, LimitError
from verifier.model.ranges import NOISY, Range, among
from verifier.model.tails import INTEGER, half_line, splits
from verifier.numbers import plural, shorten
from verifier.tables import NO_ANSWER, Label, Law, label, product

Channel = Callable[[Label], Law]
MAX_LAW = 1 << 18
"""Most outcomes of one law that a step makes."""
MAX_NOISE_BITS = 1 << 31
"""Most bits of all the laws that a noise step may need."""


@dataclass(frozen=True)
class Step:
    """A channel on outputs; `check` refuses an output that the channel does not take, without making its law."""

    title: str
    law: Channel
    check: Callable[[Label], object]
    outputs: Range
    """A set that holds every output of the channel."""
    tails: frozenset[str] | None = None
    """The lumped tails in its outputs; None where it keeps those that it gets."""
    noise: Fraction | None = None
    """p, where the step adds two-sided geometric noise."""


def rows_step(rows: Mapping[Label, Law], otherwise: Law | None, where: str, tails: Collection[str] = ()) -> Step:
    """The step that a table from outputs to laws gives, with an optional law `otherwise` for all others.

    `tails` are the lumped tails of the mechanism before it, which no row may cut.
    """

    def channel(outcome: Label) -> Law:
        split = next((row for row in rows if splits(outcome, row, tails)), None)
        if split is not None:
            raise InputError(
                f"the row with the input {split} is a part of the lumped tail {outcome} of the noise",
                where=where,
                wanted="rows that take a tail as a whole",
                tip="inside `all`, put the rows into the part that has the noise; there an integer widens its range",
            )
        law = rows.get(outcome, otherwise)
        if law is None:
            raise InputError(
                f"the step has no row for the input {outcome}",
                where=where,
                wanted="a row for every output of the mechanism before it",
                tip='add the row, or `otherwise = "…"`',
            )
        return law

    laws = [*rows.values(), *([otherwise] if otherwise else [])]
    outputs = among(outcome for law in laws for outcome in law.outcomes)
    return Step("a table of outputs", channel, channel, outputs, frozenset())


def response_step(values: tuple[Label, ...], keep: Fraction, where: str) -> Step:
    """Randomized response on a value or on each entry of a list of values.

    A value v is kept with probability `keep`, else replaced by a uniform value of T (v itself included).
    """
    known = set(values)

    def check(outcome: Label) -> None:
        entries = parts_of(outcome)
        if not known.issuperset(entries):
            raise InputError(
                f'kind = "randomized-response" was given the output {outcome}',
                where=where,
                wanted="one of `values`, or a list of them",
                tip="put it after `identity`, `records`, `maximum`, `minimum` or `mode`",
            )
        if len(values) ** len(entries) > MAX_LAW:
            raise LimitError(
                f"randomized response on a list of {len(entries)} has {len(values)}^{len(entries)} outputs",
                where=where,
                wanted=f"at most {MAX_LAW:,}",
            )

    def parts_of(outcome: Label) -> list[Label]:
        return [outcome] if outcome in known or outcome.entries is None else list(outcome.entries)

    def response(value: Label) -> Law:
        share = (1 - keep) / len(values)
        return Law.from_fractions({v: share + (keep if v == value else 0) for v in values})

    def channel(outcome: Label) -> Law:
        check(outcome)
        if outcome in known:
            return response(outcome)
        return product([response(part) for part in parts_of(outcome)], lambda responses: label(list(responses)))

    outputs = Range("values, or lists of them", lambda output: known.issuperset(parts_of(output)))
    return Step("randomized-response", channel, check, outputs)


def geometric_step(p: Fraction, inputs: Iterable[Label], named: Iterable[Label], where: str) -> Step:
    """Two-sided geometric noise, P[X = k] = (1-p)/(1+p)·p^|k| (DMKB20, Definition 19), added to integers.

    Let `inputs` lie between low and high. Beyond these every law has the same geometric shape, so that the likelihood
    ratio of any two is constant on each tail: a tail may be one outcome, `"< low"` or `"> high"`, and no privacy
    profile changes. `named` are outputs that a later step tells apart; they widen the range from low to high.

    >>> law = geometric_step(Fraction(1, 2), [label(0), label(1)], [], "").law(label(0))
    >>> [(str(o), law.probability(o)) for o in law.outcomes]
    [('0', Fraction(1, 3)), ('1', Fraction(1, 6)), ('< 0', Fraction(1, 3)), ('> 1', Fraction(1, 6))]
    """
    integers = [integer(outcome, where) for outcome in inputs if outcome.text != NO_ANSWER]
    extra = [int(outcome.text) for outcome in named if INTEGER.fullmatch(outcome.text)]
    low, high = min([*integers, *extra], default=0), max([*integers, *extra], default=0)
    a, c, width = p.numerator, p.denominator, high - low + 1
    if len(integers) * width**2 * c.bit_length() > MAX_NOISE_BITS:
        raise LimitError(
            f"geometric noise on {plural(len(integers), 'integer')} from {shorten(low)} to {shorten(high)} is too wide",
            where=where,
            wanted=f"laws of at most {MAX_NOISE_BITS:,} bits together",
            tip="use fewer records, smaller integers or a shorter p",
        )

    def channel(outcome: Label) -> Law:
        if outcome.text == NO_ANSWER:
            return Law.point(outcome)
        at = integer(outcome, where)
        # the weights over (c + a)·c^width, with p = a/c
        power = [a**k * c ** (width - k) for k in range(width + 1)]
        table = {label(k): (c - a) * power[abs(k - at)] for k in range(low, high + 1)}
        table[half_line("<", low)] = c * power[at - low + 1]
        table[half_line(">", high)] = c * power[high - at + 1]
        return Law.from_integers(table, (c + a) * c**width)

    def check(outcome: Label) -> None:
        if outcome.text != NO_ANSWER:
            integer(outcome, where)

    return Step("geometric-noise", channel, check, NOISY, frozenset({f"< {low}", f"> {high}"}), p)


def integer(outcome: Label, where: str) -> int:
    """The integer that a label spells.

    Raises:
        InputError: for any other label, which geometric noise does not take.

    """
    if INTEGER.fullmatch(outcome.text):
        return int(outcome.text)
    raise InputError(
        f'kind = "geometric-noise" was given the output {outcome}',
        where=where,
        wanted=f'integers (and "{NO_ANSWER}", which passes through)',
        tip="put it after a count or a sum of integers; noise after noise is not supported",
    )
