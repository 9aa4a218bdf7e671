"""The rows of a relation, one by one: of lists, of lists with gaps, and of multisets, against separate naive code."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import naive_atlas as naive
import pytest

from verifier import atlas, build, check
from verifier.definitions.scheme.decide import Scheme
from verifier.definitions.scheme.relations import Relation
from verifier.definitions.scheme.rows import Setting
from verifier.engine import Engine
from verifier.model import Model

VALUES = ["a", "b", "c"]
ONE = Fraction(1)
Row = tuple[naive.Database, naive.Database, Fraction]


def rows_of(model: Model, key: str) -> list[Row]:
    """The rows of a definition, each of two databases."""
    scheme = atlas[key].compare
    assert isinstance(scheme, Scheme)
    assert isinstance(scheme.builder, Relation)
    listed = list(scheme.builder.rows(Setting(key, model, Engine(model))))
    assert all(len(row.p) == len(row.q) == 1 and row.p[0][1] == row.q[0][1] == 1 for row in listed)
    return [(row.p[0][0], row.q[0][0], row.scale) for row in listed]


def policy(random: Random, every: list[naive.Database], **fields: Any) -> dict[str, Any]:
    """Parameters of every relation; databases by their values."""
    listed = [[VALUES[v] for v in d] for d in every]
    multiples = ["1", "2", "1/2", "2/3", "inf"]
    return {
        "sensitive": random.sample(VALUES, random.randint(1, 2)),
        "graph": [random.sample(VALUES, 2) for _ in range(2)],
        "attributes": {v: [random.randint(0, 1), random.randint(0, 1)] for v in VALUES},
        "bits": {v: random.choice(["00", "01", "10", "11"]) for v in VALUES},
        "databases": random.sample(listed, random.randint(2, len(listed))),
        "fixed": random.choice(listed),
        "pairs": [random.sample(listed, 2) for _ in range(3)],
        "group": random.randint(1, 3),
        "scale": [[random.sample(VALUES, 2), random.choice(multiples)]],
        "tailored": [[random.choice(d), d, random.choice(multiples)] for d in listed if d and random.random() < 0.5],
        "distance": "hamming",
        "at-most": random.randint(0, 2),
        "statistic": [[d, f"{random.randint(0, 4)}/2"] for d in listed],
        **fields,
    }


def multisets(seed: int, **fields: Any) -> Model:
    random = Random(seed)  # noqa: S311
    databases = [d for n in range(3) for d in combinations_with_replacement(range(3), n)]
    table = [{"database": [VALUES[v] for v in d], "output": "x"} for d in databases]
    return build(size=(0, 2), values=VALUES, mechanism={"table": table}, policy=policy(random, databases, **fields))


# --- multisets --------------------------------------------------------------------------------------------------------


def sizes_apart(x: naive.Database, y: naive.Database) -> int:
    return abs(len(x) - len(y))


def step(x: naive.Database, y: naive.Database) -> tuple[int | None, int | None] | None:
    """The tuple that goes and the one that comes, where one step leads from x to y."""
    for k in range(len(x)):
        rest = (*x[:k], *x[k + 1 :])
        if rest == y:
            return x[k], None
        for t in set(y) - {x[k]}:
            if tuple(sorted((*rest, t))) == y:
                return x[k], t
    return next(((None, t) for t in set(y) if tuple(sorted((*x, t))) == y), None)


def distance(databases: list[naive.Database], x: naive.Database, y: naive.Database, allowed: Any = None) -> int | None:
    """The fewest steps from x to y, of the allowed kinds, by breadth."""
    reached, number = {x}, 0
    while y not in reached:
        further = {
            z for d in reached for z in databases if (s := step(d, z)) is not None and (allowed is None or allowed(*s))
        }
        if further <= reached:
            return None
        reached, number = reached | further, number + 1
    return number


def apart_in_one(names: Any, a: int | None, b: int | None) -> bool:
    return a is not None and b is not None and sum(x != y for x, y in zip(names[a], names[b], strict=True)) == 1


def contains(x: naive.Database, y: naive.Database) -> bool:
    """Whether x has all tuples of y, as often."""
    return all(x.count(t) >= y.count(t) for t in y)


def is_between(z: naive.Database, x: naive.Database, y: naive.Database) -> bool:
    """Whether z has what x and y share, and nothing that neither has."""
    return all(min(x.count(t), y.count(t)) <= z.count(t) <= max(x.count(t), y.count(t)) for t in range(3))


def only(condition: Callable[..., bool], scale: Callable[..., Fraction | None] = lambda *_: ONE) -> Any:
    """Rows of one step (a, b) that meet a condition on the policy, the databases, a and b."""

    def rows(model: Model) -> list[Row]:
        listed = []
        for x, y in product(naive.databases(model), repeat=2):
            moved = step(x, y)
            if moved is not None and condition(model.policy, x, y, *moved):
                multiple = scale(model.policy, x, y, *moved)
                listed += [] if multiple is None else [(x, y, multiple)]
        return listed

    return rows


def of_any(condition: Callable[..., bool], scale: Callable[..., Fraction | None] = lambda *_: ONE) -> Any:
    """Rows of any two databases that meet a condition."""

    def rows(model: Model) -> list[Row]:
        databases = naive.databases(model)
        pairs = [(x, y) for x, y in product(databases, repeat=2) if x != y]
        listed = [(x, y, scale(databases, x, y)) for x, y in pairs if condition(model.policy, databases, x, y)]
        return [(x, y, multiple) for x, y, multiple in listed if multiple is not None]

    return rows


def tailored(p: Any, x: naive.Database, y: naive.Database, a: int | None, b: int | None) -> Fraction | None:
    key = (b, y) if a is None else (a, x)
    table: dict[Any, Fraction | None] = {(t, d): level for t, d, level in p.tailored}
    return table.get(key, ONE)


def induced(p: Any, _all: Any, x: naive.Database, y: naive.Database) -> bool:
    inside = set(p.databases)
    return {x, y} <= inside and not any(is_between(z, x, y) for z in inside - {x, y})


def within(number: Any) -> Any:
    return lambda p, databases, x, y: (d := distance(databases, x, y)) is not None and d <= number(p)


WITHIN_AT_MOST = within(lambda p: p.at_most)


def apart(databases: list[naive.Database], x: naive.Database, y: naive.Database) -> Fraction:
    found = distance(databases, x, y)
    assert found is not None
    return Fraction(found)


OF_MULTISETS: dict[str, Callable[[Model], list[Row]]] = {
    "dp-any": only(lambda *_: True),
    "ubodp": only(lambda _p, _x, _y, a, b: a is None or b is None),
    "osdp": only(lambda p, _x, _y, a, b: a in p.sensitive and b is not None),
    "asdp": only(lambda p, _x, _y, a, b: a in p.sensitive and b is None),
    "attdp": only(lambda p, _x, _y, a, b: apart_in_one(p.attributes, a, b)),
    "bitdp": only(lambda p, _x, _y, a, b: apart_in_one(p.bits, a, b)),
    "bfpr": only(lambda p, x, y, a, b: frozenset({a, b}) in p.graph and {x, y} <= set(p.databases)),
    "individual-dp": only(lambda p, x, y, _a, _b: p.fixed in {x, y}),
    "iddp": only(
        lambda _p, _x, _y, a, b: a is not None and b is not None,
        lambda p, _x, _y, a, b: dict(p.scale).get(frozenset({a, b}), ONE),
    ),
    "taidp": only(lambda _p, _x, _y, a, b: a is None or b is None, tailored),
    "grdp": of_any(within(lambda p: p.group)),
    "consdp": of_any(WITHIN_AT_MOST),
    "flpr": of_any(lambda *_: True),
    "gcdp-km": of_any(lambda p, _all, x, y: (x, y) in p.pairs or (y, x) in p.pairs),
    "sidp": of_any(lambda p, _all, x, y: abs(dict(p.statistic)[x] - dict(p.statistic)[y]) <= p.at_most),
    "induced-neighbours-dp": of_any(induced),
    "dlpr-zlw": of_any(
        lambda p, all_, x, y: {x, y} <= set(p.databases) and bool(set(x) & set(y)) and WITHIN_AT_MOST(p, all_, x, y)
    ),
    "ddpr": of_any(lambda *_: True, apart),
}


@pytest.mark.parametrize("key", OF_MULTISETS)
def test_rows_of_multisets(key: str) -> None:
    """Each row once; but for listed pairs they are in the order of the databases."""
    numbers = set()
    for seed in range(9):
        model = multisets(seed)
        listed = rows_of(model, key)
        expected = OF_MULTISETS[key](model)
        assert sorted(listed) == sorted(expected), model.policy
        order = {d: k for k, d in enumerate(naive.databases(model))}
        assert key == "gcdp-km" or listed == sorted(listed, key=lambda row: (order[row[0]], order[row[1]]))
        numbers.add(len(listed))
    assert numbers - {0}


@pytest.mark.parametrize("third", [(0, 1), ()])
def test_what_two_multisets_share_or_have_together_is_between_them(third: naive.Database) -> None:
    model = multisets(0, databases=[["a"], ["b"], [VALUES[v] for v in third]])
    expected = [((0,), third, ONE), ((1,), third, ONE), (third, (0,), ONE), (third, (1,), ONE)]
    assert sorted(rows_of(model, "induced-neighbours-dp")) == sorted(expected)


@pytest.mark.parametrize(
    ("neighbours", "allowed"),
    [
        ("change", lambda a, b: a is not None and b is not None),
        ("add-remove", lambda a, b: a is None or b is None),
        ("any", lambda *_: True),
    ],
)
def test_neighbours_of_multisets_are_those_that_the_file_names(neighbours: str, allowed: Any) -> None:
    """Up to `group` steps of the kinds that are allowed: without changes, a change is a removal and an addition."""
    for group in (1, 2, 3):
        model = multisets(0, neighbours=neighbours, group=group)
        databases = naive.databases(model)
        expected = [
            (x, y, ONE)
            for x, y in product(databases, repeat=2)
            if x != y and (d := distance(databases, x, y, allowed)) is not None and d <= group
        ]
        assert rows_of(model, "grdp") == expected
        one = [(x, y, ONE) for x, y in product(databases, repeat=2) if (s := step(x, y)) is not None and allowed(*s)]
        assert rows_of(model, "dp-any") == one


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "perdp": ({"levels": ["1", "2"]}, "level"),
    "pidp": ({"record": 0}, "fixes the index"),
    "cldp": ({"blocks": [[0]]}, "blocks of records"),
    "depdp": ({"dependence": [[0, 1]]}, "depend on each other"),
}


@pytest.mark.parametrize("key", REFUSED)
def test_multisets_have_no_records_by_index(key: str) -> None:
    fields, reason = REFUSED[key]
    answer = check(multisets(1, **fields), key)
    assert answer.verdict == "unsupported"
    assert reason in (answer.reason or "")


# --- lists ------------------------------------------------------------------------------------------------------------


def lists(seed: int, size: int = 2, **fields: Any) -> Model:
    random = Random(seed)  # noqa: S311
    databases = list(product(range(3), repeat=size))
    more = {
        "record": random.randrange(size),
        "dependence": [random.sample(range(size), 2) for _ in range(2)],
        "levels": [random.choice(["1", "1/2", "inf"]) for _ in range(size)],
        "blocks": random.choice([[[0]], [[0, 1]], [[0], [1]], [[1, size - 1]] if size > 2 else [[1]]]),
    }
    table = [{"database": [VALUES[v] for v in d], "output": "x"} for d in databases]
    return build(
        size=size, values=VALUES, mechanism={"table": table}, policy={**policy(random, databases), **more, **fields}
    )


@pytest.mark.parametrize("key", sorted(set(naive._RELATIONS)))
@pytest.mark.parametrize("size", [2, 3])
def test_rows_of_lists_with_gaps(key: str, size: int) -> None:
    """The value c says that there is no record."""
    for seed in range(8 if size == 2 else 3):
        model = lists(seed, size, absent="c")
        assert sorted(rows_of(model, key)) == sorted(naive.related(model, key)), model.policy


@pytest.mark.parametrize("key", ["dp-any", "grdp", "osdp", "cldp", "depdp", "pidp", "attdp", "iddp", "dlpr-zlw"])
def test_rows_of_lists_without_gaps(key: str) -> None:
    for seed in range(8):
        model = lists(seed, 3 if seed % 2 else 2)
        assert sorted(rows_of(model, key)) == sorted(naive.related(model, key)), model.policy


@pytest.mark.parametrize("key", ["ubodp", "asdp", "perdp", "taidp"])
def test_without_gaps_no_record_is_added_or_removed(key: str) -> None:
    answer = check(lists(1), key)
    assert answer.verdict == "unsupported"
    assert "adds and removes" in (answer.reason or "")


@pytest.mark.parametrize(
    ("neighbours", "kinds"), [("change", {"change"}), ("add-remove", {"add-remove"}), ("any", {"change", "add-remove"})]
)
def test_neighbours_of_lists_are_those_that_the_file_names(neighbours: str, kinds: set[str]) -> None:
    for group in (1, 2):
        model = lists(3, neighbours=neighbours, group=group, absent="c")
        expected = []
        for x, y in product(naive.databases(model), repeat=2):
            moved = {i: "add-remove" if 2 in {x[i], y[i]} else "change" for i in range(2) if x[i] != y[i]}
            if moved and len(moved) <= group and set(moved.values()) <= kinds:
                expected.append((x, y, ONE))
        assert rows_of(model, "grdp") == expected


def test_only_the_record_at_hand_differs() -> None:
    """Of any two databases, those that differ in record 1 and in no other."""
    model = lists(1, record=1)
    listed = list(Relation("any", restrict=("record",)).rows(Setting("key", model, Engine(model))))
    expected = [(x, y) for x, y in product(naive.databases(model), repeat=2) if x[0] == y[0] and x[1] != y[1]]
    assert [(row.p[0][0], row.q[0][0]) for row in listed] == expected


def test_rows_of_protected_records_alone() -> None:
    """`[sensitive]` keeps the other records as they are, but for listed pairs."""
    databases = list(product("ab", repeat=2))
    table = [{"database": list(d), "output": "x"} for d in databases]
    fields = {"pairs": [[["a", "a"], ["b", "b"]]]}
    model = build(size=2, values=["a", "b"], mechanism={"table": table}, sensitive={"records": [1]}, policy=fields)
    expected = [((0, 0), (0, 1), ONE), ((0, 1), (0, 0), ONE), ((1, 0), (1, 1), ONE), ((1, 1), (1, 0), ONE)]
    assert sorted(rows_of(model, "flpr")) == expected
    assert sorted(rows_of(model, "gcdp-km")) == [((0, 0), (1, 1), ONE), ((1, 1), (0, 0), ONE)]


# --- distances --------------------------------------------------------------------------------------------------------


def test_the_largest_difference_of_two_records() -> None:
    table = [{"database": list(d), "output": "x"} for d in product(("-1", "1/2", "3"), repeat=2)]
    numbers = [Fraction(-1), Fraction(1, 2), Fraction(3)]
    model = build(size=2, values=["-1", "1/2", "3"], mechanism={"table": table}, policy={"distance": "largest"})
    expected = [
        (x, y, max(abs(numbers[a] - numbers[b]) for a, b in zip(x, y, strict=True)))
        for x, y in product(product(range(3), repeat=2), repeat=2)
        if x != y
    ]
    assert rows_of(model, "ddpr") == expected


@pytest.mark.parametrize(("size", "values"), [((0, 1), ["1", "2"]), (1, ["1", "b"])])
def test_the_largest_difference_is_of_numbers_in_lists(size: Any, values: list[str]) -> None:
    databases = [[v] for v in values] + ([[]] if size != 1 else [])
    table = [{"database": d, "output": "x"} for d in databases]
    model = build(size=size, values=values, mechanism={"table": table}, policy={"distance": "largest"})
    answer = check(model, "ddpr")
    assert answer.verdict == "unsupported"
    assert "largest difference" in (answer.reason or "")


def test_distances_of_the_file_count_in_both_orders() -> None:
    table = [{"database": [v], "output": "x"} for v in VALUES]
    rows = [[["a"], ["b"], "1/2"], [["c"], ["b"], "inf"]]
    model = build(size=1, values=VALUES, mechanism={"table": table}, policy={"distance": rows, "at-most": "1/2"})
    half = Fraction(1, 2)
    assert sorted(rows_of(model, "ddpr")) == [((0,), (1,), half), ((1,), (0,), half)]
    assert sorted(rows_of(model, "consdp")) == [((0,), (1,), ONE), ((1,), (0,), ONE)]


def test_a_statistic_has_a_row_for_each_database() -> None:
    table = [{"database": [v], "output": "x"} for v in VALUES]
    fields = {"statistic": [[["a"], "0"], [["b"], "2"]], "at-most": "2"}
    answer = check(build(size=1, values=VALUES, mechanism={"table": table}, policy=fields), "sidp")
    assert answer.verdict == "unsupported"
    assert "[c]" in (answer.reason or "")
