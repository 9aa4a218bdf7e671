"""Nothing is left unsaid: what is asked without an ε, what an option does not show, and where a file is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from asking import ask

from verifier.errors import MOST_NAMES, InputError, one_of

ONE = "models/DMKB20/example-1-side-known.toml"
MODEL = str(Path(__file__).parents[2] / ONE)
TOUR = str(Path(__file__).parents[2] / "models" / "atlas" / "tour.toml")
RECIPE = str(Path(__file__).parents[2] / "docs" / "own-definitions" / "two_records_renyi.toml")
ASKED = "Asked: is there some finite ε at δ = 0? Add --epsilon to ask about one."
TWELVE = """
size = 12
values = [0, 1]
[mechanism]
kind = "count"
value = 1
then = [ { kind = "geometric-noise", p = "1/2" } ]
"""


@pytest.mark.parametrize("more", [(), ("--definition", "np"), ("--definition", "np,cdp"), ("--definition", "adp")])
def test_the_first_line_says_that_some_epsilon_is_asked_for(
    more: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(capsys, "check", MODEL, *more)[1].splitlines()[0] == ASKED
    assert ASKED not in ask(capsys, "check", MODEL, *more, "--epsilon", "1")[1]
    assert ASKED not in ask(capsys, "check", MODEL, *more, "--format", "csv")[1]


def test_a_profile_that_is_not_shown_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = ask(capsys, "check", MODEL, "--definition", "dp-any", "--profile")
    assert "--profile shows nothing about dp-any: only exact answers" in err
    for key in ("dp", "adp", "tail-dp", "prodp"):
        assert "--profile shows" not in ask(capsys, "check", MODEL, "--definition", key, "--profile")[2]


def test_neighbours_of_many_records_are_compared_without_a_list(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "twelve.toml"
    path.write_text(TWELVE, encoding="utf-8")
    said = {}
    for key in ("dp", "adp"):
        status, out, _ = ask(capsys, "check", str(path), "--definition", key, "--no-replay")
        assert status == 0
        said[key] = out[out.index("why ") : out.index("formula ")]
    assert said["adp"] == said["dp"]
    assert ask(capsys, "check", str(path), "--definition", "dp-any", "--no-replay")[0] == 0


def test_a_recipe_without_a_copy_says_which_recipe_has_one(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("check", TOUR, "--with", RECIPE, "--definition", "two-records-renyi", "--epsilon", "3")
    words = " ".join(ask(capsys, *asked)[1].split())
    assert "no copy of a recipe with a builder of the atlas; it re-checks the other builders." in words


def test_a_certificate_is_written_where_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "np.json"
    asked = ("check", MODEL, "--definition", "np", "--epsilon", "3", "--certificate", str(path))
    assert f"the certificate is in {path}" in ask(capsys, *asked)[2]
    assert path.is_file()
    assert "certificate" not in ask(capsys, *asked, "-q")[2]


def test_conventions_have_their_questions(capsys: pytest.CaptureFixture[str]) -> None:
    words = " ".join(ask(capsys, "check", MODEL, "--definition", "np", "--conventions")[1].split())
    assert "vacuous: What if nothing is compared? the verdict is `vacuous`" in words


def test_a_statement_is_no_markdown_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    out = ask(capsys, "ledger", "DMKB20", "Theorem 4")[1]
    assert out.startswith("DMKB20, Theorem 4")
    assert "## " not in out
    assert "`" not in out


def test_no_message_lists_more_than_twelve_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert one_of("abc") == "one of a, b, c"
    assert one_of(map(str, range(MOST_NAMES + 1)), "12") == "one of 13 names, the closest: 12, 2, 1"
    status, _, err = ask(capsys, "check", MODEL, "--definition", "npr2")
    assert status == InputError.exit_status
    assert err.partition("the closest: ")[2].partition(".")[0].count(",") == 2


def test_what_no_machine_lists_is_not_advised(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "fifty.toml"
    path.write_text(
        'size = 50\nvalues = [0, 1, 2]\n[[distribution]]\niid = { 0 = "1/3", 1 = "1/3", 2 = "1/3" }\n'
        '[mechanism]\nkind = "identity"\n',
        encoding="utf-8",
    )
    _, _, err = ask(capsys, "check", str(path), "--definition", "np")
    assert "no machine lists so many" in err
    assert "max-rows" not in err
