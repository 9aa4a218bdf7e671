"""Comparisons of databases that are drawn or sampled, and of what of an output is seen: a leak, an image, a view."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product

from .comparisons import ONE, RELATED, Asked, Comparison, Mixture, Name, Term, mixture, named, pair, point
from .mechanisms import Database, samples
from .models import Model
from .neighbours import differing, moves, replacing
from .numbers import BeyondLimits, Label, Law, Unsupported, Wrong, afford, entries, found, label, listed
from .of_worlds import _marginal, belief


def _prior(asked: Asked, absent_is_drawn: bool) -> dict[Label, Fraction]:
    pi: dict[Label, Fraction] = asked.model.home.values_law(asked.model.field("prior")).chances()
    asked.one_size()
    if not absent_is_drawn and asked.model.absent in pi:
        raise Unsupported("[policy] prior gives `absent` a probability, and here a record that is there is drawn again")
    return pi


def _drawn(pi: Mapping[Label, Fraction], size: int, distinct: bool = False) -> list[tuple[Database, Fraction]]:
    """Databases of records from π; `distinct`: without replacement, one record after the other."""
    afford(len(pi) ** min(size, 64) * size, "the databases that π draws")
    out: list[tuple[Database, Fraction]] = [((), ONE)]
    for _ in range(size):
        out = [
            ((*d, v), w * p / (1 - sum((pi[x] for x in d), Fraction(0)) if distinct else 1))
            for d, w in out for v, p in pi.items() if not distinct or v not in d
        ]  # fmt: skip
    if not out:
        raise Unsupported("without replacement there are fewer values than records")
    return out


def redrawn(asked: Asked) -> Iterator[Comparison]:
    """D₁ from π, and D₂ with one record drawn again; each direction by itself."""
    pi, records = _prior(asked, absent_is_drawn=False), asked.records
    afford(len(pi) ** (min(asked.model.size, 64) + 1) * len(records), "the pairs that π draws")
    terms = [
        Term(w * p / len(records), point(d), point(replacing(d, i, b)))
        for d, w in _drawn(pi, asked.model.size) for i in records for b, p in pi.items()
    ]  # fmt: skip
    return _averages(terms)


def drawn_twice(asked: Asked) -> Iterator[Comparison]:
    """D₁ and D₂ from π; records that are not protected are drawn once, for both."""
    pi, distinct = _prior(asked, absent_is_drawn=True), asked.reading == "without-replacement"
    m = asked.model
    afford(len(pi) ** min(m.size, 64), "the databases that π draws")
    free = set(range(m.size)) if m.function else set(asked.protected)
    if distinct and len(free) < m.size:
        raise BeyondLimits("drawing without replacement, where some records are protected")
    databases = _drawn(pi, m.size, distinct)
    others: Callable[[Database], Database] = lambda d: tuple(v for i, v in enumerate(d) if i not in free)  # noqa: E731
    shared: dict[Database, Fraction] = defaultdict(Fraction)
    for d, w in databases:
        shared[others(d)] += w
    afford(len(databases) ** 2, "the pairs that π draws")
    terms = [
        Term(w * v / shared[others(d)], point(d), point(e))
        for (d, w), (e, v) in product(databases, repeat=2) if others(d) == others(e)
    ]  # fmt: skip
    return _averages(terms)


def _averages(terms: list[Term]) -> Iterator[Comparison]:
    yield Comparison(tuple(terms))
    yield Comparison(tuple(Term(t.share, t.q, t.p) for t in terms))


def redrawn_values(asked: Asked) -> Iterator[Comparison]:
    """Every D, and D with record i drawn again from π, for each i that is there; each direction by itself."""
    pi = _prior(asked, absent_is_drawn=False)
    for d in asked.model.databases():
        for i in asked.records:
            if d[i] != asked.model.absent:
                yield from _averages([Term(w, point(d), point(replacing(d, i, b))) for b, w in pi.items()])


def sampled(asked: Asked) -> Iterator[Comparison]:
    """M on samples at the rate β of two neighbours; what is not kept is absent."""
    m, rate = asked.model, asked.model.rational("rate")
    if m.home.least if m.many else m.absent is None:
        raise Unsupported("a sample may be empty: sizes have to begin at 0, or a value has to be `absent`")

    def sample(database: Database) -> Mixture:
        weights: dict[Database, Fraction] = defaultdict(Fraction)
        if m.many:
            for w, kept in samples(database, rate):
                weights[kept] += w
            return mixture(weights)
        chances = [[(v, ONE)] if v == m.absent else [(v, rate), (str(m.absent), 1 - rate)] for v in database]
        for choice in product(*chances):
            weights[tuple(v for v, _ in choice)] += math.prod((w for _, w in choice), start=ONE)
        return mixture({d: w for d, w in weights.items() if w})

    sides = {d: sample(d) for d in m.databases()}
    return (pair(sides[x.first], sides[x.second]) for x in moves(asked))


def given_leak(model: Model, database: Database) -> dict[Label, Law]:
    """The law of the output given each leak: read off the output, or by the joint law that the file gives."""
    leak, law = model.field("leak"), model.mechanism.law(database)
    if isinstance(leak, Mapping):
        table = {label(o): label(x) for o, x in leak.items()}
        both_of = {(o, found(table, o)): p for o, p in law.chances().items()}
    else:
        rows = {model.database(row["database"]): row["outputs"] for row in leak}
        chances = model.home.law({_quoted(o): p for o, p in rows[database].items()}).chances()
        both_of = {tuple(entries(o)): p for o, p in chances.items()}  # type: ignore[misc]
        if _marginal(both_of, 0) != law.chances():
            raise Wrong(
                "[policy] leak: over all leaks the outputs have other probabilities than the mechanism gives them"
            )
    parts: dict[Label, dict[Label, Fraction]] = defaultdict(dict)
    for (o, x), p in both_of.items():
        parts[x][o] = p
    return {x: belief(part) for x, part in parts.items()}  # type: ignore[misc]


def leaks(asked: Asked) -> Iterator[Comparison]:
    """M(D₁) given what leaked against M(D₂) given the same, for neighbours and each leak that both can have."""
    asked.model.field("leak")
    laws = {d: given_leak(asked.model, d) for d in asked.model.databases()}
    for move in moves(asked):
        first, second = laws[move.first], laws[move.second]
        for x in first:
            if x in second:
                names = [named(databases=point(d), leak=x) for d in (move.first, move.second)]
                yield pair(first[x], second[x], ONE, (names[0], names[1]))


def _quoted(text: str) -> str:
    """`[same, heads]`, a list of an output and a leak without quotation marks, as a list."""
    if label(text) != text or not text.startswith("["):
        return text
    inner = text.strip().removeprefix("[").removesuffix("]")
    return listed(part.strip() for part in inner.split(","))


def images(asked: Asked) -> Iterator[Comparison]:
    """What a function makes of the outputs of two neighbours."""
    table = {label(o): label(x) for o, x in asked.model.field("image").items()}
    laws = {d: law.image(lambda o: found(table, o)) for d, law in asked.model.plain(asked.model.databases()).items()}
    names = {d: named(databases=point(d), image=True) for d in laws}
    return (pair(laws[x.first], laws[x.second], ONE, (names[x.first], names[x.second])) for x in moves(asked))


def clients(together: bool, asked: Asked) -> Iterator[Comparison]:
    """What another client, or all others together, see where a record of one client differs."""
    m = asked.model
    blocks = [set(m.home.indices(b, 0)) for b in m.field("blocks")]
    views = [{label(o): label(x) for o, x in view.items()} for view in m.field("views")]
    laws = m.plain(m.databases())
    seen: dict[tuple[Database, tuple[int, ...]], tuple[Law, Name]] = {}

    def view(d: Database, who: tuple[int, ...]) -> tuple[Law, Name]:
        if (d, who) not in seen:
            law = laws[d].image(lambda o: listed(found(views[j], o) for j in who))
            seen[d, who] = law, named(databases=point(d), group=who)
        return seen[d, who]

    for x in moves(asked):
        for i in (i for i, block in enumerate(blocks) if block.issuperset(differing(x.first, x.second))):
            others = tuple(j for j in range(len(blocks)) if j != i)
            for who in ([others] if others else []) if together else [(j,) for j in others]:
                (p, first), (q, second) = view(x.first, who), view(x.second, who)
                yield pair(p, q, ONE, (first, second))


RELATED |= dict.fromkeys((sampled, leaks, images, clients))
