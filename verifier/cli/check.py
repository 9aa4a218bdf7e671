"""`pkdp check`: decide each question about each subject, print the verdict at once, then re-check it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from verifier.cli.commands import extension
from verifier.cli.common import (
    WRONG,
    Several,
    about,
    as_text,
    echo,
    for_some_epsilon,
    print_lines,
    print_sheets,
    print_verdicts,
    read_own,
)
from verifier.cli.options import Check
from verifier.cli.reading import with_values
from verifier.cli.targets import ModelSubject, note_on, question_of, read_subjects
from verifier.cli.waiting import counting, is_silent, notice
from verifier.definitions import Verdict
from verifier.definitions.answer import json_of
from verifier.errors import InCommand, InputError
from verifier.model.bundled import called
from verifier.numbers import DIGITS, MAX_DIGITS, exact_text
from verifier.questions.check import was_rejected
from verifier.recheck import RejectedError, already_shown
from verifier.show.answers import ASKED, replay_note

if TYPE_CHECKING:
    from verifier.cli.targets import CheckQuestion, Subject
    from verifier.show.sheet import Sheet

NOT_REPLAYED = "Not re-checked by the independent checker: it was left out (--no-replay)."
OVERVIEW = "The exit status of this overview is 0; with --definition NAME it is 1 where the definition fails."
IN_FULL = " In full: --all."
WITH_PROFILE = (
    "only exact answers of definitions that bound a δ have one, where every pair of distributions counts and is "
    "allowed ε itself"
)
SPELLED = {"in_full": "all", "kind": "format", "way": "engine", "sets": "set", "replay": "no-replay"}
"""The options that are spelled otherwise than their fields."""
EXPECT_TIP = 'such as [[expect]] with definition = "np", epsilon = "ln(2)" and verdict = "holds"'


def check(typed: Check) -> int:
    """Decide the definitions for each model, and print the answers; the exit status is that of the worst."""
    read_own(typed.own)
    if typed.claims:
        return _claims(typed)
    if typed.answer is not None or typed.word is not None:
        return _answer_code(typed)
    sets = typed.sets or ()
    epsilon = typed.epsilon and with_values(typed.epsilon, sets, "--epsilon")
    delta = typed.delta and with_values(typed.delta, sets, "--delta")
    question = question_of(typed.definition or (), epsilon, delta, typed.reading, typed.digits)
    several = Several(alone=len(typed.files) == 1, as_json=typed.as_json)
    options = {
        "--certificate": typed.certificate is not None,
        "--picture": typed.picture is not None,
        "--profile": typed.profile,
        "--gain": typed.gain,
    }
    named = read_subjects(
        typed.files,
        sets,
        several,
        way=typed.way,
        max_rows=typed.max_rows,
        options=options,
        record=typed.record,
        observer=typed.observer,
    )
    if all(subject.is_replayed for subject in named):  # an ε and a δ of a family may have parameters
        question.refuse_nonsense()
    for subject in named:
        if isinstance(subject, ModelSubject) and subject.model.asked is not None:
            with several.file(subject.path):
                extension().read_student_question(subject.model)
    if typed.certificate is not None and (len(typed.files) > 1 or len(question.requests) != 1 or typed.expect):
        raise InputError(
            "--certificate is for one answer", where=InCommand("pkdp check"), wanted="one model and one --definition"
        )
    if typed.picture is not None and (len(typed.files) > 1 or typed.expect or typed.atlas):
        wanted = "one model, and neither --expect nor --atlas"
        raise InputError("--picture is of one model", where=InCommand("pkdp check"), wanted=wanted)
    if typed.observer is not None and typed.expect:
        raise InputError(
            "--observer is given with --expect",
            where=InCommand("pkdp check"),
            wanted="one of the two: what a file promises is about the output alone",
        )
    if typed.record is not None and (typed.certificate is not None or typed.expect):
        raise InputError(
            "--record is given with another option",
            where=InCommand("pkdp check"),
            wanted="neither --certificate nor --expect",
            tip="write [sensitive] records in the file",
        )
    if typed.atlas and (question.requests or typed.expect or typed.certificate is not None or typed.profile):
        raise InputError(
            "--atlas is given with another question", where=InCommand("pkdp check"), wanted="only --epsilon and --delta"
        )
    if typed.expect:
        return expectations(named, several, as_json=typed.as_json)
    if typed.profile:
        question.refuse_no_curve()
    names_models = not several.alone
    display = Display(
        typed.as_json,
        typed.kind,
        typed.max_digits,
        typed.digits,
        typed.profile,
        typed.replay,
        names_models,
        typed.in_full,
        typed.conventions,
        typed.gain,
    )
    command = Command(question, display, typed.certificate, typed.picture)
    return command.atlas(named, several) if typed.atlas else command.answer(named, several)


def _claims(typed: Check) -> int:
    """Ask the claims of the files, which say themselves what is asked."""
    _refuse_others(typed, "claims", {"own"})
    status: int = extension().check_claims(typed.files, as_json=typed.as_json)
    return status


def _answer_code(typed: Check) -> int:
    """Check a student's answer to the question that a file asks."""
    _refuse_others(typed, "answer", {"word"})
    if typed.answer is None or len(typed.files) != 1:
        problem = "--word is given without --answer" if typed.answer is None else "--answer is given with several files"
        raise InputError(
            problem, where=InCommand("pkdp check"), wanted="one model file with [question], and --answer CODE"
        )
    status: int = extension().check_answer(typed.files[0], typed.answer, typed.word or "", as_json=typed.as_json)
    return status


def _refuse_others(typed: Check, question: str, more: set[str]) -> None:
    """Refuse an option beside --claims or --answer, which ask something else; `more` go with it."""
    others = (one for one in fields(typed) if one.name not in {"files", question, "as_json", *more})
    given = next((one.name for one in others if getattr(typed, one.name) != one.default), None)
    if given is not None:
        option = SPELLED.get(given, given.replace("_", "-"))
        wanted = f"--{question} with --json, --quiet and --{'with' if 'own' in more else 'word'} alone"
        raise InputError(f"--{option} is given with --{question}", where=InCommand("pkdp check"), wanted=wanted)


@dataclass(frozen=True)
class Display:
    """The options of a command that say how its answers are printed."""

    as_json: bool
    kind: str
    max_digits: int = MAX_DIGITS
    digits: int = DIGITS
    profile: bool = False
    replay: bool = True
    names_models: bool = False
    """Whether there are several models, so that a CSV names each."""
    in_full: bool = False
    """Whether the overview in the terminal has a row for each definition, and witnesses with all of their numbers."""
    conventions: bool = False
    """Whether the conventions stand in full below an answer."""
    gain: bool = False
    """Whether what the attacker gains stands below the answers."""
    said: list[str] = field(default_factory=list)
    """The questions that were said already, of an earlier model."""

    @property
    def at_once(self) -> bool:
        """Whether a verdict is shown before the checker has derived it; formats for programs wait for the re-check."""
        return self.kind == "table" and not self.as_json and not is_silent()

    @property
    def is_folded(self) -> bool:
        """Whether equal rows of an overview are printed as one row: in the terminal, without `--all`."""
        return self.kind == "table" and not self.in_full

    @property
    def word_of_absent_replay(self) -> str | None:
        """The note that the checker was left out; None where it was not."""
        return None if self.replay else NOT_REPLAYED

    @property
    def word_of_replay(self) -> str | None:
        """The note on the re-check in a table: None for the checker's own note; empty before the re-check."""
        return "" if self.at_once else None if self.replay else NOT_REPLAYED

    def show(self, subject: Subject, answers: list[Any], *, alone: bool) -> list[Sheet]:
        """Print the answers about one subject, and return the tables that are still to be printed, in CSV.

        `alone` says that one definition is answered, in full; in CSV it has the columns of several. CSV tables of all
        subjects are printed together.
        """
        if self.gain and self.replay and (why := subject.gain_unchecked()):
            notice(f"what the attacker gains was not re-checked: {why}")
        if self.as_json:
            objects = [{**self._object(answer), **subject.proof(answer)} for answer in answers]
            overview = {**subject.header(), "definitions": objects, **subject.footer()}
            gained = {"gain": json_of(subject.gains(), self.max_digits, self.digits)} if self.gain else {}
            typer.echo(as_text({**(objects[0] if alone else overview), **gained}))
            return []
        if self.kind == "table" and is_silent():
            print_verdicts(answers, called(subject.path) if self.names_models else "", alone=alone)
            return []
        is_said = self.say_asked(answers)
        sheets = subject.tables(answers, self, alone=alone and self.kind != "csv")
        sheets += subject.gain_sheets(self) if self.gain else []
        if is_said:
            sheets = [_without_question(sheet) for sheet in sheets]
        if self.kind == "csv":
            keys = (("model", subject.path),) if self.names_models else ()
            return [replace(sheet, keys=(*keys, *sheet.keys)) for sheet in sheets]
        print_sheets(sheets, self.kind)
        if self.kind == "table" and not alone:
            print_lines(subject.lines(answers, self))
        sys.stdout.flush()
        return []

    def say_asked(self, answers: Sequence[Any]) -> bool:
        """Say in the first line, in the terminal, that answers without an ε are about some finite ε; once for all.

        Return whether it was said, now or of a model before.
        """
        deltas = dict.fromkeys(answer.delta for answer in answers if for_some_epsilon(answer))
        if self.kind == "table" and deltas:
            at = " or ".join(f"δ = {exact_text(delta, self.max_digits)}" for delta in deltas)
            line = f"Asked: is there some finite ε at {at}? Add --epsilon to ask about one."
            if line not in self.said:
                print_lines([line])
                self.said.append(line)
            return True
        return False

    def _object(self, answer: Any) -> dict[str, Any]:
        """Return an answer as JSON fields, with its privacy profile under `--profile`."""
        fields: dict[str, Any] = answer.to_json(self.max_digits, self.digits)
        if not self.replay:
            fields["replay"] = "left out"
        if self.profile and answer.has_profile and answer.tight_epsilon is not None:
            fields["profile"] = [
                {
                    "from_epsilon": start.text(self.max_digits),
                    "constant": exact_text(a, self.max_digits),
                    "slope": exact_text(-b, self.max_digits),
                }
                for start, a, b in answer.profile.segments
            ]
        return fields


@dataclass(frozen=True)
class Command:
    """One run of `pkdp check`: the question, the display of its answers, and the file of the certificate."""

    question: CheckQuestion
    display: Display
    certificate: Path | None = None
    picture: Path | None = None

    def answer(self, subjects: Sequence[Subject], several: Several) -> int:
        """Answer for each subject, print each verdict as soon as it is decided, and return the exit status of all."""
        sheets: list[Sheet] = []
        for subject in subjects:
            with several.file(subject.path):
                sheets += self._answer(subject, several)
        if sheets:
            print_sheets(sheets, self.display.kind)
        return several.status

    def _answer(self, subject: Subject, several: Several) -> list[Sheet]:
        alone = self.question.alone
        if isinstance(subject, ModelSubject) and subject.model.asked is not None and self.display.at_once:
            print_lines([f"Question: {subject.model.asked.text}"])
        answers = subject.answers(self.question)
        if self.certificate is not None and isinstance(subject, ModelSubject):
            subject.certify(answers[0], self.certificate, self.display.digits)
        if self.picture is not None and isinstance(subject, ModelSubject):
            from verifier.show.worlds import worlds, worlds_of

            (worlds_of(answers[0]) if alone else worlds(subject.model)).save(self.picture)
            notice(f"the picture is in {self.picture}")
        is_replayed = subject.is_replayed and self.display.replay
        if is_replayed and not self.display.at_once:
            answers = subject.replayed(answers)
            several.statuses += _rejected(answers)
        sheets = self.display.show(subject, answers, alone=alone)
        if not self.question.requests and self.display.at_once:
            print_lines([OVERVIEW])
        if subject.is_replayed and self.display.at_once:
            self._say_replayed(subject, answers, more=IN_FULL if alone and self.display.is_folded else "")
        self._say_rounded(answers)
        self._say_no_profile(answers)
        if self.question.requests:
            several.statuses += [answer.exit_status for answer in answers]
        return sheets

    def _say_rounded(self, answers: Sequence[Any]) -> None:
        """Say on standard error that an ε such as 0.69, at which something fails, is no logarithm."""
        failed = [answer for answer in answers if answer.verdict == "fails"]
        epsilons = dict.fromkeys([self.question.epsilon, *(request.epsilon for request in self.question.requests)])
        smallest = [getattr(answer, "tight_epsilon", None) for answer in failed]
        for note in dict.fromkeys(note_on(text, smallest) for text in epsilons if failed):
            if note and not self.display.as_json:
                notice(note)

    def _say_no_profile(self, answers: Sequence[Any]) -> None:
        """Say on standard error of which answers --profile shows nothing."""
        for answer in answers if self.display.profile else ():
            if not isinstance(answer, Verdict) or answer.has_profile or answer.verdict not in {"holds", "fails"}:
                continue
            notice(f"--profile shows nothing about {answer.definition}: {WITH_PROFILE}")

    def atlas(self, subjects: Sequence[Subject], several: Several) -> int:
        """Answer all definitions of DP22 about each subject, and return the exit status."""
        sheets: list[Sheet] = []
        display = self.display
        for subject in subjects:
            with several.file(subject.path):
                with counting("definitions") as tick:
                    entries = subject.atlas(self.question, display, tick)
                several.statuses += _rejected([getattr(entry, "verdict", None) for entry in entries])
                if display.as_json:
                    objects = [
                        {**entry.to_json(display.max_digits, display.digits), **subject.proof(entry.verdict)}
                        for entry in entries
                    ]
                    echo(as_text({**subject.header(), "atlas": objects}))
                    continue
                display.say_asked([getattr(entry, "verdict", None) for entry in entries])
                sheets += subject.atlas_tables(entries, display)
        if sheets:
            print_sheets(sheets, display.kind)
        return several.status

    def _say_replayed(self, subject: Subject, answers: list[Any], more: str) -> None:
        """Re-check answers that are printed already, and print what the checker says; `more` is where to see more.

        Raises:
            RejectedError: where the checker does not accept an answer.

        """
        if not self.display.replay:
            print_lines([NOT_REPLAYED + more])
            return
        printed = "what is printed above"
        try:
            again = subject.replayed(answers)
            rejected = [answer for answer in again if was_rejected(answer)]
            if not rejected:
                print_lines([replay_note(again) + (more if again[0].verdict != "unsupported" else "")])
                return
            if len(rejected) < len(again):
                printed += f" about {', '.join(answer.definition for answer in rejected)}"
            reason = rejected[0].reason
        except RejectedError as error:
            reason = error.reason
        print_lines([f"REJECTED by the independent checker: do not rely on {printed}."])
        raise already_shown(reason) from None


def _without_question(sheet: Sheet) -> Sheet:
    """Return a table without the question, which the first line has said."""
    rows = tuple(row for row in sheet.rows if row[0] != "question")
    return replace(sheet, rows=rows, notes=tuple(note for note in sheet.notes if not note.startswith(ASKED)))


def _rejected(answers: Sequence[Any]) -> list[int]:
    """Return an exit status for each answer that the checker does not accept."""
    return [RejectedError.exit_status for answer in answers if was_rejected(answer)]


def expectations(subjects: Sequence[Subject], several: Several, *, as_json: bool) -> int:
    """Compare each answer that a file promises with the computed one; the exit status is 1 where one differs.

    Raises:
        InputError: where no file promises anything.

    """
    promised = 0
    for subject in subjects:
        path = subject.path
        with several.file(path), about(f"{path}: [[expect]]"):
            with counting("promised answers") as tick:
                outcomes = subject.expectations(tick)
            promised += len(outcomes)
            several.statuses.append(int(any(not outcome.agrees for outcome in outcomes)))
            if as_json and (outcomes or not several.alone):
                typer.echo(as_text({"model": path, "expectations": [outcome.to_json() for outcome in outcomes]}))
            elif not as_json:
                wrong_only = is_silent()
                lines = [
                    f"{'ok  ' if outcome.agrees else 'FAIL'} {called(path)}: {outcome}"
                    for outcome in outcomes
                    if not (outcome.agrees and wrong_only)
                ]
                if not outcomes and not several.alone and not wrong_only:
                    lines.append(f"none {called(path)}: the file promises no answers")
                for line in lines:
                    echo(line)
    if not promised and several.status != WRONG:
        where = subjects[0].path if several.alone else ""
        raise InputError("no answer is promised", where=where, wanted="[[expect]] in a model file", tip=EXPECT_TIP)
    return several.status
