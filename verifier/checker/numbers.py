"""Exact numbers, q + Σ c·ln x with rational q, c, x, and e^ε; labels; laws, tables of integers over one total.

No float decides anything. Two numbers are told apart by rational bounds that are made finer until they do not overlap;
that they are equal is found by exact means first, so that this ends:

- e^ε is rational, a root of a rational, or (ε rational and not 0) transcendental (Lindemann), never a rational;
- q + Σ c·ln x with q ≠ 0 is never 0 (Lindemann again); with q = 0 it is 0 if and only if Π x^c = 1, which exponents
  over pairwise coprime integers decide without factoring.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache, total_ordering
from itertools import combinations
from typing import Any

FIRST_BITS = 64
MOST_BITS = 1 << 14
"""Bounds of numbers that may be equal without a proof (`Enclosed`) are not made finer than this."""
MOST_POWER = 100_000
"""The most bits of a power that is multiplied out."""
Bounds = tuple[Fraction, Fraction]
Label = str
"""The text of a label."""
MOST_LEVELS = 100
"""The most levels of lists in a label."""


class BeyondLimits(Exception):
    """More work than the checker does, or numbers that it cannot tell apart."""


class NotRead(BeyondLimits):
    """A program that does what the checker does not know."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the law of a program: {why}")


@contextmanager
def long_numbers() -> Iterator[None]:
    """Let numbers be read and written that have more digits than Python's limit; what is read has limits of its own."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(most)


MOST_WORK = 20_000_000
"""The most worlds, pairs of databases, or outputs in all comparisons together."""


def afford(work: int, what: str) -> None:
    """Refuse work before it begins."""
    if work > MOST_WORK:
        raise BeyondLimits(
            f"{what}: {f'{work:,}' if work < 1 << 64 else 'more than 2^64'} steps, and at most {MOST_WORK:,} are made"
        )


def afford_product(factors: Iterable[int], what: str) -> None:
    """Refuse work that is a product of positive numbers, which are multiplied only until they are too much."""
    work = 1
    for factor in factors:
        work *= factor
        if work >= 1 << 64:
            break
    afford(work, what)


class Wrong(Exception):
    """A file or question that is not what FORMAT.md describes: the problem, what is expected, and what to type."""

    def __init__(self, problem: str, expected: str = "", hint: str = "") -> None:
        self.problem, self.expected, self.hint = problem, expected, hint
        more = [f"Expected {expected}."] * bool(expected) + [f"Hint: {hint}."] * bool(hint)
        super().__init__(" ".join([f"{problem}.", *more]) if more else problem)


class Unsupported(Exception):
    """The definition does not apply to this model; the answer's word is `unsupported`."""


class NoRow(Unsupported):
    """A definition asks for a database of which a table has no row."""


class Rejected(Exception):
    """The answer says something that is not so."""


def require(yes: object, problem: str) -> None:
    """Reject an answer of which something is not so."""
    if not yes:
        raise Rejected(problem)


def sign(x: Fraction | int) -> int:
    """-1, 0 or 1."""
    return (x > 0) - (x < 0)


@total_ordering
class Number:
    """A real number by bounds, or ∞; subclasses know more. `<` and `==` are exact, or raise BeyondLimits."""

    infinite = False
    algebraic = False
    """Whether it, or e to its power, is algebraic, and it compares itself with logarithms."""

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds that come as near as one likes where `bits` grows."""
        raise NotImplementedError

    def times(self, c: Fraction | int) -> Number:
        """c times this number, for c > 0."""
        return self if self.infinite else Enclosed(lambda bits: (self.bounds(bits)[0] * c, self.bounds(bits)[1] * c))

    def compared(self, other: Number) -> int:
        """The sign of self - other."""
        if self.infinite or other.infinite:
            return int(self.infinite) - int(other.infinite)
        bits = FIRST_BITS
        while bits <= MOST_BITS:
            (low, high), (least, most) = self.bounds(bits), other.bounds(bits)
            if low > most or high < least:
                return 1 if low > most else -1
            if low == high == least == most:
                return 0
            bits *= 2
        raise BeyondLimits("two numbers agree in thousands of digits, and no proof says whether they are equal")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.compared(other) == 0

    def __lt__(self, other: Number) -> bool:
        return self.compared(other) < 0

    __hash__ = None  # type: ignore[assignment]  # equal numbers have several forms


class Infinite(Number):
    """∞."""

    infinite = True

    def __str__(self) -> str:
        return "inf"


INFINITY = Infinite()


class Enclosed(Number):
    """A number of which there are bounds alone, such as Σ P^α·Q^(1 - α) with α = 3/2."""

    def __init__(self, bounds: Callable[[int], Bounds], line: Line | None = None) -> None:
        self.line = line
        self.bounds = lru_cache(None)(bounds)  # type: ignore[method-assign]

    def __str__(self) -> str:
        low, high = self.bounds(FIRST_BITS)
        return f"[{decimal(low)}, {decimal(high)}]"


class Rooted(Number):
    """An algebraic number r ≥ 0 that is given by `versus`, the sign of r - e for each rational e ≥ 0.

    Two of the same sort are ordered by `key`. A logarithm is transcendental or 0, so that bounds end.
    """

    algebraic = True

    def __init__(self, sort: str, key: Fraction, versus: Callable[[Fraction], int]) -> None:
        self.sort, self.key, self.versus = sort, key, versus

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds."""
        top = 1
        while self.versus(Fraction(top)) > 0:
            top *= 2
        below, above = 0, top << bits
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if self.versus(Fraction(middle, 1 << bits)) >= 0 else (below, middle)
        return Fraction(below, 1 << bits), Fraction(above, 1 << bits)

    def compared(self, other: Number) -> int:
        """The sign of self - other."""
        if isinstance(other, Rooted) and other.sort == self.sort:
            return sign(self.key - other.key)
        if isinstance(other, Log) and not other.logs:
            return self.versus(other.rational) if other.rational >= 0 else 1
        return super().compared(other)

    def __str__(self) -> str:
        low, high = self.bounds(FIRST_BITS)
        return f"[{decimal(low)}, {decimal(high)}]"


class Log(Number):
    """q + Σ c·ln x; `logs` has c for each x ≠ 1."""

    def __init__(self, rational: Fraction | int = 0, logs: Mapping[Fraction, Fraction] | None = None) -> None:
        self.rational = Fraction(rational)
        self.logs = {x: c for x, c in (logs or {}).items() if c and x != 1}

    def __add__(self, other: Log) -> Log:
        logs = dict(self.logs)
        for x, c in other.logs.items():
            logs[x] = logs.get(x, Fraction(0)) + c
        return Log(self.rational + other.rational, logs)

    def times(self, c: Fraction | int) -> Log:
        """c times this."""
        return Log(self.rational * c, {x: y * c for x, y in self.logs.items()})

    def compared(self, other: Number) -> int:
        """The sign of self - other."""
        if isinstance(other, Log):
            return (self + other.times(-1)).sign()
        return -other.compared(self) if other.algebraic else super().compared(other)

    def sign(self) -> int:
        """-1, 0 or 1; it ends, as the head of this file says."""
        if not self.logs:
            return sign(self.rational)
        if not self.rational and len(self.logs) == 1:
            ((x, c),) = self.logs.items()
            return sign(c) * sign(x - 1)
        bits, zero_is_excluded = FIRST_BITS, bool(self.rational)
        while True:
            low, high = self.bounds(bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            if not zero_is_excluded:
                if not any(exponents(self.logs).values()):
                    return 0
                zero_is_excluded = True
            bits *= 2

    def bounds(self, bits: int) -> Bounds:
        """Rational bounds."""
        low = high = self.rational
        for x, c in self.logs.items():
            a, b = log_bounds(x, bits)
            low, high = low + min(c * a, c * b), high + max(c * a, c * b)
        return low, high

    def __str__(self) -> str:
        parts = [f"{'' if c == 1 else f'{c}*'}ln({x})" for x, c in self.logs.items()]
        return " + ".join(([str(self.rational)] if self.rational or not parts else []) + parts)


ZERO = Log()


def ln(x: Fraction | int, times: Fraction | int = 1) -> Log:
    """times·ln x."""
    return Log(0, {Fraction(x): Fraction(times)})


def largest(numbers: Iterable[Number]) -> Number:
    """The largest one, 0 of none."""
    return max(numbers, default=ZERO)


def exponents(logs: Mapping[Fraction, Fraction]) -> dict[int, Fraction]:
    """The exponents of Π x^c over pairwise coprime integers: all are 0 if and only if the logarithms cancel."""
    base = {n for x in logs for n in (x.numerator, x.denominator) if n > 1}
    while pair := next(((a, b) for a, b in combinations(sorted(base), 2) if math.gcd(a, b) > 1), None):
        a, b = pair
        common = math.gcd(a, b)
        base = (base - {a, b}) | {n for n in (a // common, b // common, common) if n > 1}
    out = dict.fromkeys(base, Fraction(0))
    for x, c in logs.items():
        for n, power in ((x.numerator, c), (x.denominator, -c)):
            left = n
            for p in base:
                while left % p == 0:
                    left //= p
                    out[p] += power
    return out


# --- bounds of ln and exp ---------------------------------------------------------------------------------------------


def log_bounds(x: Fraction, bits: int) -> Bounds:
    """Bounds of ln x: x = 2^k·m with 1 ≤ m < 2; ln m = 2·artanh t, t = (m - 1)/(m + 1) ≤ 1/3; ln 2 = 2·artanh 1/3."""
    if x < 1:
        low, high = log_bounds(1 / x, bits)
        return -high, -low
    k = x.numerator.bit_length() - x.denominator.bit_length()
    if x.numerator < x.denominator << k:
        k -= 1
    m = Fraction(x.numerator, x.denominator << k)
    (a, b), (c, d) = artanh((m - 1) / (m + 1), bits), artanh(Fraction(1, 3), bits)
    return 2 * (a + k * c), 2 * (b + k * d)


@lru_cache(1 << 14)
def artanh(t: Fraction, bits: int) -> Bounds:
    """0 ≤ t ≤ 1/3: Σ t^(2j+1)/(2j+1) in fixed point, rounded down and up.

    When a term has become at most one unit, the rest of the series is at most 9/8 of a unit: 4 units are enough.
    """
    one = 1 << bits
    t_low, t_high = t.numerator * one // t.denominator, -(-t.numerator * one // t.denominator)
    low = high = 0
    power_low, power_high, j = t_low, t_high, 1
    while power_high > 1:
        low, high, j = low + power_low // j, high + power_high // j + 1, j + 2
        power_low = power_low * t_low // one * t_low // one
        power_high = (power_high * t_high // one + 1) * t_high // one + 1
    return Fraction(low, one), Fraction(high + 4, one)


def exp_bounds(low: Fraction, high: Fraction, bits: int) -> Bounds:
    """Bounds of e^x for low ≤ x ≤ high, by halving until |x| ≤ 1, and squaring again."""
    return _exp(low, bits)[0], _exp(high, bits)[1]


def _exp(x: Fraction, bits: int) -> Bounds:
    if x < 0:
        low, high = _exp(-x, bits)
        return 1 / high, 1 / low
    halvings = max(0, (x.numerator // x.denominator).bit_length())
    if halvings > 24:
        raise BeyondLimits("e to the power of millions")
    one = 1 << (bits + 2 * halvings + 8)
    y_low = x.numerator * one // (x.denominator << halvings)
    y_high = y_low + 1
    bottom = top = term_low = term_high = one
    j = 1
    while term_high > 1:  # Σ y^j/j!, y ≤ 1; after a term of one unit the rest is below 3 units
        term_low, term_high = term_low * y_low // one // j, term_high * y_high // one // j + 1
        bottom, top, j = bottom + term_low, top + term_high, j + 1
    top += 3 * term_high
    for _ in range(halvings):
        bottom, top = bottom * bottom // one, top * top // one + 1
    return Fraction(bottom, one), Fraction(top, one)


# --- e^ε --------------------------------------------------------------------------------------------------------------


class Power:
    """e^ε of an ε that was asked; each distinct ratio is compared with it once."""

    def __init__(self, epsilon: Number) -> None:
        self.epsilon = epsilon
        self.value: Fraction | None = None
        if isinstance(epsilon, Log) and not epsilon.rational:
            if not epsilon.logs:
                self.value = Fraction(1)
            elif len(epsilon.logs) == 1:
                ((x, c),) = epsilon.logs.items()
                size = (x.numerator.bit_length() + x.denominator.bit_length()) * abs(c.numerator)
                if size <= MOST_POWER:  # ln(9)/2 is ln(3)
                    power = x**c.numerator
                    top, bottom = (whole_root(part, c.denominator) for part in (power.numerator, power.denominator))
                    self.value = Fraction(top, bottom) if top and bottom else None
        self.signs: dict[Fraction, int] = {}

    def sign(self, x: Fraction | int, y: Fraction | int) -> int:
        """The sign of x - y·e^ε. At ε = ∞ a y > 0 weighs more than any x."""
        if y < 0:
            return -self.sign(-x, -y)
        if y == 0 or x <= 0:
            return sign(x) if y == 0 else -1
        if self.epsilon.infinite:
            return -1
        if self.value is not None:
            return sign(x * self.value.denominator - y * self.value.numerator)
        ratio = Fraction(x) / y
        if ratio not in self.signs:
            self.signs[ratio] = ln(ratio).compared(self.epsilon)
        return self.signs[ratio]

    def bounds(self, bits: int) -> Bounds:
        """Bounds of e^ε, which is finite."""
        if self.value is not None:
            return self.value, self.value
        low, high = self.epsilon.bounds(bits)
        return exp_bounds(low, high, bits)


class Line:
    """The δ of one comparison at one ε: A - B·e^ε; at ε = ∞ it is A where B = 0, and else nothing."""

    def __init__(self, a: Fraction, b: Fraction, power: Power) -> None:
        if power.epsilon.infinite and b > 0:
            a = b = Fraction(0)
        self.a, self.b, self.power = a, b, power

    def minus(self, other: Line) -> int:
        """The sign of self - other; both at one ε."""
        return self.power.sign(self.a - other.a, self.b - other.b)

    def exceeds(self, delta: Fraction) -> bool:
        """Whether A - B·e^ε > δ."""
        return self.power.sign(self.a - delta, self.b) > 0

    def bounds(self, bits: int) -> Bounds:
        """Bounds of its value, and at least 0."""
        if self.b == 0:
            return max(self.a, Fraction(0)), max(self.a, Fraction(0))
        low, high = self.power.bounds(bits)
        ends = self.a - self.b * low, self.a - self.b * high
        return max(min(ends), Fraction(0)), max(*ends, Fraction(0))


# --- numbers as texts -------------------------------------------------------------------------------------------------


def evaluate(text: object, names: Mapping[str, Fraction], place: str = "a probability") -> Fraction:
    """A rational, or an expression of numbers and parameters with + - * / ^ and brackets."""
    if not names or not isinstance(text, str):
        return rational(text, place)
    tokens = re.findall(r"[0-9]+(?:\.[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*|\S", text)[::-1]
    if len(tokens) > 1000 or text.count("(") > 50:
        raise BeyondLimits(f"{place}: an expression of {len(tokens)} parts")

    def taken(*wanted: str) -> str | None:
        return tokens.pop() if tokens and tokens[-1] in wanted else None

    def total() -> Fraction:
        value = product()
        while operator := taken("+", "-"):
            value = value + product() if operator == "+" else value - product()
        return value

    def product() -> Fraction:
        value = power()
        while operator := taken("*", "/"):
            other = power()
            if operator == "/" and not other:
                raise Wrong(f"{place}: {text!r} divides by 0")
            value = value * other if operator == "*" else value / other
        return value

    def power() -> Fraction:
        if taken("-"):
            return -power()
        if taken("("):
            value = total()
            if not taken(")"):
                raise Wrong(f"{place}: {text!r} lacks a bracket")
        else:
            name = tokens.pop() if tokens else ""
            if name not in names and not name[:1].isdigit():
                raise Wrong(f"{place}: {name!r} in {text!r} is no parameter that has a value")
            value = names[name] if name in names else rational(name)
        if taken("^"):
            below = -1 if taken("-") else 1
            exponent = below * int(rational(tokens.pop() if tokens else ""))
            if abs(exponent) > 64 or (exponent < 0 and not value):
                raise Wrong(f"{place}: the exponent {exponent} in {text!r}")
            value = value**exponent
        return value

    result = total()
    if tokens:
        raise Wrong(f"{place}: {text!r} is no expression")
    return result


RATIONAL = r"[0-9]+(?:/[0-9]+|\.[0-9]+)?"
MOST_DIGITS = 20_000


def rational(text: object, place: str = "a number") -> Fraction:
    """An integer, a fraction or a decimal, read exactly."""
    if isinstance(text, bool) or not isinstance(text, int | str):
        raise Wrong(f"{place}: {text!r} is no number", expected="an integer, or a text such as 1/3 or 0.1")
    match = re.fullmatch(
        r"\s*([+-]?)([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]{1,4}))?(?:\s*/\s*([0-9]+))?\s*", str(text)
    )
    if match is None or len(str(text)) > MOST_DIGITS or (match[4] and ("." in match[2] or not int(match[4]))):
        raise Wrong(f"{place}: {str(text)[:60]!r} is no number", expected="an integer, or a text such as 1/3 or 0.1")
    value = Fraction(match[2]) / int(match[4] or 1) * Fraction(10) ** int(match[3] or 0)
    return -value if match[1] == "-" else value


def decimal(x: Fraction, digits: int = 12) -> str:
    """A few digits for people, cut off."""
    whole = x.numerator * 10**digits // x.denominator
    return f"{whole // 10**digits}.{whole % 10**digits:0{digits}}" if x >= 0 else f"-{decimal(-x, digits)}"


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
    if isinstance(value, str):
        return _label_of_text(value, levels) if value.lstrip().startswith("[") else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        if not levels:
            raise Wrong("a label with too many levels")
        return listed([label(entry, levels - 1) for entry in value])
    if isinstance(value, int | Fraction):
        return str(value)
    raise Wrong(f"{value!r} is no label", expected="an integer, a text or a boolean")


def _label_of_text(text: str, levels: int) -> Label:
    """The text of a list as that of the list; any other text, such as `[a`, as it is."""
    try:
        return label(json.loads(text, parse_float=_no_label, parse_constant=_no_label), levels)
    except (ValueError, Wrong, RecursionError):
        return text


def _no_label(text: str) -> object:
    raise ValueError(text)


def entries(text: Label) -> list[Label]:
    """The labels in a list."""
    return [label(entry) for entry in json.loads(text)] if is_list(text) else [text]


def number(text: Label) -> Fraction:
    """The number that a value is."""
    return rational(text, "a value of a numeric mechanism")


def root(x: Fraction, n: int) -> Label:
    """The text of the n-th root of x ≥ 0: a rational, `sqrt(5/2)` or `root(2, 3)`, with the smallest index."""
    for k in sorted((k for k in range(1, n + 1) if n % k == 0), reverse=True):
        top, bottom = (whole_root(part, k) for part in (x.numerator, x.denominator))
        if top is not None and bottom is not None:
            x, n = Fraction(top, bottom), n // k
            break
    return str(x) if n == 1 else f"sqrt({x})" if n == 2 else f"root({x}, {n})"


def whole_root(x: int, n: int) -> int | None:
    """The integer n-th root of x, if it has one: Newton's steps from above."""
    if x < 2 or n == 1:
        return x
    guess = 1 << -(-x.bit_length() // n)
    while (better := ((n - 1) * guess + x // guess ** (n - 1)) // n) < guess:
        guess = better
    return guess if guess**n == x else None


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
        self.counts = dict(counts) if all(counts.values()) else {o: c for o, c in counts.items() if c}
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
        one = Fraction(
            1, self.total
        )  # what is weighed may be a function of a parameter, which is no argument of Fraction
        return {o: c * one for o, c in self.counts.items()}


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


def as_law(output: object) -> Law:
    """A law, or that of one label."""
    return output if isinstance(output, Law) else certain(output)


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
    counts = {"[" if laws else "[]": 1}
    for left, x in zip(range(len(laws), 0, -1), laws, strict=True):
        own = [(written(t) + ("," if left > 1 else "]"), c) for t, c in x.counts.items()]
        counts = {so_far + t: p * c for so_far, p in counts.items() for t, c in own}
    return Law(counts, math.prod(x.total for x in laws))


def distinct(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """The rows of a table by what they are about; two about one thing are refused."""
    out: dict[Any, Any] = {}
    for name, value in pairs:
        if name in out:
            raise Wrong(f"two rows for {name}")
        out[name] = value
    return out


class Unchecked(Exception):
    """The checker does not decide this kind of question."""
