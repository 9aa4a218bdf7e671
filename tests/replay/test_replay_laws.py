"""Certificates by given laws, and of acceptability, without their files: every count and every word is compared."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from forging import drop, put

from verifier.checker.acceptability import replay_acceptability
from verifier.checker.answers import replay
from verifier.checker.numbers import Rejected

EVIDENCE = {
    "distribution": "θ", "record": 0, "a": "0", "b": "1", "knowledge": "k", "event": ["x"], "probability_a": "3/4",
    "probability_b": "1/4", "at_epsilon": "ln(2)", "direction": "up", "output": None, "databases": None, "terms": None,
}  # fmt: skip
LAWS: dict[str, Any] = {
    "engine": "laws",
    "measure": "hockey-stick",
    "question": {"definition": "mine", "reading": "default", "epsilon": "ln(2)", "delta": "1/8"},
    "compared": [
        {"distribution": "θ", "record": 0, "a": a, "b": b, "output": None, "databases": None, "multiplicity": times,
         "terms": [{"weight": "1", "knowledge": "k", "direction": "up", "p": p, "q": q}]}
        for a, b, times, p, q in (
            ("0", "1", 2, {"x": "3/4", "y": "1/4"}, {"x": "1/4", "y": "3/4"}),
            ("1", "0", 3, {"x": "1/2", "y": "1/2"}, {"x": "1/2", "y": "1/2"}),
        )
    ],
    "empty": 1,
    "answer": {"verdict": "fails", "tight_delta": "1/4", "tight_epsilon": "ln(5/2)", "comparisons": 2,
    "multiplicity": 5,
               "empty": 1, "witness": EVIDENCE, "tightest": None},
}  # fmt: skip
A, C, W = "answer", "compared", "witness"
FORGED: list[tuple[Callable[[dict[str, Any]], None], str]] = [
    (put(A, "comparisons", 3), "comparisons: the answer says 3, the replay finds 2"),
    (put(A, "multiplicity", 4), "multiplicity: the answer says 4, the replay finds 5"),
    (put(A, "empty", 0), "empty: the answer says 0, the replay finds 1"),
    (put("empty", 0), "empty: the answer says 1, the replay finds 0"),
    (put("empty", -1), "positive integers"),
    (put(C, 0, "multiplicity", 0), "positive integers"),
    (put(C, 0, "multiplicity", True), "positive integers"),
    (put(C, 0, "terms", []), "no terms, or terms that weigh more than 1"),
    (put(C, 0, "terms", 0, "weight", "9/8"), "no terms, or terms that weigh more than 1"),
    (put(C, 0, "terms", 0, "weight", "7/8"), "tight_epsilon"),
    (put(C, 0, "terms", 0, "p", {"x": "3/4"}), "does not sum to 1"),
    (put(C, 0, "terms", 0, "q", {"x": "1/4", "y": "1/2"}), "does not sum to 1"),
    (put(C, 0, "terms", 0, "p", None), "the first law of a pair must exist"),
    (put(C, 0, "terms", 0, "q", None), "tight_epsilon"),
    (drop(C, 1), "comparisons"),
    (put("measure", "tail"), "tight_epsilon"),
    (put("measure", "loss"), "does not know the measure"),
    (put("question", "definition", "np"), "derived from the model"),
    (put("question", "delta", "9/8"), "δ is more than 1"),
    (put("question", "delta", "1/4"), "tight_epsilon"),
    (put("question", "epsilon", "ln(3)"), "tight_delta"),
    (put(A, W, "direction", "down"), "0 comparisons"),
    (put(A, W, "direction", None), "0 comparisons"),
    (put(A, W, "knowledge", "l"), "0 comparisons"),
    (put(A, W, "output", "x"), "0 comparisons"),
    (put(A, W, "databases", [["0"], ["1"]]), "databases"),
    (put(A, W, "event", ["y"]), "probability_a"),
    (put(A, W, "event", ["x", "x"]), "an output twice"),
    (put(A, W, "event", ["x", "z"]), "no law has"),
    (put(A, W, "at_epsilon", "0"), "at_epsilon"),
    (put(A, W, "probability_a", "1/2"), "probability_a: the answer"),
    (put(A, W, "probability_b", "1/2"), "probability_b: the answer"),
    (put(A, W, "probability_b", None), "probability_b: the answer"),
    (put(A, "tightest", EVIDENCE), "must show one comparison"),
    (put(A, "tight_delta", None), "tight_delta"),
]


@pytest.mark.parametrize(("forge", "reason"), FORGED, ids=range(len(FORGED)))
def test_an_answer_by_laws(forge: Callable[[dict[str, Any]], None], reason: str) -> None:
    replay(deepcopy(LAWS))
    forged = deepcopy(LAWS)
    forge(forged)
    with pytest.raises(Rejected, match=reason):
        replay(forged)


# --- acceptability ------------------------------------------------------------------------------------------------

YES: dict[str, Any] = {
    "size": 1, "values": ["0", "1"], "secrets": [0], "domain": ["0", "1"],
    "worlds": {"θ": [[[d], known, None, p] for d, known, p in (
        ("0", "x", "1/8"), ("0", "y", "1/8"), ("1", "x", "3/8"), ("1", "y", "3/8"))]},
    "answers": [{
        "distribution": "θ", "record": 0, "acceptable": True, "knowledge": ["heard"],
        "parameters": [{"name": "value", "table": {"0": "1/4", "1": "3/4"}},
                       {"name": "heard", "table": {"x": "1/2", "y": "1/2"}}],
        "table": [[[d, known], [d], known, None] for d in "01" for known in "xy"],
    }],
}  # fmt: skip
NO: dict[str, Any] = {
    **{key: YES[key] for key in ("size", "values", "secrets", "domain")},
    "worlds": {"θ": [[["0"], "x", None, "1/4"], [["1"], "x", None, "1/4"], [["0"], "y", None, "1/2"]]},
    "answers": [{"distribution": "θ", "record": 0, "acceptable": False,
                 "reason": {"knowledge": ["x", "y"], "sensitive": "0", "chances": [["1/2"], ["1"]]}}],
}  # fmt: skip
N, R = ("answers", 0), ("answers", 0, "reason")
S: dict[str, Any] = {
    **YES, "secrets": ["S"], "domain": ["s", "t"],
    "worlds": {"θ": [[d, known, "s" if d == ["0"] else "t", p] for d, known, _, p in YES["worlds"]["θ"]]},
    "answers": [{**YES["answers"][0], "record": "S",
                 "table": [[when, d, known, "s" if d == ["0"] else "t"] for when, d, known,
                 _ in YES["answers"][0]["table"]]}],
}  # fmt: skip
UNACCEPTABLE: list[tuple[dict[str, Any], Callable[[dict[str, Any]], None], str]] = [
    *((base, forge, reason) for base in (YES, NO) for forge, reason in (
        (put("secrets", []), "distinct records, or S"),
        (put("secrets", [0, 0]), "distinct records, or S"),
        (put("secrets", [1]), "distinct records, or S"),
        (put("secrets", [-1]), "distinct records, or S"),
        (put("secrets", [0, "S"]), "distinct records, or S"),
        (put("secrets", ["S"]), "one answer for each"),
        (put("size", 0), "size and values"),
        (put("size", 2), "another size"),
        (put("values", []), "size and values"),
        (put("values", ["0", "0"]), "size and values"),
        (put("values", ["0"]), "none of the values"),
        (put("domain", ["1"]), "outside its domain"),
        (put("worlds", {}), "no distribution"),
        (put("worlds", "θ", 0, 1, None), "lacks its knowledge"),
        (put("worlds", "θ", 0, 2, "0"), "lacks its knowledge, or S"),
        (put("worlds", "θ", 0, 3, "1/7"), "are no distribution"),
        (put("answers", []), "one answer for each"),
        (put(*N, "record", 1), "one answer for each"),
        (put(*N, "distribution", "φ"), "one answer for each"),
    )),
    (S, put("worlds", "θ", 0, 2, None), "lacks its knowledge, or S"),
    (S, put("domain", ["s"]), "outside its domain"),
    (S, put(*N, "table", 0, 3, "t"), "a world that is impossible"),
    (YES, put(*N, "knowledge", []), "do not determine the knowledge"),
    (YES, put(*N, "knowledge", ["value"]), "is φ₀"),
    (YES, put(*N, "knowledge", ["heard", "heard"]), "each once"),
    (YES, put(*N, "knowledge", ["other"]), "each once"),
    (YES, put(*N, "parameters", 1, "name", "value"), "distinct names"),
    (YES, put(*N, "parameters", 1, "table", {"x": "1/2"}), "has no law"),
    (YES, put(*N, "parameters", 1, "table", {"x": "1/2", "y": "1/2", "z": "0"}), "has no law"),
    (YES, put(*N, "parameters", 1, "table", {"x": "1/3", "y": "2/3"}), "do not multiply up"),
    (YES, put(*N, "parameters", 0, "table", {"0": "1/3", "1": "2/3"}), "do not multiply up"),
    (YES, drop(*N, "table", 0), "one row for each combination"),
    (YES, put(*N, "table", 0, 0, ["1", "x"]), "one row for each combination"),
    (YES, put(*N, "table", 0, 0, ["2", "x"]), "has no row for"),
    (YES, put(*N, "table", 0, 1, ["1"]), "not injective|does not determine S"),
    (YES, put(*N, "table", 0, 2, "y"), "not injective|do not determine"),
    (YES, put(*N, "table", 0, 2, "z"), "a world that is impossible"),
    (NO, put(*R, "knowledge", ["x", "x"]), "are others"),
    (NO, put(*R, "knowledge", ["x", "z"]), "is impossible"),
    (NO, put(*R, "sensitive", "1"), "are others"),
    (NO, put(*R, "chances", [["1/2"], ["1/2"]]), "are others"),
    (NO, put(*R, "chances", [["1/4"], ["1"]]), "are others"),
    (NO, put(*R, "chances", [["1"], ["1"]]), "are others"),
    (YES, put(*N, {"distribution": "θ", "record": 0, "acceptable": False,
                   "reason": {"knowledge": ["x", "y"], "sensitive": "0", "chances": [["1/4"], ["1/4"]]}}),
     "leave the same probabilities"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "forge", "reason"), UNACCEPTABLE, ids=range(len(UNACCEPTABLE)))
def test_acceptability(base: dict[str, Any], forge: Callable[[dict[str, Any]], None], reason: str) -> None:
    assert replay_acceptability(deepcopy(base)) == ""
    forged = deepcopy(base)
    forge(forged)
    with pytest.raises(Rejected, match=reason):
        replay_acceptability(forged)
