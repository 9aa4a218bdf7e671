"""Conditions on the [policy] of a model, or on its θ and B, under which one definition follows from another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from verifier.definitions.measures.divergence import ANY, Algebraic, known_divergence
from verifier.model import Model
from verifier.model.leaks import LeakLaws
from verifier.questions import conditions
from verifier.tables import collected, grouped


@dataclass(frozen=True)
class ModelCondition:
    """A property of models under which a fact holds."""

    key: str
    text: str
    holds: Callable[[Model], bool]


OF_PAPERS = ("independent", "values", "outputs", "informed")
"""The conditions that the papers' own definitions need, by their keys."""


def _removals(model: Model) -> bool:
    return _sizes_vary(model) and model.policy.neighbours != "change"


def _order_to_omega(model: Model) -> bool:
    order, omega = model.policy.order, model.policy.omega
    return order is not None and omega is not None and order <= omega


def _none_missing(model: Model) -> bool:
    return model.sizes is None and model.policy.absent is None


def _changes_alone(model: Model) -> bool:
    return model.sizes is None and (model.policy.absent is None or model.policy.neighbours == "change")


def _sizes_vary(model: Model) -> bool:
    return model.policy.absent is not None if model.sizes is None else model.sizes[0] < model.sizes[1]


def _steps_lead_on(model: Model) -> bool:
    return model.policy.neighbours != "add-remove" or _sizes_vary(model)


def _neighbours_all(model: Model) -> bool:
    return model.policy.neighbours in {None, "any"} or (_none_missing(model) and model.policy.neighbours == "change")


def _all_possible(model: Model) -> bool:
    every = len(model.values) ** model.size
    by_knowledge = (
        grouped((known, world.database, p) for world, known, p in theta.known_worlds() if p) for theta in model.thetas
    )
    return any(len(databases) == every for known in by_knowledge for databases in known.values())


def _nothing_known(model: Model) -> bool:
    """Whether each θ of the file has one B̂, whatever the database is."""
    return all(len({known for _, known, p in theta.known_worlds() if p}) <= 1 for theta in model.thetas)


def _records_known(model: Model) -> bool:
    """Whether each B̂ is the values of some records, the same ones for each B̂ of a θ.

    K has the records whose value each B̂ tells; then the values of K have to tell B̂.
    """
    for theta in model.thetas:
        worlds = [(world.database, known) for world, known, p in theta.known_worlds() if p]
        databases = collected((known, database) for database, known in worlds)
        told = [i for i in range(model.size) if all(len({d[i] for d in each}) == 1 for each in databases.values())]
        by_values = collected((tuple(d[i] for i in told), known) for d, known in worlds)
        if any(len(set(known)) > 1 for known in by_values.values()):
            return False
    return True


def _hamming(model: Model) -> bool:
    return model.policy.distance == "hamming" and _neighbours_all(model)


def _values_there(model: Model) -> set[int]:
    """The indices of the values of a record that is there."""
    return set(range(len(model.values))) - {model.policy.absent}


def _sensitive_all(model: Model) -> bool:
    return model.policy.sensitive is not None and _values_there(model) <= model.policy.sensitive


def _hamming_at_least_1(model: Model) -> bool:
    return _hamming(model) and model.policy.at_most is not None and model.policy.at_most >= 1


def _blocks_cover(model: Model) -> bool:
    return {record for block in model.policy.blocks or () for record in block} == set(range(model.size))


def _prior_everywhere(model: Model) -> bool:
    prior = model.policy.prior
    return prior is not None and all(prior[value] for value in _values_there(model))


def _divergence_strict(model: Model) -> bool:
    """Whether the divergence is infinite where one law can produce what the other cannot."""
    divergence = known_divergence(model.policy.divergence or "")
    return divergence is not None and divergence.finite != ANY


def _divergence_renyi(model: Model) -> bool:
    order = model.policy.order
    return order is not None and model.policy.divergence == f"renyi-{order}"


def _tests_in_domain(model: Model) -> bool:
    divergence = known_divergence(model.policy.divergence or "")
    most = divergence.most if isinstance(divergence, Algebraic) else None
    return most is None or all(value <= most for test in model.policy.tests or () for _, value in test)


def _is_positive(level: Fraction | None) -> bool:
    return level is None or level > 0


def _theta_distance_all(model: Model) -> bool:
    distances = {frozenset((a, b)): d for a, b, d in model.policy.theta_distances or ()}
    listed = model.policy.theta_pairs
    names = [theta.name for theta in model.distributions]
    pairs = listed or tuple((a, b) for a in names for b in names if a != b)
    return all(distances.get(frozenset(pair)) is not None for pair in pairs)


def _distance_positive(model: Model) -> bool:
    distance = model.policy.distance
    return distance is None or isinstance(distance, str) or all(_is_positive(d) for _, _, d in distance)


CONDITIONS: dict[str, ModelCondition] = {
    condition.key: condition
    for condition in (
        ModelCondition("independent", "D(i) and D₋ᵢ are independent given each B̂", conditions.independent),
        ModelCondition("values", "each B̂ leaves every value of T possible", conditions.every_value_possible),
        ModelCondition(
            "outputs",
            "given each B̂, M(D) and M(D with i set to b) can produce the same outputs, the same ones given each a of T",
            conditions.every_output_possible,
        ),
        ModelCondition(
            "informed", "B̂ tells D₋ᵢ and no more of D(i), and all of Tⁿ is possible", conditions.full_knowledge
        ),
        ModelCondition(
            "neighbours-all", "[policy] neighbours leaves out no neighbours that the file has", _neighbours_all
        ),
        ModelCondition(
            "hamming", "the distance counts the records that differ, and neighbours leaves out none", _hamming
        ),
        ModelCondition(
            "hamming-at-least-1",
            "the distance counts the records that differ, Δ ≥ 1, and neighbours leaves out none",
            _hamming_at_least_1,
        ),
        ModelCondition("none-missing", "no record may be missing", _none_missing),
        ModelCondition(
            "changes-alone",
            "neighbours differ in a record that is changed: none may be missing, or [policy] neighbours is change",
            _changes_alone,
        ),
        ModelCondition(
            "sizes-vary",
            "a record can be added or removed: databases have several sizes, or [policy] absent is there",
            _sizes_vary,
        ),
        ModelCondition(
            "steps-lead-on",
            "[policy] neighbours is not add-remove on databases that all have one size",
            _steps_lead_on,
        ),
        ModelCondition(
            "removals",
            "removing a record makes a neighbour: one may be missing, and [policy] neighbours is not change",
            _removals,
        ),
        ModelCondition("order-to-omega", "α ≤ ω", _order_to_omega),
        ModelCondition("all-possible", "some θ leaves every database possible, given some B̂", _all_possible),
        ModelCondition("sensitive-all", "every value of a record that is there is sensitive", _sensitive_all),
        ModelCondition("group-one", "c = 1", lambda m: m.policy.group == 1),
        ModelCondition("blocks-cover", "every record is in a block", _blocks_cover),
        ModelCondition(
            "every-adversary",
            "no adversaries are listed, so that all are there",
            lambda m: m.policy.adversaries is None,
        ),
        ModelCondition("prior-everywhere", "π gives each value of a record that is there a chance", _prior_everywhere),
        ModelCondition("nothing-known", "the attacker knows nothing", _nothing_known),
        ModelCondition("records-known", "the attacker knows the values of some records, or nothing", _records_known),
        ModelCondition("gamma-zero", "γ = 0", lambda m: m.policy.gamma == 0),
        ModelCondition(
            "leak-read-off", "what leaks is read off the output", lambda m: not isinstance(m.policy.leak, LeakLaws)
        ),
        ModelCondition("error-zero", "δ_p = 0", lambda m: m.policy.error == 0),
        ModelCondition("xi-zero", "ξ = 0", lambda m: not m.policy.xi),
        ModelCondition(
            "divergence-strict", "the divergence is infinite where Q excludes an output of P", _divergence_strict
        ),
        ModelCondition("tests-in-domain", "no h is above where the conjugate f* is finite", _tests_in_domain),
        ModelCondition(
            "divergence-kl", "the divergence is that of Kullback and Leibler", lambda m: m.policy.divergence == "kl"
        ),
        ModelCondition("divergence-renyi", "the divergence is Rényi's, of the order α", _divergence_renyi),
        ModelCondition(
            "tailored-positive",
            "no Ψ(t, D) is 0",
            lambda m: all(_is_positive(c) for *_, c in m.policy.tailored or ()),
        ),
        ModelCondition(
            "tailored-finite",
            "no Ψ(t, D) is infinite",
            lambda m: all(c is not None for *_, c in m.policy.tailored or ()),
        ),
        ModelCondition("levels-positive", "no Ψ(i) is 0", lambda m: all(map(_is_positive, m.policy.levels or ()))),
        ModelCondition(
            "scale-positive", "no r(a, b) is 0", lambda m: all(_is_positive(c) for _, c in m.policy.scale or ())
        ),
        ModelCondition("distance-positive", "no two databases have the distance 0", _distance_positive),
        ModelCondition(
            "theta-distance-positive",
            "no two θ have the distance 0",
            lambda m: all(_is_positive(d) for *_, d in m.policy.theta_distances or ()),
        ),
        ModelCondition(
            "theta-distance-all", "every pair of θ that is compared has a finite distance", _theta_distance_all
        ),
    )
}
"""The conditions of facts, by their names in the data."""


def where_text(when: Iterable[str]) -> str:
    """The conditions with these keys, in words.

    >>> where_text(["group-one", "xi-zero"])
    'c = 1 and ξ = 0'
    """
    return " and ".join(CONDITIONS[key].text for key in sorted(when))
