"""Questions in links: answers as planned, codes graded again, locked parts, and what is refused before any work."""

from __future__ import annotations

import json
import os
import re
import tomllib
from contextlib import nullcontext
from copy import deepcopy
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from verifier.cli.main import run
from verifier.errors import PkdpError
from verifier.model.document import Document, document_of
from verifier.wings.explore.routes import Session
from verifier.wings.teach.codes import AnswerCode, check_letters
from verifier.wings.teach.grading import grade_codes, question_in
from verifier.wings.teach.packed import canonical, document_in, packed
from verifier.wings.teach.question import Question, open_question

LECTURE = Path(__file__).parents[3] / "docs" / "course" / "lecture"
STEPS = [step for step in tomllib.loads((LECTURE / "plan.toml").read_text())["step"] if "file" in step]
PLANNED = [(step["file"], answer["given"], answer["state"]) for step in STEPS for answer in step["answer"]]
HOSTILE = tomllib.loads((Path(__file__).parent / "hostile.toml").read_text())
SECONDS = 0.1
SEES_A = (
    "If the attacker knows nothing, and sees a, then D(0) is not 1. She sees that with probability 1 if D(0) = 0, and "
    "never if D(0) = 1."
)
ROWS = "mechanism.then.0.rows"


@cache
def question(name: str) -> Question:
    return question_in(str(LECTURE / f"{name}.toml"))


def twins() -> Document:
    return document_of((LECTURE / "08-np-content-cdp-not.toml").read_text())


def rows(*outputs: str) -> dict[str, Any]:
    return {ROWS: [{"input": str(count), "output": output} for count, output in enumerate(outputs)]}


def link(document: Document) -> str:
    return "https://example.org/explore/#m=" + packed(canonical(document))


def test_the_lecture_has_three_questions_of_each_kind() -> None:
    kinds = [question(step["file"]).asked.kind for step in STEPS]
    assert len(kinds) == 13
    assert len(PLANNED) == 29
    assert min(kinds.count(kind) for kind in ("goal", "number", "choices")) >= 3
    assert [step["from"] for step in STEPS] == [0, *(step["to"] for step in STEPS[:-1])]


@pytest.mark.parametrize(("name", "given", "state"), PLANNED)
def test_an_answer_comes_out_as_planned(name: str, given: object, state: str) -> None:
    attempt = question(name).attempt("Ada", given)
    assert attempt.state == state, attempt.lines
    assert attempt.lines


def test_each_link_is_opened_its_answers_are_handed_in_and_graded_as_planned() -> None:
    links = [link(question(step["file"]).document) for step in STEPS]
    opened = [open_question(document_in(one)) for one in links]
    assert [one.identity for one in opened] == [question(step["file"]).identity for step in STEPS]
    assert max(map(len, links)) < 1_200
    lines = [
        (line, AnswerCode(question(name).identity, f"Student {line}", given, line, 0).text("lemon"))
        for line, (name, given, _) in enumerate(PLANNED, 1)
    ]
    graded = grade_codes(opened, lines, "Lemon ", nullcontext)
    assert [row.verdict for row in graded] == [state for _, _, state in PLANNED]
    assert [row.tries for row in graded] == [line for line, _ in lines]
    assert sum(row.points for row in graded) == 13


def test_what_is_locked_stays_locked() -> None:
    """A forged code that changes another part is unreadable, whatever the change would give."""
    for path, part in (("distribution.0.table", []), ("question.goal", "np"), ("title", "x"), ("mechanism", {})):
        attempt = question("08-np-content-cdp-not").attempt("Mallory", {**rows("x", "y", "x"), path: part})
        assert attempt.state == "unreadable"
        assert attempt.lines[0].startswith(f"answer: {path} is locked")


def test_a_limit_bounds_the_answer() -> None:
    document = twins()
    document["question"]["limit"] = {"outputs": 1}
    attempt = open_question(document).attempt("Ada", rows("x", "y", "x"))
    assert (attempt.state, attempt.lines) == ("wrong", ("2 outputs: at most 1 are allowed",))


def test_each_student_has_one_variant_chosen_by_the_name() -> None:
    document = document_of((LECTURE / "02-an-answer-that-may-be-a-lie.toml").read_text())
    shares = {"3/4": "ln(3)", "4/5": "ln(4)", "5/6": "ln(5)"}
    document["question"]["vary"] = [
        {
            "mechanism.table.0.outputs": {"no": share, "yes": other},
            "mechanism.table.1.outputs": {"no": other, "yes": share},
        }
        for share, other in (("3/4", "1/4"), ("4/5", "1/5"), ("5/6", "1/6"))
    ]
    asked, seen = open_question(document), set()
    for name in ("Ada", "Emmy", "Kurt", "Sofia", "Alan", "Grace"):
        share = asked.of(name)["mechanism"]["table"][0]["outputs"]["no"]
        assert asked.of(f" {name.upper()} ") == asked.of(name)
        states = {epsilon: asked.attempt(name, epsilon).state for epsilon in shares.values()}
        assert [epsilon for epsilon, state in states.items() if state == "right"] == [shares[share]]
        seen.add(share)
    assert len(seen) > 1


def test_a_wrong_number_is_too_small_or_too_large() -> None:
    asked = question("02-an-answer-that-may-be-a-lie")
    assert asked.attempt("Ada", "x").state == "unreadable"
    assert asked.attempt("Ada", "ln(2)").lines == ("✗ ln(2) is too small",)
    assert asked.attempt("Ada", "ln(9)").lines == ("✗ ln(9) is too large",)


def test_a_wrong_answer_is_explained_in_sentences() -> None:
    """Who sees what, and how likely that is; of a number that is typed nothing that gives the right one away."""
    for name, given, why in (
        (
            "08-np-content-cdp-not",
            rows("a", "b", "b"),
            f"np(0) fails. {SEES_A}",
        ),
        (
            "08-np-content-cdp-not",
            rows("x", "x", "x"),
            "cdp holds. What is compared does not differ at all: ε = 0 and δ = 0 are enough.",
        ),
        (
            "02-an-answer-that-may-be-a-lie",
            "ln(2)",
            "If the attacker sees no, she learns more about D(0) than ε = ln(2) allows.",
        ),
        (
            "03-what-sticks-out",
            "1/8",
            "If the attacker sees no, she learns more about D(0) than δ = 1/8 allows.",
        ),
        ("03-what-sticks-out", "1/2", "A smaller δ is enough."),
    ):
        assert question(name).attempt("Ada", given).why == (why,)
    (first, second) = question("07-twins-even-or-odd").attempt("Ada", "NP").why
    assert first.startswith("np(0) holds. ")
    assert second.startswith("cdp(0) fails. ")
    wrong = {(name, str(given)) for name, given, state in PLANNED if state == "wrong"}
    explained = {(name, str(given)) for name, given, _ in PLANNED if question(name).attempt("Ada", given).why}
    assert {name for name, _ in wrong ^ explained} == {"10-two-strangers"}, "of every ε: no one attack"


@pytest.mark.parametrize(
    ("number", "given", "line", "why"),
    [
        ("np delta at 0", "-1", "✗ -1 is too small", ()),
        ("np delta at 0", "2", "✗ 2 is too large", ("A smaller δ is enough.",)),
        ("ddp epsilon at 0", "1/10", "✗ 1/10 is too small", ("The attacker learns more than ε = 1/10 allows.",)),
    ],
)
def test_an_explanation_changes_no_verdict(number: str, given: str, line: str, why: tuple[str, ...]) -> None:
    """Where there is no attack to tell, nothing is told; no protected value is named that the model does not have."""
    document = deepcopy(question("02-an-answer-that-may-be-a-lie").document)
    document["question"]["number"] = number
    attempt = open_question(document).attempt("Ada", given)
    assert (attempt.state, attempt.lines, attempt.why) == ("wrong", (line,), why)


def too_large(choices: dict[str, str]) -> Document:
    """A question about 30 records, on which some definitions are refused by their size."""
    document = deepcopy(question("02-an-answer-that-may-be-a-lie").document)
    noisy = {"kind": "count", "value": "yes", "then": [{"kind": "geometric-noise", "p": "1/2"}]}
    return document | {"size": 30, "mechanism": noisy, "question": {"text": "?", "choices": choices}}


@pytest.mark.parametrize(("right", "state"), [("np(0) and ibddp(0)", "wrong"), ("np or ibddp(0)", "right")])
def test_a_definition_that_is_too_large_hides_no_other(right: str, state: str) -> None:
    """It is not decided, also where its smallest ε and its attack are told; the other definition decides the answer."""
    attempt = open_question(too_large({"a": right, "b": "np"})).attempt("Ada", "a")
    assert attempt.state == state, attempt


def test_a_lecturer_is_told_where_no_choice_is_decided_as_right() -> None:
    """That no choice is right is said only if each was decided."""
    for choices, state in (
        ({"a": "np(0)", "b": "cdp(0)"}, "wrong"),
        ({"a": "np(0)", "b": "ibddp(0)"}, "undecided"),
        ({"a": "np(0)", "b": "ibddp(0)", "c": "np"}, "right"),
    ):
        assert Session().post("question", {"do": "set", "document": too_large(choices)})["state"] == state


@pytest.fixture
def class_files(tmp_path: Path) -> tuple[Path, Path]:
    """A question as a file, and the codes of four students, of which one is damaged."""
    file, codes = tmp_path / "twins.toml", tmp_path / "codes.txt"
    file.write_text((LECTURE / "08-np-content-cdp-not.toml").read_text())
    identity = open_question(twins()).identity
    lines = [
        AnswerCode(identity, name, rows(*outputs), tries, 1).text("lemon")
        for name, outputs, tries in (("Ada", "xyx", 3), ("Bob", "abb", 1), ("Cyd", "xyx", 2))
    ]
    codes.write_text("\n\n".join([*lines, lines[0][:-1] + ("a" if lines[0][-1] != "a" else "b")]) + "\n")
    return file, codes


def pkdp(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        run([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return int(stop.value.code or 0), said.out, said.err


def test_a_class_is_graded(class_files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    file, codes = class_files
    status, out, _ = pkdp(capsys, "grade", file, codes, "--word", "lemon", "--json")
    found = json.loads(out)
    assert status == 1, "one code is refused"
    assert [(row["name"], row["verdict"], row["points"], row["tries"], row["looks"]) for row in found[:3]] == [
        ("Ada", "right", 1, 3, 1),
        ("Bob", "wrong", 0, 1, 1),
        ("Cyd", "right", 1, 2, 1),
    ]
    assert [row["same_answer"] for row in found] == [["Cyd"], [], ["Ada"], []]
    assert found[3]["verdict"] == "refused"
    status, out, _ = pkdp(capsys, "grade", link(twins()), codes, "--word", "lemon", "--format", "csv")
    assert status == 1
    assert out.splitlines()[0] == "name,question,verdict,points,tries,looks,same answer,note"
    assert out.splitlines()[1] == 'Ada,"NP content, CDP not",right,1,3,1,Cyd,'
    status, _, err = pkdp(capsys, "grade", codes)
    assert (status, "the question of these answer codes is missing" in err) == (2, True)
    status, _, err = pkdp(capsys, "grade", file)
    assert (status, "there are no answer codes" in err) == (2, True)


def test_a_file_of_a_class_is_read_once(
    class_files: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """What kind of file it is and what it holds come from one reading; so do those of a sheet."""
    file, codes = class_files
    sheet = tmp_path / "sheet.json"
    sheet.write_text('{"sheet": 1}')
    opened: list[str] = []
    really = os.open

    def counted(path: Any, *rest: Any) -> int:
        opened.append(str(path))
        return really(path, *rest)

    monkeypatch.setattr(os, "open", counted)
    assert pkdp(capsys, "grade", file, codes, "--word", "lemon")[0] == 1
    status, _, err = pkdp(capsys, "grade", sheet)
    assert (status, "the table is without schema" in err) == (2, True)
    assert [opened.count(str(path)) for path in (file, codes, sheet)] == [1, 1, 1]


def test_one_answer_is_checked(class_files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    file, codes = class_files
    right, wrong = codes.read_text().split()[:2]
    status, out, _ = pkdp(capsys, "check", file, "--answer", right, "--word", "lemon")
    assert (status, "Ada: right" in out, "✓ not cdp" in out) == (0, True, True)
    status, out, _ = pkdp(capsys, "check", file, "--answer", wrong, "--word", "lemon")
    assert (status, "Bob: wrong" in out, "✗ np(0) · np: smallest ε inf" in out) == (1, True, True)
    assert f"np(0) fails. {SEES_A}" in " ".join(out.split())
    assert pkdp(capsys, "check", link(twins()), "--answer", right, "--word", "lemon")[0] == 0
    assert pkdp(capsys, "check", file, "--answer", right)[0] == 2, "without its word"
    assert pkdp(capsys, "check", file, "--answer", right, "--word", "lemon", "--atlas")[0] == 2
    assert pkdp(capsys, "check", file, "--word", "lemon")[0] == 2


def test_a_question_may_be_a_file_with_its_link(
    class_files: tuple[Path, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A file of links is questions, wherever it stands; codes without one, and a file that is missing, are named."""
    _, codes = class_files
    links, sheet, named, many = (tmp_path / name for name in ("links.txt", "sheet.json", "named.txt", "many.txt"))
    many.write_text(f"{link(twins())}\n" * 201)
    links.write_text(f"{link(twins())}\n\n{link(question('07-twins-even-or-odd').document)}\n")
    sheet.write_text('{"sheet": 1}')
    named.write_text("".join(f"Ada: {line}\n" for line in codes.read_text().split()))
    for first, second in ((links, codes), (codes, links)):
        status, out, _ = pkdp(capsys, "grade", first, second, "--word", "lemon", "--json")
        verdicts = [row["verdict"] for row in json.loads(out)]
        assert (status, verdicts) == (1, ["right", "wrong", "right", "refused"])
    refused: tuple[tuple[tuple[Path, ...], str], ...] = (
        ((codes,), "codes.txt: the question of these answer codes is missing"),
        ((named,), "named.txt: the question of these answer codes is missing"),
        ((links,), "there are no answer codes"),
        ((many, codes), "many.txt: the file has 201 links. Expected at most 200"),
        ((links, sheet), "sheet.json: sheets are given beside answer codes"),
        ((codes, tmp_path / "nowhere.txt"), "codes.txt: the question of these answer codes is missing"),
        ((links, tmp_path / "nowhere.txt"), "nowhere.txt: the file cannot be read"),
    )
    for files, said in refused:
        status, _, error = pkdp(capsys, "grade", *files, "--word", "lemon")
        assert (status, said in error) == (2, True), error


def test_check_prints_the_question_and_ignores_its_goal(
    class_files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file, _ = class_files
    status, out, _ = pkdp(capsys, "check", file, "--definition", "np")
    assert status == 1, "np fails, as in the model without its question"
    assert "Question: The twins again." in out
    file.write_text(file.read_text().replace("np(0) and not cdp", "np(0) und not cdp"))
    status, out, err = pkdp(capsys, "check", file, "--definition", "np")
    assert (status, out) == (2, "")
    assert "[question], goal: `und` at character 7" in err


def _hostile(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", HOSTILE[kind], ids=lambda case: case["name"])


def _refused(case: dict[str, Any], work: Any) -> None:
    before = process_time()
    with pytest.raises(PkdpError) as refusal:
        work()
    assert process_time() - before < SECONDS
    assert re.search(case["message"], str(refusal.value)), refusal.value


def _made(case: dict[str, Any], **names: Any) -> Any:
    return case["text"] if "text" in case else eval(case["python"], names)  # noqa: S307  # data of these tests


@_hostile("question")
def test_a_hostile_question_is_refused(case: dict[str, Any]) -> None:
    document = twins()
    document["question"].pop(case.get("without"), None)
    made = _made(case) if "python" in case else case.get("with", {})
    document["question"] = {**document["question"], **made} if isinstance(made, dict) else made
    _refused(case, lambda: open_question(document, "link"))


@_hostile("link")
def test_a_hostile_link_is_refused(case: dict[str, Any]) -> None:
    made = _made(case, good=link(twins()), packed=packed)
    _refused(case, lambda: question_in(made))


@_hostile("code")
def test_a_hostile_code_is_refused(case: dict[str, Any]) -> None:
    asked = open_question(twins())

    def code(word: str = "lemon", **parts: Any) -> str:
        return AnswerCode(**{"question": asked.identity, "name": "Ada", "answer": rows("x", "y", "x"), **parts}).text(
            word
        )

    def signed(content: bytes) -> str:
        body = f"pk1.{asked.identity}.{packed(content)}"
        return f"{body}.{check_letters(body, 'lemon')}"

    made, before = _made(case, good=code(), code=code, signed=signed), process_time()
    (row,) = grade_codes([asked], [(1, made)], "lemon", nullcontext)
    assert process_time() - before < SECONDS
    assert row.verdict == "refused"
    assert re.search(case["message"], row.note), row.note
