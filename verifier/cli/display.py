"""How answers are printed: as JSON, as tables in one of the formats, or as verdicts alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import typer

from verifier.cli.common import as_text, for_some_epsilon, print_sheets, print_verdicts
from verifier.cli.waiting import is_silent
from verifier.numbers import DIGITS, MAX_DIGITS, exact_text

if TYPE_CHECKING:
    from verifier.cli.subjects import Subject
    from verifier.show.sheet import Sheet

NOT_REPLAYED = "Not re-checked by the independent replay: it was left out (--no-replay)."


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
    """Whether the passport in the terminal has a row for each definition, and witnesses with all of their numbers."""
    conventions: bool = False
    """Whether the conventions stand in full below an answer."""

    @property
    def at_once(self) -> bool:
        """Whether a verdict is shown before the replay has derived it; formats for programs wait for the replay."""
        return self.kind == "table" and not self.as_json and not is_silent()

    @property
    def is_folded(self) -> bool:
        """Whether equal rows of a passport are printed as one row: in the terminal, without `--all`."""
        return self.kind == "table" and not self.in_full

    @property
    def word_of_absent_replay(self) -> str | None:
        """The note that the replay was left out; None where it was not."""
        return None if self.replay else NOT_REPLAYED

    @property
    def word_of_replay(self) -> str | None:
        """The note on the re-check in a table: None for the replay's own note; empty before the re-check."""
        return "" if self.at_once else None if self.replay else NOT_REPLAYED

    def show(self, subject: Subject, answers: list[Any], *, alone: bool) -> list[Sheet]:
        """Print the answers about one subject, and return the tables that are still to be printed, in CSV.

        `alone` says that one definition is answered, in full. CSV tables of all subjects are printed together.
        """
        if self.as_json:
            objects = [self._object(answer) for answer in answers]
            passport = {**subject.header(), "definitions": objects, **subject.footer()}
            typer.echo(as_text(objects[0] if alone else passport))
            return []
        if self.kind == "table" and is_silent():
            print_verdicts(answers, subject.path if self.names_models else "", alone=alone)
            return []
        self.say_asked(answers)
        sheets = subject.tables(answers, self, alone=alone)
        if self.kind == "csv":
            keys = (("model", subject.path),) if self.names_models else ()
            return [replace(sheet, keys=(*keys, *sheet.keys)) for sheet in sheets]
        print_sheets(sheets, self.kind)
        if self.kind == "table" and not alone:
            print_lines(subject.lines(answers, self))
        sys.stdout.flush()
        return []

    def say_asked(self, answers: Sequence[Any]) -> None:
        """Say in the first line, in the terminal, that answers without an ε are about some finite ε."""
        deltas = dict.fromkeys(answer.delta for answer in answers if for_some_epsilon(answer))
        if self.kind == "table" and deltas:
            at = " or ".join(f"δ = {exact_text(delta, self.max_digits)}" for delta in deltas)
            print_lines([f"Asked: is there some finite ε at {at}? Add --epsilon to ask about one."])

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


def print_lines(lines: Iterator[str] | Sequence[str]) -> None:
    """Print paragraphs in the terminal."""
    from verifier.cli.console import print_line

    for line in lines:
        print_line(line)
