"""Separate naive code for measures of all orders: decimals of 34 digits, a fine grid, and thirds around its best point.

What it finds is attained, up to the last digits: a lower bound of each supremum, and near it.
"""

from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction

from naive_atlas import Law

DIGITS = 34
CLOSE = Decimal("1e-15")
"""How near the naive value is to the supremum."""


def decimal(x: Fraction) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def losses(p: Law, q: Law) -> list[tuple[Decimal, Decimal]] | None:
    """P(o) with ln P(o)/Q(o); None where P can produce what Q cannot."""
    if any(mass and not q.get(o) for o, mass in p.items()):
        return None
    return [(decimal(mass), decimal(mass / q[o]).ln()) for o, mass in p.items() if mass]


def renyi(listed: list[tuple[Decimal, Decimal]], t: Decimal) -> Decimal:
    """The divergence of order 1 + t; of order 1 at t = 0."""
    if not t:
        return sum((p * loss for p, loss in listed), Decimal(0))
    return sum((p * (t * loss).exp() for p, loss in listed), Decimal(0)).ln() / t


def highest(f: Callable[[Decimal], Decimal], points: list[Decimal]) -> Decimal:
    """The largest value on the points, and between the neighbours of the best one by thirds."""
    values = [f(t) for t in points]
    at = max(range(len(points)), key=lambda k: values[k])
    low, high = points[max(at - 1, 0)], points[min(at + 1, len(points) - 1)]
    for _ in range(50):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if f(left) < f(right) else (low, right)
    return max(values[at], f((low + high) / 2))


def grid(end: Decimal | None = None) -> list[Decimal]:
    """0, and points from 10^-4 to 10^4, or to the end."""
    points = [Decimal(10) ** (Decimal(k) / 5) for k in range(-20, 21)]
    return [Decimal(0), *(t for t in points if end is None or t < end), *([] if end is None else [end])]


def rho(p: Law, q: Law, xi: Fraction = Fraction(0), omega: Fraction | None = None) -> Decimal | None:
    """The largest (D_α - ξ)/α, at least 0; None where it is infinite."""
    with localcontext(prec=DIGITS):
        listed = losses(p, q)
        if listed is None:
            return None
        points = grid(None if omega is None else decimal(omega - 1))
        return max(Decimal(0), highest(lambda t: (renyi(listed, t) - decimal(xi)) / (1 + t), points))


def tau(p: Law, q: Law, mu: Fraction) -> Decimal | None:
    """The largest √(2·ln E[e^(λ(L - E L))])/|λ|; None where E[L] exceeds μ, or the loss is infinite."""
    with localcontext(prec=DIGITS):
        listed = losses(p, q)
        if listed is None or renyi(listed, Decimal(0)) > decimal(mu):
            return None
        mean = renyi(listed, Decimal(0))
        variance = sum((mass * (loss - mean) ** 2 for mass, loss in listed), Decimal(0))

        def square(t: Decimal) -> Decimal:
            return max(2 * (renyi(listed, t) - mean) / t, Decimal(0)) if t else variance

        sides = [highest(square, [sign * t for t in grid()]) for sign in (1, -1)]
        return max(sides).sqrt()


def below_xi(p: Law, q: Law, xi: Fraction) -> Decimal | None:
    """The largest D_α/α, where the largest loss is at most ξ."""
    with localcontext(prec=DIGITS):
        listed = losses(p, q)
        if listed is None or max(loss for _, loss in listed) > decimal(xi):
            return None
    return rho(p, q)


def quantile(x: Decimal) -> Decimal:
    """Φ⁻¹ by bisection of the series of Φ."""
    low, high = Decimal(-12), Decimal(12)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if normal(middle) < x else (low, middle)
    return low


PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def normal(x: Decimal) -> Decimal:
    """Φ(x) = 1/2 + φ(x)·Σ x^(2k + 1)/(2k + 1)!!."""
    with localcontext(prec=60):
        total, term, k = Decimal(0), x, 1
        while abs(term) > Decimal("1e-50"):
            total, term, k = total + term, term * x * x / (k + 2), k + 2
        return Decimal("0.5") + total * (-x * x / 2).exp() / (2 * PI).sqrt()


def mu(p: Law, q: Law) -> Decimal | None:
    """The largest Φ⁻¹(1 - α) - Φ⁻¹(β) over all tests S, α = P[S] and β = 1 - Q[S]; None where it is infinite."""
    with localcontext(prec=DIGITS):
        worst = Decimal(0)
        for alpha, beta in tests(p, q):
            if alpha + beta >= 1:
                continue
            if not alpha or not beta:
                return None
            worst = max(worst, quantile(decimal(1 - alpha)) - quantile(decimal(beta)))
        return worst


def tests(p: Law, q: Law) -> Iterator[tuple[Fraction, Fraction]]:
    outputs = sorted({*p, *q})
    for mask in range(1 << len(outputs)):
        chosen = [o for k, o in enumerate(outputs) if mask >> k & 1]
        yield (
            sum((p.get(o, Fraction(0)) for o in chosen), Fraction(0)),
            1 - sum((q.get(o, Fraction(0)) for o in chosen), Fraction(0)),
        )


def restricted(p: Law, q: Law, listed: list[dict[str, Fraction]]) -> Decimal:
    """The largest E_P[h] - E_Q[e^(h - 1)], at least 0."""
    with localcontext(prec=DIGITS):
        worst = Decimal(0)
        for h in listed:
            mean = sum((mass * h.get(o, Fraction(0)) for o, mass in p.items()), Fraction(0))
            powers = sum(
                (decimal(mass) * decimal(h.get(o, Fraction(0)) - 1).exp() for o, mass in q.items()), Decimal(0)
            )
            worst = max(worst, decimal(mean) - powers)
        return worst
