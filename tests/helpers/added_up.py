"""Adds up a witness of the divergences over all real orders, and of Gaussian DP, beside the checker.

From the model and the JSON of an answer alone, written from `models/FORMAT.md` (*Laws of a witness*) and DP22: the laws
of two databases, their losses, and a supremum that is looked for on a grid. Powers and logarithms have 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from mpmath import erfinv, exp, inf, log, mp, mpf, sqrt

from verifier.model import Model
from verifier.tables import Label, label

Law: TypeAlias = "dict[Label, Fraction]"
mp.dps = 60
ROUGH = mpf(10) ** -6
"""How near a supremum over real orders is looked for on a grid."""


def laws_of(model: Model, laws: list[Mapping[str, Any]]) -> tuple[Law, Law]:
    """P and Q: what the mechanism puts out on the two databases, each with its distribution."""
    first, second = (law_of(model, fields["databases"]) for fields in laws)
    return first, second


def law_of(model: Model, databases: list[Mapping[str, Any]]) -> Law:
    found: Law = {}
    for row in databases:
        law = model.mechanism.law(tuple(model.values.index(label(value)) for value in row["database"]))
        for output in law.outcomes:
            found[output] = found.get(output, Fraction(0)) + Fraction(row["probability"]) * law.probability(output)
    return found


def number(text: str | None) -> Any:
    """An ε: `ln(3/2)`, `1/2*ln(3)`, a rational, `inf`."""
    if text is None or text == "inf":
        return inf
    if "ln(" not in text:
        return ratio(Fraction(text))
    factor, _, rest = text.partition("ln(")
    return ratio(Fraction(factor.rstrip("*") or 1)) * log(ratio(Fraction(rest.rstrip(")"))))


def ratio(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


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


def event_of(model: Model, witness: Mapping[str, Any]) -> tuple[Fraction, Fraction]:
    """P and Q of the witness's event."""
    event = [label(output) for output in witness["event"]]
    p, q = (sum((law.get(o, Fraction(0)) for o in event), Fraction(0)) for law in laws_of(model, witness["laws"]))
    return p, q


def gaussian(model: Model, witness: Mapping[str, Any]) -> Any:
    """Φ⁻¹(Q(event)) - Φ⁻¹(P(event)), whose probabilities are what the witness says."""
    p, q = event_of(model, witness)
    assert (str(p), str(q)) == (witness["probability_a"], witness["probability_b"])
    return quantile(q) - quantile(p)


def quantile(p: Fraction) -> Any:
    """Φ⁻¹(p)."""
    if p in {0, 1}:
        return inf if p else -inf
    return sqrt(2) * erfinv(2 * ratio(p) - 1)


def value_of(model: Model, answer: Mapping[str, Any]) -> Any:
    """The number that the witness gives, as the definition has it."""
    witness, measure = answer["witness"], answer["witness"]["measure"]
    if measure == "gaussian":
        return gaussian(model, witness)
    rows, policy = chances(model, witness), model.policy
    xi = ratio(Fraction(0 if answer["definition"] == "tcodp-bdrs" else policy.xi or 0))
    match measure:
        case "sub-gaussian":
            return sub_gaussian(rows, ratio(policy.mu or Fraction(0)))
        case "concentrated-below-xi":
            largest = max((inf if not q else log(p / q) for p, q in rows if p), default=-inf)
            return inf if largest > xi else concentrated(rows, mpf(0))
        case "concentrated-to-omega":
            return concentrated(rows, xi, ratio(policy.omega or Fraction(0)))
    assert measure == "concentrated", measure
    near = closest(rows, ratio(Fraction(answer["delta"])))
    return inf if near is None else concentrated(near, xi)


def is_shown(model: Model, answer: Mapping[str, Any]) -> bool:
    """Whether the witness of `fails` shows that the bound fails, added up again; what it says wrongly raises."""
    witness, epsilon, scale = answer["witness"], number(answer["epsilon"]), Fraction(answer["witness"]["scale"])
    allowed = inf if epsilon == inf and scale else ratio(scale) * (0 if not scale else epsilon)
    if witness["event"] is not None and witness["measure"] != "gaussian":  # only the first law can produce it
        p, q = event_of(model, witness)
        assert p > 0 == q
    value = value_of(model, answer)
    if scale and value != inf and "[" not in answer["tight_epsilon"]:
        claimed = number(answer["tight_epsilon"])
        assert abs(value / ratio(scale) - claimed) <= ROUGH * (1 + claimed), (value, claimed)
    return bool(value > allowed - ROUGH) or value == inf
