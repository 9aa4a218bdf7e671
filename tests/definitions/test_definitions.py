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
from naive import Answer, Compared, Exp, Pair
from strategies import Case, cases

import verifier as pk
from verifier.definitions import Verdict, resolve
from verifier.definitions.compared_kinds import keys_about
from verifier.definitions.registry import DEFINITIONS, notions, tail_of
from verifier.definitions.simulator_ddp import model_problem
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
KINDS = {
    "np": "conditional",
    "apkdp": "conditional",
    "ppkdp": "conditional",
    "cdp": "counterfactual",
    "dp": "neighbours",
    "ibcdp": "posterior",
}


def same_value(verdict: Verdict, answer: Answer, e: Exp) -> None:
    """The tightest δ as A - B·E, exactly and in canonical form."""
    assert isinstance(verdict.tight_delta, Delta)
    assert answer.line is not None
    a, b = answer.line
    if e.rational is not None:
        a, b = a - b * e.rational, Fraction(0)
    assert (verdict.tight_delta.a, verdict.tight_delta.b) == (a, b)


def is_named(found: Any, wanted: Compared) -> None:
    """The witness names this comparison."""
    assert (found.distribution, found.record) == (wanted.theta, wanted.record)
    assert (found.a and found.a.text, found.b.text) == (wanted.a, wanted.b)
    assert (found.output and found.output.text) == wanted.output
    if wanted.databases is not None:
        assert tuple(tuple(v.text for v in d) for d in found.databases) == wanted.databases
        return
    assert found.databases is None
    if found.terms is None:
        assert (found.knowledge.text, found.direction) == (wanted.pairs[0].knowledge, wanted.pairs[0].direction)
    else:
        assert found.knowledge is None
        assert [t.knowledge.text for t in found.terms] == [pair.knowledge for pair in wanted.pairs]
        assert [t.weight for t in found.terms] == [pair.weight for pair in wanted.pairs]


def re_added(found: Any, wanted: Compared) -> tuple[Fraction, Fraction]:
    """P(S) and Q(S) of the witness's event, by hand."""
    if found.terms is None:
        event = [o.text for o in found.event]
        assert len(set(event)) == len(event)
        p, q = wanted.pairs[0].masses(event)
        assert (found.probability_a, found.probability_b) == (p, q)
        return p, q
    assert found.event is None
    a = b = Fraction(0)
    for term, pair in zip(found.terms, wanted.pairs, strict=True):
        p, q = pair.masses([o.text for o in term.event])
        a, b = a + pair.weight * p, b + pair.weight * q
    return a, b


def outputs_above(pair: Pair, e: Exp, *, closed: bool) -> set[str]:
    """The outputs whose loss is above ε, or at least ε where they attain a tightest ε."""
    return {
        o
        for o in {**pair.p, **(pair.q or {})}
        if e.sign(pair.p.get(o, Fraction(0)), (pair.q or {}).get(o, Fraction(0))) > (-1 if closed else 0)
    }


def right_outputs(found: Any, wanted: Compared, e: Exp, *, closed: bool) -> None:
    """The event is the best one, and the smallest or the largest of the best."""
    events = [found.event] if found.terms is None else [term.event for term in found.terms]
    for event, pair in zip(events, wanted.pairs, strict=True):
        assert {o.text for o in event} == outputs_above(pair, e, closed=closed)


def factor_exp(factor: Fraction | None) -> Exp:
    """The E of a tightest ε."""
    return Exp("inf") if factor is None else Exp("log", x=factor, rational=factor)


def compare_answers(verdict: Verdict, answer: Answer, epsilon: str | None, delta: Fraction, definition: str) -> None:
    """Everything that an answer says."""
    e = EPSILONS[epsilon]
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
    if answer.verdict == "vacuous":
        assert (verdict.witness, verdict.tightest) == (None, None)
        return
    shown = verdict.witness if answer.verdict == "fails" else verdict.tightest
    assert shown is not None
    assert (verdict.witness is None) == (answer.verdict == "holds")
    assert shown.kind == KINDS[definition.removeprefix("tail-")]
    tail = definition.startswith("tail-")
    zero = e is not None and answer.line is not None and e.sign(*answer.line) == 0
    if answer.verdict == "fails":
        wanted = answer.worst
        assert wanted is not None
        is_named(shown, wanted)
        a, b = re_added(shown, wanted)
        at = Exp("inf") if e is None else e
        assert at.sign(a - delta, b * (not tail)) > 0
        right_outputs(shown, wanted, at, closed=False)
        if answer.line is not None:
            assert at.sign(a - answer.line[0], b * (not tail) - answer.line[1]) == 0
    elif e is None or zero:
        assert answer.closest is not None
        is_named(shown, answer.closest)
        a, b = re_added(shown, answer.closest)
        closed = answer.factor is not None and not (tail and answer.factor == 1)
        right_outputs(shown, answer.closest, factor_exp(answer.factor), closed=closed)
        if answer.factor is None:
            assert a == b == 0
        elif answer.factor > 1:
            assert a > delta if tail else a - answer.factor * b == delta
    else:
        assert answer.worst is not None
        assert answer.line is not None
        is_named(shown, answer.worst)
        a, b = re_added(shown, answer.worst)
        assert e.sign(a - answer.line[0], b * (not tail) - answer.line[1]) == 0
        right_outputs(shown, answer.worst, e, closed=False)


def with_named_outputs(answer: Answer, families: list[list[Compared]], verdict: Verdict, e: Exp) -> Answer:
    """The answer with the comparison that the verdict shows, where it is as good as the twin's first one.

    The twin does not know the order of labels, in which outputs are taken.
    """
    shown = verdict.witness or verdict.tightest
    if shown is None:
        return answer
    key = shown.distribution, shown.record, str(shown.b), str(shown.output), str(shown.knowledge), shown.direction
    named = next(
        one
        for one in (one for family in families for one in family)
        if (one.theta, one.record, one.b, one.output, one.pairs[0].knowledge, one.pairs[0].direction) == key
    )
    found = naive.answer([[named]], None, verdict.delta)
    assert answer.worst is not None
    (a, b), (c, d) = naive.best_line(named, e), naive.best_line(answer.worst, e)
    worst = named if e.sign(a - c, b - d) == 0 else answer.worst
    return replace(answer, worst=worst, closest=named if found.factor == answer.factor else answer.closest)


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("definition", "reading"), ASKED)
@given(case=cases(), seed=st.integers(0, 44))
@settings(max_examples=12)
def test_check_is_what_the_twin_finds(definition: str, reading: str, case: Case, seed: int) -> None:
    model = pk.build(**case.keys)
    engine = Engine(model)
    if case.plain.secrets is None and definition.removeprefix("tail-") in {"dp", "cdp", "ibcdp"}:
        assert pk.check(model, definition, epsilon=0, engine=engine).verdict == "unsupported"
        return
    families = naive.families(case.plain, definition, reading)
    questions = [(e, d) for e in EPSILONS for d in DELTAS]
    for epsilon, delta in [questions[(seed + 7 * k) % len(questions)] for k in range(9)]:
        verdict = pk.check(
            model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine, replay=False
        )
        answer = naive.answer(families, EPSILONS[epsilon], delta, tail=definition.startswith("tail-"))
        if definition == "ibcdp":
            answer = with_named_outputs(answer, families, verdict, EPSILONS[epsilon] or Exp("inf"))
        compare_answers(verdict, answer, epsilon, delta, definition)


@given(cases(max_size=2))
def test_the_conditional_laws_of_the_worlds_are_those_of_the_model(case: Case) -> None:
    """The mechanism kinds and the worlds, cell by cell: P[B, S = D(0), O]."""
    model = pk.build(**case.keys)
    engine = Engine(model)
    secret = model.secrets[0]
    for theta in model.thetas:
        wanted: dict[tuple[str, str, str], Fraction] = {}
        for row in case.plain.worlds[theta.name]:
            value = row.sensitive if secret.record is None else row.database[secret.record]
            for output, p in case.plain.mechanism(row.database).items():
                key = (row.knowledge, str(value), output)
                wanted[key] = wanted.get(key, Fraction(0)) + row.p * p
        joint = engine.factual(theta, secret)
        found = {
            (known.text, value.text, output.text): Fraction(weight, joint.denominator)
            for known, cell in joint.cells.items()
            for value, outputs in cell.items()
            for output, weight in outputs.items()
        }
        assert found == {key: p for key, p in wanted.items() if p}
        assert [k.text for k in joint.cells] == list(dict.fromkeys(r.knowledge for r in case.plain.worlds[theta.name]))


def shown(number: int) -> pk.Model:
    """One record of so many values, each as probable, that is shown as it is."""
    values = list(range(number))
    law = dict.fromkeys(values, f"1/{number}")
    return pk.build(size=1, values=values, distribution={"iid": law}, mechanism={"kind": "identity"})


def test_beliefs_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for each b, each value of the record, and each output that is possible with it."""
    monkeypatch.setattr(resolve, "MAX_POSTERIORS", 81)
    assert pk.check(shown(9), "ibcdp").verdict == "fails"
    with pytest.raises(pk.LimitError, match="the posteriors have 100 probabilities; wanted at most 81"):
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
