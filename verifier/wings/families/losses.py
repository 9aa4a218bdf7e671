"""Privacy losses of a family as closed forms in its parameter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.definitions import np
from verifier.definitions.answer import Valued
from verifier.engine import MAX_ROWS
from verifier.errors import InputError
from verifier.model.distribution import NOTHING
from verifier.model.parameters import Family
from verifier.numbers import Function
from verifier.wings.families.comparisons import comparisons, general_member
from verifier.wings.families.domain import domain, inner_value
from verifier.wings.families.formulas import formula, latex_formula
from verifier.wings.families.intervals import Interval
from verifier.wings.families.points import ONE
from verifier.wings.families.valid import refuse_invalid


@dataclass(frozen=True)
class OutputLossFunctions:
    """One output: p = P[output | B̂, S = a], q = P[output | B̂, S = b], and `factor` = p/q = e^loss, None for ∞."""

    distribution: str
    record: int | None
    a: str
    b: str
    knowledge: str
    output: str
    p: Function
    q: Function
    factor: Function | None

    @property
    def laws(self) -> tuple[Function, Function]:
        """The probabilities P[output | B̂, S = a] and P[output | B̂, S = b]."""
        return self.p, self.q

    def loss(self, name: str, at: Fraction) -> str:
        """The loss in nats: `ln(…)`, `0`, `inf` or `-inf`."""
        if self.factor is None:
            return "inf"
        if not self.factor:
            return "-inf"
        return "0" if self.factor == 1 else f"ln({formula(self.factor, name, at)})"

    def latex(self, name: str, at: Fraction) -> str:
        """The loss in nats as a formula for LaTeX."""
        if self.factor is None or not self.factor:
            return r"\infty" if self.factor is None else r"-\infty"
        is_one = self.factor == 1
        return "0" if is_one else rf"\ln\left({latex_formula(self.factor, name, at)}\right)"


@dataclass(frozen=True)
class FamilyLosses(Valued):
    """The losses of all outputs for one pair of values, on the open intervals where nothing becomes impossible."""

    family: Family
    rows: tuple[OutputLossFunctions, ...]
    where: tuple[Interval, ...]

    @property
    def inside(self) -> Fraction:
        """A value of the parameter inside the range, at which formulas choose the signs of their factors."""
        sample = self.where[0].sample
        return sample if isinstance(sample, Fraction) else Fraction(1, 2)

    def fields(self) -> list[dict[str, Any]]:
        """The rows of `pkdp loss --json`: an object for each output; functions are written in full."""
        name, at = self.family.names[0], self.inside
        return [
            {
                "distribution": row.distribution,
                "record": row.record,
                "a": row.a,
                "b": row.b,
                "knowledge": None if row.knowledge == NOTHING.text else row.knowledge,
                "output": row.output,
                "probability_a": formula(row.p, name, at),
                "probability_b": formula(row.q, name, at),
                "loss": row.loss(name, at),
                "latex": row.latex(name, at),
                "where": [interval.text(name) for interval in self.where],
            }
            for row in self.rows
        ]


def family_losses(
    family: Family, record: int | None = None, values: tuple[str, str] | None = None, max_rows: int = MAX_ROWS
) -> FamilyLosses:
    """The losses ln(P[M(D) = o | B̂, D(i) = a]/P[M(D) = o | B̂, D(i) = b]) as functions of the only parameter, in nats.

    `record` is i, by default the first record that is compared at a and b; `values` are the texts of a and b, by
    default the first pair that is compared.

    Raises:
        InputError: for a record or values that are not compared, and for an invalid family.

    """
    domain_ = domain(family)
    refuse_invalid(family, domain_)
    every = list(_rows(family, max_rows))
    fitting = [row for row in every if record in {None, row.record}]
    chosen = values or next(((row.a, row.b) for row in fitting), None)
    rows = tuple(row for row in fitting if (row.a, row.b) == chosen)
    if not rows:
        records = ", ".join(str(known_record) for known_record in dict.fromkeys(row.record for row in every)) or "none"
        pairs = ", ".join(dict.fromkeys(f"{row.a} {row.b}" for row in every)) or "none"
        choices = [] if record is None else [f"record {record}"]
        choices += [f"the values {values[0]} and {values[1]}"] if values else []
        raise InputError(
            f"the family does not compare {' and '.join(choices) or 'anything'}",
            where=str(family.location),
            wanted=f"a record and two values that are compared: record {records}, values {pairs}",
        )
    first = rows[0].record
    rows = tuple(row for row in rows if row.record == first)
    return FamilyLosses(family, rows, tuple(interval for interval in domain_ if interval.point is None))


def _rows(family: Family, max_rows: int) -> Iterator[OutputLossFunctions]:
    (name,) = family.names
    member = general_member(family, [{name: inner_value(family)}])
    for comparison in comparisons(np, "default", member, ONE, max_rows):
        for term in comparison.terms:
            for output, p, q in term.rows:
                if p or q:
                    known, factor = term.knowledge or "", p / q if q else None
                    yield OutputLossFunctions(
                        comparison.distribution or "",
                        comparison.record,
                        comparison.a,
                        comparison.b,
                        known,
                        output,
                        p,
                        q,
                        factor,
                    )
