"""The random draws of a program, `rng.flip("1/3")` and its siblings: the exact law of each, shared by all readings.

| draw | result |
|---|---|
| `flip(p)` | True with probability p, else False |
| `choice({value: p, …})` | one of the values, each with its probability; of a list one, all alike |
| `uniform(values)` | one of a list, all alike |
| `randint(a, b)` | an integer from a to b, both ends included |
| `binomial(n, p)` | P[k] = C(n, k)·pᵏ·(1 − p)ⁿ⁻ᵏ |
| `permutation(values)` | a new list: the values in a random order |
| `sample(values, k)` | a new list: k of the values in a random order, each at most once |
| `geometric_noise(r)` | two-sided noise on the integers: P[k] = (1 − r)/(1 + r)·r^|k| |
| `geometric_noise(r, low, high)` | the same noise, clamped: max(low, min(high, noise)) |
| `exponential_mechanism(scores, base)` | the index of a score (of a table: its key), P ∝ base^score |

`shuffle`, `geometric`, `exponential` and `choose` are older names. A probability is an integer, a `Fraction`, or the
text of a fraction or decimal; with `[parameters]` it may be a function of them. The number of results of a draw is
known before any is made, and more than `MOST` are refused.

Every draw takes `seen_by="insider"`, a name or a list of names: who asks as this observer sees its result beside the
output. For everybody else the draw is as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dis import get_instructions
from fractions import Fraction
from functools import lru_cache
from inspect import signature
from math import comb, perm
from numbers import Integral
from types import CodeType, FrameType
from typing import Any, NamedTuple, Self, TypeAlias

from verifier.errors import InputError, LimitError, one_of
from verifier.numbers import Symbolic, cut, probability, rational, refuse_other_sum, shorten

MOST = 20_000
"""Most results of one draw."""
MOST_BITS = 1 << 26
"""Most bits of all results of one draw with their probabilities: eight million bytes."""
WORD = 64
"""The bits that an entry of a list counts."""
SHUFFLED = (
    'reports in random order say no more than how often each comes: kind = "shuffle" in the model file, or return '
    "sorted(reports)"
)
SEEN_BY = "seen_by"
"""The argument of every draw that names who sees its result beside the output."""

Weighted: TypeAlias = tuple[Any, Fraction]
"""A result of a draw and its probability."""


class Plan(NamedTuple):
    """A draw whose arguments were read: how many results it has, the bits of each, and the results."""

    results: int
    bits: int
    listed: Callable[[], Iterable[Weighted]]


@dataclass(frozen=True)
class Draw:
    """One of the draws: its name, how it is written, and the function that reads its arguments."""

    name: str
    usage: str
    plan: Callable[..., Plan]

    @property
    def place(self) -> str:
        """The draw as a place in a message."""
        return f"rng.{self.name}"

    def read(self, *args: object, **kwargs: object) -> Plan:
        """Read the arguments of a call.

        Raises:
            InputError: where they are not those of this draw.
            InexactError: for a floating-point number.

        """
        try:
            signature(self.plan).bind(*args, **kwargs)
        except TypeError as error:
            tip = "; ".join(filter(None, (READINGS.get(self.name), _SIZE if "size" in kwargs else "")))
            problem = f"the arguments do not fit: {error}"
            raise InputError(problem, where=self.place, wanted=f"rng.{self.usage}", tip=tip) from None
        return self.plan(*args, **kwargs)

    def width(self, *args: object, **kwargs: object) -> int:
        """How many results the draw has with these arguments; nothing is listed for it.

        >>> DRAWS["permutation"].width([1, 2, 3]), DRAWS["permutation"].width([1, 1, 2])
        (6, 3)
        """
        return self.read(*args, **kwargs).results

    def law(self, *args: object, **kwargs: object) -> list[Weighted]:
        """The results with their probabilities, those of probability 0 left out.

        >>> [(k, str(p)) for k, p in DRAWS["geometric_noise"].law("1/2", -1, 1)]
        [(-1, '1/3'), (0, '1/3'), (1, '1/3')]

        Raises:
            InputError: where the arguments are not those of this draw.
            LimitError: where it has more than `MOST` results, or their probabilities are too long.

        """
        plan = self.read(*args, **kwargs)
        if plan.results > MOST:
            raise LimitError(
                f"the draw has more than {MOST:,} results",
                where=self.place,
                wanted=f"at most {MOST:,}",
                tip=SHUFFLED if self.name == "permutation" else "draw less at once",
            )
        if plan.results * plan.bits > MOST_BITS:
            raise LimitError(
                f"the results of the draw have up to {shorten(plan.bits, 20)} bits each",
                where=self.place,
                wanted=f"at most {MOST_BITS:,} bits together",
                tip=SHUFFLED if self.name == "permutation" else "use shorter probabilities or smaller numbers",
            )
        return [(value, p) for value, p in plan.listed() if p]


# --- what arguments may be ----------------------------------------------------------------------------------------


def _bits(p: Fraction) -> int:
    return 0 if isinstance(p, Symbolic) else max(p.numerator.bit_length(), p.denominator.bit_length())


def _integer(raw: object, place: str, noun: str) -> int:
    if isinstance(raw, bool) or not isinstance(raw, Integral | Fraction) or raw.denominator != 1:
        raise InputError(f"{shorten(raw)} is not an integer", where=place, wanted=f"an integer as {noun}")
    return int(raw)


def _values(raw: object, place: str) -> list[Any]:
    """The values of a list.

    Raises:
        InputError: for what is no list, a set among them: it has no order.

    """
    if isinstance(raw, set | frozenset):
        raise InputError("a set has no order", where=place, wanted="a list of values", tip="write sorted(…)")
    if isinstance(raw, Mapping) or not isinstance(raw, Sequence):
        tip = READINGS.get(place.removeprefix("rng."), "")
        if isinstance(raw, Mapping):
            tip = "rng.choice({value: p, …}) draws from a table"
        raise InputError(f"{shorten(raw)} is not a list", where=place, wanted="a list of values", tip=tip)
    return list(raw)


def _ratio(raw: object, place: str) -> Fraction:
    r = rational(raw, place, "a ratio")
    if not isinstance(r, Symbolic) and not 0 < r < 1:
        raise InputError(f"the ratio {shorten(r)} is out of range", where=place, wanted="0 < r < 1, as e^(-ε)")
    return r


def sameness(value: object) -> object:
    """A key that is equal for equal values of one kind: `True` is not 1, and two lists are never one.

    >>> one, other = [], []
    >>> sameness(1) == sameness(True), sameness((1, "a")) == sameness((1, "a")), sameness(one) == sameness(other)
    (False, True, False)
    """
    if isinstance(value, tuple):
        return tuple, *map(sameness, value)
    if value is None or isinstance(value, bool | int | str | Fraction):
        return type(value), value
    return id(value)


# --- the draws ----------------------------------------------------------------------------------------------------


def _flip(p: object) -> Plan:
    chance = probability(p, "rng.flip")
    return Plan(2, _bits(chance), lambda: [(True, chance), (False, 1 - chance)])


def _choice(table: object) -> Plan:
    place = "rng.choice"
    if isinstance(table, Sequence):
        return _one_of(table, place)
    if not isinstance(table, Mapping):
        wanted = '{"a": "1/3", "b": "2/3"}, or a list of values'
        raise InputError(f"{shorten(table)} is not a table", where=place, wanted=wanted, tip=READINGS["choice"])
    law = [(value, probability(p, f"{place}, {shorten(value)}")) for value, p in table.items()]
    refuse_other_sum(sum((p for _, p in law), Fraction(0)), "the probabilities", place)
    return Plan(len(law), max(_bits(p) for _, p in law), lambda: law)


def _uniform(values: object) -> Plan:
    return _one_of(values, "rng.uniform")


def _one_of(values: object, place: str) -> Plan:
    options = _values(values, place)
    if not options:
        raise InputError("the list is empty", where=place, wanted="at least one value")
    chance = Fraction(1, len(options))
    return Plan(len(options), _bits(chance), lambda: [(value, chance) for value in options])


def _randint(a: object, b: object) -> Plan:
    low, high = _integer(a, "rng.randint", "the lower end"), _integer(b, "rng.randint", "the upper end")
    if low > high:
        raise InputError(f"{shorten(low)} is more than {shorten(high)}", where="rng.randint", wanted="a ≤ b")
    number = high - low + 1
    return Plan(number, number.bit_length(), lambda: [(k, Fraction(1, number)) for k in range(low, high + 1)])


def _binomial(n: object, p: object) -> Plan:
    place = "rng.binomial"
    trials, chance = _integer(n, place, "the number of trials"), probability(p, place)
    if trials < 0:
        raise InputError(f"{shorten(trials)} trials are too few", where=place, wanted="n ≥ 0")
    return Plan(
        trials + 1,
        trials * _bits(chance),
        lambda: [(k, comb(trials, k) * chance**k * (1 - chance) ** (trials - k)) for k in range(trials + 1)],
    )


def _hypergeometric(good: object, bad: object, drawn: object) -> Plan:
    """P[k] = C(good, k)·C(bad, drawn − k)/C(good + bad, drawn)."""
    place = "hypergeometric"
    hits, others, number = (_integer(one, place, "a number") for one in (good, bad, drawn))
    if min(hits, others, number) < 0 or number > hits + others:
        raise InputError("the numbers do not fit", where=place, wanted="0 ≤ nsample ≤ ngood + nbad, none below 0")
    least, most = max(0, number - others), min(hits, number)
    return Plan(
        most - least + 1,
        hits + others,
        lambda: [
            (k, Fraction(comb(hits, k) * comb(others, number - k), comb(hits + others, number)))
            for k in range(least, most + 1)
        ],
    )


def _multinomial(n: object, chances: Sequence[object]) -> Plan:
    """P[k₁, …, kₘ] = n!/(k₁!·…·kₘ!)·Π pᵢ^kᵢ."""
    place = "multinomial"
    trials, each = _integer(n, place, "the number of trials"), [probability(p, place) for p in chances]
    refuse_other_sum(sum(each, Fraction(0)), "the probabilities", place)
    if trials < 0:
        raise InputError(f"{shorten(trials)} trials are too few", where=place, wanted="n ≥ 0")

    def listed() -> list[Weighted]:
        begun: list[tuple[tuple[int, ...], int, Fraction]] = [((), trials, Fraction(1))]
        for p in each[:-1]:
            begun = [
                ((*counts, k), left - k, chance * comb(left, k) * p**k)
                for counts, left, chance in begun
                for k in range(left + 1)
            ]
        return [((*counts, left), chance * each[-1] ** left) for counts, left, chance in begun]

    number = MOST + 1 if trials > MOST else comb(trials + len(each) - 1, trials)
    return Plan(number, trials * sum(map(_bits, each)), listed)


def _permutation(values: object) -> Plan:
    listed = _values(values, "rng.permutation")
    return _arrangements(listed, len(listed))


def _sample(values: object, k: object) -> Plan:
    listed, length = _values(values, "rng.sample"), _integer(k, "rng.sample", "how many are drawn")
    if not 0 <= length <= len(listed):
        problem = f"{shorten(length)} values cannot be drawn from {len(listed):,}"
        raise InputError(problem, where="rng.sample", wanted=f"an integer from 0 to {len(listed):,}")
    return _arrangements(listed, length)


def _arrangements(values: list[Any], length: int) -> Plan:
    """The lists of `length` different places of a list, all alike; lists of equal values are one result."""
    groups: dict[object, list[Any]] = {}
    for value in values:
        groups.setdefault(sameness(value), []).append(value)
    counts = [len(group) for group in groups.values()]
    first = [group[0] for group in groups.values()]

    def listed() -> list[tuple[list[Any], Fraction]]:
        begun: list[tuple[list[Any], list[int], int]] = [([], counts, 1)]
        for _ in range(length):
            begun = [
                ([*list_, first[k]], [*left[:k], count - 1, *left[k + 1 :]], ways * count)
                for list_, left, ways in begun
                for k, count in enumerate(left)
                if count
            ]
        return [(list_, Fraction(ways, perm(len(values), length))) for list_, _, ways in begun]

    bits = length * (WORD + len(values).bit_length())
    return Plan(number_of_arrangements(counts, length), bits, listed)


def number_of_arrangements(counts: Iterable[int], length: int) -> int:
    """How many different lists of this length take at most so many of each kind; more than `MOST` are `MOST` + 1.

    It is Σ length!/(j₁!·…·jₘ!) over all j₁ + … + jₘ = length with jᵢ ≤ cᵢ, kind by kind.

    >>> number_of_arrangements([2, 1], 3), number_of_arrangements([1] * 5, 2), number_of_arrangements([9], 4)
    (3, 20, 1)
    """
    first, *others = sorted(counts, reverse=True) or [0]
    if length < 2 or not others:  # one kind gives one list, one place a list for each kind
        return 1 + length * len(others)
    if length > MOST or (len(others) > 1 and length**2 > 2 * MOST) or len(others) ** 2 > MOST:
        return MOST + 1  # two kinds give `length` lists or more, three length·(length − 1), m kinds m·(m − 1)
    ways = [int(n <= first) for n in range(length + 1)]
    placed = first
    for count in others:
        before = ways
        ways = [0] * (length + 1)
        for n in range(length + 1):
            for j in range(max(0, n - placed), min(count, n) + 1):
                # of more than 201 places there are more than MOST choices of 2 or more
                choices = MOST + 1 if n > 201 and 2 <= j <= n - 2 else comb(n, j)
                ways[n] = min(MOST + 1, ways[n] + choices * before[n - j])
                if ways[n] > MOST:
                    break
        placed += count
    return ways[length]


def is_infinite(name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> bool:
    """Whether a call draws two-sided noise without ends, whose result is a number that is not known yet."""
    given = [*("r" for _ in args), *(kwargs.keys() - {SEEN_BY})]
    return OLDER.get(name, name) == "geometric_noise" and given == ["r"]


def observers(raw: object) -> tuple[str, ...]:
    """The names of those who see a draw: one name, or a list of names.

    >>> observers("insider"), observers(["insider", "server"])
    (('insider',), ('insider', 'server'))

    Raises:
        InputError: for anything else, and for no name.

    """
    names = (raw,) if isinstance(raw, str) else raw
    if not isinstance(names, list | tuple) or not names or not all(isinstance(one, str) and one for one in names):
        wanted = 'a name, seen_by="insider", or a list of names'
        raise InputError(f"{shorten(raw)} is not a name", where=SEEN_BY, wanted=wanted)
    return tuple(names)


def refuse_observer(observer: str, known: Iterable[str], where: str) -> None:
    """Refuse an observer that no draw of a program names.

    Raises:
        InputError: with the names that there are.

    """
    names = sorted(known)
    if observer not in names:
        raise InputError(
            f"no draw of the program names the observer {shorten(observer)}",
            where=where,
            wanted=one_of(names, observer) if names else "a draw that names one",
            tip="" if names else f'rng.flip(p, seen_by="{cut(observer, 40)}") is a draw that this observer sees',
        )


def as_seen(value: Any) -> Any:
    """A result as an observer keeps it: what the program does to a list later changes nothing of what was seen."""
    return tuple(map(as_seen, value)) if isinstance(value, list | tuple) else value


def noise_ratio(r: object) -> Fraction:
    """The ratio of two-sided noise.

    Raises:
        InputError: for what is no ratio.

    """
    return _ratio(r, "rng.geometric_noise")


def _geometric_noise(r: object, low: object = None, high: object = None) -> Plan:
    place = "rng.geometric_noise"
    ratio = _ratio(r, place)
    if low is None or high is None:
        raise InputError(
            "noise without ends is for the text of a program" if low is None else "the noise has one end",
            where=place,
            wanted="rng.geometric_noise(r, low, high), which is clamped",
            tip=_TWO_SIDED
            if low is not None
            else f"rng.geometric_noise({shorten(r)}, -10, 10) puts what is beyond -10 and 10 on these ends; "
            'or write the program as a text, program = """…""", where noise needs no ends',
        )
    least, most = _integer(low, place, "the lower end"), _integer(high, place, "the upper end")
    if least > most:
        raise InputError(f"{shorten(least)} is more than {shorten(most)}", where=place, wanted="low ≤ high")

    def from_on(k: int) -> Fraction:
        """P[noise ≥ k]."""
        return ratio**k / (1 + ratio) if k >= 1 else 1 - ratio ** (1 - k) / (1 + ratio)

    def listed() -> Iterator[Weighted]:
        if least == most:
            yield least, Fraction(1)
            return
        yield least, 1 - from_on(least + 1)
        for k in range(least + 1, most):
            yield k, (1 - ratio) / (1 + ratio) * ratio ** abs(k)
        yield most, from_on(most)

    return Plan(most - least + 1, (max(abs(least), abs(most)) + 1) * _bits(ratio), listed)


def _exponential_mechanism(scores: object, base: object) -> Plan:
    place = "rng.exponential_mechanism"
    if isinstance(scores, Mapping):
        names, given = list(scores), list(scores.values())
    else:
        given = _values(scores, place)
        names = list(range(len(given)))
    if not given:
        raise InputError("there is no score", where=place, wanted="at least one score")
    exponents = [_integer(score, place, "a score") for score in given]
    power = rational(base, place, "a base")
    if not isinstance(power, Symbolic) and power <= 0:
        raise InputError(f"the base {shorten(power)} is not positive", where=place, wanted="base > 0, as e^(ε/2)")
    smallest = min(exponents)

    def listed() -> Iterator[Weighted]:
        weights = [power ** (exponent - smallest) for exponent in exponents]
        total = sum(weights, Fraction(0))
        yield from zip(names, (weight / total for weight in weights), strict=True)

    span = max(exponents) - smallest
    return Plan(len(given), (2 * span + 1) * _bits(power) + len(given).bit_length(), listed)


_DECLARED = (
    Draw("flip", "flip(p)", _flip),
    Draw("choice", "choice({value: p, …} or values)", _choice),
    Draw("uniform", "uniform(values)", _uniform),
    Draw("randint", "randint(a, b)", _randint),
    Draw("binomial", "binomial(n, p)", _binomial),
    Draw("permutation", "permutation(values)", _permutation),
    Draw("sample", "sample(values, k)", _sample),
    Draw("geometric_noise", "geometric_noise(r[, low, high])", _geometric_noise),
    Draw("exponential_mechanism", "exponential_mechanism(scores, base)", _exponential_mechanism),
)
OLDER = {
    "shuffle": "permutation",
    "geometric": "geometric_noise",
    "exponential": "exponential_mechanism",
    "choose": "choice",
}
"""Older names of some draws. The first three mean something else in `random` or `numpy.random`."""
LISTS = ("permutation", "sample")
"""The draws whose results are new lists."""
COUNTS = {
    "hypergeometric": Draw("hypergeometric", "hypergeometric(ngood, nbad, nsample)", _hypergeometric),
    "multinomial": Draw("multinomial", "multinomial(n, pvals)", _multinomial),
}
"""Draws that numpy has, and `rng` has not."""
_BY_NAME = {draw.name: draw for draw in _DECLARED}
DRAWS: Mapping[str, Draw] = _BY_NAME | {older: _BY_NAME[name] for older, name in OLDER.items()}
"""The draws by their names, the older names among them."""

# --- other libraries' draws ---------------------------------------------------------------------------------------

_SIZE = "numpy's size= draws many at once: write [rng.… for _ in range(n)]"
_TWO_SIDED = "numpy's geometric(p) counts trials from 1; pkdp's rng.geometric_noise(r) is two-sided, r = e^(-ε)"
_SCORES = "numpy's exponential(scale) is a real number; pkdp's rng.exponential_mechanism(scores, base) weighs scores"
_ENDS = "rng.randint(a, b) has both ends, as in random; numpy's randint and integers have a without b"
READINGS = {
    "choice": "numpy's choice(values, p=[…]) is pkdp's rng.choice({value: p, …})",
    "uniform": "uniform(low, high) of numpy and random is a real number; pkdp's rng.uniform(values) is one of a list",
    "geometric": _TWO_SIDED,
    "geometric_noise": _TWO_SIDED,
    "exponential": _SCORES,
    "exponential_mechanism": _SCORES,
    "randint": _ENDS,
}
"""Both readings of a name that means something else in `random` or `numpy.random`."""
_REAL = "draws real numbers, and its probabilities are not rational"
_GEOMETRIC = "rng.geometric_noise(r) with r = e^(-ε/Δ) is its twin on the integers"
NOT_HERE = {
    "laplace": (_REAL, _GEOMETRIC),
    "normal": (_REAL, "rng.binomial(n, p) minus its mean, or rng.choice({value: p, …}), is its twin on the integers"),
    "gauss": (_REAL, "rng.binomial(n, p) minus its mean, or rng.choice({value: p, …}), is its twin on the integers"),
    "gumbel": (_REAL, "rng.exponential_mechanism(scores, base) is what noise of this kind on scores computes"),
    "exponential": (_REAL, "numpy's geometric(p), the number of trials, is its twin on the integers"),
    "random": (_REAL, "rng.flip(p) in place of rng.random() < p"),
    "poisson": ("has infinitely many results", "rng.binomial(n, p) is its twin with an end"),
    "integers": ("leaves its upper end out in numpy", _ENDS),
    "randrange": ("leaves its upper end out", _ENDS),
    "choices": ("draws many at once", "[rng.uniform(values) for _ in range(k)]"),
}
"""Draws of other libraries: what is wrong with each here, and what to write."""


class RealDrawError(InputError):
    """A draw of real numbers, whose probabilities are not rational; `call` is how it was written."""

    call = ""

    def within(self, file: str) -> Self:
        """The same error in another place, with the call."""
        again = super().within(file)
        again.call = self.call
        return again


def no_draw(name: str, call: str = "") -> InputError:
    """The refusal of a name that is no draw, with what to write in its place; `call` is how it was written.

    >>> print(no_draw("laplace"))
    rng.laplace: laplace draws real numbers, and its probabilities are not rational. Expected a draw with rational \
probabilities. Hint: rng.geometric_noise(r) with r = e^(-ε/Δ) is its twin on the integers.
    """
    if name in NOT_HERE:
        problem, tip = NOT_HERE[name]
        told = f"{name} {problem}"
        if problem != _REAL:
            return InputError(told, where=f"rng.{name}", wanted="another draw", tip=tip)
        error = RealDrawError(told, where=f"rng.{name}", wanted="a draw with rational probabilities", tip=tip)
        error.call = call
        return error
    return InputError(f"{shorten(name)} is not a draw", where="rng", wanted=one_of(_BY_NAME, name))


@lru_cache(1 << 12)
def _drops(code: CodeType, last: int) -> bool:
    """Whether the instruction after the call at `last`, or in whose cache `last` is, throws away what it gave."""
    after = next((one for one in get_instructions(code) if one.offset > last), None)
    return after is not None and after.opname == "POP_TOP"


def refuse_unused(name: str, frame: FrameType) -> None:
    """Refuse a call of `shuffle` or `permutation`, from this frame, whose new list nobody takes.

    In `random` and `numpy` a `shuffle` changes its list; here the old list would be read on, unchanged.

    Raises:
        InputError: where the call is a line by itself.

    """
    if name in ("shuffle", "permutation") and _drops(frame.f_code, frame.f_lasti):
        raise InputError(f"rng.{name}(xs) gives a new list, which is used nowhere", wanted=f"xs = rng.{name}(xs)")
