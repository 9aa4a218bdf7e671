"""Adds up a witness again, from the model and the JSON of an answer alone.

Written from `models/FORMAT.md` (*Laws of a witness*) and the definitions of the papers, without the program's code for
comparisons and measures: laws are made again from the worlds of θ, the mechanism and the fields of `laws`; events and
divergences are computed anew. Powers of e, logarithms and quantiles have 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any, TypeAlias

from mpmath import erfinv, exp, inf, log, mp, mpf, sqrt

from verifier.definitions.builders.sizes import chooser_of
from verifier.model import Model, replaced
from verifier.tables import Label, label

Law: TypeAlias = "dict[Label, Fraction]"
Databases: TypeAlias = "dict[tuple[int, ...], Fraction]"
mp.dps = 60
CLOSE = mpf(10) ** -20
ROUGH = mpf(10) ** -6
"""How near a supremum over real orders is looked for on a grid."""


# --- laws -------------------------------------------------------------------------------------------------------------


def policy_of(model: Model) -> Any:
    """The fields of `[policy]`: the answer was decided, so that the file has those that are read."""
    return model.policy


def database_of(model: Model, shown: Iterable[Any]) -> tuple[int, ...]:
    return tuple(model.values.index(label(value)) for value in shown)


def databases_of(model: Model, fields: Mapping[str, Any]) -> Databases:
    """The law of D, up to `set_to`."""
    if "databases" in fields:
        return {database_of(model, each["database"]): Fraction(each["probability"]) for each in fields["databases"]}
    theta = next(theta for theta in model.thetas if theta.name == fields["distribution"])
    kept: Databases = {}
    for world, knowledge, p in theta.known_worlds():
        if is_possible(model, fields, world, knowledge):
            kept[world.database] = kept.get(world.database, Fraction(0)) + p
    return normalized(kept)


def is_possible(model: Model, fields: Mapping[str, Any], world: Any, knowledge: Label) -> bool:
    """Whether a world is in the event that a law is conditioned on."""
    database = world.database
    if "knowledge" in fields and knowledge != label(fields["knowledge"]):
        return False
    if any(model.values[database[each["record"]]] != label(each["value"]) for each in fields.get("given", ())):
        return False
    if "present" in fields and database[fields["record"]] == policy_of(model).absent:
        return False
    if "secret" in fields:
        pair, side = fields["secret"]
        return database in policy_of(model).secrets[pair][side]
    if "value" not in fields:
        return True
    found = model.secrets[0].of(world) if "record" not in fields else model.values[database[fields["record"]]]
    return bool(found == label(fields["value"]))


def normalized(law: dict[Any, Fraction]) -> dict[Any, Fraction]:
    total = sum(law.values())
    assert total, "a law is conditioned on an impossible event"
    return {key: p / total for key, p in law.items() if p}


def law_of(model: Model, fields: Mapping[str, Any]) -> Law:
    """The law that the fields name."""
    joint: dict[tuple[Label, Label], Fraction] = {}
    for database, p in databases_of(model, fields).items():
        at = database
        if "set_to" in fields:
            at = replaced(database, fields["record"], model.values.index(label(fields["set_to"])))
        for output, q in outputs_of(model, fields, at).items():
            key = subject(model, fields, database), output
            joint[key] = joint.get(key, Fraction(0)) + p * q
    if "output" in fields:
        joint = {key: p for key, p in joint.items() if key[1] == label(fields["output"])}
    if "leak" in fields:
        leaks = dict(policy_of(model).leak)
        joint = {key: p for key, p in joint.items() if leaks[key[1]] == label(fields["leak"])}
    joint = normalized(joint)
    believed = fields.get("about") in {"record", "database", "element"}
    law: Law = {}
    for (about, output), p in joint.items():
        found = about if believed else seen(model, fields, output)
        law[found] = law.get(found, Fraction(0)) + p
    return law


def outputs_of(model: Model, fields: Mapping[str, Any], database: tuple[int, ...]) -> Law:
    mechanism = chooser_of(model.mechanism) if fields.get("about") == "recoding" else model.mechanism
    law = mechanism.law(database)
    return {output: law.probability(output) for output in law.outcomes}


def subject(model: Model, fields: Mapping[str, Any], database: tuple[int, ...]) -> Label:
    """What a belief is about; of no belief something that is always the same."""
    match fields.get("about"):
        case "record":
            record: int = fields["record"]
            return model.values[database[record]]
        case "database":
            return label([model.values[v].shown for v in database])
        case "element":
            return label("in" if model.values.index(label(fields["element"])) in database else "out")
    return label("")


def seen(model: Model, fields: Mapping[str, Any], output: Label) -> Label:
    """What the attacker sees of an output."""
    if fields.get("image"):
        image: dict[Label, Label] = dict(policy_of(model).image)
        return image[output]
    if "group" in fields:
        views = [dict(policy_of(model).views[client]) for client in fields["group"]]
        return label([view[output].shown for view in views])
    return output


def laws_of(model: Model, laws: list[Mapping[str, Any]]) -> tuple[Law, Law]:
    """P and Q; of a dependency Q is the measure R = P(o₁)·Q(o₂ | o₁)·P(o₂)/Q(o₂)."""
    first, second = (law_of(model, fields) for fields in laws)
    if "dependency" not in laws[1]:
        return first, second
    assert laws[1]["dependency"] == "M2 on M1"
    p, q = ({o.entries: x for o, x in law.items()} for law in (first, second))
    p1, p2, q1, q2 = (marginal(law, k) for law in (p, q) for k in (0, 1))
    measure = {}
    for output, (o1, o2) in ((output, output.entries or ()) for output in first):
        if o1 not in q1:
            measure[output] = first[output]
        elif o2 in q2:
            measure[output] = p1[o1] * q.get((o1, o2), Fraction(0)) / q1[o1] * p2[o2] / q2[o2]
    return first, measure


def marginal(joint: Mapping[Any, Fraction], k: int) -> dict[Label, Fraction]:
    law: dict[Label, Fraction] = {}
    for outputs, p in joint.items():
        law[outputs[k]] = law.get(outputs[k], Fraction(0)) + p
    return law


# --- sums -------------------------------------------------------------------------------------------------------------


def added(law: Law, event: Iterable[Any]) -> Fraction:
    """The probability of a set of outputs; a half-line is one output."""
    chosen = [label(output) for output in event]
    assert len(set(chosen)) == len(chosen)
    return sum((law.get(output, Fraction(0)) for output in chosen), Fraction(0))


def re_added(model: Model, shown: Mapping[str, Any], laws: list[Mapping[str, Any]]) -> tuple[Fraction, Fraction]:
    """P and Q of the event that something shows, compared with what it says that they are."""
    pair = laws_of(model, laws)
    p, q = (added(law, shown["event"]) for law in pair)
    assert (str(p), str(q)) == (shown["probability_a"], shown["probability_b"]), shown
    return p, q


def number(text: str | None) -> Any:
    """An ε, or e^ε's exponent: `ln(3/2)`, `1/2*ln(3)`, a rational, `inf`."""
    if text is None or text == "inf":
        return inf
    if "ln(" not in text:
        return ratio(Fraction(text))
    factor, _, rest = text.partition("ln(")
    return ratio(Fraction(factor.rstrip("*") or 1)) * log(ratio(Fraction(rest.rstrip(")"))))


def ratio(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


def power(epsilon: Any) -> Any:
    return inf if epsilon == inf else exp(epsilon)


def exceeds(p: Fraction, q: Fraction, epsilon: Any, delta: Fraction) -> bool:
    """P - e^ε·Q > δ; at ε = ∞ Q must be 0."""
    if epsilon == inf:
        return q == 0 and p > delta
    return bool(ratio(p) - power(epsilon) * ratio(q) > ratio(delta))


# --- numbers ----------------------------------------------------------------------------------------------------------


def chances(model: Model, witness: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """P and Q of all outputs, which the terms have in full."""
    p, q = laws_of(model, witness["laws"])
    listed = {label(term["output"]): (term["probability_a"], term["probability_b"]) for term in witness["terms"]}
    assert listed == {o: (str(p.get(o, Fraction(0))), str(q.get(o, Fraction(0)))) for o in {**p, **q}}
    return [(ratio(Fraction(a)), ratio(Fraction(b))) for a, b in listed.values()]


def renyi(rows: list[tuple[Any, Any]], order: Any) -> Any:
    if any(p and not q for p, q in rows):
        return inf
    return log(sum((p**order * q ** (1 - order) for p, q in rows if p), mpf(0))) / (order - 1)


def kl(rows: list[tuple[Any, Any]]) -> Any:
    return inf if any(p and not q for p, q in rows) else sum((p * log(p / q) for p, q in rows if p), mpf(0))


def abs_power(rows: list[tuple[Any, Any]], k: int) -> Any:
    if k > 1 and any(p and not q for p, q in rows):
        return inf
    return sum((q * abs(p / q - 1) ** k if q else p for p, q in rows), mpf(0))


def supremum(of: Callable[[Any], Any], low: Any, high: Any) -> Any:
    """A value that is attained on [low, high], near the largest one: a grid, and a search around its best point."""
    points = [low + (high - low) * mpf(k) / 60 for k in range(61)]
    for _ in range(6):
        values = [of(point) for point in points]
        best = values.index(max(values))
        left, right = points[max(best - 1, 0)], points[min(best + 1, len(points) - 1)]
        points = [left + (right - left) * mpf(k) / 20 for k in range(21)]
    return max(of(point) for point in points)


def concentrated(rows: list[tuple[Any, Any]], xi: Any, omega: Any = None) -> Any:
    """The supremum of (D_α - ξ)/α over 1 < α ≤ ω, in 1/α: KL - ξ at 1."""
    if any(p and not q for p, q in rows):
        return inf
    least = mpf(0) if omega is None else 1 / omega
    return max(
        mpf(0),
        supremum(lambda u: kl(rows) - xi if u == 1 else (renyi(rows, 1 / u) - xi) * u if u else mpf(0), least, mpf(1)),
    )


def sub_gaussian(rows: list[tuple[Any, Any]], mu: Any) -> Any:
    mean = kl(rows)
    if mean == inf or mean > mu:
        return inf
    losses = [(p, log(p / q)) for p, q in rows if p]
    variance = sum((p * (loss - mean) ** 2 for p, loss in losses), mpf(0))

    def of(u: Any) -> Any:  # λ = u/(1 - |u|)
        if not u:
            return sqrt(variance)
        at = u / (1 - abs(u))
        inner = sum((p * exp(at * (loss - mean)) for p, loss in losses), mpf(0))
        return sqrt(max(mpf(0), 2 * log(inner))) / abs(at)

    return supremum(of, mpf("-0.999"), mpf("0.999"))


def closest(rows: list[tuple[Any, Any]], delta: Any) -> list[tuple[Any, Any]] | None:
    """The laws capped at x·Q and y·P so that δ is cut off (azCoDP); None where none has finite losses."""
    if not delta:
        return rows
    if sum(max(p - q, 0) for p, q in rows) <= delta:
        return [(mpf(1), mpf(1))]
    caps = [cap([(p, q) for p, q in rows], delta), cap([(q, p) for p, q in rows], delta)]
    if None in caps:
        return None
    x, y = caps
    return [(min(p, x * q) / (1 - delta), min(q, y * p) / (1 - delta)) for p, q in rows]


def cap(rows: list[tuple[Any, Any]], delta: Any) -> Any:
    """The x with Σ max(0, P - x·Q) = δ; None where P alone has δ or more outside of Q."""
    ratios = sorted({p / q for p, q in rows if p and q}, reverse=True)
    p_sum, q_sum = sum((p for p, q in rows if not q), mpf(0)), mpf(0)
    if p_sum > delta or (p_sum == delta and delta):
        return None
    for k, top in enumerate(ratios):
        p_sum += sum(p for p, q in rows if q and p / q == top)
        q_sum += sum(q for p, q in rows if q and p / q == top)
        x = (p_sum - delta) / q_sum
        if k + 1 == len(ratios) or x >= ratios[k + 1]:
            return x
    return None


def conjugate(name: str, s: Any) -> Any:
    if name == "kl":
        return exp(s - 1)
    if name == "chi-squared":
        return s + s * s / 4 if s >= -2 else mpf(-1)
    slope = mpf(1) if name == "abs-1" else mpf(1) / 2
    return inf if s > slope else max(s, -slope)


def restricted(model: Model, witness: Mapping[str, Any]) -> Any:
    p, q = laws_of(model, witness["laws"])
    values = [mpf(0)]
    for test in (dict(test) for test in policy_of(model).tests):
        at = {o: ratio(test.get(o, Fraction(0))) for o in {**p, **q}}
        values.append(
            sum((ratio(x) * at[o] for o, x in p.items()), mpf(0))
            - sum((ratio(x) * conjugate(policy_of(model).divergence, at[o]) for o, x in q.items()), mpf(0))
        )
    return max(values)


def divergence(model: Model, witness: Mapping[str, Any], measure: str, delta: Fraction, xi: Any) -> tuple[Any, Any]:
    """The number that the terms give, and how near it is."""
    rows, policy = chances(model, witness), policy_of(model)
    stem, _, order = measure.rpartition("-")
    match measure:
        case "kl":
            return kl(rows), CLOSE
        case "renyi":
            return renyi(rows, ratio(policy.order)), CLOSE
        case "chi-squared":
            return abs_power(rows, 2), CLOSE
        case "restricted":
            return restricted(model, witness), CLOSE
        case "sub-gaussian":
            return sub_gaussian(rows, ratio(policy.mu)), ROUGH
        case "concentrated-below-xi":
            largest = max((inf if not q else log(p / q) for p, q in rows if p), default=-inf)
            return (inf if largest > xi else concentrated(rows, mpf(0))), ROUGH
        case "concentrated-to-omega":
            return concentrated(rows, xi, ratio(policy.omega)), ROUGH
        case "concentrated":
            near = closest(rows, ratio(delta))
            return (inf if near is None else concentrated(near, xi)), ROUGH
    if stem == "renyi":
        return renyi(rows, int(order)), CLOSE
    if stem == "abs":
        return abs_power(rows, int(order)), CLOSE
    assert stem == "root-abs", measure
    value = abs_power(rows, int(order))
    return (value if value == inf else value ** (1 / mpf(int(order)))), CLOSE


# --- failures ---------------------------------------------------------------------------------------------------------


def is_shown(model: Model, answer: Mapping[str, Any]) -> bool:
    """Whether the witness of `fails` shows that the bound fails, added up again; what it says wrongly raises."""
    witness, delta = answer["witness"], Fraction(answer["delta"])
    epsilon, scale, measure = number(answer["epsilon"]), Fraction(witness["scale"]), witness["measure"]
    allowed = inf if epsilon == inf and scale else ratio(scale) * (0 if not scale else epsilon)
    if measure in {"tradeoff", "privacy-predicate", "predicate"}:
        return breaks(model, witness)
    if measure in {"hockey-stick", "tail"}:
        return curve_fails(model, witness, allowed, delta, tail=measure == "tail")
    assert delta == 0 or measure == "concentrated"
    if witness["share"] is not None:
        return share_fails(model, witness, allowed)
    if measure in {"ratio", "total-variation", "gaussian"}:
        p, q = re_added(model, witness, witness["laws"])
        if measure == "ratio":
            return exceeds(p, q, allowed, Fraction(0))
        value = ratio(p - q) if measure == "total-variation" else quantile(q) - quantile(p)
        return bool(value > allowed) or value == inf
    if measure == "spread":
        (p1, q1), (p2, q2) = (
            re_added(model, {**term, "event": [term["output"]]}, witness["laws"]) for term in witness["terms"]
        )
        return exceeds(p1 * q2, p2 * q1, allowed, Fraction(0))
    if measure == "semantic":
        (p1, q1), (p2, q2) = (re_added(model, term, term["laws"]) for term in witness["terms"])
        assert all(term["event"] == witness["event"] for term in witness["terms"])
        bound = (1 + epsilon) / (1 - epsilon) if epsilon < 1 else inf
        return bool(ratio(p1 * q2) > bound**2 * ratio(p2 * q1))
    if any("laws" in term for term in witness["terms"]):
        return average_fails(model, witness, epsilon)
    if witness["event"] is not None:  # only the first law can produce it
        p, q = re_added(model, witness, witness["laws"])
        assert p > 0 == q
    xi = Fraction(0) if answer["definition"] == "tcodp-bdrs" else policy_of(model).xi or Fraction(0)
    value, near = divergence(model, witness, measure, delta, ratio(xi))
    if scale and value != inf and "[" not in answer["tight_epsilon"]:
        claimed = number(answer["tight_epsilon"])
        assert abs(value / ratio(scale) - claimed) <= near * (1 + claimed), (value, claimed)
    return bool(value > allowed) or value == inf or (near == ROUGH and value > allowed - near)


def breaks(model: Model, witness: Mapping[str, Any]) -> bool:
    """Whether the event breaks a condition: 1 - Q < f(P), or a·P + b·Q > c of some row."""
    p, q = re_added(model, witness, witness["laws"])
    if witness["measure"] == "predicate":
        excess = max(a * p + b * q - c for a, b, c in policy_of(model).predicate)
    else:
        corners = list(policy_of(model).tradeoff)
        (x1, y1), (x2, y2) = next(ends for ends in pairwise(corners) if ends[0][0] <= p <= ends[1][0])
        excess = y1 + (y2 - y1) * (p - x1) / (x2 - x1) - (1 - q)
    assert witness["value"] == str(excess)
    assert witness["at_epsilon"] is None
    return bool(excess > 0)


def curve_fails(model: Model, witness: Mapping[str, Any], epsilon: Any, delta: Fraction, *, tail: bool) -> bool:
    terms = witness["terms"]
    if terms and "left_out" in terms[0]:
        return trimmed_fails(model, witness, epsilon, delta)
    if terms:
        weights = [Fraction(term["weight"]) for term in terms]
        assert sum(weights) <= 1
        pairs = [re_added(model, term, term["laws"]) for term in terms if term["probability_b"] is not None]
        assert len(pairs) == len(terms)
        check_weights(model, witness)
        if epsilon == inf:
            assert not any(q for _, q in pairs)
        p, q = (sum((w * x[k] for w, x in zip(weights, pairs, strict=True)), Fraction(0)) for k in (0, 1))
        shown = list(terms)
    else:
        p, q = re_added(model, witness, witness["laws"])
        shown = [witness]
    if not tail:
        return exceeds(p, q, epsilon, delta)
    for each in shown:
        first, second = laws_of(model, each["laws"])
        for output in map(label, each["event"]):
            assert exceeds(first.get(output, Fraction(0)), second.get(output, Fraction(0)), epsilon, Fraction(0))
    return p > delta


def check_weights(model: Model, witness: Mapping[str, Any]) -> None:
    """The weights of an average: P[B̂ | a], or π of the value that is redrawn."""
    for term in witness["terms"]:
        first, second = term["laws"]
        if "databases" in first:
            d, e = (database_of(model, law["databases"][0]["database"]) for law in (first, second))
            moved = [k for k in range(len(d)) if d[k] != e[k]]
            assert moved in ([], [witness["record"]])
            drawn = {policy_of(model).prior[x[witness["record"]]] for x in (d, e)}
            assert Fraction(term["weight"]) in drawn
        elif term["members"] == 1:
            known = {name: value for name, value in first.items() if name != "knowledge"}
            theta = next(theta for theta in model.thetas if theta.name == first["distribution"])
            worlds = [(x, k, p) for x, k, p in theta.known_worlds() if is_possible(model, known, x, k)]
            here = sum(p for x, k, p in worlds if is_possible(model, first, x, k))
            assert Fraction(term["weight"]) == here / sum(p for _, _, p in worlds)


def trimmed_fails(model: Model, witness: Mapping[str, Any], epsilon: Any, delta: Fraction) -> bool:
    """Every largest set of outputs of mass at most δ_p is left out in turn, and what is left fails (RelDP)."""
    p, q = laws_of(model, witness["laws"])
    error, failing = policy_of(model).error, []
    for term in witness["terms"]:
        out = [label(output) for output in term["left_out"]]
        rest = [{o: x for o, x in law.items() if o not in out} for law in (p, q)]
        assert sum((p.get(o, Fraction(0)) for o in out), Fraction(0)) <= error
        a, b = (added(law, term["event"]) for law in rest)
        assert (str(a), str(b)) == (term["probability_a"], term["probability_b"])
        failing.append((frozenset(out), exceeds(a, b, epsilon, delta)))
    light = subsets([o for o in p if p[o]], p, error)
    covered = all(any(chosen <= out for out, _ in failing) for chosen in light)
    own = [term for term in witness["terms"] if term["event"] == witness["event"]]
    assert own, "the event is that of one of the choices"
    return covered and all(fails for _, fails in failing)


def subsets(outputs: list[Label], law: Law, most: Fraction) -> list[frozenset[Label]]:
    """All sets of outputs of mass at most `most`."""
    light: list[tuple[frozenset[Label], Fraction]] = [(frozenset(), Fraction(0))]
    for output in outputs:
        light += [(chosen | {output}, mass + law[output]) for chosen, mass in light if mass + law[output] <= most]
    return [chosen for chosen, _ in light]


def share_fails(model: Model, witness: Mapping[str, Any], epsilon: Any) -> bool:
    """Pairs that need more than ε have together a share of more than γ (RanDP, DlPr[Rot])."""
    prior, total = policy_of(model).prior, Fraction(0)
    cases: list[frozenset[tuple[int, ...]]] = []
    for term in witness["terms"]:
        p, q = re_added(model, term, term["laws"])
        assert exceeds(p, q, epsilon, Fraction(0))
        d, e = (database_of(model, law["databases"][0]["database"]) for law in term["laws"])
        moved = [k for k in range(len(d)) if d[k] != e[k]]
        records = len(model.secrets)
        draws = [prod(prior[v] for v in x) * prod(prior[v] for v in y) for x, y in ((d, e), (e, d))]
        if len(moved) == 1:
            draws += [prod(prior[v] for v in x) * prior[y[moved[0]]] / records for x, y in ((d, e), (e, d))]
        assert Fraction(term["weight"]) in draws
        total, cases = total + Fraction(term["weight"]), [*cases, frozenset((d, e))]
    assert max(map(cases.count, cases)) <= 2, "a pair and its reverse are two draws"
    return bool(total > policy_of(model).gamma)


def average_fails(model: Model, witness: Mapping[str, Any], epsilon: Any) -> bool:
    """The average of Kullback–Leibler divergences over random pairs (AvgKLPr)."""
    total = mpf(0)
    for term in witness["terms"]:
        rows = chances(model, {"laws": term["laws"], "terms": term["outputs"]})
        total += ratio(Fraction(term["weight"])) * kl(rows)
    assert sum(Fraction(term["weight"]) for term in witness["terms"]) == 1
    return bool(total > epsilon) or total == inf


def quantile(p: Fraction) -> Any:
    """Φ⁻¹(p)."""
    if p in {0, 1}:
        return inf if p else -inf
    return sqrt(2) * erfinv(2 * ratio(p) - 1)
