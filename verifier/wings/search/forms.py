"""What a definition bounds, as linear forms in an unknown mechanism.

Every law that DP, NP, APKDP, PPKDP and CDP compare is a law on databases, pushed through the mechanism: P[M ∈ S] =
Σ_d P(d)·M(d)(S). The laws on databases are those that the definition compares for the mechanism that tells its input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.definitions import HOCKEY_STICK, Comparison, Definition, Term, find
from verifier.definitions.compare import Comparing, outputs
from verifier.definitions.pairs import Pair
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database, Mechanism, Model
from verifier.numbers import Epsilon, exact_text
from verifier.tables import Label, Law

MAX_DATABASES = 1 << 10
"""Most databases on which a mechanism is looked for."""


@dataclass(frozen=True)
class Part:
    """One pair of laws on databases, P against Q, and the share with which it counts."""

    share: Fraction
    knowledge: str | None
    p: tuple[tuple[Database, Fraction], ...]
    q: tuple[tuple[Database, Fraction], ...]

    def line(self, E: Fraction) -> dict[Database, Fraction]:
        """P(d) - E·Q(d), where it is not 0."""
        found = dict(self.p)
        for database, weight in self.q:
            found[database] = found.get(database, Fraction(0)) - E * weight
        return {database: weight for database, weight in found.items() if weight}


@dataclass(frozen=True)
class Form:
    """Σ share·Σₒ max(0, P(o) - e^ε·Q(o)) of one comparison, which δ bounds; `place` says which comparison it is."""

    place: tuple[str | int | None, ...]
    parts: tuple[Part, ...]

    @property
    def databases(self) -> Iterator[Database]:
        """All databases of positive probability."""
        for part in self.parts:
            yield from (database for database, _ in (*part.p, *part.q))


def definition_of(name: str) -> Definition:
    """A definition that bounds the mechanism linearly.

    Raises:
        UnsupportedError: for others, with the reason.

    """
    found = find(name)
    linear = isinstance(found.compare, Comparing) and found.compare.view is outputs
    if not linear or found.decider is not None:
        raise UnsupportedError(
            f"{found.key} is no linear bound on the mechanism",
            wanted="dp, np, apkdp, ppkdp or cdp",
            tip="pkdp search takes every definition",
        )
    if found.measure is not HOCKEY_STICK:
        raise UnsupportedError(
            f"{found.key} bounds a probability of losses, which post-processing may increase and which is not linear",
            wanted="dp, np, apkdp, ppkdp or cdp",
        )
    return found


def factor_of(epsilon: Epsilon, where: str = "") -> Fraction:
    """e^ε, where it is rational.

    Raises:
        UnsupportedError: for another ε, with rational neighbours where it is finite.

    """
    if epsilon.exp is not None:
        return epsilon.exp
    if epsilon.is_infinite:
        raise UnsupportedError("at ε = inf the bounds are not linear", where=where, wanted='ε = "ln(p/q)"')
    low, high = epsilon.exp_bracket(24)
    ends = [(low * 1000).__floor__(), (high * 1000).__floor__() + 1]
    around = " and ".join(f"ln({exact_text(Fraction(end, 1000))})" for end in ends)
    raise UnsupportedError(
        f"given ε = {epsilon}, whose e^ε is not rational",
        where=where,
        wanted='ε = "ln(p/q)", for an exact linear program',
        tip=f"the optimum is monotone in each ε, so ask at {around}",
    )


def forms_of(model: Model, definition: Definition, max_rows: int) -> tuple[Form, ...]:
    """All comparisons of a definition, as forms in an unknown mechanism on the model's databases."""
    engine = Engine(replace(model, mechanism=_telling(model)), max_rows, "rows")
    definition.applies(engine)
    averages = definition.aggregation.averages
    reached = set[Database]()
    found = []
    for family in definition.families(engine, "default"):
        for one in family.comparisons:
            if one.terms:
                found.append(_form(one, averages=averages))
                reached.update(found[-1].databases)
                refuse_databases(len(reached))
    return tuple(found)


def refuse_databases(count: int) -> None:
    """Refuse a mechanism on too many databases.

    Raises:
        LimitError: for more than `MAX_DATABASES`.

    """
    if count > MAX_DATABASES:
        raise LimitError(
            f"the mechanism is asked for on more than {MAX_DATABASES:,} databases ({count:,} are counted so far)",
            wanted=f"at most {MAX_DATABASES:,}",
            tip="fewer records or values; np, apkdp and ppkdp reach possible databases only",
        )


def _telling(model: Model) -> Mechanism:
    """The mechanism that tells its input, by positions."""

    def table(database: Database) -> Law:
        text = ",".join(map(str, database))
        return Law.point(Label(text, text))

    return Mechanism("the database", model.size, model.values, table=table)


def _form(one: Comparison, *, averages: bool) -> Form:
    parts = tuple(_part(term, Fraction(int(term.mass), int(one.whole))) for term in one.terms)
    a, b = (label.text if label else None for label in (one.a, one.b))
    pair = one.terms[0].pair
    direction = pair.direction if isinstance(pair, Pair) else ""
    known = None if averages else parts[0].knowledge
    first = ",".join(map(str, one.databases()[0])) if one.databases else None
    return Form((one.distribution, one.record, a, b, known, direction, first), parts)


def _part(term: Term, share: Fraction) -> Part:
    pair = term.pair
    if not isinstance(pair, Pair) or pair.q is None:
        raise ArithmeticError("the laws of a mechanism that tells its input are tables")
    rows = list(pair.rows())
    known = pair.heard.label.text if pair.heard else None
    p = tuple((_database(o), x) for o, x, _ in rows if x)
    return Part(share, known, p, tuple((_database(o), y) for o, _, y in rows if y))


def _database(output: Label) -> Database:
    return tuple(int(digit) for digit in output.text.split(","))
