"""Mechanisms to which the order of the records means nothing: which programs are so, what is checked, and answers."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.engine import Engine
from verifier.model.symmetric import sees_counts_alone
from verifier.programs import Source
from verifier.tables import label

pytestmark = pytest.mark.quick

BY_COUNTS = [
    "return db.count(1)",
    "return len(db) - db.count(db.count(0))",
    "return [db.count(v) for v in (0, 1, 2)]",
    "return sorted(db)[0]",
    "return (min(db), max(db), sum(db))",
    "return len(set(db))",
    "return sorted(set(db))[-1]",
    "return sum(x == 1 for x in db) > 1",
    "return sum([2 * x for x in db if x != db.count(1)])",
    "return any(x == 2 for x in db)",
    "return all(not (x == 2 or x == 0) for x in db)",
    "return sum(rng.flip(1/3) for x in db if x == 1)",
    "k = db.count(2)\n    for j in range(k):\n        if rng.flip(1/2): return j\n    return 'none'",
]
BY_ORDER = [
    "return db[0]",
    "return list(db)",
    "return db == (0, 1, 1)",
    "xs = db\n    return xs.count(1)",
    "return [x for x in db][1]",
    "return sum(x for x in db[1:])",
    "return sorted(db, key=lambda x: x % 2)[0]",
    "return max(db, key=lambda x: -(x % 2))",
    "return db.index(max(db)) if db else 0",
    "return sum(y for x in db for y in db[:x])",
    "return sum(k for k, x in enumerate(db) if x == 1)",
    "for x in db:\n        if x != 1: return x\n    return 1",
    "return any(2 // x > 1 for x in db)",
    "return sum(db[0] for x in db)",
]
"""Some of these are symmetric, and not known to be so."""
VALUES = [label(v) for v in (0, 1, 2)]


def text(body: str) -> str:
    return f"def f(db, rng):\n    {body}\n"


@pytest.mark.parametrize("body", BY_COUNTS)
def test_a_program_that_looks_at_counts_alone_has_one_law_on_all_orders(body: str) -> None:
    """Its statistic has the laws of its text on each database, whatever the order."""
    assert sees_counts_alone(Source(text(body), ""), VALUES)
    found = pk.build(size=3, values=[0, 1, 2], mechanism={"program": text(body)}).mechanism
    assert found.statistic is not None
    plain = pk.build(
        size=3, values=[0, 1, 2], mechanism={"program": f"{text(body)}def g(db, rng):\n    return f(db, rng)"}
    )
    assert plain.mechanism.statistic is None
    for database in at_least_one(product(range(3), repeat=3)):
        laws = [plain.mechanism.law(order) for order in permutations(database)]
        assert {found.law(database), *laws} == {laws[0]}


@pytest.mark.parametrize("body", BY_ORDER)
def test_a_program_that_may_see_the_order_is_not_known_to_be_symmetric(body: str) -> None:
    assert not sees_counts_alone(Source(text(body), ""), VALUES)


def test_true_and_one_are_told_apart_by_a_sorted_list() -> None:
    assert not sees_counts_alone(Source(text("return sorted(db)[0]"), ""), [label(1), label(True)])


@pytest.mark.parametrize("definition", ["np", "dp", "ppkdp", "cdp"])
def test_a_symmetric_mechanism_has_the_answers_of_its_table(definition: str) -> None:
    """By a program, by a table that says so, and by a Python function."""

    def most(db: tuple[int, ...]) -> dict[str, str]:
        return {"many": "3/4", "few": "1/4"} if db.count(1) > 1 else {"many": "1/3", "few": "2/3"}

    program = text("return 'many' if rng.flip(3/4 if db.count(1) > 1 else 1/3) else 'few'")
    rows = [{"database": list(db), "outputs": most(db)} for db in product((0, 1), repeat=3)]
    keys: dict[str, Any] = {
        "size": 3,
        "values": [0, 1],
        "distribution": {"iid": {0: "1/3", 1: "2/3"}},
        "knowledge": {"records": [0]},
    }
    plain = pk.build(**keys, mechanism={"rows": rows})
    wanted = pk.check(plain, definition, epsilon="1/2", engine=Engine(plain, force="rows"), replay=False)
    for mechanism in ({"program": program}, {"rows": rows, "symmetric": True}, pk.symmetric(most)):
        model = pk.build(**keys, mechanism=mechanism)
        for way in ("rows", "sum") if model.mechanism.statistic else ("rows",):
            answer = pk.check(model, definition, epsilon="1/2", engine=Engine(model, force=way), replay=False)
            assert (answer.verdict, answer.tight_delta, answer.tight_epsilon) == (
                wanted.verdict,
                wanted.tight_delta,
                wanted.tight_epsilon,
            )
    assert pk.build(**keys, mechanism={"program": program}).mechanism.statistic is not None
    assert pk.build(**keys, mechanism=pk.symmetric(most)).mechanism.statistic is not None


def test_a_function_that_sees_the_order_is_refused_with_two_databases() -> None:
    with pytest.raises(pk.InputError, match=r"it tells \[0, 1, 0\] from \[1, 0, 0\]"):
        pk.build(size=3, values=[0, 1], mechanism=pk.symmetric(lambda db: db[0]))
    with pytest.raises(pk.LimitError, match=r"checked on all databases, and there are 1,073,741,824"):
        pk.build(size=30, values=[0, 1], mechanism=pk.symmetric(sum))


def test_many_people_and_a_program_need_no_table() -> None:
    program = text("return 'many' if 2 * db.count(1) + rng.uniform([-1, 0, 1]) > len(db) else 'few'")
    model = pk.build(size=100, values=[0, 1], distribution={"iid": "uniform"}, mechanism={"program": program})
    assert Engine(model).method == "sum"
    assert pk.check(model, "dp", epsilon="ln(2)", replay=False).tight_delta == "2/3"


# --- steps that are functions -----------------------------------------------------------------------------------------


def test_a_thousand_people_and_a_line_of_rounding() -> None:
    """As a function in Python, as a program, and as the table that they stand for."""

    def shown(count: int) -> object:
        return count - count % 5 if count >= 10 else "few"

    program = "def shown(count):\n    return count - count % 5 if count >= 10 else 'few'"
    rows = [{"input": k, "output": shown(k)} for k in range(1001)]
    keys: dict[str, Any] = {"size": 1000, "values": [0, 1], "distribution": {"iid": {0: "9/10", 1: "1/10"}}}
    answers = []
    for then in (shown, [shown], [{"program": program}], [{"rows": rows}]):
        model = pk.build(**keys, mechanism={"kind": "count", "value": 1, "then": then})
        answers.append(pk.check(model, "np", epsilon="1/10", replay=False))
    assert {answer.method for answer in answers} == {"sum"}
    assert len({(str(answer.tight_delta), str(answer.tight_epsilon)) for answer in answers}) == 1


def test_a_function_of_an_output_is_called_twice() -> None:
    drawn = iter(range(100))
    with pytest.raises(pk.InputError, match=r"called again on the output 0, gave 0, then 1"):
        pk.build(size=1, values=[0], mechanism={"kind": "sum", "then": lambda _: next(drawn)})
    with pytest.raises(pk.InputError, match=r"raised ZeroDivisionError on the output 0: .* every output"):
        pk.build(size=1, values=[0], mechanism={"kind": "sum", "then": lambda x: 1 // x})
    noise = {"kind": "geometric-noise", "p": "1/2"}
    with pytest.raises(pk.InputError, match=r"comes after geometric noise\. Expected .* kind = \"clamp\""):
        pk.build(size=1, values=[0], mechanism={"kind": "sum", "then": [noise, lambda x: x]})
