"""Files of claims: `[[claim]]` in TOML, or CSV with the same heads; each is read whole before any of them is asked.

A claim has the words of `pk.claim`, its mechanism as a model file, `FILE.py:NAME`, a table or the text of a program,
what is expected of it, and the true numbers, which are compared with `==` where they are given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from verifier.cli.own_code import MOST_BYTES, own_function
from verifier.cli.reading import is_python, read_source
from verifier.definitions.answer import Answer
from verifier.errors import InputError
from verifier.machine.files import text_of
from verifier.model.keys import Keys, Location, meant, sections, string
from verifier.model.read import file_text, tables_of
from verifier.model.table_files import csv_rows, read_json
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers import exact_text, probability, shorten
from verifier.wings.claim.answer import TIGHT, UNDECIDED, UNSUPPORTED, WORDS, ClaimAnswer
from verifier.wings.claim.decide import ClaimQuestion

HOLDS = "holds"
EXPECTED = (HOLDS, *WORDS)
WORDS_OF_A_CLAIM = tuple(one.name for one in fields(ClaimQuestion) if one.name not in {"mechanism", "at", "name"})
"""What a claim in a file may say beside its mechanism, as `pk.claim` takes it."""
OTHER_WORDS = ("name", "source", "says", "mechanism", "program", "tight", "expect", "truth")
TRUTH: Mapping[str, Callable[[object, str], Any]] = {
    "epsilon": read_epsilon,
    "delta": probability,
    "advantage": probability,
    "value": read_epsilon,
}
"""The true numbers that a claim may give, with what reads each."""
NO_CLAIMS = "a model file is checked without --claims"
AGREES, DIFFERS, OPEN = "ok  ", "FAIL", "open"
JSON_CELL = re.compile(r"\s*[\[{]|\s*[0-9]+\s*\Z")
"""A cell that is a list, a table or an integer, and no text."""
loaded = cache(own_function)
"""The function of a Python file, which is run once."""


@dataclass(frozen=True)
class ClaimOutcome(Answer):
    """An answer beside what is expected of it; `differences` are the promised and the found numbers, in words."""

    answer: ClaimAnswer
    expected: str
    differences: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """The word of the answer."""
        return self.answer.verdict

    @property
    def mark(self) -> str:
        """Whether all is as expected, something differs, or nothing was decided."""
        fits = self.verdict == self.expected or (self.expected == HOLDS and bool(self.answer))
        if fits and not self.differences:
            return AGREES
        return OPEN if self.verdict in {UNDECIDED, UNSUPPORTED} else DIFFERS

    @property
    def exit_status(self) -> int:
        """0 as expected, 1 where it is not, 3 where nothing was decided."""
        return {AGREES: 0, DIFFERS: 1, OPEN: 3}[self.mark]

    def __str__(self) -> str:
        answer = self.answer
        found = [("value", answer.value), ("smallest ε", answer.tight_epsilon), ("smallest δ", answer.tight_delta)]
        numbers = [f"{noun} {_text(number)}" for noun, number in found if number is not None]
        said = [answer.verdict, *(numbers[:1] if answer.value is not None else numbers)]
        if answer.verdict in {UNDECIDED, UNSUPPORTED}:
            said = [answer.verdict, answer.reason.removesuffix(".")]
        wrong = [] if self.mark == AGREES or self.differences else [f"expected {self.expected}"]
        return (
            f"{self.mark} {answer.name}: {', '.join(said)}{''.join(f'; {one}' for one in [*wrong, *self.differences])}"
        )

    def fields(self) -> dict[str, Any]:
        """The answer with what was expected, as `pkdp check --claims --json` prints it."""
        return {
            **self.answer.fields(),
            "expected": self.expected,
            "as_expected": self.mark == AGREES,
            "differences": self.differences,
        }


def _text(number: Any) -> str:
    text = getattr(number, "text", None)
    return exact_text(number, 40) if text is None else str(text(40))


@dataclass(frozen=True)
class FiledClaim:
    """One claim of a file: the question without a mechanism that Python code makes, and what is expected."""

    location: str
    question: ClaimQuestion
    expected: str
    truth: Mapping[str, Any]
    code: str = ""
    """`FILE.py:NAME`, where the mechanism is a function there."""

    @property
    def name(self) -> str:
        """The name of the claim."""
        return self.question.name or self.location

    def ask(self) -> ClaimOutcome:
        """The answer beside what is expected; the user's own code runs here.

        Raises:
            InputError: for a question that is none, with its place.

        """
        try:
            question = replace(self.question, mechanism=loaded(self.code)) if self.code else self.question
            answer = question.answer()
        except InputError as error:
            raise error.within(self.location) from None
        found = {
            "epsilon": answer.tight_epsilon,
            "delta": answer.tight_delta,
            "advantage": answer.advantage,
            "value": answer.value,
        }
        wrong = tuple(
            f"truth {name}: promised {_text(number)}, found {'nothing' if found[name] is None else _text(found[name])}"
            for name, number in self.truth.items()
            if found[name] is None or found[name] != number
        )
        return ClaimOutcome(answer, self.expected, wrong)


def read_claims(path: str | Path) -> list[FiledClaim]:
    """The claims of a file; what is wrong in any of them is refused here, before one is asked.

    Raises:
        InputError: where the file cannot be read, a claim is none, or a mechanism is missing.

    """
    place = Location(str(path))
    folder = Path(path).parent
    suffix = Path(path).suffix.lower()
    if suffix not in {".toml", ".csv"}:
        raise InputError(
            "this is not a file of claims", where=str(path), wanted="NAME.toml, or NAME.csv", tip=NO_CLAIMS
        )
    if suffix == ".csv":
        listed = [_of_row(where, cells) for where, cells in csv_rows(Path(path), "claims")]
    else:
        table = tables_of(file_text(path), str(path))
        if "claim" not in table:
            wanted = 'a list of [[claim]], each with a mechanism such as mechanism = "mine.toml"'
            raise InputError("the file has no claims", where=str(path), wanted=wanted, tip=NO_CLAIMS)
        top = Keys(table, place, "a list [[claim]]", ["claim"])
        listed = list(sections(top.take("claim"), place, "[[claim]]"))
        top.done()
    if not listed:
        raise InputError("there is no claim", where=str(path), wanted="[[claim]]")
    return [_claim(keys, folder) for keys in listed]


def _of_row(where: str, cells: Mapping[str, str]) -> Keys:
    """A row of a CSV as the keys of a claim; an empty cell says nothing, and `truth.epsilon` is a key of a table."""
    table: dict[str, Any] = {}
    for head, cell in cells.items():
        if not cell.strip():
            continue
        value = read_json(cell, f"{where}, {head}") if JSON_CELL.match(cell) else cell
        outer, _, inner = head.partition(".")
        if inner:
            table.setdefault(outer, {})[inner] = value
        else:
            table[head] = value
    return Keys(table, Location(where), "a claim", (*WORDS_OF_A_CLAIM, *OTHER_WORDS))


def _claim(keys: Keys, folder: Path) -> FiledClaim:
    at = keys.location
    keys = Keys(keys.left, at, "a claim", (*WORDS_OF_A_CLAIM, *OTHER_WORDS))
    name = keys.read("name", string, "a name", default="")
    for comment in ("source", "says"):
        keys.read(comment, string, "a text", lines=True, default="")
    mechanism, code = _mechanism(keys, folder)
    words = {word: keys.take(word) for word in WORDS_OF_A_CLAIM if keys.has(word)}
    tight = keys.take("tight", False)
    expected = keys.take("expect", TIGHT if tight is True else HOLDS)
    if expected not in EXPECTED:
        named = ", ".join(f'"{word}"' for word in EXPECTED)
        tip = meant(str(expected), EXPECTED)
        raise InputError(
            f"{shorten(expected)} is unknown", where=str(at.at("expect")), wanted=f"one of {named}", tip=tip
        )
    truth = Keys(keys.take("truth", {}), at.at("truth"), "a table of numbers", TRUTH)
    numbers = {
        name: read(truth.take(name), str(truth.location.at(name))) for name, read in TRUTH.items() if truth.has(name)
    }
    truth.done()
    keys.done()
    question = ClaimQuestion(mechanism=mechanism, name=name or code.rpartition("/")[2] or None, **words)
    try:
        question.refuse_nonsense()
    except InputError as error:
        raise error.within(str(at)) from None
    return FiledClaim(str(at), question, expected, numbers, code)


def _mechanism(keys: Keys, folder: Path) -> tuple[Any, str]:
    """The mechanism of a claim, or the name of the Python function that is one."""
    at = keys.location
    if keys.has("program") == keys.has("mechanism"):
        problem = "program and mechanism are given together" if keys.has("program") else "there is no mechanism"
        raise InputError(problem, where=str(at), wanted='mechanism = "FILE.py:NAME", or program = """…"""')
    if keys.has("program"):
        return keys.read("program", lambda raw, _: {"program": raw}), ""
    given = keys.take("mechanism")
    if isinstance(given, Mapping):
        return given, ""
    text = string(given, at.at("mechanism"), "a model file, or FILE.py:NAME")
    if is_python(text):
        return None, _code(text, folder, str(at.at("mechanism")))
    beside = folder / text
    try:
        return read_source(str(beside) if beside.exists() else text, needs_mechanism=True), ""
    except InputError as error:
        raise error.within(str(at.at("mechanism"))) from None


def _code(text: str, folder: Path, where: str) -> str:
    """The place of a function in a Python file, which is looked at and not run.

    Raises:
        InputError: where there is no such file, or the name stands nowhere in it.

    """
    file, _, name = text.rpartition(":")
    path = folder / file
    problem = f"{text} names no function" if not file else "" if path.is_file() else f"there is no file {path}"
    if not problem and not re.search(rf"\b{re.escape(name)}\b", text_of(path, "a Python file", most=MOST_BYTES)):
        problem = f"{file} has no {name}"
    if problem:
        raise InputError(problem, where=where, wanted="FILE.py:NAME, from the folder of the claims")
    return f"{path}:{name}"


def outcomes(claims: list[FiledClaim], tick: Callable[[int, int], object] | None = None) -> Iterator[ClaimOutcome]:
    """Yield the outcome of each claim, one after the other."""
    for number, one in enumerate(claims, start=1):
        yield one.ask()
        if tick:
            tick(number, len(claims))
