"""Counts and histograms whose small counts are hidden: DMKB20, Theorems 4 and 5.

DMKB20, Theorem 5 repaired: a histogram of rare and frequent values whose small counts are hidden.

The proof is in `proofs/partial-knowledge.md`, under “Theorem 5 repaired”.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, permutations
from math import comb

from verifier.errors import LimitError
from verifier.numbers import arb_of
from verifier.profile import Profile
from verifier.wings.papers.bounds.bernoulli import count_delta, count_profile, point, ratio_tail, worst_count
from verifier.wings.papers.bounds.claim import BoundClaim, ClaimCondition, ClaimedBound, Parameters, less
from verifier.wings.papers.bounds.real import Real, ball, logarithm
from verifier.wings.papers.bounds.sampling import upper_tail

MAX_CELLS = 1 << 17
"""Largest number of outcomes of the histogram of Theorem 5, and of ratios X/Y."""


def _bound(parameters: Parameters) -> Fraction:
    bound: Fraction = parameters.get("p-max") or max(parameters["p"])
    return bound


def tail_bound(s: int, n: int, p: Fraction, *, power: bool = False) -> tuple[Fraction, Fraction] | None:
    """The pair r = p·n/((1 - p)·s) and f(s, n, p)/(1 - r) (DMKB20, Lemma 2); None where either divides by 0.

    Where 0 ≤ r < 1, the second is an upper bound of P[X ≥ s], X binomial with n trials and success p. With `power` the
    divisor of r is (1 - p)^s, as our copy of the paper has it.

    >>> tail_bound(2, 3, Fraction(1, 4))
    (Fraction(1, 2), Fraction(9, 32))
    """
    divisor = (1 - p) ** s if power else (1 - p) * s
    if p == 1 or not divisor or p * n == divisor:
        return None
    r = p * n / divisor
    return r, point(s, n, p) / (1 - r)


def theorem_4(parameters: Parameters, reading: str) -> ClaimedBound | None:
    """The claimed ε = -ln(1 - x), in nats, and δ = x with x = f(T, n-1, p)/(1 - r) (DMKB20, Theorem 4).

    With known records (|B| > 0) it is the theorem's second case, of PPKDP. None where the reading does not apply.

    >>> few = {"n": 6, "p": (Fraction(1, 20),) * 6, "threshold": 2}
    >>> bound = theorem_4(few, "product")
    >>> bound.delta.text(), bound.exp.text()
    ('130321/5280000', '5280000/5149679')
    """
    known = parameters.get("known", 0)
    if known:
        return None if reading == "no-epsilon" else _passive(parameters, reading)
    if reading == "literal":
        return None
    n, p, threshold = parameters["n"], _bound(parameters), parameters["threshold"]
    if reading == "no-epsilon":
        conditions = (*_below(parameters), ("T ≥ pn", threshold >= p * n))
        return ClaimedBound(conditions, Real.of(0), Real.of(1), Real.of(point(threshold, n - 1, p)))
    return _hidden(_below(parameters), tail_bound(threshold, n - 1, p, power=reading == "power"), Fraction(0))


def _below(parameters: Parameters) -> list[ClaimCondition]:
    bound = _bound(parameters)
    return [("p_i < p (with = as a limit)", max(parameters["p"]) <= bound < 1)]


def _hidden(
    conditions: list[ClaimCondition], bound: tuple[Fraction, Fraction] | None, remainder: Fraction, mark: str = ""
) -> ClaimedBound:
    """ε and δ where the output is hidden up to probability `bound`; `remainder` is added to δ alone."""
    met = bound is not None and bound[0] < 1
    conditions = [*conditions, (f"r{mark} < 1", met)]
    if bound is None or not met:
        return ClaimedBound(tuple(conditions))
    conditions.append(("f/(1 - r) < 1, so that ε has a value", bound[1] < 1))
    if bound[1] >= 1:
        return ClaimedBound(tuple(conditions), delta=Real.of(bound[1] + remainder))
    factor = 1 / (1 - bound[1])
    return ClaimedBound(tuple(conditions), logarithm(factor), Real.of(factor), Real.of(bound[1] + remainder))


def _passive(parameters: Parameters, reading: str) -> ClaimedBound:
    """Theorem 4 with |B| > 0 known records; where no b_max is given, with the b_max of the smallest δ."""
    known, threshold = parameters["known"], parameters["threshold"]
    if "b-max" in parameters:
        tried = [parameters["b-max"]]
    else:
        # literally, a b_max above T passes as well: r' is then negative
        tried = list(range(1, threshold + known + 2 if reading == "literal" else max(threshold, 2)))
    claims = [_at(parameters, reading, b) for b in tried]
    valid = [claim for claim in claims if claim.met and claim.delta]
    return (
        min(valid, key=lambda claim: claim.delta.exact if claim.delta and claim.delta.exact is not None else 2)
        if valid
        else claims[0]
    )


def _at(parameters: Parameters, reading: str, b_max: int) -> ClaimedBound:
    n, p, known, threshold = parameters["n"], _bound(parameters), parameters["known"], parameters["threshold"]
    power = reading == "power"
    first = tail_bound(b_max, known, p, power=power)
    conditions = [*_below(parameters), (f"r_b < 1 (b_max = {b_max})", first is not None and first[0] < 1)]
    if reading != "literal":
        conditions.append(("b_max < T", b_max < threshold))
    if False in (met for _, met in conditions) or first is None:
        return ClaimedBound(tuple(conditions))
    return _hidden(conditions, tail_bound(threshold - b_max, n - known - 1, p, power=power), first[1], "'")


def theorem_5(parameters: Parameters, reading: str) -> ClaimedBound:
    """The smallest ε, in nats, that Theorem 5 promises for the given δ, or for the smallest δ, as a limit (DMKB20).

    ε = 2·max(-ln(1 - x), ε_c) where δ ≥ 2x, x = f(k, n-1, λ)/(1 - r), and P[X/Y ≥ ε_c] ≤ δ for X and Y of Theorem 3;
    the exponential readings have e^ε_c for ε_c in the last, the repaired ones another formula (`rare_values`). No ε_c
    has a δ below P[Y = 0], so the smallest δ with an ε is max(2x, P[Y = 0]).
    """
    if reading.endswith("repaired"):
        return repaired_theorem_5(parameters, above=reading.startswith("above"))
    n, share = parameters["n"], parameters["lambda"]
    values: tuple[Fraction, ...] = parameters.get("p") or (share,)
    conditions: list[ClaimCondition] = [
        ("λ < 1/2", share < Fraction(1, 2)),
        ("each value of T at most λ, or between λ and 1 - λ", all(p <= 1 - share for p in values)),
        ("⊥ between λ and 1 - λ", share <= 1 - sum(values) <= 1 - share),
    ]
    bound = tail_bound(parameters["k"], n - 1, share)
    conditions.append(("r < 1", bound is not None and bound[0] < 1))
    if bound is None or False in (met for _, met in conditions):
        return ClaimedBound(tuple(conditions))
    least = max(2 * bound[1], (1 - 2 * share) ** (n - 1))
    delta = parameters.get("delta", least)
    conditions += [("δ ≥ δ₀", delta >= 2 * bound[1]), ("f/(1 - r) < 1, so that ε has a value", bound[1] < 1)]
    level = least_ratio(n, 2 * share, delta)
    conditions.append(("P[Y = 0] ≤ δ, so that ε_c has a value", level is not None))
    if bound[1] >= 1:
        return ClaimedBound(tuple(conditions), delta=Real.of(delta))
    if level is None:
        return ClaimedBound(tuple(conditions), delta=Real.of(delta), least=Real.of(least))
    hidden = 1 / (1 - bound[1])
    factor = max(hidden, level, Fraction(1)) ** 2
    epsilon, exp = logarithm(factor), Real.of(factor)
    if not reading.endswith("exponential"):
        if less(logarithm(hidden), Real.of(level)):
            epsilon, exp = Real.of(2 * level), ball(lambda: arb_of(2 * level).exp())
        else:
            epsilon, exp = logarithm(hidden**2), Real.of(hidden**2)
    return ClaimedBound(tuple(conditions), epsilon, exp, Real.of(delta), Real.of(least))


def least_ratio(n: int, success: Fraction, delta: Fraction) -> Fraction | None:
    """The smallest x with P[X/Y ≥ x'] ≤ δ for all x' > x, for the X, Y of `ratio_tail`; None where no x is enough.

    >>> least_ratio(2, Fraction(1, 4), Fraction(3, 4)), least_ratio(2, Fraction(1, 4), Fraction(1, 2))
    (Fraction(1, 1), None)

    Raises:
        LimitError: for more than `MAX_CELLS` ratios.

    """
    if n * n > MAX_CELLS:
        raise LimitError(f"{n:,} records are too many", where="n=", wanted=f"n² of at most {MAX_CELLS:,} for Theorem 5")
    if (1 - success) ** (n - 1) > delta:
        return None
    ratios = sorted({Fraction(x, y) for x in range(n) for y in range(1, n)})
    low, high = 0, len(ratios)  # ratios below `low` are reached with more than δ
    while low < high:
        middle = (low + high) // 2
        if ratio_tail(n, success, ratios[middle]) > delta:
            low = middle + 1
        else:
            high = middle
    return ratios[low - 1] if low else Fraction(0)


def histogram_delta(
    trials: int, chances: Sequence[Fraction], factor: Fraction, least_shown: int, *, silent: int | None = None
) -> Fraction:
    """The smallest δ at e^ε = factor of a histogram of the target and `trials` other records, all of law `chances`.

    Counts below `least_shown` are hidden, and the count of the value with index `silent` is never shown.

    >>> histogram_delta(1, [Fraction(1, 8), Fraction(7, 8)], Fraction(2), 1, silent=1)
    Fraction(7, 8)

    Raises:
        LimitError: for more than `MAX_CELLS` outcomes of the histogram.

    """
    cells = len(chances)
    if comb(trials + cells - 1, cells - 1) > MAX_CELLS:
        raise LimitError(f"{trials + 1:,} records with {cells} values are too many", where="n=", wanted="fewer of both")
    laws: list[dict[tuple[int | None, ...], Fraction]] = [{} for _ in chances]
    for counts, weight in _multinomial(trials, list(chances)):
        for value, law in enumerate(laws):
            full = [count + (cell == value) for cell, count in enumerate(counts)]
            output = tuple(c if c >= least_shown and cell != silent else None for cell, c in enumerate(full))
            law[output] = law.get(output, Fraction(0)) + weight
    return max(
        sum((max(Fraction(0), weight - factor * q.get(o, Fraction(0))) for o, weight in p.items()), Fraction(0))
        for (a, p), (b, q) in permutations(enumerate(laws), 2)
        if chances[a] and chances[b]
    )


def _multinomial(trials: int, chances: list[Fraction]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    first, *other_chances = chances
    if not other_chances:
        yield (trials,), first**trials
        return
    for count in range(trials + 1):
        for other_counts, weight in _multinomial(trials - count, other_chances):
            yield (count, *other_counts), comb(trials, count) * first**count * weight


def _histogram(parameters: Parameters, reading: str, factor: Fraction) -> Fraction:
    values = list(parameters.get("p") or (parameters["lambda"],))
    least_shown = parameters["k"] + (1 if reading.startswith("above") else 0)
    return histogram_delta(parameters["n"] - 1, [*values, 1 - sum(values)], factor, least_shown, silent=len(values))


def _hiding(parameters: Parameters) -> dict[str, int]:
    """Up to where a count is hidden, and how many records are known."""
    return {"threshold": parameters["threshold"], "known": parameters.get("known", 0)}


def _model(parameters: Parameters, _: str, factor: Fraction) -> Fraction:
    return count_delta(parameters["p"], factor, **_hiding(parameters))


def _profiles(parameters: Parameters) -> list[Profile]:
    return count_profile(parameters["p"], **_hiding(parameters))


def _worst(parameters: Parameters, factor: Fraction) -> tuple[Fraction, str]:
    return worst_count(parameters["n"], Fraction(0), _bound(parameters), factor, **_hiding(parameters))


THEOREM_4 = BoundClaim(
    "theorem-4",
    "DMKB20",
    "Theorem 4",
    "A count of rare records that is hidden up to T is private: the output is hidden but for a probability below "
    "f(T, n - 1, p)/(1 - r). With known records (PPKDP), the knowledge has fewer than b_max ones but for a small "
    "probability, and T - b_max takes the place of T.",
    "every p_i below p",
    {
        "product": "r = p(n - 1)/((1 - p)·T), as its proof uses it; with known records, b_max < T",
        "power": "r = p(n - 1)/(1 - p)^T, as our copy of the paper has it",
        "literal": "with known records: as product, but r_b < 1 and r' < 1 are all that is asked of b_max",
        "no-epsilon": "without known records: ε = 0, δ = f(T, n - 1, p), for T ≥ pn: proved in proofs/bounds.md",
    },
    ("n", "p", "threshold"),
    {"known": "0", "b-max": "the one with the smallest δ", "p-max": "the largest p_i, as a limit"},
    theorem_4,
    _model,
    _worst,
    _profiles,
)
THEOREM_5 = BoundClaim(
    "theorem-5",
    "DMKB20",
    "Theorem 5",
    "The histogram of independent records over T and a value ⊥ that is never shown, with small counts hidden, is "
    "(ε, δ)-APKDP where each value is rare for all records, or has a probability between λ and 1 - λ for all.",
    "not computed; --p are the probabilities of the values of T, alike for all records, and ⊥ has the rest",
    {
        "printed": "counts from k on are shown (Definition 16); P[X/Y ≥ ε_c] ≤ δ",
        "exponential": "counts from k on are shown; P[X/Y ≥ e^ε_c] ≤ δ",
        "above-printed": "counts above k are shown (Definition 15); P[X/Y ≥ ε_c] ≤ δ",
        "above-exponential": "counts above k are shown; P[X/Y ≥ e^ε_c] ≤ δ",
        "repaired": "counts from k on are shown; max(2x, d + e^ε·x) ≤ δ: proved in proofs/partial-knowledge.md",
        "above-repaired": "counts above k are shown; the same with its x",
    },
    ("n", "lambda", "k"),
    {"p": "one value, at λ", "delta": "the smallest that the reading promises at any ε"},
    theorem_5,
    _histogram,
)


MAX_RECORDS = 200
"""Most records n for which every e^ε at which the promised δ changes is listed; there are fewer than n² of them."""


def repaired_theorem_5(parameters: Parameters, *, above: bool) -> ClaimedBound:
    """The smallest ε (in nats) with max(2x, d + e^ε·x) ≤ δ, as a limit from above, and this δ.

    x = P[Bin(n - 1, λ) ≥ k - 1], or ≥ k with `above`, where counts above k are shown; d = P[X + 1 ≥ e^ε·Y] with
    (X, Y, rest) multinomial with n - 1 trials and shares (λ, λ, 1 - 2λ). Where no δ is given it is the smallest that
    the theorem promises at any ε.

    >>> two = {"n": 2, "k": 2, "lambda": Fraction(2, 5), "delta": Fraction(4, 5)}
    >>> repaired_theorem_5(two, above=True).exp.text(), repaired_theorem_5(two, above=True).delta.text()
    ('1', '4/5')

    Raises:
        LimitError: for more than `MAX_RECORDS` records.

    """
    n, share = parameters["n"], parameters["lambda"]
    if n > MAX_RECORDS:
        raise LimitError(
            f"{n:,} records are too many", where="n=", wanted=f"at most {MAX_RECORDS} for Theorem 5 repaired"
        )
    values: tuple[Fraction, ...] = parameters.get("p") or (share,)
    conditions: list[ClaimCondition] = [
        ("λ ≤ 1/2", 2 * share <= 1),
        ("⊥ at least λ", 1 - sum(values) >= share),
    ]
    if False in (met for _, met in conditions):
        return ClaimedBound(tuple(conditions))
    rare = upper_tail(n - 1, share, parameters["k"] - (0 if above else 1))
    promised = [(factor, max(2 * rare, frequent + factor * rare)) for factor, frequent in levels(n, share)]
    least = min(delta for _, delta in promised)
    delta = parameters.get("delta", least)
    conditions.append(("δ at least the smallest that is promised", delta >= least))
    if delta < least:
        return ClaimedBound(tuple(conditions), least=Real.of(least))
    factor = next(factor for factor, enough in promised if enough <= delta)
    return ClaimedBound(tuple(conditions), logarithm(factor), Real.of(factor), Real.of(delta), Real.of(least))


def levels(n: int, share: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """The levels e^ε ≥ 1 at which d = P[X + 1 ≥ e^ε·Y] falls, in rising order, each with the d just above it.

    1 is always among them. (X, Y, rest) is multinomial with n - 1 trials and shares (λ, λ, 1 - 2λ), λ = `share`.

    >>> list(levels(2, Fraction(2, 5)))
    [(Fraction(1, 1), Fraction(3, 5))]
    """
    trials, inside = n - 1, share.numerator
    outside = share.denominator - 2 * inside
    weights: dict[Fraction, int] = {Fraction(1): 0}
    for y in range(1, n):
        for x in range(n - y):
            ratio = Fraction(x + 1, y)
            if ratio >= 1:
                ways = comb(trials, y) * comb(trials - y, x)
                weight = ways * inside ** (x + y) * outside ** (trials - x - y)
                weights[ratio] = weights.get(ratio, 0) + weight
    factors = sorted(weights, reverse=True)
    never = (share.denominator - inside) ** trials  # Y = 0, so that no ratio is finite
    above = accumulate((weights[factor] for factor in factors[:-1]), initial=never)
    falls = [
        (factor, Fraction(sum_above, share.denominator**trials))
        for factor, sum_above in zip(factors, above, strict=True)
    ]
    return reversed(falls)
