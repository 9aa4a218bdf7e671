"""A decimal for ε that is a rounded logarithm is taken as it stands, and a note says so where something fails."""

from __future__ import annotations

import pytest

from verifier.cli.main import run
from verifier.cli.question import note_on, rounded_logarithm
from verifier.numbers import epsilon


def ask(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        run(["check", "relations/randomized-response", "--definition", "dp", "--no-replay", *arguments])
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


@pytest.mark.parametrize(
    ("text", "logarithm"),
    [
        ("0.69", "ln(2)"), ("0.70", "ln(2)"), (" 0.6931 ", "ln(2)"), ("0.6932", "ln(2)"), (".69", "ln(2)"),
        ("1.10", "ln(3)"), ("2.30258", "ln(10)"),
        ("0.68", None), ("0.71", None), ("0.7", None), ("0.6930", None), ("69/100", None), ("1", None), ("ln(2)", None),
        ("x", None), (None, None), (f"0.69{'0' * 40}", None),
    ],
)  # fmt: skip
def test_which_decimals_are_near_a_logarithm(text: str | None, logarithm: str | None) -> None:
    assert (str(rounded_logarithm(text)) if rounded_logarithm(text) else None) == logarithm


def test_the_smallest_epsilon_of_the_answer_comes_first() -> None:
    assert str(rounded_logarithm("0.69", [epsilon("ln(200/101)")])) == "ln(200/101)"
    assert note_on("1.0586", [epsilon("ln(49/17)"), None, epsilon("inf")]) == (
        'ε = 1.0586 is 5293/5000 and not ln(49/17), which is written --epsilon "ln(49/17)"'
    )
    assert rounded_logarithm("0.50", [epsilon("1/2")]) is None


def test_the_note_stands_on_standard_error_where_it_fails(capsys: pytest.CaptureFixture[str]) -> None:
    """The smallest ε of this model is ln(3)."""
    status, out, err = ask(capsys, "--epsilon", "1.09")
    assert (status, "109/100" in out) == (1, True)
    assert 'pkdp: ε = 1.09 is 109/100 and not ln(3), which is written --epsilon "ln(3)"\n' in err
    assert "and not" not in ask(capsys, "--epsilon", "1.10")[2]  # it holds there
    assert ask(capsys, "--epsilon", "ln(3)")[0] == 0
    for silent in ("--quiet", "--json"):
        assert "and not" not in ask(capsys, "--epsilon", "1.09", silent)[2]
