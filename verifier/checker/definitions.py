"""Every definition whose comparisons can be listed: a line says what is compared, and what is measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from .comparisons import Asked, Comparison
from .of_databases import (
    any_two,
    at_hand,
    by_record,
    by_values,
    changes,
    choosers,
    dependent,
    distance,
    in_a_block,
    in_a_group,
    in_common,
    induced,
    listed_pairs,
    moved,
    near,
    near_statistic,
    neighbours,
    on_an_edge,
    one_apart,
    one_tuple_more,
    record_at_hand,
    removals,
    removed,
    sensitive_first,
    tailored,
    without,
)
from .of_views import clients, drawn_twice, images, leaks, redrawn, redrawn_values, sampled
from .of_worlds import (
    active,
    adversaries,
    beliefs_in_databases,
    beliefs_in_records,
    beliefs_of_changed,
    counterfactual,
    dependency,
    membership,
    passive,
    predicates,
    theta_pairs,
)


class Definition(NamedTuple):
    """What is compared, what is measured (`judge.MEASURES`), fields of [policy] of the measure, other readings.

    `plain`: outputs keep their own names, and are not joined where they are proportional.
    """

    listing: Callable[[Asked], Iterator[Comparison]]
    measure: str
    fields: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    plain: bool = False


_ORDER, _GIVEN = ("one-order",), ("one-order", "infinite-loss")
_RATIO: dict[str, Callable[[Asked], Iterator[Comparison]]] = {
    "dp-any": neighbours, "indpr": neighbours, "indcdp": neighbours, "simcdp": neighbours, "ubodp": removals,
    "attdp": moved("change", one_apart("attributes")), "bitdp": moved("change", one_apart("bits")),
    "osdp": moved("change", sensitive_first), "asdp": moved("add-remove", sensitive_first),
    "iddp": moved("change", scale=by_values), "perdp": moved("add-remove", removed, by_record),
    "taidp": moved("add-remove", scale=tailored), "outpr": moved("add-remove", scale=tailored),
    "pardp": moved("add-remove", scale=tailored), "individual-dp": moved(None, at_hand),
    "pidp": moved(None, record_at_hand), "bfpr": moved("any", on_an_edge),
    "flpr": any_two(lambda asked: lambda d, e: True),
    "grdp": any_two(in_a_group), "depdp": any_two(dependent), "cldp": any_two(in_a_block), "eldp": any_two(in_a_block),
    "gcdp-km": listed_pairs, "consdp": any_two(near), "dlpr-zlw": any_two(in_common), "sidp": any_two(near_statistic),
    "induced-neighbours-dp": any_two(induced), "ddpr": any_two(distance), "smdp": any_two(distance), "samdp": sampled,
    "pfpr": predicates, "anpr": beliefs_in_records, "infpr": beliefs_in_databases,
    "pmpr": partial(membership, "in", "out"), "nmpr": partial(membership, "out", "in"),
    "mpr": partial(membership, "in out", "in out"), "ednpr": partial(theta_pairs, True),
    "baydp-ysn": adversaries, "baydp-ll": adversaries, "cordp": adversaries, "pridp": adversaries,
}  # fmt: skip
_OF_NEIGHBOURS: dict[str, tuple[str, tuple[str, ...]]] = {
    "klpr": ("kl", ()), "renyidp": ("renyi", ("order",)), "divdp": ("divergence", ("divergence",)),
    "kdivdp": ("root", ("order",)), "cbdp": ("tests", ("tests", "divergence")), "rbpr": ("spread", ()),
}  # fmt: skip

DEFINITIONS: dict[str, Definition] = {
    "dp": Definition(changes, "hockey-stick", readings=_ORDER),
    "tail-dp": Definition(changes, "tail", readings=_ORDER),
    "np": Definition(active, "hockey-stick", readings=_ORDER),
    "apkdp": Definition(active, "hockey-stick", readings=_ORDER),
    "tail-apkdp": Definition(active, "tail", readings=_ORDER),
    "ppkdp": Definition(passive, "hockey-stick", readings=_GIVEN),
    "tail-ppkdp": Definition(passive, "tail", readings=_GIVEN),
    "cdp": Definition(counterfactual, "hockey-stick", readings=("all-values", "one-order")),
    "tail-cdp": Definition(counterfactual, "tail", readings=("all-values", "one-order")),
    "ibcdp": Definition(beliefs_of_changed, "hockey-stick", readings=("possible-values", "one-order")),
    "dependency": Definition(
        dependency, "hockey-stick", readings=("one-order", "no-loss", "infinite-loss", "equal-infinities", "both-ways")
    ),
    "dps": Definition(one_tuple_more, "hockey-stick", readings=("any-delta",)),
    "safe": Definition(choosers, "hockey-stick"),
    **{key: Definition(listing, "ratio") for key, listing in _RATIO.items()},
    "adp": Definition(neighbours, "hockey-stick"),
    "psdp": Definition(any_two(distance), "hockey-stick"),
    "dnpr": Definition(partial(theta_pairs, False), "hockey-stick"),
    "pbdp": Definition(partial(theta_pairs, False), "hockey-stick"),
    "advpr": Definition(partial(membership, "in", ""), "hockey-stick"),
    "wbdp": Definition(redrawn_values, "hockey-stick"),
    "bldp": Definition(leaks, "hockey-stick"),
    "subdp": Definition(images, "hockey-stick"),
    "prodp": Definition(neighbours, "tail"),
    "pdnpr": Definition(partial(theta_pairs, False), "tail"),
    "baydp-tf": Definition(redrawn_values, "tail"),
    "reldp": Definition(neighbours, "left-out", ("error",), plain=True),
    **{
        key: Definition(neighbours, measure, fields, plain=key == "cbdp")
        for key, (measure, fields) in _OF_NEIGHBOURS.items()
    },
    "zcodp": Definition(neighbours, "concentrated"),
    "azcodp": Definition(neighbours, "concentrated-on-events"),
    "bcodp": Definition(neighbours, "concentrated-to-omega", ("omega",)),
    "tcodp-bdrs": Definition(neighbours, "concentrated-to-omega-without-xi", ("omega",)),
    "tcodp-col": Definition(neighbours, "concentrated-below-xi", ("xi",)),
    "mcodp": Definition(neighbours, "sub-gaussian", ("mu",)),
    "gaussdp": Definition(neighbours, "gaussian"),
    "edivdp": Definition(any_two(distance), "divergence", ("divergence",)),
    "ddnpr": Definition(partial(theta_pairs, False), "divergence", ("divergence",)),
    "eddnpr": Definition(partial(theta_pairs, True), "divergence", ("divergence",)),
    "avgklpr": Definition(redrawn, "mean-kl"),
    "randp": Definition(redrawn, "share", ("gamma",)),
    "dlpr-rot": Definition(drawn_twice, "share", ("gamma",), ("without-replacement",)),
    "fdp": Definition(neighbours, "tradeoff", ("tradeoff",)),
    "gcdp-kl": Definition(listed_pairs, "tradeoff", ("tradeoff",)),
    "wfdp": Definition(partial(clients, False), "tradeoff", ("tradeoff",)),
    "sfdp": Definition(partial(clients, True), "tradeoff", ("tradeoff",)),
    "absdp": Definition(listed_pairs, "predicate", ("predicate",)),
    "sempr": Definition(without, "semantic", plain=True),
}
_LINEAR, _WORDS = "a simulator, by linear programs", "a definition without a formula"
NOT_LISTED = {
    **dict.fromkeys(("ddp", "ibddp", "cwpr", "ibcwpr", "zkpr", "czkpr", "typst"), _LINEAR),
    **dict.fromkeys(("ocdp", "rldp"), _WORDS),
}
"""Definitions that the checker does not decide again, with the reason."""
ALIASES = {
    "npr": "np",
    "causdp": "cdp",
    "distdp": "ddp",
    "bodp": "dp",
    "pdp": "tail-dp",
    "npdp": "np",
    "zcdp": "zcodp",
    "rdp": "renyidp",
    "gdp": "gaussdp",
    **dict.fromkeys(("ldp", "pure-dp", "approximate-dp"), "dp"),
}
"""Other names that an answer may carry."""
