"""The worst mechanism: never beaten by a grid, equal to a plain linear program of z3, attained, monotone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Db, Law, Plain
from small_models import needed
from strategies import Case, cases

import verifier as pk
from verifier.definitions import load
from verifier.errors import UnsupportedError
from verifier.model.library import models_folder
from verifier.questions.expect import compare
from verifier.wings.search.symmetry import Alike, Exchanges
from verifier.wings.search.worst.decide import worst

ONE = Fraction(1)
LINEAR = ("dp", "np", "apkdp", "ppkdp", "cdp")
FACTORS = {"0": ONE, "ln(2)": Fraction(2), "ln(3/2)": Fraction(3, 2)}
DELTAS = (Fraction(0), Fraction(1, 10), Fraction(1, 3))
bounds = st.tuples(st.sampled_from(LINEAR), st.sampled_from(list(FACTORS)), st.sampled_from(DELTAS))
targets = st.tuples(st.sampled_from(LINEAR), st.sampled_from(list(FACTORS)))


def folder(name: str) -> pk.Model:
    return pk.read(models_folder() / f"{name}.toml")


def of_records(definition: str, plain: Plain) -> bool:
    return plain.secrets is not None or definition not in {"dp", "cdp"}


def ask(model: pk.Model, assumed: Any, target: tuple[str, str], **more: Any) -> Any:
    texts = [f"{name}(epsilon={epsilon}, delta={delta})" for name, epsilon, delta in assumed]
    return worst(model, assuming=texts, maximise=f"{target[0]} delta at {target[1]}", **more)


def mechanisms(plain: Plain, outputs: int) -> Iterator[Plain]:
    """All mechanisms with probabilities 0, 1/3, 2/3 and 1 on every database."""
    laws = [
        {str(o): Fraction(w, 3) for o, w in enumerate(weights) if w}
        for weights in product(range(4), repeat=outputs)
        if sum(weights) == 3
    ]
    databases = list(product(plain.values, repeat=plain.size))
    for chosen in product(laws, repeat=len(databases)):
        table: dict[Db, Law] = dict(zip(databases, chosen, strict=True))
        yield replace(plain, mechanism=table.__getitem__)


def small(case: Case) -> bool:
    databases: int = len(case.plain.values) ** case.plain.size
    return databases <= 4


@pytest.mark.sweep(2)
@given(case=cases(max_size=2).filter(small), assumed=st.lists(bounds, min_size=1, max_size=2), target=targets)
@settings(max_examples=40)
def test_no_mechanism_on_a_grid_is_worse(case: Case, assumed: Any, target: tuple[str, str]) -> None:
    if not all(of_records(name, case.plain) for name in [target[0], *(one[0] for one in assumed)]):
        return
    found = ask(pk.build(**case.keys), assumed, target)
    best = Fraction(0)
    for plain in mechanisms(case.plain, 2):
        if all((needed(plain, name, FACTORS[epsilon]) or 0) <= delta for name, epsilon, delta in assumed):
            best = max(best, needed(plain, target[0], FACTORS[target[1]]) or best)
    assert best <= found.optimum


@pytest.mark.sweep(2)
@given(case=cases(max_size=2), assumed=st.lists(bounds, max_size=2), target=targets)
@settings(max_examples=60)
def test_the_mechanism_that_is_found_is_as_bad_as_claimed(case: Case, assumed: Any, target: tuple[str, str]) -> None:
    if not all(of_records(name, case.plain) for name in [target[0], *(one[0] for one in assumed)]):
        return
    found = ask(pk.build(**case.keys), assumed, target)
    if found.form is None:
        assert found.optimum == 0
        return
    laws = {
        tuple(case.plain.values[v] for v in database): dict(zip(found.labels, law, strict=True))
        for database, law in found.mechanism.items()
    }
    rest = {found.labels[-1]: ONE}
    plain = replace(case.plain, mechanism=lambda database: laws.get(database, rest))
    assert (needed(plain, target[0], FACTORS[target[1]]) or 0) == found.optimum
    assert all((needed(plain, name, FACTORS[epsilon]) or 0) <= delta for name, epsilon, delta in assumed)
    assert "expect" in found.found.text
    assert all(one.agrees for one in compare(found.found))


def test_an_average_over_two_knowledge_values_needs_four_outputs() -> None:
    """The example of proofs/worst.md."""
    weights = {"k": (1, 1, 1, 2), "l": (3, 3, 2, 1)}
    rows = [
        {"database": list(d), "knowledge": known, "probability": str(Fraction(w, 14))}
        for known, each in weights.items()
        for d, w in zip(product((0, 1), repeat=2), each, strict=True)
        if w
    ]
    model = pk.build(size=2, values=[0, 1], distribution={"table": rows}, mechanism={"kind": "constant", "output": "c"})
    found = [ask(model, [("dp", "0", Fraction(1, 10))], ("ppkdp", "0"), outputs=k).optimum for k in (2, 3, 4, None)]
    assert found == [Fraction(13, 120), Fraction(9, 80), Fraction(7, 60), Fraction(7, 60)]


def test_what_separates_for_these_distributions() -> None:
    coins = pk.build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=lambda _: 0)
    assert pk.implied_for(coins, "np(ln(2))", "cdp(ln(2))")
    both = pk.implied_for(coins, "dp(ln(2), 1/10)", "np(ln(2), 1/10) and ppkdp(ln(3), 1/10)")
    assert both
    assert [(proof.definition, str(proof.epsilon)) for proof in both.answers] == [("np", "ln(2)"), ("ppkdp", "ln(3)")]
    assert all(proof.proofs and proof.optimum <= Fraction(1, 10) for proof in both.answers)
    apart = pk.implied_for(coins, "np(ln(2))", "cdp(ln(2)) and dp(ln(2))")
    assert not apart
    assert [answer.definition for answer in apart.answers] == ["cdp", "dp"]
    assert apart.worst.definition == "dp"
    assert apart.worst.found is not None
    assert pk.check(apart.worst.found, "np", epsilon="ln(2)").verdict == "holds"
    assert pk.check(apart.worst.found, "dp", epsilon="ln(2)").verdict == "fails"


@pytest.mark.sweep(6)
@pytest.mark.parametrize("knowledge", [None, [0], [1, 2]])
@pytest.mark.parametrize("assumed", ["dp(ln(2))", "np(ln(2), 1/10)", "ppkdp(0, 1/7)", "cdp(ln(2)) and np(0, 1/10)"])
def test_independent_records_are_alike(assumed: str, knowledge: list[int] | None) -> None:
    keys: dict[str, Any] = {"knowledge": {"records": knowledge}} if knowledge else {}
    votes = {"iid": {0: "1/3", 1: "2/3"}}
    model = pk.build(size=4, values=[0, 1], distribution=votes, mechanism={"kind": "count", "value": 1}, **keys)
    average = () if knowledge == [1, 2] and assumed[:2] in {"dp", "np"} else ("ppkdp delta at 0",)  # 120 programs
    for target in ("cdp delta at ln(2)", "np delta at 0", "dp delta at ln(3)", *average):
        found = worst(model, assuming=assumed, maximise=target, outputs=2)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Exchanges, "alike", lambda _self, _form: Alike(()))
            assert worst(model, assuming=assumed, maximise=target, outputs=2).optimum == found.optimum


def test_equal_knowledge_values_are_counted_apart() -> None:
    """Two knowledge values with the same laws: each counts in an average."""
    rows = [
        {"database": list(d), "knowledge": known, "probability": "1/8"}
        for known in "xy"
        for d in product((0, 1), repeat=2)
    ]
    coins = {"table": rows}
    model = pk.build(size=2, values=[0, 1], distribution=coins, mechanism={"kind": "constant", "output": "c"})
    assert worst(model, assuming="ppkdp(0, 1/10)", maximise="np delta at 0").optimum == Fraction(1, 10)
    assert worst(model, assuming="ppkdp(0, 1/10)", maximise="dp delta at 0").optimum == 1


def test_a_definition_of_your_own_is_refused_before_the_work() -> None:
    recipe = models_folder().parent / "docs" / "own-definitions" / "passive_cdp.toml"
    load(recipe)
    with pytest.raises(UnsupportedError, match="passive-cdp is a definition of your own"):
        worst(folder("DMKB20/example-1-side-known"), maximise="passive-cdp delta at ln(2)", assuming=["np(ln(2))"])
