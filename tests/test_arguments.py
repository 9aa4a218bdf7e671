"""Every public function refuses what it does not take at the call, with a message: no error of Python comes out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from inspect import isfunction, signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import verifier as pk
from verifier.tables import label

COIN = pk.build(
    size=1, values=[0, 1], distribution={"iid": "uniform"}, mechanism={"kind": "randomized-response", "keep": "1/2"}
)
COUNT = pk.build(size=2, values=[0, 1], distribution={"iid": "uniform"}, mechanism={"kind": "count", "value": 1})
TABLE = pk.build(size=2, values=[0, 1], mechanism={"kind": "apply", "k": 2, "generalization": {0: "a", 1: "a"}})
SUM = {"kind": "sum"}
CONSTANT = {"kind": "constant", "output": 0}
STEP = {"rows": [{"input": 0, "output": "none"}], "otherwise": "some"}
LOSSES = SimpleNamespace(loss_probs={0: 0.5, 1: 0.5}, infinity_mass=0, discretization=0.5)
"""The attributes of a mass function of privacy losses."""
GOOD: dict[str, dict[str, Any]] = {
    "acceptable": {"model": COUNT, "max_rows": 100},
    "adaptive": {"first": SUM, "following": {0: SUM}, "otherwise": SUM},
    "all_runs": {
        "models": COIN, "times": 2, "definitions": ("dp",), "deltas": [0], "epsilons": ["ln(3)"], "replay": True,
        "tick": None,
    },
    "build": {"size": 1, "values": [0], "mechanism": SUM, "distribution": {"iid": {0: 1}}, "knowledge": SUM},
    "check": {
        "model": COIN, "definition": "dp", "epsilon": "ln(3)", "delta": "0", "reading": "default", "engine": None,
        "replay": True, "digits": 12, "share": 1, "observer": "",
    },
    "check_all": {"model": COIN, "dimension": "F", "epsilon": "ln(3)", "delta": 0, "replay": False},
    "check_bijection": {"model": COUNT, "formula": "O", "reading": "default", "engine": None},
    "claim": {
        "mechanism": CONSTANT, "definition": "dp", "epsilon": "ln(3)", "delta": 0, "rho": None, "order": None,
        "mu": None, "tradeoff": None, "values": [0, 1], "size": 1, "databases": None, "relation": "replace-one",
        "absent": None, "distance": 1, "pairs": None, "graph": None, "distribution": None, "knowledge": None,
        "sensitive": None, "policy": None, "parameters": None, "runs": 1, "tight": False, "raises": False,
        "at_most": None, "prior": None, "fpr": None, "at": None, "name": "sum",
    },
    "claim_order": {
        "a": CONSTANT, "b": CONSTANT, "definition": "dp", "values": [0, 1], "size": 1, "raises": False,
    },
    "claim_same": {"a": CONSTANT, "b": CONSTANT, "values": [0, 1], "size": 1, "raises": False},
    "compare": {
        "a": CONSTANT, "b": CONSTANT, "definitions": ("dp",), "values": [0, 1], "size": 1, "replay": False,
    },
    "compose_runs": {"model": COIN, "times": 2, "definitions": ("dp",), "epsilons": ["ln(3)"], "tick": None},
    "epsilon": {"raw": "ln(3)", "where": "ε"},
    "examples": {"paper": "DMKB20", "most": 64},
    "convert": {"model": COUNT, "source": "np", "target": "cdp", "epsilon": "ln(2)", "max_rows": 99, "tick": None},
    "convert_curve": {
        "source_of_data": COIN, "source": "np", "target": "cdp", "range_of_epsilon": ("ln(2)", "ln(3)"),
        "max_rows": 99, "tick": None,
    },
    "convert_delta": {
        "model": COUNT, "source": "np", "target": "cdp", "epsilon": "ln(2)", "delta": 0, "max_rows": 99, "tick": None,
    },
    "implied_for": {"model": COUNT, "satisfied": "np(0)", "violated": "cdp(0)", "max_rows": 99},
    "k_anonymity": {"model": TABLE, "k": 2},
    "keeps_convexity": {
        "model": COIN, "definition": "dp", "other": {"kind": "identity"}, "weight": "1/2", "epsilon": "ln(3)",
        "reading": "default",
    },
    "keeps_parallel": {
        "model": COUNT, "definition": "dp", "parts": [([0], SUM), ([1], SUM)], "epsilon": "ln(3)", "reading": "default",
    },
    "design_table": {
        "max_noise": 1, "variance": 1, "epsilon": "ln(2)", "never_1_to": 0, "exact_variance": False,
    },
    "best": {
        "model": COUNT, "loss": "absolute", "of": "count", "value": 1, "assuming": "dp(ln(2))", "worst": False,
        "max_rows": 99,
    },
    "best_curve": {
        "model": COUNT, "epsilons": [0], "loss": "absolute", "of": "count", "value": 1, "assuming": "dp(ln(2))",
        "worst": False, "max_rows": 99,
    },
    "keeps_sequential": {
        "model": COIN, "definition": "dp", "other": {"kind": "identity"}, "epsilons": ("ln(3)", "ln(3)"),
        "reading": "default",
    },
    "loads": {"text": 'size = 1\nvalues = [0]\n[mechanism]\nkind = "sum"', "path": ""},
    "loss": {"model": COUNT, "record": 0, "values": (0, 1), "engine": None},
    "loss_mass": {"given": LOSSES},
    "on_records": {"records": [0], "mechanism": SUM},
    "overview": {
        "model": COIN, "epsilon": "ln(3)", "delta": 0, "engine": None, "replay": False, "digits": 12, "observer": "",
        "tick": None,
    },
    "pair": {"p": [1, 0], "q": ["1/2", "1/2"], "mechanism": None, "prior": "1/2", "title": "coin"},
    "profile_of": {"p": [1, 1], "q": [1, 1], "p_total": None, "q_total": None},
    "program": {"given": "def f(db, rng): return db[0]"},
    "read": {"path": pk.examples()[0]},
    "reducible": {"model": COUNT, "engine": None, "reading": "default"},
    "relations": {"first": "dp", "second": "np"},
    "rule": {
        "rule": "hide 0 to 1", "people": 3, "known": 1, "probability": "1/2", "epsilon": "ln(3)", "delta": 0,
        "overlap": 1, "known_in_overlap": 0, "noise": None, "total": False, "secondary": None,
    },
    "sampler": {"seed": 1},
    "search": {
        "satisfies": "np(epsilon=0)", "violates": "cdp(epsilon=0)", "claim": None, "scope": None, "vacuous": False,
        "exhaust": False, "find": "enumerate", "jobs": 1, "workers": None, "checkpoint": None, "progress": None,
        "max_models": 10**4, "policy": None,
    },
    "statement": {"text": "np(0)", "where": "claim"},
    "symmetric": {"function": len},
    "stronger": {"first": COUNT, "second": COUNT, "reading": "default", "max_rows": 99},
    "strongly_safe": {"model": TABLE},
    "with_mechanism": {"model": COIN, "mechanism": {"kind": "identity"}},
    "worlds": {"model": COIN, "distribution": None, "record": None, "knowledge": None},
    "worst": {
        "model": COUNT, "maximise": "np delta at ln(2)", "assuming": "dp(ln(2))", "outputs": 2, "max_rows": 99,
        "tick": None,
    },
}  # fmt: skip
"""A call of each public function, argument by argument."""
POSITIONAL: dict[str, tuple[Any, ...]] = {
    "choose": (("1/2", SUM), ("1/2", SUM)),
    "compose": (SUM, SUM),
    "implication_graph": (),
    "keeps_post_processing": (COIN, "dp", STEP),
    "post_process": (SUM, STEP),
}
"""A call of each public function that takes any number of arguments, or none."""
ODD: dict[str, Callable[[], Any]] = {
    "a float": lambda: 0.5,
    "None": lambda: None,
    "a list": lambda: [1, 2],
    "a list of a text": lambda: ["x"],
    "a path": lambda: Path("there-is-none.toml"),
    "a number as a text": lambda: "1/2",
    "a text": lambda: "there is none",
    "a float of numpy": lambda: np.float64(0.5),
    "an integer of numpy": lambda: np.int64(2),
    "an array of numpy": lambda: np.array([1, 2]),
    "a generator": lambda: (one for one in [1]),
    "a set": lambda: {1},
    "a table": lambda: {"a": 1},
    "a fraction": lambda: Fraction(1, 2),
    "an integer": lambda: 3,
    "a negative integer": lambda: -1,
    "a truth": lambda: True,
    "bytes": lambda: b"x",
    "an object": object,
    "a model": lambda: COIN,
}


def calls() -> Iterator[tuple[str, str]]:
    for name, given in GOOD.items():
        yield from ((name, argument) for argument in given)
    for name, arguments in POSITIONAL.items():
        yield from ((name, str(place)) for place in range(len(arguments)))


def test_every_public_function_is_called() -> None:
    functions = {name for name in pk.__all__ if isfunction(getattr(pk, name))}
    assert functions == {*GOOD, *POSITIONAL}
    for name, given in GOOD.items():
        named = {
            one.name for one in signature(getattr(pk, name)).parameters.values() if one.kind is not one.VAR_KEYWORD
        }
        assert named - {"epsilon"} <= set(given), name


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("name", "argument"), list(calls()), ids=lambda text: text)
def test_an_odd_argument_is_refused_with_a_message(
    name: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or taken, where it is one of those that the function takes; a file that is written is in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    function = getattr(pk, name)
    asked = []
    for what, make in ODD.items():
        if what == "an integer" and name == "compose_runs":
            continue  # three runs are a right answer, and a long one
        asked.append(what)
        try:
            if name in GOOD:
                function(**{**GOOD[name], argument: make()})
            else:
                arguments = list(POSITIONAL[name])
                arguments[int(argument)] = make()
                function(*arguments)
        except pk.PkdpError:
            continue
        except Exception as error:
            raise AssertionError(f"{name}({argument} = {what}) raises {type(error).__name__}: {error}") from error
    assert asked


wrong: Any = pk
"""The package, of which a wrong argument is no mistake of types."""


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: wrong.post_process(COIN, STEP),
            r"mechanism: you gave a Model\. Expected a mechanism\. Hint: model",
        ),
        (lambda: wrong.compose(COIN), r"mechanism 1: you gave a Model\. Expected a mechanism\. Hint: model\.mechanism"),
        (wrong.compose, r"compose: there is no mechanism"),
        (
            lambda: wrong.post_process(SUM, lambda output: output),
            r"step 1: you gave a function of the output",
        ),
        (
            lambda: wrong.choose(SUM),
            r"choice 1: .* is not a list\. Expected a list of entries",
        ),
        (lambda: wrong.on_records("01", SUM), r'records: "01" is not a list\. Expected a list of records'),
        (lambda: wrong.compose_runs(COIN, 2, definitions="dp"), r'Hint: definitions=\["dp"\]'),
        (lambda: wrong.check(COIN, "dp", replay="no"), r'replay: "no" is neither True nor False'),
        (lambda: wrong.acceptable(COUNT, max_rows="100"), r'max_rows: "100" is not an integer\. .* Hint: max_rows=100'),
        (lambda: wrong.read({"size": 1}), r"path: .* is not the path of a file\. .* pk\.build takes its keys"),
        (lambda: wrong.profile_of([0.5], [1]), r"p\[0\]: the float 0\.5 is not an exact number"),
        (
            lambda: wrong.profile_of({"a": "1/2"}, {"a": 1}),
            r"p: the probabilities sum to 1/2\. Expected the sum 1",
        ),
        (lambda: wrong.profile_of({"a": 1}, [1]), r"q: one law is a table and one is not"),
    ],
)
def test_what_is_expected_is_said(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(pk.PkdpError, match=message):
        call()


KEYS: dict[str, Any] = {"size": 2, "values": [0, 1], "distribution": {"iid": "uniform"}, "mechanism": SUM}


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (
            {"mechanism": lambda _: {"a": 0.25, "b": 0.75}},
            r"\[mechanism\], the function on \[0, 0\], a: the float",
        ),
        ({"knowledge": lambda _: {"a": 0.5, "b": 0.5}}, r"\[knowledge\], the function on \[0, 0\], a: the float 0\.5"),
        ({"mechanism": lambda _: 0.5}, r"the function on \[0, 0\]: the float 0\.5 cannot be a label"),
        ({"mechanism": lambda _: None}, r"the function returned None on the database \[0, 0\]"),
        (
            {"mechanism": lambda one, other: one + other},
            r"raised TypeError on the database \[0, 0\].* Hint: a program takes the database and the generator",
        ),
        ({"mechanism": lambda _: [("a", "1/4"), ("b", "3/4")]}, r"looks like a table of probabilities.* Hint: dict\("),
        ({"mechanism": set}, r"is a set, which has no order\. Expected a list"),
        ({"mechanism": {"rows": {(0, 0): 1}}}, r"rows: \{ \[0,0\] = 1 \} is not a list\. Expected a list of rows"),
        ({"mechanism": {"table": {(0, 0): 1}}}, r"table: \{ \[0,0\] = 1 \} is not a list\. Expected a list of rows"),
        ({"mechanism": {(0, 0): 1}}, r"\[mechanism\]: a key is missing"),
        ({"distribution": {"table": {(0, 0): "1"}}}, r'table: \{ \[0,0\] = "1" \} is not a list'),
        ({"mechanism": lambda _: {(0, 0): "1/2", "[0,0]": "1/2"}}, r"a key is given twice\. Expected distinct keys"),
        ({"mechanism": lambda _: {(0, 0.5): 1}}, r"the float 0\.5 cannot be a label"),
        ({"mechanism": lambda _: {frozenset([0]): 1}}, r"is a set, which has no order"),
        ({"mechanism": COIN}, r"is not a table.* Hint: model\.mechanism"),
        ({"mechanism": "sum"}, r'is not a table.* Hint: kind = "sum"'),
        ({"distribution": {"iid": ["1/2", "1/2"]}}, r'is not a table.* Hint: such as \{ 0 = "1" \}'),
        ({"values": {0, 1}}, r"values: \{0, 1\} is a set, which has no order\. Expected a list\. Hint: sorted"),
        (
            {"values": (one for one in [0, 1])},
            r"values: a generator can be read only once\. .* Hint: list",
        ),
        ({"distribution": {"iid": {0: np.float64(0.5), 1: "1/2"}}}, r"iid, 0: the float 0\.5 is not an exact number"),
    ],
)
def test_build_says_it_at_once(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(pk.PkdpError, match=message):
        pk.build(**{**KEYS, **keys})


@pytest.mark.parametrize(
    "keys",
    [
        {"values": range(2)},
        {"values": np.arange(2)},
        {"size": np.int64(2)},
        {"mechanism": np.sum},
        {"mechanism": lambda database: {np.int64(sum(database)): 1}},
        {"mechanism": {"kind": "part", "records": range(2), "of": SUM}},
        {"mechanism": {"kind": "linear", "weights": np.array([1, 1])}},
    ],
)
def test_what_python_has_is_taken(keys: dict[str, Any]) -> None:
    answers = [pk.check(pk.build(**{**KEYS, **one}), "dp", epsilon="ln(2)") for one in ({}, keys)]
    one, other = (answer.to_json() for answer in answers)
    assert {**one, "model": None} == {**other, "model": None}


@pytest.mark.parametrize("key", [(0, 1), (0, (1, "a")), range(2)])
def test_a_tuple_that_is_a_key_is_the_label_of_its_list(key: Any) -> None:
    laws = {"a function": lambda _: {key: 1}, "rows": {"rows": [], "otherwise": {key: 1}}}
    models = [pk.build(**{**KEYS, "mechanism": law}) for law in laws.values()]
    models.append(pk.with_mechanism(models[0], laws["rows"]))
    assert all(model.mechanism.outputs() == [label(list(key))] for model in models)


class Frame:
    """As much of a data frame of pandas as is read."""

    def __init__(self, index: list[Any], columns: list[Any], cells: list[list[Any]]) -> None:
        self.index, self.columns, self.cells, self.iloc = index, columns, cells, cells

    def itertuples(self, *, name: str | None) -> Iterator[tuple[Any, ...]]:
        assert name is None
        return ((row, *cells) for row, cells in zip(self.index, self.cells, strict=True))


def test_a_data_frame_is_a_table_of_databases_and_outputs() -> None:
    half = {0: {"no": "3/4", "yes": "1/4"}, 1: {"no": "1/4", "yes": "3/4"}}
    one = Frame([0, 1], ["no", "yes"], [["3/4", Fraction(1, 4)], ["1/4", Fraction(3, 4)]])
    rows = {"rows": [{"database": [value], "outputs": law} for value, law in half.items()]}
    first, second = (pk.with_mechanism(COIN, mechanism).mechanism for mechanism in (one, rows))
    assert [first.law((v,)) for v in (0, 1)] == [second.law((v,)) for v in (0, 1)]
    two = Frame([(0, 0), (0, 1), (1, 0), (1, 1)], [np.int64(0), np.int64(1)], [[1, 0], [0, 1], [0, 1], [0, 1]])
    assert pk.check(pk.build(**{**KEYS, "mechanism": two}), "dp").tight_epsilon == "inf"
    with pytest.raises(pk.InexactError, match=r"rows, row 1, outputs, no: the float 0\.75"):
        pk.with_mechanism(COIN, Frame([0, 1], ["no", "yes"], [[0.75, 0.25], [0.25, 0.75]]))


def test_laws_by_their_outputs_are_those_in_order() -> None:
    tables = {"a": Fraction(1, 3), "b": Fraction(2, 3)}, {"b": "1/4", "c": "3/4"}
    assert pk.profile_of(*tables) == pk.profile_of([4, 8, 0], [0, 3, 9]) == pk.profile_of(["1/3", "2/3", 0], [0, 1, 3])
    assert pk.profile_of(["1/4"], ["1/8"], 1, 1) == pk.profile_of([2], [1], 8, 8)
