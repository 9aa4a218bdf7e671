"""Tables of counts over named people: values of two other codes, and laws by a third one that lists the databases."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twin_laws import Twin

import verifier as pk
from verifier.model.mechanism import Mechanism
from verifier.model.write import toml_text
from verifier.tables import label

A: list[dict[str, Any]] = [
    *({"i": 0, "j": 0, "p": 1}, {"i": 1, "j": 0, "p": "1/2"}, {"i": 1, "j": 2, "p": "1/2"}),
    *({"i": 2, "j": 1, "p": "1/4"}, {"i": 2, "j": 2, "p": "1/2"}, {"i": 2, "j": 3, "p": "1/4"}),
]
BY_KEYS = [{"kind": "cell-key", "table": A}]
VALUES: list[tuple[Any, str | None, list[str], list[str]]] = [
    ([], None, ["19/256", "19/256", "ln(161/25)"], ["1", "1"]),
    ("hide below 11 with zero hidden", None, ["5/1024", "7/256", "0"], ["3/512", "9/256"]),
    ("hide 1 to 9", None, ["43/2048", "19/256", "ln(463/100)"], ["17/512", "37/256"]),
    ("hide 0 to 9", None, ["43/2048", "19/256", "ln(463/100)"], ["67/2048", "37/256"]),
    ("ons-10-5", None, ["43/2048", "19/256", "ln(1163/300)"], ["55/2048", "7/64"]),
    ("hide 0 to 7, then round to base 5", None, ["121/2048", "19/256", "ln(622/175)"], ["165/1024", "35/128"]),
    ("hide 1 to 7, then round to base 5", None, ["121/2048", "19/256", "ln(622/175)"], ["331/2048", "35/128"]),
    ("midpoint 6", None, ["19/512", "19/256", "ln(1847/750)"], ["463/2048", "35/128"]),
    ("round to base 5", None, ["121/2048", "19/256", "ln(1163/300)"], ["385/2048", "35/128"]),
    ("random rounding to base 3", "fresh", ["39/1024", "15/256", "ln(11989/4100)"], ["171/2048", "103/1152"]),
    ("random rounding to base 3", "kept", ["39/1024", "15/256", "ln(11989/4100)"], ["1877/4608", "235/576"]),
    ("random rounding to base 5", "fresh", ["25/1024", "23/640", "ln(2343/860)"], ["1343/51200", "63/1600"]),
    ("random rounding to base 5", "kept", ["25/1024", "23/640", "ln(2343/860)"], ["567/1600", "631/1600"]),
    (BY_KEYS, "fresh", ["1/16", "1/16", "ln(8252/1975)"], ["835/4096", "839/4096"]),
    (BY_KEYS, "kept", ["1/16", "1/16", "ln(8252/1975)"], ["6143/8192", "3/4"]),
    ("top-code at 8", None, ["19/256", "19/256", "ln(161/25)"], ["227/256", "255/256"]),
]
"""Twelve people, three of them known, p = 1/2: δ at ln(2), passive and active, and ε at 1/100; then of two tables."""


def twelve(rule: Any, noise: str | None, tables: list[dict[str, Any]]) -> pk.Model:
    """A model of twelve people; she is the last."""
    return pk.build(
        size=12,
        values=["no", "yes"],
        people={"her": {"from": 11, "to": 11}},
        distribution={"iid": {"no": "1/2", "yes": "1/2"}},
        knowledge={"records": {"from": 0, "to": 2}},
        sensitive={"records": [11]},
        mechanism={
            "kind": "tables",
            **({"rule": rule} if isinstance(rule, str) else {"then": rule}),
            **({"noise": noise} if noise and len(tables) > 1 else {}),
            "tables": tables,
        },
    )


@pytest.mark.parametrize(("rule", "noise", "one", "two"), VALUES, ids=[f"{row[0]} {row[1]}"[:40] for row in VALUES])
def test_what_is_learnt_of_one_of_twelve_people(rule: Any, noise: str | None, one: list[str], two: list[str]) -> None:
    cells = {"cells": ["yes"]}
    table, tables = twelve(rule, noise, [cells]), twelve(rule, noise, [cells, {**cells, "without": ["her"]}])
    found = [pk.check(table, key, epsilon="ln(2)") for key in ("ppkdp", "apkdp")]
    tightest = pk.check(table, "ppkdp", delta="1/100")
    assert [str(answer.tight_delta) for answer in found] + [str(tightest.tight_epsilon)] == one
    both = [pk.check(tables, key, epsilon="ln(2)") for key in ("ppkdp", "apkdp")]
    assert [str(answer.tight_delta) for answer in both] == two
    assert all(answer.replayed for answer in (*found, tightest, *both))


# --- laws of a database, by separate code -----------------------------------------------------------------------------


def nearest(count: int) -> Mapping[Any, Fraction]:
    return {min(range(0, 99, 3), key=lambda multiple: abs(multiple - count)): Fraction(1)}


def at_random(count: int) -> Mapping[Any, Fraction]:
    up = Fraction(count % 2, 2)
    return {place: chance for place, chance in ((count // 2 * 2, 1 - up), (count // 2 * 2 + 2, up)) if chance}


def with_keys(count: int) -> Mapping[Any, Fraction]:
    return {row["j"] + max(0, count - 2): Fraction(row["p"]) for row in A if row["i"] == min(count, 2)}


def shown(*hidden: int) -> Callable[[int], Mapping[Any, Fraction]]:
    return lambda count: {"*" if count in hidden else count: Fraction(1)}


RULES: dict[str, tuple[dict[str, Any], Callable[[int], Mapping[Any, Fraction]], bool]] = {
    "exact": ({"then": []}, shown(), False),
    "hide 1": ({"rule": "hide 1 to 1"}, shown(1), False),
    "hide 0 and 1": ({"rule": "hide below 2 with zero hidden"}, shown(0, 1), False),
    "base 3": ({"then": [{"kind": "round", "base": 3}]}, nearest, False),
    "random": ({"rule": "random rounding to base 2"}, at_random, True),
    "keys": ({"then": BY_KEYS}, with_keys, True),
}
"""Rules as a file has them, their laws, and whether they are random."""


@st.composite
def publications(draw: st.DrawFn) -> dict[str, Any]:
    """A model of a few people with tables of all forms; groups are any sets of records."""
    values = ["a", "b", "c"][: draw(st.integers(2, 3))]
    size = draw(st.integers(2, 4))
    people: dict[str, Any] = {}

    def named(name: str, records: set[int]) -> None:
        people[name] = [{"from": i, "to": i} for i in sorted(records)]

    some = st.sets(st.integers(0, size - 1), min_size=1, max_size=size - 1)
    for name in ("red", "tall"):
        named(name, draw(some))
    pale = set(range(size)) - {one["from"] for one in people["red"]}
    named("pale", pale)
    splits = [["red", "pale"], ["rest", "red"], ["tall", "rest"], ["rest"]]
    rule = draw(st.sampled_from(sorted(RULES)))
    tables: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 2))):
        table: dict[str, Any] = {}
        if number == 0 or draw(st.booleans()):
            table["cells"] = draw(st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True))
        if draw(st.booleans()):
            table["without"] = [draw(st.sampled_from(["red", "tall"]))]
        by = draw(st.lists(st.sampled_from(splits), max_size=2, unique_by=str))
        if by:
            table["by"] = by if len(by) > 1 or draw(st.booleans()) else by[0]
        table["total"] = draw(st.sampled_from([False, True, "rule"]))
        last: dict[str, Any] = draw(
            st.sampled_from(
                [{}, {}, {"secondary": "smallest"}, {"secondary": "next-smallest", "up-to": 2}, {"remainder": 2}]
            )
        )
        tables.append({**table, **last})
    mechanism: dict[str, Any] = {"kind": "tables", **RULES[rule][0], "tables": tables}
    if RULES[rule][2] and (len(tables) > 1 or tables[0]["total"] == "rule"):
        mechanism["noise"] = draw(st.sampled_from(["fresh", "kept"]))
    return {"rule": rule, "size": size, "values": values, "people": people, "mechanism": mechanism}


def by_hand(case: Mapping[str, Any], database: tuple[str, ...]) -> dict[str, Fraction]:
    """The law of what is published, in the words of the description of the file."""
    people = {name: {one["from"] for one in stretches} for name, stretches in case["people"].items()}
    law, noise = RULES[case["rule"]][1], case["mechanism"].get("noise")
    cells: list[tuple[int, tuple[Any, ...], frozenset[int], bool]] = []
    counted: list[str] = []
    for number, table in enumerate(case["mechanism"]["tables"]):
        counted = table.get("cells", counted)
        there = {i for i in range(len(database)) if not any(i in people[name] for name in table.get("without", []))}
        by = table.get("by", [])
        sides = [by] if by and isinstance(by[0], str) else by
        choices = []
        for side in sides:
            others = there.difference(*(people[name] for name in side if name != "rest"))
            choices.append([(name, others if name == "rest" else people[name] & there) for name in side])
        if len(counted) > 1 or not sides:
            choices.append([(v, {i for i in there if database[i] == v}) for v in counted])
        counting = {i for i in there if database[i] in counted}
        for choice in product(*([*side, *([("total", counting)] if table["total"] else [])] for side in choices)):
            held = frozenset(counting.intersection(*(who for _, who in choice)))
            total = any(name == "total" for name, _ in choice)
            cells.append((number, tuple(name for name, _ in choice), held, not total or table["total"] == "rule"))
    found: dict[str, Fraction] = {}
    for chance, drawn in draws([held for _, _, held, ruled in cells if ruled], law, kept=noise == "kept"):
        outcomes = iter(drawn)
        put_out = [next(outcomes) if ruled else len(held) for _, _, held, ruled in cells]
        published: list[Any] = []
        for number, table in enumerate(case["mechanism"]["tables"]):
            here = [k for k, cell in enumerate(cells) if cell[0] == number]
            published += finished(table, {cells[k][1]: (len(cells[k][2]), put_out[k]) for k in here})
        output = label(published if len(published) > 1 else published[0]).text
        found[output] = found.get(output, Fraction(0)) + chance
    return found


def draws(
    cells: list[frozenset[int]], law: Callable[[int], Mapping[Any, Fraction]], *, kept: bool
) -> Iterator[tuple[Fraction, list[Any]]]:
    """What each cell is published as, and how probable that is."""
    different = list(dict.fromkeys(cells)) if kept else cells
    for outcomes in product(*(law(len(held)).items() for held in different)):
        chance = Fraction(1)
        for _, p in outcomes:
            chance *= p
        of = {held: outcome for held, (outcome, _) in zip(different, outcomes, strict=True)}
        yield chance, [of[held] for held in cells] if kept else [outcome for outcome, _ in outcomes]


def finished(table: Mapping[str, Any], cells: dict[tuple[Any, ...], tuple[int, Any]]) -> list[Any]:
    """The table after secondary suppression, or with its remainder; cells are (count, published) by their places."""
    counts = {place: count for place, (count, _) in cells.items()}
    published = {place: outcome for place, (_, outcome) in cells.items()}
    inner = [place for place in cells if "total" not in place]
    if table.get("secondary") == "smallest":
        lines: dict[Any, list[tuple[Any, ...]]] = {}
        for side in range(len(next(iter(cells)))):
            for place in cells:
                if place[side] != "total":
                    lines.setdefault((side, *place[:side], None, *place[side + 1 :]), []).append(place)
        before = None
        while before != published:
            before = dict(published)
            for line in lines.values():
                if [published[place] for place in line].count("*") == 1 and len(line) > 1:
                    published[min((p for p in line if published[p] != "*"), key=counts.__getitem__)] = "*"
    elif table.get("secondary"):
        small = [counts[place] for place in inner if published[place] == "*"]
        larger = [counts[p] for p in inner if published[p] != "*" and counts[p] > table["up-to"]]
        if small and sum(small) <= table["up-to"] and larger:
            published |= {p: "*" for p in inner if published[p] != "*" and counts[p] == min(larger)}
    elif "remainder" in table:
        small = [counts[place] for place in inner if counts[place] < table["remainder"]]
        published |= {p: "*" for p in inner if counts[p] < table["remainder"]}
        rest = sum(small)
        return [*published.values(), "*" if 0 < rest < table["remainder"] else rest]
    return [*published.values()]


def laws(mechanism: Mechanism, database: tuple[int, ...]) -> Iterator[dict[str, Fraction]]:
    """The law of a database: by sets of its records, and by counts of atoms."""
    assert mechanism.statistic is not None
    for law in (mechanism.law(database), mechanism.statistic.law(database)):
        yield {output.text: law.probability(output) for output in law.outcomes}


@given(publications())
def test_random_tables_have_the_laws_that_other_code_finds(case: dict[str, Any]) -> None:
    keys = {key: case[key] for key in ("size", "values", "people", "mechanism")}
    try:
        made = pk.build(**keys).mechanism
    except pk.InputError as error:
        assert "nobody is in the table" in str(error)  # noqa: PT017 - of two names that are everybody
        return
    twin = Twin(case["mechanism"], case["values"], case["size"], people=case["people"])
    for row in product(range(len(case["values"])), repeat=case["size"]):
        database = tuple(case["values"][v] for v in row)
        wanted = by_hand(case, database)
        assert all(law == wanted for law in laws(made, row)), database
        assert twin.law(database) == wanted, database


@given(publications())
def test_tables_by_counts_are_tables_by_databases(case: dict[str, Any]) -> None:
    """δ from counts of atoms is that of a function of the database, which is asked for each."""
    keys: dict[str, Any] = {key: case[key] for key in ("size", "values", "people")}
    values = case["values"]
    law = {v: f"{k + 1}/{len(values) * (len(values) + 1) // 2}" for k, v in enumerate(values)}
    keys |= {"distribution": {"iid": law}, "knowledge": {"records": [0]}}
    try:
        one = pk.build(**keys, mechanism=case["mechanism"])
    except pk.InputError:
        return
    keys.pop("people")
    other = pk.build(**keys, mechanism=lambda database: by_hand(case, database))
    for key in ("ppkdp", "apkdp", "dp"):
        answers = [pk.check(model, key, epsilon="ln(3/2)", replay=False) for model in (one, other)]
        assert answers[0].tight_delta == answers[1].tight_delta, key


def test_a_model_with_people_is_written_and_read_again() -> None:
    keys: dict[str, Any] = {
        "size": 4,
        "values": ["no", "yes"],
        "people": {"north": {"from": 0, "to": 1}, "old": [{"from": 0, "to": 0}, {"from": 3, "to": 3}]},
        "mechanism": {
            "kind": "tables",
            "rule": "random-round",
            "noise": "kept",
            "tables": [{"cells": ["yes"], "by": [["north", "rest"], ["old", "rest"]], "total": "rule"}],
        },
    }
    model = pk.loads(toml_text(keys))
    assert toml_text(model_tables(model)) == toml_text(keys)
    for row in product(range(2), repeat=4):
        assert model.mechanism.law(row) == pk.build(**keys).mechanism.law(row)


def model_tables(model: pk.Model) -> dict[str, Any]:
    """The keys of a model's text."""
    return tomllib.loads(model.text)


def test_people_do_not_change_what_is_known_otherwise() -> None:
    """The attacker may know a table, too: knowledge is a channel of the same kinds."""
    tables = {"kind": "tables", "then": [], "tables": [{"cells": ["yes"], "without": ["her"]}]}
    keys: dict[str, Any] = {
        "size": 4,
        "values": ["no", "yes"],
        "distribution": {"iid": {"no": "1/2", "yes": "1/2"}},
        "mechanism": {"kind": "count", "value": "yes"},
    }
    known = pk.build(**keys, people={"her": {"from": 3, "to": 3}}, knowledge=tables, sensitive={"records": [3]})
    assert str(pk.check(known, "ppkdp", epsilon="ln(2)").tight_delta) == "1"
