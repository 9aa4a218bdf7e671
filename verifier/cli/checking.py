"""`pkdp check`: decide each question about each subject, print the verdict at once, then re-check it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from verifier.cli.common import WRONG, Several, about, as_text, echo, print_sheets
from verifier.cli.display import NOT_REPLAYED, Display, print_lines
from verifier.cli.question import CheckQuestion
from verifier.cli.rounded import note_on
from verifier.cli.subjects import ModelSubject, Subject
from verifier.cli.waiting import counting, is_silent, notice
from verifier.definitions import Verdict
from verifier.definitions.scheme.rows import same_definition
from verifier.errors import InputError
from verifier.evidence.rejected import RejectedError
from verifier.questions.ask import was_rejected
from verifier.show.passport import replay_note
from verifier.show.sheet import Sheet

OVERVIEW = "The exit status of this overview is 0; with --definition NAME it is 1 where the definition fails."
WITH_PROFILE = "only exact answers about the definitions of `pkdp definitions` that bound a δ have one"
REJECTED = RejectedError.exit_status
EXPECT_TIP = 'such as [[expect]] with definition = "np", epsilon = "ln(2)" and verdict = "holds"'


@dataclass(frozen=True)
class Command:
    """One run of `pkdp check`: the question, the display of its answers, and the file of the certificate."""

    question: CheckQuestion
    display: Display
    certificate: Path | None = None

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
        answers = subject.answers(self.question)
        if self.certificate is not None and isinstance(subject, ModelSubject):
            subject.certify(answers[0], self.certificate)
        is_replayed = subject.is_replayed and self.display.replay
        if is_replayed and not self.display.at_once:
            answers = subject.replayed(answers)
            several.statuses += [REJECTED for answer in answers if was_rejected(answer)]
        sheets = self.display.show(subject, answers, alone=alone)
        if not self.question.requests and self.display.at_once:
            print_lines([OVERVIEW])
        if subject.is_replayed and self.display.at_once:
            self._say_replayed(subject, answers)
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
            same = same_definition(answer.definition, answer.model)
            tip = (
                f"{same} is the same definition here, and has a profile: --definition {same}" if same else WITH_PROFILE
            )
            notice(f"--profile shows nothing about {answer.definition}: {tip}")

    def atlas(self, subjects: Sequence[Subject], several: Several) -> int:
        """Answer all definitions of DP22 about each subject, and return the exit status."""
        sheets: list[Sheet] = []
        display = self.display
        for subject in subjects:
            with several.file(subject.path):
                with counting("definitions") as tick:
                    entries = subject.atlas(self.question, display, tick)
                several.statuses += [REJECTED for entry in entries if was_rejected(getattr(entry, "verdict", None))]
                if display.as_json:
                    objects = [entry.to_json(display.max_digits, display.digits) for entry in entries]
                    echo(as_text({**subject.header(), "atlas": objects}))
                    continue
                display.say_asked([getattr(entry, "verdict", None) for entry in entries])
                sheets += subject.atlas_tables(entries, display)
        if sheets:
            print_sheets(sheets, display.kind)
        return several.status

    def _say_replayed(self, subject: Subject, answers: list[Any]) -> None:
        """Re-check answers that are printed already, and print what the replay says.

        Raises:
            RejectedError: where the replay does not accept an answer.

        """
        if not self.display.replay:
            print_lines([NOT_REPLAYED])
            return
        printed = "what is printed above"
        try:
            again = subject.replayed(answers)
            rejected = [answer for answer in again if was_rejected(answer)]
            if not rejected:
                print_lines([replay_note(again)])
                return
            if len(rejected) < len(again):
                printed += f" about {', '.join(answer.definition for answer in rejected)}"
            reason = rejected[0].reason
        except RejectedError as error:
            reason = error.reason
        print_lines([f"REJECTED by the independent replay: do not rely on {printed}."])
        raise RejectedError(
            f"the independent replay REJECTS the answer that is printed above: {reason}", tip="report it"
        ) from None


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
                    f"{'ok  ' if outcome.agrees else 'FAIL'} {path}: {outcome}"
                    for outcome in outcomes
                    if not (outcome.agrees and wrong_only)
                ]
                if not outcomes and not several.alone and not wrong_only:
                    lines.append(f"none {path}: the file promises no answers")
                for line in lines:
                    echo(line)
    if not promised and several.status != WRONG:
        where = subjects[0].path if several.alone else ""
        raise InputError("no answer is promised", where=where, wanted="[[expect]] in a model file", tip=EXPECT_TIP)
    return several.status
