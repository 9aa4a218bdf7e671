"""The parts of `pkdp check`: read the question, ask it, show the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from verifier.cli.common import about, as_text, echo, print_sheets, write_certificate
from verifier.cli.waiting import progress
from verifier.definitions import DEFINITIONS, Verdict, find
from verifier.engine import Engine
from verifier.errors import InputError, LimitError
from verifier.expect import compare
from verifier.model import Model
from verifier.numbers import DIGITS, exact_text, probability
from verifier.numbers import epsilon as read_epsilon
from verifier.properties.anonymity import properties_of
from verifier.questions import beyond, check, passport
from verifier.report.sheet import Sheet
from verifier.report.witnesses import grouped_witnesses
from verifier.report.words import (
    convention_lines,
    passport_sheet,
    profile_sheet,
    verdict_lines,
)
from verifier.version import VERSION


@dataclass(frozen=True)
class Question:
    """What is asked of each model; without definitions, the passport."""

    definitions: tuple[str, ...]
    epsilon: str | None
    delta: str
    reading: str
    digits: int = DIGITS

    def refuse_nonsense(self) -> None:
        """Refuse a question that is none, before any work."""
        for name in self.definitions:
            with about("--definition"):
                asked = find(name)
            with about("--reading"):
                asked.reading(self.reading)
        if not self.definitions and self.reading != "default":
            raise InputError("given without --definition", where="--reading", wanted="the definition that is read so")
        if self.epsilon is not None:
            read_epsilon(self.epsilon, "--epsilon")
        probability(self.delta, "--delta", "δ")

    def ask(self, model: Model, engine: Engine) -> list[Verdict]:
        """A verdict for each definition, or the passport's."""
        with progress(engine, len(self.definitions) or len(DEFINITIONS)) as watched:
            return self._ask(model, watched)

    def _ask(self, model: Model, engine: Engine) -> list[Verdict]:
        if not self.definitions:
            return list(passport(model, epsilon=self.epsilon, delta=self.delta, engine=engine, digits=self.digits))
        keys = {"epsilon": self.epsilon, "delta": self.delta, "reading": self.reading, "digits": self.digits}
        answers: list[Verdict] = []
        for name in self.definitions:
            try:
                answers.append(check(model, name, engine=engine, **keys))  # type: ignore[arg-type]
            except LimitError as error:
                if len(self.definitions) == 1:
                    raise
                answers.append(beyond(model, find(name), self.epsilon, self.delta, error))
        return answers


@dataclass(frozen=True)
class Display:
    """How answers are shown."""

    as_json: bool
    kind: str
    max_digits: int
    digits: int
    profile: bool

    def show(self, model: Model, answers: list[Verdict], *, alone: bool) -> None:
        """Print the answers on one model; `alone` is the answer to one definition."""
        if self.as_json:
            objects = [self._object(answer) for answer in answers]
            typer.echo(as_text(objects[0] if alone else _passport_object(model, objects)))
        elif alone:
            self._show_one(model, answers[0])
        else:
            self._show_passport(model, answers)

    def _object(self, answer: Verdict) -> dict[str, Any]:
        found = answer.to_json(self.max_digits, self.digits)
        if self.profile and answer.has_profile and answer.tight_epsilon is not None:
            found["profile"] = [
                {
                    "from_epsilon": start.text(self.max_digits),
                    "constant": exact_text(a, self.max_digits),
                    "slope": exact_text(-b, self.max_digits),
                }
                for start, a, b in answer.profile.segments
            ]
        return found

    def _show_one(self, model: Model, answer: Verdict) -> None:
        lines = verdict_lines(answer, self.max_digits, self.digits)
        if self.kind != "table":
            print_sheets([Sheet(model.title, ("item", "answer"), tuple(lines))], self.kind)
        else:
            from verifier.cli.console import print_items

            print_items(model.title, lines, convention_lines(answer.definition))
        if self.profile and answer.has_profile and answer.tight_epsilon is not None:
            print_sheets([profile_sheet(answer, min(self.max_digits, 60), self.digits)], self.kind)

    def _show_passport(self, model: Model, answers: list[Verdict]) -> None:
        print_sheets([passport_sheet(model, answers, min(self.max_digits, 60), self.digits)], self.kind)
        if self.kind == "table":
            from verifier.cli.console import print_line

            for words in grouped_witnesses(answers):
                print_line(words)
            for one in properties_of(model):
                print_line(f"{one}.")
            print_line("Conventions: pkdp conventions. One definition in full: pkdp check MODEL --definition NAME.")
        if self.profile:
            whole = [answer for answer in answers if answer.has_profile and answer.tight_epsilon is not None]
            sheets = [profile_sheet(answer, 60, self.digits) for answer in whole]
            print_sheets(sheets, self.kind)


def certify(answer: Verdict, engine: Engine, path: Path) -> None:
    """Write the certificate of an answer."""
    from verifier.certificates.files import verdict_file

    write_certificate(path, lambda: verdict_file(answer, engine, path.parent))


def _passport_object(model: Model, objects: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema": 1,
        "version": VERSION,
        "model": model.path or model.title,
        "sha256": model.sha256 or None,
        **model.restriction.json,
        "definitions": objects,
        **({"properties": [one.to_json() for one in properties_of(model)]} if model.sizes else {}),
    }


def expectations(models: Sequence[Model], max_rows: int, *, as_json: bool) -> int:
    """Answer what the files promise; 1 where an answer differs."""
    lines, status = [], 0
    for model in models:
        with about(f"{model.path}: [[expect]]"):
            results = compare(model, Engine(model, max_rows))
        status = max(status, int(any(not one.agrees for one in results)))
        if as_json:
            lines.append(as_text({"model": model.path, "expectations": [one.to_json() for one in results]}))
            continue
        lines += [f"{'ok  ' if one.agrees else 'FAIL'} {model.path}: {one}" for one in results]
        if not results:
            lines.append(f"none {model.path}: the file promises no answers")
    echo("\n".join(lines))
    return status
