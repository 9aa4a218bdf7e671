"""The lecturer's page: its times are those of the notebooks, and what it says to watch is what the verifier says."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from course_run import NOTEBOOKS, run

import verifier as pk
from verifier.model.library import course_folder
from verifier.wings.course.files import notebooks
from verifier.wings.course.openings import opening_of
from verifier.wings.course.pages import START, page
from verifier.wings.course.prose import inline
from verifier.wings.course.toolkit import chances

pytestmark = pytest.mark.xdist_group("course-run")  # each notebook is run once, not by every worker

PAGE = (course_folder() / "README.md").read_text(encoding="utf-8")
MODELS = Path(__file__).resolve().parents[3] / "models"


def opening(name: str) -> str:
    """The head of a notebook."""
    source = (course_folder() / f"{name}.py").read_text(encoding="utf-8")
    return source[source.index("kit.opening(") : source.index("@app.cell", source.index("kit.opening("))]


def test_the_hour_is_an_hour_and_the_page_has_the_minutes_of_the_notebooks() -> None:
    path = dict(re.findall(r"^\| (\d) \| .* \| (\d+) \|$", PAGE, re.MULTILINE))
    whole = dict(re.findall(r"^\| (\d) [A-Z].* \| (\d+) \|$", PAGE, re.MULTILINE))
    assert len(path) == 5
    assert sum(map(int, path.values())) <= 60
    for name in NOTEBOOKS:
        number, head = str(int(name[:2])), opening(name)
        assert f"minutes={whole[number]}," in head, name
        said = re.search(r"\((\d+) minutes\)", head)
        assert (said[1] if said else None) == path.get(number), name


def test_the_page_names_questions_and_boxes_that_are_there() -> None:
    for name, place in {
        "03_correlations": "Why NP and CDP differ",
        "04_normalizations": "Why acceptability matters",
        "05_active_passive": "1,000",
    }.items():
        assert any(place in getattr(one, "html", "") for one in run(name)[0]), place
    assert "## How large must" not in PAGE
    assert any("How large must the crowd be?" in getattr(one, "html", "") for one in run("02_uncertainty")[0])


def deltas(model: pk.Model, epsilon: str) -> tuple[str, str]:
    """δ for the active and for the passive attacker."""
    active, passive = (str(pk.check(model, one, epsilon=epsilon).tight_delta) for one in ("apkdp", "ppkdp"))
    return active, passive


def changed(name: str, *changes: tuple[str, str]) -> pk.Model:
    """A model file, with some of its text replaced, without the answers that it promises."""
    text = (MODELS / name).read_text(encoding="utf-8").split("[[expect]]")[0]
    for old, new in changes:
        assert old in text, (name, old)
        text = text.replace(old, new)
    return pk.loads(text)


def test_what_to_watch_in_the_explorer() -> None:
    voters, luck = "DMKB20/example-7-five-voters.toml", "course/lucky-once-in-a-hundred.toml"
    assert deltas(changed(voters), "ln(2)") == ("81/100", "449/10000")
    assert deltas(changed(voters, ('"1/10"', '"1/2"'), ('"9/10"', '"1/2"')), "ln(2)") == ("1/4", "1/4")
    assert deltas(changed(luck), "0") == ("1", "1/100")
    assert deltas(changed(luck, ('"1/100"', '"1/2"'), ('"99/100"', '"1/2"')), "0") == ("1", "1/2")

    def least(model: pk.Model) -> list[str]:
        return [str(pk.check(model, one).tight_epsilon) for one in ("np", "cdp")]

    parity = "DMKB20/example-4-repaired.toml"
    rows = [f'{{ database = [{a}, {b}], probability = "1/4" }},' for a in (0, 1) for b in (0, 1)]
    drawn = [f'{{ database = [{a}, {a}], probability = "1/2" }},' for a in (0, 1)]
    assert least(changed(parity)) == ["0", "inf"]
    assert least(changed(parity, ('kind  = "parity"', 'kind  = "count"'))) == ["inf", "inf"]
    for kind in ("parity", "count"):
        every = [(drawn[0], " ".join(rows)), (drawn[1], ""), ('kind  = "parity"', f'kind  = "{kind}"')]
        np, cdp = least(changed(parity, *every))
        assert np == cdp
    assert least(changed("course/household-season.toml"))[0] == "ln(207/43)"
    assert least(changed("course/household-season-known.toml"))[0] == "ln(7/3)"
    assert least(changed("course/partner-published-known.toml")) == ["0", "0"]
    assert least(changed("course/partner-published.toml")) == ["ln(21/5)", "0"]


def test_the_picture_of_the_twins_says_what_the_verifier_says() -> None:
    _, defs = run("03_correlations")
    drawn, answers = defs["twin_model"].worlds(record=0), defs["twin_answers"]
    assert drawn.description.count("never drawn") == 2
    assert str(answers["np"].tight_epsilon) == str(answers["cdp"].tight_epsilon) == "inf"
    assert drawn.description.count("no ε is enough") == 2


def test_the_picture_of_the_attackers_says_what_the_verifier_says() -> None:
    _, defs = run("05_active_passive")
    orders = re.findall(r"the highest bar (\S+), the area (\S+)\.", str(chances(defs["cases"])))
    assert len(orders) == 2
    bars, found = zip(*orders, strict=True)
    active, passive = (one.tight_delta.rational for one in defs["checked"].values())
    assert max(map(Fraction, bars)) == active
    assert max(map(Fraction, found)) == passive


def test_the_start_page_says_what_one_can_do_after_each_notebook() -> None:
    start = page(START, "../static", "../")
    for number, path in enumerate(notebooks(), 1):
        notebook = opening_of(path)
        assert 1 <= notebook.able.count(".") <= 2, "one or two sentences"
        assert f"After this notebook you can {inline(notebook.able)}" in start
        assert f"About {notebook.minutes} minutes · {notebook.needs}" in start
        assert f"<a href='{number}.html'>{number}. " in start
    assert "http" not in re.sub(r"http://www\.w3\.org\S*", "", start), "nothing is loaded"
