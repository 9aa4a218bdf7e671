"""The worst mechanism: never beaten by a grid, equal to a plain linear program of z3, attained, monotone."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from examined import at_least_one
from hypothesis import given, settings
from hypothesis import strategies as st
from naive import Db, Law, Plain
from policies import TWO
from small_models import needed
from strategies import Case, cases

import verifier as pk
from verifier.checker.multipliers import definition_of as linear_in_the_checker
from verifier.checker.multipliers import verify_worst
from verifier.checker.numbers import Rejected, Unsupported, Wrong
from verifier.definitions import load
from verifier.definitions.scheme import Scheme
from verifier.errors import UnsupportedError
from verifier.model.compose import with_mechanism
from verifier.model.library import models_folder
from verifier.numbers import Delta, log_epsilon
from verifier.questions.expect import compare
from verifier.recheck.documents import document_text
from verifier.wings.search.linear_bounds import WeightedPair, definition_of, factor_of, forms_of
from verifier.wings.search.symmetry import Alike, Exchanges
from verifier.wings.search.worst import decide, proof
from verifier.wings.search.worst.decide import Worst, worst
from verifier.wings.search.worst.proof import worst_document

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


# --- definitions of DP22 ---------------------------------------------------------------------------------------------


FILE = """
size = 2
values = [0, 1]
[[distribution]]
name = "up"
iid = { 0 = "1/2", 1 = "1/2" }
[[distribution]]
name = "down"
table = [
  { database = [0, 0], probability = "1/4" },
  { database = [0, 1], probability = "1/4" },
  { database = [1, 1], probability = "1/2" },
]
[mechanism]
kind = "constant"
output = "u"
"""
"""Two records of two values under two distributions."""
OF_OUTPUTS = {"image", "leak", "tests", "tailored", "levels"}
POLICY: dict[str, Any] = {name: value for name, value in TWO.items() if name not in OF_OUTPUTS} | {
    "theta-distances": [["up", "down", "2"]]
}
MODEL = pk.build(**tomllib.loads(FILE), policy=POLICY)
GRID = 3


@cache
def on_the_grid() -> list[pk.Model]:
    """Every mechanism with two outputs whose probabilities are multiples of 1/GRID."""
    databases = list(product((0, 1), repeat=2))
    listed = []
    for weights in product(range(GRID + 1), repeat=len(databases)):
        table = [
            {"database": list(database), "outputs": {"u": str(Fraction(w, GRID)), "v": str(Fraction(GRID - w, GRID))}}
            for database, w in zip(databases, weights, strict=True)
        ]
        listed.append(with_mechanism(MODEL, {"table": table}))
    return listed


def verified(document: dict[str, Any]) -> str:
    return verify_worst(json.loads(json.dumps(document)), Path())


def decided(key: str) -> bool:
    """Whether a definition is linear, and decided on the model."""
    scheme = pk.atlas[key].compare
    return isinstance(scheme, Scheme) and pk.check(MODEL, pk.atlas[key], replay=False).verdict != "unsupported"


def is_linear(key: str) -> bool:
    try:
        definition_of(key)
    except pk.UnsupportedError:
        return False
    return True


OF_THE_ATLAS = sorted({definition_of(key).key for key in pk.atlas.entries if is_linear(key)})


@pytest.mark.parametrize("key", OF_THE_ATLAS)
def test_the_checker_has_the_definitions_that_are_linear(key: str) -> None:
    assert linear_in_the_checker(key).measure in {"hockey-stick", "ratio", "tail"}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("key", [key for key in OF_THE_ATLAS if decided(key)])
def test_what_is_assumed_is_derived_again_and_no_mechanism_on_the_grid_is_worse(key: str) -> None:
    found = pk.worst(MODEL, assuming=f"{key}(epsilon=ln(2))", maximise="np delta at 0")
    assert found.found is not None
    assert pk.check(found.found, pk.atlas[key], epsilon="ln(2)").verdict in {"holds", "vacuous"}
    assert pk.check(found.found, "np", epsilon="0").tight_delta == found.optimum
    assert verified(worst_document(found)).startswith("the largest δ of ")
    for candidate in on_the_grid()[::3]:
        if pk.check(candidate, pk.atlas[key], epsilon="ln(2)", replay=False).verdict == "holds":
            delta = pk.check(candidate, "np", epsilon="0", replay=False).tight_delta
            assert isinstance(delta, Delta)
            assert delta <= found.optimum


@pytest.mark.parametrize(("key", "epsilon"), [("adp", "ln(2)"), ("dnpr", "0"), ("pbdp", "0"), ("psdp", "ln(2)")])
def test_what_has_a_delta_is_maximised(key: str, epsilon: str) -> None:
    found = pk.worst(MODEL, assuming="dp(epsilon=ln(3))", maximise=f"{key} delta at {epsilon}")
    assert found.found is not None
    assert pk.check(found.found, pk.atlas[key], epsilon=epsilon).tight_delta == found.optimum
    for candidate in on_the_grid()[::5]:
        if pk.check(candidate, "dp", epsilon="ln(3)", replay=False).verdict == "holds":
            delta = pk.check(candidate, pk.atlas[key], epsilon=epsilon, replay=False).tight_delta
            assert isinstance(delta, Delta)
            assert delta <= found.optimum


def test_one_sided_privacy_lets_one_value_through() -> None:
    """OSDP at ε leaves 1 - e^(-ε) to what is never seen of a protected record."""
    for factor in (Fraction(2), Fraction(3), Fraction(7, 4)):
        found = pk.worst(MODEL, assuming=f"osdp(epsilon={log_epsilon(factor)})", maximise="dp delta at ln(100)")
        assert found.optimum == 1 - 1 / factor


def test_a_mechanism_alone_is_enough() -> None:
    alone = pk.build(
        size=1, values=["a", "b"], mechanism={"kind": "constant", "output": "o"}, policy={"sensitive": ["a"]}
    )
    found = pk.worst(alone, assuming="osdp(epsilon=ln(2))", maximise="adp delta at ln(2)")
    assert found.optimum == Fraction(1, 2)
    assert found.claim.endswith("does worse.")
    assert found.found is not None
    assert "[policy]" in found.found.text
    assert "[[distribution]]" not in found.found.text


def test_a_document_is_of_its_policy() -> None:
    content = worst_document(pk.worst(MODEL, assuming="osdp(epsilon=ln(2))", maximise="dp delta at ln(2)"))
    verified(content)
    (sensitive,) = (line for line in content["model_text"].splitlines() if line.startswith("sensitive"))
    for other in ("sensitive = [0]", "sensitive = [0, 1]", ""):
        with pytest.raises((Rejected, Unsupported)):
            verified({**content, "model_text": content["model_text"].replace(sensitive, other)})
    (held,) = content["assuming"]
    with pytest.raises(Wrong, match="linear"):
        verified({**content, "assuming": [{**held, "definition": "klpr"}]})
    with pytest.raises(Rejected, match="has no δ"):
        verified({**content, "assuming": [{**held, "delta": "1/100"}]})
    with pytest.raises(Rejected):
        verified({**content, "optimum": str(Fraction(content["optimum"]) / 2)})


@pytest.mark.parametrize(
    ("assuming", "maximise"),
    [
        ("osdp(epsilon=ln(2))", "dp delta at ln(2)"),
        ("iddp(epsilon=ln(2)) and dp-any(epsilon=ln(3))", "np delta at 0"),
        ("pfpr(epsilon=ln(2))", "dnpr delta at 0"),
    ],
)
def test_a_document_is_verified_against_its_model(assuming: str, maximise: str, tmp_path: Path) -> None:
    path = tmp_path / "tour.toml"
    path.write_text((models_folder() / "atlas" / "tour.toml").read_text(encoding="utf-8"), encoding="utf-8")
    found = pk.worst(pk.read(path), assuming=assuming, maximise=maximise)
    document = json.loads(document_text(worst_document(found, tmp_path)))
    assert document["model"] == "tour.toml"
    assert verify_worst(document, tmp_path).startswith("the largest δ of ")
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(Rejected, match="another one"):
        verify_worst(document, tmp_path)


# --- the re-check while answering -------------------------------------------------------------------------------------


def test_an_answer_that_is_not_confirmed_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    model = pk.read(models_folder() / "restricted" / "not-both.toml")

    def wrong(answer: Worst) -> dict[str, Any]:
        document = worst_document(answer)
        return {**document, "optimum": str(Fraction(document["optimum"]) * Fraction(99, 100))}

    monkeypatch.setattr(proof, "worst_document", wrong)
    with pytest.raises(pk.RejectedError):
        worst(model, assuming="np(ln(2))", maximise="cdp delta at ln(2)")


def test_planted_errors_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that is forgotten, laws that are exchanged, another e^ε, a share that is lost: nothing is shown."""
    model = pk.read(models_folder() / "DMKB20" / "example-6-partner-known.toml")
    line = WeightedPair.line

    def exchanged(self: WeightedPair, E: Fraction) -> Any:
        return line(replace(self, p=self.q, q=self.p), E)

    planted: list[tuple[Any, str, Any]] = [
        (decide, "forms_of", lambda *given: forms_of(*given)[1:]),
        (decide, "forms_of", lambda *given: tuple(replace(one, parts=one.parts[:1]) for one in forms_of(*given))),
        (decide, "factor_of", lambda *given: factor_of(*given) + Fraction(1, 2)),
        (WeightedPair, "line", exchanged),
    ]
    for where, name, wrong in at_least_one(planted):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, wrong)
            with pytest.raises((pk.RejectedError, ArithmeticError)):
                worst(model, assuming="ppkdp(ln(2), 1/10)", maximise="np delta at ln(3/2)")


# --- its policy -------------------------------------------------------------------------------------------------------


def test_the_policy_is_written_as_it_was_read() -> None:
    found = pk.worst(MODEL, assuming="iddp(epsilon=ln(2))", maximise="dp delta at ln(2)")
    assert found.found is not None
    assert found.found.policy == MODEL.policy
