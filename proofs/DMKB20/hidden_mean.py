"""Examples 1 and 3 with normal records, as printed: densities, shifts and outliers, in general symbols."""

from __future__ import annotations

from fractions import Fraction

import z3
from flint import arb, fmpq
from sympy import Rational, exp, symbols

from verifier.wings.papers.ledger.steps import Steps, absolute, equal, identity, less, positive, unsatisfiable

FIVE = 5
"""A record is an outlier where it is more than so many σ away from the average."""


def side_given_record() -> Steps:
    """Example 1: given D(i) = x, μ = 1 has the probability 1/(1 + exp(-2x/σ²)): nearly 1 at x = 1, 0 at x = -1."""
    x, s = positive("x sigma")
    up, down = exp(-((x - 1) ** 2) / (2 * s**2)), exp(-((x + 1) ** 2) / (2 * s**2))
    tenth = 1 / (1 + arb(-200).exp())
    return (
        identity(up / (up + down), 1 / (1 + exp(-2 * x / s**2)), "P[μ = 1 given D(i) = x], x > 0"),
        identity(1 - up / (up + down), 1 / (1 + exp(2 * x / s**2)), "P[μ = -1 given D(i) = x]"),
        less(Fraction(999_999, 1_000_000), lower(tenth), "with σ = 1/10 and x = 1, at least"),
        less(Fraction(88, 100), lower(1 / (1 + arb(-2).exp())), "with σ = 1 and x = 1, at least"),
        less(upper(1 / (1 + arb(-2).exp())), Fraction(89, 100), "and at most"),
        identity((up / (up + down)).subs(x, 0), Rational(1, 2), "at x = 0 it is 1/2, for every σ"),
    )


def average_given_record() -> Steps:
    """Example 1: given D(i) = x and μ the average has the mean (x + (n-1)·μ)/n, x itself for x = μ; little spread.

    The other records have the mean μ and the variance σ², and are independent given μ.
    """
    n, s, mu = positive("n sigma mu")
    return (
        identity((mu + (n - 1) * mu) / n, mu, "the mean of the average given D(i) = μ = x is x"),
        identity((n - 1) * s**2 / n**2, s**2 / n - (s / n) ** 2, "its variance is that of an average less σ²/n²"),
        identity(((n - 1) * s**2 / n**2 + s**2 / n**2) * n, s**2, "the share of record i is σ²/n², 1/n of the whole"),
    )


def shifts() -> Steps:
    """Two normal laws with one variance and different means have no bounded ratio: its logarithm is a line in t.

    So an exact average of n ≥ 2 normal records is in NP and CDP for no ε at δ = 0: given D(i) = a and given D(i) = b
    (or D(i) set to b) it is a mixture over μ of normal laws with the means (a ± (n-1))/n and (b ± (n-1))/n. For a > b
    and t above all means, the first is at least w·φ(t - m_a) and the second at most φ(t - m_b), where w > 0 is the
    weight of μ = 1 and m_a > m_b are the means with μ = 1; their ratio is w·exp(slope·t + constant), with a slope
    above 0.
    """
    t, v, a, b, n, m = positive("t v a b n mu")
    up, down = (a + (n - 1) * m) / n, (b + (n - 1) * m) / n
    ratio = -((t - up) ** 2) / (2 * v) + (t - down) ** 2 / (2 * v)
    line = (up - down) / v * t - (up**2 - down**2) / (2 * v)
    T, A, B, N, V, W = z3.Reals("t a b n v w")
    near, far, high, low = z3.Reals("near far high low")
    return (
        identity(ratio, line, "the logarithm of the ratio is a line in t"),
        identity((up - down) / v, (a - b) / (n * v), "with the slope (a - b)/(n·v)"),
        unsatisfiable([A > B, N >= 1, V > 0, (A - B) / (N * V) <= 0], "which is above 0 for a > b"),
        unsatisfiable(
            [far <= near, near <= T, (T - far) * (T - far) < (T - near) * (T - near)],
            "above both means the density around the larger one is the larger",
        ),
        unsatisfiable(
            [W > 0, high >= W * T, low <= T, T > 0, high < W * low], "so the mixtures' ratio is at least w times it"
        ),
    )


def simulators() -> Steps:
    """The average in DDP: no Sim is enough at any (ε, δ) with δ < 1/2, where D(i) may be any real number.

    Given μ the law of D₋ᵢ does not depend on D(i). So Sim(D₋ᵢ) given D(i) = a is a mixture, with weights that depend
    on a, of two laws that do not: outside some [-r, r] it has less than any η > 0, for all a at once. The average
    given D(i) = a is in [a/n - 1 - h, a/n + 1 + h] except with probability σ²/(n·h²), for both μ. For a > n·(r + 1 +
    h) the event "above r" has at least 1 - σ²/(n·h²) for M and less than η for Sim, so that δ ≥ 1 - σ²/(n·h²) -
    e^ε·η.
    """
    a, n, r, h, mu, s = z3.Reals("a n r h mu s")
    eta, E, d = z3.Reals("eta E d")
    far = [n >= 1, r > 0, h > 0, mu >= -1, mu <= 1, a > n * (r + 1 + h)]
    return (
        unsatisfiable([*far, a / n + mu * (n - 1) / n - h <= r], "for such a the average's centre less h is above r"),
        unsatisfiable(
            [n >= 1, s > 0, h * h * n == 4 * s * s, s * s / (n * h * h) > z3.Q(1, 4)],
            "h = 2σ/√n leaves at most 1/4 outside",
        ),
        unsatisfiable(
            [E >= 1, eta * E == z3.Q(1, 4), d < z3.Q(1, 2), z3.Q(3, 4) <= E * eta + d],
            "3/4 ≤ e^ε·η + δ with η = e^-ε/4 needs δ ≥ 1/2",
        ),
    )


def own_outlier() -> Steps:
    """Example 3: a record at b is (n-1)/n·(b - ȳ) from the average, ȳ the average of the others; n ≥ 2.

    So given D(i) = b, or with D(i) set to b, no outlier at all has a probability of at most P[|ȳ| ≥ b - r] ≤ E[ȳ²]/(b
    - r)² = (1 + σ²/(n-1))/(b - r)² with r = 5σ·n/(n-1), which tends to 0 as b grows; given D(i) = 1 it has a fixed
    positive probability. At δ = 0 neither NP nor CDP holds, for any ε and n ≥ 2.
    """
    b, y, n, s = positive("b y n sigma")
    B, Y, N, S, R = z3.Reals("b y n s r")
    return (
        identity(b - (b + (n - 1) * y) / n, (n - 1) / n * (b - y), "the distance of record i from the average"),
        identity((n - 1) / n * (FIVE * s * n / (n - 1)), FIVE * s, "which is 5σ at b - ȳ = r"),
        unsatisfiable(
            [N >= 2, S > 0, R * (N - 1) == FIVE * S * N, B - Y > R, (B - Y) * (N - 1) <= FIVE * S * N],
            "beyond r it is an outlier",
        ),
        unsatisfiable([R > 0, B > R, B - Y <= R, Y < B - R], "no outlier needs ȳ ≥ b - r"),
    )


def one_record() -> Steps:
    """For n = 1 the record is the average, so no record is ever an outlier: M is constant, in NP and CDP with ε = 0."""
    x = symbols("x", real=True)
    return (identity(x - x / 1, 0, "a single record's distance from the average"),)


def two_records() -> Steps:
    """For n = 2 both records are equally far from their average, so the number of outliers is 0 or 2, never 1."""
    x, y = symbols("x y", real=True)
    return (
        identity((x - (x + y) / 2) ** 2, (y - (x + y) / 2) ** 2, "the squared distances of both records"),
        identity((x - (x + y) / 2) ** 2, ((x - y) / 2) ** 2, "which is half of their difference, squared"),
    )


def one_outlier() -> Steps:
    """With n = 3 and the other records within 9/10·σ of μ, D(i) set to μ + 9σ is the one outlier (σ = 1, μ = 0)."""
    y, z = z3.Reals("y z")
    b = 9
    mean = (b + y + z) / 3
    near = [bound for record in (y, z) for bound in (record >= -z3.Q(9, 10), record <= z3.Q(9, 10))]
    return (
        unsatisfiable([*near, b - mean <= FIVE], "the changed record is an outlier"),
        unsatisfiable([*near, z3.Or(mean - y > FIVE, y - mean > FIVE)], "the others are not"),
    )


def one_outlier_is_likely() -> Steps:
    """For n = 3, D(i) set to μ + 9σ, the count is 1 with probability above 0.97 (σ = 1, μ = 0; y, z the other records).

    It is 1 outside three half-planes and their mirror images; y + z has the variance 2, 2y - z the variance 5.
    """
    y, z = z3.Reals("y z")
    mean = (9 + y + z) / 3
    fine = [
        y + z < 3,
        *(bound for difference in (2 * y - z, 2 * z - y) for bound in (difference >= -6, difference <= 24)),
    ]

    def beyond(level: int, variance: int) -> arb:
        return (arb(level) / (arb(2 * variance)).sqrt()).erfc() / 2

    missed = beyond(3, 2) + 2 * beyond(6, 5) + 2 * beyond(24, 5)
    return (
        unsatisfiable([*fine, 9 - mean <= FIVE], "the changed record is an outlier"),
        unsatisfiable(
            [*fine, z3.Or(*(d > FIVE for record in (y, z) for d in (mean - record, record - mean)))], "no other is"
        ),
        less(upper(missed), Fraction(3, 100), "P[y + z ≥ 3] + 2·P[2y - z < -6] + 2·P[2y - z > 24], at most"),
        equal(1 - Fraction(3, 100), Fraction("0.97"), "so the count is 1 with a probability above"),
    )


def outliers_are_rare() -> Steps:
    """0 outliers with high probability: for up to 1,000 records, and not for 10,000,000 of them.

    D(j) minus the average has the variance σ²·(1 - 1/n), so that one record is an outlier with the probability
    erfc(5/√(2·(1 - 1/n))); the expected number is n times that, and bounds the probability of one or more.
    """

    def expected(n: int) -> arb:
        return n * (FIVE / (2 * (1 - arb(fmpq(1, n)))).sqrt()).erfc()

    return (
        less(upper(expected(1000)), Fraction(1, 1000), "1,000 records: the expected number of outliers, at most"),
        less(Fraction(5), lower(expected(10**7)), "10,000,000 records: the expected number, at least"),
    )


def outliers_up_to_a_thousand() -> Steps:
    """The expected number rises in n: n and erfc(5/√(2(1 - 1/n))) do, so 1,000 is the worst n ≤ 1,000."""
    n, k = z3.Reals("n k")
    return (
        unsatisfiable([n >= 2, k > n, 1 - 1 / k <= 1 - 1 / n], "1 - 1/n rises, 5/√(2(1 - 1/n)) falls, and erfc falls"),
        *outliers_are_rare(),
        equal(
            1 - Fraction(1, 1000), Fraction("0.999"), "so the count is 0 with a probability above, for every n ≤ 1,000"
        ),
    )


def outliers_among_many() -> Steps:
    """Of 10,000,000 records: some record is beyond 5.01σ of μ with probability > 0.99, the average within σ/100.

    Records are independent given μ; P[all within 5.01σ] = (1 - erfc(5.01/√2))^n. P[|average - μ| > σ/100] ≤ 10⁴/n.
    """
    n = 10**7
    inside = (1 - (arb(fmpq(501, 100)) / arb(2).sqrt()).erfc()) ** n
    d, a = z3.Reals("d a")
    return (
        less(upper(inside), Fraction(1, 100), "no record beyond 5.01σ of μ: at most"),
        less(Fraction(10**4, n), Fraction(1, 100), "the average beyond σ/100 of μ: at most"),
        unsatisfiable(
            [
                z3.Or(d > z3.Q(501, 100), d < -z3.Q(501, 100)),
                a <= z3.Q(1, 100),
                a >= -z3.Q(1, 100),
                d - a <= 5,
                a - d <= 5,
            ],
            "else that record is an outlier (σ = 1, μ = 0): the count is not 0 with probability above 0.98",
        ),
        equal(2 * Fraction(1, 100), Fraction("0.02"), "so it is 0 with a probability below the sum of both"),
    )


def lower(ball: arb) -> Fraction:
    """A rational number that is at most every number of the ball, exactly."""
    return _rational(ball.lower())


def upper(ball: arb) -> Fraction:
    """A rational number that is at least every number of the ball, exactly."""
    return _rational(ball.upper())


def _rational(point: arb) -> Fraction:
    man, power = point.mid().man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(power)


def sensitivity() -> Steps:
    """CDP and sensitivity: noise with the density exp(-|x|/s)/(2s) after f gives ε = (largest change of f)/s.

    |x - f| - |x - f′| ≤ |f - f′|, so each database's density changes by a factor of at most exp(|f - f′|/s), and
    mixtures keep it.
    """
    x, f, g, c = z3.Reals("x f g c")

    return (
        unsatisfiable(
            [absolute(f - g) <= c, absolute(x - f) - absolute(x - g) > c], "|x - f| - |x - f′| ≤ c where |f - f′| ≤ c"
        ),
    )


def influence() -> Steps:
    """The average moves by (b - a)/n where a record is changed from a to b: at most the range of the values over n."""
    a, b, other_sum, n = positive("a b rest n")
    A, B, L, U, N = z3.Reals("a b low high n")
    return (
        identity((b + other_sum) / n - (a + other_sum) / n, (b - a) / n, "the change"),
        unsatisfiable([L <= A, A <= U, L <= B, B <= U, N >= 1, (B - A) / N > (U - L) / N], "at most the range over n"),
    )
