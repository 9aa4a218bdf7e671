"""Errors of questions that are asked in Python name Python's arguments and functions; commands name options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

import verifier as pk
from verifier.cli.exits import name_options, spoken
from verifier.errors import COMMANDS, with_commands
from verifier.model.read import KEYS

COIN = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
PAIR = pk.build(size=2, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
WIDE = pk.build(size=25, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=lambda d: d[0])
FAR = pk.build(size=60, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=lambda d: d[0])
WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "a definition": (lambda: pk.check(COIN, "nonsense"), "pk.DEFINITIONS lists them"),
    "a near definition": (lambda: pk.check(COIN, "dpp"), "is dp meant? pk.DEFINITIONS lists them"),
    "a property": (lambda: pk.check(COIN, "k-anonymity"), "pk.k_anonymity decides it"),
    "another property": (lambda: pk.check(COIN, "strongly-safe"), "pk.strongly_safe decides it"),
    "epsilon": (lambda: pk.check(COIN, "dp", epsilon="x"), "epsilon: given"),
    "delta": (lambda: pk.check(COIN, "dp", delta=2), "delta: given 2"),
    "reading": (lambda: pk.check(COIN, "dp", reading="x"), 'the reading "x" of dp'),
    "a large model": (lambda: pk.check(WIDE, "dp"), "raise max_rows="),
    "a large passport": (lambda: pk.passport(WIDE), "raise max_rows="),
    "a model that no machine lists": (lambda: pk.passport(FAR), "no machine lists so many"),
    "no record": (lambda: pk.loss(PAIR), "record= with one of 0, 1"),
    "a record": (lambda: pk.loss(PAIR, record=5), "record=: given the record 5"),
    "values": (lambda: pk.loss(PAIR, record=1, values=(0, 7)), "given the value 7"),
    "a key of a model": (lambda: pk.build(size=1, values=[0, 1]), "help(pk.build) lists the keys"),
    "a key of a mechanism": (
        lambda: pk.build(size=1, values=[0], distribution={"iid": {0: 1}}, mechanism={"kind": "constant"}),
        "help(pk.build) lists the keys",
    ),
    "a file": (lambda: pk.read("missing.toml"), 'pk.read("MODEL.toml")'),
    "a statement": (lambda: pk.search(satisfies="nonsense(e)"), "a definition (pk.DEFINITIONS)"),
    "a scope": (lambda: pk.search(satisfies="np(e)", violates="cdp(e)", records=30), "records=: given 30"),
    "a word of the scope": (
        lambda: pk.search(satisfies="np(e)", violates="cdp(e)", mechanism_weights=0),
        "mechanism_w",
    ),
    "a maximised definition": (
        lambda: pk.worst(COIN, maximise="ddp delta at ln(2)"),
        "pk.search takes every definition",
    ),
    "an assumed property": (
        lambda: pk.worst(COIN, maximise="np delta at ln(2)", assuming="independent"),
        "pk.search takes every statement",
    ),
    "a variable": (lambda: pk.worst(COIN, maximise="np delta at e"), "variables are for pk.search"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_speak_python(name: str) -> None:
    ask, said = WRONG[name]
    with pytest.raises(pk.PkdpError) as caught:
        ask()
    text = str(caught.value)
    assert said in text
    assert "--" not in text
    assert not re.search(r"\bpkdp ", text)


def test_the_command_line_says_the_same_with_its_own_names() -> None:
    name_options(["--records", "--mechanism-weights"])
    try:
        assert spoken("records=: given 30") == "--records: given 30"
        assert spoken("mechanism_weights=: given 0") == "--mechanism-weights: given 0"
    finally:
        name_options([])
    for name, command in COMMANDS.items():
        assert with_commands(f"Tip: {name}.") == spoken(f"Tip: {name}.") == f"Tip: {command}."


def test_what_messages_name_in_python_is_there() -> None:
    assert "np" in pk.DEFINITIONS
    assert all(f"`{key}`" in (pk.build.__doc__ or "") for key in KEYS if key not in {"parameters", "conditions"})
    for name in ("k_anonymity", "strongly_safe", "search", "read"):
        assert callable(getattr(pk, name))
