"""`check` against the naive twin, for every definition, reading, and many (ε, δ): verdict, values, witness."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import naive
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Answer, Db, Exp, Law, Plain
from strategies import Case, cases
from twin_laws import joined

import verifier as pk
from verifier.definitions import Verdict
from verifier.definitions.builders import resolve
from verifier.definitions.centres.simulator_ddp import model_problem
from verifier.definitions.registry import DEFINITIONS, keys_about, notions, tail_of
from verifier.engine import Engine
from verifier.numbers import Delta

pytestmark = pytest.mark.quick


HALF = Fraction(1, 2)
EPSILONS: dict[str | None, Exp | None] = {
    "0": Exp("rational", Fraction(0), rational=Fraction(1)),
    "ln(2)": Exp("log", x=Fraction(2), rational=Fraction(2)),
    "ln(5/3)": Exp("log", x=Fraction(5, 3), rational=Fraction(5, 3)),
    "1/2*ln(9/4)": Exp("log", HALF, Fraction(9, 4), Fraction(3, 2)),
    "1/2*ln(2)": Exp("log", HALF, Fraction(2)),
    "2*ln(3)/5": Exp("log", Fraction(2, 5), Fraction(3)),
    "1/10": Exp("rational", Fraction(1, 10)),
    "inf": Exp("inf"),
    None: None,
}
DELTAS = [Fraction(0), Fraction(1, 100), Fraction(1, 4), HALF, Fraction(1)]
ASKED = [
    ("np", "default"),
    ("np", "one-order"),
    ("apkdp", "default"),
    ("apkdp", "one-order"),
    ("ppkdp", "default"),
    ("ppkdp", "one-order"),
    ("ppkdp", "infinite-loss"),
    ("cdp", "default"),
    ("cdp", "one-order"),
    ("cdp", "all-values"),
    ("dp", "default"),
    ("dp", "one-order"),
    ("ibcdp", "default"),
    ("ibcdp", "one-order"),
    ("ibcdp", "possible-values"),
    ("tail-dp", "default"),
    ("tail-apkdp", "default"),
    ("tail-ppkdp", "default"),
    ("tail-ppkdp", "infinite-loss"),
    ("tail-cdp", "all-values"),
]


def same_value(verdict: Verdict, answer: Answer, e: Exp) -> None:
    """The tightest δ as A - B·E, exactly and in canonical form."""
    assert isinstance(verdict.tight_delta, Delta)
    assert answer.line is not None
    a, b = answer.line
    if e.rational is not None:
        a, b = a - b * e.rational, Fraction(0)
    assert (verdict.tight_delta.a, verdict.tight_delta.b) == (a, b)


def compare_answers(verdict: Verdict, answer: Answer, e: Exp | None) -> None:
    """What an answer says but for its evidence, which the checker looks at."""
    assert verdict.verdict == answer.verdict
    assert str(verdict.tight_epsilon) == naive.epsilon_text(answer.factor)
    counts = (verdict.comparisons, verdict.multiplicity, verdict.empty)
    assert counts == (answer.comparisons, answer.multiplicity, answer.empty)
    if answer.verdict == "vacuous":
        assert str(verdict.tight_delta) == "0"
    elif e is None:
        assert verdict.tight_delta is None
    else:
        same_value(verdict, answer, e)


def cut_alike(plain: Plain, model: pk.Model) -> Plain:
    """The plain model with the tails of its noise cut where those of the model are: each output is a comparison."""
    if not model.mechanism.tails:
        return plain
    at = {value.text: position for position, value in enumerate(model.values)}

    def law(database: Db) -> Law:
        outputs = model.mechanism.law(tuple(at[value] for value in database)).outcomes
        return joined(plain.mechanism(database), [output.text for output in outputs])

    return replace(plain, mechanism=law)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("definition", "reading"), ASKED)
@given(case=cases(), seed=st.integers(0, 44))
@settings(max_examples=12)
def test_check_is_what_the_twin_finds(definition: str, reading: str, case: Case, seed: int) -> None:
    model = pk.build(**case.keys)
    engine = Engine(model)
    if case.plain.secrets is None and definition.removeprefix("tail-") in {"dp", "cdp", "ibcdp"}:
        assert pk.check(model, definition, epsilon=0, engine=engine).verdict == "unsupported"
        return
    if reading == "one-order" and case.unordered:
        assert pk.check(model, definition, epsilon=0, reading=reading, engine=engine).verdict == "unsupported"
        return
    families = naive.families(cut_alike(case.plain, model), definition, reading)
    questions = [(e, d) for e in EPSILONS for d in DELTAS]
    for k in range(9):
        epsilon, delta = questions[(seed + 7 * k) % len(questions)]
        asked = {"epsilon": epsilon, "delta": delta, "reading": reading}
        verdict = pk.check(model, definition, **asked, engine=engine, replay=not (k or seed % 3))  # type: ignore[arg-type]
        assert k or seed % 3 or verdict.replayed
        answer = naive.answer(families, EPSILONS[epsilon], delta, tail=definition.startswith("tail-"))
        compare_answers(verdict, answer, EPSILONS[epsilon])


def shown(number: int) -> pk.Model:
    """One record of so many values, each as probable, that is shown as it is."""
    values = list(range(number))
    law = dict.fromkeys(values, f"1/{number}")
    return pk.build(size=1, values=values, distribution={"iid": law}, mechanism={"kind": "identity"})


def test_beliefs_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for each b, each value of the record, and each output that is possible with it."""
    monkeypatch.setattr(resolve, "MAX_POSTERIORS", 81)
    assert pk.check(shown(9), "ibcdp").verdict == "fails"
    with pytest.raises(pk.LimitError, match=r"the posteriors have 100 probabilities\. Expected at most 81"):
        pk.check(shown(10), "ibcdp")


def test_np_and_apkdp_say_that_they_are_one_notion() -> None:
    model = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    for key in ("np", "apkdp"):
        assert "one notion" in pk.check(model, key, epsilon=0, delta="1/2").note


def test_a_tail_form_is_that_of_the_same_laws_counted_alike() -> None:
    """np has the one of apkdp, which compares the same laws."""
    every = DEFINITIONS.values()
    found = {(tail.key, notion.key) for notion, tail in product(every, repeat=2) if tail_of(tail, notion)}
    own = {(f"tail-{key}", key) for key in DEFINITIONS if f"tail-{key}" in DEFINITIONS}
    assert len(own) == 4
    assert found == own | {("tail-apkdp", "np")}


def test_the_first_definition_of_each_notion_is_kept() -> None:
    listed = [DEFINITIONS[key] for key in ("np", "apkdp", "ppkdp", "np", "tail-ppkdp", "cdp")]
    assert [definition.key for definition in notions(listed)] == ["np", "ppkdp", "tail-ppkdp", "cdp"]
    assert notions([]) == []


def test_a_subject_is_about_the_definitions_that_compare_it_last() -> None:
    """Tail forms compare the tail of what others compare; a property is about itself."""
    assert list(keys_about(("tail",))) == [key for key in DEFINITIONS if key.startswith("tail-")]
    assert [key for key in keys_about(("conditional", "a property")) if key in {*DEFINITIONS, "a property"}] == [
        "np", "apkdp", "a property",
    ]  # fmt: skip


def test_a_simulator_of_sums_needs_no_table() -> None:
    """Nor is one of many rows made; where sums are not enough it is asked for, and refused."""
    keys: dict[str, Any] = {"size": 60, "values": [0, 1], "distribution": {"iid": {0: "1/2", 1: "1/2"}}}
    summed = pk.build(**keys, mechanism={"kind": "count", "value": 1})
    assert model_problem(Engine(summed), "default").make_components is not None
    listed = pk.build(**keys, mechanism={"kind": "identity"})
    with pytest.raises(pk.LimitError):
        model_problem(Engine(listed), "default")
