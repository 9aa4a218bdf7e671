"""What is compared with what, about distributions, random databases, beliefs and clients: every row by hand."""

from fractions import Fraction
from itertools import product
from typing import Any

import naive_atlas as naive
import naive_beliefs as beliefs
import pytest

from verifier import atlas, build, check
from verifier.definitions.scheme.decide import Scheme
from verifier.definitions.scheme.random_pairs import _distinct, _sample
from verifier.definitions.scheme.rows import Case, Group, Row, Setting
from verifier.definitions.scheme.views import View, databases_in
from verifier.engine import Engine
from verifier.model import Model

HALF, THIRD, ONE = Fraction(1, 2), Fraction(1, 3), Fraction(1)
AA, AB, BA, BB = product((0, 1), repeat=2)
WEIGHTS = {AA: 1, AB: 3, BA: 2, BB: 2}
"""Of the four databases, over 8."""


def spelled(database: naive.Database) -> list[str]:
    return ["ab"[v] for v in database]


def model(laws: dict[naive.Database, dict[str, str]] | None = None, **keys: Any) -> Model:
    """Two records, a or b; `drawn` is the distribution `WEIGHTS`."""
    laws = laws or {d: {"x": "1"} for d in WEIGHTS}
    table = [{"database": spelled(d), "probability": f"{w}/8"} for d, w in WEIGHTS.items()]
    return build(
        size=2,
        values=["a", "b"],
        mechanism={"table": [{"database": spelled(d), "outputs": law} for d, law in laws.items()]},
        **{"distribution": {"name": "drawn", "table": table}, **keys},
    )


def groups(made: Model, key: str, reading: str = "default") -> list[Group]:
    scheme = atlas[key].compare
    assert isinstance(scheme, Scheme)
    return list(scheme.builder(Setting(key, made, Engine(made), reading)))


def both(p: Any, q: Any, names: tuple[str, str], scale: Fraction = ONE) -> Case:
    return Case((Row(p, q, scale, names), Row(q, p, scale, names[::-1])))


# --- distributions given events ---------------------------------------------------------------------------------------

SECRETS = [
    [[spelled(d) for d in side] for side in pair] for pair in (((AA, AB), (BA,)), ((BB,), (AA,)), ((AB,), (AB, BB)))
]


def test_secrets_condition_each_distribution() -> None:
    (group,) = groups(model(policy={"secrets": SECRETS}), "pfpr")
    words = 'M(D) in "drawn" given φ{} of secret {}'
    assert (group.distribution, group.record) == ("drawn", None)
    assert group.cases == (
        both(((AA, 1), (AB, 3)), ((BA, 2),), (words.format("₁", 0), words.format("₂", 0))),
        both(((BB, 2),), ((AA, 1),), (words.format("₁", 1), words.format("₂", 1))),
        both(((AB, 3),), ((AB, 3), (BB, 2)), (words.format("₁", 2), words.format("₂", 2))),
    )


def test_secrets_condition_what_is_known() -> None:
    """Where the second record is known, an event that it excludes is not compared."""
    made = model(policy={"secrets": SECRETS}, knowledge={"records": [1]})
    first, second = groups(made, "pfpr")
    names = [f'M(D) in "drawn" given φ{k} of secret 0, B = ' for k in "₁₂"]
    known = [str(known) for known in dict.fromkeys(k.text for _, k, _ in made.thetas[0].known_worlds())]
    assert first.cases == (both(((AA, 1),), ((BA, 2),), (names[0] + known[0], names[1] + known[0])),)
    assert [case.rows[0][:2] for case in second.cases] == [(((AB, 3),), ((AB, 3), (BB, 2)))]


TWO = [
    {"name": "up", "table": [{"database": [v, "a"], "probability": p} for v, p in (("a", "1/4"), ("b", "3/4"))]},
    {"name": "down", "table": [{"database": ["a", "b"], "probability": "1"}]},
    {"name": "even", "iid": {"a": "1/2", "b": "1/2"}},
]
UP, DOWN, EVEN = ((AA, 1), (BA, 3)), ((AB, 1),), tuple((d, 1) for d in WEIGHTS)


def test_distributions_are_compared_with_each_other() -> None:
    words = [f'M(D) in "{name}"' for name in ("up", "down", "even")]
    (group,) = groups(model(distribution=TWO), "dnpr")
    assert group == Group(
        (
            both(UP, DOWN, (words[0], words[1])),
            both(UP, EVEN, (words[0], words[2])),
            both(DOWN, EVEN, (words[1], words[2])),
        )
    )
    (group,) = groups(model(distribution=TWO, policy={"theta-pairs": [["even", "up"]]}), "dnpr")
    assert group == Group((both(EVEN, UP, (words[2], words[0])),))


def test_distributions_are_scaled_by_their_distance() -> None:
    """In either order; pairs without a distance, or at an infinite one, are not compared."""
    distances = [["down", "up", "2/3"], ["up", "even", "inf"]]
    (group,) = groups(model(distribution=TWO, policy={"theta-distances": distances}), "ednpr")
    words = [f'M(D) in "{name}"' for name in ("up", "down")]
    assert group == Group((both(UP, DOWN, (words[0], words[1]), Fraction(2, 3)),))


def test_adversaries_know_some_records() -> None:
    made = model(policy={"adversaries": [[0, [1]], [1, []]]})
    first, second = groups(made, "cordp")
    words = 'M(D) in "drawn" given D(0) = {}, D(1) = {}'
    assert (first.distribution, first.record, second.record) == ("drawn", 0, 1)
    assert first.cases == (
        both(((AA, 1),), ((BA, 2),), (words.format("a", "a"), words.format("b", "a"))),
        both(((AB, 3),), ((BB, 2),), (words.format("a", "b"), words.format("b", "b"))),
    )
    words = 'M(D) in "drawn" given D(1) = {}'
    assert second.cases == (both(((AA, 1), (BA, 2)), ((AB, 3), (BB, 2)), (words.format("a"), words.format("b"))),)


def test_all_adversaries_attack_protected_records() -> None:
    made = model(sensitive={"records": [1]})
    assert [(group.record, len(group.cases)) for group in groups(made, "cordp")] == [(1, 1), (1, 2)]
    listed = model(sensitive={"records": [1]}, policy={"adversaries": [[0, [1]], [1, [0]]]})
    assert [(group.record, len(group.cases)) for group in groups(listed, "cordp")] == [(1, 2)]


# --- random databases -------------------------------------------------------------------------------------------------

PRIOR = {"a": "1/3", "b": "2/3"}


def shares(group: Group, *, rows: int = 2) -> list[tuple[Fraction, naive.Database, naive.Database]]:
    """The share of each case, and its two databases."""
    assert all(len(case.rows) == rows for case in group.cases)
    assert all(
        case.rows[1] == (*case.rows[0][1::-1], ONE, case.rows[0].names[::-1], None) for case in group.cases if rows == 2
    )
    listed = []
    for case in group.cases:
        databases = databases_in(case.rows[0])
        assert databases is not None
        assert case.rows[0].scale == 1
        assert case.rows[0].names == tuple(f"M([{', '.join(spelled(d))}])" for d in databases)
        listed.append((case.share, *databases))
    return listed


def test_a_record_at_random_is_drawn_again() -> None:
    made = model(policy={"prior": PRIOR, "gamma": "0"})
    (group,) = groups(made, "randp")
    assert sorted(shares(group)) == sorted(beliefs.random_pairs(made))
    assert sum(case.share for case in group.cases) == 1
    forward, backward = groups(made, "avgklpr")
    assert shares(forward, rows=1) == shares(group)
    assert shares(backward, rows=1) == [(share, y, x) for share, x, y in shares(group)]


def test_only_protected_records_are_drawn_again() -> None:
    made = model(policy={"prior": PRIOR, "gamma": "0"}, sensitive={"records": [1]})
    (group,) = groups(made, "randp")
    drawn = beliefs.drawn(made)
    expected = [(drawn[d] * Fraction(v + 1, 3), d, (d[0], v)) for d in drawn for v in (0, 1)]
    assert sorted(shares(group)) == sorted(expected)
    redrawn = groups(made, "wbdp")
    assert [group.record for group in redrawn] == [1] * 8


def test_values_that_are_never_drawn_are_left_out() -> None:
    made = model(policy={"prior": {"a": "1"}, "gamma": "0"})
    assert [shares(group) for group in groups(made, "randp")] == [[(HALF, AA, AA), (HALF, AA, AA)]]
    assert [shares(group) for group in groups(made, "dlpr-rot")] == [[(ONE, AA, AA)]]
    assert [shares(group, rows=1) for group in groups(made, "wbdp")][2:4] == [[(ONE, AA, AA)], [(ONE, AA, AA)]]


def test_two_random_databases() -> None:
    made = model(policy={"prior": PRIOR, "gamma": "0"})
    (group,) = groups(made, "dlpr-rot")
    drawn = beliefs.drawn(made)
    assert sorted(shares(group)) == sorted((drawn[x] * drawn[y], x, y) for x, y in product(drawn, repeat=2))
    (group,) = groups(made, "dlpr-rot", "without-replacement")
    distinct = {AB: THIRD, BA: Fraction(2, 3)}
    assert sorted(shares(group)) == sorted((distinct[x] * distinct[y], x, y) for x, y in product(distinct, repeat=2))


def test_records_that_are_drawn_one_after_the_other() -> None:
    prior = (HALF, THIRD, Fraction(1, 6), Fraction(0))
    assert _distinct(prior, (0, 1, 2)) == HALF * Fraction(2, 3)
    assert _distinct(prior, (2, 1)) == Fraction(1, 6) * Fraction(2, 5)
    assert _distinct(prior, (1,)) == THIRD
    assert _distinct(prior, (0, 0)) == 0
    assert _distinct(prior, (0, 3)) == 0
    assert _distinct(prior, ()) == 1


def test_a_redrawn_record_is_a_group_in_each_direction() -> None:
    made = model(policy={"prior": PRIOR})
    found = [(group.record, shares(group, rows=1)) for group in groups(made, "wbdp")]
    expected = []
    for d, record in product(WEIGHTS, (0, 1)):
        drawn = [(share, (*d[:record], v, *d[record + 1 :])) for v, share in ((0, THIRD), (1, 1 - THIRD))]
        expected += [(record, [(p, d, x) for p, x in drawn]), (record, [(p, x, d) for p, x in drawn])]
    assert found == expected


def test_sampled_databases_keep_each_record_by_itself() -> None:
    assert dict(_sample((0, 0, 1), THIRD)) == {
        (): 8, (0,): 8, (1,): 4, (0, 0): 2, (0, 1): 4, (0, 0, 1): 1,
    }  # fmt: skip
    assert dict(_sample((0, 1), ONE)) == {(0, 1): 1}
    assert dict(_sample((0, 1), Fraction(0))) == {(): 1}
    assert dict(_sample((), HALF)) == {(): 1}


# --- beliefs ----------------------------------------------------------------------------------------------------------

LAWS = {AA: {"x": "1"}, AB: {"x": "1/3", "y": "2/3"}, BA: {"x": "1/2", "y": "1/2"}, BB: {"y": "1"}}
"""Then P[x] = (1 + 1 + 1)/8, and P[y] = (2 + 1 + 2)/8."""


def laws_of(view: View) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """The two laws, without what neither gives."""
    sides = (view.pair.p, view.pair.q or ())
    first, second = (
        {o.text: Fraction(w, view.pair.total) for o, w in zip(view.pair.outputs, side, strict=True) if w}
        for side in sides
    )
    return first, second


def views(group: Group) -> list[tuple[str, dict[str, Fraction], dict[str, Fraction]]]:
    ((row,),) = [case.rows for case in group.cases]
    return [(view.words, *laws_of(view)) for view in row.seen or ()]


def test_beliefs_about_a_record() -> None:
    first, second = groups(model(LAWS), "anpr")
    assert (first.distribution, first.record, second.record) == ("drawn", 0, 1)
    assert first.cases[0].rows[0].names == ('In "drawn", the beliefs about D(0)', "")
    before, given_x, given_y = (
        {"a": HALF, "b": HALF},
        {"a": 2 * THIRD, "b": THIRD},
        {"a": 2 * ONE / 5, "b": 3 * ONE / 5},
    )
    assert views(first) == [
        ("posterior against prior, given the output x", given_x, before),
        ("prior against posterior, given the output x", before, given_x),
        ("posterior against prior, given the output y", given_y, before),
        ("prior against posterior, given the output y", before, given_y),
    ]
    assert views(second)[0][1:] == ({"a": 2 * THIRD, "b": THIRD}, {"a": 3 * ONE / 8, "b": 5 * ONE / 8})


def test_beliefs_about_the_database() -> None:
    (group,) = groups(model(LAWS), "infpr")
    assert (group.distribution, group.record) == ("drawn", None)
    assert group.cases[0].rows[0].names == ('In "drawn", the beliefs about D', "")
    _, given_x, before = views(group)[0]
    assert sorted(given_x.values()) == [THIRD] * 3
    assert sorted(before.values()) == [ONE / 8, ONE / 4, ONE / 4, 3 * ONE / 8]
    assert len(given_x) == 3
    assert given_x.keys() < before.keys()


def test_beliefs_where_something_is_known() -> None:
    made = model(LAWS, knowledge={"records": [1]})
    found = groups(made, "anpr")
    known = [k.text for k in dict.fromkeys(k for _, k, _ in made.thetas[0].known_worlds())]
    names = [group.cases[0].rows[0].names[0] for group in found]
    assert names == [f'In "drawn", given B = {k}, the beliefs about D({i})' for k in known for i in (0, 1)]


def test_beliefs_about_protected_records() -> None:
    assert [group.record for group in groups(model(LAWS, sensitive={"records": [1]}), "anpr")] == [1]


@pytest.mark.parametrize(
    ("key", "cells"),
    [
        ("pmpr", ["in-upper", "out-lower"]), ("nmpr", ["out-upper", "in-lower"]), ("advpr", ["in-upper"]),
        ("mpr", ["in-upper", "out-lower", "out-upper", "in-lower"]),
    ],
)  # fmt: skip
def test_beliefs_that_a_value_is_there(key: str, cells: list[str]) -> None:
    """P[a ∈ D] = 6/8; given x it is 1, and given y 3/5. P[b ∈ D] = 7/8; given x it is 2/3, and given y 1."""
    first, second = groups(model(LAWS), key)
    assert first.cases[0].rows[0].names == ('In "drawn", the beliefs about whether some record is a', "")
    after = {("a", "x"): ONE, ("a", "y"): 3 * ONE / 5, ("b", "x"): 2 * THIRD, ("b", "y"): ONE}
    for group, value, before in ((first, "a", 3 * ONE / 4), (second, "b", 7 * ONE / 8)):
        expected = []
        for output, cell in product("xy", cells):
            side, bound = cell.split("-")
            now = after[value, output]
            pair = (now, before) if side == "in" else (1 - now, 1 - before)
            laws = [{side: p} if p else {} for p in (pair if bound == "upper" else pair[::-1])]
            order = "posterior against prior" if bound == "upper" else "prior against posterior"
            expected.append((f"{order}, {side}, given the output {output}", *laws))
        assert views(group) == expected


def test_nobody_asks_whether_an_absent_record_is_there() -> None:
    (group,) = groups(model(LAWS, policy={"absent": "b"}), "pmpr")
    assert group.cases[0].rows[0].names[0].endswith("whether some record is a")


def test_events_of_outputs_with_and_without_a_record() -> None:
    """D without record 0 is D with b there."""
    first, second = groups(model(LAWS, policy={"absent": "b"}), "sempr")
    assert (first.record, second.record) == (0, 1)
    assert first.cases[0].rows[0].names == ("with the record", "without it")
    found = views(first)
    assert [words for words, _, _ in found] == ["event {x}", "event {y}", "event {x, y}"]
    names = [label.text for label in (first.cases[0].rows[0].seen or ())[0].pair.outputs]
    assert len(names) == 2
    aa, ab = names
    assert [sides for _, *sides in found] == [
        [{aa: ONE, ab: THIRD}, {aa: HALF}],
        [{ab: 2 * THIRD}, {aa: HALF, ab: ONE}],
        [{aa: ONE, ab: ONE}, {aa: ONE, ab: ONE}],
    ]
    assert [
        group.record for group in groups(model(LAWS, policy={"absent": "b"}, sensitive={"records": [1]}), "sempr")
    ] == [1]


# --- clients ----------------------------------------------------------------------------------------------------------

VIEWS = [{"x": "1", "y": "2"}, {"x": "-", "y": "-"}, {"x": "l", "y": "m"}]


def client_rows(key: str, blocks: list[list[int]]) -> list[tuple[tuple[str, str], str, dict[str, Fraction]]]:
    fields = {"blocks": blocks, "views": VIEWS[: len(blocks)], "tradeoff": [["0", "1"], ["1", "0"]]}
    (group,) = groups(model(LAWS, policy=fields), key)
    listed = []
    for case in group.cases:
        (row,) = case.rows
        (view,) = row.seen or ()
        listed.append((row.names, view.words, laws_of(view)[0]))
    return listed


def test_clients_see_each_others_records() -> None:
    """Record 0 is client 0's and record 1 is client 1's; client 2 has none."""
    alone, together = client_rows("wfdp", [[0], [1], []]), client_rows("sfdp", [[0], [1], []])
    first = [(names, words) for names, words, _ in alone]
    neighbours = [(x, y) for x, y in product(WEIGHTS, repeat=2) if naive.hamming(x, y) == 1]
    expected = []
    for x, y in neighbours:
        names = tuple(f"M([{', '.join(spelled(d))}])" for d in (x, y))
        others = (1, 2) if x[0] != y[0] else (0, 2)
        expected.append(
            (names, [f"as client {j} see it" for j in others], f"as clients {others[0]}, {others[1]} see it")
        )
    assert first == [(names, words) for names, listed, _ in expected for words in listed]
    assert [(names, words) for names, words, _ in together] == [(names, words) for names, _, words in expected]
    assert alone[0][2] == {"[1]": ONE}
    assert all(list(law.values()) == [ONE] for _, words, law in alone if words == "as client 1 see it")


def test_a_client_alone_is_seen_by_nobody() -> None:
    """Neither are records of two clients that move together: neighbours differ in one."""
    assert client_rows("wfdp", [[0, 1]]) == client_rows("sfdp", [[0, 1]]) == []
    assert len(client_rows("wfdp", [[0], [1]])) == len(client_rows("sfdp", [[0], [1]])) == 8
    assert len(client_rows("wfdp", [[0, 1], []])) == 8
    assert len(client_rows("wfdp", [[0], []])) == 4
    fields = {"blocks": [[0, 1]], "views": VIEWS[:1], "tradeoff": [["0", "1"], ["1", "0"]]}
    assert check(model(LAWS, policy=fields), "wfdp").verdict == "vacuous"
