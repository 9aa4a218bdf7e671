"""What a user of Python meets beside what is shown (tests/transcripts/python.txt): cards, tips, errors' names."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest
from examined import at_least_one

import verifier as pk
from verifier.cli.exits import name_options, spoken
from verifier.errors import COMMANDS, with_commands
from verifier.model.read import KEYS, toml_tip

pytestmark = pytest.mark.quick


def coin(p: str = "1/2", **keys: Any) -> pk.Model:
    law = {0: Fraction(1) - Fraction(p), 1: p}
    return pk.build(**{"size": 1, "values": [0, 1], "distribution": {"iid": law}, "mechanism": {"kind": "sum"}, **keys})


def response(database: tuple[int, ...]) -> dict[str, str]:
    return {"yes": "3/4", "no": "1/4"} if database[0] else {"yes": "1/4", "no": "3/4"}


NOISY = coin("1/4", title="noisy", mechanism=response)


def html(one: object) -> str:
    text = one._repr_html_()  # type: ignore[attr-defined]
    assert isinstance(text, str)
    return text


def test_the_card_of_a_model_shows_its_distribution_and_no_empty_line() -> None:
    one, other = html(NOISY), html(coin("1/3", title="noisy", mechanism=response))
    assert one != other
    assert "D(0) ~ {0: 3/4, 1: 1/4}" in one
    assert "Python function response" in one
    assert "–" not in one
    assert "source" not in one
    assert "DMKB20" in html(coin(source="DMKB20, Example 4"))


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


def test_every_name_with_a_home_is_shown() -> None:
    assert set(pk._HOME) == set(pk.__all__) <= set(dir(pk))


PAIR = pk.pair(["1/2", "1/2"], ["1/4", "3/4"])
NO_MODELS: dict[str, list[object]] = {
    "its `model`, such as pk.check(pair.model, …)": [PAIR, PAIR.answer(replay=False).verdicts[0]],
    "mechanism=f) makes one": [lambda db: db],
    "mechanism=len) makes one": [len],
    "pk.build(**keys) makes one": [{"size": 1}],
    'pk.read("mine.toml")': ["mine.toml", None, [1]],
}


@pytest.mark.parametrize(("tip", "given"), [(tip, given) for tip, each in NO_MODELS.items() for given in each])
def test_what_is_no_model_is_refused_with_what_to_give(tip: str, given: object) -> None:
    for asked in (pk.check, pk.check_all, pk.loss):
        with pytest.raises(pk.InputError, match="is not a model") as caught:
            asked(given, *(["dp"] if asked is pk.check else []))  # type: ignore[arg-type]
        assert tip in caught.value.tip


@pytest.mark.parametrize("written", ["10^-6", "10**-6", "10^(-6)", "1*10^-6", "1·10⁻⁶", "10⁻⁶", "1e-6", "0.000001"])
def test_a_power_of_ten_is_a_number_of_a_question(written: str) -> None:
    """And a number of a file is read as before, with what to write."""
    model = PAIR.model
    assert pk.check(model, "dp", delta=written) == pk.check(model, "dp", delta=Fraction(1, 10**6))
    assert pk.epsilon(written) == pk.epsilon(Fraction(1, 10**6))
    assert PAIR.epsilon_at(written) == PAIR.epsilon_at("1/1000000")
    if not written.startswith("1e"):
        keys = {"size": 1, "values": [0], "distribution": {"iid": {0: written}}}
        with pytest.raises(pk.InputError) as caught:
            pk.build(**keys, mechanism={"kind": "sum"})
        assert caught.value.tip.startswith(("write 1e-6", "the sum is less than 1 by 999999/1000000;"))


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


def test_the_command_line_says_the_same_with_its_own_names() -> None:
    name_options(["--records", "--mechanism-weights"])
    try:
        assert spoken("records=: 30 is too many") == "--records: 30 is too many"
        assert spoken("mechanism_weights=: 0 is too small") == "--mechanism-weights: 0 is too small"
    finally:
        name_options([])
    for name, command in COMMANDS.items():
        assert with_commands(f"Hint: {name}.") == spoken(f"Hint: {name}.") == f"Hint: {command}."


def test_what_messages_name_in_python_is_there() -> None:
    assert "np" in pk.DEFINITIONS
    assert all(f"`{key}`" in (pk.build.__doc__ or "") for key in KEYS if key not in {"parameters", "conditions"})
    for name in ("k_anonymity", "strongly_safe", "search", "read"):
        assert callable(getattr(pk, name))


@pytest.mark.parametrize(("older", "now"), at_least_one(pk._OLDER.items()))
def test_an_older_name_is_the_same_function_and_is_listed_nowhere(older: str, now: str) -> None:
    assert getattr(pk, older) is getattr(pk, now)
    assert now in pk.__all__
    assert older not in {*pk.__all__, *dir(pk)}
