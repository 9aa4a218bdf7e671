"""Steps by which offices publish counts: hide small ones, round, add the noise of a table of keys.

Each step is a law for every integer c, made once for each integer that comes. A hidden count is the label `*`, and one
that is top-coded at T the label `T+`: what is hidden stays hidden, since such a mark passes every later step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import prod
from typing import Any

from verifier.errors import InputError
from verifier.model.arithmetic import MARK, rounded_to
from verifier.model.composition import listed as list_of
from verifier.model.forms import Domain, Form, Key, defined, keys_schema, list_schema, values_of, whole
from verifier.model.keys import Location, rows
from verifier.model.mechanism import Range, check_law
from verifier.model.table_files import FILE_SCHEMA, named_file
from verifier.numbers import cut, plural, probability, refuse_other_sum, shorten
from verifier.tables import Label, Law, label, product
from verifier.tables.law import HALF_LINE, INTEGER

HIDDEN = label("*")
"""The mark of a hidden count."""
CountLaw = Callable[[int], Law]


def _is_count(output: Label) -> bool:
    entries = output.entries
    if entries is not None:
        return all(map(_is_count, entries))
    return bool(MARK.fullmatch(output.text) or INTEGER.fullmatch(output.text) or HALF_LINE.fullmatch(output.text))


COUNTS = Range("integers, `*`, a top-coded count such as `15+`, or lists of these", _is_count)


def on_counts(kind: str, law: CountLaw, where: str, tails: Mapping[str, Label] | None = None) -> Callable[[Label], Law]:
    """The channel of a step on an integer, or on each entry of a list; marks pass through.

    `tails` has what becomes of the lumped tails of a noise before the step, by their texts.
    """
    images = tails or {}
    of_integer = lru_cache(maxsize=None)(law)

    def channel(output: Label) -> Law:
        entries = output.entries
        if entries is not None:
            laws = [channel(entry) for entry in entries]
            check_law(prod(len(one.outcomes) for one in laws), f"{kind} has too many results on one list")
            return product(laws, list_of)
        if output.text in images:
            return Law.point(images[output.text])
        if MARK.fullmatch(output.text):
            return Law.point(output)
        if not INTEGER.fullmatch(output.text):
            raise InputError(
                f'kind = "{kind}" cannot take the output {cut(output.text)}',
                where=where,
                wanted="integers, or lists of integers (and `*`, `⊥`, `15+`, which pass through)",
                tip="put it after a count, a histogram or a sum of integers; a rate or a mean is not a count",
            )
        return of_integer(int(output.text))

    return channel


def refuse_negative(kind: str, count: int, where: str) -> None:
    """Refuse an integer on which a rule for counts is not defined.

    Raises:
        InputError: for a negative one.

    """
    if count < 0:
        tip = '{ kind = "clamp", low = 0, high = 10 } before it'
        raise InputError(f'kind = "{kind}" cannot take {count}', where=where, wanted="a count, at least 0", tip=tip)


# --- hide ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hidden:
    """Which integers are hidden: those from `first` (None: no matter how small) to `last`; 0 may be shown."""

    first: int | None
    last: int
    zero_shown: bool = False

    def __call__(self, count: int) -> Law:
        """`*` for an integer that is hidden, else the integer."""
        return Law.point(HIDDEN if self.holds(count) else label(count))

    def holds(self, count: int) -> bool:
        """Whether an integer is hidden."""
        if count == 0 and self.zero_shown:
            return False
        return (self.first is None or self.first <= count) and count <= self.last

    def __str__(self) -> str:
        """The words of a rule."""
        if self.first is not None:
            return f"{self.first} to {self.last}"
        return f"below {self.last + 1} with zero {'shown' if self.zero_shown else 'hidden'}"

    @property
    def ends(self) -> list[int]:
        """Integers of which a noise before it keeps the range: beyond them all are hidden, or none."""
        return [self.last, *([0] if self.zero_shown else []), *([] if self.first is None else [self.first])]

    def of_tails(self, tails: Collection[str]) -> dict[str, Label]:
        """What becomes of lumped tails: `*` where all of one is hidden, itself where nothing of it is.

        >>> of_tails = Hidden(None, 4).of_tails({"< 0", "> 7", "< 9"})
        >>> sorted((tail, image.text) for tail, image in of_tails.items())
        [('< 0', '*'), ('> 7', '> 7')]
        """
        images = {}
        for tail in tails:
            side, end = tail.split()
            stays = int(end) >= self.last if side == ">" else self.first is not None and int(end) <= self.first
            if stays:
                images[tail] = label(tail)
            elif side == "<" and self.first is None and int(end) <= (0 if self.zero_shown else self.last + 1):
                images[tail] = HIDDEN
        return images


def hidden(keys: Mapping[str, Any], location: Location) -> Hidden:
    """What `from` and `to`, or `below` and `zero`, hide; a key that is left out is None.

    Raises:
        InputError: where neither is given as a whole, or both; where `from` is above `to`.

    """
    first, last, below, zero = (keys[key] for key in ("from", "to", "below", "zero"))
    pair = 'from = 1, to = 9, or below = 10, zero = "shown" (or "hidden")'
    if (below is None) == (first is None and last is None):
        problem = "nothing is hidden" if below is None else "`below` is given with `from` or `to`"
        raise InputError(problem, where=str(location), wanted=pair)
    if below is not None:
        if zero is None:
            tip = '"shown" publishes a count of nobody as 0, "hidden" as *'
            raise InputError("is 0 hidden, too?", where=str(location), wanted='zero = "shown" or "hidden"', tip=tip)
        return Hidden(None, below - 1, zero == "shown")
    if zero is not None:
        raise InputError("`zero` is given with `from`", where=str(location), wanted=pair, tip="`from = 0` hides 0")
    if first is None or last is None:
        raise InputError(f"`{'from' if first is None else 'to'}` is missing", where=str(location), wanted=pair)
    if first > last:
        raise InputError(f"from is {first}, above {last}", where=str(location), wanted="from ≤ to")
    return Hidden(first, last)


# --- round -----------------------------------------------------------------------------------------------------------


def midpoint(base: int, where: str) -> CountLaw:
    """⌈c/b⌉·b - ⌊b/2⌋ for c > 0, and 0 for 0: the middle of b(i-1)+1 … b·i.

    >>> [str(midpoint(6, "")(c).outcomes[0]) for c in (0, 1, 6, 7)]
    ['0', '3', '3', '9']
    """

    def law(count: int) -> Law:
        refuse_negative("midpoint", count, where)
        return Law.point(label(-(-count // base) * base - (base // 2 if count else 0)))

    return law


def random_round(base: int) -> CountLaw:
    """Unbiased: with r = c mod b, up to the next multiple with probability r/b, else down.

    >>> law = random_round(3)(17)
    >>> [(str(c), str(law.probability(c))) for c in law.outcomes]
    [('15', '1/3'), ('18', '2/3')]
    """

    def law(count: int) -> Law:
        rest = count % base
        return Law.from_integers({label(count - rest): base - rest, label(count - rest + base): rest}, base)

    return law


def top_code(at: int) -> CountLaw:
    """The count below `at`, else the mark `at+`."""
    return lambda count: Law.point(label(count) if count < at else label(f"{at}+"))


@dataclass(frozen=True)
class Band:
    """The counts from `first` to `last` (None: without end), which are rounded to multiples of `base`."""

    first: int
    last: int | None
    base: int


BAND = (
    Key("from", whole("a count", 1), "the first count of the band"),
    Key("to", whole("a count", 1), "the last one; left out in the last band, it has no end", None),
    Key("base", whole("a base", 1), "what its counts are rounded to"),
)


def _bands(domain: Domain, raw: Any, location: Location) -> tuple[Band, ...]:
    bands = []
    for inner in rows(raw, location, "a list of bands", "band", "a band such as { from = 1, to = 49, base = 5 }"):
        bands.append(Band(*values_of(inner, BAND, domain).values()))
        inner.done()
    for before, after in pairwise(bands):
        if before.last is None or after.first <= before.last:
            problem = f"the band from {after.first} begins before the one from {before.first} has ended"
            raise InputError(problem, where=str(location), wanted="bands in order that do not overlap")
    empty = next((band for band in bands if band.last is not None and band.last < band.first), None)
    if empty or not bands:
        problem = f"the band from {empty.first} to {empty.last} is empty" if empty else "there is no band"
        raise InputError(problem, where=str(location), wanted="bands such as { from = 1, to = 49, base = 5 }")
    return tuple(bands)


BANDS: Form[tuple[Band, ...]] = Form(_bands, list_schema(keys_schema(BAND), 1))


def by_bands(bands: Iterable[Band], ties: str | None, where: str) -> CountLaw:
    """The multiple of the base of a count's band that is next to it; 0 is a multiple of all."""
    bands = tuple(bands)

    def law(count: int) -> Law:
        band = next((b for b in bands if b.first <= count and (b.last is None or count <= b.last)), None)
        if band is None and count:
            tip = "leave out `to` of the last band, so that it has no end"
            raise InputError(f"the count {count} is in no band", where=where, wanted="a band for each count", tip=tip)
        return Law.point(label(rounded_to(Fraction(band.base), ties, Fraction(count), where) if band else 0))

    return law


def refuse_even(base: Fraction, ties: str | None, where: str) -> None:
    """Refuse an even base without `ties`: 5 is as far from 0 as from 10.

    Raises:
        InputError: with the tie.

    """
    if ties is None and base.denominator == 1 and base % 2 == 0:
        raise InputError(
            f"{base / 2} is as far from 0 as from {base}: which one does it become?",
            where=where,
            wanted='ties = "up", "down" or "even"',
            tip='offices mostly round halves up; Python and R round to even ("even")',
        )


# --- cell keys -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NoiseTable:
    """An office's p-table: the law of the noise of each count, from the count `first` on (0 or 1)."""

    first: int
    noise: tuple[Mapping[int, Fraction], ...]

    @property
    def last(self) -> int:
        """The largest count that has a law of its own."""
        return self.first + len(self.noise) - 1


BY_KEY = (
    Key("pcv", whole("a count", 0), "the count"),
    Key("ckey", whole("a key", 0), "the cell key"),
    Key("pvalue", whole("the noise"), "the noise of that count and key"),
)
BY_COUNT = (
    Key("i", whole("a count", 0), "the count"),
    Key("j", whole("a count", 0), "what it is published as"),
    Key("p", Form(lambda _, raw, location: probability(raw, str(location)), defined("probability")), "how probable"),
)
ROWS_OF_KEYS = "rows { pcv = 1, ckey = 0, pvalue = -1 }, or { i = 1, j = 0, p = 1/2 }"


def _noise_table(domain: Domain, raw: Any, location: Location) -> NoiseTable:
    """The laws that the rows of a p-table list."""
    if named_file(raw):  # the reader of a model file has put the rows of its files in their places
        tip = "a link, a bare text and standard input have no files: write the rows into the model"
        problem = f"this text points to the file {shorten(raw)}"
        raise InputError(problem, where=str(location), wanted="a model in a file beside it", tip=tip)
    cells: dict[int, dict[int, Any]] = {}
    by_key = False
    for number, inner in enumerate(rows(raw, location, f"a list of {ROWS_OF_KEYS}", "row", ROWS_OF_KEYS)):
        if not number:
            by_key = inner.one_of(("pcv", "i"), ROWS_OF_KEYS) == "pcv"
        count, column, value = values_of(inner, BY_KEY if by_key else BY_COUNT, domain).values()
        if column in cells.setdefault(count, {}):
            name = f"ckey = {column}" if by_key else f"j = {column}"
            raise InputError(f"{name} of the count {count} is given twice", where=str(inner.location), wanted="once")
        cells[count][column] = value
        inner.done()
    first = min(cells, default=0)
    if first > 1 or not cells:
        problem = f"the first count is {first}" if cells else "there is no row"
        raise InputError(problem, where=str(location), wanted="rows from the count 0 on, or from 1 on")
    gap = next((count for count in range(first, max(cells)) if count not in cells), None)
    if gap is not None:
        raise InputError(f"the count {gap} has no row", where=str(location), wanted="no gap between the counts")
    keys = len(cells[first])
    laws = []
    for count in sorted(cells):
        law = _shares(cells[count], keys, count, location) if by_key else _published(cells[count], count, location)
        negative = next((noise for noise, share in law.items() if share and count + noise < 0), None)
        if negative is not None:
            problem = f"the count {count} may be published as {count + negative}"
            raise InputError(problem, where=str(location), wanted="no published value below 0")
        laws.append(dict.fromkeys(law, Fraction(1, len(law))) if domain.positive else law)
    return NoiseTable(first, tuple(laws))


def _shares(noise_of: Mapping[int, int], keys: int, count: int, location: Location) -> dict[int, Fraction]:
    """The law of the noise, from the noise of each key: keys are uniform."""
    gap = next((key for key in range(keys) if key not in noise_of), None)
    if gap is not None or len(noise_of) != keys:
        problem = f"the count {count} has no row with ckey = {gap}"
        if gap is None:
            problem = f"the count {count} has {plural(len(noise_of), 'key')}, the first one {keys}"
        raise InputError(problem, where=str(location), wanted="the keys 0, 1, … for each count, without a gap")
    law: dict[int, Fraction] = {}
    for noise in noise_of.values():
        law[noise] = law.get(noise, Fraction(0)) + Fraction(1, keys)
    return law


def _published(chances: Mapping[int, Fraction], count: int, location: Location) -> dict[int, Fraction]:
    """The law of the noise, from that of the published value."""
    refuse_other_sum(sum(chances.values(), Fraction(0)), f"the probabilities of i = {count}", str(location))
    return {published - count: chance for published, chance in chances.items()}


P_TABLE: Form[NoiseTable] = Form(
    _noise_table, {"anyOf": [list_schema(keys_schema(BY_KEY), 1), list_schema(keys_schema(BY_COUNT), 1), FILE_SCHEMA]}
)


def cell_key(table: NoiseTable, reused: int | None, where: str) -> CountLaw:
    """The count plus the noise of its row; keys are uniform and nobody knows them.

    Counts above the last row use that row; with `reused` the rows from there on, again and again. A table that begins
    at 1 leaves 0 as it is.

    >>> half = Fraction(1, 2)
    >>> law = cell_key(NoiseTable(1, ({0: half, 1: half}, {-1: Fraction(1)})), None, "")
    >>> [[str(output) for output in law(count).outcomes] for count in (0, 1, 2, 9)]
    [['0'], ['1', '2'], ['1'], ['8']]

    Raises:
        InputError: for a row that is reused and is none.

    """
    if reused is not None and not table.first <= reused <= table.last:
        raise InputError(
            f"there is no row for the count {reused}", where=where, wanted=f"{table.first} to {table.last}"
        )

    def law(count: int) -> Law:
        refuse_negative("cell-key", count, where)
        row = count
        if count > table.last:
            row = table.last if reused is None else reused + (count - reused) % (table.last - reused + 1)
        if row < table.first:
            return Law.point(label(count))
        noise = table.noise[row - table.first]
        return Law.from_fractions({label(count + d): share for d, share in noise.items()})

    return law
