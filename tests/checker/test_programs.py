"""The checker's programs against Python itself: each function here is read as a text, and run on every path.

`on_every_path` is the oracle: it calls the function with a generator that repeats a list of choices and goes on with
the first ones, until all lists of choices have been tried. Nothing merges there.
"""

from __future__ import annotations

import inspect
import math
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
import random_programs
from examined import at_least_one
from python_programs import NOISY, TOGETHER

from verifier.checker import numbers, program_laws, programs
from verifier.checker.models import Model
from verifier.errors import PkdpError
from verifier.model import loads

pytestmark = pytest.mark.quick
F = Fraction


WINDOW = 10
"""Noise that is not cut off is clamped there by the oracle, which errs by at most r^WINDOW for each."""


class Choices:
    """A generator that makes these choices, then the first ones; it counts how many there were."""

    def __init__(self, choices: list[int]) -> None:
        self.choices, self.p = choices, Fraction(1)
        self.widths: list[int] = []

    def draw(self, law: list[tuple[Any, Any]]) -> Any:
        law = [(F(p), value) for p, value in law if F(p)]
        at = self.choices[len(self.widths)] if len(self.widths) < len(self.choices) else 0
        self.widths.append(len(law))
        self.p *= law[at][0]
        return law[at][1]

    def flip(self, p: Any) -> Any:
        return self.draw([(p, True), (1 - F(p), False)])

    def uniform(self, values: Any) -> Any:
        return self.draw([(F(1, len(values)), v) for v in values])

    def choice(self, table: Any) -> Any:
        return self.draw([(p, v) for v, p in table.items()])

    def randint(self, a: int, b: int) -> Any:
        return self.uniform(range(a, b + 1))

    def binomial(self, n: int, p: Any) -> Any:
        return sum(self.flip(p) for _ in range(n))

    def permutation(self, values: Any) -> Any:
        return self.uniform([list(order) for order in permutations(values)])

    def sample(self, values: Any, k: int) -> Any:
        return self.uniform([list(order) for order in permutations(values, k)])

    def geometric_noise(self, r: Any, low: int = -WINDOW, high: int = WINDOW) -> Any:
        r = F(r)
        law = {k: (1 - r) / (1 + r) * r ** abs(k) for k in range(low + 1, high)}
        return self.draw([(r**-low / (1 + r), low), *((p, k) for k, p in law.items()), (r**high / (1 + r), high)])

    def exponential_mechanism(self, scores: Any, base: Any) -> Any:
        weights = [F(base) ** s for s in scores]
        return self.draw([(w / sum(weights), n) for n, w in enumerate(weights)])

    choose, shuffle, geometric, exponential = choice, permutation, geometric_noise, exponential_mechanism


def on_every_path(function: Callable[..., Any], *given: Any) -> dict[str, Fraction]:
    """The law of what a Python function returns."""
    law: dict[str, Fraction] = defaultdict(Fraction)
    choices: list[int] | None = []
    while choices is not None:
        path = Choices(choices)
        output = function(*given, path)
        law[numbers.label(output)] += path.p
        done = [*choices, *[0] * (len(path.widths) - len(choices))]
        last = next((n for n in reversed(range(len(done))) if done[n] + 1 < path.widths[n]), None)
        choices = None if last is None else [*done[:last], done[last] + 1]
    return dict(law)


def text_of(*functions: Callable[..., Any]) -> str:
    return "\n".join(textwrap.dedent(inspect.getsource(f)) for f in functions)


def read(text: str, *given: Any) -> dict[str, Fraction]:
    """The law of what the checker reads."""
    law: dict[str, Fraction] = defaultdict(Fraction)
    for key, p in programs.Program(text).law(*given).items():
        law[program_laws.labelled(programs.Reader().read(key))] += p
    return {o: p for o, p in law.items() if p}


@pytest.mark.parametrize("functions", TOGETHER, ids=[f[-1].__name__ for f in TOGETHER])
@pytest.mark.parametrize("db", [(0, 1), (2, 1, 1)], ids=str)
def test_a_program_means_what_it_means_in_python(
    functions: tuple[Callable[..., Any], ...], db: tuple[int, ...]
) -> None:
    text = text_of(*functions)
    assert read(text, db) == on_every_path(functions[-1], db)


RULES = tomllib.loads((Path(__file__).parents[1] / "programs" / "rules.toml").read_text(encoding="utf-8"))["rule"]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["name"])
def test_the_checker_keeps_each_rule(rule: dict[str, Any]) -> None:
    law = read(rule["program"], tuple(rule.get("on", [0])))
    assert law == {output: F(chance) for output, chance in rule["law"].items()}


def by_both(text: str) -> Iterator[tuple[dict[str, Fraction] | None, dict[str, Fraction] | None]]:
    """The laws of a program on each pair of bits by the program and by the checker; None where one does not read it."""
    for row in product((0, 1), repeat=2):
        file = f"size = 2\nvalues = [0, 1]\n[mechanism]\nprogram = '''\n{text}\n'''\n"
        try:
            made = loads(file).mechanism.law(row)
            one = {o.text: F(w, made.denominator) for o, w in made.items() if w}
        except PkdpError:
            one = None
        try:
            other = Model(file).mechanism.law(tuple(map(str, row))).chances()
        except numbers.BeyondLimits:
            other = None
        yield one, other


@pytest.mark.parametrize("seed", range(40))
def test_program_and_checker_read_a_random_program_alike(seed: int) -> None:
    for one, other in at_least_one(by_both(random_programs.Writer(seed).program())):
        assert one == other


# --- noise that is not cut off ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", NOISY, ids=[f.__name__ for f in NOISY])
def test_noise_is_within_what_a_long_window_leaves_open(function: Callable[..., Any]) -> None:
    exact, cut = read(text_of(function), (0, 1)), on_every_path(function, (0, 1))
    assert sum(exact.values()) == 1
    assert exact.keys() == cut.keys()
    assert all(abs(exact[o] - cut[o]) <= 2 * F(1, 3) ** WINDOW for o in cut)


PUBLISHED = {
    "def m(db, rng):\n    a, b, c = [rng.geometric('1/2') for i in range(3)]\n"
    "    return a >= b and b >= c and a >= c + 2": {
        "true": F(31, 189), "false": F(158, 189)},
    "def m(db, rng):\n    t = 1 + rng.geometric('1/3')\n    for n, x in enumerate(db):\n"
    "        if x + rng.geometric('1/5') >= t:\n            return n\n    return 'none'": {
        "0": F(13, 42), "1": F(935, 9324), "none": F(5503, 9324)},
    "def m(db, rng):\n    while True:\n        x = rng.geometric('1/2')\n"
    "        if 0 <= x <= 2:\n            return x": {
        "0": F(4, 7), "1": F(2, 7), "2": F(1, 7)},
    "def m(db, rng):\n    return rng.geometric('1/2') % 7": {
        str(k): F(x, 127) for k, x in enumerate((43, 22, 12, 8, 8, 12, 22))},
}  # fmt: skip
"""Numbers that others found by other ways."""


@pytest.mark.parametrize("text", PUBLISHED)
def test_noise_and_loops_have_the_numbers_that_others_found(text: str) -> None:
    assert read(text, (0, 0)) == PUBLISHED[text]


def conjunctions() -> Iterator[tuple[list[str], str, str]]:
    """Inequalities between noises, and one more with its opposite."""
    for a, b, c in product((-1, 0, 2), (0, 1), (-2, 1)):
        known = [f"x - y >= {a}", f"z - x >= {-b}", f"y + z <= {c + 1}"]
        yield known[: 1 + abs(a)], f"y - z >= {c}", f"z - y >= {1 - c}"


@pytest.mark.parametrize("case", list(conjunctions()), ids=str)
def test_an_inequality_and_its_opposite_share_what_is_known(case: tuple[list[str], str, str]) -> None:
    known, one, opposite = case

    def chance(*tests: str) -> Fraction:
        draws = "    x, y, z = rng.geometric('1/2'), rng.geometric('2/3'), rng.geometric('1/2')\n"
        return read(f"def m(db, rng):\n{draws}    return {' and '.join(tests)}", ()).get("true", F(0))

    assert chance(*known, one) + chance(*known, opposite) == chance(*known)


# --- what a file says -------------------------------------------------------------------------------------------------

NOISY_COUNT = """
size = 2
values = [0, 1]
[mechanism]
program = '''
def m(db, rng):
    return sum(db) + rng.geometric("1/2")
'''
"""


def test_a_noisy_number_that_is_returned_ends_in_two_tails() -> None:
    law = Model(NOISY_COUNT).mechanism.law(("0", "1"))
    assert law.chances() == {"< 0": F(1, 3) / 2, "0": F(1, 6), "1": F(1, 3), "2": F(1, 6), "> 2": F(1, 6)}
    assert set(law.counts) == set(Model(NOISY_COUNT).mechanism.law(("1", "1")).counts)


@pytest.mark.parametrize("returned", ["max(x, y)", "[x, x]", "x / 2", "2 * x", "x if db else y"])
def test_what_has_tails_of_several_terms_is_not_merged(returned: str) -> None:
    text = NOISY_COUNT.replace(
        "return sum(db)", f"x, y = rng.geometric('1/2'), rng.geometric('1/3')\n    return {returned}\n    return 0"
    )
    model = Model(text.replace("size = 2", "size = [0, 1]"))
    with pytest.raises(numbers.BeyondLimits):
        [model.mechanism.law(d) for d in model.databases()]


def in_a_function(*lines: str) -> str:
    return "\n    ".join(("def m(db, rng):", *lines))


HOSTILE = [
    "",
    "x = 1",
    "import os\ndef m(db, rng):\n    return 1",
    in_a_function("return __import__('os').system('true')"),
    in_a_function("return db.__class__"),
    in_a_function("return rng.pay(-9)"),
    in_a_function("return rng._chance('1')"),
    in_a_function("return rng.draws"),
    in_a_function("return (lambda: 1)()"),
    in_a_function("return open('x')"),
    in_a_function("return f'{db}'"),
    in_a_function("return '%s' % 1"),
    in_a_function("return db.sort()"),
    in_a_function("while True:", "    pass"),
    in_a_function("while True:", "    rng.flip('1/2')"),
    in_a_function("t = (1,)", "for i in range(60):", "    t = (t, t)", "return t == t"),
    in_a_function("t = [1]", "for i in range(60):", "    t = [t, t]", "return [t]"),
    in_a_function("x = 2", "for i in range(60):", "    x = x * x", "return x"),
    in_a_function("return 2 ** 10 ** 9"),
    in_a_function("return 2 ** -(10 ** 9)"),
    in_a_function("return 'a' * 10 ** 9"),
    in_a_function("return [0] * 10 ** 9"),
    in_a_function("return list(range(10 ** 30))"),
    in_a_function("return sum(range(10 ** 9))"),
    in_a_function("return rng.randint(0, 10 ** 9)"),
    in_a_function("return rng.binomial(10 ** 9, '1/2')"),
    in_a_function("return rng.permutation(range(30))"),
    in_a_function("return [rng.flip('1/2') for i in range(40)]"),
    in_a_function("return rng.geometric('1/2', -10 ** 9, 10 ** 9)"),
    in_a_function("return rng.geometric('1/2') > 10 ** 9"),
    in_a_function("return rng.geometric('1/2') % 10 ** 9"),
    in_a_function("return rng.flip(1e999999999)"),
    in_a_function("return rng.flip('2')"),
    in_a_function("return rng.flip(True)"),
    in_a_function("return rng.choice({1: '1/3'})"),
    in_a_function("a = []", "a.append(a)", "return a == [a]"),
    in_a_function("return [x for x in {1, 2}]"),
    in_a_function("return m(db, rng)"),
    in_a_function("return " + "(" * 500 + "1" + ")" * 500),
    in_a_function("return " + "-" * 5000 + "1"),
    in_a_function("return " + "+".join("1" * 3000)),
    in_a_function("return 1" + "0" * 100_000),
    in_a_function("return {rng.geometric('1/2'): 1}"),
    in_a_function("e = enumerate(db)", "return list(e) + list(e)"),
    in_a_function("return None"),
    in_a_function("return rng"),
    in_a_function("return 1 / 0"),
    in_a_function("return unknown"),
    "def m(db, rng, more):\n    return 1",
    "def m(db, rng=1):\n    return 1",
    "@open\ndef m(db, rng):\n    return 1",
    "class m:\n    pass",
    "def m(db, rng):\n  return 1\n return 2",
    "def m(db, rng):\n    return \0",
]


@pytest.mark.parametrize("text", HOSTILE, ids=[t[:60] for t in HOSTILE])
def test_what_the_checker_does_not_read_is_beyond_its_limits(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_STEPS", 100_000)
    with pytest.raises(numbers.BeyondLimits):
        read(text, (0, 1))


def test_what_nothing_reads_makes_no_state() -> None:
    """Draws whose values are dead, or that are only counted, stay few states."""
    program = programs.Program(
        "def m(db, rng):\n    n = 0\n    for i in range(12):\n"
        "        x = rng.randint(0, 9)\n        n += x > 4\n    return n % 2"
    )
    law = program.law(())
    assert len(law) == 2
    assert len(program.forks) < 100
    assert math.prod(law.values()) == F(1, 4)
