"""Names that are odd, and keys in another order, change nothing: neither an answer, nor its evidence, nor a file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifier.model.document import document_of
from verifier.model.library import models_folder
from verifier.wings.explore.routes import Session

ODD = ["<img src=x onerror=alert(1)>", 'say "no"\\', "⊥", "__proto__", "constructor", "x" * 400, "𝔸é🏳",
       " ", "'", "{{1}}", "&lt;", "null", "1/2", "inf", "0.5", "-0", "10"]  # fmt: skip
SESSION = Session()
ORDERED = ("DMKB20/example-7-five-voters", "DMKB20/example-4-as-printed", "DKM19/introduction-parity",
           "LQS12/algorithm-1", "composition/adaptive", "relations/randomized-response")  # fmt: skip


def javascript(part: Any) -> Any:
    """As a page keeps it: keys that look like small integers come first, by their size."""
    if isinstance(part, list):
        return [javascript(one) for one in part]
    if not isinstance(part, dict):
        return part
    whole = [key for key in part if key.isascii() and key.isdigit() and str(int(key)) == key and int(key) < 2**32 - 1]
    kept = [*sorted(whole, key=int), *(key for key in part if key not in whole)]
    return {key: javascript(part[key]) for key in kept}


def turned(part: Any) -> Any:
    """With all keys in the reverse order."""
    if isinstance(part, dict):
        return {key: turned(one) for key, one in reversed(part.items())}
    return [turned(one) for one in part] if isinstance(part, list) else part


ASKED = ("dp", "np", "ppkdp", "cdp", "ibcdp", "ddp")


def answers(document: Any) -> list[Any]:
    """Everything about a model but the time."""
    found = []
    for definition in ASKED:
        asked = {"document": document, "definition": definition, "epsilon": "ln(2)", "delta": "1/100"}
        one = SESSION.post("answer", asked)
        found.append({key: one[key] for key in one.keys() - {"milliseconds"}})
    return found


@pytest.mark.parametrize("name", ORDERED)
@pytest.mark.parametrize("order", [javascript, turned])
def test_the_order_of_keys_is_nothing(name: str, order: Any) -> None:
    document = document_of((models_folder() / f"{name}.toml").read_text(encoding="utf-8"))
    assert answers(order(document)) == answers(document)


def test_labels_that_look_like_integers_are_sorted_by_nobody() -> None:
    """{"10": …, "2": …} is {"2": …, "10": …} in a page; the witness, its outputs and the order of values stay."""
    values = [10, 2, "x", 1]
    law = {"10": "1/2", "2": "1/4", "x": "1/8", "1": "1/8"}
    told = [{"10": "1/2", "2": "1/3", "x": "1/6"}, {"10": "1/5", "2": "4/5"}, {"x": "1"}, {"2": "1/2", "x": "1/2"}]
    rows = [{"database": [one], "outputs": outputs} for one, outputs in zip(values, told, strict=True)]
    document = {"size": 1, "values": values, "distribution": [{"iid": law}], "mechanism": {"table": rows}}
    page = javascript(document)
    assert list(page["distribution"][0]["iid"]) == ["1", "2", "10", "x"]
    assert answers(page) == answers(document)
    losses = [SESSION.post("loss", {"document": one})["knowledge"] for one in (document, page)]
    assert losses[0] == losses[1]
    read = [document_of(SESSION.post("write", {"document": one})["text"]) for one in (document, page)]
    assert read[0] == read[1] == document


def named(labels: list[Any]) -> Any:
    """A model with four labels as its values, and the same as its outputs."""
    a, b, c, d = labels
    law = {str(one): part for one, part in zip(labels, ("1/2", "1/4", "1/8", "1/8"), strict=True)}
    rows = [
        {"database": [a], "outputs": {str(a): "1/3", str(b): "2/3"}},
        {"database": [b], "outputs": {str(b): "1/2", str(c): "1/2"}},
        {"database": [c], "output": d},
        {"database": [d], "outputs": {str(a): "1/5", str(d): "4/5"}},
    ]
    return {"size": 1, "values": labels, "distribution": [{"iid": law}], "mechanism": {"table": rows}}


def numbers(document: Any) -> list[Any]:
    """Verdict, smallest numbers and the checker's word, of each definition."""
    asked = {"document": document, "epsilon": "ln(2)", "delta": "1/100"}
    words = [SESSION.post("recheck", {**asked, "definition": name})["replayed"] for name in ASKED]
    return [
        [one[key] for key in ("verdict", "tight_epsilon", "tight_delta")] + [word]
        for one, word in zip(answers(document), words, strict=True)
    ]


PLAIN = numbers(named(["a", "b", "c", "d"]))


NAMES = st.one_of(st.sampled_from(ODD), st.text(min_size=1).filter(str.isprintable))


@settings(max_examples=20)
@given(st.lists(NAMES, min_size=4, max_size=4, unique=True))
def test_a_name_is_a_name(labels: list[str]) -> None:
    """The answers are those of plain names, also after a file was written and read."""
    document = named(labels)
    assert numbers(document) == PLAIN
    read = SESSION.post("read", {"text": SESSION.post("write", {"document": document})["text"]})
    assert read["document"] == document
    assert "problems" not in read
    assert "problems" not in SESSION.post("loss", {"document": json.loads(json.dumps(document))})


def test_a_name_that_no_screen_shows_is_refused_in_its_cell() -> None:
    for one in ("a\nb", "\u202e", "\x7f"):
        (problem,) = SESSION.post("answer", {"document": named(["a", one, "c", "d"]), "definition": "np"})["problems"]
        assert problem["path"][0] == "values"
        assert problem["message"].isprintable()


def test_tables_that_are_empty_are_told() -> None:
    for path in (("distribution", 0, "iid"), ("mechanism", "table"), ("values",), ("distribution",)):
        document = named(["a", "b", "c", "d"])
        here: Any = document
        for key in path[:-1]:
            here = here[key]
        here[path[-1]] = type(here[path[-1]])()
        for name in ("passport", "answer", "loss", "acceptable"):
            (problem,) = SESSION.post(name, {"document": document, "definition": "np"})["problems"]
            assert (problem["path"] or ["distribution"])[0] == path[0], (name, problem)


def test_numbers_of_hundreds_of_digits_are_exact() -> None:
    document = named(["a", "b", "c", "d"])
    tiny = "1e-400"
    document["distribution"][0]["iid"] = {"a": tiny, "b": "0." + "9" * 400, "c": "0", "d": "0"}
    found = SESSION.post("answer", {"document": document, "definition": "np", "epsilon": "ln(2)"})
    assert (found["verdict"], found["tight_epsilon"]) == ("fails", "inf")
    losses = SESSION.post("loss", {"document": document})["knowledge"][0]
    assert losses["probability"] == "1"
    assert SESSION.post("write", {"document": document})["text"].count(tiny) == 1
