"""The bounds of a definition as linear forms in an unknown mechanism.

Every law that DP, NP, APKDP, PPKDP and CDP compare is a law on databases, pushed through the mechanism: P[M ∈ S] =
Σ_d P(d)·M(d)(S). The laws on databases are those that the definition's rows name. A row of DP22's scheme is two laws on
databases, P against Q, at a multiple c of ε. Seen through the outputs of the mechanism, a ratio of at most e^(c·ε) and
a hockey-stick divergence of at most δ are both bounds on Σₒ max(0, P(o) - e^(c·ε)·Q(o)).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from verifier.definitions import HOCKEY_STICK, Definition
from verifier.definitions.builders.events import Adversaries, Distributions, Secrets
from verifier.definitions.builders.relations import Relation
from verifier.definitions.builders.resolve import BACKWARD, Given, NamedRow, Point, Worlds, comparing, outputs
from verifier.definitions.builders.rows import Setting, law_of
from verifier.definitions.registry import find_for_all
from verifier.definitions.scheme import Scheme
from verifier.engine import Engine
from verifier.errors import LimitError, UnsupportedError
from verifier.model import NOTHING, Database, Model, Secret, check_size
from verifier.numbers import Epsilon, exact_text, quotient
from verifier.numbers.reals import times
from verifier.tables import Label

MAX_DATABASES = 1 << 10
"""Largest number of databases on which a mechanism is looked for."""
BUILDERS = (Relation, Secrets, Distributions, Adversaries)
"""Builders of a scheme whose rows are pairs of laws on databases of the full size."""
DatabaseLaw: TypeAlias = tuple[tuple[Database, Fraction], ...]
"""A law on databases, of mass 1."""


@dataclass(frozen=True)
class WeightedPair:
    """One pair of laws on databases, P against Q, and the share with which it counts."""

    share: Fraction
    knowledge: str | None
    """B̂ as a text; None where nothing is known, or no B̂ is given."""
    p: DatabaseLaw
    q: DatabaseLaw

    def line(self, E: Fraction) -> dict[Database, Fraction]:
        """The coefficients P(d) - E·Q(d) that are not 0, by database."""
        return line_of(self.p, self.q, E)


def line_of(p: DatabaseLaw, q: DatabaseLaw, factor: Any) -> dict[Database, Any]:
    """The coefficients P(d) - factor·Q(d) that are not 0, by database."""
    line: dict[Database, Any] = dict(p)
    for database, weight in q:
        line[database] = line.get(database, Fraction(0)) - factor * weight
    return {database: coefficient for database, coefficient in line.items() if coefficient}


@dataclass(frozen=True)
class Form:
    """The sum Σ share·Σₒ max(0, P(o) - e^(scale·ε)·Q(o)) of one comparison, which δ bounds.

    `place` says which comparison it is: θ, record, a, b, B̂, order of the laws (or words), and database.
    """

    place: tuple[str | int | None, ...]
    parts: tuple[WeightedPair, ...]
    scale: int = 1
    """The multiple of ε that the comparison allows."""

    @property
    def databases(self) -> Iterator[Database]:
        """The databases of positive probability, law by law."""
        for pair in self.parts:
            yield from (database for database, _ in (*pair.p, *pair.q))


def definition_of(name: str) -> Definition:
    """Return the definition with this name, whose bounds are linear in the probabilities of the mechanism.

    Raises:
        UnsupportedError: for a definition whose bounds are not linear, or one of the user's own; it says which.

    """
    definition = find_for_all(name)
    if definition.own:
        raise UnsupportedError(
            f"{definition.key} is a definition of your own: "
            "the independent re-check of a worst mechanism has no copy of it",
            wanted="dp, np, apkdp, ppkdp or cdp",
            tip="pk.search takes it",
        )
    scheme = definition.compare
    if (
        isinstance(scheme, Scheme)
        and isinstance(scheme.builder, BUILDERS)
        and (scheme.view, scheme.aggregation) == ("outputs", "worst")
        and scheme.measure in {"ratio", "hockey-stick"}
    ):
        return definition
    if definition.reads_policy:
        raise UnsupportedError(
            f"{definition.key} of DP22 is not a linear bound on the mechanism",
            wanted="a definition that bounds ratios or hockey-stick divergences of two laws of outputs, such as osdp",
            tip="pk.search takes every definition of DP22",
        )
    compare = comparing(definition)
    if compare is None or compare.view is not outputs:
        raise UnsupportedError(
            f"{definition.key} is not a linear bound on the mechanism",
            wanted="dp, np, apkdp, ppkdp or cdp",
            tip="pk.search takes every definition",
        )
    if definition.curve() is not HOCKEY_STICK:
        raise UnsupportedError(
            f"{definition.key} bounds a probability of losses, "
            "which post-processing may increase and which is not linear",
            wanted="dp, np, apkdp, ppkdp or cdp",
        )
    return definition


def refuse_maximum(definition: Definition) -> None:
    """Refuse a definition without a δ as the one to maximise.

    Raises:
        UnsupportedError: with the definition's key.

    """
    if not definition.has_delta:
        raise UnsupportedError(
            f"{definition.key} has no δ that could be large",
            wanted="a definition with a δ, such as adp or dp",
            tip=f"{definition.key} can be assumed",
        )


def factor_of(epsilon: Epsilon, where: str = "", scale: int = 1) -> Fraction:
    """The rational number e^(c·ε), for the integer c = `scale`.

    Raises:
        UnsupportedError: for an ε whose e^ε is not rational, with rational neighbours where it is finite.
        LimitError: for a number that is too long, before it is computed.

    """
    scaled = epsilon if epsilon.exp is None else times(epsilon, Fraction(scale))
    factor = scaled.rational_exp
    if factor is not None:
        return factor
    if epsilon.is_infinite:
        raise UnsupportedError("at ε = inf the bounds are not linear", where=where, wanted='ε = "ln(p/q)"')
    low, high = epsilon.exp_bracket(24)
    ends = [(low * 1000).__floor__(), (high * 1000).__floor__() + 1]
    around = " and ".join(f"ln({exact_text(Fraction(end, 1000))})" for end in ends)
    raise UnsupportedError(
        f"e^ε is not rational at ε = {epsilon}",
        where=where,
        wanted='ε = "ln(p/q)", for an exact linear program',
        tip=f"the optimum is monotone in each ε, so ask at {around}",
    )


def forms_of(model: Model, definition: Definition, max_rows: int) -> tuple[Form, ...]:
    """All comparisons of a definition, as forms in an unknown mechanism on the model's databases.

    Raises:
        UnsupportedError: for databases of several sizes, rows whose multiple of ε is no integer, and two rows with the
            same words.
        LimitError: for more than `max_rows` worlds or rows, or more than `MAX_DATABASES` databases.

    """
    if model.sizes is not None:
        raise UnsupportedError("a mechanism is looked for on databases of one size", wanted="one integer as size")
    engine = Engine(model, max_rows)
    definition = definition.on(engine) if model.policy.moves_answers else definition
    scheme, key = definition.compare, definition.key
    listed = _of_scheme(engine, key, scheme) if isinstance(scheme, Scheme) else _of_names(engine, definition)
    reached = set[Database]()
    forms = []
    for form in listed:
        forms.append(form)
        reached.update(form.databases)
        refuse_databases(len(reached))
    return tuple(forms)


def _of_names(engine: Engine, definition: Definition) -> Iterator[Form]:
    """The forms of the rows that name their laws, each of one B̂ or of an average."""
    definition.applies(engine)
    model = engine.model
    compare, averages = comparing(definition), definition.aggregation.averages
    if compare is None:
        raise ArithmeticError(f"{definition.key} lists no rows")
    for theta, secret, case in _cases(engine, of_theta=compare.reach != "all"):
        for group in compare.builder(case, "default"):
            alike = [group.rows] if averages else [(row,) for row in group.rows]
            for rows, order in product(alike, group.orders):
                if not rows:
                    continue
                total = case.mass(Given(None, group.a)) if averages else None
                pairs = tuple(_weighted_pair(case, row, order, total) for row in rows)
                name = rows[0].p[0]
                base = ",".join(map(str, name.database)) if isinstance(name, Point) else None
                a, b = (value.text if isinstance(value, Label) else model.values[value].text for value in group[:2])
                known = None if averages else pairs[0].knowledge
                yield Form((theta, secret.record, a, b, known, order, base), pairs)


def _of_scheme(engine: Engine, key: str, scheme: Scheme) -> Iterator[Form]:
    """The forms of the rows of a scheme, each once; their `place` has the words of the row."""
    model = engine.model
    rows: dict[str, Any] = {}
    for group in scheme.builder(Setting(key, model, engine)):
        for row in (row for case in group.cases for row in case.rows):
            if row.scale.denominator != 1:
                raise UnsupportedError(
                    f"{key} allows {exact_text(row.scale)}·ε, whose exponential need not be rational",
                    wanted="multiples of ε that are integers",
                )
            allowed = "" if row.scale == 1 else f", allowed {exact_text(row.scale)}·ε"
            if rows.setdefault(row.words + allowed, row) != row:
                raise UnsupportedError(f"{key} compares two pairs of laws under one name: {row.words}")
            check_size(len(rows), engine.max_rows, f"{key} compares at least {len(rows):,} pairs of laws")
    for words, row in rows.items():
        pair = WeightedPair(Fraction(1), None, law_of(row.p), law_of(row.q))
        yield Form((None, None, None, None, None, words, None), (pair,), int(row.scale))


def _cases(engine: Engine, *, of_theta: bool) -> Iterator[tuple[str | None, Secret, Worlds]]:
    """A case for each θ and sensitive attribute, with values by position; without `of_theta` the neighbours, with no θ.

    Raises:
        LimitError: for more worlds, or neighbours, than the engine's limit.

    """
    model = engine.model
    values, number = range(len(model.values)), len(model.values)
    if not of_theta:
        pairs = number**model.size * model.size
        check_size(pairs, engine.max_rows, f"dp compares {model.size} times {number}^{model.size} databases")
        for secret in model.secrets:
            yield None, secret, Worlds(values, values, (), (model.size, secret.record or 0), model.policy.absent, ())
        return
    engine.admit_table()
    for theta in model.thetas:
        rows = [row for row in theta.known_worlds() if row[2]]
        check_size(len(rows), engine.max_rows, f'the worlds of "{theta.name}" have at least {len(rows):,} results')
        knowledge_values = tuple(dict.fromkeys(known for _, known, _ in rows))
        for secret in model.secrets:
            i = secret.record
            listed = [(w.database, b, secret.of(w) if i is None else w.database[i], p) for w, b, p in rows]
            domain = secret.domain if i is None else values
            positions = model.size, i or 0
            yield theta.name, secret, Worlds(values, domain, knowledge_values, positions, model.policy.absent, listed)


def _weighted_pair(case: Worlds, row: NamedRow, order: str, total: Fraction | None) -> WeightedPair:
    """The pair of laws that a row names, and its share of the total mass."""
    p, q = (_law(case.law(name)) for name in (row.p[0], row.q[0]))
    event = row.event
    share = Fraction(1) if event is None or total is None else case.mass(event) / total
    known = None if event is None or event.known == NOTHING else event.known.text
    return WeightedPair(share, known, *((q, p) if order == BACKWARD else (p, q)))


def _law(weights: Mapping[Database, Fraction | int]) -> DatabaseLaw:
    total = sum(weights.values())
    return tuple((database, quotient(weight, total)) for database, weight in weights.items())


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
