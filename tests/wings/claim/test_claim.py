"""What `pk.claim` and files of claims do beside what transcripts show: kinds of mechanisms, words and statuses."""

import json
import random
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import update_wrapper
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier.cli.main import run
from verifier.wings.claim.amounts import ClaimedCurve, beside, lowest_tradeoff, read_number
from verifier.wings.claim.relation import LIBRARIES, NEIGHBOURS, relation_named

COIN = {"yes": {"yes": "3/4", "no": "1/4"}, "no": {"yes": "1/4", "no": "3/4"}}
COUNT = 'def count(db, rng):\n    return sum(db) + rng.geometric_noise("1/2")\n'


def response(db: Any, rng: Any) -> Any:
    return db[0] if rng.flip("1/2") else rng.uniform([0, 1])


def law(db: Any) -> dict[int, str]:
    return {db[0]: "3/4", 1 - db[0]: "1/4"}


def counted(db: Any, rng: Any) -> Any:
    """Noise without ends: interpreted from this text."""
    return sum(db) + rng.geometric_noise("1/2")


def doubled(x: int) -> int:
    return 2 * x


def through_the_module(db: Any, rng: Any) -> Any:
    """What it calls is interpreted, too."""
    return doubled(db[0]) + rng.geometric_noise("1/2")


def shadowed(db: Any, rng: Any) -> Any:
    """Names of its own, one of which the module has, too."""
    law = db[0]
    return law + rng.geometric_noise("1/2")


class NeighboringRelation(Enum):
    """As dp_accounting has it."""

    ADD_OR_REMOVE_ONE = 1
    REPLACE_ONE = 2


MECHANISMS: dict[str, Callable[[Path], tuple[Any, dict[str, Any]]]] = {
    "a function": lambda _: (response, {"values": [0, 1]}),
    "a program": lambda _: (pk.program(response), {"values": [0, 1]}),
    "a law": lambda _: (law, {"values": [0, 1], "size": 1}),
    "databases": lambda _: (law, {"databases": [[0], [1]]}),
    "a text": lambda _: ('def f(db, rng): return db[0] if rng.flip("3/4") else 1 - db[0]', {"values": [0, 1]}),
    "a kind": lambda _: ({"kind": "randomized-response", "keep": "1/2"}, {"values": [0, 1]}),
    "a model": lambda _: (pk.build(size=1, values=[0, 1], mechanism=law), {}),
    "a file": lambda folder: (written(folder), {}),
    "a pair": lambda _: (pk.pair(COIN["yes"], COIN["no"]), {}),
    "two laws": lambda _: ((COIN["yes"], COIN["no"]), {}),
    "a table": lambda _: (COIN, {}),
    "a table of lists": lambda _: ({(0,): COIN["yes"], (1,): COIN["no"]}, {}),
    "texts of lists": lambda _: ({"[0]": COIN["yes"], "[1]": COIN["no"]}, {}),
    "a frame": lambda _: (frame(), {}),
}


def written(folder: Path) -> Path:
    path = folder / "coin.toml"
    path.write_text('size = 1\nvalues = [0, 1]\n[mechanism]\nkind = "randomized-response"\nkeep = "1/2"\n')
    return path


def frame() -> Any:
    """What looks like a data frame of pandas: a row for each database."""
    rows = [("yes", "3/4", "1/4"), ("no", "1/4", "3/4")]
    return SimpleNamespace(columns=["yes", "no"], index=[], iloc=None, itertuples=lambda **_: rows)


@pytest.mark.parametrize("kind", MECHANISMS)
def test_every_kind_of_mechanism(kind: str, tmp_path: Path) -> None:
    mechanism, words = MECHANISMS[kind](tmp_path)
    answer = pk.claim(mechanism, "dp", epsilon="ln(3)", **words)
    assert (answer.verdict, answer.tight_epsilon, answer.advantage) == ("holds, tight", "ln(3)", Fraction(1, 2))
    assert answer.replayed
    wrong = pk.claim(mechanism, "dp", epsilon="ln(2)", raises=False, **words)
    assert (wrong.verdict, bool(wrong)) == ("violated", False)
    assert str(wrong.tight_delta) == "1/4"
    assert wrong.witness is not None
    assert wrong.witness.probabilities == (Fraction(3, 4), Fraction(1, 4))
    assert json.dumps(wrong.to_json())
    with pytest.raises(pk.ClaimViolated, match="claim violated") as raised:
        pk.claim(mechanism, "dp", epsilon="ln(2)", **words)
    assert isinstance(raised.value, AssertionError)
    assert str(raised.value) == str(wrong)


def test_noise_without_ends_in_a_function() -> None:
    """The text of the function is interpreted where it would be run infinitely often."""
    answer = pk.claim(counted, epsilon="ln(2)", values=[0, 1], size=2, tight=True)
    assert answer.name == "counted"
    assert pk.claim(counted, epsilon="ln(4)", databases=[[0, 0], [1, 1]], distance=2).verdict == "holds, tight"
    assert pk.claim(shadowed, epsilon="ln(2)", values=[0, 1]).verdict == "holds, tight"
    assert pk.claim(through_the_module, values=[0, 1]).tight_epsilon == "ln(4)"
    hidden = pk.claim(lambda db, rng: db[0] + rng.geometric_noise("1/2"), epsilon=1, values=[0, 1])
    assert hidden.verdict == "holds, loose"


def test_a_posterior_is_rechecked_where_the_checker_cuts_tails_elsewhere() -> None:
    program = 'def m(db, rng):\n    return [7, db[0] + rng.geometric_noise("1/2")]\n'
    answer = pk.claim({"program": program}, "posterior", values=[0, 1], size=1, prior={0: "1/2", 1: "1/2"})
    assert (answer.value, answer.replayed) == (Fraction(2, 3), True)


def test_what_wraps_a_function_is_not_its_text() -> None:
    """A function that names another one as `__wrapped__` has its own source, with which it is interpreted."""

    def four_times(inner: Callable[..., Any]) -> Callable[..., Any]:
        def outer(db: Any, rng: Any) -> Any:
            return inner([4 * x for x in db], rng)

        return update_wrapper(outer, inner)

    assert pk.claim(four_times(counted), values=[0, 1]).tight_epsilon == "ln(16)"
    every = {"z": {"above": "0", "below": "1"}}
    with pytest.raises(pk.InputError, match="the text of the function cannot be read"):
        pk.claim(four_times(counted), values=[0, 1], parameters=every)


DATABASES: dict[str, Callable[..., Any]] = {
    "a draw of Python's own": lambda db: db[0] if random.random() < 0.5 else 1 - db[0],  # noqa: S311 - refused
    "an error": lambda db: 1 // db[0],
    "a float": lambda db: db[0] + 0.7,
    "nothing": lambda db: {0: 0}.get(db[0] + 1),
    "a float in a law": lambda db: {db[0]: 0.5, 1 - db[0]: 0.5},
}


@pytest.mark.parametrize("function", DATABASES.values(), ids=DATABASES)
def test_given_databases_refuse_what_values_refuse(function: Callable[..., Any]) -> None:
    messages = []
    for words in ({"values": [0, 1]}, {"databases": [[0], [1]]}, {"pairs": [([0], [1])]}):
        asked: dict[str, Any] = words
        with pytest.raises(pk.PkdpError) as raised:
            pk.claim(function, **asked)
        messages.append(str(raised.value))
    assert len(set(messages)) == 1


def test_given_databases_run_what_values_run() -> None:
    """A stand-in draws, an empty database has a law, and a boolean is no integer."""
    stand_in = pk.exact.random
    drawn = pk.claim(lambda db: db[0] if stand_in.random() < 0.5 else stand_in.choice([0, 1]), databases=[[0], [1]])
    assert drawn.tight_epsilon == "ln(3)"
    empty = pk.claim(lambda db: len(db) + 1, databases=[[], [0]], relation="unbounded")
    assert empty.tight_epsilon == "inf"
    answer = pk.claim(lambda db: db[0] is True, epsilon=0, databases=[[0], [1], [True]], raises=False)
    assert (answer.verdict, answer.comparisons) == ("violated", 6)
    with pytest.raises(pk.InputError, match='the value "1" is given twice'):
        pk.claim(lambda db: isinstance(db[0], str), databases=[[1], ["1"]])


@pytest.mark.parametrize(
    ("given", "found"),
    [
        (NeighboringRelation.ADD_OR_REMOVE_ONE, "add-or-remove-one"),
        (NeighboringRelation.REPLACE_ONE, "replace-one"),
        ("ChangeOneDistance()", "replace-one"),
        *LIBRARIES.items(),
        *((name, name) for name in NEIGHBOURS if name != "replace-special"),
    ],
)
def test_relations_by_name(given: Any, found: str) -> None:
    assert relation_named(given) == found


def test_undecided_is_no_assertion() -> None:
    for words in ({"runs": 1 << 21}, {"values": list(range(3000))}):
        asked: dict[str, Any] = {"values": [0, 1], **words}
        with pytest.raises(pk.ClaimUndecided) as raised:
            pk.claim(COUNT, epsilon=1, **asked)
        assert not isinstance(raised.value, AssertionError)
        assert raised.value.exit_status == 3
        assert pk.claim(COUNT, epsilon=1, raises=False, **asked).verdict in {"undecided", "unsupported"}


def test_vacuous_neither_raises_nor_is_tight() -> None:
    answer = pk.claim(COUNT, epsilon=1, values=[0])
    assert (answer.verdict, bool(answer)) == ("vacuous", False)
    with pytest.raises(pk.ClaimViolated):
        pk.claim(COUNT, epsilon=1, values=[0], tight=True)


def test_replace_one_is_no_two_steps_of_the_symmetric_distance() -> None:
    """d_in = 2 of SymmetricDistance contains `replace-one`, and more: two records are added."""
    words: dict[str, Any] = {"values": [0, 1], "size": [0, 2]}
    one = pk.claim(COUNT, relation="ChangeOneDistance", **words)
    two = pk.claim(COUNT, relation="SymmetricDistance", distance=2, **words)
    assert (one.tight_epsilon, two.tight_epsilon) == ("ln(2)", "ln(4)")


def test_databases_of_several_sizes_have_no_order() -> None:
    """They are multisets, in whatever order they are written; a value that is replaced may change places."""
    one = pk.claim(COUNT, databases=[[], [1], [1, 0], [2, 0]], relation="unbounded", raises=False)
    assert one.comparisons == 4  # [] with [1], [1] with [0, 1], in both orders
    assert one.tight_epsilon == "ln(2)"
    moved = pk.claim(COUNT, values=[0, 2, 3], size=[1, 2], graph=[(0, 3)])
    assert (moved.tight_epsilon, moved.comparisons) == ("ln(8)", 8)  # 0, 00, 02, 03 with a 3 for a 0


@pytest.mark.parametrize("size", [1, 3, [0, 3]])
def test_definitions_of_groups_and_graphs_have_the_same_epsilon(size: Any) -> None:
    """At δ = 0, where `grdp` and `bfpr` list the same pairs by other code."""
    words: dict[str, Any] = {"values": [0, 1, 3], "size": size}
    edges = [(0, 1), (1, 3)]
    policy = {"group": 2, "graph": edges, "neighbours": "change"}
    model = pk.build(mechanism={"program": COUNT}, policy=policy, **words)
    assert pk.claim(COUNT, distance=2, **words).tight_epsilon == pk.check(model, "grdp").tight_epsilon
    if isinstance(size, int):  # of several sizes `bfpr` adds and removes records, too
        assert pk.claim(COUNT, graph=edges, **words).tight_epsilon == pk.check(model, "bfpr").tight_epsilon


@given(
    st.lists(st.integers(0, 4), min_size=9, max_size=9).filter(lambda row: all(any(row[k : k + 3]) for k in (0, 3, 6)))
)
def test_listed_pairs_have_the_numbers_of_all(weights: list[int]) -> None:
    """The databases as listed ones, and as all of their size: two ways to one number; both against the pairs."""
    rows = [weights[k : k + 3] for k in (0, 3, 6)]
    laws = {(k,): {o: Fraction(w, sum(row)) for o, w in enumerate(row) if w} for k, row in enumerate(rows)}
    every = list(laws)
    pairs = [(x, y) for x, y in product(every, repeat=2) if x < y]
    numbers = [
        pk.claim(laws, epsilon="ln(2)", raises=False, **words) for words in ({}, {"pairs": pairs}, {"distance": 2})
    ]
    plain = [pk.pair(laws[x], laws[y]) for x, y in pairs]
    for answer in numbers:
        assert answer.tight_delta == max(two.delta_at("ln(2)") for two in plain)
        assert answer.tight_epsilon == max(two.epsilon_at(0) for two in plain)
        assert answer.advantage == max(two.advantage for two in plain)
        assert answer.comparisons == 2 * len(pairs)
    rate = pk.claim(laws, "tpr", fpr="1/7")
    assert rate.value == max(two.tpr("1/7") for two in plain)
    truth = pk.claim(laws, "fdp", tradeoff=[("0", "0"), ("1", "0")]).tradeoff
    assert truth == lowest_tradeoff(way.trade_off for two in plain for way in (two.p_against_q, two.q_against_p))
    assert pk.claim(laws, "fdp", tradeoff=truth, tight=True)


@given(st.lists(st.integers(0, 5), min_size=4, max_size=4), st.fractions(0, 1, max_denominator=6), st.integers(1, 6))
def test_a_curve_is_below_the_truth_where_a_point_is(weights: list[int], start: Fraction, slope: int) -> None:
    """Against the points of a fine grid of e^ε, at each of which the two are compared by hand."""
    p, q = [1 + weights[0], weights[1]], [weights[2], 1 + weights[3]]
    truth = pk.profile_of(p, q)
    claimed = ClaimedCurve.read(f"max(0, {start} - 1/{slope}*(e^ε - 1), 1/{slope + 9})", "delta")
    found = beside(claimed, truth)
    grid = [Fraction(k, 16) for k in range(16, 16 * 9)]
    wrong = [e for e in grid if truth.delta(pk.epsilon(f"ln({e})")) > claimed.at(e)]
    assert found.equal == all(truth.delta(pk.epsilon(f"ln({e})")) == claimed.at(e) for e in grid)
    if found.below is None:
        assert not wrong
    else:
        assert truth.delta(pk.epsilon(f"ln({found.inside})")) > claimed.at(found.inside)
        assert all(pk.epsilon(f"ln({e})") >= found.below for e in wrong)


@pytest.mark.parametrize("relation", ["replace-one", "add-or-remove-one"])
def test_an_advantage_is_rechecked_where_the_first_neighbours_have_equal_laws(relation: str) -> None:
    """At ε = 0 every comparison needs ε = 0, and the one that is closest has the largest δ."""
    words: dict[str, Any] = {"values": [0, 1], "size": [0, 2], "relation": relation}
    for most in ("1/3", "1/2"):
        answer = pk.claim(COUNT, "advantage", at_most=most, **words)
        assert answer.replayed
        assert answer.answer is not None
        assert answer.answer.tightest is not None
        assert answer.value == answer.answer.tightest.value == Fraction(1, 3)


@pytest.mark.parametrize(
    ("definition", "advantage"),
    [
        *((key, "1/2") for key in ("dp", "np", "apkdp", "cdp")),
        *((key, None) for key in ("tail-dp", "ppkdp", "ibcdp")),
    ],
)
def test_an_advantage_is_of_two_laws(definition: str, advantage: str | None) -> None:
    """δ at ε = 0 of a tail, of an average, or of beliefs is none."""
    words: dict[str, Any] = {"distribution": {"iid": "uniform"}, "knowledge": {"records": [0]}}
    half = 'def half(db, rng): return sum(db) if rng.flip("1/2") else "none"'
    answer = pk.claim(half, definition, epsilon=1, values=[0, 1], size=2, raises=False, **words)
    assert answer.advantage == (None if advantage is None else Fraction(advantage))


def test_pairs_of_keys_of_a_table() -> None:
    """A key that is no list is the database of one record."""
    table = {**COIN, "none": {"yes": "1/2", "no": "1/2"}}
    answer = pk.claim(table, pairs=[("yes", "none")], raises=False, epsilon=0)
    assert answer.witness is not None
    assert (answer.tight_epsilon, answer.witness.databases) == ("ln(2)", ("yes", "none"))


def test_numbers_of_libraries() -> None:
    assert read_number("ln(2)", "rho") == pk.epsilon("ln(2)")
    low, high = read_number("ln(3)^2/2 + 1/7", "rho").bracket(64)
    assert low < Fraction(74635, 100000) < high + Fraction(1, 10**4)
    with pytest.raises(pk.InputError, match="negative"):
        read_number("1/2 - ln(9)", "rho")


RESPONSE = "def response(db, rng):\n    return db[0] if rng.flip('3/4') or rng.flip('3/4') else 1 - db[0]\n"
OF_RESPONSE = '[[claim]]\nmechanism = "response.py:response"\nvalues = [0, 1]\nepsilon = "ln(3)"\n'
REAL = '[[claim]]\nprogram = "def m(db, rng): return rng.laplace(0, 1)"\nvalues = [0, 1]\nepsilon = "1"\n'


def status_of(*arguments: str) -> object:
    with pytest.raises(SystemExit) as stop:
        run(list(arguments))
    return stop.value.code


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (OF_RESPONSE + 'expect = "violated"\n', 0),
        (OF_RESPONSE, 1),
        (OF_RESPONSE + 'expect = "violated"\ntruth = { delta = "1/4" }\n', 1),
        (OF_RESPONSE.replace("ln(3)", "ln(15)") + 'expect = "violated"\n', 1),
        (OF_RESPONSE.replace("ln(3)", "ln(15)") + "tight = true\n", 0),
        (OF_RESPONSE.replace("ln(3)", "ln(16)") + "tight = true\n", 1),
        (REAL, 3),
        (REAL + 'expect = "undecided"\n', 0),
        (REAL + OF_RESPONSE, 1),
        (OF_RESPONSE + '[[claim]]\nmechanism = "response.py:reponse"\nvalues = [0, 1]\n', 2),
    ],
)
def test_exit_statuses(text: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "response.py").write_text(RESPONSE, encoding="utf-8")
    file = tmp_path / "claims.toml"
    file.write_text(text, encoding="utf-8")
    assert status_of("check", "--claims", str(file), "--quiet") == status
    assert bool(capsys.readouterr().out) == (status in {1, 3})
    if status < 2 and text.count("[[claim]]") == 1:
        assert status_of("check", "--claims", str(file), "--json") == status
        answer = json.loads(capsys.readouterr().out)
        assert (answer["as_expected"], answer["verdict"] != "") == (status == 0, True)


def test_a_function_of_too_many_databases_to_be_written_is_not_rechecked() -> None:
    """It has no distribution whose worlds could be written in their place."""
    answer = pk.claim(max, epsilon=1, values=[0, 1], size=13, raises=False)
    assert (answer.verdict, answer.replayed) == ("violated", None)


def test_a_function_is_tried_on_every_order_of_eight_records() -> None:
    with pytest.raises(pk.InputError, match="depends on the order of the tuples"):
        pk.claim(lambda db: [*db] == [1, 0, 1, 0, 1, 1, 0, 0], epsilon=0, values=[0, 1], size=[0, 8])
    assert pk.claim(lambda db: sum(db) > 9, epsilon=0, values=[0, 1], size=[0, 4]).tight_epsilon == "0"
