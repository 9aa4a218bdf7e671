"""Merged outputs and merged neighbours change no answer: the plain engine is asked the same questions.

`rows` names the plain way, which merges no outputs and looks at each pair of neighbours.
"""

from __future__ import annotations

import random
import tomllib
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from noise import noise

import verifier as pk
from verifier.definitions import DEFINITIONS, find
from verifier.definitions.atlas import atlas
from verifier.engine import Engine
from verifier.engine.merged import merged, proportional
from verifier.errors import LimitError
from verifier.model import Model
from verifier.model.bundled import bundled
from verifier.model.composition import Lists, listed
from verifier.tables import Law, label, product

KEYS = sorted(key for key in {*DEFINITIONS, *atlas} if find(key).comparisons.merges_outputs)
ON_OUTPUTS = ("leak", "image", "tests", "views")
"""Fields of `[policy]` that name outputs of the tour's own mechanism."""
NOISE = [noise("1/2")]


def parts_of(rng: random.Random, values: list[Any], size: int) -> list[dict[str, Any]]:
    """Two or three mechanisms: some end in noise, some have outputs of one ratio, some are of some records."""
    value = rng.choice(values)
    noisy = {"kind": "count", "value": value, "then": NOISE}
    split = {"kind": "parity", "value": value, "then": [{"rows": [
        {"input": 0, "outputs": {"a": "1/6", "b": "1/3", "c": "1/2"}},
        {"input": 1, "outputs": {"a": "1/4", "b": "1/2", "c": "1/4"}},
    ]}]}  # fmt: skip
    records = sorted(rng.sample(range(size), rng.randint(1, size)))
    some = {"kind": "part", "records": records, "of": {"kind": "count", "value": rng.choice(values), "then": NOISE}}
    nested = {"kind": "all", "of": [noisy, split]}
    return [rng.choice([noisy, some]), *rng.sample([noisy, split, some, nested, {"kind": "mode"}], rng.randint(1, 2))]


@cache
def tour(name: str, seed: int) -> Model:
    """A tour of the atlas with a random `all` in the place of its mechanism."""
    table = tomllib.loads(bundled()[f"atlas/{name}"].read_text(encoding="utf-8"))
    keys = {key: table[key] for key in ("size", "values", "distribution", "knowledge") if key in table}
    policy = {field: entry for field, entry in table["policy"].items() if field not in ON_OUTPUTS}
    rng = random.Random(seed)  # noqa: S311 - any numbers will do
    parts = parts_of(rng, table["values"], table["size"])
    return pk.build(**keys, mechanism={"kind": "all", "of": parts}, policy=policy)


def answers(model: Model, key: str, epsilon: str | None, delta: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The answer of the fast way and of the plain one."""
    fast, plain = (_answer(Engine(model, force=way), key, epsilon, delta) for way in ("table", "rows"))
    return fast, plain


def _answer(engine: Engine, key: str, epsilon: str | None, delta: str) -> dict[str, Any]:
    """The answer, or the refusal of a program that is too large for either way."""
    try:
        answer = pk.check(engine.model, key, epsilon=epsilon, delta=delta, engine=engine, replay=False)
    except LimitError as error:
        return {"refused": str(error)}
    return dict(answer.to_json())


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", ["tour", "tour-missing"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("key", KEYS)
def test_merged_outputs_change_no_answer(key: str, seed: int, name: str) -> None:
    """Verdict, smallest ε and δ, what was compared, and the witness with its real outputs."""
    model, definition = tour(name, seed), find(key)
    assert merged(model.mechanism).merges
    for delta in ("0", "1/20") if definition.has_delta else ("0",):
        fast, plain = answers(model, key, "1/3" if definition.has_epsilon else None, delta)
        assert fast == plain


def test_some_mechanism_of_the_tours_merges_inside_and_some_below() -> None:
    mechanisms = [tour("tour", seed).mechanism for seed in range(3)]
    assert any(part.components for mechanism in mechanisms for part in mechanism.components)


# --- the parts of it --------------------------------------------------------------------------------------------------


def test_outputs_of_one_ratio() -> None:
    laws = [Law.of({label(o): p for o, p in zip("abcd", row, strict=True)}) for row in (
        ("1/6", "1/3", "1/4", "1/4"), ("1/4", "1/2", "1/8", "1/8"),
    )]  # fmt: skip
    assert [[o.text for o in outputs] for outputs in proportional(laws)] == [["a", "b"], ["c", "d"]]


def test_a_tail_is_merged_with_the_boundary_and_comes_back() -> None:
    """The tree of two noisy counts: outputs `< 0` and 0 are one, and so are 1 and `> 1`."""
    count = {"kind": "count", "value": 1, "then": NOISE}
    model = pk.build(size=1, values=[0, 1], mechanism={"kind": "all", "of": [count, count]})
    whole = merged(model.mechanism)
    assert len(whole.mechanism.law((0,)).outcomes) == 4
    assert [o.text for o in whole.members(label([0, 1]))] == ["[0,1]", '[0,"> 1"]', '["< 0",1]', '["< 0","> 1"]']
    answer = pk.check(model, "dp", replay=False)
    assert str(answer.tight_epsilon) == "ln(4)"
    assert answer.tightest is not None
    assert {o.text for o in answer.tightest.event or ()} == {"[0,0]", '[0,"< 0"]', '["< 0",0]', '["< 0","< 0"]'}


NAMES = st.sampled_from(["0", "01", "1", "-1", "a", "⊥", "[1]", "10", "9"])


@given(st.lists(st.dictionaries(NAMES, st.integers(1, 5), min_size=1, max_size=4), min_size=1, max_size=3))
def test_lists_made_once_are_the_plain_product(tables: list[dict[str, int]]) -> None:
    """Also where labels are equal in rank, such as 1 and "01", and on a second call, which finds the lists."""
    laws = [Law.from_weights({label(name): weight for name, weight in table.items()}) for table in tables]
    lists = Lists()
    assert lists.law(laws) == lists.law(laws) == product(laws, listed)


@given(st.integers(2, 7), st.integers(1, 9), st.integers(10, 20), st.data())
def test_neighbours_alike_up_to_names(values: int, keep: int, out_of: int, data: st.DataObject) -> None:
    """A table whose rows are permutations of a few: the classes have the answer, the witness and the counts of all."""
    rows = [{str(o): f"{keep if o == v else 1}/{keep + values - 1}" for o in range(values)} for v in range(values)]
    table = [{"database": [v], "outputs": data.draw(st.permutations(rows))[0]} for v in range(values)]
    model = pk.build(size=1, values=list(range(values)), mechanism={"table": table}, policy={"order": 2})
    for key in ("dp", "tail-dp", "klpr", "renyidp", "zcodp", "adp"):
        for epsilon in (None, f"ln({out_of}/9)"):
            delta = "1/20" if pk.check(model, key, replay=False).tight_delta is not None else "0"
            fast, plain = answers(model, key, epsilon, delta)
            assert fast == plain
