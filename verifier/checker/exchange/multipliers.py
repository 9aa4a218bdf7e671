"""What a definition says of every mechanism that satisfies another one: bounds by multipliers, attained by a mechanism.

All definitions here bound P - e^(c·ε)·Q of laws of outputs, summed over the pairs of a comparison with their shares.
Such laws are linear in the mechanism: they are laws on databases, asked of the mechanism that puts out its database.

The one rule. Let the outputs fall into classes o, x(D, o) the probability of class o on D, and let a comparison of what
is assumed say Σ share′·Σ_o max(0, P′(o) - E′·Q′(o)) ≤ δ′. With multipliers y ≥ 0 of its pairs and classes

    Σ_o Σ_D gain(D, o)·x(D, o) ≤ Σ_D max_o [gain(D, o) - Σ y·(P′ - E′·Q′)(D)] + Σ δ′·max y/share′,

since Σ_o x(D, o) = 1. `combined` takes the multipliers away, and `bounded` adds up the right-hand side. So

- a *rate*: every mechanism that is ε-A is ε′-B where for each row (p, q, c) of B the bound of p - y·q on one class of
  outputs, 0 on all others, is 0, for a y ≤ e^(c·ε′);
- a *δ*: no event of a row of B exceeds the line of its bound at each y = e^(c·ε′) where a line begins. What a row needs
  is convex in y: on a line between two such y no row needs more; after the last none does, since it falls and the last
  line is constant;
- the *worst* mechanism: for every comparison of the target, and all its events S_B̂, with the outputs in classes by the
  events that they are in, the bound of Σ share·(P(S_B̂) - E·Q(S_B̂)) is at most the optimum.

That less is not enough is shown by a mechanism that satisfies what is assumed, row by row, and attains the value. The
bounds and rows are made here, from the worlds; the certificate gives the multipliers and the mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations, pairwise, product
from math import comb
from typing import Any, NamedTuple, TypeAlias, TypeVar

from verifier.checker import Beyond, Rejected, measures, reading, require
from verifier.checker.laws import (
    CHANGED,
    DATABASES,
    DEFINITIONS,
    GIVEN,
    REPLACING,
    Tables,
    World,
    conditioned,
    expectation,
    summed,
)
from verifier.checker.measures import Curve, power
from verifier.checker.model.labels import NOTHING
from verifier.checker.model.policy import Database
from verifier.checker.numbers import MAX_BITS, ONE, ZERO, bits, epsilon, number, rational_power
from verifier.checker.shapes import (
    ANYTHING,
    DATABASE,
    DISTRIBUTIONS,
    EPSILON,
    OR_NONE,
    RATIONAL,
    WORLDS,
    Either,
    Optional,
    Table,
    maybe,
)
from verifier.checker.survey import draws, events
from verifier.checker.survey.definitions import AVERAGE, OF_MULTISETS, SURVEY, WORST

LAW_ON_DATABASES = [(DATABASE, RATIONAL)]
DATABASE_ROW = {"p": LAW_ON_DATABASES, "q": LAW_ON_DATABASES, "scale": RATIONAL}
EXCHANGE = {
    "schema": str,
    "size": Either((int, [int])),
    "values": [str],
    "secrets": [Either((int, "S"))],
    "worlds": WORLDS,
    "distributions": DISTRIBUTIONS,
    "policy": Table(ANYTHING),
    "from": str,
    "to": str,
    "epsilon": EPSILON,
    "tight_epsilon": EPSILON,
    "assumed": [DATABASE_ROW],
    "rates": [{"row": DATABASE_ROW, "factor": RATIONAL, "multipliers": [(int, RATIONAL)]}],
    "extreme": LAW_ON_DATABASES,
}
EXCHANGE_DELTA = {
    **{key: shape for key, shape in EXCHANGE.items() if key not in {"tight_epsilon", "rates", "extreme"}},
    "delta": RATIONAL,
    "rows": [DATABASE_ROW],
    "pieces": [
        {
            "start": RATIONAL,
            "above": RATIONAL,
            "below": RATIONAL,
            "row": int,
            "column": LAW_ON_DATABASES,
            "multipliers": [[(int, str, RATIONAL)]],
        }
    ],
}
COMPARISON = (OR_NONE, Either((int, None)), OR_NONE, OR_NONE, OR_NONE, str, maybe(DATABASE))
WORST_SHAPE = {
    "schema": str,
    "values": [str],
    "size": int,
    "records": maybe([int]),
    "worlds": WORLDS,
    "distributions": DISTRIBUTIONS,
    "assumed": [{"definition": str, "epsilon": EPSILON, "delta": RATIONAL}],
    "definition": str,
    "epsilon": EPSILON,
    "outputs": Either((int, None)),
    "policy": Optional(Table(ANYTHING)),
    "optimum": RATIONAL,
    "mechanism": [(DATABASE, [RATIONAL])],
    "bounds": [
        {"comparison": COMPARISON, "patterns": [str], "multipliers": [(int, COMPARISON, OR_NONE, int, RATIONAL)]}
    ],
}

DatabaseLaw: TypeAlias = dict[Database, Any]
"""Numbers by databases: rationals, or quotients of polynomials in a parameter."""
T = TypeVar("T")
OF_ONE_MECHANISM = (draws.leaking, draws.images)
"""Rows that look at the outputs of the mechanism of a file, and say nothing of others."""
OF_BELIEFS = (events.of_records, events.of_databases, events.membership)
"""Builders of rows about beliefs: there δ is added to the probability of a belief, not of an event."""
MOST = 1 << 12
"""Most patterns of the events of a comparison."""
MOST_GAINS = 1 << 20
"""Most gains of a pattern, over all comparisons of a worst mechanism."""
MOST_LISTED = 1 << 7
"""Most databases of a conversion, whose rows may compare each with each; no more are written."""
MOST_COMPARISONS = 1 << 15
"""Most comparisons of one definition of a worst mechanism."""
NO_ROW = "a row is named that is none"

# --- the rule ---------------------------------------------------------------------------------------------------------


class Term(NamedTuple):
    """A multiplier y of a pair of laws and a class of outputs: the line P′ - E′·Q′, its share, and the δ′ of `key`."""

    line: DatabaseLaw
    output: int
    times: Any
    key: Hashable = None
    delta: Fraction = ZERO
    share: Fraction = ONE


def combined(
    gains: Iterable[tuple[DatabaseLaw, Sequence[Any]]], terms: Iterable[Term]
) -> tuple[dict[Database, list[Any]], Fraction]:
    """What is left of the gains, database by database and class by class, and the price Σ δ′·max y/share′.

    Each line gains in each class so many times; the multipliers take theirs away.
    """
    total: dict[Database, list[Any]] = {}

    def gain(line: DatabaseLaw, times: Sequence[Any]) -> None:
        for database, weight in line.items():
            row = total.setdefault(database, [ZERO] * len(times))
            for o, factor in enumerate(times):
                row[o] += weight * factor

    outputs = 0
    for line, times in gains:
        gain(line, times)
        outputs = len(times)
    prices: dict[Hashable, Fraction] = {}
    for line, output, y, key, delta, share in summed_terms(terms):
        gain(line, [-y if o == output else ZERO for o in range(outputs)])
        if delta:
            prices[key] = max(prices.get(key, ZERO), y / share * delta)
    return total, sum(prices.values(), ZERO)


def bounded(gains: Iterable[tuple[DatabaseLaw, Sequence[Fraction]]], terms: Iterable[Term]) -> Fraction:
    """What no mechanism exceeds: the right-hand side of the rule."""
    total, paid = combined(gains, terms)
    return sum(map(max, total.values()), ZERO) + paid


def summed_terms(terms: Iterable[Term]) -> list[Term]:
    """The terms, those of one line and one class as one."""
    together: dict[Any, Term] = {}
    for term in terms:
        at = id(term.line), term.output
        together[at] = term._replace(times=together[at].times + term.times) if at in together else term
    return list(together.values())


def line_of(row: Any, factor: Any) -> DatabaseLaw:
    """Return p - factor·q."""
    return summed([*row.p.items(), *((database, -factor * chance) for database, chance in row.q.items())])


def listed(entries: Sequence[T], which: int, reason: str = NO_ROW) -> T:
    """The entry of a list that a certificate names by its place."""
    require(type(which) is int and 0 <= which < len(entries), reason)
    return entries[which]


# --- the rows of a definition at δ = 0 --------------------------------------------------------------------------------


class LinearRow(NamedTuple):
    """P against Q, laws on databases; P may be e^(scale·ε) times as likely."""

    p: DatabaseLaw
    q: DatabaseLaw
    scale: Fraction = ONE

    @property
    def key(self) -> Hashable:
        """The key of a row: equal for equal laws and the same multiple of ε."""
        return frozenset(self.p.items()), frozenset(self.q.items()), self.scale


RowsByKey: TypeAlias = dict[Hashable, LinearRow]


def tables_of(certificate: dict[str, Any], read: Callable[[Any], Any] = number) -> Tables:
    """The tables of a conversion, whose mechanism puts out its database.

    Raises:
        Beyond: for more databases than `MOST_LISTED`, before a row is made of them.

    """
    tables = Tables.with_identity_mechanism(certificate, read)
    if len(tables.databases) > MOST_LISTED:
        raise Beyond(f"there are too many databases: a conversion is re-checked on {MOST_LISTED} at most")
    return tables


def rows_of(key: str, tables: Tables) -> RowsByKey:
    """The rows of a definition at δ = 0, equal ones once; `tables` tell their database.

    Raises:
        Rejected: for a definition that has no rows which are linear in the mechanism.

    """
    by_relation = not tables.lists and key in OF_MULTISETS
    rows = list(_of_the_texts(key, tables) if key in DEFINITIONS and not by_relation else _of_the_survey(key, tables))
    rows += [LinearRow(row.q, row.p, row.scale) for row in rows if not row.scale]  # P ≤ Q everywhere: they are equal
    return {row.key: row for row in rows}


def _of_the_texts(key: str, tables: Tables) -> Iterator[LinearRow]:
    """Neighbours, laws given values, laws before and after a change; averages and tails at δ = 0 ask it of each row."""
    definition = DEFINITIONS[key]
    linear = definition.compares in {DATABASES, GIVEN, CHANGED}
    require(linear, f"{key} is no list of rows that are linear in the mechanism")
    require(tables.lists, f"{key} is about lists of records")
    require(tables.of_records or definition.compares not in REPLACING, "a definition replaces a record, and S is none")
    for family in tables.families(definition, "default"):
        for comparison in family:
            for pair in comparison.pairs:
                yield LinearRow(conditioned(pair.p), conditioned(pair.q or {}))


def _of_the_survey(key: str, tables: Tables) -> Iterator[LinearRow]:
    scheme = SURVEY.get(key) or (None if tables.lists else OF_MULTISETS.get(key))
    if scheme is None:
        raise Rejected(f"the checker does not derive {str(key)[:40]}")
    measure = scheme.measure(tables)
    curve = isinstance(measure, Curve) and measure.left_out is None
    if not (curve or measure is measures.ratio) or scheme.rows in OF_ONE_MECHANISM:
        raise Rejected(f"{key} is no list of rows that are linear in the mechanism")
    require(scheme.counts == WORST or (curve and scheme.counts == AVERAGE), f"{key} leaves out some rows")
    if scheme.rows is events.of_records:
        for record in tables.records:
            yield from _beliefs(tables, [lambda d, i=record, v=v: d[i] == v for v in tables.values], BOTH)
    elif scheme.rows is events.of_databases:
        yield from _beliefs(tables, [lambda d, e=e: d == e for e in tables.databases], BOTH)
    elif isinstance(scheme.rows, partial) and scheme.rows.func is events.membership:
        for t in (t for t in tables.values if t != tables.absent):
            for first, second, cell in scheme.rows.keywords["cells"]:
                event = partial(_holds, t=t, inside=cell == events.IN)
                yield from _beliefs(tables, [event], ((first, second),))
    else:
        for row in scheme.rows(tables):
            if row.weight:
                yield LinearRow(row.p, row.q, row.scale)


BOTH = ((events.POSTERIOR, events.PRIOR), (events.PRIOR, events.POSTERIOR))


def _holds(database: Database, *, t: str, inside: bool) -> bool:
    return (t in database) == inside


def _beliefs(tables: Tables, all_events: list[Any], orders: Any) -> Iterator[LinearRow]:
    """P[A | o] against P[A] is, by Bayes, the law of the output given A against its law."""
    for worlds in tables.thetas.values():
        for known in events.knowledges(worlds):
            inside = [world for world in worlds if world[1] == known]
            for event in all_events:
                if given := [world for world in inside if event(world[0])]:
                    laws = {events.POSTERIOR: _law(given), events.PRIOR: _law(inside)}
                    yield from (LinearRow(laws[first], laws[second]) for first, second in orders)


def _law(worlds: Sequence[World]) -> DatabaseLaw:
    return conditioned(summed((world[0], world[3]) for world in worlds))


def row_of(entry: Any, read: Callable[[Any], Any] = number) -> LinearRow:
    """The row that an entry of a certificate writes; `read` reads its probabilities."""
    laws = [{tuple(database): read(chance) for database, chance in entry[side]} for side in ("p", "q")]
    once = all(len(law) == len(entry[side]) for law, side in zip(laws, ("p", "q"), strict=True))
    require(once, "a row lists a database twice")
    return LinearRow(laws[0], laws[1], number(entry["scale"]))


# --- a rate -----------------------------------------------------------------------------------------------------------


@reading("the certificate is damaged")
def replay_exchange(certificate: dict[str, Any]) -> None:
    """Re-check a certificate of an exchange rate: its rows, its multipliers, and the mechanism with two outputs.

    Raises:
        Rejected: where it does not prove its rate.

    """
    rate_proved(certificate)


def rate_proved(certificate: dict[str, Any]) -> bool:
    """Whether something is compared, once the rate of a certificate is proved; else its rate is that of nothing.

    Raises:
        Rejected: where it does not prove its rate.

    """
    require(certificate["schema"] == "pkdp exchange 1", "this is not a certificate of a conversion")
    tables = tables_of(certificate)
    assumed, target = (rows_of(certificate[side], tables) for side in ("from", "to"))
    assumed_epsilon, claimed = finite_epsilon(certificate["epsilon"]), certificate["tight_epsilon"]
    require(claimed != "0" or not target or certificate["rates"], "tight_epsilon: nothing proves it")
    if not target:
        require(claimed == "0" and not certificate["rates"], "nothing is compared, so that the smallest ε is 0")
        return False
    column = column_of(certificate["extreme"], tables)
    for row in assumed.values():
        _satisfies(column, line_of(row, factor_of(assumed_epsilon, row.scale)), ZERO)
    _attains_rate(target, column, claimed)
    if claimed == "inf":
        return True
    rows = [row_of(entry) for entry in certificate["assumed"]]
    require(all(row.key in assumed for row in rows), "a row is assumed that the definition does not have")
    lines = [line_of(row, factor_of(assumed_epsilon, row.scale)) for row in rows]
    proved: set[Hashable] = set()
    for rate in certificate["rates"]:
        row, y = row_of(rate["row"]), number(rate["factor"])
        require(power(claimed, row.scale).sign(y, ONE) <= 0, "a bound is above the claimed ε")
        terms = [Term(listed(lines, which), 0, number(text), which) for which, text in rate["multipliers"]]
        bound = bounded([(line_of(row, y), (ONE, ZERO))], terms)
        require(bound <= 0, "the multipliers do not prove their bound")
        proved.add(row.key)
    require(proved >= target.keys(), "a row of the definition has no bound")
    return True


def finite_epsilon(text: str) -> str:
    """The ε that a certificate assumes; an infinite one assumes nothing, so nothing finite follows from it."""
    require(not epsilon(text).infinite, "a conversion is of a finite ε")
    return text


def factor_of(text: str, scale: Fraction) -> Fraction:
    """e^(c·ε) for an ε above 0.

    Raises:
        Rejected: where e^ε is not rational and above 1, or e^(c·ε) is not rational.

    """
    base, factor = power(text).value, power(text, scale).value
    require(base is not None and base > 1, "e^ε is rational and above 1")
    if factor is None:
        raise Rejected("a row of what is assumed has no rational e^(c·ε)")
    return factor


def column_of(rows: Any, tables: Tables) -> DatabaseLaw:
    """P[M(D) = 1] on each database; 0 where none is written."""
    column = dict.fromkeys(tables.databases, ZERO)
    require(len({tuple(database) for database, _ in rows}) == len(rows), "the mechanism has two rows for one database")
    for database, chance in rows:
        require(tuple(database) in column, "the mechanism has a row for what is no database")
        column[tuple(database)] = number(chance)
    require(all(chance <= 1 for chance in column.values()), "the mechanism has a probability above 1")
    return column


def _satisfies(column: DatabaseLaw, line: DatabaseLaw, delta: Fraction) -> None:
    """Both outputs of the mechanism with this column keep a row of what is assumed.

    Σ line·(1 - column) is Σ line - Σ line·column, so that only the databases of the row are looked at.
    """
    first = expectation(line, column)
    kept = first <= delta and sum(line.values(), ZERO) - first <= delta
    require(kept, "a mechanism does not satisfy what is assumed")


def _attains_rate(target: RowsByKey, column: DatabaseLaw, claimed: str) -> None:
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


# --- δ by ε -----------------------------------------------------------------------------------------------------------


class DeltaLine(NamedTuple):
    """δ′ = above - below·y for all y = e^(c·ε′) ≥ start, until the next line begins."""

    start: Fraction
    above: Fraction
    below: Fraction

    def at(self, y: Fraction) -> Fraction:
        """δ′ at a y."""
        return self.above - self.below * y


@reading("the certificate is damaged")
def replay_exchange_delta(certificate: dict[str, Any]) -> None:
    """Re-check a certificate of an exchange rate with δ: the two classes of outputs are an event and its complement.

    Raises:
        Rejected: where it does not prove its curve.

    """
    require(certificate["schema"] == "pkdp exchange delta 1", "this is not a certificate of a conversion with δ")
    tables = tables_of(certificate)
    assumed_epsilon, delta = finite_epsilon(certificate["epsilon"]), number(certificate["delta"])
    require(delta <= 1, "δ is above 1")
    if delta:
        _bounds_events(certificate["from"], tables)
    _bounds_events(certificate["to"], tables)
    assumed, target = (rows_of(certificate[side], tables) for side in ("from", "to"))
    one = power(assumed_epsilon).value == 1
    assumptions = {
        key: line_of(row, ONE if one or not row.scale else factor_of(assumed_epsilon, row.scale))
        for key, row in assumed.items()
    }
    rows = [row_of(entry) for entry in certificate["rows"]]
    require(
        {row.key for row in rows} == target.keys() and len(rows) == len(target), "the rows are not the definition's"
    )
    require(len({row.scale for row in rows if row.scale}) <= 1, "the rows allow several multiples of ε")
    lines = [DeltaLine(*(number(entry[key]) for key in ("start", "above", "below"))) for entry in certificate["pieces"]]
    if not target:
        require(not lines and not certificate["assumed"], "nothing is compared, so that the smallest δ is 0")
        return
    _joined(lines)
    keys = [row_of(entry).key for entry in certificate["assumed"]]
    require(all(key in assumptions for key in keys), "a row is assumed that the definition does not have")
    for line, entry in zip(lines, certificate["pieces"], strict=True):
        require(len(entry["multipliers"]) == len(rows), "a row of the definition has no bound")
        for row, multipliers in zip(rows, entry["multipliers"], strict=True):
            require(
                all(output in {"0", "1"} for _, output, _ in multipliers),
                "a multiplier is of an event, or of its complement",
            )
            terms = [
                Term(assumptions[listed(keys, which)], int(output == "0"), number(text), (which, output), delta)
                for which, output, text in multipliers
            ]
            bound = bounded([(line_of(row, line.start if row.scale else ONE), (ONE, ZERO))], terms)
            require(bound <= line.at(line.start), "the multipliers do not prove their bound")
        row, column = listed(rows, entry["row"]), column_of(entry["column"], tables)
        for assumption in assumptions.values():
            _satisfies(column, assumption, delta)
        p, q = expectation(row.p, column), expectation(row.q, column)
        needed = (p, q) if row.scale else (p - q, ZERO)
        require(needed == (line.above, line.below), "a mechanism does not need its line")


def _bounds_events(key: str, tables: Tables) -> None:
    """Refuse a definition of which δ bounds something else than each hockey-stick divergence of two laws of outputs."""
    scheme = SURVEY.get(key)
    if key in DEFINITIONS:
        bounds_events = DEFINITIONS[key].linear and not DEFINITIONS[key].averages
    elif scheme is not None:
        builder = scheme.rows.func if isinstance(scheme.rows, partial) else scheme.rows
        bounds_events = scheme.measure(tables) == Curve() and scheme.counts == WORST and builder not in OF_BELIEFS
    else:
        bounds_events = False
    require(bounds_events, f"{str(key)[:40]} is no list of hockey-stick divergences")


def _joined(lines: list[DeltaLine]) -> None:
    """The lines begin at y = 1, fall less and less, meet where they change, and end in a constant."""
    require(lines and lines[0].start == 1 and lines[-1].below == 0, "the lines do not lead from ε = 0 to a constant")
    for line, after in pairwise(lines):
        require(line.start < after.start and line.below > after.below, "a line is out of order")
        require(line.at(after.start) == after.at(after.start), "two lines do not meet")


# --- the worst mechanism ----------------------------------------------------------------------------------------------

LINEAR = frozenset(
    (
        # relations between databases, at a multiple of ε
        "dp-any", "adp", "ubodp", "attdp", "bitdp", "osdp", "asdp", "cldp", "eldp", "grdp", "depdp", "flpr",
        "individual-dp", "pidp", "gcdp-km", "consdp", "dlpr-zlw", "sidp", "induced-neighbours-dp", "bfpr", "perdp",
        "taidp", "outpr", "pardp", "iddp", "ddpr", "smdp", "psdp", "indpr", "indcdp", "simcdp",
        # laws of databases under θ
        "baydp-ysn", "cordp", "pridp", "baydp-ll", "pfpr", "dnpr", "pbdp", "ednpr",
    )
)  # fmt: skip
"""The survey's keys of the definitions of which a worst mechanism is asked: their rows look at outputs alone."""


class PairOfLaws(NamedTuple):
    """A pair of laws on databases in a comparison: its share there, B̂, and the line P - e^(c·ε)·Q."""

    share: Fraction
    known: Any
    line: DatabaseLaw


Comparisons: TypeAlias = dict[tuple[Any, ...], list[PairOfLaws]]
"""The pairs of each comparison by its name: θ, record, a, b, B̂, direction, first database."""
Mechanism: TypeAlias = Mapping[Database, Sequence[Fraction]]


class Assumption(NamedTuple):
    """The comparisons of what is assumed, and its δ."""

    comparisons: Comparisons
    delta: Fraction


@reading("the certificate is damaged")
def replay_worst(certificate: dict[str, Any]) -> None:
    """Re-check a certificate of a worst mechanism: it is attained, and the multipliers prove that none is worse.

    Where `outputs` allows so many, both are about mechanisms that put out at most so many different outputs, counted
    over all databases; an output that comes on no database is none.

    Raises:
        Rejected: where it does not prove its optimum.

    """
    require(certificate["schema"] == "pkdp worst 1", "this is no certificate of a worst mechanism")
    tables = worst_tables(certificate)
    optimum, outputs = number(certificate["optimum"]), certificate["outputs"]
    require(outputs is None or outputs >= 2, "outputs: a worst mechanism with fewer than two outputs is not asked for")
    target = comparisons_of(certificate["definition"], tables, certificate["epsilon"], None)
    if not target:
        require(not optimum, "nothing is compared, so the optimum is 0")
        return
    assumed = []
    for entry in certificate["assumed"]:
        delta = number(entry["delta"])
        assumed.append(Assumption(comparisons_of(entry["definition"], tables, entry["epsilon"], delta), delta))
    mechanism = _mechanism(certificate["mechanism"], tables)
    used = sum(map(any, zip(*mechanism.values(), strict=True)))
    require(outputs is None or used <= outputs, f"the mechanism has {used} outputs, and {outputs} are allowed")
    for comparisons, delta in assumed:
        for name, pairs in comparisons.items():
            require(_needed(pairs, mechanism) <= delta, f"the mechanism does not satisfy what is assumed, at {name}")
    most = max(_needed(pairs, mechanism) for pairs in target.values())
    require(most == optimum, "the mechanism does not attain the optimum")
    _bounds(certificate, target, optimum, assumed)


def worst_tables(certificate: dict[str, Any]) -> Tables:
    """The tables of a certificate of a worst mechanism; without records S is protected."""
    records = certificate["records"]
    return Tables.with_identity_mechanism({**certificate, "secrets": ["S"] if records is None else records})


def comparisons_of(key: str, tables: Tables, at: str, delta: Fraction | None) -> Comparisons:
    """The comparisons of a definition at an ε; `delta` is None for the one whose δ is maximised.

    Raises:
        Rejected: for a definition that is not linear, has no δ, or allows no whole multiple of ε.

    """
    e = rational_power(at)
    comparisons: Comparisons = {}
    if key in LINEAR:
        measure = SURVEY[key].measure(tables)
        require(measure == Curve() or delta == 0, f"{key} has no δ")
        for row in SURVEY[key].rows(tables):
            if len(comparisons) == MOST_COMPARISONS:
                raise Beyond("there are too many comparisons")
            require(row.scale.denominator == 1, f"{key} allows {row.scale}·ε, whose exponential need not be rational")
            if bits(e) * row.scale > MAX_BITS:
                raise Beyond("a power of e^ε is too long")
            entry = [PairOfLaws(ONE, None, line_of(row, e**row.scale.numerator))]
            name: tuple[Any, ...] = (None, None, None, None, None, row.words, None)
            require(comparisons.setdefault(name, entry) == entry, f"two rows are called {row.words}")
        return comparisons
    definition = DEFINITIONS.get(key)
    if definition is None or not definition.linear:
        raise Rejected(f"{key!r} is no definition that is linear in the mechanism")
    require(tables.of_records or definition.compares not in REPLACING, "a definition replaces a record, and S is none")
    for family in tables.families(definition, "default"):
        for theta, record, a, b, databases, pairs, *_ in family:
            heard = [None if pair.knowledge == NOTHING else pair.knowledge for pair in pairs]
            known = None if definition.averages else heard[0]
            first = None if databases is None else databases[0]
            name = (theta, None if record == "S" else record, a, b, known, pairs[0].direction, first)
            rows = [LinearRow(conditioned(pair.p), conditioned(pair.q or {})) for pair in pairs]
            lines = [line_of(row, e) for row in rows]
            shares = [pair.weight for pair in pairs]
            comparisons[name] = [PairOfLaws(*entry) for entry in zip(shares, heard, lines, strict=True)]
    return comparisons


def _mechanism(rows: Any, tables: Tables) -> Mechanism:
    mechanism: dict[Database, list[Fraction]] = {}
    for database, chances in rows:
        law = [number(x) for x in chances]
        require(tables.is_database(tuple(database)), f"{database!r} is no database")
        valid = sum(law) == 1 and tuple(database) not in mechanism
        require(valid, f"the row of {database!r} is no law, or the second one")
        mechanism[tuple(database)] = law
    require(len({len(law) for law in mechanism.values()}) == 1, "the rows of the mechanism have different lengths")
    return mechanism


def _needed(pairs: Sequence[PairOfLaws], mechanism: Mechanism) -> Fraction:
    """Σ share·Σₒ max(0, P(o) - E·Q(o))."""
    outputs = range(len(next(iter(mechanism.values()))))
    return sum(
        (
            share * max(ZERO, sum((w * mechanism[d][o] for d, w in line.items()), ZERO))
            for share, _, line in pairs
            for o in outputs
        ),
        ZERO,
    )


def _bounds(certificate: Any, target: Comparisons, optimum: Fraction, assumed: Sequence[Assumption]) -> None:
    """Every comparison and every choice of patterns that is needed has a bound that is at most the optimum."""
    bounds: dict[Any, Any] = {}
    for bound in certificate["bounds"]:
        marks = all(set(pattern) <= {"0", "1"} for pattern in bound["patterns"])
        require(marks, "a pattern is made of 0 and 1")
        patterns = tuple(tuple(map(int, pattern)) for pattern in bound["patterns"])
        key = _name(bound["comparison"]), patterns
        require(key not in bounds, "a comparison has two bounds for the same patterns")
        bounds[key] = bound["multipliers"]
    units = 0
    for name, pairs in target.items():
        every = 2 ** min(len(pairs), MOST)
        few = every if certificate["outputs"] is None else min(certificate["outputs"], every)
        if every > MOST or comb(every, few) > MOST:
            raise Rejected("there are too many patterns")
        units += comb(every, few) * few * len(pairs)
        if units > MOST_GAINS:
            raise Beyond("there are too many patterns")
        for patterns in combinations(list(product((1, 0), repeat=len(pairs))), few):
            gains = [(line, [share * pattern[k] for pattern in patterns]) for k, (share, _, line) in enumerate(pairs)]
            terms = [_term(entry, assumed, few) for entry in bounds.get((name, patterns), [])]
            require(bounded(gains, terms) <= optimum, f"no multipliers prove the optimum at {name}")


def _term(entry: Any, assumed: Sequence[Assumption], outputs: int) -> Term:
    which, at, knowledge, output, text = entry
    valid = 0 <= which < len(assumed) and 0 <= output < outputs
    require(valid, f"a multiplier of an assumption, or an output, that is none: {which}, {output}")
    comparisons, delta = assumed[which]
    own = [pair for pair in comparisons.get(_name(at), ()) if pair.known == knowledge]
    require(len(own) == 1, f"a multiplier of a comparison that is none: {at}, {knowledge}")
    return Term(own[0].line, output, number(text), (which, _name(at)), delta, own[0].share)


def _name(listed_name: Any) -> tuple[Any, ...]:
    *fields, first = listed_name
    return (*fields, None if first is None else tuple(first))
