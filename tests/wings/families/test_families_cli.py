"""`pkdp check`, `loss`, `acceptable` and `report` on model files with [parameters]: formats, exit status, refusals."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from asking import ask
from families import family

import verifier as pk
from verifier.definitions import DEFINITIONS
from verifier.version import VERSION
from verifier.wings.families.decide import decide_family

ROOT = Path(__file__).resolve().parents[3]
VOTE = str(ROOT / "models" / "family" / "thresholded-referendum.toml")
RESPONSE = str(ROOT / "models" / "family" / "randomized-response.toml")
PAIRS = ROOT / "models" / "DMKB20" / "family"
PARTNER = str(PAIRS / "example-6-partner-known.toml")
EVERY = sorted(map(str, (ROOT / "models").rglob("family/*.toml")))
ORDINARY = str(ROOT / "models" / "DMKB20" / "example-2-identity.toml")
ASKED = ("--epsilon", "ln(2)", "--delta", "1/10")

COIN = """
title = "coin"
size = 2
values = [0, 1]
[parameters]
p = { from = "0", to = "1/2" }
[[distribution]]
iid = { 0 = "1 - p", 1 = "p" }
[knowledge]
records = [0]
[mechanism]
kind = "parity"
value = 1
then = [ { kind = "randomized-response", keep = "1/2" } ]
"""


@pytest.fixture
def coin(tmp_path: Path) -> str:
    path = tmp_path / "coin.toml"
    path.write_text(COIN, encoding="utf-8")
    return str(path)


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    status, out, err = ask(capsys, *arguments, "--json")
    assert not err
    return status, json.loads(out)


# --- check ---


@pytest.mark.parametrize("path", [path for path in EVERY if path != VOTE], ids=lambda path: Path(path).stem)
def test_a_family_keeps_its_promises(capsys: pytest.CaptureFixture[str], path: str) -> None:
    status, out, _ = ask(capsys, "check", path, "--expect")
    promised = Path(path).read_text("utf-8").count("[[expect]]")
    assert status == (0 if promised else 2)
    lines = out.splitlines()
    assert all(line.startswith("ok ") for line in lines)
    assert len(lines) == promised


def test_a_broken_promise_is_found(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    text = COIN + '[[expect]]\ndefinition = "np"\nepsilon = "ln(3)"\nholds = "no p"\n'
    Path(coin).write_text(text, encoding="utf-8")
    status, out, _ = ask(capsys, "check", coin, "--expect")
    assert (status, out[:4]) == (1, "FAIL")
    status, found = answer(capsys, "check", coin, "--expect")
    assert status == 1
    assert len(found["expectations"]) == 1


def test_one_definition_as_json(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    """Given the other bit, the answer tells of this one with probability 3/4: ln(3), whatever p is; none at p = 0."""
    status, found = answer(capsys, "check", coin, "--definition", "np", "--epsilon", "ln(3)")
    assert status == 0
    wanted = {
        "schema": 1,
        "version": VERSION,
        "model": coin,
        "definition": "np",
        "reading": "default",
        "epsilon": "ln(3)",
    }
    assert wanted.items() <= found.items()
    assert found["parameters"] == ["0 <= p <= 1/2"]
    assert found["where"] == {"holds": ["0 < p <= 1/2"], "fails": [], "vacuous": ["p = 0"], "undecided": []}
    assert found["tight_epsilon"] == [{"where": "p = 0", "value": "0"}, {"where": "0 < p <= 1/2", "value": "ln(3)"}]
    assert found["witness"] is None


def test_a_failing_question_has_a_witness(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "check", coin, "--definition", "np", "--epsilon", "ln(2)", "--delta", "1/8")
    assert (status, found["verdict"]) == (1, "fails")
    at = found["witness"]["p"]
    model = pk.loads(
        COIN.replace('[parameters]\np = { from = "0", to = "1/2" }\n', "")
        .replace("1 - p", str(1 - Fraction(at)))
        .replace('"p"', f'"{at}"')
    )
    direct = pk.check(model, "np", epsilon="ln(2)", delta="1/8").to_json()
    assert found["witness"]["answer"]["witness"] == direct["witness"]


def test_the_passport(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, found = answer(capsys, "check", coin, *ASKED)
    assert status == 0, "a passport that was computed"
    assert list(found) == ["schema", "version", "model", "sha256", "definitions"]
    names = [one["definition"] for one in found["definitions"]]
    assert names == [key for key, one in DEFINITIONS.items() if not one.changes_size]
    assert {one["verdict"] for one in found["definitions"]} >= {"fails", "unsupported"}


def test_several_definitions_and_several_files(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    status, out, _ = ask(capsys, "check", coin, RESPONSE, "--definition", "dp,np", "--epsilon", "ln(2)", "--json")
    assert status == 1
    both = [json.loads(line) for line in out.splitlines()]
    assert [[one["definition"] for one in found["definitions"]] for found in both] == [["dp", "np"], ["dp", "np"]]


def test_exit_status(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    question = ["check", coin, "--epsilon", "ln(2)", "--definition"]
    assert ask(capsys, *question, "np", "--epsilon", "ln(3)")[0] == 0
    assert ask(capsys, *question, "np")[0] == 1
    assert ask(capsys, *question, "nothing")[0] == 2
    assert ask(capsys, *question, "ddp")[0] == 3
    assert ask(capsys, "check", coin, "--max-rows", "3")[0] == 3


@pytest.mark.parametrize("kind", ["table", "markdown", "latex", "csv"])
def test_formats(capsys: pytest.CaptureFixture[str], coin: str, kind: str) -> None:
    status, out, _ = ask(capsys, "check", coin, "--definition", "ppkdp", *ASKED, "--format", kind)
    assert status == 1
    assert "ppkdp" in out
    marks = {"table": "━", "markdown": "| ppkdp |", "latex": r"\toprule", "csv": "definition,holds for,fails for"}
    assert marks[kind] in out
    for path, words in ((coin, "loss"), (PARTNER, "acceptable")):
        status, out, _ = ask(capsys, words, path, "--format", kind)
        assert status == (1 if words == "acceptable" else 0)
        assert out


def test_epsilon_may_depend_on_the_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    """A randomized response is ε-DP for every ε, and by post-processing np; ln((x + 1)/2) is not enough."""
    status, found = answer(capsys, "check", RESPONSE, "--definition", "dp", "--epsilon", "ln(x)")
    assert (status, found["where"]["holds"]) == (0, ["1 < x"])
    assert found["tight_epsilon"] == [{"where": "1 < x", "value": "ln(x)"}]
    assert ask(capsys, "check", RESPONSE, "--definition", "np", "--epsilon", "ln((x + 1)/2)")[0] == 1


# --- --set ---


def test_all_parameters_fixed_is_the_ordinary_question(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    for at in ("0", "1/7", "0.5"):
        status, found = answer(capsys, "check", coin, "--set", f"p={at}", "--definition", "ppkdp", *ASKED)
        value = Fraction(at)
        text = COIN.replace('[parameters]\np = { from = "0", to = "1/2" }\n', "")
        model = pk.loads(text.replace("1 - p", str(1 - value)).replace('"p"', f'"{value}"'))
        direct = pk.check(model, "ppkdp", epsilon="ln(2)", delta="1/10")
        assert (found["verdict"], status) == (direct.verdict, direct.exit_status)
        assert found["tight_delta"] == direct.to_json()["tight_delta"]


def test_some_parameters_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    """One left: complete; which one was fixed stands in the title, and nothing of it among the conditions."""
    status, out, _ = ask(capsys, "check", PARTNER, "--set", "p_c=1/3", "--definition", "np", *ASKED, "--format", "csv")
    assert status == 1
    assert out.splitlines()[1] == "np,no p_i,0 <= p_i <= 1"
    status, out, _ = ask(
        capsys, "check", PARTNER, "--set", "p_c=1/3", "--definition", "np", *ASKED, "--format", "latex"
    )
    first = out.splitlines()[0]
    assert "(p_c = 1/3): 0 <= p_i <= 1; ε = ln(2), δ = 1/10" in first
    assert "1/3 >=" not in first
    _, found = answer(capsys, "check", PARTNER, "--set", "p_c=1/3", "--definition", "np", *ASKED)
    assert (found["parameters"], found["conditions"]) == (["0 <= p_i <= 1"], [])
    assert found["fixed"] == {"p_c": "1/3"}


def test_none_fixed(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = answer(capsys, "check", PARTNER, "--definition", "np", *ASKED)
    assert (status, found["verdict"]) == (1, "fails")
    at = found["witness"]["at"]
    sets = [one for name, value in at.items() for one in ("--set", f"{name}={value}")]
    status, there = answer(capsys, "check", PARTNER, *sets, "--definition", "np", *ASKED)
    assert (status, there["verdict"]) == (1, "fails")


def test_promises_are_about_all_values(capsys: pytest.CaptureFixture[str]) -> None:
    for sets in (["p=1/7"], []):
        given = [one for value in sets for one in ("--set", value)]
        status, out, _ = ask(capsys, "check", VOTE if sets else PARTNER, "--expect", *given)
        assert (status, out) == (2, "")


# --- loss, acceptable, report ---


def test_losses_as_closed_forms(capsys: pytest.CaptureFixture[str]) -> None:
    """Example 7: e^L(k) = p(n - b̄ - k)/((1 - p)(k - b)) with n = 8, two known zeros, k = 5."""
    status, found = answer(capsys, "loss", VOTE)
    assert status == 0
    (row,) = [one for one in found if one["knowledge"] == "[0,0]" and one["output"] == "5"]
    assert (row["loss"], row["where"]) == ("ln(p/(5*(1 - p)))", ["0 < p < 1"])
    assert row["latex"] == r"\ln\left(\frac{p}{5 \left(1 - p\right)}\right)"
    assert {one["loss"] for one in found if one["output"] == "7" and one["knowledge"] == "[0,0]"} <= {"-inf"}
    _, turned = answer(capsys, "loss", VOTE, "--record", "7", "--values", "1", "0")
    (other,) = [one for one in turned if one["knowledge"] == "[0,0]" and one["output"] == "5"]
    assert other["loss"] == "ln(5*(1 - p)/p)"


def test_losses_are_those_of_a_member(capsys: pytest.CaptureFixture[str], coin: str) -> None:
    _, family = answer(capsys, "loss", coin, "--record", "1")
    _, member = answer(capsys, "loss", coin, "--record", "1", "--set", "p=1/7")
    one = {(row["knowledge"], row["output"]): row["loss"] for row in family}
    rows = [(of["knowledge"], row) for of in member["knowledge"] for row in of["outputs"]]
    two = {(json.dumps(known), str(row["output"])): row["loss"] for known, row in rows}
    assert one == two, "this loss does not depend on p"


def test_acceptable(capsys: pytest.CaptureFixture[str]) -> None:
    status, found = answer(capsys, "acceptable", PARTNER)
    assert status == 1
    assert len(found) == 1
    assert ask(capsys, "acceptable", str(PAIRS / "example-6-second-normalization.toml"))[0] in {0, 1}
    for at, wanted in (("1/2", 0), ("1/3", 1)):
        assert ask(capsys, "acceptable", PARTNER, "--set", "p_i=1/4", "--set", f"p_c={at}")[0] == wanted
    status, out, _ = ask(capsys, "acceptable", PARTNER, "--set", "p_i=1/4", "--format", "csv")
    assert "acceptable exactly where p_c = 1/2" in out


def test_report(capsys: pytest.CaptureFixture[str], coin: str, tmp_path: Path) -> None:
    other = tmp_path / "other" / "coin.toml"
    other.parent.mkdir()
    other.write_text(COIN.replace('title = "coin"', 'title = "another coin"'), encoding="utf-8")
    folder = tmp_path / "pages"
    status, out, _ = ask(capsys, "report", coin, str(other), "--output", str(folder))
    assert status == 0
    pages = [Path(line.removeprefix("wrote ")) for line in out.splitlines()]
    assert [page.name for page in pages] == ["coin.html", "coin-2.html"], "the second does not replace the first"
    texts = [page.read_text("utf-8") for page in pages]
    assert ["<h1>coin</h1>" in texts[0], "<h1>another coin</h1>" in texts[1]] == [True, True]
    for text in texts:
        assert "<svg" in text
        assert not re.search(r"(src|href)=\"(https?:|/)", text), "self-contained"


def test_report_with_a_parameter_fixed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, _, err = ask(capsys, "report", PARTNER, "--output", str(tmp_path))
    assert status == 2
    assert "the family has 2 parameters; wanted one. Tip: fix the others: --set p_c=1/7" in err
    assert not list(tmp_path.iterdir())
    status, out, _ = ask(capsys, "report", PARTNER, "--set", "p_c=1/7", "--output", str(tmp_path))
    assert status == 0
    assert "p_c = 1/7" in Path(out.split()[1]).read_text("utf-8")


def test_the_passport_of_the_referendum_is_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, "check", VOTE, "--definition", "ppkdp", *ASKED, "--format", "markdown")
    assert status == 1
    assert "root of 200*x^7 - 700*x^6 + 760*x^5 - 250*x^4 + 1 in [3/10, 2/5]" in out
    assert "0 < p <= 0.3657329…" in out


# --- where a family is no model ---

CHANNEL = "then = [ { rows = [ { input = 0, output = 1 } ], otherwise = 0 } ]\n"


@pytest.mark.parametrize(
    "command",
    [
        ["worst", "{file}", "--maximise", "cdp delta at ln(2)", "--assuming", "np(epsilon=ln(2))"],
        ["law", "post-processing", "{file}", "--with", "{then}", "--definition", "np"],
        ["property", "{file}"],
        ["reducible", "{file}"],
        ["anonymity", "{file}"],
        ["stronger", "{file}", ORDINARY],
        ["stronger", ORDINARY, "{file}"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_other_commands_take_one_model(
    capsys: pytest.CaptureFixture[str], coin: str, tmp_path: Path, command: list[str]
) -> None:
    (tmp_path / "then.toml").write_text(CHANNEL, encoding="utf-8")
    given = [one.replace("{file}", coin).replace("{then}", str(tmp_path / "then.toml")) for one in command]
    status, out, err = ask(capsys, *given)
    assert status in {2, 3}
    assert not out
    assert err.count("\n") == 1
    assert "the file has [parameters], so that it is a family of models; wanted one model" in err
    assert "--set" not in err, "these commands have no such option"


# --- noise ---

NOISY = """
size = 2
values = [0, 1]
[parameters]
c = { from = "1/2", below = "1" }
[[distribution]]
network = [
  { record = 0, table = { 0 = "1/2", 1 = "1/2" } },
  { record = 1, given = [0], rows = [
    { when = [0], table = { 0 = "c", 1 = "1 - c" } }, { when = [1], table = { 0 = "1 - c", 1 = "c" } } ] },
]
[mechanism]
kind = "sum"
then = [ { kind = "geometric-noise", p = "1/2" } ]
"""


def test_noise_with_a_number_is_no_parameter(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """By hand, E = 2 and the event "at most 0": 2c/3 + (1 - c)/3 - 2·((1 - c)/3 + c/6) = (2c - 1)/3, at most 1/10."""
    path = tmp_path / "noisy.toml"
    path.write_text(NOISY, encoding="utf-8")
    _, found = answer(capsys, "check", str(path), "--definition", "np", *ASKED)
    assert found["where"]["holds"] == ["1/2 <= c <= 13/20"]
    for at, wanted in (("1/2", "holds"), ("13/20", "holds"), ("33/50", "fails")):
        _, there = answer(capsys, "check", str(path), "--set", f"c={at}", "--definition", "np", *ASKED)
        assert there["verdict"] == wanted
    _, rows = answer(capsys, "loss", str(path))
    assert {row["knowledge"] for row in rows} == {None}, "nothing is known"


def test_noise_with_one_of_several_parameters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "noisy.toml"
    text = NOISY.replace('p = "1/2" }', 'p = "q" }').replace("[[dist", 'q = { above = "0", below = "1" }\n[[dist')
    path.write_text(text, encoding="utf-8")
    status, found = answer(capsys, "check", str(path), "--definition", "np", *ASKED)
    assert (status, found["verdict"]) == (1, "fails")
    sets = [one for name, value in found["witness"]["at"].items() for one in ("--set", f"{name}={value}")]
    status, there = answer(capsys, "check", str(path), "--definition", "np", *ASKED, *sets)
    assert (status, there["tight_delta"]) == (1, found["witness"]["answer"]["tight_delta"])
    status, found = answer(capsys, "check", str(path), "--definition", "np", *ASKED, "--set", "q=1/2")
    assert (status, found["where"]["holds"]) == (1, ["1/2 <= c <= 13/20"])


def test_noise_with_the_only_parameter_before_another_step(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "noisy.toml"
    then = '{ rows = [ { input = 0, output = "none" } ], otherwise = "some" }'
    path.write_text(NOISY.replace('p = "1/2" } ]', f'p = "c" }}, {then} ]'), encoding="utf-8")
    _, found = answer(capsys, "check", str(path), "--definition", "np", "--epsilon", "1/5")
    sides = [one for verdict in ("holds", "fails") for one in found["where"][verdict]]
    assert len(sides) > 1
    for at in ("1/2", "3/5", "9/10", "99/100"):
        _, there = answer(capsys, "check", str(path), "--definition", "np", "--epsilon", "1/5", "--set", f"c={at}")
        members = family(path.read_text(encoding="utf-8"))
        (verdict,) = [
            name
            for name, parts in decide_family(members, "np", epsilon="1/5").where.items()
            if any(one.has(Fraction(at)) for one in parts)
        ]
        assert there["verdict"] == verdict


def test_one_reason_for_many_definitions_stands_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "sizes.toml"
    path.write_text(
        'size = [0, 2]\nvalues = [0, 1]\n[parameters]\nc = { from = "1/2", below = "1" }\n'
        '[mechanism]\nkind = "count"\nvalue = 1\nsample = "c"\n',
        encoding="utf-8",
    )
    status, out, _ = ask(capsys, "check", str(path), *ASKED)
    assert status == 0
    assert " ".join(out.split()).count("databases of several sizes are not decided for families") == 1
