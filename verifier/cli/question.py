"""The question that the options of `pkdp check` ask, read before any model.

A decimal given for ε that looks like a rounded logarithm is taken as it stands, and a note says so: 0.69 is 69/100
here, which is less than ln(2) = 0.693…, and what holds at ln(2) may fail at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from verifier.cli.common import about
from verifier.definitions import find
from verifier.definitions.answer import ALL_DIGITS
from verifier.errors import InputError
from verifier.model.field_words import field_word
from verifier.numbers import DIGITS, Epsilon, probability, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.questions import language

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
            probability(question.delta, "--delta", "δ")

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
        return DefinitionRequest(definition.key, epsilon, "0" if delta is None else delta, reading)
    written = language.question(text, "--definition")
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


def note_on(text: str | None, more: Iterable[object] = ()) -> str:
    """Return a note where a decimal is near a logarithm, such as 0.69; else an empty text."""
    logarithm = rounded_logarithm(text, more)
    if logarithm is None or text is None:
        return ""
    decimal = text.strip()
    return f'ε = {decimal} is {Fraction(decimal)} and not {logarithm}, which is written --epsilon "{logarithm}"'
