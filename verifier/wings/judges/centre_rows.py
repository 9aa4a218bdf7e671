"""A certificate about a definition of DP22 with a simulator, as what is to be imitated: the export writes this down.

What is compared is said by the replay's copy of the definition; the simulator is left to the judge, and nothing is read
from the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.errors import InputError, LimitError, UnsupportedError
from verifier.replay.centres import IMITATED, Rows, chances_of, coupled_rows, typical, typical_rows
from verifier.replay.inference import INFERRED
from verifier.replay.rejected import Beyond, Rejected
from verifier.replay.setting import Setting
from verifier.wings.judges.numbers import factor, number
from verifier.wings.judges.smt_exists import SimulatedAnswer
from verifier.wings.judges.tables import enclosed

CENTRES = {*IMITATED, INFERRED}
"""The definitions of DP22 that ask for a simulator."""
MOST_NUMBERS = 4_000
"""Most products of a probability with an unknown that are written out."""


class ImitatedRow(NamedTuple):
    """What is imitated once: P[o and the row] by o, P[c and the row] by the number c of what the simulator is told.

    `share` is the probability of a row that may be left out.
    """

    words: str
    law: dict[int, Fraction]
    told: dict[int, Fraction]
    share: Fraction


class ImitatedGroup(NamedTuple):
    """Lists of rows of which one must be imitated; rows of a total share up to `left_out` need not be."""

    choices: tuple[tuple[ImitatedRow, ...], ...]
    left_out: Fraction | None = None


@dataclass(frozen=True)
class Imitation:
    """The groups, each of which must be imitated; for `beliefs` the rows are in groups by what is protected."""

    answer: SimulatedAnswer
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
    """What is imitated, and the answer.

    Raises:
        InputError: where the certificate is damaged.
        UnsupportedError, LimitError: where it cannot be exported, with the reason.

    """
    question, answer = certificate["question"], certificate["answer"]
    key, verdict, asked = question["definition"], answer["verdict"], question["epsilon"]
    if key not in CENTRES or question["reading"] != "default":
        raise UnsupportedError(f"{key} in the reading {question['reading']} has no export")
    if verdict not in {"holds", "fails", "vacuous"}:
        raise UnsupportedError(f"the verdict is {verdict}, which says nothing")
    lower, upper = enclosed(answer["tight_epsilon"])
    numbered = _Numbers()
    try:
        groups = tuple(_groups(key, Setting(certificate), numbered))
    except Beyond as error:
        raise LimitError(str(error), wanted="a smaller model") from None
    except Rejected as error:
        raise InputError(str(error), where="the certificate", wanted="one that the replay accepts") from None
    imitation = Imitation(
        SimulatedAnswer(
            key,
            verdict,
            None if asked is None else factor(asked),
            number(question["delta"]),
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
        raise LimitError(f"{products:,} products with an unknown", wanted=f"at most {MOST_NUMBERS:,}, for a judge")
    return imitation


class _Numbers:
    """Outputs and contexts by numbers; a simulator of another choice has contexts of its own."""

    def __init__(self) -> None:
        self.outputs: dict[str, int] = {}
        self.contexts: dict[tuple[Any, ...], str] = {}
        self._known: dict[tuple[Any, ...], int] = {}

    def rows(self, simulator: Any, rows: Rows, shares: dict[Any, Fraction]) -> tuple[ImitatedRow, ...]:
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


def _groups(key: str, setting: Setting, numbered: _Numbers) -> Iterator[ImitatedGroup]:
    """What the definition asks for, group by group."""
    if key == INFERRED:
        by_protected: dict[Any, Rows] = {}
        for (*protected, value), row in coupled_rows(setting).items():
            by_protected.setdefault(tuple(protected), {})[*protected, value] = row
        for rows in by_protected.values():
            yield ImitatedGroup((numbered.rows("", rows, {}),))
    elif IMITATED[key] is typical:
        for theta in setting.thetas:
            chances = chances_of(setting, theta)
            rows = typical_rows(setting, theta, chances)
            shares = dict(zip(rows, chances.values(), strict=True))
            yield ImitatedGroup((numbered.rows(theta, rows, shares),), setting.need("gamma"))
    else:
        for _, choices in IMITATED[key](setting):
            yield ImitatedGroup(tuple(numbered.rows(choice, rows, {}) for choice, rows in choices))
