"""Steps behind a mechanism (`then = [ … ]`): channels on its outputs, by rows or by kinds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import ceil, floor, prod
from typing import Any

from verifier.errors import InputError, LimitError
from verifier.model.amounts import KEEP, RATIO
from verifier.model.arithmetic import MARK, TIES, clamped, on_numbers, remainder, rounded
from verifier.model.composition import listed as list_of
from verifier.model.field_words import hint_of
from verifier.model.forms import (
    LABEL,
    OTHERWISE,
    OUTPUT,
    RATIONAL,
    Domain,
    Key,
    Kind,
    Place,
    names,
    values_of,
    whole,
)
from verifier.model.keys import Keys, Location, listed, meant, string
from verifier.model.mechanism import ANYTHING, NOISY, Mechanism, Range, among, lists, refuse_others
from verifier.model.publication import (
    BANDS,
    COUNTS,
    P_TABLE,
    Band,
    CountLaw,
    NoiseTable,
    by_bands,
    cell_key,
    hidden,
    midpoint,
    on_counts,
    random_round,
    refuse_even,
    top_code,
)
from verifier.numbers import plural, shorten
from verifier.tables import NO_ANSWER, Label, Law, label, product
from verifier.tables.law import INTEGER, half_line, splits

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


def rows_step(rows: Mapping[Label, Law], otherwise: Law | None, where: str, tails: Collection[str]) -> Step:
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
                f'kind = "randomized-response" cannot take the output {outcome}',
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
    integers = [integer(outcome, where) for outcome in inputs if not MARK.fullmatch(outcome.text)]
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
        if MARK.fullmatch(outcome.text):
            return Law.point(outcome)
        at = integer(outcome, where)
        # the weights over (c + a)·c^width, with p = a/c
        power = [a**k * c ** (width - k) for k in range(width + 1)]
        table = {label(k): (c - a) * power[abs(k - at)] for k in range(low, high + 1)}
        table[half_line("<", low)] = c * power[at - low + 1]
        table[half_line(">", high)] = c * power[high - at + 1]
        return Law.from_integers(table, (c + a) * c**width)

    def check(outcome: Label) -> None:
        if not MARK.fullmatch(outcome.text):
            integer(outcome, where)

    return Step("geometric-noise", channel, check, NOISY, frozenset({f"< {low}", f"> {high}"}), p)


def noise_step(p: Fraction, inputs: Iterable[Label], named: Iterable[Label], where: str) -> Step:
    """Two-sided geometric noise on integers, or on each entry of lists of integers, independently.

    On a list, each entry has the noise of `geometric_step` with a range and tails of its own: so a histogram has the
    same laws as `all` of its counts, each with the noise.

    >>> noise = noise_step(Fraction(1, 2), [label([0, 1]), label([1, 0])], [], "")
    >>> law = noise.law(label([0, 1]))
    >>> law.probability(label([0, 1])), law.probability(label(["< 0", 1])), len(law.outcomes)
    (Fraction(1, 9), Fraction(1, 9), 16)
    """
    inputs, named = list(inputs), list(named)
    entries = [outcome.entries for outcome in inputs]
    length = len(entries[0]) if entries and entries[0] else 0
    if not length:
        return geometric_step(p, inputs, named, where)
    unlike = next((outcome for outcome, given in zip(inputs, entries, strict=True) if len(given or ()) != length), None)
    if unlike is not None:
        raise _no_integers(unlike, where)
    lists_named = [given for given in (outcome.entries for outcome in named) if given and len(given) == length]
    columns = zip(*(given for given in entries if given), strict=True)
    parts = [
        geometric_step(p, dict.fromkeys(column), [given[k] for given in lists_named], where)
        for k, column in enumerate(columns)
    ]
    lengths = [len(part.law(entry).outcomes) for part, entry in zip(parts, entries[0] or (), strict=True)]
    if prod(lengths) > MAX_LAW:
        raise LimitError(
            f"geometric noise on a list of {plural(length, 'integer')} has {prod(lengths):,} outputs",
            where=where,
            wanted=f"at most {MAX_LAW:,}",
            tip="use fewer records or fewer counts",
        )

    def check(outcome: Label) -> None:
        for part, entry in zip(parts, outcome.entries or (), strict=True):
            part.check(entry)

    def channel(outcome: Label) -> Law:
        return product([part.law(e) for part, e in zip(parts, outcome.entries or (), strict=True)], list_of)

    tails = frozenset(tail for part in parts for tail in part.tails or ())
    return Step("geometric-noise on each entry", channel, check, lists([NOISY] * length), tails)


def integer(outcome: Label, where: str) -> int:
    """The integer that a label spells.

    Raises:
        InputError: for any other label, which geometric noise does not take.

    """
    if INTEGER.fullmatch(outcome.text):
        return int(outcome.text)
    raise _no_integers(outcome, where)


def _no_integers(outcome: Label, where: str) -> InputError:
    """The refusal of an output that geometric noise does not take."""
    return InputError(
        f'kind = "geometric-noise" cannot take the output {outcome}',
        where=where,
        wanted=f'integers, or lists of integers of one length (and "{NO_ANSWER}", which passes through)',
        tip="put it after a count, a histogram or a sum of integers; noise after noise is not supported",
    )


# --- reading ---------------------------------------------------------------------------------------------------------


INPUT_ROW = (Key("input", LABEL, "an output of the mechanism before the step"), OUTPUT)
"""The keys of a row of a step."""


def follow(
    mechanism: Mechanism,
    steps: list[Any],
    domain: Domain,
    location: Location,
    up_to: Callable[[int], Mechanism],
    kinds: Container[str],
    program: Callable[[Keys], tuple[str, Channel]],
) -> Mechanism:
    """The mechanism followed by the steps of `then`; each step is checked on every output that can reach it.

    `up_to(k)` makes the mechanism before step k with every probability positive; `kinds` are the kinds of mechanisms,
    which are no steps; `program` reads a step that is a function of the output, as its title and its channel.

    Raises:
        InputError: for a step that is none, or does not take an output of the mechanism before it.
        LimitError: for a step that is too large.

    """
    for number, raw in enumerate(steps, start=1):
        at = location.at(f"then, step {number}", "then", number - 1)
        keys = Keys({"program": raw} if callable(raw) else raw, at, "a step")
        which = keys.one_of(_ways(keys.left.get("kind")), "a step is a list of rows, a kind or a program")
        if which == "program":
            step = function_step(*program(keys), mechanism, str(at))
        elif which != "kind":
            step = _step_rows(keys, which, domain, mechanism, partial(up_to, number))
        else:
            kind = keys.read("kind", string, "the name of a kind")
            if kind not in STEPS:
                raise InputError(
                    f"the kind {shorten(kind)} is not a step",
                    where=str(at.at("kind")),
                    wanted=f"rows, or one of {', '.join(STEPS)}",
                    tip="this is a mechanism: it stands before `then`" if kind in kinds else _step_tip(kind),
                )
            later = enumerate(steps[number:], start=number + 1)
            named = [
                label
                for k, after in later
                for label in _named_inputs(after, domain, location.at(f"then, step {k}", "then", k - 1))
            ]
            named += domain.named if number == len(steps) else ()
            step = STEPS[kind].read(keys, Place(domain, at), mechanism, named)
        keys.done()
        _check_inputs(mechanism, step)
        tails = mechanism.tails if step.tails is None else step.tails
        outputs = mechanism.codomain and step.outputs
        mechanism = replace(mechanism.then(step.law, step.title, step.noise, outputs), tails=tails)
    return mechanism


def _ways(kind: object) -> list[str]:
    """The keys of which a step has exactly one, but for those that its kind has itself, such as the table of keys."""
    own = {key.name for key in STEPS[kind].keys} if isinstance(kind, str) and kind in STEPS else set[str]()
    return [way for way in ("rows", "table", "kind", "program") if way not in own]


def _check_inputs(mechanism: Mechanism, step: Step) -> None:
    """Refuse outputs that the step does not take; where they are many, only when one is reached."""
    for outcome in mechanism.listed_outputs or ():
        step.check(outcome)


def _named_inputs(step: object, domain: Domain, location: Location) -> list[Label]:
    """The inputs that the rows of a later step name; what is wrong with them is said when it is read."""
    if isinstance(step, dict) and step.get("kind") == "clamp":  # noise before it has its tails beyond both ends
        ends = [RATIONAL.read(domain, step[end], location.at(end)) for end in ("low", "high") if end in step]
        return [label(integral) for end in ends for integral in (floor(end), ceil(end))]
    if isinstance(step, dict) and step.get("kind") == "hide":
        given = {key.name: key.read(Keys(step, location), domain) for key in HIDE}
        return [label(end) for end in hidden(given, location).ends]
    raw = (step.get("rows") or step.get("table")) if isinstance(step, dict) else None
    rows = enumerate(raw if isinstance(raw, list | tuple) else (), start=1)
    return [
        domain.label(row["input"], location.at(f"row {k}", "rows", k - 1).at("input"))
        for k, row in rows
        if isinstance(row, dict) and "input" in row
    ]


def _step_tip(kind: str) -> str:
    """Return what an unknown step may mean: a word of the field, or a misspelt kind."""
    return (
        hint_of(kind, "mechanism")
        or meant(kind, STEPS)
        or "help(pk.build) says what each does; `rows` can be any channel"
    )


def _step_rows(keys: Keys, which: str, domain: Domain, before: Mechanism, positive: Callable[[], Mechanism]) -> Step:
    rows: dict[Label, Law] = {}
    places: dict[Label, Location] = {}
    for number, row in enumerate(keys.read(which, listed, "a list of rows"), start=1):
        row_at = keys.location.at(f"row {number}", which, number - 1)
        inner = Keys(row, row_at, 'a row such as { input = "3", output = "many" }')
        outcome, law = values_of(inner, INPUT_ROW, domain).values()
        if outcome in rows:
            raise InputError(f"the input {outcome} is given twice", where=str(row_at), wanted="one row an input")
        rows[outcome], places[outcome] = law, row_at.at("input")
        inner.done()
    if not domain.positive:
        refuse_others(places, before, positive, "the mechanism before it")
    return rows_step(rows, OTHERWISE.read(keys, domain), str(keys.location), before.tails)


def _response(place: Place, before: Mechanism, _named: list[Label], keep: Fraction) -> Step:
    refuse_tails(before, "randomized response", str(place.location))
    return response_step(place.domain.values, keep, str(place.location))


def refuse_tails(before: Mechanism, what: str, where: str) -> None:
    """Refuse a step that cannot take the lumped tails of noise.

    Raises:
        InputError: where the mechanism before it has some.

    """
    if before.tails:
        raise InputError(
            f"{what} comes after geometric noise",
            where=where,
            wanted="a step of rows between them, or one that makes the noise finite",
            tip='{ kind = "clamp", low = 0, high = 10 }',
        )


def function_step(title: str, law: Channel, before: Mechanism, where: str) -> Step:
    """A function of the output: each output that reaches the step has its law made once."""
    refuse_tails(before, title, where)
    known: dict[Label, Law] = {}

    def channel(outcome: Label) -> Law:
        if outcome not in known:
            known[outcome] = law(outcome)
        return known[outcome]

    return Step(title, channel, channel, ANYTHING, frozenset())


def _clamp(place: Place, before: Mechanism, _named: list[Label], low: Fraction, high: Fraction) -> Step:
    at = str(place.location)
    if low > high:
        raise InputError(f"low is {shorten(low)}, above {shorten(high)}", where=at, wanted="low ≤ high")
    law = on_numbers("clamp", clamped(low, high, before.tails), at)
    return Step(f"clamp to {low} … {high}", law, law, ANYTHING, frozenset())


def _mod(place: Place, before: Mechanism, _named: list[Label], base: Fraction) -> Step:
    refuse_tails(before, "mod", str(place.location))
    law = on_numbers("mod", remainder(base), str(place.location))
    return Step(f"mod {base}", law, law, ANYTHING, frozenset())


def _round(place: Place, before: Mechanism, _named: list[Label], base: Fraction, ties: str | None) -> Step:
    refuse_tails(before, "round", str(place.location))
    refuse_even(base, ties, str(place.location))
    law = on_numbers("round", rounded(base, ties, str(place.location)), str(place.location))
    return Step(f"round to multiples of {base}", law, law, ANYTHING, frozenset())


def _published(kind: str, words: str, law: CountLaw, place: Place, before: Mechanism) -> Step:
    """A step of a rule for counts, on an integer or on each entry of a list."""
    refuse_tails(before, kind, str(place.location))
    channel = on_counts(kind, law, str(place.location))
    return Step(words, channel, channel, COUNTS, frozenset())


def _hide(place: Place, before: Mechanism, _named: list[Label], **keys: Any) -> Step:
    """Hide some integers; of a noise before it each tail is hidden as a whole, or stays."""
    which = hidden(keys, place.location)
    images = which.of_tails(before.tails)
    for tail in sorted(before.tails - images.keys()):
        raise InputError(
            f"a part of the lumped tail {tail} of the noise would be hidden",
            where=str(place.location),
            wanted="a tail that is hidden as a whole, or not at all",
            tip="inside `all`, put the step into the part that has the noise; there it widens its range",
        )
    channel = on_counts("hide", which, str(place.location), images)
    stay = frozenset(tail for tail, image in images.items() if image.text == tail)
    return Step(f"hide {which}", channel, channel, COUNTS, stay)


def _midpoint(place: Place, before: Mechanism, _named: list[Label], base: int) -> Step:
    return _published("midpoint", f"midpoint {base}", midpoint(base, str(place.location)), place, before)


def _random_round(place: Place, before: Mechanism, _named: list[Label], base: int) -> Step:
    return _published("random-round", f"random rounding to base {base}", random_round(base), place, before)


def _cell_key(
    place: Place, before: Mechanism, _named: list[Label], table: NoiseTable, rows_reused_from: int | None
) -> Step:
    law = cell_key(table, rows_reused_from, str(place.location))
    return _published("cell-key", "cell keys", law, place, before)


def _top_code(place: Place, before: Mechanism, _named: list[Label], at: int) -> Step:
    return _published("top-code", f"top-code at {at}", top_code(at), place, before)


def _by_bands(place: Place, before: Mechanism, _named: list[Label], bands: tuple[Band, ...], ties: str | None) -> Step:
    for band in bands:
        refuse_even(Fraction(band.base), ties, str(place.location))
    return _published("bands", "round by bands", by_bands(bands, ties, str(place.location)), place, before)


def _noise(place: Place, before: Mechanism, named: list[Label], p: Fraction) -> Step:
    at = str(place.location)
    try:
        inputs = before.outputs()
    except LimitError as error:
        raise error.within(at) from None
    return noise_step(p, inputs, named, at)


ON_TIES = Key(
    "ties",
    names(*TIES),
    "of two that are equally near the larger, the smaller, or the even one; an even base needs it",
    None,
)
HIDE = (
    Key("from", whole("a count"), "the smallest count that is hidden, with `to`", None),
    Key("to", whole("a count"), "the largest count that is hidden", None),
    Key("below", whole("a count", 1), "instead: all counts below this are hidden", None),
    Key("zero", names("shown", "hidden"), "whether 0 is; `below` needs it", None),
)
BASE = Key("base", whole("a base", 1), "the base")
MARKS = "; marks (`*`, `⊥`, `15+`) as they are"
POSITIVE = RATIONAL.where(lambda number: number > 0, "a number above 0")
STEPS = {
    kind.name: kind
    for kind in (
        Kind(
            "randomized-response",
            "randomized response",
            "a value, or each entry of a list of values, kept ({keep}) or else uniform over the values",
            _response,
            (KEEP,),
            lambda _values, _size: {"keep": "1/2"},
        ),
        Kind(
            "geometric-noise",
            "add geometric noise",
            "an integer plus X, P[X = k] = (1 - p)/(1 + p)·p^abs(k) (DMKB20, Definition 19), or each integer of a list "
            "plus an X of its own; `⊥` as it is",
            _noise,
            (RATIO,),
            lambda _values, _size: {"p": "1/2"},
        ),
        Kind(
            "clamp",
            "clamp a number",
            "the number from {low} to {high} that is next to it, of a number or of each number of a list; `⊥` as it is",
            _clamp,
            (Key("low", RATIONAL, "the smallest output"), Key("high", RATIONAL, "the largest output")),
            lambda _values, size: {"low": 0, "high": size},
        ),
        Kind(
            "mod",
            "a remainder",
            "x - {base}·⌊x/{base}⌋, of a number or of each number of a list; `⊥` as it is",
            _mod,
            (Key("base", POSITIVE, "the base"),),
            lambda _values, _size: {"base": 2},
        ),
        Kind(
            "round",
            "round a number",
            "the multiple of {base} that is next to it, of a number or of each number of a list; `⊥` as it is",
            _round,
            (
                Key("base", POSITIVE, "what the output is a multiple of"),
                ON_TIES,
            ),
            lambda _values, _size: {"base": 5},
        ),
        Kind(
            "hide",
            "hide small counts",
            "`*` for a count from {from} to {to}, or below {below} (0 stays if {zero} is `shown`); else the count; of "
            "an integer, or of each of a list" + MARKS,
            _hide,
            HIDE,
            lambda _values, _size: {"from": 1, "to": 2},
        ),
        Kind(
            "midpoint",
            "round to midpoints",
            "⌈c/{base}⌉·{base} - ⌊{base}/2⌋ for a count c > 0, and 0 for 0" + MARKS,
            _midpoint,
            (BASE,),
            lambda _values, _size: {"base": 6},
        ),
        Kind(
            "random-round",
            "round at random, without bias",
            "with r = c mod {base}: c - r + {base} with probability r/{base}, else c - r" + MARKS,
            _random_round,
            (BASE,),
            lambda _values, _size: {"base": 3},
        ),
        Kind(
            "cell-key",
            "add noise by cell keys",
            "the count plus the noise of its row in a p-table, with uniform keys that nobody knows; above the last row "
            "that row; 0 stays where the table begins at 1" + MARKS,
            _cell_key,
            (
                Key(
                    "table",
                    P_TABLE,
                    "the p-table: rows { pcv, ckey, pvalue } (the noise of a count and a key), or { i, j, p } (count i "
                    "is published as j with probability p), or a CSV file with these columns",
                ),
                Key(
                    "rows-reused-from",
                    whole("a count", 0),
                    "counts above the last row L use the rows from this f to L in turn: f + (c - f) mod (L - f + 1)",
                    None,
                ),
            ),
            lambda _values, _size: {"table": [{"i": 0, "j": 0, "p": "1"}, {"i": 1, "j": 1, "p": "1"}]},
        ),
        Kind(
            "top-code",
            "top-code large counts",
            "the mark `15+` for a count of at least {at} (here 15), else the count" + MARKS,
            _top_code,
            (Key("at", whole("a count", 1), "the smallest count that is marked"),),
            lambda _values, _size: {"at": 2},
        ),
        Kind(
            "bands",
            "round by bands",
            "the multiple of the base of its band that is next to the count; 0 for 0; a count in no band is refused"
            + MARKS,
            _by_bands,
            (Key("bands", BANDS, "bands { from, to, base } in order; the last may have no `to`"), ON_TIES),
            lambda _values, _size: {"bands": [{"from": 1, "base": 5}]},
        ),
    )
}
"""The kinds of steps, by their names in files."""
