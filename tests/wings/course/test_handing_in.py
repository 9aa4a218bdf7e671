"""Exercises give a second try before the answer; a sheet is checked again, whatever it says of itself."""

import gc
import json
import signal
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from course_run import NOTEBOOKS, run
from examined import at_least_one

from verifier import course as kit
from verifier.cli.main import run as pkdp
from verifier.errors import InputError, LimitError
from verifier.model.library import course_folder
from verifier.version import VERSION
from verifier.wings.course.controls import Control, Line, Slider, Table
from verifier.wings.course.grading import SECONDS, Graded, at_most, grade
from verifier.wings.course.submission import ASKED_OF_MODELS, MOST_ROWS, hand_in
from verifier.wings.course.submission_file import read_sheet

pytestmark = pytest.mark.xdist_group("course-run")  # each notebook is run once, not by every worker

Change = Callable[[dict[str, Any]], object]


def exercises(name: str) -> list[kit.Exercise]:
    return [value for value in run(name)[1].values() if isinstance(value, kit.Exercise)]


@pytest.fixture
def a_third(monkeypatch: pytest.MonkeyPatch) -> Callable[..., kit.Exercise]:
    """An exercise as it runs in a page: `answer` types an answer, and presses the button if it is told to."""
    monkeypatch.setattr(Control, "making", (0, []))
    control, button = kit.entry("x"), kit.check_button("a third")

    def answer(text: str, *, press: bool = True) -> kit.Exercise:
        control.set(text)
        if press:
            button.set()
        return kit.exercise(
            "a third",
            "Write one third.",
            control,
            button,
            check=lambda typed: (
                ""
                if 3 * kit.number(typed) == 1
                else "It is too small."
                if kit.number(typed) < Fraction(1, 3)
                else "It is too large."
            ),
            hints=["Divide.", "Divide 1.", "Divide 1 by 3."],
            solution="1/3",
            why="WHY",
        )

    return answer


def test_the_solution_opens_after_the_second_wrong_answer(a_third: Callable[..., kit.Exercise]) -> None:
    first = a_third("", press=False)
    assert (first.outcome.state, first.tries, first.answer) == ("open", 0, None)
    assert first.html.count("<details>") == 1
    assert a_third("1/4", press=False).outcome.state == "open", "nothing is checked before the button is pressed"
    empty = a_third(" ")
    assert (empty.outcome.state, empty.tries, empty.answer) == ("open", 0, None)
    assert "There is no answer to check yet. This does not count as a try." in empty.html
    assert "no answer to check" not in a_third(" ", press=False).html
    wrong = a_third("1/4")
    assert (wrong.outcome.state, wrong.tries, wrong.answer) == ("wrong", 1, "1/4")
    assert "It is too small." in wrong.html
    assert "Open a solution" not in wrong.html
    assert "1/3" not in wrong.html
    assert "WHY" not in wrong.html
    assert a_third("1/4").tries == 1, "the same answer once more is no try"
    assert a_third("x").tries == 1, "what cannot be read is no try"
    assert "Open a solution" not in a_third("x").html
    again = a_third("1/2")
    assert "It is too large." in again.html
    assert "Open a solution" in again.html
    assert "WHY" in again.html
    assert again.html.index("<summary>Open a solution</summary>") < again.html.index("WHY"), "folded"
    right = a_third("1/3")
    assert (right.outcome.state, right.tries, right.answer) == ("right", 3, "1/3")
    assert right.html.index("WHY") < right.html.index("<details>"), "a right answer says why at once"
    later = a_third("1/5", press=False)
    assert (later.outcome.state, later.answer) == ("open", "1/3"), "what was right is handed in"


def test_outside_a_page_the_answer_in_the_code_is_checked() -> None:
    def at(text: str) -> tuple[int, str]:
        check = lambda typed: "" if typed == "b" else "no"  # noqa: E731
        made = kit.exercise(
            "outside", "", kit.entry("x", text), kit.check_button("x"), check=check, hints=["h"], solution="b"
        )
        return made.tries, made.outcome.state

    assert [at(text) for text in ("", "a", "b")] == [(0, "open"), (1, "wrong"), (1, "right")]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_nothing_shows_an_answer_before_the_second_try(name: str) -> None:
    """No placeholder, no start of a control, no hint and no reply to a wrong answer is the solution."""
    titles = [exercise.title for exercise in exercises(name)]
    assert len(set(titles)) == len(titles)
    for exercise in exercises(name):
        assert exercise.outcome.state == "open", exercise.title
        assert exercise.control.read(exercise.control.written(exercise.solution)) == exercise.solution
        if isinstance(exercise.control, Table):
            start = [dict(row) for row in exercise.control.start]
            assert exercise.tried(start).state in {"wrong", "unreadable"}, exercise.title
        elif isinstance(exercise.control, Line | Slider):
            written = str(exercise.control.written(exercise.solution))
            replies = [exercise.tried(wrong).explanation for wrong in exercise.tempting]
            for text in [*exercise.hints, *replies]:
                words = [word.strip(".,;:()*`“”") for word in text.split()]
                assert written not in words, (exercise.title, text)


def test_placeholders_name_a_kind_and_no_value() -> None:
    for name in at_least_one(NOTEBOOKS):
        for key, control in at_least_one(run(name)[1].items()):
            if isinstance(control, Line):
                assert control.kind, (name, key)
                assert not any(letter.isdigit() for letter in control.kind), (name, key)


def solved(name: str, student: str = "Ada") -> dict[str, Any]:
    """A sheet with the solutions of all exercises of a notebook."""
    done = []
    for exercise in exercises(name):
        answer = exercise.control.written(exercise.solution)
        fields = {**vars(exercise), "answer": answer, "result": "right", "tries": 2}
        done.append(kit.Exercise(**fields))
    made = hand_in(int(name[:2]), kit.entry("your name", student), done)
    sheet: dict[str, Any] = json.loads(made.file_text)
    return sheet


def graded(sheet: object, tmp_path: Path) -> Graded:
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(sheet), encoding="utf-8")
    return grade(read_sheet(path))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_sheet_of_solutions_is_confirmed(name: str, tmp_path: Path) -> None:
    sheet = solved(name)
    result = graded(sheet, tmp_path)
    assert result.as_handed_in, result.to_json()
    assert result.points == len(result.answers) == sheet["score"]["right"]
    assert not result.notes
    made = [exercise.title for exercise in exercises(name) if exercise.model]
    assert [model.name for model in result.models] == made


def forge_score(sheet: dict[str, Any]) -> None:
    sheet["exercises"][1]["answer"] = "1/3"
    sheet["exercises"][1]["result"] = "wrong"


def forge_result(sheet: dict[str, Any]) -> None:
    sheet["exercises"][1]["answer"] = "1/3"


def forge_model(sheet: dict[str, Any]) -> None:
    sheet["models"][0]["answers"][0]["verdict"] = "holds"


def swap_model(sheet: dict[str, Any]) -> None:
    sheet["models"][0]["model"] = sheet["models"][0]["model"].replace("9/20", "8/20").replace('"1/20"', '"2/20"')


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (forge_score, "the sheet says 3 of 3"),
        (forge_result, "the sheet says “right”"),
        (forge_model, "the sheet says dp holds, smallest ε inf"),
        (swap_model, "the model is not the one that the answer makes"),
        (lambda sheet: sheet["exercises"].pop(), "the sheet does not have it"),
        (lambda sheet: sheet["models"][0].update(model="size = 1"), "values"),
        (lambda sheet: sheet["models"][0].update(model='import os\nos.system("touch /tmp/x")'), "model"),
    ],
)
def test_what_a_sheet_says_wrongly_is_named(
    forge: Change, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = solved("01_privacy_loss")
    forge(sheet)
    path = tmp_path / "forged.json"
    path.write_text(json.dumps(sheet), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        pkdp(["grade", str(path), "--format", "csv"])
    assert stopped.value.code == 1
    printed = capsys.readouterr().out
    assert words in printed
    assert "not as handed in" in printed


def test_other_versions_are_named_and_do_not_count(tmp_path: Path) -> None:
    sheet = solved("01_privacy_loss")
    sheet["version"], sheet["notebook"]["sha256"] = "0.0.1", "0" * 64
    result = graded(sheet, tmp_path)
    assert result.as_handed_in
    assert ["version 0.0.1" in result.notes[0], "changed" in result.notes[1]] == [True, True]


@pytest.mark.parametrize(
    ("version", "verdict", "said"), [(VERSION, "differs", ""), ("0.0.1", "confirmed", ", or anoth")]
)
def test_a_model_that_the_answer_does_not_make_is_named(tmp_path: Path, version: str, verdict: str, said: str) -> None:
    """Also in a sheet that says of itself that another version made it."""
    sheet = solved("05_active_passive")
    sheet["version"] = version
    sheet["models"][0]["model"] += "# another\n"
    model = graded(sheet, tmp_path).models[0]
    assert (model.verdict, f"not the one that the answer makes{said}" in model.note) == (verdict, True)


def test_a_model_beyond_the_limits_is_refused(tmp_path: Path) -> None:
    sheet = solved("01_privacy_loss")
    sheet["models"][0]["model"] = (
        'size = 40\nvalues = ["a", "b"]\n[[distribution]]\niid = { a = "1/2", b = "1/2" }\n'
        '[mechanism]\nkind = "identity"\n'
    )
    model = graded(sheet, tmp_path).models[0]
    assert model.verdict == "refused"
    assert "more than the limit" in model.note


def deep(_: dict[str, Any]) -> str:
    return "[" * 100_000 + "]" * 100_000


def put(*path: Any, value: object) -> Change:
    def change(sheet: dict[str, Any]) -> None:
        place: Any = sheet
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (deep, "nested too deeply"),
        (lambda _: "__import__('os').system('true')", "give their question too"),
        (lambda _: '{"schema": 1, "schema": 1}', "one key twice"),
        (lambda _: "[]", "Expected a table of keys"),
        (lambda _: " " * ((1 << 20) + 1), "more than 1,048,576 bytes"),
        (put("schema", value=2), "schema 2"),
        (put("more", value=1), "with more"),
        (put("score", "right", value=10**7), "a whole number from 0"),
        (put("score", "right", value="3"), "a whole number from 0"),
        (put("student", value="x" * 201), "at most 200"),
        (put("student", value="=1+1"), "take this for a formula"),
        (put("exercises", value=[{}] * 41), "at most 40 entries"),
        (put("exercises", 0, "result", value="perfect"), "one of not answered"),
        (put("exercises", 1, "exercise", value="as honest as possible"), "is there twice"),
        (put("models", 0, "model", value="x" * 20_001), "at most 20,000"),
        (put("notebook", "name", value="../../etc/passwd"), "no notebook"),
        (put("notebook", "name", value="1"), "01_privacy_loss"),
        (put("notebook", "name", value="99"), "no notebook 99"),
    ],
)
def test_a_hostile_file_is_refused_in_words(
    change: Callable[[dict[str, Any]], object], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = solved("01_privacy_loss")
    text = change(sheet)
    path = tmp_path / "hostile.json"
    path.write_text(text if isinstance(text, str) else json.dumps(sheet), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        pkdp(["grade", str(path)])
    printed = capsys.readouterr()
    assert stopped.value.code == 2, printed.err
    assert words in printed.err
    assert printed.out == ""
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    "answer",
    ["9" * 301, "__import__('os')", 3, True, {"a": 1}, [["x"]], "1e999999", "1/0", "\u202e", ["1/4"], "1" + "0" * 250],
)
def test_a_hostile_answer_has_no_points(answer: object, tmp_path: Path) -> None:
    for position in range(3):
        sheet = solved("01_privacy_loss")
        sheet["exercises"][position]["answer"] = answer
        result = graded(sheet, tmp_path)
        assert result.answers[position].verdict in {"unreadable", "not readable", "wrong"}
        assert result.points == 2
        assert result.answers[position].differs


def test_a_class_is_one_table_and_one_bad_file_does_not_silence_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for number, (name, student) in enumerate((("01_privacy_loss", "Ada"), ("02_uncertainty", "Grace"))):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(solved(name, student)), encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        pkdp(["grade", *map(str, files), "--json"])
    assert stopped.value.code == 0
    answers = json.loads(capsys.readouterr().out)
    assert [(one["student"], one["points"], one["as_handed_in"]) for one in answers] == [
        ("Ada", 3, True),
        ("Grace", 3, True),
    ]
    files[0].write_text("no", encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        pkdp(["grade", *map(str, files), "--format", "csv"])
    printed = capsys.readouterr()
    assert stopped.value.code == 2
    assert "Grace" in printed.out
    assert "0.json" in printed.err


def test_a_sheet_is_written_into_a_folder(tmp_path: Path) -> None:
    made = hand_in(1, kit.entry("your name", "Élise /../ O'Neil"), exercises("01_privacy_loss"))
    path = made.save(tmp_path)
    assert (path.parent, path.name) == (tmp_path, "elise-o-neil-notebook-1.json")
    assert read_sheet(path).student == "Élise /../ O'Neil"
    assert grade(read_sheet(path)).points == 0


def test_a_sheet_without_a_name_is_not_written(tmp_path: Path) -> None:
    """In Jupyter the name stands in the code: what is shown and what is refused say where."""
    nameless = hand_in(1, kit.student(""), [])
    assert "First write <code>student = kit.student(&quot;Ada Lovelace&quot;)</code>" in nameless.html
    with pytest.raises(InputError, match=r'the sheet has no name.*student = kit\.student\("Ada Lovelace"\)'):
        nameless.save(tmp_path)
    assert list(tmp_path.iterdir()) == []
    named = hand_in(1, kit.student("Ada Lovelace"), [])
    assert "First write" not in named.html
    assert read_sheet(named.save(tmp_path)).student == "Ada Lovelace"


def test_controls_read_only_what_their_control_could_give() -> None:
    table = kit.table([{"i": 0, "p": ""}, {"i": 1, "p": ""}], fixed=["i"])
    for control, answer in (
        (kit.fraction("p", 0, steps=[0, 1]), "1/2"),
        (kit.pick("a", {"a": 1}, "a"), "b"),
        (table, [{"i": "0", "p": "x"}]),
        (table, [{"i": "1", "p": "x"}, {"i": "1", "p": "x"}]),
        (table, [{"i": "0", "p": "x"}, {"i": "1", "p": "x", "q": ""}]),
        (table, [{"i": "0", "p": "x"}, {"i": "1", "p": 1}]),
        (table, [{"i": str(k), "p": "x"} for k in range(3)]),
    ):
        with pytest.raises(InputError):
            control.read(answer)


def test_work_that_takes_too_long_is_stopped() -> None:
    def work() -> None:
        with at_most(1):
            while True:
                pass

    with pytest.raises(LimitError, match="more than 1 seconds"):
        work()


def test_an_alarm_that_python_has_to_drop_rings_again_and_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """The first one rings while garbage is collected: what a function raises there is printed, and goes nowhere."""
    dropped: list[Any] = []

    def slow(*_: object) -> None:
        gc.callbacks.remove(slow)
        until = monotonic() + 10
        while monotonic() < until:
            pass

    def work() -> None:
        with at_most(1):
            gc.callbacks.append(slow)
            gc.collect()
            dropped.append(slow not in gc.callbacks)
            while True:
                pass

    with pytest.raises(LimitError, match="more than 1 seconds"):
        work()
    assert dropped == [True]
    assert capsys.readouterr() == ("", "")


def test_an_alarm_at_the_very_end_of_the_work_leaves_no_alarm_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes when the work is done, and before the alarms are ended: the work counts, and nothing rings later."""
    genuine, before = signal.setitimer, signal.getsignal(signal.SIGALRM)

    def rings_first(which: int, seconds: float, again: float = 0) -> object:
        if not seconds:
            signal.raise_signal(signal.SIGALRM)
        return genuine(which, seconds, again)

    monkeypatch.setattr(signal, "setitimer", rings_first)
    with at_most(60):
        pass
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is before


def test_work_that_goes_on_is_stopped_again() -> None:
    """A definition that is stopped counts as too large, and the next one is decided."""
    stopped = 0
    with at_most(1):
        for _ in range(2):
            stopped += 1
            with suppress(LimitError):
                until = monotonic() + 10
                while monotonic() < until:
                    pass
                stopped -= 1
    assert stopped == 2


def test_the_lecturers_page_says_the_limits_and_the_file() -> None:
    page = (course_folder() / "README.md").read_text(encoding="utf-8")
    assert f"at most {MOST_ROWS:,} worlds" in page
    assert SECONDS == 60
    assert "one answer may take a minute" in page
    assert hand_in(1, kit.entry("your name", "Ada Lovelace"), []).file_name in page
    assert all(f"`{definition}`" in page for definition in ASKED_OF_MODELS)


def test_an_answer_that_takes_too_long_says_so(tmp_path: Path) -> None:
    sheet = solved("08_counterexamples")
    sheet["exercises"][0]["answer"] = f"np(e{'*2' * 100}) => cdp(e)"
    path = tmp_path / "slow.json"
    path.write_text(json.dumps(sheet), encoding="utf-8")
    answer = grade(read_sheet(path), seconds=1).answers[0]
    assert (answer.verdict, answer.points) == ("not readable", 0)
    assert "more than 1 seconds" in answer.note
