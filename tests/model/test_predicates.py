"""Predicates: a text says the same as the list of the databases that satisfy it, in the program and in the checker."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.checker.numbers import Wrong
from verifier.checker.predicates import condition
from verifier.model.forms import make_domain
from verifier.model.keys import Location
from verifier.model.predicates import databases_with, read_predicate

VALUES: list[list[Any]] = [["diabetes", "none"], [0, 1, -2], ["in", "a b", "x"], [True, False], ["1/2", "or", "c"]]
Database = Sequence[str]


def text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def quoted(draw: random.Random, value: str) -> str:
    plain = value not in {"in", "or"} and " " not in value
    return value if plain and draw.random() < 0.7 else draw.choice(['"{}"', "'{}'"]).format(value)


def atom(draw: random.Random, values: list[str], size: int) -> tuple[str, Callable[[Database], bool]]:
    """A comparison as text, and as a function of a database's texts."""
    some = draw.sample(values, draw.randint(1, len(values)))
    listed = "[" + ", ".join(quoted(draw, v) for v in some) + "]"
    i, v, k = draw.randrange(size), draw.choice(values), draw.randint(0, size + 1)
    match draw.randrange(4):
        case 0:
            equal = draw.random() < 0.5
            return f"record {i} {'=' if equal else '!='} {quoted(draw, v)}", lambda d: (d[i] == v) == equal
        case 1:
            return f"record {i} in {listed}", lambda d: d[i] in some
    sign = draw.choice(["=", "!=", "<", ">", "<=", ">="])
    several = draw.random() < 0.4
    wanted = some if several else [v]

    def holds(d: Database) -> bool:
        n = sum(x in wanted for x in d)
        return {"=": n == k, "!=": n != k, "<": n < k, ">": n > k, "<=": n <= k, ">=": n >= k}[sign]

    return f"count of {listed if several else quoted(draw, v)} {sign} {k}", holds


def drawn(draw: random.Random, values: list[str], size: int, depth: int) -> tuple[str, Callable[[Database], bool], int]:
    """A predicate as text with no more brackets than it needs, as a function, and how much it binds."""
    which = draw.randrange(4) if depth else 3
    if which == 3:
        return *atom(draw, values, size), 3
    if which == 2:
        text, holds, binds = drawn(draw, values, size, depth - 1)
        return f"not {text if binds > 1 else f'({text})'}", lambda d: not holds(d), 2
    parts = [drawn(draw, values, size, depth - 1) for _ in range(draw.randint(2, 3))]
    texts = [text if binds > which else f"({text})" for text, _, binds in parts]
    if which:
        return " and ".join(texts), lambda d: all(holds(d) for _, holds, _ in parts), 1
    return "  or ".join(texts), lambda d: any(holds(d) for _, holds, _ in parts), 0


@pytest.mark.parametrize("seed", range(150))
def test_a_predicate_is_the_list_of_its_databases(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311
    values = draw.choice(VALUES)
    texts, size = [text_of(v) for v in values], draw.randint(1, 3)
    text, holds, _ = drawn(draw, texts, size, 3)
    domain = make_domain(values, size, Location(""), 10)
    every = list(product(range(len(values)), repeat=size))
    wanted = [d for d in every if holds([texts[v] for v in d])]
    assert list(databases_with(domain, text, Location(""))) == wanted, text
    again = condition(text, texts, many=False)
    assert [d for d in every if again([texts[v] for v in d])] == wanted, text


@pytest.mark.parametrize("seed", range(20))
def test_answers_are_those_of_the_lists(seed: int) -> None:
    """`secrets`, `pairs` and [sensitive] where, each beside the same model with its lists."""
    draw = random.Random(seed)  # noqa: S311
    values = draw.choice(VALUES)
    texts, size = [text_of(v) for v in values], 2
    every = list(product(values, repeat=size))
    predicates = [drawn(draw, texts, size, 2) for _ in range(4)]
    lists = [[list(d) for d in every if holds([text_of(v) for v in d])] for _, holds, _ in predicates]
    keys: dict[str, Any] = {
        "size": size, "values": values, "distribution": {"iid": "uniform"},
        "mechanism": {"kind": "identity", "then": [{"kind": "randomized-response", "keep": "1/3"}]},
    }  # fmt: skip
    written = [text for text, _, _ in predicates]
    for field, key in (("secrets", "pfpr"), ("pairs", "gcdp-km")):
        spelled = [lists[:2], lists[2:]]
        if field == "pairs":
            spelled = [[d, e] for one, other in spelled for d in one for e in other if d != e]
        both = [pk.build(**keys, policy={field: part}) for part in ([written[:2], written[2:]], spelled)]
        found, expected = (pk.check(model, key).to_json() for model in both)
        assert found["replayed"] in {True, None}
        assert {**found, "model": "", "sha256": ""} == {**expected, "model": "", "sha256": ""}, written
    [first, second] = predicates[:2]
    where = {"a": first[0], "b": f"not ({first[0]}) and ({second[0]})"}
    rows = []
    for d in every:
        names = [text_of(v) for v in d]
        value = "a" if first[1](names) else "b" if second[1](names) else "other"
        rows.append({"database": list(d), "value": value})
    rows.sort(key=lambda row: ("a", "b", "other").index(str(row["value"])))
    answers = [pk.check(pk.build(**keys, sensitive=one), "np").to_json() for one in ({"where": where}, {"rows": rows})]
    assert answers[0]["replayed"] is True
    assert answers[0] == answers[1], where


REFUSED = [
    ("record 0", "it ends too early"),
    ("", "it ends too early"),
    ("record 7 = a", "there is no record 7"),
    ("record -1 = a", '"-1" at character 8'),
    ("record 0 = z", '"z" is not a value'),
    ("record 0 = and", '"and" at character 12'),
    ("record 0 = a b", '"b" at character 14'),
    ("record 0 in a", '"a" at character 13'),
    ("record 0 in [a b]", '"b" at character 16'),
    ("count of a", "it ends too early"),
    ("count of a => 2", '">" at character 13'),
    ("count a >= 2", '"a" at character 7'),
    ("(record 0 = a", "it ends too early"),
    ("record 0 = a)", r'"\)" at character 13'),
    ("record 0 == a", '"=" at character 11'),
    ("record 0 ! a", "character 10 fits no predicate"),
    ("not " * 100 + "record 0 = a", "inside of each other"),
    ("(" * 300 + "record 0 = a" + ")" * 300, "inside of each other"),
    ("record 0 = a" + " or record 0 = a" * 400, "letters"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_no_predicate_is_refused(text: str, said: str) -> None:
    domain = make_domain(["a", "b"], 2, Location(""), 10)
    with pytest.raises(pk.PkdpError, match=said):
        read_predicate(domain, text, Location("secrets"))
    if "inside" not in said:
        with pytest.raises((Wrong, LookupError)):
            condition(text, ["a", "b"], many=False)([])


def test_multisets_have_no_records() -> None:
    keys: dict[str, Any] = {"size": [0, 2], "values": ["a", "b"], "mechanism": {"kind": "count", "value": "a"}}
    with pytest.raises(pk.InputError, match="have no record by index"):
        pk.build(**keys, policy={"pairs": [["record 0 = a", "count of a = 0"]]})
    pairs = pk.build(**keys, policy={"pairs": [["count of a = 1", "count of a = 0"]]}).policy.pairs
    assert len(at_least_one(pairs or ())) == 6
