"""The answer about an exchange rate: the smallest ε′, the multipliers that prove it, and a mechanism that needs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, TypeVar

from verifier.definitions.answer import EXIT_STATUS, Answer, Decimal, header
from verifier.model import Model
from verifier.model.parameters import Family
from verifier.numbers import Epsilon, exact_text
from verifier.wings.exchange.program import Column, Rate
from verifier.wings.exchange.rows import LinearRow

COMPUTED, VACUOUS, UNSUPPORTED = "computed", "vacuous", "unsupported"
YES, NO = "1", "0"
"""The outputs of an extreme mechanism; the column of the first attains the rate."""
Subject = TypeVar("Subject", bound="Model | Family")


@dataclass(frozen=True)
class Exchanged(Answer, Generic[Subject]):
    """What every mechanism that is `source` at `epsilon` is worth as `target`, for the θ and B of a model or family.

    `verdict` is `computed`, `vacuous` or `unsupported`; `assumed` are the rows of the source, which proofs name by
    their numbers.
    """

    model: Subject
    source: str
    target: str
    epsilon: Epsilon | None
    verdict: str = UNSUPPORTED
    reason: str | None = None
    assumed: tuple[LinearRow, ...] = field(default=(), repr=False)
    replayed: bool = False
    """Whether the independent checker listed the rows and added the proofs up again, which it does for small models."""

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 0 where the answer was computed, whatever it is."""
        return EXIT_STATUS.get(self.verdict, 0)

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp convert --json`."""
        return {
            **header(self.model),
            "from": self.source,
            "to": self.target,
            "epsilon": self.epsilon,
            **self.asked_too,
            "verdict": self.verdict,
            "reason": self.reason,
            **self.found_fields(),
            "replayed": self.replayed,
        }

    @property
    def asked_too(self) -> dict[str, Any]:
        """What else was asked, in `fields`."""
        return {}

    def found_fields(self) -> dict[str, Any]:
        """What was found, in `fields`."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Exchange(Exchanged[Model]):
    """The smallest ε′, `tight_epsilon`, for which every mechanism that is `epsilon`-`source` is ε′-`target`.

    `rates` has for each row of the target its bound and the multipliers that prove it, for the rows `assumed` of the
    source; `worst` is the largest rate. `chances` are the probabilities of the output 1 of a mechanism that is
    ε-`source` and needs all of `tight_epsilon`; `found` is the model with it.
    """

    epsilon: Epsilon
    tight_epsilon: Epsilon | None = None
    rates: tuple[Rate, ...] = field(default=(), repr=False)
    worst: Rate | None = field(default=None, repr=False)
    chances: Column | None = field(default=None, repr=False)
    found: Model | None = field(default=None, repr=False)

    def __str__(self) -> str:
        question = f"every mechanism that is {self.source} at {self.epsilon} is {self.target}"
        if self.tight_epsilon is None or self.verdict == VACUOUS:
            return f"{question}: {self.verdict}, {self.reason}"
        if self.tight_epsilon.is_infinite:
            return f"{question} at no finite ε"
        return f"{question} at {self.tight_epsilon.text(60)}, and at nothing smaller"

    def found_fields(self) -> dict[str, Any]:
        """The rate, its worst row with the multipliers that prove it, and the extreme mechanism."""
        worst = self.worst
        return {
            "tight_epsilon": self.tight_epsilon,
            "tight_epsilon_decimal": Decimal(self.tight_epsilon),
            "rows_from": len(self.assumed),
            "rows_to": len(self.rates),
            "row": None if worst is None else {**row_fields(self.model, worst.row), "factor": _text(worst.factor)},
            "multipliers": [
                {**row_fields(self.model, self.assumed[number]), "times": times}
                for number, times in (worst.multipliers if worst else ())
            ],
            "mechanism": None if self.chances is None else self.table(),
        }

    def table(self) -> list[dict[str, Any]]:
        """The extreme mechanism as the rows of a table in a model file."""
        return mechanism_rows(self.model, self.chances or {})


def row_fields(model: Model, row: LinearRow) -> dict[str, Any]:
    """The fields of a row in JSON: its words, its multiple of ε, and the laws on databases that it compares."""
    laws = {
        name: [{"database": model.shown(database), "probability": chance} for database, chance in law]
        for name, law in (("p", row.p), ("q", row.q))
    }
    return {"row": row.words, "scale": row.scale, **laws}


def mechanism_rows(model: Model, column: Column) -> list[dict[str, Any]]:
    """The mechanism with two outputs that has a column, as the rows of a table in a model file."""
    return [
        {
            "database": model.shown(database),
            "outputs": {label: exact_text(p, 10**9) for label, p in ((YES, chance), (NO, 1 - chance)) if p},
        }
        for database, chance in column.items()
    ]


def _text(factor: Fraction | None) -> Fraction | str:
    return "inf" if factor is None else factor
