"""A mechanism that is a program: `def f(db, rng): …`, read and never executed, and the law of what it returns.

The text is translated to steps of a machine with a stack. The machine runs until something is drawn; all that it then
holds (of variables those that are still read) is one *state*, written as a key. So a program is a finite Markov chain:
states, a law of next states in each, and outputs in which it ends. Runs that meet go on as one, and a loop that is left
by chance is a cycle. `absorbed` finds how often each output comes, by passing on the mass of one state after the other.

Numbers are exact: 1/3 is one third and 0.1 one tenth. Noise that is not cut off: see `noise`. What the machine does not
know, or cannot afford, is `BeyondLimits`: the answer is then not checked.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from .noise import Noisy, Split, Unit, known, two_sided
from .numbers import BeyondLimits, NotRead, Wrong, rational
from .operations import MOST_BITS, RNG, Generator, Pairs, Walk, entries_of, entry, of_method, raised, walked
from .program_text import Code, Translator, refused

MOST_TEXT = 1 << 14
MOST_STEPS = 3_000_000
"""The most steps of the machine and entries that are touched, over all databases of a model."""
STEPS_OF_A_STATE = 30
"""What a state costs, in steps, beside its values."""
STEPS_OF_A_VALUE = 3
"""What it costs to write a value down and to read it again."""
MOST_NESTING = 60
MOST_FRAMES = 40
ERRORS = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError)
"""What Python says of a program that does what cannot be done."""


# --- states -----------------------------------------------------------------------------------------------------------


class Frame:
    """A call that is not over: its code, the next step, its variables, its stack."""

    __slots__ = ("at", "code", "names", "stack")

    def __init__(self, code: Code, at: int, names: dict[str, Any], stack: list[Any]) -> None:
        self.code, self.at, self.names, self.stack = code, at, names, stack


ATOMS = frozenset({int, bool, str, Fraction, type(None), range, Generator})
"""The types whose values are written as they are, with the type: True is not 1."""


class Writer:
    """Values as a key: two that nothing can tell apart have one; two names of one list are not two equal lists."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.units: dict[Unit, int] = {}
        self.places: dict[Unit, list[Any]] = defaultdict(list)
        self.noisy = self.size = 0

    def write(self, value: Any) -> Any:
        """The key of a value."""
        kind = type(value)
        self.size += 1
        if kind in ATOMS:
            return kind, value
        if kind is tuple:
            return kind, *map(self.write, value)
        if kind is Noisy:
            self.noisy += 1
            for unit, n in value.parts.items():
                self.places[unit].append((self.noisy, n))
            fresh = sorted((u for u in value.parts if u not in self.units), key=lambda u: (u.ratio, value.parts[u]))
            for unit in fresh:
                self.units[unit] = len(self.units)
            parts = sorted((self.units[u], u.ratio, n) for u, n in value.parts.items())
            return kind, value.shift, *parts
        if kind is Pairs:
            return kind, value.kind, value.start, *map(self.write, value.sources)
        if kind is Walk:
            source, at = value.rest()
            return kind, at, self.write(source)
        if id(value) in self.seen:
            return "again", self.seen[id(value)]
        self.seen[id(value)] = len(self.seen)
        if kind is list:
            return kind, *map(self.write, value)
        if kind is dict:
            return kind, *(self.write(x) for both in value.items() for x in both)
        if kind is set:
            return kind, frozenset(map(self.write, value))
        raise NotRead(f"it holds {kind.__name__}")

    def state(self, frames: Sequence[Frame]) -> Any:
        """The key of all calls that are not over: of variables those that are still read."""
        return tuple(
            (
                f.code.number, f.at, tuple((x, self.write(f.names[x])) for x in f.code.live[f.at] if x in f.names),
                tuple(map(self.write, f.stack)),
            )
            for f in frames
        )  # fmt: skip


class Reader:
    """Values again from a key, all new; units of noise may be `replaced`, by their numbers."""

    def __init__(self, replaced: Mapping[int, Any] | None = None) -> None:
        self.seen: list[Any] = []
        self.units: dict[int, Any] = dict(replaced or {})

    def read(self, key: Any) -> Any:
        """The value of a key."""
        kind = key[0]
        if kind in ATOMS:
            return key[1]
        if kind is tuple:
            return tuple(map(self.read, key[1:]))
        if kind == "again":
            return self.seen[key[1]]
        if kind is Noisy:
            value: Any = Noisy(key[1], {})
            for number, ratio, n in key[2:]:
                if number not in self.units:
                    self.units[number] = Noisy(0, {Unit(ratio): 1})
                value = value + n * self.units[number]
            return known(value) if isinstance(value, Noisy) else value
        if kind is Pairs:
            return Pairs(key[1], tuple(map(self.read, key[3:])), key[2])
        if kind is Walk:
            return Walk(self.read(key[2]), key[1])
        new: Any = kind()
        self.seen.append(new)
        if kind is list:
            new.extend(map(self.read, key[1:]))
        elif kind is dict:
            inside = list(map(self.read, key[1:]))
            new.update(zip(inside[::2], inside[1::2], strict=True))
        else:
            new.update(map(self.read, key[1]))
        return new

    def frames(self, key: Any, codes: Sequence[Code]) -> list[Frame]:
        """The calls of a state."""
        return [
            Frame(codes[number], at, {x: self.read(v) for x, v in names}, [self.read(v) for v in stack])
            for number, at, names, stack in key
        ]


Cases = tuple[tuple[Fraction, Mapping[Unit, Any]], ...]


class Fork(NamedTuple):
    """A state, and what may come next: what is drawn, each a key, or what units of noise are."""

    key: Any
    cases: tuple[tuple[Fraction, Any], ...]
    drawn: bool
    size: int


# --- draws ------------------------------------------------------------------------------------------------------------

Drawn = list[tuple[Fraction, Any]]
ALIASES = {
    "choose": "choice",
    "shuffle": "permutation",
    "geometric": "geometric_noise",
    "exponential": "exponential_mechanism",
}


class Draws:
    """The laws of what `rng` draws; each is paid for before it is listed."""

    def __init__(self, chance: Callable[[object], Fraction], pay: Callable[[int], None]) -> None:
        self._chance, self.pay = chance, pay

    def probability(self, p: object) -> Fraction:
        """A number, or a text such as "1/3"."""
        if isinstance(p, bool) or not isinstance(p, int | Fraction | str):
            raise TypeError(f"{str(p)[:40]} is no probability")
        value = self._chance(p) if isinstance(p, str) else Fraction(p)
        if not 0 <= value <= 1:
            raise ValueError(f"{value} is no probability")
        return value

    def flip(self, p: object) -> Drawn:
        """True with probability p."""
        chance = self.probability(p)
        return [(chance, True), (1 - chance, False)]

    def uniform(self, values: Any) -> Drawn:
        """One of a list, each with the same probability."""
        entries = entries_of(values)
        return [(Fraction(1, len(entries)), one) for one in entries]

    def choice(self, table: Any) -> Drawn:
        """A key of a table, with the probability beside it; of a list one entry, each as likely."""
        if not isinstance(table, dict):
            return self.uniform(table)
        law = [(self.probability(p), value) for value, p in table.items()]
        if sum(p for p, _ in law) != 1:
            raise ValueError("the probabilities of a choice do not sum to 1")
        return law

    def randint(self, low: int, high: int) -> Drawn:
        """An integer from low to high, both included."""
        size = high - low + 1
        self.pay(size)
        return [(Fraction(1, size), k) for k in range(low, high + 1)]

    def binomial(self, n: int, p: object) -> Drawn:
        """How many of n flips are True."""
        self.pay(n * n + 1)
        yes = self.probability(p)
        return [(math.comb(n, k) * yes**k * (1 - yes) ** (n - k), k) for k in range(n + 1)]

    def permutation(self, values: Any) -> Drawn:
        """The entries of a list in random order, as a new list."""
        return self.sample(values, None)

    def sample(self, values: Any, size: int | None) -> Drawn:
        """Some entries of a list, without replacement, in random order."""
        writer = Writer()
        left: dict[Any, list[Any]] = {}
        entries = entries_of(values)
        for one in entries:
            left.setdefault(writer.write(one), []).append(one)
        wanted = len(entries) if size is None else size
        if not 0 <= wanted <= len(entries):
            raise ValueError("a sample is larger than what it is taken of")
        ways = math.perm(len(entries), wanted)
        return [(Fraction(n, ways), list(order)) for n, order in self._orders(list(left.values()), wanted)]

    def _orders(self, left: list[list[Any]], size: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """All orders of so many entries, equal ones once, and in how many ways each comes."""
        self.pay(1 + len(left))
        if not size:
            yield 1, ()
            return
        for at, alike in enumerate(left):
            if alike:
                rest = [*left[:at], alike[1:], *left[at + 1 :]]
                yield from ((len(alike) * n, (alike[0], *order)) for n, order in self._orders(rest, size - 1))

    def geometric_noise(self, r: object, low: int | None = None, high: int | None = None) -> Drawn:
        """X with P[X = k] = (1 - r)/(1 + r)·r^|k|; where both ends are given, what lies beyond is the end."""
        ratio = self.probability(r)
        if low is None and high is None:
            return two_sided(ratio)
        if low is None or high is None or low > high or ratio == 1:
            raise ValueError("noise has two ends, or none")
        self.pay((high - low + 1) * (1 + max(abs(low), abs(high)) // 64))
        at_least = {k: _tail(ratio, k) for k in range(low + 1, high + 1)} | {low: Fraction(1), high + 1: Fraction(0)}
        return [(at_least[k] - at_least[k + 1], k) for k in range(low, high + 1)]

    def exponential_mechanism(self, scores: Any, base: Any) -> Drawn:
        """An index of a list of scores, or a key of a table of them, with a weight of base^score."""
        table = scores if isinstance(scores, dict) else dict(enumerate(entries_of(scores)))
        root = self._chance(base) if isinstance(base, str) else Fraction(base)
        if root <= 0:
            raise ValueError("the base of an exponential mechanism is not above 0")
        weights = [raised(root, score) for score in table.values()]
        total = sum(weights, Fraction(0))
        return [(w / total, at) for at, w in zip(table, weights, strict=True)]


def _tail(r: Fraction, k: int) -> Fraction:
    """P[X ≥ k] of noise of ratio r."""
    return r**k / (1 + r) if k > 0 else 1 - r ** (1 - k) / (1 + r)


# --- runs -------------------------------------------------------------------------------------------------------------


class Program:
    """The functions of a text, the last one of which is the mechanism; the laws of what it returns."""

    def __init__(
        self,
        text: str,
        chance: Callable[[object], Fraction] = rational,
        constants: Mapping[str, Fraction] | None = None,
        observer: str | None = None,
    ) -> None:
        if len(text) > MOST_TEXT:
            raise BeyondLimits(f"a program of {len(text):,} characters")
        self.constants = constants or {}
        self.functions: dict[str, Code] = {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
            for node in tree.body:
                if not isinstance(node, ast.FunctionDef) or node.name in self.functions:
                    raise refused(node, "something else than functions, each of its own name")
                self.functions[node.name] = Translator(node, text, self.functions, self.constants).code
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise NotRead(f"no text that is read: {type(error).__name__}") from None
        if not self.functions:
            raise NotRead("it has no function")
        self.codes = list(self.functions.values())
        self.observer = observer
        if observer is not None and not any(observer in code.seers for code in self.codes):
            raise Wrong(f"no draw of the program is seen by {observer[:60]!r}")
        self.numbers: dict[Any, int] = {}
        self.forks: list[dict[Any, Fraction]] = []
        self.left = MOST_STEPS
        self.draws = Draws(chance, self.pay)

    def pay(self, steps: int) -> None:
        """Refuse more work than is allowed."""
        self.left -= steps
        if self.left < 0:
            raise BeyondLimits(f"a program: more than {MOST_STEPS:,} steps over all databases")

    def weigh(self, value: Any, levels: int = MOST_NESTING) -> None:
        """Pay for the entries of a value, at all levels."""
        kind = type(value)
        if kind is range:
            self.pay(1 + abs(value.stop - value.start) // abs(value.step))
        elif kind in (list, tuple, set, dict, Pairs):
            if not levels:
                raise BeyondLimits(f"a program: lists of more than {MOST_NESTING} levels")
            self.pay(len(value))
            for one in value.items() if kind is dict else value.sources if kind is Pairs else value:
                self.weigh(one, levels - 1)
        elif kind is str:
            self.pay(len(value) >> 4)

    def law(self, *arguments: Any) -> dict[Any, Fraction]:
        """The law of what is returned, each output by its key (`Reader.read` gives the value)."""
        code = self.codes[-1]
        if len(code.parameters) - len(arguments) not in (0, 1):
            raise NotRead(f"{code.name} has {len(code.parameters)} parameters, not {len(arguments) + 1}")
        names = dict(zip(code.parameters, (*arguments, RNG), strict=False))
        stack = [] if self.observer is None else [()]  # what was seen lies below all else
        try:
            return absorbed(self.forks, self._explore([Frame(code, 0, names, stack)]), self.pay)
        except BaseException as error:  # states that nobody followed are forgotten
            self.numbers, self.forks = {}, []
            if isinstance(error, RecursionError):
                raise BeyondLimits("a program: too many levels") from None
            raise

    def _explore(self, frames: list[Frame]) -> Any:
        """The number of the state that comes first, or the output; all states that can come are listed in `forks`.

        Each has the next ones by their numbers, or outputs. Those of other databases are known.
        """
        waiting: list[tuple[int, Fork]] = []

        def target(frames: list[Frame]) -> Any:
            end = self._run(frames)
            if not isinstance(end, Fork):
                return end
            at = end.key, end.cases if end.drawn else None
            if at not in self.numbers:
                self.numbers[at] = len(self.forks)
                self.forks.append({})
                waiting.append((self.numbers[at], end))
            return self.numbers[at]

        first = target(frames)
        while waiting:
            number, fork = waiting.pop()
            law = self.forks[number]
            for p, after in self._cases(fork):
                self.pay(STEPS_OF_A_STATE + STEPS_OF_A_VALUE * fork.size)
                to = target(after)
                law[to] = law.get(to, 0) + p
        return first

    def _cases(self, fork: Fork) -> Iterator[tuple[Fraction, list[Frame]]]:
        """The states after a fork."""
        for n, (p, case) in enumerate(fork.cases):
            reader = Reader(None if fork.drawn else case)
            frames = reader.frames(fork.key, self.codes)
            if fork.drawn:  # what an earlier list is written as, a later one names
                first = n if case[0] in ATOMS else 0
                frames[-1].stack.append([reader.read(one) for _, one in fork.cases[first : n + 1]][-1])
            yield p, frames

    def _fork(self, frames: list[Frame], law: Drawn) -> Any:
        """What is drawn: a fork, or the one value that comes."""
        law = [(p, value) for p, value in law if p]
        if len(law) == 1:
            frames[-1].stack.append(law[0][1])
            return None
        writer = Writer()
        key = writer.state(frames)
        return Fork(key, tuple((p, writer.write(value)) for p, value in law), True, writer.size)

    def _run(self, frames: list[Frame]) -> Any:
        """Run until something is drawn, or the mechanism returns: the key of its output, in a tuple."""
        try:
            while True:
                self.pay(1)
                end = self._step(frames)
                if end is not None:
                    return end
        except Split as split:
            writer = Writer()
            key = writer.state(frames)
            cases = _added(writer) or split.cases
            return Fork(
                key, tuple((p, {writer.units[u]: x for u, x in new.items()}) for p, new in cases), False, writer.size
            )
        except ERRORS as error:
            frame = frames[-1]
            line = frame.code.steps[frame.at][2]
            raise NotRead(f"line {line}: {type(error).__name__} {str(error)[:200]}") from None

    def _step(self, frames: list[Frame]) -> Any:
        """One step; a split leaves all as it was before."""
        frame = frames[-1]
        stack = frame.stack
        name, given, _ = frame.code.steps[frame.at]
        to = frame.at + 1
        if name == "load":
            stack.append(frame.names[given])
        elif name == "store":
            if isinstance(stack[-1], Pairs):
                raise NotRead("what is walked through once is kept")
            frame.names[given] = stack.pop()
        elif name == "next":
            walk = stack[-1]
            try:
                stack.append(entry(walk.source, walk.at))
                walk.at += 1
            except IndexError:
                stack.pop()
                to = given
        elif name == "jump":
            to = given
        elif name in ("unless", "and", "or"):  # a value that decides `and` and `or` stays on the stack
            jumps = bool(stack[-1]) == (name == "or")
            if name == "unless" or not jumps:
                stack.pop()
            to = given if jumps else to
        elif name == "method":
            return self._method(frames, *given)
        elif name == "enter":
            return self._enter(frames, given)
        elif name == "return":
            return self._leave(frames)
        elif name == "seen":
            if self.observer in given:
                below = frames[0].stack
                below[0] = (*below[0], as_it_is(stack[-1]))
                self.pay(len(below[0]))
        else:
            self._replace(stack, name, given)
        frame.at = to
        return None

    def _replace(self, stack: list[Any], name: str, given: Any) -> None:
        """A step that looks at the stack alone."""
        if name == "call":
            function, size, options = given
            first = len(stack) - size
            plain, named = self._given(stack[first:], options)
            stack[first:] = [self._short(function(*plain, **named))]
        elif name == "const":
            stack.append(given)
        elif name == "fold":
            step, depth = given
            self.weigh(stack[-1])
            stack[-depth] = self._short(step(stack[-depth], stack[-1]))
            stack.pop()
        elif name == "copy":
            stack.extend(stack[len(stack) - given :])
        elif name == "walk":
            self.weigh(stack[-1])
            stack.append(Walk(walked(stack.pop())))
        elif name == "unpack":
            entries = entries_of(stack[-1])
            if len(entries) != given:
                raise ValueError(f"{len(entries)} values for {given} names")
            stack[-1:] = reversed(entries)
        else:
            stack.pop()

    def _short(self, value: Any) -> Any:
        """A value, whose digits are paid for if it is a number."""
        if isinstance(value, int | Fraction):
            bits = value.numerator.bit_length() + value.denominator.bit_length()
            self.pay(bits >> 5)
            if bits > MOST_BITS:
                raise BeyondLimits("a number of a program is too long")
        return value

    def _given(self, values: list[Any], options: tuple[str, ...]) -> tuple[list[Any], dict[str, Any]]:
        """What a function is given, by place and by name; it is paid for."""
        for value in values:
            self.weigh(value)
        plain = len(values) - len(options)
        return values[:plain], dict(zip(options, values[plain:], strict=True))

    def _method(self, frames: list[Frame], name: str, size: int, options: tuple[str, ...]) -> Any:
        """A method of a value, or a draw."""
        frame = frames[-1]
        first = len(frame.stack) - size
        owner = frame.stack[first - 1]
        self.weigh(owner)
        plain, named = self._given(frame.stack[first:], options)
        if owner is RNG:
            draw = getattr(self.draws, ALIASES.get(name, name), None)
            if draw is None or name.startswith("_") or name in ("pay", "probability"):
                raise NotRead(f"{name} is no draw that is known here")
            law = draw(*plain, **named)
            del frame.stack[first - 1 :]
            frame.at += 1
            return self._fork(frames, law)
        frame.stack[first - 1 :] = [of_method(owner, name, *plain, **named)]
        frame.at += 1
        return None

    def _enter(self, frames: list[Frame], code: Code) -> None:
        """A call of a function above."""
        frame = frames[-1]
        if len(frames) > MOST_FRAMES:
            raise BeyondLimits("functions call functions too deeply")
        first = len(frame.stack) - len(code.parameters)
        names = dict(zip(code.parameters, frame.stack[first:], strict=True))
        del frame.stack[first:]
        frame.at += 1
        frames.append(Frame(code, 0, names, []))

    def _leave(self, frames: list[Frame]) -> Any:
        """`return`: to the call, or the output."""
        value = frames[-1].stack[-1]
        self.weigh(value)
        if len(frames) == 1 and self.observer is not None:
            value = (value, frames[0].stack[0])
        frames.pop()
        if frames:
            frames[-1].stack.append(value)
            return None
        return (Writer().write(value),)


def as_it_is(value: Any) -> Any:
    """What was drawn, as it is when it is seen: lists that change later are copied."""
    return tuple(map(as_it_is, value)) if isinstance(value, list | tuple) else value


def _added(writer: Writer) -> Cases | None:
    """Two units that a state knows by their sum alone, as a mixture of one and the other; a weight may be below 0.

    P[G + H = k] = (1 - a)·(1 - b)·(a^(k + 1) - b^(k + 1))/(a - b) for the ratios a ≠ b. The laws of outputs are linear
    in the law of the state, so that they are right, and the number of states stays small.
    """
    alone: dict[Any, Unit] = {}
    for unit, places in writer.places.items():
        other = alone.setdefault(tuple(places), unit)
        a, b = unit.ratio, other.ratio
        if a != b:
            return ((1 - b) * a / (a - b), {other: 0}), ((1 - a) * b / (b - a), {unit: 0})
    return None


def absorbed(forks: Sequence[Mapping[Any, Fraction]], first: Any, pay: Callable[[int], None]) -> dict[Any, Fraction]:
    """How often each output comes, from the start on.

    States are taken in an order in which, but for cycles, each comes after all that lead to it. A state passes on its
    mass; one that can come back to itself does so with all that it passes on: it is divided by what does not stay. What
    leads back to a state that was taken leads to where that one leads.
    """
    mass: dict[Any, Fraction] = defaultdict(Fraction, {first: Fraction(1)})
    order = _forward(forks, first) if isinstance(first, int) else []
    laws = {state: dict(forks[state]) for state in order}
    place = {state: n for n, state in enumerate(order)}
    sources: dict[int, set[int]] = defaultdict(set)
    for state in order:
        for to in laws[state]:
            if isinstance(to, int):
                sources[to].add(state)
    for state in order:
        law = laws[state]
        stays = law.pop(state, Fraction(0))
        if stays == 1:
            raise NotRead("it may never end, with a probability above 0")
        law = {to: p / (1 - stays) for to, p in law.items()}
        passed = mass.pop(state)
        pay(len(law) * (1 + passed.denominator.bit_length() // 64))
        for to, p in law.items():
            mass[to] += passed * p
        for later in sources[state]:
            if place[later] > place[state]:
                back = laws[later].pop(state)
                for to, p in law.items():
                    laws[later][to] = laws[later].get(to, Fraction(0)) + back * p
                    if isinstance(to, int):
                        sources[to].add(later)
    return {key: p for (key,), p in mass.items()}


def _forward(forks: Sequence[Mapping[Any, Fraction]], first: int) -> list[int]:
    """The states, each before those to which it leads, but for cycles."""
    done: list[int] = []
    seen = {first}
    waiting: list[tuple[int, Iterator[Any]]] = [(first, iter(forks[first]))]
    while waiting:
        state, rest = waiting[-1]
        to = next((x for x in rest if isinstance(x, int) and x not in seen), None)
        if to is None:
            done.append(state)
            waiting.pop()
        else:
            seen.add(to)
            waiting.append((to, iter(forks[to])))
    return done[::-1]
