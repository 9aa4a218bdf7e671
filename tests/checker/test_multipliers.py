"""Proofs about all mechanisms: honest documents are confirmed, forgeries and mutants refused, random ones go through.

A forgery (`tests/attack/proofs/NAME.jsonl`) is an honest document, the changes that are made one after the other
(`["put", place, value]`, `["drop", place]`, and `["text", old, new]` in the text of its model file), and a regex for
the reason why it is refused. The questions of the honest ones stand in `tests/attack/asked.toml`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attack.forgeries import ASKED, model_named, source_named
from families import mixtures
from filing import containers, leaves, mutants, place_in, shorter
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scripts import script
from strategies import Case, cases
from strategies_policy import PolicyModel

import verifier as pk
from verifier.checker.curves import Function, end_of, function_of, interval_of, verify_curve
from verifier.checker.multipliers import verify_delta, verify_rate, verify_worst
from verifier.checker.numbers import BeyondLimits, Rejected, Unsupported, Wrong
from verifier.checker.polynomials import order
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.recheck.documents import document_text
from verifier.wings.exchange.curve.decide import convert_curve
from verifier.wings.exchange.delta.decide import convert_delta
from verifier.wings.exchange.proofs import curve_document, delta_document, rate_document
from verifier.wings.exchange.rate import convert
from verifier.wings.implications.parts import decided, passport_key
from verifier.wings.search.worst.decide import worst
from verifier.wings.search.worst.proof import worst_document

ROOT = Path(__file__).parents[2]
rows_by_definition = script("docs/matrix/pair_rates.py").rows_by_definition
PROOFS = ROOT / "tests" / "attack" / "proofs"
Document = dict[str, Any]
VERIFY: dict[str, Callable[[Document, Path], str]] = {
    "exchange": verify_rate,
    "exchange-delta": verify_delta,
    "exchange-curve": verify_curve,
    "worst": verify_worst,
}
EXCHANGED: dict[str, tuple[Callable[..., Any], Callable[..., Document]]] = {
    "rates": (convert, rate_document),
    "deltas": (convert_delta, delta_document),
    "curves": (convert_curve, curve_document),
}
REFUSED = (Rejected, Wrong, BeyondLimits, Unsupported)
SAID = ("every mechanism that is ", "the largest δ of ")
"""How what is confirmed of a document begins."""


def verify(document: Document) -> str:
    """What the checker says of a document, as it stands in a file."""
    return VERIFY[document["kind"]](json.loads(json.dumps(document)), ROOT)


@cache
def honest_text(table: str, base: str) -> str:
    one = dict(ASKED[table][base])
    if table == "worst":
        return json.dumps(worst_document(worst(model_named(one.pop("model")), **one), ROOT))
    ask, written = EXCHANGED[table]
    source, between = source_named(one.pop("model")), (one.pop("from"), one.pop("to"))
    return json.dumps(written(ask(source, *between, **one), ROOT))


def honest(table: str, base: str) -> Document:
    """The document of a question that is asked in `asked.toml`."""
    found: Document = json.loads(honest_text(table, base))
    return found


def forged(document: Document, changes: list[list[Any]]) -> Document:
    """The document with the changes made."""
    out = deepcopy(document)
    for kind, *given_values in changes:
        if kind == "text":
            old, new = given_values
            text = out.pop("model_text", None) or (ROOT / out["model"]).read_text(encoding="utf-8")
            assert old in text
            out = {key: value for key, value in out.items() if key not in {"model", "sha256"}}
            out["model_text"] = text.replace(old, new, 1) if old else text + new
            continue
        target, key = place_in(out, given_values[0])
        if kind == "put":
            target[key] = deepcopy(given_values[1])
        else:
            del target[key]
    assert json.dumps(out) != json.dumps(document), "no forgery"
    return out


TABLES = ("rates", "curves", "deltas", "worst")
FORGERIES = [
    (table, json.loads(line))
    for table in TABLES
    for line in (PROOFS / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()
]
HONEST = [(table, base) for table in TABLES for base in ASKED[table]]


@pytest.mark.parametrize(("table", "base"), HONEST)
def test_an_honest_document_is_confirmed(table: str, base: str) -> None:
    document = honest(table, base)
    assert verify(document).startswith(SAID)
    assert not {"worlds", "policy", "values", "size"} & set(document)
    assert verify(forged(document, [["text", "", "\n"]])).startswith(SAID)
    assert json.loads(document_text(document)) == document


@pytest.mark.parametrize(("table", "forgery"), FORGERIES, ids=lambda one: str(one)[:80])
def test_a_forgery_is_refused_with_its_reason(table: str, forgery: dict[str, Any]) -> None:
    document = forged(honest(table, forgery["base"]), forgery["changes"])
    with pytest.raises(REFUSED, match=forgery["reason"]):
        verify(document)


FREE = [
    ("rates", "rate", 9, {"otherwise"}),
    ("rates", "infinite", 1, {"otherwise", "rows"}),
    ("deltas", "curve", 19, {"otherwise", "rows"}),
    ("curves", "over ε", 31, {"where"}),
    ("worst", "neighbours", 5, {"otherwise", "rows"}),
    ("worst", "average", 5, {"otherwise", "rows"}),
]
"""Documents, which mutant is looked at, and keys below which another proof of the same may stand."""


@pytest.mark.parametrize(("table", "base", "step", "free"), FREE)
def test_every_number_and_label_of_a_document_counts(table: str, base: str, step: int, free: set[str]) -> None:
    """Any change of one text or number, and anything left out, is refused, and never by a traceback."""
    document = honest(table, base)
    changed = [(place, other) for place, _, other in mutants(document)] + list(shorter(document))
    assert len(changed[::step]) > 70
    for place, other in changed[::step]:
        kind = other.get("kind")
        if kind not in VERIFY:
            continue
        try:
            said = verify(other)
        except REFUSED:
            continue
        assert free & set(place), (place, said)


STRANGE: list[Any] = [
    None, [], {}, True, -1, 1.5, 10**30, "", "-0", "1/0", "inf", "\0", "1" * 5000, "x" * 10**5, "1/1000000*ln(2)",
    [[]], [0, 0, 0, 0], [["1"] * 300, ["1"]], [["0", "1"], []], [["-2", "0", "1"], "1", "2"],
]  # fmt: skip


@pytest.mark.parametrize(("table", "base"), HONEST)
def test_strange_values_are_refused_in_words(table: str, base: str) -> None:
    """A value of any kind, anywhere, is refused without a traceback, or says the same in another way."""
    random, document = Random(base), honest(table, base)  # noqa: S311
    places = [place for place, _ in leaves(document)] + [place for place, _ in containers(document) if place]
    for _ in range(60):
        strange, place = deepcopy(document), random.choice(places)
        target, key = place_in(strange, place)
        target[key] = random.choice(STRANGE)
        if strange["kind"] == document["kind"]:
            with suppress(*REFUSED):
                assert VERIFY[strange["kind"]](strange, ROOT).startswith(SAID)


def test_a_document_of_another_model_is_refused(tmp_path: Path) -> None:
    """The hash is that of the file; a file that is changed is another one."""
    document = honest("rates", "rate")
    (tmp_path / "models").mkdir()
    text = (ROOT / document["model"]).read_text(encoding="utf-8")
    (tmp_path / "models" / "one.toml").write_text(text, encoding="utf-8")
    moved = {**document, "model": "models/one.toml"}
    assert verify_rate(moved, tmp_path).startswith("every mechanism")
    (tmp_path / "models" / "one.toml").write_text(text.replace("3/8", "3/8 "), encoding="utf-8")
    with pytest.raises(Rejected, match="the model file is another one"):
        verify_rate(moved, tmp_path)


# --- random answers go through ----------------------------------------------------------------------------------------

KINDS = ("lists", "gaps", "multisets")
WITH_DELTA = ["dp", "np", "apkdp", "cdp", "adp", "psdp", "dnpr", "pbdp"]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_all_linear_definitions_go_through(seed: int) -> None:
    """The checker lists the rows of every linear definition from the model file, and the multipliers add up."""
    random = Random(f"documents {seed}")  # noqa: S311
    model = pk.loads(PolicyModel(random, KINDS[seed % 3]).text)
    keys = sorted(rows_by_definition(model, dict.fromkeys(map(passport_key, decided()))))
    for _ in range(12):
        rate = convert(model, random.choice(keys), random.choice(keys), epsilon=random.choice(("ln(4)", "ln(3)")))
        assert rate.verdict == "unsupported" or verify(rate_document(rate))
    source, target = random.choice(keys), random.choice([key for key in WITH_DELTA if key in keys])
    delta = convert_delta(model, source, target, epsilon="ln(4)", delta=f"{int(source in WITH_DELTA)}/8")
    assert delta.verdict == "unsupported" or verify(delta_document(delta))
    curve = convert_curve(model, random.choice(keys), random.choice(keys))
    assert curve.verdict == "unsupported" or verify(curve_document(curve))


@pytest.mark.sweep(3)
@given(of=st.data())
@settings(max_examples=15, deadline=None)
def test_rates_over_a_parameter_go_through(of: st.DataObject) -> None:
    try:
        family = of.draw(mixtures())
    except InputError:  # a parameter that no probability depends on
        assume(False)
    between = of.draw(st.sampled_from([("np", "cdp"), ("cdp", "dp"), ("dp", "np"), ("np", "dp"), ("anpr", "np")]))
    curve = convert_curve(family, *between, epsilon="ln(2)")
    assert curve.verdict == "unsupported" or verify(curve_document(curve))


NAMES = st.sampled_from(["dp", "np", "apkdp", "ppkdp", "cdp"])
EPSILONS = st.sampled_from(["0", "ln(2)", "ln(3/2)"])
BOUNDS = st.builds("{}({}, {})".format, NAMES, EPSILONS, st.sampled_from(["0", "1/10"]))


@pytest.mark.sweep(3)
@given(
    case=cases(max_size=2), assumed=st.lists(BOUNDS, max_size=2), target=NAMES, at=EPSILONS,
    outputs=st.sampled_from([None, None, 2, 3]),
)  # fmt: skip
@settings(max_examples=30, deadline=None)
def test_worst_mechanisms_go_through(case: Case, assumed: list[str], target: str, at: str, outputs: int | None) -> None:
    try:
        found = worst(pk.build(**case.keys), assuming=assumed, maximise=f"{target} delta at {at}", outputs=outputs)
    except (UnsupportedError, LimitError):
        return
    assert found.form is None or verify(worst_document(found))


def test_a_network_with_a_parameter_goes_through() -> None:
    family: Any = source_named("DMKB20/family/example-6-partner-known")
    document = curve_document(convert_curve(family, "cdp", "np", epsilon="ln(2)"), ROOT)
    assert " cells" in verify(document)


# --- signs on intervals -----------------------------------------------------------------------------------------------

SQRT_2 = [["-2", "0", "1"], "1", "2"]


@pytest.mark.parametrize(
    ("top", "where", "never_negative", "positive"),
    [
        (["0", "1"], ["0", "1", False, True], True, True),
        (["0", "1"], ["0", "1", True, True], True, False),
        (["1", "-2", "1"], ["0", "2", True, True], True, False),
        (["1", "-3", "3", "-1"], ["0", "2", True, True], False, False),
        (["-2", "0", "1"], [SQRT_2, None, True, False], True, False),
        (["-2", "0", "1"], [SQRT_2, None, False, False], True, True),
        (["-2", "0", "1"], ["7/5", None, True, False], False, False),
        (["2", "0", "-1"], ["0", SQRT_2, True, False], True, True),
        (["-3", "0", "1"], ["1", SQRT_2, True, True], False, False),
        (["4", "0", "-4", "0", "1"], ["0", None, True, False], True, False),
        (["-2", "0", "1"], [SQRT_2, SQRT_2, True, True], True, False),
    ],
)
def test_signs_on_intervals(top: list[str], where: list[Any], *, never_negative: bool, positive: bool) -> None:
    interval, function = interval_of(where), function_of([top, ["1"]])
    assert function.never_negative(interval) is never_negative
    assert function.is_positive(interval) is positive


def test_a_function_with_a_pole_has_no_sign() -> None:
    function = function_of([["1"], ["0", "1"]])
    assert not function.never_negative(interval_of(["0", "1", True, True]))
    assert function.never_negative(interval_of(["0", "1", False, True]))
    assert function_of([["0", "1"], ["0", "0", "1"]]) == function == 1 / Function((0, 1))


def test_signs_are_those_of_random_products() -> None:
    """Products of known factors, against their signs between the roots."""
    random = Random(37)  # noqa: S311
    for _ in range(200):
        roots = sorted(Fraction(random.randint(-6, 6), random.randint(1, 3)) for _ in range(random.randint(0, 5)))
        f = Function((random.choice((1, -1)),))
        for root in roots:
            f = f * Function((-root.numerator, root.denominator))
        low, high = sorted((Fraction(random.randint(-7, 7), 2), Fraction(random.randint(-7, 7), 2)))
        if low == high:
            continue
        where = interval_of([str(low), str(high), random.random() < 0.5, random.random() < 0.5])
        between = sorted({low, high, *(root for root in roots if low < root < high)})
        inner = [(x + y) / 2 for x, y in pairwise(between)]
        assert f.never_negative(where) == all(f.at(x) > 0 for x in inner)
        assert f.is_positive(where) == (
            all(f.at(x) > 0 for x in inner)
            and len(inner) == 1
            and not (where.low_closed and low in roots)
            and not (where.high_closed and high in roots)
        )


def test_ends_are_ordered() -> None:
    ends = [end_of(one) for one in ("1", [["-2", "0", "1"], "1", "2"], "3/2", [["-3", "0", "1"], "0", "7"], "2")]
    assert all(order(x, y) == -1 for x, y in pairwise(ends))  # type: ignore[arg-type]
    for wrong in ([["-2", "0", "1"], "-2", "2"], [["-2", "0", "1"], "2", "3"], [["1"], "0", "1"], [[], "0", "1"]):
        with pytest.raises((Rejected, Wrong, IndexError)):
            end_of(wrong)


ORDERS = """
size = 2
values = [0, 1]
[[distribution]]
table = [
  { database = [0, 0], knowledge = "x", probability = "1/10" }, { database = [1, 0], knowledge = "z", probability = "2/10" },
  { database = [0, 1], knowledge = "y", probability = "1/10" }, { database = [1, 1], knowledge = "x", probability = "3/10" },
  { database = [0, 0], knowledge = "z", probability = "1/10" }, { database = [1, 0], knowledge = "y", probability = "2/10" },
]
[mechanism]
kind = "count"
value = 1
"""  # noqa: E501


def test_the_terms_of_a_comparison_stand_in_any_order() -> None:
    """What is known has no order: the values come as the file lists them, or sorted."""
    found = worst(pk.loads(ORDERS), assuming=["ppkdp(ln(2), 1/10)"], maximise="ppkdp delta at 0")
    document = worst_document(found)
    assert verify(document).startswith(SAID)
    twice = deepcopy(document)
    again = deepcopy(twice["proof"]["bounds"][0])
    again["terms"].reverse()
    twice["proof"]["bounds"].append(again)
    with pytest.raises(Rejected, match="two orders"):
        verify(twice)
    less = {**document, "optimum": str(Fraction(document["optimum"]) * Fraction(99, 100))}
    with pytest.raises(Rejected):
        verify(less)


SMALL: list[tuple[str, int, str, str]] = [
    ("exchange", 9, "flpr", "more than 32,768 comparisons"),
    ("exchange", 10, "cldp", "more than 32,768 comparisons"),
    ("exchange", 6, "flpr", "does not need the claimed ε"),
    ("exchange-curve", 10, "flpr", "more than 256 databases"),
    ("exchange-delta", 10, "adp", "the rows are not the definition"),
    ("worst", 10, "flpr", "more than 32,768 comparisons"),
    ("worst", 8, "flpr", "more than 32,768 comparisons"),
]
"""Small documents about all pairs of many databases: a kind, records of two values, a definition, and the reason."""


@pytest.mark.parametrize(("kind", "size", "key", "reason"), SMALL)
def test_a_small_document_does_not_make_much_work(kind: str, size: int, key: str, reason: str) -> None:
    mechanism = {"rows": [], "otherwise": "u"}
    blocks = f"[policy]\nblocks = [{list(range(size))}]\n" if key == "cldp" else ""
    every: Document = {
        "kind": kind,
        "model_text": f"size = {size}\nvalues = [0, 1]\n{blocks}",
        "epsilon": None if kind == "exchange-curve" else "ln(2)",
    }
    between = {"from": key, "to": key}
    assuming = [{"definition": key, "epsilon": "ln(2)", "delta": "0"}]
    of_kinds: dict[str, Document] = {
        "exchange": {**between, "verdict": "computed", "tight_epsilon": "ln(2)", "mechanism": mechanism,
                     "proof": {"assumed": [], "bounds": []}},
        "exchange-delta": {**between, "delta": "1/10", "verdict": "computed", "pieces": [],
                           "proof": {"assumed": [], "rows": []}},
        "exchange-curve": {**between, "over": None, "root": 1, "spans": [["2", "3", True, True]], "cells": [],
                           "proof": None},
        "worst": {"definition": "dp", "assuming": assuming, "outputs": None, "optimum": "1", "mechanism": mechanism,
                  "proof": {"assumed": [], "bounds": []}},
    }  # fmt: skip
    with pytest.raises(REFUSED, match=reason):
        verify({**every, **of_kinds[kind]})
