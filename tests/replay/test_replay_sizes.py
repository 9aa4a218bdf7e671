"""The independent re-check over databases of several sizes: honest answers are accepted, forged ones rejected."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest
from forging import Certificate, Forge, drop, put

import verifier as pk
from verifier.checker import answers as replay
from verifier.checker.anonymity import replay_anonymity
from verifier.engine import Engine
from verifier.evidence import certificate
from verifier.model.library import models_folder
from verifier.questions.properties import anonymity

FOLDER = models_folder() / "LQS12"
BASES: dict[str, tuple[str, str, str | None, str]] = {
    "fails": ("theorem-3.11", "dps", "ln(3)", "1/4"),
    "holds": ("theorem-3.9", "dps", "ln(2)", "1/4"),
    "no rate": ("theorem-3.9-one", "dps", "ln(2)", "1/2"),
    "irrational": ("table-1", "dps", "1/10", "1/100"),
    "no epsilon": ("table-1", "dps", None, "0"),
    "unsampled": ("table-1-unsampled", "dps", "ln(11)", "0"),
    "safe": ("theorem-3.11", "safe", "ln(3/2)", "0"),
    "unsafe": ("theorem-3.11", "safe", "ln(5/4)", "0"),
}


def honest(base: str) -> Certificate:
    name, definition, epsilon, delta = BASES[base]
    model = pk.read(FOLDER / f"{name}.toml")
    engine = Engine(model)
    found = pk.check(model, definition, epsilon=epsilon, delta=delta, engine=engine)
    assert found.replayed is True
    return deepcopy(certificate(found, engine))


def complement(one: Certificate) -> None:
    event = one["answer"]["witness"]["event"]
    outputs = sorted({o for _, law in one["mechanism"] for o in law})
    one["answer"]["witness"]["event"] = [o for o in outputs if o not in event]


def swap_databases(one: Certificate) -> None:
    one["answer"]["witness"]["databases"].reverse()


def other_law(one: Certificate) -> None:
    rows = one["mechanism"]
    rows[0][1], rows[-1][1] = rows[-1][1], rows[0][1]


def twice(one: Certificate) -> None:
    one["mechanism"].append(one["mechanism"][0])


ANSWER, WITNESS = "answer", "witness"
FORGERIES: list[tuple[str, Forge, str]] = [
    ("fails", put(ANSWER, "verdict", "holds"), "verdict"),
    ("fails", put(ANSWER, "tight_delta", "1/4"), "too small"),
    ("fails", put(ANSWER, "tight_delta", "1/2"), "no comparison attains"),
    ("fails", put(ANSWER, "tight_epsilon", "ln(3)"), "too small"),
    ("fails", put(ANSWER, "comparisons", 60), "comparisons"),
    ("fails", put(ANSWER, "multiplicity", 30), "multiplicity"),
    ("fails", put(ANSWER, "empty", 1), "empty"),
    ("fails", put(ANSWER, WITNESS, None), "witness"),
    ("fails", put(ANSWER, WITNESS, "databases", [["t", "1"], ["1"]]), "probability_a|no law has|0 comparisons"),
    ("fails", put(ANSWER, WITNESS, "databases", [["t", "1", "2"], ["t"]]), "0 comparisons"),
    ("fails", swap_databases, "0 comparisons"),
    ("fails", put(ANSWER, WITNESS, "probability_a", "1/2"), "probability_a"),
    ("fails", put(ANSWER, WITNESS, "event", []), "probability_a"),
    ("fails", put(ANSWER, WITNESS, "knowledge", "1"), "knowledge"),
    ("fails", complement, "probability_a|no law has"),
    ("fails", put("rate", "1/3"), ""),
    ("fails", put("rate", "1"), ""),
    ("fails", put("rate", "3/2"), "rate"),
    ("fails", put("sizes", [0, 2]), "every multiset"),
    ("fails", put("sizes", [1, 3]), "multiplicity|comparisons"),
    ("fails", put("sizes", [3, 0]), "sizes"),
    ("fails", put("sizes", [0, True]), "sizes"),
    ("fails", put("values", ["t", "1", "1"]), "values"),
    ("fails", put("values", ["t", "1"]), ""),
    ("fails", drop("mechanism", 3), "every multiset"),
    ("fails", twice, "two laws"),
    ("fails", other_law, ""),
    ("fails", put("mechanism", 0, 1, {"[]": "1/2"}), "no law"),
    ("fails", put("question", "delta", "1/2"), ""),
    ("fails", put("question", "definition", "cdp"), "several sizes"),
    ("fails", put("question", "definition", "dp"), "several sizes"),
    ("fails", put("engine", "table"), "several sizes"),
    ("holds", put(ANSWER, "verdict", "fails"), "verdict"),
    ("holds", put(ANSWER, "verdict", "vacuous"), "verdict"),
    ("holds", put(ANSWER, "tightest", None), "one comparison"),
    ("holds", put("question", "delta", "1/2"), "verdict"),
    ("no rate", put(ANSWER, "verdict", "holds"), "verdict"),
    ("no rate", put("question", "reading", "any-delta"), "verdict"),
    ("no rate", put(ANSWER, "tight_delta", "1/4"), "too small"),
    ("no rate", put("question", "delta", "1/4"), ""),
    ("irrational", put(ANSWER, "verdict", "vacuous"), "verdict"),
    ("irrational", put(ANSWER, "tight_delta", "1/10"), "no comparison attains"),
    ("no epsilon", put(ANSWER, "tight_epsilon", "ln(3)"), "smaller"),
    ("unsampled", put("rate", "1/2"), ""),
    ("safe", put(ANSWER, "tight_epsilon", "ln(4/3)"), "too small"),
    ("safe", put("question", "reading", "any-delta"), "does not know"),
    ("unsafe", put(ANSWER, "verdict", "holds"), "verdict"),
]


@pytest.mark.parametrize("base", BASES)
def test_honest_certificates_are_accepted(base: str) -> None:
    replay.replay(honest(base))


@pytest.mark.parametrize(("base", "forge", "reason"), FORGERIES, ids=range(len(FORGERIES)))
def test_a_forgery_is_rejected(base: str, forge: Forge, reason: str) -> None:
    one = honest(base)
    forge(one)
    with pytest.raises(replay.Rejected) as caught:
        replay.replay(one)
    assert re.search(reason, str(caught.value))


# --- properties -------------------------------------------------------------------------------------------


def shown(name: str, k: int | None = None) -> dict[str, Any]:
    """The certificate of a property of a model file, or of a model without k-anonymity."""
    if name == "few":
        model = pk.build(size=(0, 2), values=["t", "u"], mechanism=sorted)
        return anonymity.certificate(pk.k_anonymity(model, k))
    model = pk.read(FOLDER / f"{name}.toml")
    found = pk.strongly_safe(model) if k is None else pk.k_anonymity(model, k)
    assert found.replayed is True
    return deepcopy(anonymity.certificate(found))


PROPERTIES: list[tuple[str, int | None, Forge, str]] = [
    ("algorithm-1", 2, put(ANSWER, "verdict", "fails"), "verdict"),
    ("algorithm-1", 2, put(ANSWER, "largest", 3), "largest"),
    ("algorithm-1", 2, put(ANSWER, "k", 3), "verdict"),
    ("algorithm-1", 2, put("rate", "0"), "largest"),
    ("algorithm-1", 2, put("mechanism", 0, 1, {'["a"]': "1"}), "largest"),
    ("algorithm-1", 2, put("mechanism", 0, 1, {"x": "1"}), "is no table"),
    ("algorithm-1", 2, put("property", "ell-diversity"), "does not know"),
    ("algorithm-1", 2, drop("mechanism", 1), "every database"),
    ("algorithm-1", None, put(ANSWER, "verdict", "holds"), "verdict"),
    ("algorithm-1", None, put(ANSWER, WITNESS, None), "witness"),
    ("algorithm-1", None, put(ANSWER, WITNESS, "probabilities", ["1", "1"]), "probabilities"),
    ("algorithm-1", None, put(ANSWER, WITNESS, "recoding", "other"), "probabilities"),
    ("proposition-1", None, put(ANSWER, "verdict", "vacuous"), "verdict"),
    ("few", 2, put(ANSWER, WITNESS, "times", 2), "times"),
    ("few", 2, put(ANSWER, WITNESS, "tuple", "u"), "times"),
    ("few", 2, put(ANSWER, WITNESS, "output", '["t","t"]'), "impossible"),
    ("few", 2, put(ANSWER, WITNESS, "database", ["u"]), "impossible"),
    ("few", 2, put(ANSWER, "verdict", "holds"), "verdict"),
]


@pytest.mark.parametrize(("name", "k", "forge", "reason"), PROPERTIES, ids=range(len(PROPERTIES)))
def test_a_forged_property_is_rejected(name: str, k: int | None, forge: Forge, reason: str) -> None:
    one = shown(name, k)
    replay_anonymity(one)
    forge(one)
    with pytest.raises(replay.Rejected) as caught:
        replay_anonymity(one)
    assert re.search(reason, str(caught.value))


@pytest.mark.parametrize(("size", "delta"), [([0, 1], "0"), ([1, 1], "0"), ([0, 2], "0")])
def test_databases_of_a_tuple_or_none(size: list[int], delta: str) -> None:
    """The smallest sizes that are compared at all, and one that compares nothing."""
    noise = {"kind": "geometric-noise", "p": "1/11"}
    model = pk.build(size=size, values=["t", "u"], mechanism={"kind": "count", "value": "t", "then": [noise]})
    found = pk.check(model, "dps", delta=delta)
    assert found.replayed is True
    assert (found.verdict, str(found.tight_epsilon)) == (("vacuous", "0") if size == [1, 1] else ("holds", "ln(11)"))
