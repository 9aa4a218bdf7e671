"""The course: the kit, the notebooks run headless, their exercises, the copies for Jupyter, and the command."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from course_run import NOTEBOOKS, run
from examined import at_least_one
from hypothesis import given
from hypothesis import strategies as st

import verifier as pk
from verifier import course as kit
from verifier.errors import InputError
from verifier.model.library import course_folder
from verifier.show.drawings import Bound, profile_drawing
from verifier.show.notebook import loss_html
from verifier.wings.course import command as serving
from verifier.wings.course.exports import cells
from verifier.wings.course.files import copies, editor_command, notebook, notebooks
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


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_solutions_pass_their_own_checks_and_wrong_answers_are_told_why(name: str) -> None:
    _, defs = run(name)
    for key, task in at_least_one(defs.items()):
        if not isinstance(task, kit.Exercise):
            continue
        assert task.tried(task.solution).state == "right", key
        assert len(task.hints) >= 2, key
        assert task.html.count("<details>") == 1, f"{key}: before the first answer only a nudge can be opened"
        assert task.tempting, f"{key}: wrong answers that a reader may give"
        for wrong in task.tempting:
            tried = task.tried(wrong)
            assert tried.state in {"wrong", "unreadable"}, (key, wrong)
            assert len(tried.explanation) > 10, (key, wrong)
        if isinstance(task.solution, str):
            assert task.tried("x/0").state in {"unreadable", "wrong", "right"}, "never an exception"
            assert task.tried("  ").state == "open", key


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_copy_for_jupyter_has_the_cells_of_the_notebook_and_no_marimo(name: str) -> None:
    """`make fresh` compares the whole files; this compares what can be compared without running them."""
    source = (course_folder() / f"{name}.py").read_text(encoding="utf-8")
    copy = json.loads((course_folder() / f"{name}.ipynb").read_text(encoding="utf-8"))
    found = [("".join(one["source"]), one["cell_type"]) for one in copy["cells"]]
    wanted = [(one.source, "markdown" if one.markdown else "code") for one in cells(source) if one.source]
    assert found[1:] == wanted
    assert not any("marimo" in text or re.search(r"\bmo\.", text) for text, kind in found if kind == "code")
    typed = [text for text, kind in found if kind == "code" and re.search(r"kit\.(entry|student)\(", text)]
    calls = [node for text in typed for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    empty = {"kit.entry": 2, "kit.student": 1}
    asked = [node for node in calls if ast.unparse(node.func) in empty]
    assert "kit.student" in {ast.unparse(node.func) for node in asked}
    for node in asked:
        assert len(node.args) == empty[ast.unparse(node.func)], "empty quotes, to type between"
        assert ast.unparse(node.args[-1]) == "''"
    ids = [one["id"] for one in copy["cells"]]
    assert len(ids) == len(set(ids))


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
    kit.show(p, rows, f"VALUE {p.value!r} ROWS {rows.value!r}")
    return

@app.cell
def _(kit, rows):
    model = kit.build(size=1, values=[0, 1], distribution=kit.worlds(rows.value), mechanism={"kind": "sum"})
    return (model,)

@app.cell
def _(model):
    "DEPENDENT" + " RAN " + model.title
    return

@app.cell
def _(button, kit, p):
    done = kit.exercise("x", "x", p, button, check=lambda v: "wrong", hints=["a", "b"], solution=p.value)
    done
    return

if __name__ == "__main__":
    app.run()
"""


def test_inside_marimo_controls_are_live_and_errors_are_boxes(tmp_path: Path) -> None:
    """Exported by marimo's own kernel: a table that does not sum to 1 stops what depends on it, with the tip."""
    path = tmp_path / "live.py"
    path.write_text(LIVE, encoding="utf-8")
    asked = [sys.executable, "-m", "marimo", "-q", "export", "html", str(path), "-o", str(tmp_path / "live.html")]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    page = (tmp_path / "live.html").read_text(encoding="utf-8")
    assert "VALUE Fraction(1, 3) ROWS" in page, done.stderr
    assert "marimo-slider" in page
    assert "marimo-text" in page
    assert "odd {title}" in page
    assert "sum to 5/6" in page
    assert "nothing is ever normalised" in page
    assert "DEPENDENT RAN" not in page
    assert "pk-task open" in page, "an answer that was not checked yet is no wrong answer"
    assert "Check my answer" in page
    assert "Traceback" not in page


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
        (lambda: cells("@app.cell\ndef _(mo):\n    mo.ui.text()\n    x = 1\n    return"), "kit.show"),
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
    assert "THE ANSWER" not in repr(asked)


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


def test_copies_to_work_in_are_never_written_over(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "mine"
    made = copies(folder, notebooks()[:1])
    assert [path.name for path in made] == ["01_privacy_loss.py"]
    assert (folder / "course.css").is_file()
    made[0].write_text("mine", encoding="utf-8")
    assert copies(folder, notebooks()[:1]) == made
    assert made[0].read_text(encoding="utf-8") == "mine"
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be written"):
        copies(tmp_path / "file", notebooks()[:1])


def test_the_notebooks_are_served_on_this_machine_alone_and_look_for_no_update() -> None:
    editor = editor_command(Path("x"), browser=False)
    assert editor[editor.index("--host") + 1] == serving.HOST == "127.0.0.1"
    assert "--no-token" not in editor, "an editor runs what is typed: its address carries a token"
    assert "--skip-update-check" in editor


def pkdp(*arguments: str, hide: str = "") -> subprocess.CompletedProcess[str]:
    without = f"sys.modules[{hide!r}] = None\n" if hide else ""
    code = f"import sys\n{without}from verifier.cli.main import run\nrun(sys.argv[1:])"
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


def test_the_command_lists_and_refuses_in_words() -> None:
    listed = pkdp("course", "--list")
    assert [Path(line).stem for line in listed.stdout.split("\n") if line] == [path.stem for path in notebooks()]
    missing = pkdp("course", "1", hide="marimo")
    assert missing.returncode == 3
    assert "pip install '.[course]'" in missing.stderr
    assert "Traceback" not in missing.stderr
    unknown = pkdp("course", "no-such")
    assert unknown.returncode == 2
    assert "02_uncertainty" in unknown.stderr


def test_the_editor_opens_one_notebook(tmp_path: Path) -> None:
    """Of a folder marimo would show its own list, which says nothing of the course."""
    refused = pkdp("course", "--edit", str(tmp_path / "copies"))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert (
        f"--edit: the notebook is missing. Expected the notebook to change. Hint: pkdp course 1 --edit {tmp_path}"
        in refused.stderr
    )
    assert not (tmp_path / "copies").exists()


def test_the_kit_needs_no_marimo() -> None:
    code = (
        "import sys\nsys.modules['marimo'] = None\nfrom verifier import course as kit\n"
        "p = kit.fraction('p', '1/4')\nprint(kit.show(p, p.value), kit.table([{'a': 1}]).value)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "p = 1/4\n1/4 (0.25) [{'a': '1'}]\n", done.stderr
