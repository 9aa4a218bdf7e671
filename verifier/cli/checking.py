"""The parts of `pkdp check`: read the question, ask it, show the answers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import typer

from verifier.cli.common import WRONG, Several, about, as_text, echo, print_sheets, write_certificate
from verifier.cli.waiting import Tick, counting, progress
from verifier.definitions import DEFINITIONS, Verdict, find
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, PkdpError
from verifier.evidence import ALL_DIGITS, replayed
from verifier.model import Model
from verifier.numbers import DIGITS, exact_text, probability, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.ask import beyond, check, passport
from verifier.questions.expect import Outcome
from verifier.questions.properties.anonymity import properties_of
from verifier.replay.answers import Rejected
from verifier.show.sheet import Sheet
from verifier.show.witnesses import grouped_witnesses
from verifier.show.words import convention_lines, passport_sheet, profile_sheet, replay_note, verdict_lines
from verifier.version import VERSION

NOT_REPLAYED = "Not re-checked by the independent replay: it was left out (--no-replay)."


EXPECT_TIP = 'such as [[expect]] with definition = "np", epsilon = "ln(2)" and verdict = "holds"'


@dataclass(frozen=True)
class Asked:
    """One definition with its ε and δ, and the reading; None is what the options of the command say."""

    definition: str
    epsilon: str | None
    delta: str
    reading: str

    @property
    def parameters(self) -> dict[str, str | None]:
        """What `check` takes beside the definition."""
        return {"epsilon": self.epsilon, "delta": self.delta, "reading": self.reading}


@dataclass(frozen=True)
class Question:
    """What is asked of each model; where no definition is named, the passport at this ε and δ."""

    asked: tuple[Asked, ...]
    epsilon: str | None = None
    delta: str = "0"
    digits: int = DIGITS

    def refuse_no_curve(self) -> None:
        """Refuse a definition that is asked for alone and has no curve δ(ε)."""
        if self.alone:
            find(self.asked[0].definition).curve()

    def refuse_nonsense(self) -> None:
        """Refuse an ε and a δ that are none, before any work; those of a family may have parameters."""
        for one in self.asked or (self,):
            if one.epsilon is not None:
                read_epsilon(one.epsilon, "--epsilon")
            probability(one.delta, "--delta", "δ")

    @property
    def alone(self) -> bool:
        """Whether one definition is asked for, and is answered in full."""
        return len(self.asked) == 1

    def groups(self) -> Iterator[tuple[dict[str, str | None], tuple[str, ...]]]:
        """The definitions that are asked with the same ε, δ and reading, in order; none named stands for all."""
        if not self.asked:
            yield {"epsilon": self.epsilon, "delta": self.delta, "reading": "default"}, ()
        for parameters, group in groupby(self.asked, lambda one: one.parameters):
            yield parameters, tuple(one.definition for one in group)

    def ask(self, model: Model, engine: Engine) -> list[Verdict]:
        """A verdict for each definition, or the passport's; the replay is not asked yet."""
        with progress(engine, len(self.asked) or len(DEFINITIONS)) as (watched, tick):
            if not self.asked:
                keys: dict[str, Any] = {"epsilon": self.epsilon, "delta": self.delta, "digits": self.digits}
                return list(passport(model, engine=watched, replay=False, tick=tick, **keys))
            return [self._answer(model, watched, one, tick) for one in self.asked]

    def _answer(self, model: Model, engine: Engine, asked: Asked, tick: Tick) -> Verdict:
        try:
            keys: dict[str, Any] = asked.parameters
            answer = check(model, asked.definition, engine=engine, replay=False, digits=self.digits, **keys)
        except LimitError as error:
            if self.alone:
                raise
            answer = beyond(model, find(asked.definition), asked.epsilon, asked.delta, error)
        tick(self.asked.index(asked) + 1, len(self.asked))
        return answer


def question_of(
    definitions: Sequence[str], epsilon: str | None, delta: str | None, reading: str, digits: int = DIGITS
) -> Question:
    """The question that the options ask; what is no question is refused before any work.

    A definition is a name, or a question of its own: `np(ln(2), 1/10)`, `cdp delta at ln(2)` (pkdp guide search).
    """
    texts = [text for given in definitions for text in _parts(given)]
    asked = tuple(_asked(text, epsilon, delta, reading) for text in texts)
    if not asked and reading != "default":
        raise InputError("given without --definition", where="--reading", wanted="the definition that is read so")
    return Question(asked, epsilon, "0" if delta is None else delta, digits)


def _parts(text: str) -> list[str]:
    """What stands between commas, but for those in parentheses.

    >>> _parts("np, cdp(ln(2), 1/10)")
    ['np', ' cdp(ln(2), 1/10)']
    """
    parts, depth = [""], 0
    for mark in text:
        depth += (mark == "(") - (mark == ")")
        if mark == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += mark
    return parts


def _asked(text: str, epsilon: str | None, delta: str | None, reading: str) -> Asked:
    if text.replace("-", "").strip().isalnum():
        with about("--definition"):
            definition = find(text)
        with about("--reading"):
            definition.reading(reading)
        return Asked(definition.key, epsilon, "0" if delta is None else delta, reading)
    from verifier.questions.language import question

    own = question(text, "--definition")
    twice = {
        "--epsilon": own.epsilon is not None and epsilon is not None,
        "--delta": own.delta is not None and delta is not None,
        "--reading": own.reading is not None and reading != "default",
    }
    for option, is_twice in twice.items():
        if is_twice:
            raise InputError(f"given beside --definition {shorten(text.strip())}", where=option, wanted="it once")
    with about("--reading"):
        find(own.definition).reading(own.reading or reading)
    return Asked(
        own.definition,
        epsilon if own.epsilon is None else own.epsilon.text(ALL_DIGITS),  # type: ignore[union-attr]
        ("0" if delta is None else delta) if own.delta is None else str(own.delta),
        own.reading or reading,
    )


@dataclass(frozen=True)
class Display:
    """How answers are shown."""

    as_json: bool
    kind: str
    max_digits: int
    digits: int
    profile: bool
    replay: bool = True
    named: bool = False
    """Whether there are several models, so that a CSV names each."""

    @property
    def at_once(self) -> bool:
        """Whether a verdict is shown before the replay has derived it; what programs read waits for it."""
        return self.kind == "table" and not self.as_json

    def show(self, model: Model, answers: list[Verdict], *, alone: bool) -> list[Sheet]:
        """Print the answers on one model; `alone` is the answer to one definition. CSV is left to print together."""
        if self.as_json:
            objects = [self._object(answer) for answer in answers]
            typer.echo(as_text(objects[0] if alone else _passport_object(model, objects)))
            return []
        sheets, profiles = self._tables(model, answers, alone=alone), self._profiles(answers)
        if self.kind == "csv":
            keys = (("model", model.path or model.title),) if self.named else ()
            return [replace(sheet, keys=(*keys, *sheet.keys)) for sheet in (*sheets, *profiles)]
        if self.kind == "table":
            _show_table(model, answers, sheets, alone=alone)
        else:
            print_sheets(sheets, self.kind)
        if profiles:
            print_sheets(profiles, self.kind)
        sys.stdout.flush()
        return []

    def _object(self, answer: Verdict) -> dict[str, Any]:
        found = answer.to_json(self.max_digits, self.digits) | ({} if self.replay else {"replay": "left out"})
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

    def _tables(self, model: Model, answers: list[Verdict], *, alone: bool) -> list[Sheet]:
        """The answers as tables, one for each ε and δ, with the word of the replay where it is asked already."""
        if alone:
            lines = verdict_lines(answers[0], self.max_digits, self.digits, recheck=self._word)
            return [Sheet(model.title, ("item", "answer"), tuple(lines))]
        most = min(self.max_digits, 60)
        groups = groupby(answers, lambda answer: (str(answer.epsilon), answer.delta))
        return [passport_sheet(model, list(group), most, self.digits, recheck=self._word) for _, group in groups]

    def _profiles(self, answers: list[Verdict]) -> list[Sheet]:
        most = min(self.max_digits, 60)
        known = [answer for answer in answers if answer.has_profile and answer.tight_epsilon is not None]
        return [profile_sheet(answer, most, self.digits) for answer in known if self.profile]

    @property
    def _word(self) -> str | None:
        """The word about the re-check that stands in a table: its own (None), that it is left out, or none yet."""
        return "" if self.at_once else None if self.replay else NOT_REPLAYED


def _show_table(model: Model, answers: list[Verdict], sheets: list[Sheet], *, alone: bool) -> None:
    """Print answers to be read: the tables, and below them the witnesses in words."""
    from verifier.cli.console import print_items, print_line

    if alone:
        items = [(row[0], row[1]) for row in sheets[0].rows]
        print_items(model.title, items, convention_lines(answers[0].definition))
        return
    print_sheets(sheets, "table")
    for words in grouped_witnesses(answers):
        print_line(words)
    for one in properties_of(model):
        print_line(f"{one}.")
    print_line("Conventions: pkdp conventions. One definition in full: pkdp check MODEL --definition NAME.")


@dataclass(frozen=True)
class Command:
    """One `pkdp check`: the question, how it is shown, and how each model is computed."""

    question: Question
    display: Display
    engine: Callable[[Model], Engine]
    certificate: Path | None = None

    def answer(self, models: Sequence[Model], several: Several) -> int:
        """Answer model by model: each verdict is shown as soon as it is decided, the replay's word follows."""
        sheets: list[Sheet] = []
        for model in models:
            with several.file(model.path):
                sheets += self._answer(model, several)
        if sheets:
            print_sheets(sheets, self.display.kind)
        return several.status

    def _answer(self, model: Model, several: Several) -> list[Sheet]:
        engine, alone = self.engine(model), self.question.alone
        answers = self.question.ask(model, engine)
        if self.certificate is not None:
            certify(answers[0], engine, self.certificate)
        if self.display.at_once:
            sheets = self.display.show(model, answers, alone=alone)
            self._say_replayed(answers, engine)
        else:
            answers = self._replayed(answers, engine)
            sheets = self.display.show(model, answers, alone=alone)
        if self.question.asked:
            several.statuses += [answer.exit_status for answer in answers]
        return sheets

    def _replayed(self, answers: list[Verdict], engine: Engine) -> list[Verdict]:
        """The answers as the replay leaves them.

        Raises:
            Rejected: where one does not follow.

        """
        if not self.display.replay:
            return answers
        again = []
        with counting("verdicts re-checked", len(answers)) as tick:
            for answer in answers:
                try:
                    again.append(replayed(answer, engine))
                except Rejected as error:
                    raise Rejected(f"{answer.definition}: {error}") from None
                tick(len(again), len(answers))
        return again

    def _say_replayed(self, answers: list[Verdict], engine: Engine) -> None:
        """Ask the replay about answers that are printed already, and print its word.

        Raises:
            RejectedError: where one does not follow.

        """
        from verifier.cli.console import print_line

        if not self.display.replay:
            print_line(NOT_REPLAYED)
            return
        try:
            print_line(replay_note(self._replayed(answers, engine)))
        except Rejected as error:
            print_line("REJECTED by the independent replay: do not rely on what is printed above.")
            raise RejectedError(
                f"the independent replay REJECTS the answer that is printed above: {error}", tip="report it"
            ) from None


class RejectedError(PkdpError):
    """An answer that was shown as soon as it was decided, and that the replay does not accept (exit status 3)."""

    exit_status = 3


def certify(answer: Verdict, engine: Engine, path: Path) -> None:
    """Write the certificate of an answer."""
    from verifier.evidence.files import verdict_file

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


def expectations(
    answers: Sequence[tuple[str, Callable[..., list[Outcome]]]], several: Several, *, as_json: bool
) -> int:
    """Answer what each file promises; 1 where an answer differs.

    Raises:
        InputError: where no file promises anything.

    """
    promised = 0
    for path, answer in answers:
        with several.file(path), about(f"{path}: [[expect]]"):
            with counting("promised answers") as tick:
                results = answer(tick=tick)
            promised += len(results)
            several.statuses.append(int(any(not one.agrees for one in results)))
            if as_json and (results or not several.alone):
                typer.echo(as_text({"model": path, "expectations": [one.to_json() for one in results]}))
            elif not as_json:
                lines = [f"{'ok  ' if one.agrees else 'FAIL'} {path}: {one}" for one in results]
                if not results and not several.alone:
                    lines.append(f"none {path}: the file promises no answers")
                for line in lines:
                    echo(line)
    if not promised and several.status != WRONG:
        place = answers[0][0] if several.alone else ""
        raise InputError("no answer is promised", where=place, wanted="[[expect]] in a model file", tip=EXPECT_TIP)
    return several.status
