"""Rules under which counts are published: what the checker says of section 3's twelve people, and of every database.

The values of `KNOWN` were found by two codes that share nothing with the checker. `learnt` is a third one: it walks
through all databases, and adds up what is published on each by a rule that is written out here.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import verifier
from verifier.checker.comparisons import Asked
from verifier.checker.definitions import DEFINITIONS
from verifier.checker.judge import Decision
from verifier.checker.models import Model
from verifier.checker.number_text import epsilon_of
from verifier.checker.numbers import BeyondLimits, Wrong
from verifier.checker.rules import NAMED, rule_of, steps_in_words
from verifier.checker.steps import Step
from verifier.checker.sums import SUMS

pytestmark = pytest.mark.quick
F = Fraction
Law = Mapping[Any, Fraction]

A = ("[ { i = 0, j = 0, p = 1 }, { i = 1, j = 0, p = '1/2' }, { i = 1, j = 2, p = '1/2' }, "
     "{ i = 2, j = 1, p = '1/4' }, { i = 2, j = 2, p = '1/2' }, { i = 2, j = 3, p = '1/4' } ]")  # fmt: skip
HIDE_9 = "{ kind = 'hide', from = 0, to = 9 }"
HIDE_7 = "{ kind = 'hide', below = 8, zero = 'hidden' }"
BASE_5 = "{ kind = 'round', base = 5 }"
STEPS = {
    "exact count": "",
    "show above 10": "{ kind = 'hide', from = 0, to = 10 }",
    "hide 1-9": "{ kind = 'hide', below = 10, zero = 'shown' }",
    "hide 0-9": HIDE_9,
    "ONS 10-5": f"{HIDE_9}, {BASE_5}",
    "hide 0-7, base 5": f"{HIDE_7}, {BASE_5}",
    "hide 1-7, base 5": "{ kind = 'hide', from = 1, to = 7 }, " + BASE_5,
    "midpoint 6": "{ kind = 'midpoint', base = 6 }",
    "base 5": BASE_5,
    "random base 3": "{ kind = 'random-round', base = 3 }",
    "random base 5": "{ kind = 'random-round', base = 5 }",
    "p-table A": f"{{ kind = 'cell-key', table = {A} }}",
    "top-code at 8": "{ kind = 'top-code', at = 8 }",
}
KNOWN = [
    ("exact count", "fresh", "19/256", "19/256", "161/25", "1", "1"),
    ("show above 10", "fresh", "5/1024", "7/256", "1", "3/512", "9/256"),
    ("hide 1-9", "fresh", "43/2048", "19/256", "463/100", "17/512", "37/256"),
    ("hide 0-9", "fresh", "43/2048", "19/256", "463/100", "67/2048", "37/256"),
    ("ONS 10-5", "fresh", "43/2048", "19/256", "1163/300", "55/2048", "7/64"),
    ("hide 0-7, base 5", "fresh", "121/2048", "19/256", "622/175", "165/1024", "35/128"),
    ("hide 1-7, base 5", "fresh", "121/2048", "19/256", "622/175", "331/2048", "35/128"),
    ("midpoint 6", "fresh", "19/512", "19/256", "1847/750", "463/2048", "35/128"),
    ("base 5", "fresh", "121/2048", "19/256", "1163/300", "385/2048", "35/128"),
    ("random base 3", "fresh", "39/1024", "15/256", "11989/4100", "171/2048", "103/1152"),
    ("random base 3", "kept", "39/1024", "15/256", "11989/4100", "1877/4608", "235/576"),
    ("random base 5", "fresh", "25/1024", "23/640", "2343/860", "1343/51200", "63/1600"),
    ("random base 5", "kept", "25/1024", "23/640", "2343/860", "567/1600", "631/1600"),
    ("p-table A", "fresh", "1/16", "1/16", "8252/1975", "835/4096", "839/4096"),
    ("p-table A", "kept", "1/16", "1/16", "8252/1975", "6143/8192", "3/4"),
    ("top-code at 8", "fresh", "19/256", "19/256", "161/25", "227/256", "255/256"),
]


# --- by hand: every database, and rules that are written out ----------------------------------------------------------


def point(function: Callable[[int], Any]) -> Callable[[int], Law]:
    return lambda c: {function(c): F(1)}


def up_or_down(base: int) -> Callable[[int], Law]:
    def law(c: int) -> Law:
        both = {c - c % base: 1 - F(c % base, base), c - c % base + base: F(c % base, base)}
        return {o: p for o, p in both.items() if p}

    return law


def with_keys(c: int) -> Law:
    noise = [{0: F(1)}, {-1: F(1, 2), 1: F(1, 2)}, {-1: F(1, 4), 0: F(1, 2), 1: F(1, 4)}][min(c, 2)]
    return {c + d: p for d, p in noise.items()}


def base5(c: int) -> int:
    return (c + 2) // 5 * 5


BY_HAND: dict[str, Callable[[int], Law]] = {
    "exact count": point(lambda c: c),
    "show above 10": point(lambda c: c if c > 10 else "*"),
    "hide 1-9": point(lambda c: c if c > 9 or c == 0 else "*"),
    "hide 0-9": point(lambda c: c if c > 9 else "*"),
    "ONS 10-5": point(lambda c: base5(c) if c > 9 else "*"),
    "hide 0-7, base 5": point(lambda c: base5(c) if c > 7 else "*"),
    "hide 1-7, base 5": point(lambda c: base5(c) if c > 7 or c == 0 else "*"),
    "midpoint 6": point(lambda c: [0, 3, 3, 3, 3, 3, 3, 9, 9, 9, 9, 9, 9][c]),
    "base 5": point(base5),
    "random base 3": up_or_down(3),
    "random base 5": up_or_down(5),
    "p-table A": with_keys,
    "top-code at 8": point(lambda c: c if c < 8 else "8+"),
}


def published(sets: Sequence[Iterable[int]], rule: Callable[[int], Law], noise: str) -> Law:
    """The law of the rule on cells, each of which is the set of its records."""
    cells = [frozenset(one) for one in sets]
    kept = noise == "kept"
    drawn = list(dict.fromkeys(cells)) if kept else list(enumerate(cells))
    out: dict[Any, Fraction] = defaultdict(Fraction)
    for choice in product(*(rule(len(one if isinstance(one, frozenset) else one[1])).items() for one in drawn)):
        values = dict(zip(drawn, (o for o, _ in choice), strict=True))
        weight = F(1)
        for _, p in choice:
            weight *= p
        out[tuple(values[one if kept else (n, one)] for n, one in enumerate(cells))] += weight
    return out


def learnt(law: Callable[[tuple[int, ...]], Law], size: int, known: int, t: Fraction) -> tuple[Fraction, Fraction]:
    """δ at e^ε = t, passive and active, of the last of people who say yes with probability 1/2; from all databases."""
    given: dict[object, list[defaultdict[Any, Fraction]]] = defaultdict(lambda: [defaultdict(F), defaultdict(F)])
    for d in product((0, 1), repeat=size):
        for o, p in law(d).items():  # each database has the same probability
            given[d[:known]][d[-1]][o] += p
    deltas = [
        [sum((max(F(0), x - t * two[1 - a][o]) for o, x in two[a].items()), F(0)) for a in (0, 1)]
        for two in given.values()
    ]
    others = 2 ** (size - 1)
    return max(sum(column) for column in zip(*deltas, strict=True)) / others, max(map(max, deltas)) * 2**known / others


# --- the checker ------------------------------------------------------------------------------------------------------


def text_of(mechanism: str, size: int = 12, known: int = 3, p: str = "1/2", more: str = "") -> str:
    """A model of people who say yes with probability p; she is the last one."""
    return f"""
size = {size}
values = ["no", "yes"]
[people]
her = {{ from = {size - 1}, to = {size - 1} }}
{more}
[[distribution]]
iid = {{ no = "{1 - F(p)}", yes = "{p}" }}
[knowledge]
records = {list(range(known))}
[sensitive]
records = [{size - 1}]
[mechanism]
kind = "tables"
{mechanism}
"""


ONE = '{ cells = ["yes"] }'
TWO = f'{ONE}, {{ cells = ["yes"], without = ["her"] }}'


def tables(then: str, noise: str = "", of: str = ONE) -> str:
    said = f"noise = '{noise}'" if noise else ""
    return f"then = [ {then} ]\n{said}\ntables = [ {of} ]"


def decided(text: str, key: str, epsilon: str = "ln(2)", delta: str = "0") -> Decision:
    return Decision(Asked(Model(text)), DEFINITIONS[key], epsilon_of(epsilon), F(delta))


@pytest.mark.parametrize(("name", "noise", "passive", "active", "growth", "both_passive", "both_active"), KNOWN)
def test_twelve_people(
    name: str, noise: str, passive: str, active: str, growth: str, both_passive: str, both_active: str
) -> None:
    alone, both = text_of(tables(STEPS[name])), text_of(tables(STEPS[name], noise, TWO))
    for text, passively, actively in ((alone, passive, active), (both, both_passive, both_active)):
        assert str(decided(text, "ppkdp").tight_delta) == passively
        assert str(decided(text, "apkdp").tight_delta) == actively
    assert decided(alone, "ppkdp", delta="1/100").tight_epsilon == epsilon_of(f"ln({growth})")


@pytest.mark.parametrize("row", KNOWN, ids=lambda row: f"{row[0]}, {row[1]}")
def test_all_databases_say_so(row: tuple[str, ...]) -> None:
    name, noise, *deltas = row
    rule = BY_HAND[name]

    def both(d: tuple[int, ...]) -> Law:
        yes = [i for i, v in enumerate(d) if v]
        return published([yes, [i for i in yes if i < 11]], rule, noise)

    found = (*learnt(lambda d: rule(sum(d)), 12, 3, F(2)), *learnt(both, 12, 3, F(2)))
    assert [*map(str, found)] == deltas[:2] + deltas[3:]


AREAS = "north = { from = 0, to = 3 }"
NOISE = "{ kind = 'geometric-noise', p = '1/2' }"
HIDE_4 = "{ kind = 'hide', below = 5, zero = 'hidden' }"
BY = 'cells = ["yes"], by = ["north", "rest"]'
THREE = "first = { from = 0, to = 2 }\nsecond = { from = 3, to = 6 }"
BY_3 = 'cells = ["yes"], by = ["first", "second", "rest"]'
MORE = [
    (NOISE, "", ONE, "3/2", "16807/196608", "16807/196608"),
    (f"{NOISE}, {HIDE_4}", "", ONE, "3/2", "66869/1572864", "1643/24576"),
    (NOISE, "fresh", TWO, "3/2", "435443/4718592", None),
    (f"{NOISE}, {HIDE_4}", "fresh", TWO, "3/2", "407795/9437184", None),
]


@pytest.mark.parametrize(("then", "noise", "of", "growth", "passive", "active"), MORE)
def test_eight_people_and_noise(then: str, noise: str, of: str, growth: str, passive: str, active: str | None) -> None:
    text = text_of(tables(then, noise, of), 8, 2, "1/4")
    assert str(decided(text, "ppkdp", f"ln({growth})").tight_delta) == passive
    assert active is None or str(decided(text, "apkdp", f"ln({growth})").tight_delta) == active


@pytest.mark.parametrize(("people", "of", "sizes", "passive", "active"), [
    (AREAS, BY, (4, 4), "27/64", "9/16"),
    (AREAS, f"{BY}, total = true", (4, 4), "4365/8192", "9/16"),
    (AREAS, f'{BY}, total = true, secondary = "smallest"', (4, 4), "4239/16384", "333/1024"),
    (THREE, BY_3, (3, 4, 3), "9/16", "3/4"),
    (THREE, f"{BY_3}, total = true", (3, 4, 3), "90393/131072", "3/4"),
    (THREE, f'{BY_3}, total = true, secondary = "smallest"', (3, 4, 3), "129501/262144", "2811/4096"),
])  # fmt: skip
def test_areas(people: str, of: str, sizes: tuple[int, ...], passive: str, active: str) -> None:
    last = [sum(sizes[: n + 1]) - 1 for n in range(len(sizes))]
    text = text_of(f"rule = 'hide 1 to 2'\ntables = [ {{ {of} }} ]", sum(sizes), 0, "1/4", people)
    text = text.replace("records = []", f"records = {last}").replace(f"records = [{last[-1]}]", "records = [0]")
    assert str(decided(text, "ppkdp").tight_delta) == passive
    assert str(decided(text, "apkdp").tight_delta) == active


def test_a_histogram_of_three_values() -> None:
    text = text_of("rule = 'hide below 3 with zero hidden'\ntables = [ { cells = ['a', 'b', 'c'] } ]", 8, 2)
    text = text.replace('["no", "yes"]', '["a", "b", "c"]')
    text = text.replace('{ no = "1/2", yes = "1/2" }', '{ a = "1/5", b = "3/10", c = "1/2" }')
    assert str(decided(text, "ppkdp").tight_delta) == "715193/2500000"
    assert str(decided(text, "apkdp").tight_delta) == "17221/50000"


SEXES = "men = { from = 0, to = 4 }\nnorth = [ { from = 0, to = 1 }, { from = 5, to = 7 } ]"
CROSSED = 'cells = ["yes"], by = [["men", "rest"], ["north", "rest"]]'
TOTALS = 'cells = ["no", "yes"], by = ["north", "rest"]'
OF_NOBODY = "{ rows = [ { input = 0, outputs = { a = '1/2', b = '1/2' } } ], otherwise = 'c' }"
LAWS: list[tuple[str, str, str, dict[str, str]]] = [
    # yes: 2 of 2 men in the north, 1 of 3 in the south; 3 of 3 women in the north, 0 of 2 in the south
    (f"then = []\ntables = [ {{ {CROSSED} }} ]", SEXES, "1110011100", {"[2,1,3,0]": "1"}),
    (f"then = []\ntables = [ {{ {CROSSED}, total = true }} ]", SEXES, "1110011100", {"[2,1,3,3,0,3,5,1,6]": "1"}),
    (
        f"rule = 'hide 1 to 2'\ntables = [ {{ {CROSSED}, total = 'rule' }} ]", SEXES, "1110011100",
        {'["*","*",3,3,0,3,5,"*",6]': "1"},
    ),
    # the men of the south are alone: in their line go the women of the south, then in each line of a sex the north
    (
        f"rule = 'hide 1 to 1'\ntables = [ {{ {CROSSED}, total = true, secondary = 'smallest' }} ]", SEXES,
        "1110011100", {'["*","*",3,"*","*",3,5,1,6]': "1"},
    ),
    (
        f"rule = 'hide 1 to 1'\ntables = [ {{ {CROSSED}, secondary = 'smallest' }} ]", SEXES, "1110011100",
        {'["*","*","*","*"]': "1"},
    ),
    (f"rule = 'secondary'\ntables = [ {{ {CROSSED} }} ]", SEXES, "1110011100", {'["*","*","*",0]': "1"}),
    (
        f"rule = 'hide 1 to 1'\ntables = [ {{ {CROSSED}, secondary = 'next-smallest', up-to = 1 }} ]", SEXES,
        "1110011100", {'["*","*",3,0]': "1"},
    ),
    (
        f"rule = 'hide 1 to 1'\ntables = [ {{ {CROSSED}, secondary = 'next-smallest', up-to = 0 }} ]", SEXES,
        "1110011100", {'[2,"*",3,0]': "1"},
    ),
    (f"then = []\ntables = [ {{ {CROSSED}, remainder = 3 }} ]", SEXES, "1110011100", {'["*","*",3,"*",3]': "1"}),
    (f"then = []\ntables = [ {{ {CROSSED}, remainder = 4 }} ]", SEXES, "1110011100", {'["*","*","*","*",6]': "1"}),
    (f"then = []\ntables = [ {{ {CROSSED}, remainder = 2 }} ]", SEXES, "0001100000", {'["*",2,"*","*",0]': "1"}),
    (
        f"then = []\ntables = [ {{ {TOTALS}, total = true }}, {{ without = ['men'] }} ]", SEXES, "1110011100",
        {"[0,5,5,4,1,5,4,6,10,2,3]": "1"},
    ),
    ('then = []\ntables = [ { cells = ["yes"], total = true } ]', "", "0110", {"[2,2]": "1"}),
    ('then = []\ntables = [ { cells = ["yes"] } ]', "", "0110", {"2": "1"}),
    (
        tables(STEPS["random base 3"], "kept", f"{TWO}, {{ without = ['men'] }}"), "men = { from = 0, to = 0 }",
        "0110", {"[0,0,0]": "1/3", "[3,3,3]": "2/3"},
    ),
    (
        tables(STEPS["random base 3"], "kept", f"{TWO}, {{ without = ['men'] }}"), "men = { from = 0, to = 0 }",
        "1100", {"[0,0,0]": "2/9", "[0,0,3]": "1/9", "[3,3,0]": "4/9", "[3,3,3]": "2/9"},
    ),
    (
        tables(OF_NOBODY, "kept", '{ cells = ["yes"], by = ["her", "rest"], total = "rule" }'), "",
        "0000", {'["a","a","a"]': "1/2", '["b","b","b"]': "1/2"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("mechanism", "people", "database", "law"), LAWS)
def test_what_a_database_publishes(mechanism: str, people: str, database: str, law: dict[str, str]) -> None:
    model = Model(text_of(mechanism, len(database), 0, more=people))
    answers = ["yes" if digit == "1" else "no" for digit in database]
    found = model.mechanism.law(model.database(answers))
    assert {o: str(p) for o, p in found.chances().items()} == law


KEYS = [
    f"{{ pcv = {count}, ckey = {key}, pvalue = {noise} }}"
    for count, two in ((1, (-1, 1)), (2, (0, 2)), (3, (-3, -3)))
    for key, noise in enumerate(two)
]
STEPS_ALONE: list[tuple[str, dict[str, dict[str, str]]]] = [
    ("{ kind = 'hide', from = -1, to = 2 }", {"-2": {"-2": "1"}, "-1": {"*": "1"}, "2": {"*": "1"}, "3": {"3": "1"}}),
    ("{ kind = 'hide', below = 2, zero = 'shown' }", {"-1": {"*": "1"}, "0": {"0": "1"}, "2": {"2": "1"}}),
    ("{ kind = 'hide', below = 1, zero = 'hidden' }", {"-1": {"*": "1"}, "0": {"*": "1"}, "7+": {"7+": "1"}}),
    ("{ kind = 'round', base = 10, ties = 'up' }", {"5": {"10": "1"}, "15": {"20": "1"}, "4": {"0": "1"}}),
    ("{ kind = 'round', base = 10, ties = 'down' }", {"5": {"0": "1"}, "15": {"10": "1"}, "⊥": {"⊥": "1"}}),
    ("{ kind = 'round', base = 10, ties = 'even' }", {"5": {"0": "1"}, "15": {"20": "1"}, "7+": {"7+": "1"}}),
    ("{ kind = 'round', base = '1/2' }", {"3/5": {"1/2": "1"}, "[1,*]".replace("*", '"*"'): {'[1,"*"]': "1"}}),
    ("{ kind = 'midpoint', base = 5 }", {"0": {"0": "1"}, "1": {"3": "1"}, "5": {"3": "1"}, "6": {"8": "1"}}),
    ("{ kind = 'midpoint', base = 1 }", {"0": {"0": "1"}, "4": {"4": "1"}}),
    ("{ kind = 'random-round', base = 4 }", {"3": {"0": "1/4", "4": "3/4"}, "-1": {"-4": "1/4", "0": "3/4"}}),
    ("{ kind = 'top-code', at = 3 }", {"2": {"2": "1"}, "3": {"3+": "1"}, '[9,"*",1]': {'["3+","*",1]': "1"}}),
    (
        "{ kind = 'bands', bands = [ { from = 1, to = 9, base = 3 }, { from = 10, base = 10 } ], ties = 'down' }",
        {"0": {"0": "1"}, "4": {"3": "1"}, "9": {"9": "1"}, "15": {"10": "1"}, "96": {"100": "1"}},
    ),
    (
        f"{{ kind = 'cell-key', table = [ {', '.join(KEYS)} ], rows-reused-from = 2 }}",
        {
            "0": {"0": "1"}, "1": {"0": "1/2", "2": "1/2"}, "2": {"2": "1/2", "4": "1/2"}, "3": {"0": "1"},
            "4": {"4": "1/2", "6": "1/2"}, "5": {"2": "1"}, "7": {"4": "1"},
        },
    ),
    (f"{{ kind = 'cell-key', table = {A} }}", {"7": {"6": "1/4", "7": "1/2", "8": "1/4"}, "0": {"0": "1"}}),
    ("{ kind = 'clamp', low = 1, high = 2 }", {"0": {"1": "1"}, "*": {"*": "1"}, "7+": {"7+": "1"}}),
    ("{ kind = 'mod', base = 3 }", {"5": {"2": "1"}, "*": {"*": "1"}}),
    (NOISE, {"*": {"*": "1"}, "⊥": {"⊥": "1"}, "7+": {"7+": "1"}}),
]  # fmt: skip


@pytest.mark.parametrize(("step", "laws"), STEPS_ALONE)
def test_what_a_step_makes_of_an_output(step: str, laws: dict[str, dict[str, str]]) -> None:
    (channel,) = Model(text_of(tables(step))).mechanism.steps
    assert {o: {x: str(p) for x, p in channel.law(o).chances().items()} for o in laws} == laws


REFUSED = [
    ("{ kind = 'hide', from = 2, to = 1 }", "3", "from ≤ to"),
    ("{ kind = 'hide', below = 2 }", "3", "shown or hidden"),
    ("{ kind = 'hide', below = 0, zero = 'hidden' }", "3", "from 1"),
    ("{ kind = 'hide', below = 2, zero = 'shown' }", "1/2", "no count"),
    ("{ kind = 'hide', below = 2, zero = 'shown' }", "many", "no count"),
    ("{ kind = 'hide', from = 1, to = 2, zero = 'shown' }", "3", "below"),
    ("{ kind = 'round', base = 10 }", "3", "no word for ties"),
    ("{ kind = 'round', base = 5 }", "5/2", "no word for ties"),
    ("{ kind = 'round', base = 5, ties = 'near' }", "5", "up, down or even"),
    ("{ kind = 'midpoint', base = 5 }", "-1", "from 0"),
    ("{ kind = 'midpoint', base = 0 }", "1", "from 1"),
    ("{ kind = 'top-code', at = 0 }", "1", "from 1"),
    ("{ kind = 'bands', bands = [ { from = 1, to = 9, base = 3 } ] }", "10", "no band"),
    ("{ kind = 'bands', bands = [ { from = 1, base = 3 }, { from = 9, base = 3 } ] }", "10", "to is None"),
    ("{ kind = 'bands', bands = [ { from = 1, to = 9, base = 3 }, { from = 9, base = 3 } ] }", "10", "from 10"),
    ("{ kind = 'bands', bands = [ { from = 1, to = 9, base = 3 }, { from = 10, base = 2 } ] }", "1", "no word for"),
    ("{ kind = 'cell-key', table = [ { i = 0, j = 0, p = 1 }, { i = 2, j = 2, p = 1 } ] }", "1", "gap"),
    ("{ kind = 'cell-key', table = [ { i = 2, j = 2, p = 1 } ] }", "1", "gap"),
    ("{ kind = 'cell-key', table = [ { i = 0, j = 0, p = '1/2' } ] }", "1", "sum 1/2"),
    ("{ kind = 'cell-key', table = [ { i = 0, j = 0, p = '1/2' }, { i = 0, j = 0, p = '1/2' } ] }", "1", "once"),
    ("{ kind = 'cell-key', table = [ { pcv = 1, ckey = 1, pvalue = 0 } ] }", "1", "lacks a key"),
    ("{ kind = 'cell-key', table = [ { pcv = 1, ckey = 0, pvalue = -2 } ] }", "1", "publishes 1 as -1"),
    ("{ kind = 'cell-key', table = [ { pcv = 1, ckey = 0, pvalue = 0 } ], rows-reused-from = 2 }", "1", "reused"),
    ("{ kind = 'clamp', low = 1, high = 2 }", "7 or more", "no number"),
]


@pytest.mark.parametrize(("step", "output", "why"), REFUSED)
def test_a_step_refuses(step: str, output: str, why: str) -> None:
    (channel,) = Model(text_of(tables("{ kind = 'mod', base = 2 }"))).mechanism.steps
    with pytest.raises(Wrong, match=why):
        Step(tomllib.loads(f"step = {step}")["step"], channel.mechanism).law(output)


@pytest.mark.parametrize(("mechanism", "why"), [
    ("rule = 'hide 0 to 9'\nthen = []\ntables = [ { cells = ['yes'] } ]", "one of rule and then"),
    ("rule = ''\ntables = [ { cells = ['yes'] } ]", "rule is"),
    ("rule = 'hide 0 to nine'\ntables = [ { cells = ['yes'] } ]", "in words"),
    ("rule = 'hide 0 to 9 then round to base 5'\ntables = [ { cells = ['yes'] } ]", "in words"),
    ("then = []\ntables = [ { cells = ['yes'], within = 'her' } ]", "no key 'within'"),
    ("then = []\ntables = [ { without = ['her'] } ]", "cells are"),
    ("then = []\ntables = [ { cells = ['maybe'] } ]", "values of the file"),
    ("then = []\ntables = [ { cells = ['yes'], without = ['him'] } ]", "no name 'him'"),
    ("then = []\ntables = [ { cells = ['yes'], by = ['her'] } ]", "each person of the table is once"),
    ("then = []\ntables = [ { cells = ['yes'], by = ['her', 'rest', 'rest'] } ]", "each person of the table is once"),
    ("then = []\ntables = [ { cells = ['yes'], total = 'yes' } ]", "total is yes"),
    ("then = []\ntables = [ { cells = ['yes'], secondary = 'largest' } ]", "secondary is largest"),
    ("then = []\ntables = [ { cells = ['yes'], up-to = 3 } ]", "secondary is None"),
    (tables(STEPS["random base 3"], "", TWO), "a rule is random"),
    (tables(STEPS["random base 3"], "some", TWO), "noise is some"),
    (tables(NOISE, "kept", TWO), "kept noise has a tail"),
    (f"rule = 'fixed-random-round'\nnoise = 'fresh'\ntables = [ {TWO} ]", "noise is fresh"),
])  # fmt: skip
def test_tables_are_refused(mechanism: str, why: str) -> None:
    with pytest.raises(Wrong, match=why):
        decided(text_of(mechanism), "dp")


def test_a_hidden_tail_of_noise_is_hidden_as_a_whole() -> None:
    step = Model(text_of(tables(f"{NOISE}, {HIDE_4}"))).mechanism.steps[1]
    assert [step.law(o).chances() for o in ("< 0", "> 12")] == [{"*": 1}, {"> 12": 1}]
    for tail in ("> 2", "< 7"):
        with pytest.raises(BeyondLimits, match="is given the tail"):
            step.law(tail)


def test_a_hundred_people_in_twelve_digits() -> None:
    """Section 3, on the right."""
    for then, passive, active in ((STEPS["ONS 10-5"], 7487173787, 53745186817), (BASE_5, 45044192128, 53745186817)):
        text = text_of(tables(then), 100, 10, "1/20")
        for key, digits in (("ppkdp", passive), ("apkdp", active)):
            delta = decided(text, key).tight_delta
            assert delta is not None
            low, high = delta.bounds(64)
            assert low == high
            assert abs(low * 10**12 - digits) < F(1, 2)


IN_WORDS: list[tuple[str, list[dict[str, Any]]]] = [
    ("hide 0 to 9", [{"kind": "hide", "from": 0, "to": 9}]),
    ("Hide  below 5 , then midpoint 6", [
        {"kind": "hide", "below": 5, "zero": "hidden"}, {"kind": "midpoint", "base": 6}]),
    ("hide below 5, zero shown, then round to base 5/2 halves even", [
        {"kind": "hide", "below": 5, "zero": "shown"}, {"kind": "round", "base": "5/2", "ties": "even"}]),
    ("hide below 5 with zero shown", [{"kind": "hide", "below": 5, "zero": "shown"}]),
    ("random rounding to base 3, then top-code at 15", [
        {"kind": "random-round", "base": 3}, {"kind": "top-code", "at": 15}]),
    ("bands 1-49:5 50+:25 halves up", [{
        "kind": "bands", "bands": [{"from": 1, "to": 49, "base": 5}, {"from": 50, "base": 25}], "ties": "up"}]),
    ("geometric noise 1/2", [{"kind": "geometric-noise", "p": "1/2"}]),
    ("ons-10-5", [{"kind": "hide", "from": 0, "to": 9}, {"kind": "round", "base": "5"}]),
    ("remainder-group", []),
]  # fmt: skip


@pytest.mark.parametrize(("words", "steps"), IN_WORDS)
def test_a_rule_in_words_is_these_steps(words: str, steps: list[dict[str, Any]]) -> None:
    assert rule_of({"rule": words}).steps == steps


@pytest.mark.parametrize("words", [
    "", "hide", "hide -1 to 5", "hide below 5 with zero", "round to base 5, midpoint 6", "midpoint 6 then midpoint 6",
    "bands 1-49:5 50+:25 " * 40 + "x", "cell keys FILE.csv", "threshold", "controlled-round", "midpoint 6, then ",
    "midpoint " + "9" * 19,
])  # fmt: skip
def test_other_words_are_refused(words: str) -> None:
    with pytest.raises(Wrong, match="in words"):
        steps_in_words(words)


def test_the_keys_are_those_of_the_program() -> None:
    """The program's list is data: `words` are the steps, and what belongs to each table and to the noise."""
    with (Path(verifier.__file__).parent / "model" / "rules.toml").open("rb") as file:
        rules = tomllib.load(file)["rule"]
    known = {one["key"]: (one["words"], one.get("noise"), one.get("table", {})) for one in rules if "words" in one}
    assert {key: (rule.words, rule.noise, dict(rule.of_a_table)) for key, rule in NAMED.items()} == known


def test_areas_of_many_people_are_refused_before_the_work_begins() -> None:
    people = "a = { from = 0, to = 99 }\nb = { from = 100, to = 199 }"
    text = text_of("rule = 'ons-10-5'\ntables = [ { cells = ['yes'], by = ['a', 'b', 'rest'] } ]", 300, 0, more=people)
    text = text.replace("records = []", "records = [0, 100, 200]")
    with pytest.raises(BeyondLimits, match="sums of several numbers"):
        list(SUMS[DEFINITIONS["ppkdp"].listing](Asked(Model(text))))
