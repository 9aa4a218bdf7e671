"""The definitions of DP22 by the survey's keys: which rows each compares, and by which measure; the replay's own table.

Written from the survey and the papers that it cites. `rows` makes the ordered pairs of laws from a setting; `measure`
is a scalar, a curve or a condition, made from the policy; `counts` says how rows count together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from verifier.checker import conditions, enclosed, events, random_pairs, relations, scalars
from verifier.checker.curves import Curve
from verifier.checker.numbers import Rejected
from verifier.checker.orders import Concentrated, MeanConcentrated, approximate
from verifier.checker.relations import Relation
from verifier.checker.scalars import Measure
from verifier.checker.setting import Row, Setting
from verifier.checker.written import ZERO

WORST, AVERAGE, ALL_BUT = "worst", "average", "all but γ"
Rows = Callable[[Setting], Iterable[Row]]


class Scheme(NamedTuple):
    """A definition: its rows, its measure, and how rows count together."""

    rows: Rows
    measure: Callable[[Setting], Any]
    counts: str = WORST
    has_epsilon: bool = True
    has_delta: bool = False
    """Whether a δ may be asked although the measure is no curve."""
    sets: bool = False
    """Whether sets of outputs count one by one: then a half-line of noise is not one output (proofs/tails.md)."""


def of(relation: Relation, measure: Callable[[Setting], Any] | None = None) -> Scheme:
    """The definition that compares the databases of a relation by a measure, the largest loss where none is named."""
    return Scheme(partial(relations.related, relation=relation), measure or _ratio)


def _always(measure: Any) -> Callable[[Setting], Any]:
    """A measure that the policy leaves as it is."""
    return lambda _: measure


_ratio, _curve, _tail = map(_always, (scalars.ratio, Curve(), Curve(tail=True)))


def _relaxed(setting: Setting) -> Curve:
    return Curve(left_out=setting.need("error"))


def _divergence(setting: Setting) -> Measure:
    return scalars.divergence_of(setting.need("divergence"))


def _order(setting: Setting) -> int:
    order: Fraction = setting.need("order")
    if order.denominator != 1 or not 1 <= order <= scalars.MOST_ORDER:
        raise Rejected(f"order: an integer from 1 to {scalars.MOST_ORDER} is derived here")
    return int(order)


def _renyi(setting: Setting) -> Any:
    order: Fraction = setting.need("order")
    if not 1 < order <= scalars.MOST_ORDER:
        raise Rejected(f"order: a rational above 1, up to {scalars.MOST_ORDER}, is derived here")
    return scalars.renyi(int(order)) if order.denominator == 1 else partial(enclosed.renyi_of, order)


def _rooted(setting: Setting) -> Measure:
    return scalars.rooted_power(_order(setting))


def _restricted(setting: Setting) -> Any:
    divergence, tests = setting.need("divergence"), setting.need("tests")
    return partial(enclosed.capacity, tests) if divergence == "kl" else scalars.restricted(divergence, tests)


def _concentrated(setting: Setting) -> Any:
    """(ξ, ρ)-zero-concentrated: all orders; ξ is 0 where it is left out."""
    return partial(Concentrated, xi=setting.policy.get("xi", ZERO))


def _bounded(setting: Setting) -> Any:
    """The orders up to ω alone."""
    return partial(Concentrated, xi=setting.policy.get("xi", ZERO), omega=_omega(setting))


def _truncated(setting: Setting) -> Any:
    """BDRS18: ξ = 0, and the orders up to ω alone."""
    return partial(Concentrated, xi=ZERO, omega=_omega(setting))


def _limited(setting: Setting) -> Any:
    """Col16: at most ξ at every order, and at most τ times the order."""
    return partial(Concentrated, xi=ZERO, most=setting.need("xi"))


def _omega(setting: Setting) -> Fraction:
    omega: Fraction = setting.need("omega")
    if omega <= 1:
        raise Rejected("[policy] omega is above 1")
    return omega


def _mean_concentrated(setting: Setting) -> Any:
    return partial(MeanConcentrated, mu=setting.need("mu"))


def _approximate(setting: Setting) -> Any:
    """BS16, Definition 8.1: each law given an event of probability 1 - δ or more."""
    return partial(approximate, xi=setting.policy.get("xi", ZERO), delta=setting.delta)


def _cells(cells: tuple[events.Cell, ...], measure: Callable[[Setting], Any] = _ratio) -> Scheme:
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
    "klpr": of(NEIGHBOURS, _always(scalars.kullback_leibler)),
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
    "randp": Scheme(random_pairs.redrawn, _ratio, ALL_BUT),
    "ddpr": of(relations.distance),
    "smdp": of(relations.distance),
    "dlpr-rot": Scheme(random_pairs.two_samples, _ratio, ALL_BUT),
    "psdp": of(relations.distance, _curve),
    "edivdp": of(relations.distance, _divergence),
    "wbdp": Scheme(random_pairs.mean_over_values, _curve, AVERAGE),
    "baydp-tf": Scheme(random_pairs.mean_over_values, _tail, AVERAGE),
    "avgklpr": Scheme(random_pairs.mean_over_pairs, _always(scalars.kullback_leibler), AVERAGE),
    "gcdp-kl": Scheme(of(relations.listed).rows, conditions.generic_above, has_epsilon=False),
    "absdp": Scheme(of(relations.listed).rows, conditions.predicate, has_epsilon=False),
    # section 6: background knowledge
    "samdp": Scheme(random_pairs.sampled, _ratio),
    "pfpr": Scheme(events.pufferfish, _ratio),
    "baydp-ll": KNOWN,
    "dnpr": Scheme(events.distributions, _curve),
    "pbdp": Scheme(events.distributions, _curve),
    "pdnpr": Scheme(events.distributions, _tail),
    "ddnpr": Scheme(events.distributions, _divergence),
    "ednpr": Scheme(events.distant_distributions, _ratio),
    "eddnpr": Scheme(events.distant_distributions, _divergence),
    # section 7: the formalism
    "fdp": Scheme(EQUIVALENT.rows, conditions.tradeoff_above, has_epsilon=False),
    "gaussdp": of(NEIGHBOURS, _always(enclosed.gaussian)),
    "wfdp": Scheme(partial(random_pairs.federated, together=False), conditions.tradeoff_above, has_epsilon=False),
    "sfdp": Scheme(partial(random_pairs.federated, together=True), conditions.tradeoff_above, has_epsilon=False),
    "indpr": EQUIVALENT,
    "pmpr": _cells(events.POSITIVE),
    "nmpr": _cells(events.NEGATIVE),
    "mpr": _cells((*events.POSITIVE, *events.NEGATIVE)),
    "advpr": _cells(events.ADVERSARIAL, _curve),
    "anpr": Scheme(events.of_records, _ratio),
    "infpr": Scheme(events.of_databases, _ratio),
    "sempr": Scheme(random_pairs.with_and_without, _always(scalars.semantic), sets=True),
    "rbpr": of(NEIGHBOURS, _always(scalars.spread)),
    # section 8: the relativisation of the knowledge gain
    "bldp": Scheme(random_pairs.leaking, _curve),
    "subdp": Scheme(random_pairs.images, _curve),
}
"""The definitions of DP22 that this checker derives, but for those with a simulator."""
