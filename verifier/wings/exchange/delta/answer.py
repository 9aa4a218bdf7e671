"""The answer about an exchange rate with δ: the smallest δ′ as a function of ε′, piece by piece, with its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from verifier.definitions.answer import Decimal
from verifier.errors import UnsupportedError
from verifier.model import Model
from verifier.numbers import Delta, Epsilon, exact_text
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.reals import times
from verifier.profile import NO_LOSS, Profile, envelope
from verifier.wings.exchange.answer import UNSUPPORTED, Exchanged, mechanism_rows, row_fields
from verifier.wings.exchange.delta.program import Piece
from verifier.wings.exchange.rows import LinearRow

NAME = "x"
"""The name of e^(c·ε′) in formulas."""


@dataclass(frozen=True, kw_only=True)
class DeltaCurve(Exchanged[Model]):
    """The smallest δ′ for which every mechanism that is `source` at (`epsilon`, `delta_from`) is (ε′, δ′)-`target`.

    It is a function of x = e^(c·ε′), with c the `scale`: `pieces` are its lines. `compared` are the rows of the target.
    """

    epsilon: Epsilon
    delta_from: Fraction
    scale: Fraction = Fraction(1)
    compared: tuple[LinearRow, ...] = field(default=(), repr=False)
    pieces: tuple[Piece, ...] = field(default=(), repr=False)
    asked: tuple[Epsilon, ...] = ()
    """The ε′ whose smallest δ′ is listed in `fields`, too."""

    @property
    def variable(self) -> str:
        """The meaning of x as text, such as `x = e^ε′`."""
        return f"{NAME} = e^ε′" if self.scale == 1 else f"{NAME} = e^({exact_text(self.scale)}·ε′)"

    @property
    def profile(self) -> Profile:
        """The curve as a privacy profile: δ′ as a function of c·ε′, with its segments and breakpoints.

        Raises:
            UnsupportedError: where nothing was computed.

        """
        if self.verdict == UNSUPPORTED:
            raise UnsupportedError(f"no curve: {self.reason}")
        lines = [(piece.best.below, piece.best.above) for piece in self.pieces]
        shared = lcm(*(number.denominator for line in lines for number in line))
        points = [(int(below * shared), int(above * shared)) for below, above in lines]
        return envelope([(shared, points)]) if points else NO_LOSS

    def delta(self, epsilon: object) -> Delta:
        """The smallest δ′ at an ε′; `inf` asks for the limit that no ε′ gets below.

        Raises:
            InputError: for an invalid ε.
            UnsupportedError: where nothing was computed.

        """
        return self.profile.delta(times(read_epsilon(epsilon, "epsilon"), self.scale))

    def __str__(self) -> str:
        question = f"{self.source} at ({self.epsilon}, {exact_text(self.delta_from)}) is {self.target} at (ε′, δ′)"
        if not self.pieces:
            return f"{question}: {self.verdict}, {self.reason}"
        return f"{question}: δ′ = {self.formula}, with {self.variable}"

    @property
    def formula(self) -> str:
        """The smallest δ′ in words, piece by piece."""
        return "; ".join(f"{line_text(piece)} for {piece.where.text(NAME)}" for piece in self.pieces)

    @property
    def asked_too(self) -> dict[str, Any]:
        """The δ of the source, and the variable of the curve."""
        return {"delta": self.delta_from, "over": self.variable}

    def found_fields(self) -> dict[str, Any]:
        """The smallest δ′ at the ε′ that were asked, and the pieces."""
        return {
            "rows_from": len(self.assumed),
            "rows_to": len(self.compared),
            "at": [self._at(epsilon) for epsilon in self.asked],
            "pieces": list(map(self._piece, self.pieces)),
        }

    def _at(self, epsilon: Epsilon) -> dict[str, Any]:
        needed = None if self.verdict == UNSUPPORTED else self.delta(epsilon)
        return {"epsilon_b": epsilon, "tight_delta": needed, "tight_delta_decimal": Decimal(needed)}

    def _piece(self, piece: Piece) -> dict[str, Any]:
        """A piece: its range, line and row, multipliers that prove it at its start, and a mechanism that attains it."""
        best = max(piece.gains, key=lambda gain: gain.value)
        return {
            "for": piece.where.text(NAME),
            "from": piece.start,
            "to": piece.end,
            "tight_delta": line_text(piece),
            "value": piece.best.above,
            "slope": -piece.best.below,
            "row": row_fields(self.model, piece.best.row),
            "proof": {
                "at": piece.start,
                "tight_delta": best.value,
                "row": best.row.words,
                "multipliers": [
                    {"row": row.words, "output": output, "times": price}
                    for row, output, price in self.multipliers(best.multipliers)
                ],
            },
            "mechanism": mechanism_rows(self.model, piece.best.column or {}),
        }

    def multipliers(self, numbered: Sequence[tuple[int, Fraction]]) -> list[tuple[LinearRow, str, Fraction]]:
        """Multipliers with their rows of A, and the output, 1 or 0, whose probability the row bounds."""
        count = len(self.assumed)
        return [(self.assumed[number % count], "1" if number < count else "0", price) for number, price in numbered]


def line_text(piece: Piece) -> str:
    """The line of a piece as text, such as `1/2 - 1/4*x`."""
    above, below = (exact_text(value, 60) for value in (piece.best.above, piece.best.below))
    if not piece.best.below:
        return above
    return f"{above} - {NAME}" if piece.best.below == 1 else f"{above} - {below}*{NAME}"
