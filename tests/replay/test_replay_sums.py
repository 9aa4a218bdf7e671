"""The re-check of sums: accepts what the table answers, rejects what was forged, and is fast without a table."""

from __future__ import annotations

import re
import time
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from forging import Certificate, Forge, drop, put
from hypothesis import given
from plain_sums import Component, Group, Sum, answered, described, model_of, plain, singles, sums, voters

import verifier as pk
from verifier.checker import answers as replay
from verifier.engine import Engine

EPSILONS = ["0", "ln(2)", "1/10", None, "inf", "ln(3/2)"]


@given(described())
def test_what_the_table_answers_is_accepted(case: tuple[list[Component], Sum, Certificate]) -> None:
    components, one, base = case
    engine = Engine(model_of(components, one, base), force="rows")
    for number, definition in enumerate(("np", "apkdp", "ppkdp", "cdp")):
        for k, reading in enumerate(pk.DEFINITIONS[definition].readings):
            for m, epsilon in enumerate(EPSILONS[(number + k) % 2 :: 2]):
                told = answered(base, engine, definition, epsilon, ["0", "1/7", "1/2"][m], reading)
                replay.replay(told)
                told["answer"]["multiplicity"] += 1
                with pytest.raises(replay.Rejected):
                    replay.replay(told)


def test_many_voters_are_checked_without_a_table() -> None:
    one = voters(200, 20, "ln(2)")
    began = time.process_time()
    replay.replay(one)
    assert time.process_time() - began < 5
    one["answer"]["witness"]["knowledge"] = "[" + ",".join(["1"] + ["0"] * 19) + "]"
    with pytest.raises(replay.Rejected, match="an event lists an output"):
        replay.replay(one)


# --- forgeries ------------------------------------------------------------------------------------------------

THIRD = Fraction(1, 3)
PAIR: Group = ([1, 2], [((0, 0), THIRD), ((0, 1), THIRD / 2), ((1, 0), THIRD / 2), ((1, 1), THIRD)])
MIXED: list[Component] = [
    ("up", THIRD, [([0], [((0,), THIRD), ((1,), 2 * THIRD)]), PAIR, *singles([THIRD, 2 * THIRD], 4)[3:]]),
    ("down", 2 * THIRD, singles([Fraction(3, 4), Fraction(1, 4)], 4)),
]
FLAT: list[Component] = [(None, Fraction(1), singles([THIRD, 2 * THIRD], 4))]
BASES: dict[str, tuple[list[Component], str, str, list[int], str, str | None, str]] = {
    "fails": (MIXED, "sampled", "records", [3, 1], "np", "ln(11/10)", "1/7"),
    "holds": (MIXED, "sampled", "records", [3, 1], "apkdp", "ln(3/2)", "3/4"),
    "irrational": (FLAT, "sum", "records", [0], "np", "1/10", "0"),
    "no epsilon": (MIXED, "sampled", "nothing", [], "np", None, "1/10"),
    "component": (MIXED, "parity", "component", [], "np", "0", "0"),
    "average": (FLAT, "threshold", "records", [1, 0], "ppkdp", "ln(2)", "1/20"),
    "causal": (MIXED, "maximum", "records", [3], "cdp", "ln(2)", "1/20"),
    "vacuous": (FLAT, "count", "records", [0, 1, 2, 3], "np", "0", "0"),
}


def honest(name: str) -> Certificate:
    components, mechanism, kind, known, definition, epsilon, delta = BASES[name]
    one = sums([0, 1])[mechanism]
    base = plain(components, one, size=4, values=[0, 1], kind=kind, known=known)
    return answered(base, Engine(model_of(components, one, base), force="rows"), definition, epsilon, delta)


def twice(*path: Any) -> Forge:
    """An entry of a list stands there once more."""

    def forge(one: Certificate) -> None:
        target: Any = one
        for key in path[:-1]:
            target = target[key]
        target.append(deepcopy(target[path[-1]]))

    return forge


def swap_values(one: Certificate) -> None:
    witness = one["answer"]["witness"]
    witness["a"], witness["b"] = witness["b"], witness["a"]


def move_weight(one: Certificate) -> None:
    """Two terms with different laws; all weights still sum to the same."""
    first, *_, last = one["answer"]["witness"]["terms"]
    first["weight"], last["weight"] = last["weight"], first["weight"]


def other_probability(one: Certificate) -> None:
    """One record of one component has another law, a law too."""
    rows = one["thetas"]["θ"][0]["groups"][0]["rows"]
    rows[0][1], rows[1][1] = rows[1][1], rows[0][1]


def clones(one: Certificate) -> None:
    one["thetas"]["θ"] = [one["thetas"]["θ"][0]] * 2
    for component in one["thetas"]["θ"]:
        component["weight"] = "1/2"


A, W, M, C = "answer", "witness", "mechanism", ("thetas", "θ", 0)
FORGERIES: list[tuple[str, Forge, str]] = [
    ("fails", put(A, "verdict", "holds"), "verdict"),
    ("fails", put(A, "verdict", "vacuous"), "verdict"),
    ("fails", put(A, "tight_delta", "1/1000"), "too small"),
    ("fails", put(A, "tight_delta", "999/1000"), "no comparison attains"),
    ("fails", put(A, "tight_epsilon", "0"), "too small"),
    ("fails", put(A, "tight_epsilon", "ln(1000)"), "smaller"),
    ("fails", put(A, "tight_epsilon", "inf"), "finite"),
    ("fails", put(A, "comparisons", 0), "comparisons"),
    ("fails", put(A, "comparisons", 999), "comparisons"),
    ("fails", put(A, "comparisons", True), "comparisons"),
    ("fails", put(A, "multiplicity", 7), "multiplicity"),
    ("fails", put(A, "empty", 3), "empty"),
    ("fails", put(A, W, None), "witness"),
    ("fails", put(A, W, "probability_a", "1"), "probability_a"),
    ("fails", put(A, W, "probability_b", "0"), "probability_b"),
    ("fails", put(A, W, "probability_b", None), "probability_b"),
    ("fails", put(A, W, "event", []), "probability_a"),
    ("fails", twice(A, W, "event", 0), "twice"),
    ("fails", put(A, W, "event", ["77"]), "no law has"),
    ("fails", put(A, W, "knowledge", "[1, 1]"), "no list"),
    ("fails", put(A, W, "knowledge", "[1,2]"), "no list of values"),
    ("fails", put(A, W, "knowledge", "[1]"), "no list of values"),
    ("fails", put(A, W, "knowledge", "\x00"), "no list of values"),
    ("fails", put(A, W, "distribution", "other"), "0 comparisons"),
    ("fails", put(A, W, "record", 3), "0 comparisons"),
    ("fails", put(A, W, "record", 9), "0 comparisons"),
    ("fails", put(A, W, "record", True), "0 comparisons"),
    ("fails", put(A, W, "direction", "up"), "0 comparisons"),
    ("fails", put(A, W, "databases", [["0"], ["1"]]), "databases"),
    ("fails", put(A, W, "terms", []), "averages"),
    ("fails", put(A, W, "at_epsilon", "0"), "at_epsilon"),
    ("fails", swap_values, "probability_a|event"),
    ("fails", put("question", "definition", "dp"), "dp"),
    ("fails", put("question", "definition", "ppkdp"), "multiplicity"),
    ("fails", put("question", "reading", "one-order"), "multiplicity"),
    ("fails", put("question", "reading", "all-values"), "does not know"),
    ("fails", put("question", "epsilon", "0"), "tight_delta"),
    ("fails", put("engine", "other"), "engine"),
    ("fails", put("size", 3), "distinct records"),
    ("fails", put("size", True), "size"),
    ("fails", put("values", ["0", "0"]), "values must differ"),
    ("fails", put("shown", [1, 0]), "shown"),
    ("fails", put("shown", ["0", "2"]), "shown must be the values"),
    ("fails", put("secrets", [0, 0]), "distinct records"),
    ("fails", put("secrets", []), "distinct records"),
    ("fails", put("secrets", [4]), "distinct records"),
    ("fails", put("secrets", [0]), "multiplicity"),
    ("fails", put("knowledge", "kind", "nothing"), "known kind"),
    ("fails", put("knowledge", {"kind": "all", "records": []}), "known kind"),
    ("fails", put("knowledge", {"kind": "nothing", "records": []}), "multiplicity"),
    ("fails", put("knowledge", "records", [3, 3]), "distinct records"),
    ("fails", put("knowledge", "records", [3, 0]), "tight"),
    ("fails", put("thetas", {}), "no distribution"),
    ("fails", put("thetas", "θ", []), "no law"),
    ("fails", put(*C, "weight", "2/3"), "no law"),
    ("fails", put(*C, "weight", "-1/3"), "no number"),
    ("fails", clones, "tight|probability"),
    ("fails", other_probability, "tight"),
    ("fails", put(*C, "groups", 0, "rows", 0, 1, "1/2"), "no law"),
    ("fails", twice(*C, "groups", 0, "rows", 0), "twice"),
    ("fails", put(*C, "groups", 0, "rows", 0, 0, ["2"]), "malformed"),
    ("fails", put(*C, "groups", 1, "rows", 0, 0, ["0"]), "for each"),
    ("fails", put(*C, "groups", 0, "records", [3]), "part the records"),
    ("fails", put(*C, "groups", 0, "records", []), "for each"),
    ("fails", put(*C, "groups", 0, "records", ["0"]), "integers"),
    ("fails", twice(*C, "groups", 0), "part the records"),
    ("fails", drop(*C, "groups", 0), "part the records"),
    ("fails", put(M, "operations", ["max"]), "no law has|tight"),
    ("fails", put(M, "operations", ["mod 2"]), "tight"),
    ("fails", put(M, "operations", ["mod 0"]), "not known"),
    ("fails", put(M, "operations", ["-"]), "not known"),
    ("fails", put(M, "operations", []), "text a coordinate"),
    ("fails", put(M, "operations", ["min"]), "zero"),
    ("fails", put(M, "zero", ["1"]), "zero"),
    ("fails", put(M, "zero", ["1e3"]), "no number"),
    ("fails", put(M, "elements", 0, 1, 0, 0, ["2"]), "no law for the sum|tight"),
    ("fails", put(M, "elements", 0, 1, 0, 1, "1/2"), "no law"),
    ("fails", twice(M, "elements", 0, 1, 0), "twice"),
    ("fails", drop(M, "elements", 0), "elements must"),
    ("fails", drop(M, "elements", 0, 0), "elements must"),
    ("fails", drop(M, "finish", 0), "no law for the sum"),
    ("fails", twice(M, "finish", 0), "there twice"),
    ("fails", put(M, "finish", 0, 1, {"0": "1/2"}), "no law"),
    ("fails", put(M, "finish", 0, 1, {}), "no law"),
    ("fails", put(M, "finish", 0, 1, {"1": "1"}), "tight|event"),
    ("holds", put(A, "verdict", "fails"), "verdict"),
    ("holds", put(A, "tightest", None), "must show one comparison"),
    ("holds", put(A, "tightest", "probability_a", "1/2"), "probability_a"),
    ("irrational", put(A, "tight_delta", "1/2 - 1/4*exp(1/11)"), "no value"),
    ("irrational", put(A, "tight_delta", "1/2"), "no comparison attains"),
    ("no epsilon", put(A, "tight_epsilon", "ln(1000)"), "smaller"),
    ("no epsilon", put(A, "tight_delta", "0"), "tight_delta"),
    ("no epsilon", put(M, "elements", 2, 1, 0, 1, "1/2"), "no law"),
    ("no epsilon", put(A, "tightest", "knowledge", "[]"), "impossible"),
    ("component", put(A, W, "knowledge", "other"), "impossible"),
    ("component", put(*C, "name", None), "names"),
    ("component", put(*C, "name", "down"), "names"),
    ("component", put("knowledge", "kind", "nothing"), "multiplicity"),
    ("average", put(A, W, "terms", 0, "weight", "1"), "weights"),
    ("average", move_weight, "weights"),
    ("average", put(A, W, "terms", 0, "knowledge", "[9,9]"), "no list of values"),
    ("average", drop(A, W, "terms", 0), "missing|weights"),
    ("average", twice(A, W, "terms", 0), "twice"),
    ("average", put(A, W, "terms", 0, "event", ["99"]), "no law has|one event"),
    ("average", put(A, W, "terms", None), "averages"),
    ("average", put(A, W, "event", ["2"]), "event"),
    ("average", put("question", "reading", "infinite-loss"), "multiplicity|tight"),
    ("causal", put(A, W, "direction", None), "0 comparisons"),
    ("causal", put("question", "reading", "one-order"), "multiplicity"),
    ("causal", put("question", "definition", "np"), "multiplicity"),
    ("causal", put(M, "operations", ["min"]), "zero"),
    ("vacuous", put(A, "verdict", "holds"), "verdict"),
    ("vacuous", put(A, "comparisons", 1), "comparisons"),
    ("vacuous", put(A, "empty", 0), "empty"),
    ("vacuous", put(A, "tight_epsilon", "ln(2)"), "tight_epsilon"),
]


@pytest.mark.parametrize("name", BASES)
def test_the_honest_certificates_are_accepted(name: str) -> None:
    one = honest(name)
    replay.replay(one)
    wanted = {"holds": "holds", "no epsilon": "holds", "vacuous": "vacuous"}
    assert one["answer"]["verdict"] == wanted.get(name, "fails")


@pytest.mark.parametrize(("name", "forge", "reason"), FORGERIES, ids=range(len(FORGERIES)))
def test_a_forgery_is_rejected_with_its_reason(name: str, forge: Forge, reason: str) -> None:
    one = honest(name)
    forge(one)
    with pytest.raises(replay.Rejected) as caught:
        replay.replay(one)
    assert re.search(reason, str(caught.value)), caught.value


def leaves(one: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = one.items() if isinstance(one, dict) else enumerate(one) if isinstance(one, list) else []
    return [path] * bool(path) + [deeper for key, part in list(entries) for deeper in leaves(part, (*path, key))]


@pytest.mark.parametrize("name", ["fails", "average"])
@pytest.mark.parametrize("junk", [None, [], {}, "x", -1, "1/0", 1.5, [[]], "9" * 5000], ids=range(9))
def test_junk_anywhere_is_rejected_or_harmless(name: str, junk: Any) -> None:
    """Never another exception, whatever stands where."""
    whole = honest(name)
    for path in leaves(whole):
        one = deepcopy(whole)
        target: Any = one
        for key in path[:-1]:
            target = target[key]
        if target[path[-1]] == junk:
            continue
        target[path[-1]] = junk
        try:
            replay.replay(one)
        except replay.Rejected:
            continue
        assert path[-1] == "name" or (path[-1] == "direction" and not junk), path


def test_terms_of_equal_laws_may_be_one() -> None:
    """The engine lumps B̂ with the same laws; the table does not. The weight then is that of all of them."""
    one = honest("average")
    terms = one["answer"]["witness"]["terms"]
    at = {term["knowledge"]: term for term in terms}
    first, second = at["[0,1]"], at["[1,0]"]
    assert first["event"] == second["event"]
    first["weight"] = str(Fraction(first["weight"]) + Fraction(second["weight"]))
    terms.remove(second)
    replay.replay(one)
    first["weight"] = second["weight"]
    with pytest.raises(replay.Rejected, match="weights"):
        replay.replay(one)


def test_a_member_of_another_class_or_record_is_checked_as_such() -> None:
    """A witness may name any record and B̂ of its class, and no other."""
    one = voters(12, 3, "ln(2)")
    one["answer"]["witness"]["record"] = 11
    replay.replay(one)
    one["answer"]["witness"]["record"] = 1
    with pytest.raises(replay.Rejected, match="0 comparisons"):
        replay.replay(one)
