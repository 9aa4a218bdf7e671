"""The set of outputs that a mechanism can have, and the refusal of a row for an input that never comes.

Where the outputs can be listed the range is exact: all outputs on all of T^n, and on all sizes. Where they are too
many, each kind states a set that holds them all. What comes only with probability 0 counts as an output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from verifier.errors import InputError, PkdpError
from verifier.model.keys import Location, meant
from verifier.model.mechanism import Mechanism
from verifier.numbers import cut, rational
from verifier.tables import NO_ANSWER, Label, label
from verifier.tables.labels import HALF_LINE, INTEGER, splits

MOST_NAMED = 12
"""Most outputs that a message names."""
_PLAIN_NUMBER = re.compile(r"[+-]?[0-9][0-9.]{0,4000}(/[0-9]{1,4000})?")


@dataclass(frozen=True)
class Range:
    """A set that holds every output of a mechanism; `words` describes it, `listed` has its labels where it is a list.

    `of_sample` is the range on all samples of the databases, where that is another.
    """

    words: str
    holds: Callable[[Label], bool]
    listed: tuple[Label, ...] = ()
    of_sample: Range | None = None

    @property
    def sampled(self) -> Range:
        """The range on all samples of the databases."""
        return self.of_sample or self


ANYTHING = Range("any label", lambda _: True)


def among(labels: Iterable[Label]) -> Range:
    """The range of some labels, and no others.

    >>> among([label(0), label("yes")]).words
    '0, yes'
    """
    listed = tuple(dict.fromkeys(labels))
    more = f", … ({len(listed):,} outputs)" if len(listed) > MOST_NAMED else ""
    return Range(
        ", ".join(cut(output.text) for output in listed[:MOST_NAMED]) + more, frozenset(listed).__contains__, listed
    )


def numbers(low: Fraction, high: Fraction, step: Fraction) -> Range:
    """The numbers low, low + step, … that are at most high.

    >>> even = numbers(Fraction(0), Fraction(10), Fraction(2))
    >>> [even.holds(label(output)) for output in (4, "4", 5, 12, "04", "x")]
    [True, True, False, False, False, False]
    """

    def holds(output: Label) -> bool:
        try:
            number = rational(output.text)
        except PkdpError:
            return False
        spelled = label(number) == output and low <= number <= high
        return spelled and (number == low if not step else (number - low) % step == 0)

    apart = f", {cut(str(step))} apart" if step not in (0, 1) else ""
    return Range(f"{cut(str(low))} to {cut(str(high))}{apart}", holds)


def sums(terms: Iterable[tuple[int, Sequence[Fraction]]]) -> Range:
    """The sums that take one number of each term; a term is (how many times it is added, its numbers).

    >>> sums([(3, [Fraction(1), Fraction(3)])]).words, sums([(3, [Fraction(1), Fraction(3)])]).sampled.words
    ('3 to 9, 2 apart', '0 to 9')
    """
    every = [(times, frozenset(values)) for times, values in terms]

    def of(chosen: list[tuple[int, frozenset[Fraction]]]) -> Range:
        low = sum((times * min(values) for times, values in chosen), Fraction(0))
        high = sum((times * max(values) for times, values in chosen), Fraction(0))
        apart = {value - min(values) for _, values in chosen for value in values}
        shared = lcm(*(difference.denominator for difference in apart))
        return numbers(low, high, Fraction(reduce(gcd, (int(difference * shared) for difference in apart), 0), shared))

    full = of(every)
    return Range(full.words, full.holds, (), of([(times, values | {Fraction(0)}) for times, values in every]))


def lists(entries: Sequence[Range]) -> Range:
    """The lists whose k-th entry lies in the k-th of these ranges."""

    def holds(output: Label) -> bool:
        items = output.entries
        return (
            items is not None
            and len(items) == len(entries)
            and all(entry.holds(part) for entry, part in zip(entries, items, strict=True))
        )

    return Range("lists of " + "; ".join(entry.words for entry in entries), holds)


def alike(entry: Range, length: int) -> Range:
    """The lists of one length whose entries all lie in one range."""

    def holds(output: Label) -> bool:
        items = output.entries
        return items is not None and len(items) == length and all(map(entry.holds, items))

    return Range(f"lists of {length:,}, each of {entry.words}", holds)


def lists_of_counts(length: int, total: int, smallest: int, *, every: bool) -> Range:
    """The lists of the counts of `length` values among `total` records; counts below `smallest` are ⊥.

    `every` says that each record has one of the values.
    """

    def holds_of(exact: bool) -> Callable[[Label], bool]:  # noqa: FBT001
        def holds(output: Label) -> bool:
            texts = [part.text for part in output.entries or ()]
            counts = [int(text) for text in texts if INTEGER.fullmatch(text)]
            hidden = texts.count(NO_ANSWER) if smallest else 0
            if output.entries is None or len(texts) != length or len(counts) + hidden != length:
                return False
            most = sum(counts) + hidden * (smallest - 1)
            return min(counts, default=smallest) >= smallest and sum(counts) <= total and (not exact or most >= total)

        return holds

    words = f"lists of {length:,} counts of {total:,} records" + f", those below {smallest} as ⊥" * bool(smallest)
    return Range(words, holds_of(every), (), Range(words, holds_of(False)))


def union(ranges: Sequence[Range]) -> Range:
    """The union of several ranges."""
    if all(listing.listed for listing in ranges):
        return among(output for listing in ranges for output in listing.listed)
    return Range(
        "; or ".join(member.words for member in ranges), lambda output: any(member.holds(output) for member in ranges)
    )


NOISY = Range(
    f"integers; {NO_ANSWER}",
    lambda output: output.text == NO_ANSWER or bool(INTEGER.fullmatch(output.text) or HALF_LINE.fullmatch(output.text)),
)
"""After geometric noise every integer can come; a half-line is looked at where the tails are known."""


def range_of(mechanism: Mechanism) -> Range:
    """The range of a mechanism: exactly its outputs, where they can be listed."""
    listed = mechanism.listed_outputs
    if listed is None:
        return mechanism.codomain or ANYTHING
    exact, tails = among(listed), mechanism.tails
    if not tails:
        return exact

    def holds(named: Label) -> bool:
        """Whether an output is in the range, or a part of a lumped tail, for which the step has its own message."""
        return exact.holds(named) or any(splits(output, named, tails) for output in listed)

    return Range(exact.words, holds, exact.listed)


def refuse_outputs(
    tables: Iterable[tuple[str, Sequence[Label]]],
    mechanism: Mechanism,
    positive: Callable[[], Mechanism] | None,
    location: Location,
) -> None:
    """Refuse a part of a lumped tail in a table of `[policy]`, and an output that the mechanism never puts out.

    `tables` has the field of each table with the outputs that it names. A table that names every output may name others
    too: it is a function on a larger set. In any other table such a name is a slip. `positive` makes the mechanism with
    every probability positive; None refuses no such name.

    Raises:
        InputError: with the tail, or with the outputs that there are.

    """
    for field, outputs in tables:
        places = dict.fromkeys(outputs, location.at("[policy]", "policy").at(field))
        _refuse_parts(places, mechanism)
        if positive and not set(mechanism.listed_outputs or ("",)) <= places.keys():
            refuse_others(places, mechanism, positive, "the mechanism", "output")


def _refuse_parts(named: Mapping[Label, Location], mechanism: Mechanism) -> None:
    """Refuse an output that is a part of a lumped tail.

    Raises:
        InputError: with the tail.

    """
    tails = [label(text) for text in sorted(mechanism.tails)]
    for output in [*(mechanism.listed_outputs or ()), *tails] if tails else ():
        part = next((part for part in named if splits(output, part, mechanism.tails)), None)
        if part is not None:
            raise InputError(
                f"the output {cut(part.text)} is a part of the lumped tail {output} of the noise",
                where=str(named[part]),
                wanted="outputs of the mechanism, and a tail as a whole",
                tip="an integer that [policy] names is kept apart, and the tails begin behind it",
            )


def refuse_others(
    inputs: Mapping[Label, Location],
    before: Mechanism,
    positive: Callable[[], Mechanism],
    noun: str,
    what: str = "input",
) -> None:
    """Refuse an input that the mechanism before it never puts out.

    `positive` makes the mechanism with every probability positive, whose outputs include those of probability 0; `noun`
    names the mechanism in the message, and `what` the label that is refused.

    Raises:
        InputError: with the outputs that there are.

    """
    outputs = range_of(before)
    if all(map(outputs.holds, inputs)):
        return
    try:
        outputs = range_of(positive())
    except PkdpError:
        return  # a part of probability 0 is not defined everywhere, so that its outputs are not known
    never = next((outcome for outcome in inputs if not outputs.holds(outcome)), None)
    if never is not None:
        raise InputError(
            f"{noun} never puts out the {what} {cut(never.text)}",
            where=str(inputs[never]),
            wanted=f"an output of it: {outputs.words}",
            tip=_near(never, outputs),
        )


def _near(outcome: Label, outputs: Range) -> str:
    """The output that a label looks like, as a question."""
    text = outcome.text.strip()
    tries = [text, text.lower(), text.capitalize()]
    if _PLAIN_NUMBER.fullmatch(text):
        with suppress(PkdpError):
            tries.append(label(rational(text.removeprefix("+"))).text)
    near = next((spelling for spelling in tries if outputs.holds(label(spelling))), "")
    return f"is `{cut(near)}` meant?" if near else meant(outcome.text, [output.text for output in outputs.listed])


__all__ = ["ANYTHING", "NOISY", "Range", "alike", "among", "lists", "lists_of_counts", "numbers", "range_of",
           "refuse_others", "refuse_outputs", "sums", "union"]  # fmt: skip
