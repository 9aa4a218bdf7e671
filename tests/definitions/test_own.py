"""Definitions of one's own: recipes, Python files, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.definitions import DEFINITIONS, TAIL, Definition, find, load, register
from verifier.definitions.comparison import Comparison, ComparisonSet, Term
from verifier.definitions.own import checked, law_pair
from verifier.definitions.registry import named
from verifier.model.library import models_folder

pytestmark = pytest.mark.quick


DOCS = models_folder().parent / "docs"
FOLDER = DOCS / "own-definitions"
MODEL = str(models_folder() / "DMKB20" / "example-1-side-known.toml")


def recipe(tmp_path: Path, **keys: str) -> Definition:
    path = tmp_path / "recipe.toml"
    lines = {"key": "mine", "title": "mine", "comparisons": "conditional", **keys}
    path.write_text("".join(f"{k} = {v if v.startswith('[') else json.dumps(v)}\n" for k, v in lines.items()))
    return load(path)[0]


def test_the_page_shows_the_files() -> None:
    page = (DOCS / "own-definitions.md").read_text()
    for name in ("passive_cdp.toml", "group_privacy.py"):
        assert (FOLDER / name).read_text().strip() in page


def test_groups_of_two() -> None:
    """Group privacy of a sum with noise costs twice what one record costs."""
    (group,) = load(FOLDER / "group_privacy.py")
    noise = {"kind": "sum", "then": [{"kind": "geometric-noise", "p": "1/3"}]}
    model = pk.build(size=3, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=noise)
    assert str(pk.check(model, "dp").tight_epsilon) == "ln(3)"
    answer = pk.check(model, group)
    assert (str(answer.tight_epsilon), answer.replayed) == ("ln(9)", True)
    assert answer.comparisons == 3 * 8
    assert [one.definition for one in pk.overview(model)][-1] == "group-dp"


def test_pairs_restrict_what_is_compared(tmp_path: Path) -> None:
    model = pk.build(
        size=1, values=[0, 1, 2], distribution={"iid": {0: "1/3", 1: "1/3", 2: "1/3"}}, mechanism={"kind": "identity"}
    )
    found = pk.check(model, recipe(tmp_path, pairs='[["0", 1], [2, 1]]'), epsilon=0)
    assert (found.comparisons, found.verdict, found.replayed) == (2, "fails", True)
    assert pk.check(model, recipe(tmp_path, key="other", pairs="[]"), epsilon=0).verdict == "vacuous"


def test_the_formula_of_a_recipe_says_what_is_bounded_and_where(tmp_path: Path) -> None:
    """A measure with a δ is bounded by it, a divergence by ε."""
    curve, number = recipe(tmp_path, key="curve", measure="tail"), recipe(tmp_path, key="number", measure="renyi-3")
    assert curve.formula == "P[loss > ε] ≤ δ for conditional laws (default reading), for all B̂"
    assert number.formula == "ln(Σ P^3/Q^2)/2 ≤ ε for conditional laws (default reading), for all B̂"
    pairs = recipe(tmp_path, key="pairs", measure="renyi-2", pairs='[["b", "a"]]', reading="one-order")
    assert pairs.formula == "ln(Σ P^2/Q) ≤ ε for conditional laws (one-order reading, a and b only b and a), for all B̂"


def test_a_pair_of_values_that_the_model_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(pk.InputError, match=r"the value .zzz. is unknown\. Expected values of this model"):
        pk.check(pk.read(MODEL), recipe(tmp_path, pairs='[["zzz", "0"]]'))


def test_the_command_line_takes_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        run(["check", MODEL, "--with", str(FOLDER / "passive_cdp.toml"), "--definition", "passive-cdp", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (stop.value.code, found["definition"], found["verdict"]) == (0, "passive-cdp", "holds")
    assert found["replayed"] is True
    with pytest.raises(SystemExit):
        run(["definitions", "--with", str(FOLDER / "group_privacy.py"), "--format", "csv"])
    assert "group-dp" in capsys.readouterr().out


def test_the_search_knows_them(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(FOLDER / "passive_cdp.toml")
    asked = ["--satisfies", "passive-cdp(0, 1/2)", "--violates", "cdp(0, 1/2)", "--knowledge", "2", "--json"]
    with pytest.raises(SystemExit) as stop:
        run(["search", "--with", file, *asked])
    found = json.loads(capsys.readouterr().out)
    assert (stop.value.code, found["verdict"]) == (0, "separated")
    model = pk.loads(found["model"])
    assert pk.check(model, "passive-cdp", epsilon=0, delta="1/2").verdict == "holds"
    assert pk.check(model, "cdp", epsilon=0, delta="1/2").verdict == "fails"
    with pytest.raises(SystemExit) as stop:
        run(["search", "--with", file, *asked, "--jobs", "2"])
    assert stop.value.code == 2
    assert "one job" in capsys.readouterr().err


def test_a_definition_is_asked_directly_and_again() -> None:
    from dataclasses import replace

    mine = replace(DEFINITIONS["apkdp"], key="mine", aliases=(), measure=TAIL)
    model = pk.read(MODEL)
    assert pk.check(model, mine).replayed
    again = replace(mine, title="a second try in a notebook")
    assert find(again).title == again.title
    assert find("mine").own
    with pytest.raises(pk.InputError, match="already a definition with the name apkdp"):
        register(replace(mine, key="apkdp"))
    with pytest.raises(pk.InputError, match="already a definition with the name np"):
        pk.check(model, replace(DEFINITIONS["np"], title="another np"))


PYTHON = """
from verifier.definitions import Comparison, Definition, ComparisonSet, Term, law_pair
def compare(engine, reading):
    {body}
one = Definition("{key}", "t", "s", "f", "conditional", compare)
"""
WRONG: list[tuple[str, str, str]] = [
    ("a.txt", "", r"a\.txt is not a file of a definition\. Expected a file NAME\.py or NAME\.toml"),
    ("a.py", "x = 1", "makes no Definition"),
    ("a.py", "x = 1\ny = 1 / 0", r"raises ZeroDivisionError \(line 2\)"),
    ("a.py", "def", r"raises SyntaxError \(line 1\)"),
    ("a.py", PYTHON.format(key="np", body="yield"), "already a definition with the name np"),
    ("a.py", PYTHON.format(key="A b", body="yield"), "small letters, digits and single hyphens"),
    ("a.py", "from verifier.definitions import np", "makes no Definition"),
    ("a.toml", "key = 1", "the key as a string"),
    ("a.toml", "key = 'x'", "the key `title` is missing"),
    ("a.toml", "= 1", "not valid TOML"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'all'", "Expected one of conditional, counterfactual"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'neighbours'\nmeasure = 'kl'", "one of hockey-stick, tail"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'neighbours'\naggregation = 'min'", "one of worst, average"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'neighbours'\nreading = 'odd'", "one of default, one-order"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'neighbours'\nspeed = 1", "speed"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'neighbours'\npairs = [[0, 0]]", "two different values"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'posterior'\naggregation = 'average'", "Expected worst"),
    ("a.toml", "key = 'x'\ntitle = 't'\ncomparisons = 'neighbours'\naggregation = 'average'", "Expected worst"),
    ("a.py", "import sys\nsys.exit(0)", r"raises SystemExit \(line 2\)"),
]


@pytest.mark.parametrize(("name", "text", "said"), WRONG)
def test_a_wrong_file_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(pk.InputError, match=said) as caught:
        load(path)
    assert str(path) in str(caught.value)
    with pytest.raises(pk.InputError, match="cannot be read"):
        load(tmp_path / "none.py")


BODIES = [
    ("yield 1 / 0", r"`compare` raises ZeroDivisionError \(line 4\)"),
    ("yield 'x'", "Expected ComparisonSet objects"),
    ("return None", "raises TypeError"),
    ("yield ComparisonSet(None, 0, (Comparison(None, 0, None, None, ()),))", "has no terms"),
    (
        "yield ComparisonSet(None, 0, (Comparison(None, 0, '0', '1', (Term(1, law_pair({0: 1}, {0: 1})),)),))",
        "Expected labels",
    ),
    ("raise SystemExit(0)", "raises SystemExit"),
    (
        "yield ComparisonSet(None, 0, 2 * (Comparison(None, 0, None, None, (Term(1, law_pair({0: 1}, {0: 1})),)),))",
        r"have the same values, databases and knowledge.*law_pair\(P, Q, case\)",
    ),
    (
        "yield ComparisonSet(None, 0, (Comparison(None, 0, None, None, (Term(2, law_pair({0: 1}, {0: 1})),)),))",
        "weigh more",
    ),
    ("yield ComparisonSet(None, 0, (Comparison(None, 0, None, None, (Term(1, law_pair({0: '1/2'}, None)),)),))", "1/2"),
    ("yield ComparisonSet(None, 0, (Comparison(None, 0, None, None, (Term(1, law_pair({0: 0.5}, None)),)),))", "float"),
]


@pytest.mark.parametrize(("body", "said"), BODIES)
def test_what_goes_wrong_while_comparing_is_told(tmp_path: Path, body: str, said: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(PYTHON.format(key="mine", body=body))
    load(path)
    with pytest.raises((pk.InputError, pk.InexactError), match=said):
        pk.check(pk.read(MODEL), "mine")


@pytest.mark.parametrize(
    ("masses", "fits"), [((0, 2), True), ((0,), True), ((1, 1), True), ((-1, 2), False), ((2, 1), False)]
)
def test_what_the_terms_of_a_comparison_may_weigh(masses: tuple[int, ...], fits: bool) -> None:  # noqa: FBT001
    """Nothing at all, and together as much as `total`; never less than nothing."""
    terms = tuple(Term(mass, law_pair({"x": 1}, {"x": 1})) for mass in masses)
    listed = ComparisonSet(None, 0, (Comparison(None, 0, None, None, terms, total=2),))
    if fits:
        assert checked(listed) is listed
        return
    with pytest.raises(pk.InputError, match="weigh more than `total`"):
        checked(listed)


def test_the_words_of_a_recipe_are_on_one_line_but_for_its_note(tmp_path: Path) -> None:
    assert recipe(tmp_path, note="one line,\nand another", source="here", formula="P = Q").note.endswith("another")
    for name in ("title", "source", "formula"):
        with pytest.raises(pk.InputError, match=f"the {name} of printable characters, on one line"):
            recipe(tmp_path, **{name: "one line,\nand another"})


def test_a_pair_of_laws_has_the_outputs_of_both() -> None:
    """Also those that the first law does not have: the second sums to 1 with them."""
    pair = law_pair({"x": 1}, {"x": "1/4", "y": "3/4"})
    assert [output.text for output in pair.outputs] == ["x", "y"]
    assert [str(pair.profile.delta(e)) for e in ("0", "ln(2)", "ln(4)", "inf")] == ["3/4", "1/2", "0", "0"]
    assert str(law_pair({"x": 1}, None).profile.delta("inf")) == "1"


def test_a_definition_of_ones_own_is_no_attribute_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(DEFINITIONS, "mine", recipe(tmp_path))
    for key in ("mine", "nobodys"):
        with pytest.raises(AttributeError, match=f"'verifier.definitions' has no attribute '{key}'"):
            named(key)
    assert named("np") is DEFINITIONS["np"]
