"""The definitions of DP22 by the survey's keys: the checker's own list, from the survey and the papers that it cites.

`rows` makes the ordered pairs of laws from the tables; `measure` is a number, a curve or a condition, made from the
policy; `counts` says how rows count together. Those with a simulator are in `simulators`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from verifier.checker import Rejected, measures
from verifier.checker.laws import Row, Tables
from verifier.checker.measures import Curve, Measure
from verifier.checker.numbers import ZERO
from verifier.checker.survey import bounds, divergences, draws, events, relations
from verifier.checker.survey.bounds import Concentrated, MeanConcentrated, approximate
from verifier.checker.survey.relations import Relation

WORST, AVERAGE, ALL_BUT = "worst", "average", "all but γ"
ListRows = Callable[[Tables], Iterable[Row]]


class Scheme(NamedTuple):
    """A definition: its rows, its measure, and how rows count together."""

    rows: ListRows
    measure: Callable[[Tables], Any]
    counts: str = WORST
    has_epsilon: bool = True
    has_delta: bool = False
    """Whether a δ may be asked although the measure is no curve."""
    sets: bool = False
    """Whether sets of outputs count one by one: then a half-line of noise is not one output (proofs/tails.md)."""

    @property
    def of_one_record(self) -> bool:
        """Whether it compares databases alone that differ in one record: then these are looked at, not all pairs."""
        relation = self.rows.keywords.get("relation") if isinstance(self.rows, partial) else None
        return relation is not None and relations.is_of_one_record(relation)


def of(relation: Relation, measure: Callable[[Tables], Any] | None = None) -> Scheme:
    """The definition that compares the databases of a relation by a measure, the largest loss where none is named."""
    return Scheme(partial(relations.related, relation=relation), measure or _ratio)


def _always(measure: Any) -> Callable[[Tables], Any]:
    """A measure that the policy leaves as it is."""
    return lambda _: measure


_ratio, _curve, _tail = map(_always, (measures.ratio, Curve(), Curve(tail=True)))


def _relaxed(tables: Tables) -> Curve:
    return Curve(left_out=tables.need("error"))


def _divergence(tables: Tables) -> Measure:
    return divergences.divergence_of(tables.need("divergence"))


def _order(tables: Tables) -> int:
    order: Fraction = tables.need("order")
    if order.denominator != 1 or not 1 <= order <= measures.MOST_ORDER:
        raise Rejected(f"order: an integer from 1 to {measures.MOST_ORDER} is derived here")
    return int(order)


def _renyi(tables: Tables) -> Any:
    order: Fraction = tables.need("order")
    if not 1 < order <= measures.MOST_ORDER:
        raise Rejected(f"order: a rational above 1, up to {measures.MOST_ORDER}, is derived here")
    return measures.renyi(int(order)) if order.denominator == 1 else partial(bounds.renyi_of, order)


def _rooted(tables: Tables) -> Measure:
    return divergences.rooted_power(_order(tables))


def _restricted(tables: Tables) -> Any:
    divergence, tests = tables.need("divergence"), tables.need("tests")
    return partial(bounds.capacity, tests) if divergence == "kl" else divergences.restricted(divergence, tests)


def _concentrated(tables: Tables) -> Any:
    """(ξ, ρ)-zero-concentrated: all orders; ξ is 0 where it is left out."""
    return partial(Concentrated, xi=tables.policy.get("xi", ZERO))


def _bounded(tables: Tables) -> Any:
    """The orders up to ω alone."""
    return partial(Concentrated, xi=tables.policy.get("xi", ZERO), omega=_omega(tables))


def _truncated(tables: Tables) -> Any:
    """BDRS18: ξ = 0, and the orders up to ω alone."""
    return partial(Concentrated, xi=ZERO, omega=_omega(tables))


def _limited(tables: Tables) -> Any:
    """Col16: at most ξ at every order, and at most τ times the order."""
    return partial(Concentrated, xi=ZERO, most=tables.need("xi"))


def _omega(tables: Tables) -> Fraction:
    omega: Fraction = tables.need("omega")
    if omega <= 1:
        raise Rejected("[policy] omega is above 1")
    return omega


def _mean_concentrated(tables: Tables) -> Any:
    return partial(MeanConcentrated, mu=tables.need("mu"))


def _approximate(tables: Tables) -> Any:
    """BS16, Definition 8.1: each law given an event of probability 1 - δ or more."""
    return partial(approximate, xi=tables.policy.get("xi", ZERO), delta=tables.delta)


def _cells(cells: tuple[events.Cell, ...], measure: Callable[[Tables], Any] = _ratio) -> Scheme:
    return Scheme(partial(events.membership, cells=cells), measure)


NEIGHBOURS = relations.neighbours
EQUIVALENT = of(NEIGHBOURS)
"""ε-indistinguishability of neighbours: no dimension is changed."""
KNOWN = Scheme(events.adversaries, _ratio)
SURVEY: dict[str, Scheme] = {
    # section 2 and 3: the original definition, and the quantification of privacy loss
    "dp-any": EQUIVALENT,
    "adp": of(NEIGHBOURS, _curve),
    "prodp": of(NEIGHBOURS, _tail),
    "reldp": of(NEIGHBOURS, _relaxed)._replace(sets=True),
    "klpr": of(NEIGHBOURS, _always(measures.kullback_leibler)),
    "renyidp": of(NEIGHBOURS, _renyi),
    "divdp": of(NEIGHBOURS, _divergence),
    "kdivdp": of(NEIGHBOURS, _rooted),
    "cbdp": of(NEIGHBOURS, _restricted),
    "zcodp": of(NEIGHBOURS, _concentrated),
    "bcodp": of(NEIGHBOURS, _bounded),
    "tcodp-bdrs": of(NEIGHBOURS, _truncated),
    "tcodp-col": of(NEIGHBOURS, _limited),
    "mcodp": of(NEIGHBOURS, _mean_concentrated),
    "azcodp": of(NEIGHBOURS, _approximate)._replace(has_delta=True),
    # section 4: the neighbourhood
    "ubodp": of(relations.add_remove),
    "attdp": of(partial(relations.one_apart, field="attributes")),
    "bitdp": of(partial(relations.one_apart, field="bits")),
    "osdp": of(relations.one_sided),
    "asdp": of(relations.asymmetric),
    "cldp": of(relations.blocks),
    "eldp": of(relations.blocks),
    "grdp": of(relations.group),
    "depdp": of(relations.dependent),
    "baydp-ysn": KNOWN,
    "cordp": KNOWN,
    "pridp": KNOWN,
    "flpr": of(relations.anything),
    "individual-dp": of(relations.individual),
    "pidp": of(relations.per_instance),
    "gcdp-km": of(relations.listed),
    "consdp": of(relations.constrained),
    "dlpr-zlw": of(relations.distributional),
    "sidp": of(relations.statistic),
    "induced-neighbours-dp": of(relations.induced),
    "bfpr": of(relations.blowfish),
    # section 5: the variation of privacy loss
    "perdp": of(relations.personal),
    "taidp": of(relations.tailored),
    "outpr": of(relations.tailored),
    "pardp": of(relations.tailored),
    "iddp": of(relations.discriminative),
    "randp": Scheme(draws.redrawn, _ratio, ALL_BUT),
    "ddpr": of(relations.distance),
    "smdp": of(relations.distance),
    "dlpr-rot": Scheme(draws.two_samples, _ratio, ALL_BUT),
    "psdp": of(relations.distance, _curve),
    "edivdp": of(relations.distance, _divergence),
    "wbdp": Scheme(draws.mean_over_values, _curve, AVERAGE),
    "baydp-tf": Scheme(draws.mean_over_values, _tail, AVERAGE),
    "avgklpr": Scheme(draws.mean_over_pairs, _always(measures.kullback_leibler), AVERAGE),
    "gcdp-kl": Scheme(of(relations.listed).rows, divergences.generic_above, has_epsilon=False),
    "absdp": Scheme(of(relations.listed).rows, divergences.predicate, has_epsilon=False),
    # section 6: background knowledge
    "samdp": Scheme(draws.sampled, _ratio),
    "pfpr": Scheme(events.pufferfish, _ratio),
    "baydp-ll": KNOWN,
    "dnpr": Scheme(events.distributions, _curve),
    "pbdp": Scheme(events.distributions, _curve),
    "pdnpr": Scheme(events.distributions, _tail),
    "ddnpr": Scheme(events.distributions, _divergence),
    "ednpr": Scheme(events.distant_distributions, _ratio),
    "eddnpr": Scheme(events.distant_distributions, _divergence),
    # section 7: the formalism
    "fdp": Scheme(EQUIVALENT.rows, divergences.tradeoff_above, has_epsilon=False),
    "gaussdp": of(NEIGHBOURS, _always(bounds.gaussian)),
    "wfdp": Scheme(partial(draws.federated, together=False), divergences.tradeoff_above, has_epsilon=False),
    "sfdp": Scheme(partial(draws.federated, together=True), divergences.tradeoff_above, has_epsilon=False),
    "indpr": EQUIVALENT,
    "pmpr": _cells(events.POSITIVE),
    "nmpr": _cells(events.NEGATIVE),
    "mpr": _cells((*events.POSITIVE, *events.NEGATIVE)),
    "advpr": _cells(events.ADVERSARIAL, _curve),
    "anpr": Scheme(events.of_records, _ratio),
    "infpr": Scheme(events.of_databases, _ratio),
    "sempr": Scheme(draws.with_and_without, _always(divergences.semantic), sets=True),
    "rbpr": of(NEIGHBOURS, _always(measures.spread)),
    # section 8: the relativisation of the knowledge gain
    "bldp": Scheme(draws.leaking, _curve),
    "subdp": Scheme(draws.images, _curve),
    # section 9: one mechanism at every security parameter, whose differences are negligible only if they are ≤ 0
    "indcdp": EQUIVALENT,
    "simcdp": EQUIVALENT,
}
"""The definitions of DP22 that this checker derives, but for those with a simulator."""
OF_MULTISETS = {"dp": of(relations.change, _curve), "tail-dp": of(relations.change, _tail)}
"""Definitions of DMKB20 of which the databases may be multisets: of one size, with one tuple replaced."""
OF_DISTANCE, OF_LEVELS, OF_PRIOR = ("distance",), ("tailored",), ("prior",)
NEEDED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ddpr", "smdp", "psdp", "edivdp"), OF_DISTANCE),
    **dict.fromkeys(("taidp", "outpr", "pardp"), OF_LEVELS),
    **dict.fromkeys(("wbdp", "baydp-tf", "avgklpr"), OF_PRIOR),
    **dict.fromkeys(("randp", "dlpr-rot"), (*OF_PRIOR, "gamma")),
    **dict.fromkeys(("cldp", "eldp"), ("blocks",)),
    **dict.fromkeys(("osdp", "asdp"), ("sensitive",)),
    **dict.fromkeys(("gcdp-km", "gcdp-kl", "absdp"), ("pairs",)),
    **dict.fromkeys(("ednpr", "eddnpr"), ("theta-distances",)),
    "attdp": ("attributes",),
    "bitdp": ("bits",),
    "grdp": ("group",),
    "depdp": ("dependence", "group"),
    "individual-dp": ("fixed",),
    "pidp": ("fixed", "record"),
    "consdp": (*OF_DISTANCE, "at-most"),
    "dlpr-zlw": ("databases", *OF_DISTANCE, "at-most"),
    "sidp": ("statistic", "at-most"),
    "induced-neighbours-dp": ("databases",),
    "bfpr": ("graph",),
    "perdp": ("levels",),
    "iddp": ("scale",),
    "samdp": ("rate",),
    "pfpr": ("secrets",),
    "bldp": ("leak",),
    "subdp": ("image",),
    "sempr": ("absent",),
    "wfdp": ("blocks", "views"),
    "sfdp": ("blocks", "views"),
}
"""The fields of [policy] that a definition lists its rows by, also where nothing is compared."""
