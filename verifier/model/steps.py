"""Channels on outputs: what `then = [ … ]` may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from verifier.errors import InputError, UnsupportedError
from verifier.tables import NO_ANSWER, Label, Law, label, product

Channel = Callable[[Label], Law]


def rows_channel(rows: Mapping[Label, Law], otherwise: Law | None, where: str) -> Channel:
    """A table from outputs to laws, with an optional law for all the others."""

    def channel(given: Label) -> Law:
        found = rows.get(given, otherwise)
        if found is None:
            raise InputError(
                f"the step has no row for the input {given}",
                where=where,
                wanted="a row for every output of the mechanism before it",
                tip='add the row, or `otherwise = "…"`',
            )
        return found

    return channel


def response_channel(values: tuple[Label, ...], keep: Fraction, where: str) -> Channel:
    """Randomized response on a value or on each entry of a list of values.

    A value v is kept with probability `keep`, else replaced by a uniform value of T (v itself included).
    """
    known = set(values)

    def one(given: Label) -> Law:
        if given not in known:
            raise InputError(
                f'kind = "randomized-response" was given the output {given}',
                where=where,
                wanted="one of `values`, or a list of them",
                tip="put it after `identity`, `records`, `maximum`, `minimum` or `mode`",
            )
        share = (1 - keep) / len(values)
        return Law.from_fractions({v: share + (keep if v == given else 0) for v in values})

    def channel(given: Label) -> Law:
        if isinstance(given.shown, list) and given not in known:
            return product([one(label(part)) for part in given.shown], lambda parts: label(list(parts)))
        return one(given)

    return channel


def geometric_channel(p: Fraction, inputs: Iterable[Label], named: Iterable[Label], where: str) -> Channel:
    """Two-sided geometric noise, P[X = k] = (1-p)/(1+p)·p^|k| (DMKB20, Definition 19), without a cut.

    All inputs lie between `low` and `high`. Beyond them every law has the same geometric shape, so that the
    likelihood ratio of any two is constant on each tail: a tail may be one outcome, `"< low"` or `"> high"`,
    and no privacy profile changes. `named` are outputs that a later step tells apart; they widen the range.

    >>> law = geometric_channel(Fraction(1, 2), [label(0), label(1)], [], "")(label(0))
    >>> [(str(o), law.probability(o)) for o in law.outcomes]
    [('0', Fraction(1, 3)), ('1', Fraction(1, 6)), ('< 0', Fraction(1, 3)), ('> 1', Fraction(1, 6))]
    """
    whole = [integer(one, where) for one in inputs if one.text != NO_ANSWER]
    extra = [int(one.text) for one in named if one.text.lstrip("-").isdigit() and one.text.isascii()]
    low, high = min([*whole, *extra], default=0), max([*whole, *extra], default=0)
    if high - low > 1 << 20:
        raise UnsupportedError(f"geometric noise over {high - low:,} different counts is too wide")

    def channel(given: Label) -> Law:
        if given.text == NO_ANSWER:
            return Law.point(given)
        at = integer(given, where)
        table = {label(k): (1 - p) / (1 + p) * p ** abs(k - at) for k in range(low, high + 1)}
        table[Label(f"< {low}", f"< {low}")] = p ** (at - low + 1) / (1 + p)
        table[Label(f"> {high}", f"> {high}")] = p ** (high - at + 1) / (1 + p)
        return Law.from_fractions(table)

    return channel


def integer(given: Label, where: str) -> int:
    """The integer that a label is."""
    try:
        if not isinstance(given.shown, bool):
            return int(given.text)
    except ValueError:
        pass
    raise InputError(
        f'kind = "geometric-noise" was given the output {given}',
        where=where,
        wanted=f'integers (and "{NO_ANSWER}", which passes through)',
        tip="put it after a count or a sum of integers; noise after noise is not supported",
    )
