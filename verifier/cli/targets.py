"""What a command is asked, and about what: the question that its options ask, read before any model; and its subjects.

A decimal given for ε that looks like a rounded logarithm is taken as it stands, and a note says so: 0.69 is 69/100
here, which is less than ln(2) = 0.693…, and what holds at ln(2) may fail at it.

A `Subject` is a model here, a family of models in its wing (`verifier.wings.subject_of_family`); both answer the same
questions. It gives answers and tables of answers; how they are printed does not depend on it (`verifier.cli.check`).
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.cli.commands import extension
from verifier.cli.common import DEFAULT_ROWS, WAYS, Several, about, write_certificate
from verifier.cli.exits import spoken
from verifier.cli.reading import read_files
from verifier.cli.waiting import counting, progress
from verifier.definitions import DEFINITIONS, Verdict, find
from verifier.definitions.answer import ALL_DIGITS, Answer, Valued, header
from verifier.definitions.gain import Gain, gains
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.model import Model
from verifier.model.field_words import field_word
from verifier.model.model import RecordSecrets
from verifier.model.read import observed, observed_family
from verifier.numbers import DIGITS, Epsilon, delta_bound, plural, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.atlas import atlas_of
from verifier.questions.check import beyond, check, overview, rejected, was_rejected
from verifier.questions.expect import compare
from verifier.questions.losses import loss
from verifier.questions.normalization import acceptable
from verifier.questions.pair_losses import PairLoss, losses_of
from verifier.questions.properties.anonymity import properties_of
from verifier.recheck import RejectedError, fields_of, gain_unchecked, replayed
from verifier.recheck.documents import document_text, source_of
from verifier.show.answers import (
    acceptance_sheet,
    brief_sheet,
    convention_lines,
    folded_sheet,
    loss_sheets,
    overview_sheet,
    pair_sheet,
    profile_sheet,
    verdict_sheet,
)
from verifier.show.atlas import atlas_sheet, atlas_sheets
from verifier.show.display import MOST_ROWS
from verifier.show.gain import gain_sheets
from verifier.show.witnesses import refutations

if TYPE_CHECKING:
    from verifier.cli.check import Display
    from verifier.cli.waiting import Tick
    from verifier.questions.atlas import AtlasEntry
    from verifier.questions.expect import ExpectationResult
    from verifier.show.sheet import Sheet

DECIMAL = re.compile(r"\s*[0-9]*\.([0-9]{2,30})\s*")
"""A decimal of at least two places; with fewer, nearly every number is near some logarithm."""
ARGUMENTS = range(2, 11)
"""The numbers whose logarithms are meant most often."""
BITS = 128


@dataclass(frozen=True)
class DefinitionRequest:
    """One definition with its ε, δ and reading; None for ε asks whether it holds at some finite ε."""

    definition: str
    epsilon: str | None
    delta: str
    reading: str

    @property
    def parameters(self) -> dict[str, str | None]:
        """The arguments of `check` other than the definition."""
        return {"epsilon": self.epsilon, "delta": self.delta, "reading": self.reading}


@dataclass(frozen=True)
class CheckQuestion:
    """The definitions that are asked about each model; without any, the overview at this ε and δ."""

    requests: tuple[DefinitionRequest, ...]
    epsilon: str | None = None
    delta: str = "0"
    digits: int = DIGITS

    def refuse_no_curve(self) -> None:
        """Refuse a definition without a curve δ(ε), where it is the only one."""
        if self.alone:
            find(self.requests[0].definition).curve()

    def refuse_nonsense(self) -> None:
        """Refuse an ε or a δ that is no number of its kind, before any work; in families both may have parameters."""
        for question in self.requests or (self,):
            if question.epsilon is not None:
                read_epsilon(question.epsilon, "--epsilon")
            delta_bound(question.delta, "--delta")

    @property
    def alone(self) -> bool:
        """Whether exactly one definition is asked about, so that it is answered in full."""
        return len(self.requests) == 1

    def groups(self) -> Iterator[tuple[dict[str, str | None], tuple[str, ...]]]:
        """Yield each ε, δ and reading with its definitions, in order; an empty tuple stands for all definitions."""
        if not self.requests:
            yield {"epsilon": self.epsilon, "delta": self.delta, "reading": "default"}, ()
        for parameters, group in groupby(self.requests, lambda request: request.parameters):
            yield parameters, tuple(request.definition for request in group)


def question_of(
    definitions: Sequence[str], epsilon: str | None, delta: str | None, reading: str, digits: int = DIGITS
) -> CheckQuestion:
    """Return the question that the options ask, before any work.

    A definition is a name, or a question of its own: `np(ln(2), 1/10)`, `cdp delta at ln(2)`
    (pkdp examples --guide search).

    Raises:
        InputError: for an unknown definition or reading, and for options without a meaning.

    """
    texts = [text for option in definitions for text in _between_commas(option)]
    requests = tuple(_request(text, epsilon, delta, reading) for text in texts)
    if not requests and reading != "default":
        raise InputError("--definition is missing", where="--reading", wanted="the definition that is read so")
    return CheckQuestion(requests, epsilon, "0" if delta is None else delta, digits)


def _between_commas(text: str) -> list[str]:
    """Return the texts between commas; commas inside parentheses do not count.

    >>> _between_commas("np, cdp(ln(2), 1/10)")
    ['np', ' cdp(ln(2), 1/10)']
    """
    texts, depth = [""], 0
    for mark in text:
        depth += (mark == "(") - (mark == ")")
        if mark == "," and depth <= 0:
            texts.append("")
        else:
            texts[-1] += mark
    return texts


def _request(text: str, epsilon: str | None, delta: str | None, reading: str) -> DefinitionRequest:
    if text.replace("-", "").strip().isalnum() or field_word(text) is not None:
        with about("--definition"):
            definition = find(text)
        with about("--reading"):
            definition.reading(reading)
        return DefinitionRequest(definition.called or definition.key, epsilon, "0" if delta is None else delta, reading)
    from verifier.questions.language import question  # of texts alone: statements and properties come with it

    written = question(text, "--definition")
    twice = {
        "--epsilon": written.epsilon is not None and epsilon is not None,
        "--delta": written.delta is not None and delta is not None,
        "--reading": written.reading is not None and reading != "default",
    }
    for option, is_twice in twice.items():
        if is_twice:
            raise InputError(
                f"--definition {shorten(text.strip())} has a value already", where=option, wanted="one of the two"
            )
    with about("--reading"):
        find(written.definition).reading(written.reading or reading)
    return DefinitionRequest(
        written.definition,
        epsilon if written.epsilon is None else written.epsilon.text(ALL_DIGITS),  # type: ignore[union-attr]
        ("0" if delta is None else delta) if written.delta is None else str(written.delta),
        written.reading or reading,
    )


def rounded_logarithm(text: str | None, more: Iterable[object] = ()) -> Epsilon | None:
    """Return the logarithm of which a text gives the first digits, rounded or cut off, or None.

    `more` are further candidates, such as the smallest ε of an answer, before ln(2), …, ln(10).

    >>> print(
    ...     rounded_logarithm("0.69"), rounded_logarithm("0.693"), rounded_logarithm("0.7"), rounded_logarithm("0.68")
    ... )
    ln(2) ln(2) None None
    """
    decimal = DECIMAL.fullmatch(text or "")
    if decimal is None or text is None:
        return None
    literal, unit = Fraction(text.strip()), Fraction(1, 10 ** len(decimal[1]))
    candidates = [candidate for candidate in more if isinstance(candidate, Epsilon) and not candidate.is_infinite]
    for candidate in [*candidates, *(read_epsilon(f"ln({argument})") for argument in ARGUMENTS)]:
        low, high = candidate.bracket(BITS)
        if low != high and abs(low - literal) < unit:
            return candidate
    return None


def note_on(text: str | None, more: Iterable[object]) -> str:
    """Return a note where a decimal is near a logarithm, such as 0.69; else an empty text."""
    logarithm = rounded_logarithm(text, more)
    if logarithm is None or text is None:
        return ""
    decimal = text.strip()
    return f'ε = {decimal} is {Fraction(decimal)} and not {logarithm}, which is written --epsilon "{logarithm}"'


ONE_MODEL = "--set fixes each parameter, such as --set p=1/7"
"""How a family becomes one model."""


class Subject(ABC):
    """A model, or a family of models, with a method for each question that commands ask."""

    path: str
    """The path of its file, or the name of its source in messages, such as `standard input`."""
    is_replayed: bool
    """Whether the command asks the checker about its answers; a family re-checks its witnesses where it finds them."""

    @abstractmethod
    def refuse(self, options: Mapping[str, bool]) -> None:
        """Refuse options that have no meaning for this subject.

        Raises:
            InputError: for the first such option that is used.

        """

    @abstractmethod
    def answers(self, question: CheckQuestion) -> list[Any]:
        """Return an answer for each definition of the question, or for all definitions, before the re-check."""

    @abstractmethod
    def replayed(self, answers: list[Any]) -> list[Any]:
        """Return the answers after the independent checker has re-checked them.

        Raises:
            RejectedError: where the checker accepts no answer.

        """

    @abstractmethod
    def header(self) -> dict[str, Any]:
        """Return the first fields of a JSON object with several answers."""

    def footer(self) -> dict[str, Any]:
        """Return the last fields of a JSON object with several answers."""
        return {}

    def proof(self, answer: Any) -> dict[str, Any]:  # noqa: ARG002
        """Return the fields of an answer's JSON from which `pkdp verify` checks what deciding again does not reach."""
        return {}

    @abstractmethod
    def tables(self, answers: list[Any], display: Display, *, alone: bool) -> list[Sheet]:
        """Return the answers as tables; `alone` says that one definition is answered, in full."""

    @abstractmethod
    def atlas(self, question: CheckQuestion, display: Display, tick: Tick) -> Sequence[Any]:
        """Return an entry for each definition of DP22: its key, dimensions and answer."""

    @abstractmethod
    def atlas_tables(self, entries: Any, display: Display) -> list[Sheet]:
        """Return the entries as a table for each dimension, or as one table for CSV."""

    def lines(self, answers: list[Any], display: Display) -> Iterator[str]:  # noqa: ARG002
        """Yield the paragraphs below the tables of several answers."""
        yield from ()

    @abstractmethod
    def expectations(self, tick: Tick) -> list[ExpectationResult]:
        """Return each answer that the file promises, compared with the computed one."""

    def gains(self) -> Sequence[Valued]:
        """Return what the attacker gains by the output, for each distribution and protected record of one model."""
        return ()

    def gain_unchecked(self) -> str:
        """Ask the checker for the gains; return why it did not decide them again, or an empty text where it did.

        Raises:
            RejectedError: where the checker finds other numbers.

        """
        return ""

    def gain_sheets(self, display: Display) -> list[Sheet]:  # noqa: ARG002
        """Return what the attacker gains as tables."""
        return []

    @abstractmethod
    def losses(self, record: int | None, values: tuple[str, str] | None) -> Valued:
        """Return the privacy losses (nats) of a record, for two of its values."""

    def losses_of(self, definition: str, delta: str) -> Valued:  # noqa: ARG002
        """Return the privacy losses (nats) between the two laws of which a definition asks most at δ.

        Raises:
            InputError: for a family of models.

        """
        raise InputError("--definition is given for a family of models", wanted="one model", tip=ONE_MODEL)

    @abstractmethod
    def loss_sheets(self, table: Any, max_digits: int, digits: int) -> list[Sheet]:
        """Return the privacy losses as tables."""

    @abstractmethod
    def acceptable(self) -> Sequence[Answer]:
        """Decide for each θ and record whether an acceptable normalization exists (DMKB20, Definition 8)."""

    @abstractmethod
    def acceptable_sheet(self, answers: Any) -> Sheet:
        """Return the answers about acceptable normalizations as a table."""


def _in_words(answer: Verdict) -> Verdict:
    """The answer with its reason in the words of the command line, as errors are."""
    return (
        replace(answer, reason=spoken(answer.reason)) if answer.verdict == "unsupported" and answer.reason else answer
    )


@dataclass(frozen=True)
class ModelSubject(Subject):
    """One model; `way` names the engine that computes its laws: `auto`, `table`, `sum` or `ball`."""

    model: Model
    way: str = "auto"
    max_rows: int = DEFAULT_ROWS
    is_replayed = True

    @property
    def path(self) -> str:  # type: ignore[override]
        """The path of its file."""
        return self.model.path

    @cached_property
    def engine(self) -> Engine:
        """The engine that the command names, or the one that fits."""
        return Engine(self.model, self.max_rows, "" if self.way == "auto" else self.way)

    def refuse(self, options: Mapping[str, bool]) -> None:
        """Take every option."""

    def answers(self, question: CheckQuestion) -> list[Verdict]:
        """Return a verdict for each definition of the question, or those of the overview, before the re-check."""
        with progress(self.engine, len(question.requests) or len(DEFINITIONS)) as (watched, tick):
            if not question.requests:
                keys: dict[str, Any] = {
                    "epsilon": question.epsilon,
                    "delta": question.delta,
                    "digits": question.digits,
                }
                return [_in_words(one) for one in overview(self.model, engine=watched, replay=False, tick=tick, **keys)]
            answers = []
            for request in question.requests:
                answers.append(_in_words(self._answer(question, request, watched)))
                tick(len(answers), len(question.requests))
            return answers

    def _answer(self, question: CheckQuestion, request: DefinitionRequest, engine: Engine) -> Verdict:
        """Return one verdict; among several, a question beyond the limits is answered `unsupported`."""
        try:
            keys: dict[str, Any] = request.parameters
            return check(self.model, request.definition, engine=engine, replay=False, digits=question.digits, **keys)
        except LimitError as error:
            if question.alone:
                raise
            return beyond(self.model, find(request.definition), request.epsilon, request.delta, error)

    def replayed(self, answers: list[Verdict]) -> list[Verdict]:
        """Return the answers after the independent checker has re-checked them; a rejected one among others says so.

        Raises:
            RejectedError: where the checker accepts no answer.

        """
        confirmed: list[Verdict] = []
        with counting("verdicts re-checked", len(answers)) as tick:
            for answer in answers:
                try:
                    confirmed.append(replayed(answer, self.engine))
                except RejectedError as error:
                    confirmed.append(rejected(answer, error))
                    if all(map(was_rejected, confirmed)) and len(confirmed) == len(answers):
                        raise
                tick(len(confirmed), len(answers))
        return confirmed

    def proof(self, answer: Verdict) -> dict[str, Any]:
        """Return `proof` of an answer about a simulator, and `laws` of one about a definition of one's own."""
        return fields_of(answer, self.engine)

    def certify(self, answer: Verdict, path: Path, digits: int) -> None:
        """Write the file of an answer, from which `pkdp verify` decides it again."""

        def text() -> str:
            if answer.verdict in {"undecided", "unsupported"}:
                raise UnsupportedError(f"no certificate: the answer is {answer.verdict} ({answer.reason})")
            source = source_of(self.model, path.parent)
            return document_text({**answer.to_json(ALL_DIGITS, digits), **source, **self.proof(answer)})

        write_certificate(path, text)

    def header(self) -> dict[str, Any]:
        """Return the first fields of the overview."""
        return {**header(self.model), **self.model.restriction.json, **self.model.observed_json}

    def footer(self) -> dict[str, Any]:
        """Return the properties of a model whose databases have several sizes, else nothing."""
        return {"properties": [entry.to_json() for entry in properties_of(self.model)]} if self.model.sizes else {}

    def tables(self, answers: list[Verdict], display: Display, *, alone: bool) -> list[Sheet]:
        """Return one answer, or an overview for each ε and δ; then the privacy profiles, under `--profile`."""
        most, word = min(display.max_digits, 60), display.word_of_replay
        if alone:
            answer, digits = answers[0], (display.max_digits, display.digits)
            sheets = [
                brief_sheet(answer, *digits, conventions=display.conventions)
                if display.is_folded
                else verdict_sheet(answer, *digits, recheck=word, conventions=display.conventions)
            ]
        else:
            groups = [list(group) for _, group in groupby(answers, lambda answer: (str(answer.epsilon), answer.delta))]
            sheets = [
                folded_sheet(self.model, group, display.digits, recheck=word)
                if display.is_folded
                else overview_sheet(self.model, group, most, display.digits, recheck=word)
                for group in groups
            ]
        if display.profile:
            curves = [answer for answer in answers if answer.has_profile and answer.tight_epsilon is not None]
            sheets += [profile_sheet(answer, most, display.digits) for answer in curves]
        return sheets

    def atlas(self, question: CheckQuestion, display: Display, tick: Tick) -> Sequence[AtlasEntry]:
        """Return the verdicts of DP22's definitions, after the re-check unless it is left out."""
        keys: dict[str, Any] = {"epsilon": question.epsilon, "delta": question.delta, "digits": display.digits}
        return atlas_of(self.model, engine=self.engine, replay=display.replay, tick=tick, **keys)

    def atlas_tables(self, entries: Any, display: Display) -> list[Sheet]:
        """Return a table for each dimension; for CSV one table."""
        recheck, numbers = display.word_of_absent_replay, (min(display.max_digits, 60), display.digits)
        if display.kind == "csv":
            return [atlas_sheet(self.model, entries, *numbers, recheck)]
        return atlas_sheets(self.model, entries, *numbers, in_full=display.in_full, recheck=recheck)

    def lines(self, answers: list[Verdict], display: Display) -> Iterator[str]:
        """Yield in words why definitions fail, then the properties of the mechanism's outputs, and what to run next."""
        for refuted in refutations(answers):
            yield f"{refuted.headline} {refuted.sentence if display.is_folded else refuted.words}"
        for crowd in properties_of(self.model):
            yield f"{crowd}."
        if display.conventions:
            yield from dict.fromkeys(line for answer in answers for line in convention_lines(answer.definition))
        yield "One definition: pkdp check MODEL --definition NAME. Conventions: pkdp definitions --conventions."

    def expectations(self, tick: Callable[[int, int], object]) -> list[ExpectationResult]:
        """Return each answer that the file promises, compared with the computed one."""
        return compare(self.model, self.engine, tick)

    @cached_property
    def _gains(self) -> tuple[Gain, ...]:
        with progress(self.engine, 1) as (watched, _):
            return gains(watched)

    def gains(self) -> tuple[Gain, ...]:
        """Return what the attacker gains by the output, for each distribution and protected record."""
        return self._gains

    def gain_unchecked(self) -> str:
        """Ask the checker for the gains, as they are printed."""
        return gain_unchecked(self._gains, self.engine)

    def gain_sheets(self, display: Display) -> list[Sheet]:
        """Return a table of how often the attacker is right, and one of beliefs for each distribution and record."""
        most = None if display.in_full or display.kind == "csv" else MOST_ROWS
        return gain_sheets(self.gains(), self.model, display.digits, most)

    def losses(self, record: int | None, values: tuple[str, str] | None) -> Valued:
        """Return P[output | D(i) = a, B], P[output | D(i) = b, B] and the losses ln(P/Q) in nats, for each B."""
        with progress(self.engine, 1) as (watched, _):
            return loss(self.model, record=record, values=values, engine=watched)

    def losses_of(self, definition: str, delta: str) -> Valued:
        """Return the losses ln(P/Q) in nats of the comparison that a definition asks most of at δ."""
        with progress(self.engine, 1) as (watched, _):
            return losses_of(self.model, definition, delta=delta, engine=watched)

    def loss_sheets(self, table: Any, max_digits: int, digits: int) -> list[Sheet]:
        """Return one table for each knowledge value, or of the two laws of a definition."""
        if isinstance(table, PairLoss):
            return [pair_sheet(table, max_digits, digits)]
        return loss_sheets(table, max_digits, digits)

    def acceptable(self) -> Sequence[Answer]:
        """Decide for each θ and record whether an acceptable normalization exists (DMKB20, Definition 8)."""
        return acceptable(self.model, self.max_rows)

    def acceptable_sheet(self, answers: Any) -> Sheet:
        """Return a table with a row for each θ and record."""
        return acceptance_sheet(answers)


def read_subjects(
    paths: Sequence[str],
    sets: Sequence[str],
    several: Several | None = None,
    *,
    way: str = "auto",
    max_rows: int = DEFAULT_ROWS,
    options: Mapping[str, bool] | None = None,
    record: int | None = None,
    observer: str | None = None,
) -> list[Subject]:
    """Return the models or families that the arguments of a command name, each read once.

    Families refuse `options` that have no meaning for them. With `record` that record alone is protected;
    `observer` sees some draws of a program beside its output.

    Raises:
        InputError: for models and families in one question, and for a wrong file, where `several` does not report it.

    """
    if way not in WAYS:
        raise InputError(f"{way} is unknown", where="--engine", wanted=f"one of {', '.join(WAYS)}")
    families, models = read_files(paths, sets, several)
    if record is not None:
        models = [_protecting(model, record) for model in models]
    if observer is not None:
        models = [observed(model, observer) for model in models]
        families = [observed_family(family, observer) for family in families]
    command_subjects: list[Subject] = [ModelSubject(model, way, max_rows) for model in models]
    command_subjects += [extension().subject_of_family(family, max_rows) for family in families]
    for subject in command_subjects:
        subject.refuse({**(options or {}), "--engine": way != "auto", "--record": record is not None})
    return command_subjects


def _protecting(model: Model, record: int) -> Model:
    """Return the model with one of its protected records as the only one; the answers say so (`restricted_to`).

    Raises:
        InputError: where that record is not protected, or a function of the database is.

    """
    secrets = model.secrets.only(record) if isinstance(model.secrets, RecordSecrets) else ()
    if secrets:
        return replace(model, secrets=secrets)
    everyone = f"records 0 to {model.size - 1}" if model.size > 1 else "record 0"
    wanted, tip = model.restriction.protected or everyone, ""
    if model.sizes is not None:
        problem = f"record {record} is in some databases only, since the model has databases of several sizes"
        wanted = "one size, such as size = 4"
    elif not model.protects_records:
        problem, wanted = "the file protects a function of the database, and not a record", "no --record"
    elif record >= model.size:
        problem = f"there is no record {record}: the model has {plural(model.size, 'record')}, counted from 0"
    else:
        problem, tip = f"record {record} is not protected", f"[sensitive] records = [{record}] in the file protects it"
    raise InputError(problem, where=f"{model.path}: --record", wanted=wanted, tip=tip)
