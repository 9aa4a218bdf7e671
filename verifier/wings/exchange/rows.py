"""The rows of a linear ratio definition: pairs of laws on databases, P(o) ≤ e^(c·ε)·Q(o) for each output o.

With m(D) = P[M(D) = o], a row asks p·m ≤ e^(c·ε)·q·m of the column m of each output, where p and q are laws on
databases that do not depend on the mechanism. So it is linear in the mechanism. These definitions have such rows:

- *Laws of outputs, the ratio measure, the worst row* (DMKB20, Definitions 2, 3 and 5; DP22's relations, secrets,
  distributions, adversaries and samples). M(D) under a law p on databases puts out o with probability p·m, and the
  largest loss is at most c·ε iff p·m ≤ e^(c·ε)·q·m for each o.
- *Hockey-stick divergence or tail, at δ = 0.* Σₒ max(0, P(o) - e^(c·ε)·Q(o)) = 0 iff each term is 0, and
  P[loss > c·ε] = 0 iff no output that P can produce has p·m > e^(c·ε)·q·m: the same rows.
- *A multiple c = 0 of ε.* Then P(o) ≤ Q(o) for each o, and both sum to 1, so that P = Q: two rows, one in each order.
- *An average of those, at δ = 0.* A sum of terms ≥ 0 with positive shares is 0 iff each term is 0: the rows are those
  with a positive share, each as if it stood alone.
- *Posterior against prior* (DP22, Definitions 34 to 36 and 39). With θ the law of the database given B̂ and θ_A the law
  given the event A (D(i) = a; D = d; t ∈ D; t ∉ D) as well, Bayes says P[A | o] = P[A]·(θ_A·m)/(θ·m). So
  P[A | o] ≤ e^ε·P[A] iff θ_A·m ≤ e^ε·θ·m, and P[A] ≤ e^ε·P[A | o] iff θ·m ≤ e^ε·θ_A·m. An output with θ·m = 0 is not
  compared by the definition; the rows ask 0 ≤ 0 of it, since θ_A·m ≤ θ·m/P[A]. An event of probability 0 is no row.

Not linear: posterior against posterior (a product of two columns), the spread of losses and semantic privacy (two
outputs at once), simulators (unknowns of their own), all but a share γ (a choice of rows), and every other measure.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from verifier.definitions import HOCKEY_STICK, Definition
from verifier.definitions.builders.events import Known, backgrounds
from verifier.definitions.builders.posteriors import Beliefs, Membership
from verifier.definitions.builders.random_pairs import Sampled
from verifier.definitions.builders.relations import Relation
from verifier.definitions.builders.resolve import comparing, outputs
from verifier.definitions.builders.rows import ONE, Setting, law_of
from verifier.definitions.comparison import TAIL
from verifier.definitions.scheme import Scheme
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model import Database, Model, database_text
from verifier.wings.search.linear_bounds import DatabaseLaw, Form, forms_of, line_of

MOST_DATABASES = 1 << 8
"""Largest number of databases of a model whose pairs are listed."""


class LinearRow(NamedTuple):
    """A row P(o) ≤ e^(scale·ε)·Q(o) for each output o, with laws p and q on databases; `words` say what is compared."""

    p: DatabaseLaw
    q: DatabaseLaw
    scale: Fraction = ONE
    words: str = ""

    @property
    def key(self) -> Hashable:
        """The key by which rows are told apart: the two laws and the scale, without the words."""
        return frozenset(self.p), frozenset(self.q), self.scale

    def line(self, factor: Any) -> dict[Database, Any]:
        """The coefficients p(D) - factor·q(D) that are not 0, by database."""
        return line_of(self.p, self.q, factor)


def databases_of(rows: Iterable[LinearRow]) -> list[Database]:
    """The databases that the laws of some rows name, in order."""
    return sorted({database for row in rows for law in (row.p, row.q) for database, _ in law})


def linear_rows(model: Model, definition: Definition, max_rows: int) -> tuple[LinearRow, ...]:
    """The rows of a definition for the θ and B of a model, at δ = 0, equal rows once; the mechanism plays no part.

    Raises:
        UnsupportedError: for a definition that has no such rows, or that does not apply to the model; with the reason.
        LimitError: for more databases, worlds or rows than the limits.

    """
    engine = Engine(model, max_rows)
    lister = _lister(definition)
    definition.applies(engine)
    if model.sizes is not None or model.policy.moves_answers:  # there dp compares by a relation
        definition = definition.on(engine)
        lister = _lister(definition)
    distinct: dict[Hashable, LinearRow] = {}
    for row in lister(engine, definition):
        distinct.setdefault(row.key, row)
        if not row.scale:
            swapped = row._replace(p=row.q, q=row.p, words=f"{row.words}, the other way round")
            distinct.setdefault(swapped.key, swapped)
    return tuple(distinct.values())


def _lister(definition: Definition) -> Callable[[Engine, Definition], Iterable[LinearRow]]:
    """The function that lists the rows of a definition.

    Raises:
        UnsupportedError: for a definition without rows that are linear in the mechanism, with the reason.

    """
    key = definition.key
    if definition.own:
        raise UnsupportedError(f"{key} is a definition of your own: the independent re-check has no copy of it")
    if definition.undecided:
        raise UnsupportedError(f"{key} is not decided: {definition.undecided}")
    if isinstance(definition.compare, Scheme):
        _refuse_scheme(key, definition.compare)
        return _rows_of_scheme
    compare = comparing(definition)
    if compare is None:
        raise UnsupportedError(f"{key} is not a list of pairs of distributions on databases, apart from the mechanism")
    if compare.view is not outputs:
        raise UnsupportedError(f"{key} compares posteriors with posteriors, which is not linear in the mechanism")
    if definition.curve() not in (HOCKEY_STICK, TAIL):
        raise UnsupportedError(f"{key} has a measure that is not linear in the mechanism")
    return _rows_of_forms


def _refuse_scheme(key: str, scheme: Scheme) -> None:
    """Refuse views, measures and aggregations that are not linear in the mechanism."""
    if scheme.view != "outputs":
        raise UnsupportedError(f"{key} looks at parts or images of the outputs of one mechanism, not of all mechanisms")
    at_zero = scheme.measure in {"hockey-stick", "tail"}
    if scheme.measure != "ratio" and not at_zero:
        raise UnsupportedError(f"{key} has the measure {scheme.measure}, which is not linear in the mechanism")
    if scheme.aggregation != "worst" and not (scheme.aggregation == "average" and at_zero):
        raise UnsupportedError(f"{key} leaves out a share of its rows, a choice that is not linear in the mechanism")


def _rows_of_forms(engine: Engine, definition: Definition) -> Iterator[LinearRow]:
    """The rows of the overview's definitions: neighbours, laws given B̂ and a value, counterfactuals."""
    model = engine.model
    for form in forms_of(model, definition, engine.max_rows):
        for pair in form.parts:
            yield LinearRow(pair.p, pair.q, ONE, _words(model, form, pair.knowledge, pair.p, pair.q))


def _words(model: Model, form: Form, known: str | None, p: DatabaseLaw, q: DatabaseLaw) -> str:
    """The words of a row of the overview's definitions: the laws that it compares."""
    theta, record, a, b, _, order, base = form.place
    if base is not None:
        return f"M({database_text(p[0][0], model.values)}) against M({database_text(q[0][0], model.values)})"
    subject = "S" if record is None else f"D({record})"
    background = f", B = {known}" if known not in {None, "\x00"} else ""
    return f'M(D) in "{theta}", {subject}: {a} against {b}{background}{f", {order}" if order else ""}'


def _rows_of_scheme(engine: Engine, definition: Definition) -> Iterator[LinearRow]:
    """The rows of DP22's definitions."""
    setting = Setting(definition.key, engine.model, engine)
    scheme = definition.compare
    if not isinstance(scheme, Scheme):
        raise TypeError(f"{definition.key} is no definition of a scheme")
    builder = scheme.builder
    if isinstance(builder, Relation | Sampled) and setting.number_of_databases > MOST_DATABASES:
        raise LimitError(
            f"{definition.key} looks at pairs of {setting.number_of_databases:,} databases",
            wanted=f"at most {MOST_DATABASES:,} for conversions",
            tip="use fewer records or values",
        )
    if isinstance(builder, Beliefs):
        yield from _rows_of_beliefs(setting, builder)
        return
    if isinstance(builder, Membership):
        yield from _rows_of_membership(setting, builder)
        return
    for group in builder(setting):
        for case in group.cases:
            for row in case.rows if case.share else ():
                yield LinearRow(law_of(row.p), law_of(row.q), row.scale, row.words)


def _gathered(known: Known, event: Callable[[Database], bool]) -> DatabaseLaw | None:
    """The law of the database given B̂ and an event; None where the event is impossible."""
    total: dict[Database, int] = {}
    for world, weight in known.worlds:
        if weight and event(world.database):
            total[world.database] = total.get(world.database, 0) + weight
    return law_of(tuple(total.items())) if total else None


def _everywhere(_database: Database) -> bool:
    return True


def _rows_of_beliefs(setting: Setting, builder: Beliefs) -> Iterator[LinearRow]:
    """Posterior against prior of each value of D(i), or of each database, in both orders (ANPr, InfPr)."""
    records: Sequence[int | None] = sorted(setting.protected() or ()) if builder.about == "record" else [None]
    values = setting.model.values
    for known in backgrounds(setting):
        prior = _gathered(known, _everywhere)
        databases = dict.fromkeys(world.database for world, weight in known.worlds if weight)
        for record in records:
            positions = range(setting.model.size) if record is None else [record]
            for cell in dict.fromkeys(tuple(database[i] for i in positions) for database in databases):

                def inside(database: Database, cell: Database = cell, positions: Sequence[int] = positions) -> bool:
                    return cell == tuple(database[i] for i in positions)

                posterior = _gathered(known, inside)
                if prior is None or posterior is None:
                    continue
                event = f"D = {database_text(cell, values)}" if record is None else f"D({record}) = {values[cell[0]]}"
                yield from _belief(known, event, posterior, prior, ("upper", "lower"))


def _rows_of_membership(setting: Setting, builder: Membership) -> Iterator[LinearRow]:
    """Posterior against prior of t ∈ D and of t ∉ D, for the bounds that the definition asks for (PMPr, NMPr, MPr)."""
    for known in backgrounds(setting):
        prior = _gathered(known, _everywhere)
        for t, value in enumerate(setting.model.values):
            if t == setting.policy.absent:
                continue
            for cell in builder.cells:
                side, _, bound = cell.partition("-")
                posterior = _gathered(known, lambda database, t=t, side=side: (t in database) == (side == "in"))  # type: ignore[misc]
                if prior is not None and posterior is not None:
                    event = f"{value} {'∈' if side == 'in' else '∉'} D"
                    yield from _belief(known, event, posterior, prior, (bound,))


def _belief(
    known: Known, event: str, posterior: DatabaseLaw, prior: DatabaseLaw, bounds: Sequence[str]
) -> Iterator[LinearRow]:
    """The rows of one event: θ_A against θ bounds the posterior from above, θ against θ_A from below."""
    background = "" if known.knowledge is None else f", given B = {known.knowledge}"
    for bound in bounds:
        p, q, sides = (
            (posterior, prior, "posterior against prior")
            if bound == "upper"
            else (
                prior,
                posterior,
                "prior against posterior",
            )
        )
        words = f'in "{known.theta.name}"{background}, the belief that {event}, {sides}'
        yield LinearRow(p, q, ONE, words)
