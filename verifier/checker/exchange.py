"""The independent re-check of an exchange rate: its rows once more, the multipliers, and the mechanism that attains it.

Every mechanism that is ε-A is ε′-B for the claimed ε′ where each row (p, q, c) of B has multipliers λ ≥ 0 with

    p - y·q ≤ Σ λ·(a - e^(c′·ε)·b)   in every database, y ≤ e^(c·ε′), rows (a, b, c′) of A;

multiply by P[M(D) = o] ≥ 0 and add up. The rows are listed here from the worlds, by this checker's own definitions:
what they say of the mechanism that tells the whole database is a pair of laws on databases. That ε′ is needed is shown
by a mechanism with two outputs that satisfies every row of A and attains ε′ at one of B.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

from verifier.checker import events, random_pairs, scalars
from verifier.checker.curves import Curve, power
from verifier.checker.definitions import CHANGED, DATABASES, DEFINITIONS, GIVEN
from verifier.checker.numbers import Rejected, expectation, number, summed
from verifier.checker.policy import Database
from verifier.checker.rejected import reading
from verifier.checker.setting import Setting, World, on_databases, telling
from verifier.checker.survey import AVERAGE, SURVEY, WORST
from verifier.checker.worst import comparisons_of
from verifier.checker.written import ZERO, epsilon, need

DatabaseLaw: TypeAlias = dict[Database, Any]
"""Numbers by databases: rationals, or quotients of polynomials in a parameter."""
T = TypeVar("T")
OF_ONE_MECHANISM = (random_pairs.leaking, random_pairs.images)
"""Rows that look at the outputs of the mechanism of a file, and say nothing of others."""


class Row(NamedTuple):
    """P against Q, laws on databases; P may be e^(scale·ε) times as likely."""

    p: DatabaseLaw
    q: DatabaseLaw
    scale: Fraction = Fraction(1)

    @property
    def key(self) -> Hashable:
        """The key of a row: equal for equal laws and the same multiple of ε."""
        return frozenset(self.p.items()), frozenset(self.q.items()), self.scale


Rows: TypeAlias = dict[Hashable, Row]


@reading("the certificate is damaged")
def replay_exchange(certificate: dict[str, Any]) -> None:
    """Re-check a certificate of an exchange rate: its rows, its multipliers and its mechanism.

    Raises:
        Rejected: where it does not prove its rate.

    """
    if certificate["schema"] != "pkdp exchange 1":
        raise Rejected("this is no certificate of an exchange rate")
    setting = telling(Setting({**certificate, "mechanism": []}))
    assumed, target = (rows_of(certificate[side], setting) for side in ("from", "to"))
    assumed_epsilon, claimed = finite_epsilon(certificate["epsilon"]), certificate["tight_epsilon"]
    need(claimed != "0" or not target or certificate["rates"], "tight_epsilon: nothing proves it")
    if not target:
        need(claimed == "0" and not certificate["rates"], "nothing is compared, so that the smallest ε is 0")
        return
    column = column_of(certificate["extreme"], setting)
    for row in assumed.values():
        line = line_of(row, factor_of(assumed_epsilon, row.scale))
        for output in (column, {database: 1 - chance for database, chance in column.items()}):
            need(expectation(line, output) <= 0, "the mechanism does not satisfy what is assumed")
    _attained(target, column, claimed)
    if claimed != "inf":
        _bounded(certificate["rates"], target, assumed, certificate)


def finite_epsilon(text: str) -> str:
    """The ε that a certificate assumes; an infinite one assumes nothing, so nothing finite follows from it."""
    need(not epsilon(text).infinite, "an exchange rate is of a finite ε")
    return text


def factor_of(text: str, scale: Fraction) -> Fraction:
    """e^(c·ε) for an ε above 0.

    Raises:
        Rejected: where e^ε is not rational and above 1, or e^(c·ε) is not rational.

    """
    base, factor = power(text).value, power(text, scale).value
    need(base is not None and base > 1, "e^ε is rational and above 1")
    if factor is None:
        raise Rejected("a row of what is assumed has no rational e^(c·ε)")
    return factor


def column_of(rows: Any, setting: Setting) -> DatabaseLaw:
    """P[M(D) = 1] on each database; 0 where none is written."""
    column = dict.fromkeys(setting.databases, Fraction(0))
    for database, chance in rows:
        need(tuple(database) in column, "the mechanism has a row for what is no database")
        column[tuple(database)] = number(chance)
    need(all(chance <= 1 for chance in column.values()), "the mechanism has a probability above 1")
    return column


def _attained(target: Rows, column: DatabaseLaw, claimed: str) -> None:
    """Some row of B needs the claimed ε′ of the output 1."""
    if claimed == "0":
        return
    for row in target.values():
        p, q = expectation(row.p, column), expectation(row.q, column)
        if claimed == "inf":
            attains = p > q if not row.scale else p and not q
        else:
            attains = row.scale and q and power(claimed, row.scale).sign(p, q) == 0
        if attains:
            return
    raise Rejected("the mechanism does not need the claimed ε")


def _bounded(rates: Any, target: Rows, assumed: Rows, certificate: Any) -> None:
    """Each row of B has multipliers that prove a bound of at most the claimed ε′."""
    assumed_epsilon, claimed = finite_epsilon(certificate["epsilon"]), certificate["tight_epsilon"]
    listed = [row_of(entry) for entry in certificate["assumed"]]
    need(all(row.key in assumed for row in listed), "a row is assumed that the definition does not have")
    lines = [line_of(row, factor_of(assumed_epsilon, row.scale)) for row in listed]
    proved: set[Hashable] = set()
    for rate in rates:
        row, bound = row_of(rate["row"]), number(rate["factor"])
        need(power(claimed, row.scale).sign(bound, Fraction(1)) <= 0, "a bound is above the claimed ε")
        excess = line_of(row, bound)
        for which, text in rate["multipliers"]:
            add(excess, entry_of(lines, which, "a multiplier of a row that is none"), -number(text))
        need(all(value <= 0 for value in excess.values()), "the multipliers do not prove their bound")
        proved.add(row.key)
    need(proved >= target.keys(), "a row of the definition has no bound")


def row_of(entry: Any, read: Callable[[Any], Any] = number) -> Row:
    """The row that an entry of a certificate writes; `read` reads its probabilities."""
    laws = [{tuple(database): read(chance) for database, chance in entry[side]} for side in ("p", "q")]
    return Row(laws[0], laws[1], number(entry["scale"]))


def entry_of(listed: Sequence[T], which: int, reason: str) -> T:
    """The entry of a list that a certificate names by its place."""
    need(type(which) is int and 0 <= which < len(listed), reason)
    return listed[which]


def line_of(row: Row, factor: Any) -> DatabaseLaw:
    """Return p - factor·q."""
    line = dict(row.p)
    add(line, row.q, -factor)
    return line


def add(line: DatabaseLaw, other: DatabaseLaw, times: Any) -> None:
    """Add a multiple of one line to another."""
    for database, coefficient in other.items():
        line[database] = line.get(database, ZERO) + times * coefficient


# --- the rows of a definition -----------------------------------------------------------------------------------------


def rows_of(key: str, setting: Setting) -> Rows:
    """The rows of a definition at δ = 0, equal ones once.

    Raises:
        Rejected: for a definition that has no rows which are linear in the mechanism.

    """
    rows = list(_of_the_texts(key, setting) if key in DEFINITIONS else _of_the_survey(key, setting))
    rows += [Row(row.q, row.p, row.scale) for row in rows if not row.scale]  # P ≤ Q everywhere: they are equal
    return {row.key: row for row in rows}


def _of_the_texts(key: str, setting: Setting) -> Iterator[Row]:
    """Neighbours, laws given values, laws before and after a change; averages and tails at δ = 0 ask it of each row."""
    definition = DEFINITIONS[key]
    if definition.compares not in {DATABASES, GIVEN, CHANGED}:
        raise Rejected(f"{key} is no list of rows that are linear in the mechanism")
    if not setting.lists:
        raise Rejected(f"{key} is about lists of records")
    if definition.compares != DATABASES:
        _ = setting.thetas
    of_records = setting.secrets != ["S"]
    values = [world[2] for worlds in setting.worlds.values() for world in worlds]
    domains = dict.fromkeys(setting.secrets, setting.values) if of_records else {None: list(dict.fromkeys(values))}
    absent = setting.policy.get("absent")
    for pairs in comparisons_of(definition, setting.values, setting.size, setting.worlds, domains, absent).values():
        for _, _, p, q in pairs:
            yield Row({d: w for d, w in p.items() if w}, {d: w for d, w in q.items() if w})


def _of_the_survey(key: str, setting: Setting) -> Iterator[Row]:
    scheme = SURVEY.get(key)
    if scheme is None:
        raise Rejected(f"the replay does not derive {str(key)[:40]}")
    measure = scheme.measure(setting)
    curve = isinstance(measure, Curve) and measure.left_out is None
    if not (curve or measure is scalars.ratio) or scheme.rows in OF_ONE_MECHANISM:
        raise Rejected(f"{key} is no list of rows that are linear in the mechanism")
    if scheme.counts != WORST and not (curve and scheme.counts == AVERAGE):
        raise Rejected(f"{key} leaves out some rows")
    if scheme.rows is events.of_records:
        for record in setting.records:
            yield from _beliefs(setting, [lambda d, i=record, v=v: d[i] == v for v in setting.values], BOTH)
    elif scheme.rows is events.of_databases:
        yield from _beliefs(setting, [lambda d, e=e: d == e for e in setting.databases], BOTH)
    elif isinstance(scheme.rows, partial) and scheme.rows.func is events.membership:
        for t in setting.values:
            if t != setting.policy.get("absent"):
                for first, second, cell in scheme.rows.keywords["cells"]:
                    event = partial(_holds, t=t, inside=cell == events.IN)
                    yield from _beliefs(setting, [event], ((first, second),))
    else:
        for row in scheme.rows(setting):
            if row.weight:
                yield Row(on_databases(row.p), on_databases(row.q), row.scale)


BOTH = ((events.POSTERIOR, events.PRIOR), (events.PRIOR, events.POSTERIOR))


def _holds(database: Database, *, t: str, inside: bool) -> bool:
    return (t in database) == inside


def _beliefs(setting: Setting, all_events: list[Any], orders: Any) -> Iterator[Row]:
    """P[A | o] against P[A] is, by Bayes, the law of the output given A against its law."""
    for worlds in setting.thetas.values():
        for known in events.knowledges(worlds):
            inside = [world for world in worlds if world[1] == known]
            for event in all_events:
                given = [world for world in inside if event(world[0])]
                if given:
                    laws = {events.POSTERIOR: _law(given), events.PRIOR: _law(inside)}
                    yield from (Row(laws[first], laws[second]) for first, second in orders)


def _law(worlds: list[World]) -> DatabaseLaw:
    total = sum(world[3] for world in worlds)
    return summed((database, chance / total) for database, _, _, chance in worlds)
