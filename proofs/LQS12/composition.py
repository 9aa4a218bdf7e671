"""Two outputs of one sample: sections 2.2 and 2.6."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb, factorial

import z3

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, binomial_law, pushforward, tail, total
from verifier.wings.papers.ledger.steps import (
    Steps,
    absolute,
    equal,
    every_case,
    for_all,
    identity,
    less,
    positive,
    unsatisfiable,
)

BITS = (False, True)


# --- section 2.2 ------------------------------------------------------------------------------------------


def exclusive_or() -> Steps:
    """Section 2.2: r and r XOR s tell s. With u there with probability 1/2, apart from t, neither alone does."""
    cases = list(product(BITS, BITS))
    return (
        for_all(cases, lambda r, s: (r ^ (r ^ s)) == s, "r XOR (r XOR s) = s"),
        every_case(BITS, lambda s: sum(HALF for u in BITS if s ^ u) == HALF, "P[r | s] = 1/2, r = s XOR u"),
        every_case(BITS, lambda s: sum(HALF for u in BITS if (s ^ u) ^ s) == HALF, "P[r XOR s | s] = 1/2"),
    )


def parity_is_already_told() -> Steps:
    """Section 2.2 says that both outputs leak r(D): the first alone is r(D), for each of the four cases."""
    cases = list(product(BITS, BITS))
    return (
        every_case(BITS, lambda output: [s for r, s in cases if (r, r ^ s)[0] == output] == [*BITS],
                   "the first output, which is r, leaves both values of s"),
        for_all(cases, lambda r, s: (r ^ s ^ r) == s, "what only both together tell is s"),
    )  # fmt: skip


def any_independent_predicate() -> Steps:
    """Let r be true with probability a, apart from s: r tells nothing, r XOR s has finite losses, both tell s."""
    a = z3.Real("a")
    e = z3.Real("E")
    pairs = [(s, (r, r ^ s)) for s in BITS for r in BITS]
    outputs = {s: {o for truth, o in pairs if truth == s} for s in BITS}
    return (
        unsatisfiable([a > 0, a < 1, e >= a / (1 - a), e >= (1 - a) / a, z3.Or(a > e * (1 - a), 1 - a > e * a)],
                      "P[r XOR s | s] against P[r XOR s | not s]: a against 1 - a, within max(a/(1 - a), (1 - a)/a)"),
        equal(outputs[False] & outputs[True], set(), "pairs that both values of s can produce"),
    )  # fmt: skip


def uncertain_given_the_secret() -> Steps:
    """Let r be uncertain whatever s is: a = P[r | s], b = P[r | not s], both in (0, 1). Alone all losses are finite.

    r: a against b, 1 - a against 1 - b. r XOR s: 1 - a against b, a against 1 - b. All four are positive.
    """
    a, b, e = z3.Reals("a b E")
    inside = [a > 0, a < 1, b > 0, b < 1]

    bounds = [bound for x, y in product((a, 1 - a), (b, 1 - b)) for bound in (e >= x / y, e >= y / x)]
    apart = [z3.Or(*(z3.Or(x > e * y, y > e * x) for x, y in ((p, b), (1 - p, 1 - b)))) for p in (a, 1 - a)]
    outputs = {s: {(r, r ^ s) for r in BITS} for s in BITS}
    return (
        unsatisfiable([*inside, *bounds, apart[0]], "r: no loss is above the largest of finite quotients"),
        unsatisfiable([*inside, *bounds, apart[1]], "r XOR s: nor is any of its losses"),
        for_all(product(BITS, BITS), lambda r, s: (r ^ s) == (r != s), "r XOR s is true where r is not s"),
        equal(outputs[False] & outputs[True], set(), "pairs that both values of s can produce: the loss is infinite"),
    )


def predicate_that_is_the_secret() -> Steps:
    """The one predicate that the attacker is uncertain about may be s itself, and to publish it is no privacy."""
    outputs_given = {s: {s: ONE} for s in BITS}
    return (
        equal(
            [output for output in BITS if output in outputs_given[True] and output in outputs_given[False]],
            [],
            "outputs that both values can have",
        ),
        equal(outputs_given[True][True], ONE, "P[r | s] for r = s, and P[r | not s] = 0"),
    )


def parity_under_sampling() -> Steps:
    """The parity itself is not DPS: ∅ has none, {t} an odd sample with probability β, so δ = β at every ε."""
    rate, odd, e = z3.Reals("b o E")
    one_more = odd * (1 - rate) + (1 - odd) * rate
    return (
        unsatisfiable([odd == 0, one_more != rate], "P[odd] is 0 on a sample of ∅, and with one tuple more β"),
        unsatisfiable([rate > 0, odd == 0, one_more - e * odd != rate], "P[odd] - E·0 = β, for every β and E"),
    )


# --- section 2.6 ------------------------------------------------------------------------------------------


def women_only() -> Steps:
    """No man is in D: r is false on every sample, so the first algorithm shows s where it shows anything. δ tends to β.

    D has n women and not t, D′ has t too: "true" has probability β·T(n, m - 1) on D′ and 0 on D, m the smallest size.
    For m = 2: β(1 - (1 - β)^n), and (1 - β)^n ≤ 1/(1 + nβ).
    """
    x, size, b, ratio = z3.Reals("x n b E")
    return (
        unsatisfiable(
            [ratio >= 1, x >= 0, x <= 1, z3.Or(x - ratio * 0 != x, 1 - ratio * (1 - x) > x)],
            "x = β·P[X ≥ 999] against 0, m = 1000: δ = x at every ε",
        ),
        equal(HALF * tail(1, 2, HALF), Fraction(3, 8), "m = 2, β = 1/2, n = 2: δ at every ε"),
        less(HALF * tail(1, 4, HALF), HALF, "n = 4"),
        equal(HALF * tail(999, 2500, HALF) > HALF - Fraction(1, 10**20), True, "m = 1000, n = 2500: δ > 1/2 - 10⁻²⁰"),
        unsatisfiable(
            [b > 0, b < 1, x >= 0, size >= 0, x * (1 + size * b) <= 1, x * (1 - b) * (1 + (size + 1) * b) > 1],
            "(1 - β)^n ≤ 1/(1 + nβ), by induction",
        ),
    )  # fmt: skip


MEN = WOMEN = 5000
CERTAIN = Fraction(1, 10**20)
Weights = dict[int, int]


def coins(n: int) -> list[int]:
    """The weights C(n, j), j = 0, …, n: 2^n times the law of the number of heads among n fair coins."""
    weights = [1]
    for heads in range(n):
        weights.append(weights[-1] * (n - heads) // (heads + 1))
    return weights


def differences(n: int, offset: int) -> Weights:
    """The law of (men - women) in a sample at rate 1/2, times 2^n: the number of heads among n coins, less `offset`."""
    return {come - offset: weight for come, weight in enumerate(coins(n))}


def probability(law: Weights, n: int, chosen: range) -> Fraction:
    """The probability that the difference is in `chosen`."""
    return Fraction(sum(law.get(value, 0) for value in chosen), 2**n)


def at_least_0(law: Weights, n: int, chosen: range) -> Fraction:
    """The probability that the difference is in `chosen` and, with noise, at least 0: P[N = k] = 2^-|k|/3 (ln 2-DP).

    P[N ≥ m] is 2·2^-m/3 for m > 0, and 1 - 2^-d/3 for m = -d ≤ 0.
    """
    scale = MEN + 1
    total = 0
    for value in chosen:
        part = 3 * 2**scale - 2 ** (scale - value) if value >= 0 else 2 * 2 ** (scale + value)
        total += law.get(value, 0) * part
    return Fraction(total, 3 * 2 ** (scale + n))


def ten_thousand() -> Steps:
    """5000 men and 5000 women, β = 1/2, D′ with t among the men; the difference with noise in place of the percentage.

    First "false", then at least 0. Samples below 1000 tuples, where "false" is always shown, have less than 10⁻²⁰.
    """
    law, law_of_others = differences(10_000, WOMEN), differences(9_999, WOMEN)
    small = Fraction(sum(coins(10_000)[:1000]), 2**10_000)
    equals = Fraction(law[0], 2**10_000)
    true = at_least_0(law, 10_000, range(1, MEN + 1))
    false = at_least_0(law, 10_000, range(-WOMEN, 1))
    with_t = at_least_0({value + 1: weight for value, weight in law_of_others.items()}, 9_999, range(1, MEN + 1)) / 2
    without_t = at_least_0(law_of_others, 9_999, range(-WOMEN, 1)) / 2
    second = with_t + without_t
    return (
        equal(small < CERTAIN, True, "P[sample below 1000] < 10⁻²⁰"),
        equal(Fraction("0.0079") < equals < Fraction("0.008"), True, "P[as many men as women] is 0.0079…"),
        equal(Fraction("0.496") < (1 - equals) / 2 < HALF, True, "0.496 < P[r] < 1/2"),
        equal(
            Fraction("0.978") < true / (true + false) < Fraction("0.98"), True, "P[r | difference ≥ 0] is about 0.979"
        ),
        equal(Fraction("0.0106") < false < Fraction("0.0107"), True, "false and ≥ 0 on D: 0.0106…, not 0"),
        equal(Fraction("0.25") < second < Fraction("0.26"), True, "the same on D′: between 0.25 and 0.26"),
        equal(23 * (false + small) < second - small < 25 * false, True, "their ratio is between 23 and 25"),
    )


def men(*sample: str) -> Fraction:
    """The percentage of men in a sample."""
    return Fraction(sample.count("man"), len(sample))


def percentage_hides_itself() -> Steps:
    """One tuple changes the percentage of {woman} by 1/2, so at ε = 1 the noise has scale b ≥ 1/2: r stays uncertain.

    Where the sample has at least 4000 tuples and |men - women| ≤ 400, the percentage is within 1/20 of 1/2, and then
    P[percentage + noise ≥ 1/2] is between e^(-1/10)/2 and 1 - e^(-1/10)/2. Other samples have less than 10⁻¹⁰.
    """
    law = differences(10_000, WOMEN)
    far = 2 * probability(law, 10_000, range(401, MEN + 1))
    few = Fraction(sum(coins(10_000)[:4000]), 2**10_000)
    negligible = Fraction(1, 10**10)
    low = HALF * Fraction(9, 10)  # e^(-1/10) ≥ 1 - 1/10
    r = (1 - Fraction(law[0], 2**10_000)) / 2
    most = r * (1 - low) + negligible
    least = (1 - negligible) * low
    series = total(Fraction(1, 10**k * factorial(k)) for k in range(10))
    return (
        equal(men("woman", "man") - men("woman"), HALF, "the percentage of {woman, man} less that of {woman}"),
        equal(far + few < negligible, True, "P[|men - women| > 400, or fewer than 4000] < 10⁻¹⁰"),
        equal(Fraction(400, 2 * 4000), Fraction(1, 20), "how far from 1/2 the percentage is at most"),
        equal(Fraction(1, 20) / HALF, Fraction(1, 10), "that over the scale of the noise"),
        less(
            series + Fraction(1, 10**10),
            Fraction(10, 9),
            "e^(1/10): ten terms and more than the rest, and 1/(1 - 1/10)",
        ),
        equal(most / least < Fraction("0.607"), True, "P[r | percentage + noise ≥ 1/2] < 0.607"),
    )


def both_datasets_have_ten_thousand() -> Steps:
    """D and D′ differ by t alone, and both are said to have 10,000 tuples: one has one more."""
    return (less(MEN + WOMEN, MEN + WOMEN + len(["t"]), "|D| and |D with t|"),)


def percentage_on_both() -> Steps:
    """The event of section 2.6 with the printed second algorithm, ε = 1: about 1/4 on D′, and not about 0 on D.

    On D s is false, and "false" is shown where r is false. On D′ t is sampled with 1/2, and then where r is true.
    Given a sample of at least 4000 tuples and |men - women| ≤ 400, the answer is ≥ 1/2 with 9/20 to 11/20, as above.
    """
    law, law_of_others = differences(10_000, WOMEN), differences(9_999, WOMEN)
    negligible, low, high = Fraction(1, 10**10), Fraction(9, 20), Fraction(11, 20)
    far = 2 * probability(law_of_others, 9_999, range(400, MEN + 1)) + 2 * probability(
        law_of_others, 9_999, range(-MEN, -399)
    )
    few = Fraction(sum(coins(9_999)[:4000]), 2**9_999)
    on_d = probability(law, 10_000, range(-WOMEN, 1))
    with_t, without_t = (probability(law_of_others, 9_999, chosen) / 2 for chosen in (range(MEN + 1), range(-WOMEN, 1)))
    least, most = (on_d - negligible) * low, on_d * high + negligible
    least_t, most_t = (with_t + without_t - negligible) * low, (with_t + without_t) * high + negligible
    return (
        *percentage_hides_itself(),
        equal(far + few < negligible, True, "the same of the 9,999 others: less than 10⁻¹⁰"),
        equal(Fraction("0.22") < least < most < Fraction("0.28"), True, "the event on D is between 0.22 and 0.28"),
        equal(Fraction("0.22") < least_t < most_t < Fraction("0.28"), True, "and on D′"),
        equal(max(most / least_t, most_t / least) < Fraction(13, 10), True, "the ratio of both, either way, below 1.3"),
    )


def replaced_man() -> Steps:
    """D: 5000 men, 5000 women; D′ has t in place of one of the men: both have 10,000, and they differ in one tuple."""
    before = Counter({"man": MEN, "woman": WOMEN})
    after = before - Counter(["man"]) + Counter(["t"])
    return (
        equal(before.total(), 10_000, "|D|"),
        equal(after.total(), 10_000, "|D′|"),
        equal(after["man"] + after["t"], after["woman"], "as many men, t among them, as women"),
        equal([(before - after).total(), (after - before).total()], [1, 1], "one tuple is replaced"),
    )


def halves_and_quarters() -> Steps:
    """P[s(T′)] = β = 1/2 for one copy of t, 0 without it; with P[second ≥ 1/2] = 1/2 the last product is 1/4."""
    b = positive("beta")
    return (
        identity(1 - (1 - b), b, "t is sampled"),
        equal(HALF * HALF, QUARTER, "1/2 · 1/2"),
    )


def laplace_noise() -> Steps:
    """Laplace noise of scale Δ/ε on a number that a tuple changes by at most Δ: |z - x| ≤ |z - y| + Δ."""
    x, y, z, change = z3.Reals("x y z D")

    return (
        unsatisfiable(
            [change >= 0, absolute(x - y) <= change, absolute(z - x) > absolute(z - y) + change],
            "|z - x| ≤ |z - y| + Δ",
        ),
        equal(
            men("woman", "man") - men("woman"), HALF, "the percentage of {woman, man} less that of {woman}: at most Δ"
        ),
    )


# --- no function of ε₁ and ε₂ -----------------------------------------------------------------------------


def central_binomials() -> Steps:
    """C(2m, m)/4^m ≤ 1/√(3m + 1): it is 1 at m = 0, and from m to m + 1 is multiplied by (2m + 1)/(2m + 2)."""
    m = z3.Real("m")
    return (
        unsatisfiable([m >= 0, (2 * m + 1) * (2 * m + 1) * (3 * m + 4) > (2 * m + 2) * (2 * m + 2) * (3 * m + 1)],
                      "((2m + 1)/(2m + 2))²·(3m + 4) ≤ 3m + 1"),
        every_case(range(200), lambda n: comb(2 * n, n) ** 2 * (3 * n + 1) <= 16**n, "in numbers"),
    )  # fmt: skip


def blocks_of(length: int, start: int, n: int) -> tuple[Fraction, Fraction, Fraction]:
    """For n coins: the alternating sum of blocks from `start` on, the largest chance of a count, of a residue class."""
    law = binomial_law(n, HALF)
    alternating = total((-1) ** (c // length) * law[c] for c in range(start, n + 1))
    return abs(alternating), max(law.values()), max(pushforward(law, lambda c: c % length).values())


def blocks_cancel() -> Steps:
    """Unimodal laws: the alternating sum of blocks is at most 2LM, and a residue class at most 1/L + M."""
    cases = [(length, start * length, n) for length in (1, 2, 3, 5) for start in range(4) for n in range(0, 40, 3)]

    def bounded(length: int, start: int, n: int) -> bool:
        alternating, most, classes = blocks_of(length, start, n)
        return alternating <= 2 * length * most and classes <= Fraction(1, length) + most

    a, b, c, d = z3.Reals("a b c d")
    return (
        unsatisfiable(
            [a >= b, b >= 0, c >= 0, c <= b, z3.Or(a - c > a, a - c < 0)], "falling: a - (rest ≤ next) is in [0, a]"
        ),
        unsatisfiable(
            [d >= 0, d <= a, b >= 0, b <= a, z3.Or(d + b > 2 * a, d - b > 2 * a, b - d > 2 * a)], "two sides: 2·max"
        ),
        for_all(cases, bounded, "both bounds for coins"),
    )


def hidden_parity_in_numbers() -> Steps:
    """The first algorithm at ε = 0 and rate 1/2: δ ≤ L·M, M the largest probability of N - 1 coins.

    L = 1, 2, 3, N = L, 2L, 3L, up to 12 tuples u and 3 tuples t; neighbours have one t or one u more.
    """

    def true(u: int, t: int, length: int, start: int) -> Fraction:
        """The probability that the answer on a sample is "true"."""
        absent = HALF**t
        law = binomial_law(u, HALF)
        odd = total(p for c, p in law.items() if c >= start and c // length % 2)
        even = total(p for c, p in law.items() if c >= start and not c // length % 2)
        return absent * odd + (1 - absent) * even

    def bounded(case: tuple[int, int, int, int]) -> bool:
        u, t, length, start = case
        most = Fraction(comb(start - 1, (start - 1) // 2), 2 ** (start - 1))
        chance = true(*case)
        neighbours = true(u + 1, t, length, start), true(u, t + 1, length, start)
        return all(abs(chance - neighbour) <= length * most for neighbour in neighbours)

    cases = [(u, t, size, size * k) for u in range(13) for t in range(4) for size in (1, 2, 3) for k in (1, 2, 3)]
    return (every_case(cases, bounded, "|P[true] - P′[true]| ≤ L·M"),)


def no_function_of_both() -> Steps:
    """(1/2, 0, δ₁)-DPS and ln 2-DP, and together not (1/2, ε, δ)-DPS: δ₁ = 1/100, δ = 49/100, e^ε = 2, 1000, 10⁶, 10¹².

    Values t and u; c is the number of u in the sample, r the parity of ⌊c/L⌋, s: t is there. One algorithm shows
    r XOR s where c ≥ N, else "false": δ₁ ≤ L·M, M the largest probability of N - 1 coins. The other shows c with noise.
    On n tuples u: r is read off wrongly with probability at most η, and then δ ≥ (1 - η)/2 - e^ε·η.
    """
    steps = [*central_binomials(), *blocks_cancel()]
    for factor in (Fraction(2), Fraction(1000), Fraction(10**6), Fraction(10**12)):
        h = (10**3 * factor.numerator).bit_length()
        length = 4000 * h * factor.numerator
        start = length * (2 * 10**4 * length)
        n = 10**6 * start * start
        largest = Fraction(4 * length**2, 3 * start)  # (L·M)² ≤ 2L²/(3N - 4) ≤ 4L²/(3N)
        steps.append(less(largest, Fraction(1, 100) ** 2, f"e^ε = {factor}: (L·M)² and δ₁²"))
        noise = 2 * HALF**h / (1 + HALF)
        fewer = Fraction(n, 4) / (Fraction(n, 2) - start) ** 2  # Chebyshev
        edge = Fraction(2 * h, length) + Fraction(2 * h, start)  # M_n ≤ 1/N, since n ≥ N²
        eta = noise + fewer + edge
        steps.append(less(Fraction(49, 100), (1 - eta) / 2 - factor * eta, f"e^ε = {factor}: 49/100 and the δ of both"))
    k, e, eta, length, coin, allowed, bound = z3.Reals("K E eta L N d x")
    steps += [
        unsatisfiable(
            [k > 0, e >= 1, eta >= 0, 3 * k * e * eta <= 10, k * ((1 - eta) / 2 - e * eta) < k / 2 - 5],
            "η ≤ (4/3 + 1/2 + 1/2 + 1)/(K·E) gives (1 - η)/2 - E·η ≥ 1/2 - 5/K, for every E ≥ 1: K = 5/(1/2 - δ)",
        ),
        unsatisfiable(
            [
                coin > 0,
                allowed > 0,
                3 * coin * bound <= 4 * length**2,
                3 * coin * allowed**2 >= 4 * length**2,
                bound > allowed**2,
            ],
            "(L·M)² ≤ 4L²/(3N) and N ≥ 4L²/(3δ₁²) give (L·M)² ≤ δ₁²",
        ),
    ]
    size, first = z3.Reals("n N")
    far = [first >= 1, size >= first * first, 3 * size - 1 < 2 * first * first]
    steps.append(unsatisfiable(far, "M_n² ≤ 2/(3n - 1) ≤ 1/N² for n ≥ N²"))
    return tuple(steps)
