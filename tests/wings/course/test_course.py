"""The course: the kit, the notebooks as pages, their exercises, and the command."""

import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import pytest
from course_run import NOTEBOOKS, run
from examined import at_least_one
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier import course as kit
from verifier.errors import InputError
from verifier.model.bundled import bundled
from verifier.model.library import course_folder
from verifier.show.drawings import Bound, profile_drawing
from verifier.show.notebook import loss_html
from verifier.wings.course.cells import Notebook, reply
from verifier.wings.course.controls import Choice
from verifier.wings.course.exercises import NO_GUESS
from verifier.wings.course.files import notebook, notebooks
from verifier.wings.course.pages import address_of, addresses, page
from verifier.wings.course.prose import prose
from verifier.wings.course.reading import problem

pytestmark = pytest.mark.xdist_group("course-run")  # each notebook is run once, not by every worker


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_notebook_runs_and_has_its_parts(name: str) -> None:
    outputs, defs = run(name)
    pages = [one for one in outputs if isinstance(one, kit.Fragment)]
    html = "".join(one.html for one in pages)
    assert "What you will learn" in pages[0].html
    assert "pk-note trap" in html, "a tempting wrong definition"
    assert html.count("<section class='pk-q'>") >= 2, "questions before answers"
    assert sum(isinstance(one, kit.Exercise) for one in defs.values()) >= 2
    assert "Traceback" not in html
    for control in re.findall(r"the float [0-9]|NaN|\bnan\b", html):
        pytest.fail(control)


def test_a_hint_adds_up_all_outputs_that_it_names() -> None:
    """Given D(1) = no the count is 0 or 1, for certain; no single one of them has that probability."""
    rows = [("no", "no", "1/4"), ("no", "yes", "0"), ("yes", "no", "1/2"), ("yes", "yes", "1/4")]
    given = [{"D(0)": one, "D(1)": two, "probability": p} for one, two, p in rows]
    assert "a count of 0 or 1 has probability 1 if" in run("02_uncertainty")[1]["exercise_2"].tried(given).explanation


LIVE = """
import marimo

app = marimo.App()

@app.cell
def _():
    from verifier import course as kit
    p = kit.fraction("p", "1/3", steps=["0", "1/3", "1"])
    rows = kit.table([{"D(0)": 0, "probability": "1/2"}, {"D(0)": 1, "probability": "1/3"}], fixed=["D(0)"], spare=1,
                     title="odd {title}")
    button = kit.check_button("x")
    return button, kit, p, rows

@app.cell
def _(kit, p, rows):
    kit.show(p, rows, f"VALUE {p.value!r}")
    return

@app.cell
def _(kit, rows):
    model = kit.build(size=1, values=[0, 1], distribution=kit.worlds(rows.value), mechanism={"kind": "sum"})
    return (model,)

@app.cell
def _(kit, model):
    kit.show("DEPENDENT RAN " + str(model.size))
    return

@app.cell
def _(button, kit, p):
    def check(value):
        return "" if value == 1 else "it is more"

    done = kit.exercise("x", "x", p, button, check=check, hints=["a", "b"], solution=kit.number(1))
    done
    return (done,)

@app.cell
def _(kit):
    import no_such_module
    kit.show(no_such_module)
    return

if __name__ == "__main__":
    app.run()
"""


@pytest.fixture
def live(tmp_path: Path) -> Notebook:
    """A small notebook, run as its page shows it first."""
    path = tmp_path / "live.py"
    path.write_text(LIVE, encoding="utf-8")
    book = Notebook(path)
    book.whole()
    return book


def test_in_a_page_controls_are_live_and_a_cell_that_fails_fails_alone(live: Notebook) -> None:
    """A table that does not sum to 1 stops what depends on it, with the tip; the rest goes on."""
    pages = [cell.page for cell in live.cells]
    assert "VALUE Fraction(1, 3)" in pages[1]
    assert pages[1].count("data-control='0.0'") == 1
    assert [re.findall(r"data-control='([\d.]+)'", pages[1])[k] for k in (1, -1)] == ["0.1.0.1", "0.1.2.1"]
    assert "odd {title}" in pages[1]
    assert "sum to 5/6" in pages[2]
    assert "nothing is ever normalized" in pages[2]
    assert "waits for one above" in pages[3]
    assert "pk-task open" in pages[4], "an answer that was not checked yet is no wrong answer"
    assert "Check my answer" in pages[4]
    assert "no_such_module" in pages[5]
    assert not any("Traceback" in one for one in pages)


def test_a_change_runs_what_depends_on_it(live: Notebook) -> None:
    live.change("0.1.1.1", "1/2")
    assert [cell.number for cell in live.since(0)] == [1, 2, 3]
    assert "DEPENDENT RAN 1" in live.cells[3].page
    live.change("0.0", 0)
    live.change("0.2", None)
    live.change("0.0", 2)
    assert [cell.number for cell in live.since(1)] == [1, 4]
    assert live.values["done"].tries == 1, "the answer that stood there when the button was pressed"
    assert "pk-task open" in live.cells[4].page
    live.change("0.2", None)
    assert [cell.number for cell in live.since(4)] == [4]
    assert (live.values["done"].tries, live.values["done"].result) == (2, "right")


@pytest.mark.parametrize(
    ("control", "raw"),
    [
        ("0.0", 3), ("0.0", -1), ("0.0", True), ("0.0", "1"), ("0.2", 1), ("0.1.0.0", "5"), ("0.1.9.1", "5"),
        ("0.1.0.1", "9" * 301), ("0.1.0.1", None), ("0.0.0.1", 1), ("9.0", 1), ("0.9", 1), ("0.-1", 1), ("0", 1),
        (None, 1), (["0.0"], 1), ("0.0\n", 1), ("²", 1),
    ],
)  # fmt: skip
def test_a_page_sets_nothing_that_a_control_cannot_be(live: Notebook, control: object, raw: object) -> None:
    with pytest.raises(InputError):
        live.change(control, raw)
    assert live.log == []


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"notebook": "9", "log": [], "seen": 0},
        {"notebook": "1", "log": {}, "seen": 0},
        {"notebook": "1", "log": [], "seen": 1},
        {"notebook": "1", "log": [], "seen": True},
        {"notebook": "1", "log": [["3.0"]], "seen": 0},
        {"notebook": "1", "log": ["3.0"], "seen": 0},
        {"notebook": "1", "log": [["3.0", 0]] * 10_001, "seen": 0},
    ],
)
def test_a_hostile_log_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(InputError):
        reply(fields)


def test_a_page_gets_back_to_where_it_was() -> None:
    """Another page of the same notebook comes between: the log is done anew, and what is shown is the same."""
    one: list[list[object]] = [["3.0", 10], ["3.1", 0]]
    other: list[list[object]] = [["3.0", 0]]

    def ask(log: list[list[object]], seen: int) -> dict[str, str]:
        found: dict[str, str] = reply({"notebook": "1", "log": log, "seen": seen})["cells"]
        return found

    first = ask(one, 0)
    assert "<b class='n'>1</b>" in "".join(first.values())
    assert ask(other, 0) != first
    assert ask(one, 0) == first
    assert ask(one, 2) == {}
    assert ask([*one, *other], 2) != {}


def test_every_page_is_there_at_once() -> None:
    """What a page shows first is in its file: texts, controls, and no script but the one that it names."""
    found = page("1.html", "../static", "../")
    assert found.count("<script") == 1
    assert '<script type="module" src="../static/course.js"></script>' in found
    assert [name for name, path in addresses().items() if path is not None] == [address_of(one) for one in notebooks()]
    assert "http" not in re.sub(r"http://www\.w3\.org\S*", "", found), "nothing is loaded from elsewhere"
    for number in range(len(Notebook(notebook("1")).cells)):
        assert f'<div id="cell-{number}">' in found
    with pytest.raises(InputError):
        page("../README.md", "", "")


def test_each_notebook_leads_on_and_opens_its_models_in_the_explorer() -> None:
    """With a browser alone: the last link is the next notebook, after the last one the explorer."""
    known, paths = bundled(), notebooks()
    for path, after in at_least_one(zip_longest(paths, paths[1:])):
        found = page(address_of(path), "../static", "../index.html")
        led = [cell.uses for cell in Notebook(path).whole() if re.search('href="(explorer|guide):', cell.page)]
        assert led == [("kit",)], "no control runs such a cell again: its links are made once, with the page"
        links = re.findall(r'href="([^"]+)"', found[found.index("What to read next") :])
        models = [link.partition("#example=")[2] for link in links if link.startswith("../index.html#")]
        assert models, path
        assert set(models) <= known.keys()
        assert links[-1] == (links[-1] if after is None else address_of(after)), path
        assert links[-1].startswith("../index.html#") == (after is None)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: kit.fraction("p", "1/3", denominator=20), "one of the steps"),
        (lambda: kit.fraction("p", 0.5), "write"),
        (lambda: kit.pick("d", ["np"], "cdp"), "one of np"),
        (lambda: kit.worlds([{"D(1)": "0", "probability": "1"}]), "columns D(0), D(1)"),
        (lambda: kit.question("?", {"yes": "", "no": ""}, right="maybe", answer=""), "one of the choices yes, no"),
        (
            lambda: kit.build(size=1, values=[0], mechanism={"kind": "sum"}, distribution={"iid": {0: "1/2"}}),
            "the sum 1",
        ),
        (lambda: notebook("nine"), "01_privacy_loss"),
    ],
)
def test_what_is_wrong_is_said_with_what_is_wanted(make: Callable[[], object], words: str) -> None:
    with pytest.raises(pk.PkdpError, match=re.escape(words)):
        make()


def test_an_error_box_escapes_what_it_was_given() -> None:
    with pytest.raises(InputError) as caught:
        kit.number("<script>1</script>")
    box = problem(caught.value).html
    assert "<script>" not in box
    assert "&lt;script&gt;" in box
    assert "Hint: " in box


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"]), max_size=60))
def test_prose_never_lets_a_tag_through(text: str) -> None:
    made = prose(text.replace("$", ""))
    allowed = r"</?(p|ul|ol|li|strong|em|code|h[2-4])>|<a href=\"[^\"<>]*\">|</a>"
    assert "<" not in re.sub(allowed, "", made)


@given(st.lists(st.fractions(min_value=0, max_value=1, max_denominator=40), min_size=2, max_size=4))
def test_an_edited_table_comes_back_as_it_was_typed(chances: list[Fraction]) -> None:
    rows = [{"D(0)": k, "probability": one} for k, one in enumerate(chances)]
    control = kit.table(rows, spare=2)
    back = kit.worlds(control.value)["table"]
    assert [(one["database"], Fraction(one["probability"])) for one in back] == [
        ([str(k)], one) for k, one in enumerate(chances)
    ]


def test_a_question_hides_its_answer_until_a_choice() -> None:
    asked = kit.question("Is $1 < 2$?", {"yes": "so it is", "no": "look again"}, right="yes", answer="THE ANSWER")
    style = (course_folder() / "course.css").read_text(encoding="utf-8")
    assert asked.html.index("THE ANSWER") > asked.html.index("<fieldset>")
    assert ".pk-answer { display: none;" in style
    assert asked.html.count("type='radio'") == asked.html.count("<label for=") == 2
    assert asked.html.count("✓ Right.") == 1


GUESSES = {
    "3": {"stronger": "NP for Anna", "and_ddp": "δ at ε = 0"},
    "4": {"how_many": "Acceptable, if this is protected?", "how_often": "rules that turn things upside down</th>"},
    "5": {"as_strong": "361/400 (0.9025)"},
    "6": {"without_delta": "smallest ε at δ = 0", "covers": "a single office refutes it"},
}
"""Of some notebooks the guesses, with words of the table that opens after each."""


@pytest.mark.parametrize("number", GUESSES)
def test_a_table_that_gives_an_answer_away_opens_after_a_guess(number: str) -> None:
    book = Notebook(notebook(number))
    shown = book.whole()
    found = {name for name, one in book.values.items() if isinstance(one, Choice) and one.value == NO_GUESS}
    assert found == GUESSES[number].keys()
    for name, words in GUESSES[number].items():
        cells = [cell for cell in shown if name in cell.uses]
        assert words not in "".join(cell.page for cell in cells), name
        option = list(book.values[name].options)[1]
        book.change(book.values[name].id, option)
        assert not any("pk-task" in one.page for one in book.since(len(book.log) - 1)), "no exercise is computed anew"
        (page,) = [cell.page for cell in cells]
        assert f"You guessed: <strong>{option}</strong>" in page, "the guess stands beside what is so"
        assert words in page, name


def test_drawings_are_those_of_the_program_and_say_exact_numbers() -> None:
    model = run("01_privacy_loss")[1]["accident"]
    answer = pk.check(model, "dp")
    page = kit.profile(answer, answer, names=["with the leak", "the same"], at="ln(2)").html
    marked = Bound(pk.epsilon("ln(2)"), None, "ε = ln(2) is marked.")
    assert profile_drawing([("with the leak = the same", answer.profile)], marked).svg in page
    assert "1/20 (0.05)" in page
    losses = pk.loss(model, record=0, values=("yes", "no"))
    assert kit.loss_picture(model, record=0, values=("yes", "no")).html in loss_html(losses)
    assert "probability 1/20 (0.05): output leak" in loss_html(losses)


@pytest.mark.parametrize(
    ("named", "said"), [(["", ""], 'In "#1", given no knowledge'), (["a", ""], 'In "a", given'), ([""], "Given no kno")]
)
def test_a_witness_names_what_its_model_names(named: list[str], said: str) -> None:
    chances = {0: "1/2", 1: "1/2"}
    drawn = [{**({"name": name} if name else {}), "iid": chances} for name in named]
    model = pk.build(size=1, values=[0, 1], distribution=drawn, mechanism={"kind": "sum"})
    assert said in repr(kit.verdict(pk.check(model, "np"), conventions=False))


def test_a_witness_is_of_its_definition_and_epsilon() -> None:
    """What an attacker of k-anonymity is compared by is the recoding, which nobody sees."""
    safe = repr(kit.verdict(pk.check(pk.read(bundled()["LQS12/algorithm-1"]), "safe"), conventions=False))
    assert "the recoding is wide with probability P = 1 under A_m([rich])" in safe


def pkdp(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "import sys\nfrom verifier.cli.main import run\nrun(sys.argv[1:])"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


def test_the_command_lists_and_refuses_in_words() -> None:
    listed = pkdp("course", "--list")
    assert [Path(line).stem for line in listed.stdout.split("\n") if line] == [path.stem for path in notebooks()]
    edit = pkdp("course", "1", "--edit", "mine")
    assert (edit.returncode, edit.stdout) == (2, "")
    assert "pkdp no longer opens an editor" in edit.stderr
    assert str(notebook("1")) in edit.stderr
    unknown = pkdp("course", "no-such")
    assert unknown.returncode == 2
    assert "02_uncertainty" in unknown.stderr


def test_outside_a_page_controls_are_what_the_code_says() -> None:
    code = (
        "from verifier import course as kit\n"
        "p = kit.fraction('p', '1/4')\nprint(kit.show(p, p.value), kit.table([{'a': 1}]).value)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "p = 1/4 (0.25) 1/4 (0.25) [{'a': '1'}]\n", done.stderr
