"""The rows that a simulator must imitate, from a certificate about a definition of DP22 with a simulator.

The checker's copy of the definition lists the rows; the judge looks for the simulator, and nothing is read from the
evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.checker.judge import IMITATED, INFERRED
from verifier.checker.laws import Tables
from verifier.checker.simulators.centres import ROWS, ContextRows, chances_of, coupled_rows, typical, typical_rows
from verifier.errors import LimitError
from verifier.wings.judges.numbers import factor, number
from verifier.wings.judges.tables import ClaimedAnswer, enclosed, listed_by_the_replay, survey_question

CENTRES = {*IMITATED, INFERRED}
"""The definitions of DP22 that ask for a simulator."""
MOST_NUMBERS = 4_000
"""Largest number of products of a probability with an unknown that are written out."""


class ImitatedRow(NamedTuple):
    """A law to be imitated: `law` has P[o and the row] by output o, `told` P[c and the row] by context c.

    A context is what the simulator is told, by its number. `share` is the probability of a row that may be left out.
    """

    words: str
    law: dict[int, Fraction]
    told: dict[int, Fraction]
    share: Fraction


class ImitatedGroup(NamedTuple):
    """Lists of rows (`choices`) of which one must be imitated, but for rows whose shares sum to at most `left_out`."""

    choices: tuple[tuple[ImitatedRow, ...], ...]
    left_out: Fraction | None = None


@dataclass(frozen=True)
class Imitation:
    """The groups of rows, each of which must be imitated, with the answer that the certificate claims.

    Where beliefs are compared (`believed`), a group has the rows of one protected record.
    """

    answer: ClaimedAnswer
    outputs: tuple[str, ...]
    contexts: tuple[str, ...]
    groups: tuple[ImitatedGroup, ...]

    @property
    def rows(self) -> Iterator[ImitatedRow]:
        """All rows, in the order of their numbers."""
        return (row for group in self.groups for choice in group.choices for row in choice)

    @property
    def believed(self) -> bool:
        """Whether beliefs are compared, and not laws of outputs."""
        return self.answer.key == INFERRED


def imitation_of(certificate: dict[str, Any]) -> Imitation:
    """The rows to be imitated and the answer of a certificate.

    Raises:
        InputError: for a damaged certificate.
        UnsupportedError, LimitError: for a certificate that cannot be exported, with the reason.

    """
    question, answer = survey_question(certificate, CENTRES)
    key, asked = question["definition"], question["epsilon"]
    lower, upper = enclosed(answer["tight_epsilon"])
    numbered = _Numbers()
    with listed_by_the_replay():
        groups = tuple(_groups(question, Tables(certificate), numbered))
    imitation = Imitation(
        ClaimedAnswer(
            key,
            None if asked is None else factor(asked),
            number(question["delta"]),
            answer["verdict"],
            lower,
            upper,
            answer["tight_delta"],
        ),
        tuple(numbered.outputs),
        tuple(numbered.contexts.values()),
        groups,
    )
    products = len(imitation.outputs) * sum(len(row.law) + len(row.told) for row in imitation.rows)
    if products > MOST_NUMBERS:
        raise LimitError(f"{products:,} products with an unknown", wanted=f"at most {MOST_NUMBERS:,}, for a prover")
    return imitation


class _Numbers:
    """Outputs and contexts by numbers; a simulator of another choice has contexts of its own."""

    def __init__(self) -> None:
        self.outputs: dict[str, int] = {}
        self.contexts: dict[tuple[Any, ...], str] = {}
        self._known: dict[tuple[Any, ...], int] = {}

    def rows(self, simulator: Any, rows: ContextRows, shares: dict[Any, Fraction]) -> tuple[ImitatedRow, ...]:
        """The rows of one choice."""
        return tuple(
            ImitatedRow(
                " ".join(str(part) for part in name if part not in {"", "\x00"}),
                {self.outputs.setdefault(o, len(self.outputs)): p for o, p in row.law.items() if p},
                {self._context(simulator, told): p for told, p in row.contexts.items() if p},
                shares.get(name, Fraction(1)),
            )
            for name, row in rows.items()
        )

    def _context(self, simulator: Any, told: tuple[Any, ...]) -> int:
        key = (simulator, told)
        self.contexts.setdefault(key, f"simulator {simulator}, told {told}")
        return self._known.setdefault(key, len(self._known))


def _groups(question: dict[str, Any], setting: Tables, numbered: _Numbers) -> Iterator[ImitatedGroup]:
    """The groups of rows that the definition of a question asks to imitate."""
    key = question["definition"]
    if key == INFERRED:
        by_protected: dict[Any, ContextRows] = {}
        for (*protected, value), row in coupled_rows(setting).items():
            by_protected.setdefault(tuple(protected), {})[*protected, value] = row
        for rows in by_protected.values():
            yield ImitatedGroup((numbered.rows("", rows, {}),))
    elif ROWS[key] is typical:
        for theta in setting.distributions:
            chances = chances_of(setting, theta)
            rows = typical_rows(setting, theta, chances)
            shares = dict(zip(rows, chances.values(), strict=True))
            yield ImitatedGroup((numbered.rows(theta, rows, shares),), setting.need("gamma"))
    else:
        for _, choices in ROWS[key](setting, question["reading"]):
            yield ImitatedGroup(tuple(numbered.rows(choice, rows, {}) for choice, rows in choices))
