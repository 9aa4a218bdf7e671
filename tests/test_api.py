"""What a user of Python sees: how objects show themselves, numbers that compare, and answers to wrong input."""

from __future__ import annotations

import math
import random
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import verifier as pk
from verifier.definitions.verdict import Passport
from verifier.model.toml import toml_tip
from verifier.numbers import DecimalLiteral
from verifier.questions.normalization import Acceptabilities
from verifier.show.facts import distribution_lines

pytestmark = pytest.mark.quick


E = pk.epsilon


def coin(p: str = "1/2", **keys: Any) -> pk.Model:
    law = {0: Fraction(1) - Fraction(p), 1: p}
    return pk.build(**{"size": 1, "values": [0, 1], "distribution": {"iid": law}, "mechanism": {"kind": "sum"}, **keys})


def response(database: tuple[int, ...]) -> dict[str, str]:
    return {"yes": "3/4", "no": "1/4"} if database[0] else {"yes": "1/4", "no": "3/4"}


VOTE = pk.build(
    title="vote",
    size=3,
    values=[0, 1],
    distribution={"iid": {0: "3/4", 1: "1/4"}},
    knowledge={"records": [0]},
    mechanism=sum,
)
NOISY = coin("1/4", title="noisy", mechanism=response)


# --- how things show themselves --------------------------------------------------------------------------


def shown_objects() -> dict[str, object]:
    fails = pk.check(VOTE, "np", epsilon="ln(2)", delta="1/4")
    found = pk.acceptable(VOTE)
    return {
        "model": VOTE,
        "theta": VOTE.thetas[0],
        "mechanism": VOTE.mechanism,
        "fails": fails,
        "unsupported": pk.check(
            pk.build(
                size=2,
                values=[0, 1],
                distribution={"iid": {0: "1/2", 1: "1/2"}},
                mechanism={"kind": "count", "value": 1},
                sensitive={"rows": [{"database": [a, b], "value": a} for a in (0, 1) for b in (0, 1)]},
            ),
            "cdp",
        ),
        "average": pk.check(VOTE, "ppkdp", epsilon="1/10").witness,
        "neighbours": pk.check(VOTE, "dp").witness,
        "witness": fails.witness,
        "profile": pk.check(NOISY, "np").profile,
        "loss": pk.loss(VOTE, record=2),
        "atlas": pk.check_all(VOTE, dimension="R", replay=False),
        "answer no": found[0],
        "answer yes": found[1],
        "normalization": found[1].normalization,
        "definition": pk.apkdp,
        "epsilon": E("ln(2)"),
        "delta": fails.tight_delta,
    }


@pytest.mark.parametrize(("name", "one"), shown_objects().items(), ids=shown_objects().keys())
def test_a_repr_is_one_short_line(name: str, one: object) -> None:
    assert one is not None, name
    text = repr(one)
    assert text.startswith("<")
    assert text.endswith(">") or "characters)" in text
    assert "\n" not in text
    assert len(text) < 270


def test_reprs_say_what_counts() -> None:
    shown = {name: repr(one) for name, one in shown_objects().items()}
    assert shown["model"] == (
        '<Model "vote": 3 records in {0, 1}, 1 distribution, mechanism: Python function sum, knowledge: records 0>'
    )
    assert shown["fails"] == "<Verdict np fails at ε = ln(2), δ = 1/4: smallest δ 3/4, smallest ε inf>"
    assert shown["witness"] == '<Witness "#1", D(1) = 0 against 1, B = [0], event {0}: δ 3/4 at ε = ln(2)>'
    assert shown["profile"] == "<Profile δ = 3/4 - 1/4*e^ε, 0 from ε = ln(3)>"
    unsupported = "<Verdict cdp unsupported, δ = 0, restricted to the sensitive function: cdp replaces"
    assert shown["unsupported"].startswith(unsupported)
    assert (shown["epsilon"], shown["delta"]) == ("<Epsilon ln(2)>", "<Delta 3/4>")


def test_a_long_title_does_not_make_a_long_repr() -> None:
    assert len(repr(coin(title="x" * 1000))) < 270


def test_the_passport_is_a_short_immutable_sequence() -> None:
    passport = pk.passport(VOTE)
    assert isinstance(passport, Passport)
    assert [one.definition for one in passport] == [key for key, one in pk.DEFINITIONS.items() if not one.changes_size]
    assert passport[0].definition == "dp"
    assert len(passport) == len(pk.DEFINITIONS) - 2
    assert repr(passport).splitlines() == [repr(one) for one in passport]
    assert len(repr(passport)) < 500
    with pytest.raises(TypeError):
        passport[0] = passport[1]  # type: ignore[index]


def test_the_acceptable_answers_are_a_short_immutable_sequence() -> None:
    answers = pk.acceptable(VOTE)
    assert isinstance(answers, Acceptabilities)
    assert [one.acceptable for one in answers] == [False, True, True]
    assert repr(answers[1]) == '<Acceptability "#1", D(1): acceptable>'
    assert len(repr(answers)) < 500


def html(one: object) -> str:
    text = one._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def test_a_notebook_shows_sequences_as_tables() -> None:
    assert "<table" in html(pk.passport(VOTE))
    assert ">apkdp<" in html(pk.passport(VOTE))
    assert "determines the sensitive value" in html(pk.acceptable(VOTE))
    assert "determines the sensitive value" in html(pk.acceptable(VOTE)[0])


def test_the_card_of_a_model_shows_its_distribution_and_no_empty_line() -> None:
    one, other = html(NOISY), html(coin("1/3", title="noisy", mechanism=response))
    assert one != other
    assert "D(0) ~ {0: 3/4, 1: 1/4}" in one
    assert "Python function response" in one
    assert "–" not in one
    assert "source" not in one
    assert "DMKB20" in html(coin(source="DMKB20, Example 4"))


SHAPES: list[tuple[dict[str, Any], str]] = [
    ({"iid": {0: "1/3", 1: "2/3"}}, "each record ~ {0: 1/3, 1: 2/3}"),
    ({"independent": [{0: 1}, {0: "1/3", 1: "2/3"}]}, "D(0) ~ {0: 1}\nD(1) ~ {0: 1/3, 1: 2/3}"),
    (
        {"table": [{"database": [v, v], "probability": "1/2", "sensitive": "s"} for v in (0, 1)]},
        "[0, 0], S = s: 1/2\n[1, 1], S = s: 1/2",
    ),
    (
        {"mixture": [{"name": n, "weight": "1/2", "iid": {v: 1}} for n, v in (("up", 1), ("down", 0))]},
        "up (1/2): each record ~ {1: 1}\ndown (1/2): each record ~ {0: 1}",
    ),
    (
        {
            "network": [
                {"record": 0, "table": {0: "1/3", 1: "2/3"}},
                {"record": 1, "given": [0], "rows": [{"when": [v], "table": {v: 1}} for v in (0, 1)]},
            ]
        },
        "[0, 0]: 1/3\n[1, 1]: 2/3",
    ),
]


@pytest.mark.parametrize(("shape", "text"), SHAPES)
def test_every_shape_of_a_distribution_is_shown(shape: dict[str, Any], text: str) -> None:
    assert distribution_lines(coin(size=2, distribution=shape)) == [('distribution "#1"', text)]


def test_a_large_distribution_is_cut() -> None:
    rows = [{"database": [v], "probability": "1/20"} for v in range(20)]
    ((_, text),) = distribution_lines(coin(values=list(range(20)), distribution={"table": rows}))
    assert text.splitlines()[11:] == ["[11]: 1/20", "… (20 in all)"]
    nodes: list[dict[str, Any]] = [{"record": 0, "table": {0: "1/3", 1: "2/3"}}]
    cases: list[dict[str, Any]] = [{"when": [v], "table": {0: "1/2", 1: "1/2"}} for v in (0, 1)]
    nodes += [{"record": i, "given": [i - 1], "rows": cases} for i in range(1, 5)]
    ((_, text),) = distribution_lines(coin(size=5, distribution={"network": nodes}))
    assert "D(1) given D(0) = 0 ~ {0: 1/2, 1: 1/2}" in text


def test_a_printed_answer_has_a_decimal_only_where_it_differs() -> None:
    assert str(pk.check(VOTE, "np", epsilon="ln(2)")) == (
        "np fails at ε = ln(2), δ = 0; smallest δ 3/4 (0.75); smallest ε inf"
    )
    assert str(pk.check(VOTE, "np", epsilon=0, delta=1)).endswith("smallest δ 3/4 (0.75); smallest ε 0")


# --- wrong input from Python -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_epsilon", "tip"),
    [
        (math.log(2), '"ln(2)" is exact; the float is not'),
        (math.log(5 / 2), '"ln(5/2)" is exact; the float is not'),
        (0.5, 'write "0.5" in quotes, it is read exactly'),
        (np.float64(0.9), 'write "0.9" in quotes, it is read exactly'),
        (np.float32(0.5), 'write "0.5" in quotes, it is read exactly'),
        (math.inf, 'write "inf" in quotes'),
        (math.nan, "write a finite number"),
    ],
)
def test_a_float_epsilon_gets_a_tip(given_epsilon: object, tip: str) -> None:
    with pytest.raises(pk.InexactError, match=re.escape(f"Tip: {tip}.")):
        pk.check(NOISY, "np", epsilon=given_epsilon)


def test_a_float_of_numpy_gets_a_tip_everywhere() -> None:
    with pytest.raises(pk.InexactError, match=r'delta: given the float 0\.9; .*Tip: write "0\.9" in quotes'):
        pk.check(NOISY, "np", epsilon=1, delta=np.float64(0.9))
    with pytest.raises(pk.InexactError, match=r'iid, 0: given the float 0\.5; .*Tip: write "0\.5" in quotes'):
        coin(distribution={"iid": {0: np.float64(0.5), 1: "1/2"}})


def test_exact_numbers_of_other_libraries_are_read() -> None:
    model = coin(distribution={"iid": {0: Decimal("0.9"), 1: Decimal("1E-1")}}, mechanism=response)
    assert "D(0) ~ {0: 9/10, 1: 1/10}" in html(model)
    assert pk.check(NOISY, "np", epsilon=Decimal("0.1"), delta=Decimal(1)).epsilon == "1/10"
    assert pk.check(NOISY, "np", epsilon=np.int64(2)).epsilon == 2
    for wrong in (Decimal("NaN"), Decimal("Infinity"), Decimal(-1), DecimalLiteral("nan")):
        with pytest.raises(pk.InputError):
            pk.check(NOISY, "np", epsilon=wrong)


def test_a_function_that_raises_names_the_database() -> None:
    def broken(database: tuple[int, ...]) -> int:
        return 1 // database[0]

    with pytest.raises(
        pk.InputError, match=r"\[mechanism\]: the function raised ZeroDivisionError on the database \[0\]: integer div"
    ) as caught:
        pk.check(coin(mechanism=broken), "np")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_function_that_returns_nothing_gets_a_tip() -> None:
    with pytest.raises(pk.InputError, match=r'returned None on the database \[0\].*Tip: "⊥" means no answer'):
        pk.check(coin(mechanism=lambda _: None), "np")
    with pytest.raises(pk.InputError, match=r"\[knowledge\]: the function returned None"):
        pk.check(coin(knowledge=lambda _: None), "np")


def test_a_function_that_draws_is_refused() -> None:
    generator = random.Random(1)  # noqa: S311 - a drawing mechanism
    with pytest.raises(
        pk.InputError, match=r"called again on the database \[0\], gave (true, then false|false, then true)"
    ):
        pk.check(coin(mechanism=lambda _: generator.random() < 1 / 2), "np")
    with pytest.raises(pk.InputError, match=r"gave \{0: 1/2, 1: 1/2\}, then \{0: 1/\d+, .*returns its exact law"):
        pk.check(coin(mechanism=lambda _: {0: Fraction(1, n := generator.randint(2, 99)), 1: 1 - Fraction(1, n)}
                      if generator.random() < 1 / 2 else {0: "1/2", 1: "1/2"}), "np")  # fmt: skip


def test_a_table_of_a_function_is_refused_with_its_database() -> None:
    with pytest.raises(
        pk.InputError, match=r"\[mechanism\], the function on \[0\]: given probabilities that sum to 1/2"
    ):
        pk.check(coin(mechanism=lambda _: {0: "1/2"}), "np")
    with pytest.raises(pk.InputError, match=r"the function on \[0\]: given an output twice"):
        pk.check(coin(mechanism=lambda _: {0: "1/2", "0": "1/2"}), "np")


@pytest.mark.parametrize(
    "function",
    [
        sum,
        partial(lambda database, more: database[0] + more, more=0),
        np.sum,
        lambda database: np.int64(database[0]) > 0,
        np.array,
    ],
)
def test_functions_may_use_other_libraries(function: object) -> None:
    assert pk.check(coin(mechanism=function), "np", epsilon=0).tight_delta == 1


@pytest.mark.parametrize("ask", [lambda m: pk.check(m, "np"), pk.passport, pk.acceptable, pk.loss])
def test_what_is_no_model_gets_a_tip(ask: Any) -> None:
    with pytest.raises(pk.InputError, match=r'given "mine\.toml"; wanted a Model\. Tip: pk\.read\("mine\.toml"\)'):
        ask("mine.toml")
    with pytest.raises(pk.InputError, match=r"wanted a Model\. Tip: pk\.build"):
        ask({"size": 1})
    with pytest.raises(pk.InputError, match=r"wanted a Model\. Tip: pk\.read"):
        ask(None)


# --- tips for model files (tests/refuse has the messages) ------------------------------------------------


@pytest.mark.parametrize(
    ("line", "tip"),
    [
        ("p = 1/6", 'a fraction stands in quotes: "1/6"'),
        ("p = [0, 1/6]", 'a fraction stands in quotes: "1/6"'),
        ('p = "1/6" 3', ""),
        ("p = 3 # = 1/6 x", ""),
        ("p = [low, 1]", 'names stand in quotes: "low"'),
        ("p = inf", ""),
        ("p = True", "write true"),
        ("[mechanism", ""),
        ("p = { a = 1,", "{ … } must be on one line (TOML 1.0)"),
        ("p = { a = 1, }", "no comma stands before } (TOML 1.0)"),
    ],
)
def test_tips_for_toml(line: str, tip: str) -> None:
    assert toml_tip(f'title = """\nx"""\n{line}', "Expected (at line 3, column 5)") == tip
    assert not toml_tip(line, "Expected (at end of document)")


# --- the reason why a record that is known has no acceptable normalization --------------------------------


@pytest.mark.parametrize("mechanism", [response, {"kind": "sum"}], ids=["finite loss", "infinite loss"])
def test_a_large_epsilon_is_answered_where_python_writes_no_long_integers(mechanism: Any) -> None:
    """The command line lets integers be of any length; Python's own limit is 4300 digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        answer = pk.check(coin(mechanism=mechanism), "dp", epsilon="10000")
        with pytest.raises(pk.LimitError, match=r"e\^ε has more than"):
            pk.check(NOISY, "dp", epsilon="1e12")
    finally:
        sys.set_int_max_str_digits(before)
    assert (answer.verdict, answer.replayed) == ("holds" if mechanism is response else "fails", True)


def test_a_public_name_is_never_a_module() -> None:
    """Also after every module is loaded: some modules have the name of a function or of a definition."""
    code = (
        "import inspect, pkgutil, verifier as pk\n"
        "for one in pkgutil.walk_packages(pk.__path__, 'verifier.'):\n"
        "    if not one.name.endswith('__main__'): __import__(one.name)\n"
        "print([name for name in pk.__all__ if inspect.ismodule(getattr(pk, name)) and name != 'search'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_answer_is_printed_as_a_dump_of_its_fields() -> None:
    said = {
        name: str(answer)
        for name, answer in {
            "check": pk.check(VOTE, "np"),
            "passport": pk.passport(VOTE),
            "check_all": pk.check_all(VOTE),
            "loss": pk.loss(VOTE, record=0),
            "acceptable": pk.acceptable(VOTE),
            "reducible": pk.reducible(VOTE),
            "compose_runs": pk.compose_runs(VOTE, 2, definitions=["np"]),
            "exchange": pk.exchange(VOTE, "np", "cdp", epsilon="ln(2)"),
            "relations": pk.relations("np", "cdp"),
            "search": pk.search(satisfies="np(epsilon=0)", violates="cdp(epsilon=0)"),
        }.items()
    }
    assert [name for name, text in said.items() if re.match(r"\w+\(\w+=", text)] == []
