"""Rules under which counts are published: steps that take an integer, steps in words, and rules by their keys.

A step is a function of the count: what it becomes, a label or a law. What is hidden, or top-coded, stays as it is.
`STEPS_OF_RULES` is the table of steps, `WORDS` that of the words for them, `NAMED` that of the keys.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from .numbers import BeyondLimits, Label, Law, Wrong, as_law, certain, entries, is_list, joined, law_of, rational

if TYPE_CHECKING:  # a mechanism makes its steps
    from .mechanisms import Spec
    from .steps import Step

HIDDEN = "*"
PASSED = re.compile(r"⊥|\*|[0-9]+\+")
"""What every step on numbers leaves as it is: nothing was answered, or it is hidden or top-coded."""
TAIL = re.compile(r"([<>]) (-?[0-9]+)")
"""The integers beyond a bound, in a tail of noise."""
BY_KEY, BY_COUNT = ("pcv", "ckey", "pvalue"), ("i", "j", "p")
"""The columns of the two forms of p-tables."""
Change = Callable[["Step", Any], "Label | int | Fraction | Law"]


def integer(spec: Spec, name: str, least: int | None = None) -> int:
    """An integer of a step, or of a table."""
    value = spec.get(name)
    if type(value) is not int or (least is not None and value < least):
        raise Wrong(f"{name} is {str(value)[:30]}", expected=f"an integer{'' if least is None else f' from {least}'}")
    return value


def of_numbers(change: Change, whole: bool = True) -> Callable[[Step, Label], Law]:
    """A step on a number, or on each entry of a list. What is hidden or top-coded stays; few steps take a tail."""

    def law(step: Step, output: Label) -> Law:
        if is_list(output):
            return joined([step.law(entry) for entry in entries(output)])
        if PASSED.fullmatch(output):
            return certain(output)
        kind, number = step.spec["kind"], exact(output)
        if tail := TAIL.fullmatch(output):
            became = BEYOND[kind](step, tail[1], int(tail[2])) if kind in BEYOND else None
            if became is None:
                raise BeyondLimits(f"a step {kind} is given the tail {output}")
            return certain(became)
        if number is None or (whole and number.denominator > 1):
            raise Wrong(f"a step {kind} is given {output}, which is no {'count' if whole else 'number'}")
        return as_law(change(step, int(number) if whole else number))

    return law


def exact(text: Label) -> Fraction | None:
    """The number whose text this is, in lowest terms."""
    if re.fullmatch(r"-?[0-9]+(/[1-9][0-9]*)?", text) and str(Fraction(text)) == text:
        return Fraction(text)
    return None


# --- steps ------------------------------------------------------------------------------------------------------------


def _is_hidden(spec: Spec, count: int) -> bool:
    if "below" not in spec:
        low, high = integer(spec, "from"), integer(spec, "to")
        if low > high or "zero" in spec:
            raise Wrong(f"hide from {low} to {high}", expected="from ≤ to, and `zero` with `below` alone")
        return low <= count <= high
    below, zero = integer(spec, "below", 1), spec.get("zero")
    if {"from", "to"} & set(spec) or zero not in ("shown", "hidden"):
        raise Wrong(f"hide below {below} with zero {str(zero)[:30]}", expected="shown or hidden, and no other ends")
    return count < below and not (count == 0 and zero == "shown")


def _shown(step: Step, count: int) -> Label | int:
    return HIDDEN if _is_hidden(step.spec, count) else count


def hidden_ends(spec: Spec) -> list[int]:
    """The integers where hiding begins and ends, and those beside: noise before it keeps them apart from its tails."""
    if "below" not in spec:
        low, high = integer(spec, "from"), integer(spec, "to")
        return [low - 1, low, high, high + 1]
    below = integer(spec, "below", 1)
    return [below - 1, below, *((-1, 0, 1) if spec.get("zero") == "shown" else ())]


def _hidden_beyond(step: Step, side: str, bound: int) -> Label | None:
    """What hiding makes of a tail, all of which is hidden, or none."""
    near = {bound + (1 if side == ">" else -1), *hidden_ends(step.spec)}
    hidden = {_is_hidden(step.spec, c) for c in near if (c > bound if side == ">" else c < bound)}
    return None if len(hidden) > 1 else HIDDEN if hidden.pop() else f"{side} {bound}"


def _clamped(step: Step, x: Fraction) -> Fraction:
    low, high = (rational(step.spec[end]) for end in ("low", "high"))
    if low > high:
        raise Wrong(f"clamp from {low} to {high}")
    return max(low, min(high, x))


def _clamped_beyond(step: Step, side: str, bound: int) -> Fraction | None:
    """One end of the clamp, where all of a tail lies beyond it."""
    nearest_one = Fraction(bound + (1 if side == ">" else -1))
    end = rational(step.spec["high" if side == ">" else "low"])
    beyond = nearest_one >= end if side == ">" else nearest_one <= end
    return _clamped(step, nearest_one) if beyond else None


BEYOND: dict[str, Callable[[Step, str, int], Label | Fraction | None]] = {
    "hide": _hidden_beyond,
    "clamp": _clamped_beyond,
}
"""What a kind of step makes of a tail of noise; None where that is not one thing."""


def nearest(x: Fraction, base: Fraction, ties: object) -> Fraction:
    """The nearest multiple of a base; what lies halfway needs a word."""
    if ties not in (None, "up", "down", "even") or base <= 0:
        raise Wrong(f"round to base {base} with ties {str(ties)[:30]}", expected="a base above 0; up, down or even")
    below = x // base
    twice = 2 * (x - below * base)
    if ties is None and (twice == base or (base.denominator == 1 and base.numerator % 2 == 0)):
        raise Wrong(f"round to base {base} has no word for ties", expected='ties = "up", "down" or "even"')
    return base * (below + (twice > base or (twice == base and (ties == "up" or (ties == "even" and below % 2 == 1)))))


def _nearest(step: Step, x: Fraction) -> Fraction:
    return nearest(x, rational(step.spec["base"]), step.spec.get("ties"))


def _modulo(step: Step, x: Fraction) -> Fraction:
    return x % rational(step.spec["base"])


def _midpoint(step: Step, count: int) -> int:
    """⌈c/b⌉·b - ⌊b/2⌋, and 0 stays."""
    base = integer(step.spec, "base", 1)
    return -(-count // base) * base - base // 2 if _not_negative(step, count) else 0


def _not_negative(step: Step, count: int) -> int:
    if count < 0:
        raise Wrong(f"a step {step.spec['kind']} is given {count}", expected="a count from 0")
    return count


def _random_round(step: Step, count: int) -> Law:
    base = integer(step.spec, "base", 1)
    over = count % base
    return Law({str(count - over): base - over, str(count - over + base): over}, base)


def _top_coded(step: Step, count: int) -> Label:
    top = integer(step.spec, "at", 1)
    return str(count) if count < top else f"{top}+"


def _banded(step: Step, count: int) -> int:
    """0 stays; the nearest multiple of the base of the band that has the count."""
    bands, ties, before = step.spec["bands"], step.spec.get("ties"), 0
    found = None if _not_negative(step, count) else 0
    for n, band in enumerate(bands, 1):
        low, base = integer(band, "from", before + 1), Fraction(integer(band, "base", 1))
        nearest(Fraction(0), base, ties)  # an even base needs a word in any band
        before = max(low, count) if n == len(bands) and "to" not in band else integer(band, "to", low)
        if low <= count <= before:
            found = int(nearest(Fraction(count), base, ties))
    if found is None:
        raise Wrong(f"no band has the count {count}")
    return found


def _cell_key(step: Step, count: int) -> Law:
    """Noise by the count, from a table; keys are uniform, so that each one of a count has the same probability."""
    noise: dict[int, Law] = step.mechanism.once(f"keys of {id(step)}", lambda: noise_of_keys(step.spec["table"]))
    first, last = min(noise), max(noise)
    if _not_negative(step, count) < first:
        return certain(count)
    at = min(count, last)
    if "rows-reused-from" in step.spec:
        again = integer(step.spec, "rows-reused-from", first)
        if again > last:
            raise Wrong(f"rows are reused from {again}, and the table ends at {last}")
        at = count if count <= last else again + (count - again) % (last - again + 1)
    if any(count + d < 0 for d in noise[at].counts):
        raise Wrong(f"a cell key publishes {count} as {count + min(noise[at].counts)}")
    return noise[at].image(lambda d: str(count + d))


def noise_of_keys(rows: Sequence[Spec]) -> dict[int, Law]:
    """The law of the noise of each count, of rows `pcv, ckey, pvalue` or `i, j, p`."""
    chances: dict[int, dict[int, Fraction]] = defaultdict(dict)
    by_key = set(rows[0]) == set(BY_KEY)
    columns = BY_KEY if by_key else BY_COUNT
    for row in rows:
        if set(row) != set(columns):
            raise Wrong(f"a p-table has the row {dict(row)}", expected=f"the columns {', '.join(columns)}")
        count, name, value = (rational(row[each]) for each in columns)
        if any(x.denominator > 1 for x in (count, name, *([value] if by_key else []))) or name in chances[int(count)]:
            raise Wrong(f"a p-table has the row {dict(row)}", expected="integers, and each pair once")
        chances[int(count)][int(name)] = value
    if sorted(chances) not in (list(range(max(chances) + 1)), list(range(1, max(chances) + 1))):
        raise Wrong("a p-table has a gap, or begins at another count than 0 or 1")
    if not by_key:
        return {i: law_of({j - i: p for j, p in row.items()}) for i, row in chances.items()}
    keys = max(len(row) for row in chances.values())
    if any(set(row) != set(range(keys)) for row in chances.values()):
        raise Wrong("a p-table lacks a key", expected=f"the keys 0 to {keys - 1} for each count")
    return {count: Law(Counter(map(int, row.values())), keys) for count, row in chances.items()}


_COUNTS: dict[str, tuple[Change, frozenset[str]]] = {
    "hide": (_shown, frozenset({"from", "to", "below", "zero"})),
    "midpoint": (_midpoint, frozenset({"base"})),
    "random-round": (_random_round, frozenset({"base"})),
    "cell-key": (_cell_key, frozenset({"table", "rows-reused-from"})),
    "top-code": (_top_coded, frozenset({"at"})),
    "bands": (_banded, frozenset({"bands", "ties"})),
}
STEPS_OF_RULES: dict[str, tuple[Callable[[Step, Label], Law], frozenset[str]]] = {
    **{name: (of_numbers(change), keys) for name, (change, keys) in _COUNTS.items()},
    "clamp": (of_numbers(_clamped, whole=False), frozenset({"low", "high"})),
    "mod": (of_numbers(_modulo, whole=False), frozenset({"base"})),
    "round": (of_numbers(_nearest, whole=False), frozenset({"base", "ties"})),
}


# --- in words ---------------------------------------------------------------------------------------------------------


def _below(k: str, zero: str | None) -> Spec:
    return {"kind": "hide", "below": int(k), "zero": zero or "hidden"}


def _rounded(base: str, ties: str | None) -> Spec:
    return {"kind": "round", "base": base, **({"ties": ties} if ties else {})}


def _in_bands(bands: str, ties: str | None) -> Spec:
    rows = []
    for band in bands.split():
        ends, base = band.split(":")
        low, high = ends.removesuffix("+").partition("-")[::2]
        rows.append({"from": int(low), **({"to": int(high)} if high else {}), "base": int(base)})
    return {"kind": "bands", "bands": rows, **({"ties": ties} if ties else {})}


_N, _RATIO, _BAND = r"([0-9]{1,18})", r"([0-9]{1,18}(?:/[0-9]{1,18}|\.[0-9]{1,18})?)", "[0-9]+(?:-[0-9]+|[+]):[0-9]+"
_HALVES = r"(?: halves (up|down|even))?"
WORDS: dict[str, Callable[..., Spec]] = {
    f"hide {_N} to {_N}": lambda low, high: {"kind": "hide", "from": int(low), "to": int(high)},
    f"hide below {_N}(?:,? (?:with )?zero (shown|hidden))?": _below,
    f"round to base {_RATIO}{_HALVES}": _rounded,
    f"midpoint {_N}": lambda base: {"kind": "midpoint", "base": int(base)},
    f"random rounding to base {_N}": lambda base: {"kind": "random-round", "base": int(base)},
    f"top-code at {_N}": lambda top: {"kind": "top-code", "at": int(top)},
    f"bands ({_BAND}(?: {_BAND})*){_HALVES}": _in_bands,
    f"geometric noise {_RATIO}": lambda p: {"kind": "geometric-noise", "p": p},
}
"""The words of a step, and the step that they are."""


def steps_in_words(text: str) -> list[Spec]:
    """The steps of a rule in words, joined by `, then `."""
    steps = []
    for words in " ".join(text.lower().split()).split(", then "):
        matches = ((re.fullmatch(pattern, words.strip()), make) for pattern, make in WORDS.items())
        step = next((make(*match.groups()) for match, make in matches if match), None)
        if step is None:
            raise Wrong(f"a rule has the words {words[:60]!r}", expected="steps in words, joined by `, then `")
        steps.append(step)
    return steps


class Named(NamedTuple):
    """A rule that has a key: its steps in words, its noise, and what it says of each table."""

    words: str = ""
    noise: str | None = None
    of_a_table: tuple[tuple[str, object], ...] = ()

    @property
    def steps(self) -> list[Spec]:
        """Its steps; a rule without words has none."""
        return steps_in_words(self.words) if self.words else []


NAMED: dict[str, Named] = {
    "hide-small": Named("hide 1 to 10"),
    "hide-small-and-zero": Named("hide 0 to 9"),
    "remainder-group": Named(of_a_table=(("remainder", 5),)),
    "hide-then-round": Named("hide 0 to 7, then round to base 5"),
    "ons-10-5": Named("hide 0 to 9, then round to base 5"),
    "hide-then-round-zero-shown": Named("hide 1 to 7, then round to base 5"),
    "round": Named("round to base 5"),
    "round-half-even": Named("round to base 5 halves even"),
    "midpoint": Named("midpoint 6"),
    "bands": Named("bands 1-49:5 50-249:25 250-499:50 500-999:100 halves up"),
    "random-round": Named("random rounding to base 3"),
    "fixed-random-round": Named("random rounding to base 3", "kept"),
    "secondary": Named("hide 1 to 5", of_a_table=(("secondary", "next-smallest"), ("up-to", 5))),
}
"""The rules by their keys, with the numbers of those who publish under them."""


def rule_of(spec: Spec) -> Named:
    """The rule that a mechanism names by its key, or has in words."""
    text = spec["rule"]
    if not isinstance(text, str) or not text:
        raise Wrong(f"rule is {str(text)[:60]}", expected="a key, or steps in words")
    return NAMED.get(text) or Named(text)
