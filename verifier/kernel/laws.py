"""Labels with their texts, and laws: tables of integers over one total, which is checked to be their sum."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from .numbers import Wrong, afford, afford_product, rational

Label = str
MOST_LEVELS = 100


# --- labels -----------------------------------------------------------------------------------------------------------


def is_integer(text: str) -> bool:
    """Whether a text is the text of an integer: `7`, not `07`, `+7` or `-0`."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and (digits == "0" or digits[0] != "0") and text != "-0"


@lru_cache(1 << 16)
def is_list(text: str) -> bool:
    """Whether a label is a list of labels: `[1,0]` is, `[a` is a text."""
    try:
        return text.startswith("[") and label(json.loads(text, parse_float=_no_label, parse_constant=_no_label)) == text
    except (ValueError, Wrong, RecursionError):
        return False


def stands_bare(text: str) -> bool:
    """Whether an entry of a list is written without quotation marks."""
    return is_integer(text) or text in ("true", "false") or is_list(text)


@lru_cache(1 << 16)
def written(text: str) -> str:
    """An entry of a list as it is written in the list's text."""
    return text if stands_bare(text) else json.dumps(text, ensure_ascii=False)


def listed(texts: Iterable[str]) -> Label:
    """The text of a list of labels, whose texts these are."""
    return "[" + ",".join(map(written, texts)) + "]"


def label(value: object, levels: int = MOST_LEVELS) -> Label:
    """The text of a label; two labels are equal if and only if their texts are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Fraction):
        return str(value)
    if isinstance(value, list | tuple):
        if not levels:
            raise Wrong("a label with too many levels")
        return listed(label(entry, levels - 1) for entry in value)
    if not isinstance(value, str):
        raise Wrong(f"{value!r} is no label. Expected an integer, a text or a boolean.")
    if value.lstrip().startswith("["):
        try:
            return label(json.loads(value, parse_float=_no_label, parse_constant=_no_label), levels)
        except (ValueError, Wrong, RecursionError):
            return value
    return value


def _no_label(text: str) -> object:
    raise ValueError(text)


def entries(text: Label) -> list[Label]:
    """The labels in a list."""
    return [label(entry) for entry in json.loads(text)] if is_list(text) else [text]


def number(text: Label) -> Fraction:
    """The number that a value is."""
    return rational(text, "a value of a numeric mechanism")


def covers(event: Label, outcome: Label) -> bool:
    """Whether an output, or a tail of noise such as `> 7`, lies in an output or half-line; entry by entry in a list."""
    if event == outcome:
        return True
    if is_list(event) and is_list(outcome):
        one, other = entries(event), entries(outcome)
        return len(one) == len(other) and all(map(covers, one, other))
    side, bound = event[:2], event[2:]
    if side not in ("> ", "< ") or not is_integer(bound):
        return False
    if outcome[:2] == side and is_integer(outcome[2:]):
        return int(outcome[2:]) >= int(bound) if side == "> " else int(outcome[2:]) <= int(bound)
    return is_integer(outcome) and (int(outcome) > int(bound) if side == "> " else int(outcome) < int(bound))


def found(table: Mapping[Label, Any], outcome: Label) -> Any:
    """What a table from outputs says of one, exactly or as a part of a half-line; None where it says nothing."""
    if outcome in table:
        return table[outcome]
    return next((x for event, x in table.items() if event[:2] in ("> ", "< ", '["') and covers(event, outcome)), None)


def integers_in(value: object) -> Iterator[int]:
    """The integers among labels, in lists and tables too."""
    if isinstance(value, Mapping):
        for name, entry in value.items():
            yield from integers_in(name)
            yield from integers_in(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from integers_in(entry)
    elif isinstance(value, str | int):
        text = label(value)
        if is_list(text):
            yield from integers_in(entries(text))
        elif is_integer(text.removeprefix("> ").removeprefix("< ")) and len(text) < 10:
            yield int(text.removeprefix("> ").removeprefix("< "))


# --- laws -------------------------------------------------------------------------------------------------------------


class Measure:
    """Integer weights above 0 of labels, over a total that need not be their sum."""

    __slots__ = ("counts", "total")

    def __init__(self, counts: Mapping[Any, int], total: int) -> None:
        self.counts = {o: c for o, c in counts.items() if c}
        self.total = total

    def of(self, outcome: Any) -> Fraction:
        """P(outcome)."""
        return Fraction(self.counts.get(outcome, 0), self.total)

    def event(self, outcomes: Iterable[Label]) -> Fraction:
        """P(a set of outputs and half-lines). A tail of this law is one output; other half-lines are searched."""
        wanted = set(outcomes)
        if len(wanted) == 1 and wanted <= self.counts.keys():
            return self.of(*wanted)
        lines = [e for e in wanted if ("> " in e or "< " in e) and e not in self.counts]
        afford(len(lines) * len(self.counts), "the outputs in half-lines")
        hit = (c for o, c in self.counts.items() if o in wanted or (lines and any(covers(e, o) for e in lines)))
        return Fraction(sum(hit), self.total)

    def chances(self) -> dict[Any, Fraction]:
        """All labels with their probabilities."""
        return {o: Fraction(c, self.total) for o, c in self.counts.items()}


class Law(Measure):
    """A distribution of labels: the total is the sum, and no weight is below 0."""

    __slots__ = ()

    def __init__(self, counts: Mapping[Any, int], total: int) -> None:
        if sum(counts.values()) != total or not total or min(counts.values()) < 0:
            raise Wrong(
                f"a law has the sum {Fraction(sum(counts.values()), total or 1)} and not 1, or an entry below 0"
            )
        super().__init__(counts, total)

    def image(self, function: Callable[[Any], Any]) -> Law:
        """The law of a function of the label."""
        counts: dict[Any, int] = defaultdict(int)
        for o, c in self.counts.items():
            counts[function(o)] += c
        return Law(counts, self.total)


def certain(value: object) -> Law:
    """The law of one label."""
    return Law({label(value): 1}, 1)


def law_of(chances: Mapping[Any, Fraction]) -> Law:
    """The law with these probabilities."""
    if not chances:
        raise Wrong("a law has no entries")
    total = math.lcm(*(p.denominator for p in chances.values()))
    return Law({o: p.numerator * (total // p.denominator) for o, p in chances.items()}, total)


def mixed(parts: Iterable[tuple[Fraction, Law]]) -> Law:
    """Σ weight·law."""
    kept = [(w, x) for w, x in parts if w]
    if len(kept) == 1 and kept[0][0] == 1:
        return kept[0][1]
    total = math.lcm(*(w.denominator * x.total for w, x in kept))
    counts: dict[Any, int] = defaultdict(int)
    for w, x in kept:
        factor = total // (w.denominator * x.total) * w.numerator
        for o, c in x.counts.items():
            counts[o] += factor * c
    return Law(counts, total)


def joined(laws: Sequence[Law]) -> Law:
    """The law of the list of independent labels."""
    afford_product((len(x.counts) for x in laws), "the outputs of a list")
    counts: dict[str, int] = {"": 1}
    for x in laws:
        own = [(written(t), c) for t, c in x.counts.items()]
        counts = {f"{so_far},{t}" if so_far else t: p * c for so_far, p in counts.items() for t, c in own}
    return Law({f"[{o}]": c for o, c in counts.items()}, math.prod(x.total for x in laws))
