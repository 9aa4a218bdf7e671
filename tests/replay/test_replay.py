"""The independent re-check: accepts what `check` produces, rejects what was forged, and shares no code."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path

import pytest
from forging import Certificate, Forge, drop, put
from hypothesis import given, settings
from strategies import Case, cases

import verifier as pk
from verifier.checker import answers as replay
from verifier.engine import Engine
from verifier.evidence import certificate

EPSILONS = ["0", "ln(2)", "1/10", "2*ln(3)/5", "1/2*ln(2)", "inf", None]


@pytest.mark.sweep(2)
@given(cases())
@settings(max_examples=20)
def test_every_answer_is_replayed(case: Case) -> None:
    model = pk.build(**case.keys)
    engine = Engine(model)
    for definition in pk.DEFINITIONS.values():
        for number, reading in enumerate(definition.readings):
            for k, epsilon in enumerate(EPSILONS[number % 2 :: 2]):
                delta = ["0", "1/7", "1/2"][k % 3]
                found = pk.check(model, definition, epsilon=epsilon, delta=delta, reading=reading, engine=engine)
                assert found.verdict == "unsupported" or found.replayed is True


# --- forgeries --------------------------------------------------------------------------------------------

MODEL = pk.build(
    size=2,
    values=[0, 1, 2],
    distribution=[
        {
            "name": "θ",
            "table": [
                {"database": [0, 0], "probability": "1/4"},
                {"database": [1, 0], "probability": "1/8"},
                {"database": [2, 0], "probability": "1/8"},
                {"database": [0, 1], "probability": "1/12"},
                {"database": [1, 1], "probability": "1/4"},
                {"database": [2, 1], "probability": "1/6"},
            ],
        }
    ],
    knowledge={"records": [1]},
    sensitive={"records": [0]},
    mechanism={"kind": "sum", "then": [{"kind": "geometric-noise", "p": "1/2"}]},
)
ONE = pk.build(size=1, values=["only"], distribution={"iid": {"only": 1}}, mechanism={"kind": "identity"})
BASES: dict[str, tuple[pk.Model, str, str | None, str]] = {
    "fails": (MODEL, "apkdp", "ln(3/2)", "1/20"),
    "holds": (MODEL, "apkdp", "ln(3/2)", "1/2"),
    "irrational": (MODEL, "apkdp", "1/10", "1/20"),
    "no epsilon": (MODEL, "apkdp", None, "1/20"),
    "average": (MODEL, "ppkdp", "ln(3/2)", "1/20"),
    "causal": (MODEL, "cdp", "ln(3/2)", "1/20"),
    "neighbours": (MODEL, "dp", "ln(3/2)", "1/20"),
    "vacuous": (ONE, "apkdp", "0", "0"),
}


def honest(base: str) -> Certificate:
    model, definition, epsilon, delta = BASES[base]
    engine = Engine(model)
    answer = pk.check(model, definition, epsilon=epsilon, delta=delta, engine=engine)
    return deepcopy(certificate(answer, engine))


def swap(kind: str) -> Forge:
    def forge(one: Certificate) -> None:
        witness = one["answer"][kind]
        witness["a"], witness["b"] = witness["b"], witness["a"]

    return forge


def complement(one: Certificate) -> None:
    witness = one["answer"]["witness"]
    outputs = sorted({o for _, law in one["mechanism"] for o in law})
    witness["event"] = [o for o in outputs if o not in witness["event"]]


def twice(one: Certificate) -> None:
    event = one["answer"]["witness"]["event"]
    event.append(event[0])


def move_mass(one: Certificate) -> None:
    """Another distribution that still sums to 1."""
    rows = one["worlds"]["θ"]
    rows[0][3], rows[1][3] = rows[1][3], rows[0][3]


def other_mechanism(one: Certificate) -> None:
    rows = one["mechanism"]
    rows[0][1], rows[1][1] = rows[1][1], rows[0][1]


def events_swapped(one: Certificate) -> None:
    """Each knowledge value gets the event of the other."""
    terms = one["answer"]["witness"]["terms"]
    outputs = sorted({o for _, law in one["mechanism"] for o in law})
    for term in terms:
        term["event"] = [o for o in outputs if o not in term["event"]]


ANSWER, WITNESS = "answer", "witness"
FORGERIES: list[tuple[str, Forge, str]] = [
    ("fails", put(ANSWER, "verdict", "holds"), "verdict"),
    ("fails", put(ANSWER, "verdict", "vacuous"), "verdict"),
    ("fails", put(ANSWER, "tight_delta", "1/1000"), "too small"),
    ("fails", put(ANSWER, "tight_delta", "999/1000"), "no comparison attains"),
    ("fails", put(ANSWER, "tight_delta", "nonsense"), "no number"),
    ("fails", put(ANSWER, "tight_delta", "1/3 - 1/9*exp(ln(2))"), "canonical form"),
    ("fails", put(ANSWER, "tight_epsilon", "0"), "too small"),
    ("fails", put(ANSWER, "tight_epsilon", "ln(1000)"), "smaller"),
    ("fails", put(ANSWER, "tight_epsilon", "inf"), "finite"),
    ("fails", put(ANSWER, "multiplicity", 11), "comparisons"),
    ("fails", put(ANSWER, "empty", 1), "empty"),
    ("fails", put(ANSWER, WITNESS, None), WITNESS),
    ("fails", put(ANSWER, WITNESS, "probability_a", "1"), "probability_a"),
    ("fails", put(ANSWER, WITNESS, "probability_b", "0"), "probability_b"),
    ("fails", put(ANSWER, WITNESS, "knowledge", "[2]"), "0 comparisons"),
    ("fails", put(ANSWER, WITNESS, "distribution", "other"), "0 comparisons"),
    ("fails", put(ANSWER, WITNESS, "record", 1), "0 comparisons"),
    ("fails", put(ANSWER, WITNESS, "direction", "counterfactual against factual"), "0 comparisons"),
    ("fails", put(ANSWER, WITNESS, "event", []), "probability_a"),
    ("fails", swap(WITNESS), "probability_a"),
    ("fails", complement, "probability_a"),
    ("fails", twice, "twice"),
    ("fails", put(ANSWER, WITNESS, "at_epsilon", "0"), ""),
    ("fails", put("question", "definition", "ppkdp"), "comparisons"),
    ("fails", put("question", "reading", "one-order"), "comparisons"),
    ("fails", put("question", "epsilon", "0"), "tight_delta"),
    ("fails", put("question", "delta", "1/2"), "tight_epsilon"),
    ("fails", drop("worlds", "θ", 0), "distribution"),
    ("fails", put("worlds", "θ", 0, 3, "1/3"), "distribution"),
    ("average", move_mass, "tight_|weights"),
    ("fails", other_mechanism, "tight_|probability_a"),
    ("fails", drop("mechanism", 0), "no law"),
    ("fails", put("mechanism", 0, 1, {"0": "1/2"}), "is no law"),
    ("fails", put("mechanism", 0, 1, {"0": "3/2", "1": "-1/2"}), "no number"),
    ("fails", put("values", ["0", "1"]), "domain"),
    ("fails", put("secrets", [1]), "comparisons|empty|tight"),
    ("holds", put(ANSWER, "verdict", "fails"), "verdict"),
    ("holds", put(ANSWER, "tightest", None), "must show one comparison"),
    ("holds", put(ANSWER, "tightest", "probability_a", "1/2"), "probability_a"),
    ("holds", swap("tightest"), "probability_a"),
    ("irrational", put(ANSWER, "tight_delta", "1/2"), "no comparison attains"),
    ("irrational", put(ANSWER, "tight_delta", "1/2 - 1/4*exp(1/11)"), "no value"),
    ("irrational", put(ANSWER, "verdict", "holds"), "verdict"),
    ("no epsilon", put(ANSWER, "tight_epsilon", "inf"), "finite"),
    ("no epsilon", put(ANSWER, "tight_delta", "0"), "tight_delta"),
    ("no epsilon", put(ANSWER, "verdict", "fails"), "verdict"),
    ("average", put(ANSWER, WITNESS, "terms", 0, "weight", "1"), "weights"),
    ("average", put(ANSWER, WITNESS, "terms", 0, "knowledge", "[2]"), "terms"),
    ("average", drop(ANSWER, WITNESS, "terms", 0), "terms"),
    ("average", events_swapped, "does not exceed"),
    ("average", put("question", "definition", "apkdp"), "comparisons"),
    ("causal", put(ANSWER, WITNESS, "direction", None), "0 comparisons"),
    ("causal", put("question", "definition", "np"), "comparisons"),
    ("causal", put("question", "reading", "one-order"), "comparisons"),
    ("neighbours", put(ANSWER, "multiplicity", 5), "comparisons"),
    ("neighbours", put(ANSWER, WITNESS, "databases", [["0", "0"], ["2", "2"]]), "0 comparisons"),
    ("neighbours", drop("mechanism", 4), "all of T"),
    ("vacuous", put(ANSWER, "verdict", "holds"), "verdict"),
    ("vacuous", put(ANSWER, "tight_epsilon", "ln(2)"), "tight_epsilon"),
    ("vacuous", put(ANSWER, "tight_delta", "1/2"), "tight_delta"),
    ("vacuous", put(ANSWER, "empty", 0), "empty"),
    ("vacuous", put("mechanism", 0, 1, {"x": "3/2", "y": "-1/2"}), "no number"),
    ("vacuous", put("secrets", []), "distinct records"),
    ("vacuous", put("secrets", [0, 0]), "distinct records"),
    ("vacuous", put("worlds", {}), "no distribution"),
    ("vacuous", put("question", "epsilon", "garbage"), "no number"),
    ("fails", put("question", "epsilon", "ln(1/2)"), "not above 0"),
    ("fails", put("question", "epsilon", "٣"), "no number"),
    ("fails", put("question", "delta", "1e-9"), "no number"),
    ("fails", put("question", "definition", "indcdp"), "does not know"),
    ("fails", put(ANSWER, "tight_epsilon", "ln(0)"), "not above 0"),
    ("fails", put(ANSWER, "comparisons", 999), "comparisons"),
    ("fails", put("size", 7), "another size"),
    ("fails", put("size", True), "size and values"),
    ("fails", put(ANSWER, WITNESS, "probability_b", None), "probability_b"),
    ("fails", put(ANSWER, WITNESS, "databases", [["5"], ["6"]]), "databases"),
    ("average", put(ANSWER, WITNESS, "event", ["0"]), "event"),
    ("neighbours", put(ANSWER, WITNESS, "direction", "up"), "0 comparisons"),
    ("neighbours", put("size", 1), "another size"),
]


@pytest.mark.parametrize("base", BASES)
def test_the_honest_certificates_are_accepted(base: str) -> None:
    one = honest(base)
    replay.replay(one)
    assert one["answer"]["verdict"] == {
        "irrational": "fails",
        "holds": "holds",
        "no epsilon": "holds",
        "vacuous": "vacuous",
    }.get(base, "fails")


@pytest.mark.parametrize(("base", "forge", "reason"), FORGERIES, ids=range(len(FORGERIES)))
def test_a_forgery_is_rejected_with_its_reason(base: str, forge: Forge, reason: str) -> None:
    one = honest(base)
    forge(one)
    with pytest.raises(replay.Rejected) as caught:
        replay.replay(one)
    assert re.search(reason, str(caught.value))


def test_the_closest_comparison_of_a_verdict_that_holds_is_checked() -> None:
    """`tightest` names the closest comparison; another one with its own right numbers is not that."""
    one = honest("holds")
    shown = one["answer"]["tightest"]
    other = honest("holds")["answer"]["tightest"]
    assert shown == other
    shown["event"], shown["probability_a"], shown["probability_b"] = [], "0", "0"
    with pytest.raises(replay.Rejected):
        replay.replay(one)


# --- the checker itself -----------------------------------------------------------------------------------

SOURCE = Path(replay.__file__)


@pytest.mark.parametrize("text", ["0", "ln(2)", "1/2*ln(2)", "1/10", "3", "2/5*ln(3)"])
def test_the_checkers_order_is_the_packages(text: str) -> None:
    from fractions import Fraction

    from verifier.numbers import compare, epsilon

    e = replay.Exponential(text)
    for top in range(-8, 9):
        for bottom in range(-8, 9):
            assert (
                e.sign(Fraction(top), Fraction(bottom, 3))
                == compare(Fraction(top), Fraction(bottom, 3), epsilon(text)).value
            )
