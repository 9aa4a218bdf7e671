"""The numbers of docs/figures.md again, in floating point and by other formulas: they agree to about five digits."""

import re
from collections.abc import Iterator
from math import ceil, comb, exp, inf, lgamma, log, sqrt
from pathlib import Path

import numpy as np
import pytest

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "figures.md").read_text(encoding="utf-8")
Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
NEAR = 2e-5
SHARE = 0.05


def table(title: str) -> Iterator[tuple[float, list[float | None]]]:
    """The rows of a table of the page: x, and the numbers."""
    part = PAGE.split(f"**{title}**\n\n", 1)[1].split("\n\n", 1)[0]
    for line in part.splitlines()[2:]:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        x, *rest = [None if cell == "–" else float(cell.replace(",", "")) for cell in cells]
        assert x is not None
        yield x, rest


def close(one: float | None, other: float) -> None:
    assert one is not None
    assert one == other or abs(one - other) <= NEAR * abs(other) + 1e-60, (one, other)


def masses(n: int, p: float) -> Floats:
    """The binomial law."""
    k = np.arange(n + 1)
    logs = [lgamma(n + 1) - lgamma(i + 1) - lgamma(n - i + 1) for i in range(n + 1)]
    found: Floats = np.exp(np.array(logs) + k * log(p) + (n - k) * log(1 - p))
    return found


def sticks(law: Floats, level: float) -> float:
    zero, one = np.append(law, 0.0), np.append(0.0, law)
    return max(float(np.maximum(0, p - exp(level) * q).sum()) for p, q in ((zero, one), (one, zero)))


def ratios(law: Floats, level: float) -> float:
    above = np.append(np.cumsum(law[::-1])[::-1], 0.0)
    return float(sum(w * above[min(ceil(level * y - 1e-12), len(law))] for y, w in enumerate(law) if w > 1e-40))


def blankets(n: int, share: float, level: float) -> tuple[float, float]:
    """P[X + 1 ≥ e^ε·Y] and E[max(0, 1 - e^ε·Y/(X + 1))]: Y first, then X given Y."""
    e, total, mean = exp(level), 0.0, 0.0
    for y, weight in enumerate(masses(n - 1, share)):
        if weight < 1e-40:
            continue
        law = masses(n - 1 - y, share / (1 - share))
        x = np.arange(n - y)
        total += weight * float(law[x + 1 >= e * y].sum())
        mean += weight * float((law * np.maximum(0, 1 - e * y / (x + 1))).sum())
    return total, mean


def test_theorem_3_for_ten_thousand_records() -> None:
    n = 10_000
    plain, double = masses(n - 1, SHARE), masses(n - 1, 2 * SHARE)
    for level, (literal, closed, printed, _, _, exact) in table("DMKB20, Figure 2: Theorem 3, n = 10,000; δ"):
        close(literal, ratios(double, level))
        close(printed, ratios(double, exp(level)))
        close(exact, sticks(plain, level))
        if closed is not None:
            close(closed, exp(-(level**2) * SHARE * (n - 1) / 14))


def test_repaired_bounds_for_a_thousand_records() -> None:
    for level, row in table("DMKB20, Figure 2-text: Theorem 3, n = 1,000; δ"):
        if level in {0.1, 1}:
            repaired, sharper = blankets(1000, SHARE, level)
            close(row[3], repaired)
            close(row[4], sharper)


@pytest.mark.parametrize(("figure", "n"), [("2", 100), ("2", 10_000), ("2-text", 1000)])
def test_proposition_7(figure: str, n: int) -> None:
    spread = SHARE + 0.9 * (2 * np.arange(1, n + 1) - 1) / (2 * n)
    for level, row in table(f"DMKB20, Figure {figure}: Proposition 7, n = {n:,}; δ"):
        for case, p in enumerate((np.append(SHARE, np.full(n - 1, 0.5)), spread)):
            if level <= 1:
                mu2 = float((p * (1 - p)).mean())
                rest = 1.25 * exp(-n * mu2 * level**2 / 2)
                printed = float((p * (1 - p) * abs(1 - 2 * p)).mean())
                third = float((p * (1 - p) * (p**2 + (1 - p) ** 2)).mean())
                scale = 1.12 * (1 + exp(level)) / sqrt(n)
                close(row[3 * case], scale * printed / mu2**3 + rest)
                close(row[3 * case + 1], scale * third / mu2**1.5 + rest)
            if n <= 1000:
                found = []
                for target in (0, 1) if case == 0 else range(n // 2) if n == 100 else [n // 2]:
                    law = np.array([1.0])
                    for q in np.delete(p, target):
                        law = np.convolve(law, [1 - q, q])
                    found.append(sticks(law, level))
                close(row[3 * case + 2], max(found))


@pytest.mark.parametrize("n", [100, 1000, 10_000])
def test_figure_3_solves_for_epsilon(n: int) -> None:
    """Just above the smallest ε the bound is at most δ, just below it is more."""
    delta = 0.01 / n
    for share, row in table(f"DMKB20, Figure 3: n = {n:,}; smallest ε (nats)"):
        for place, value in enumerate(row):
            assert value is not None
            if place in {1, 2} and n > 100:
                continue

            def bound(level: float, place: int = place, share: float = share) -> float:
                if place == 0:
                    return ratios(masses(n - 1, 2 * share), exp(level))
                if place < 3:
                    return blankets(n, share, level)[place - 1]
                return max(
                    sticks(np.convolve(masses(n - 1 - up, share), masses(up, 1 - share)), level)
                    for up in (range(n // 2) if n == 100 else [0])
                )

            if value == inf:
                assert bound(20.0) > delta
            else:
                assert bound(value * (1 + NEAR)) <= delta * (1 + 1e-9)
                assert bound(value * (1 - NEAR)) > delta * (1 - 1e-9)


def test_figure_5_solves_for_epsilon() -> None:
    for known, (closed, capped, exact, noisy) in table("DMKB20, Figure 5; smallest ε (nats)"):
        unknown = 100_000 - int(known)
        size = SHARE * (unknown - 1)
        wanted = max(sqrt(14 * log(1e10) / size), 27 / size)
        if wanted <= 1:
            close(closed, wanted)
        else:
            assert closed is None
        close(capped, min(wanted, 0.5))
        assert noisy is not None
        assert exact is not None
        assert noisy <= min(exact, 0.5)
        law = masses(unknown - 1, SHARE)
        if exact < inf:
            assert sticks(law, exact * (1 + NEAR)) <= 1e-10 < sticks(law, exact * (1 - NEAR))
        else:
            assert law[0] > 1e-10


def test_figure_6_is_a_convolution() -> None:
    law, reach = masses(9999, SHARE), 400
    k = np.arange(-reach, reach + 1)
    for level, row in table("DMKB20, Figure 6; δ"):
        for place, p in ((4, 0.5), (5, 0.75)):
            wanted = sticks(np.convolve(law, (1 - p) / (1 + p) * p ** abs(k)), level)
            value = row[place]
            assert value is not None
            if level < -log(p) - 0.02:
                close(value, wanted)
            else:
                assert abs(value - wanted) < 1e-12
                assert (value == 0) == (level >= -log(p))


def tail(n: int, p: float, first: int) -> float:
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(first, n + 1))


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_sampled_groups(number: int) -> None:
    title = f"LQS12, Figure {number}; 1/δ"
    heads = PAGE.split(f"**{title}**\n\n| ε (nats) | ", 1)[1].split("\n", 1)[0].split(" | ")
    for level, row in table(title):
        for head, value in zip(heads, row, strict=True):
            k, rate = (float(x) for x in re.findall(r"[\d.]+", head)[:2])
            if value is None:
                assert level < -log(1 - rate)
            elif level >= 0.5:
                e = exp(level)
                gamma = (e - 1 + rate) / e
                sizes = range(1, 260)
                if "Theorem" in head:
                    found = [tail(n, rate, int(gamma * n) + 1) for n in sizes if n >= ceil(k / gamma - 1)]
                else:
                    cuts = [(n, max(int(k), int(gamma * n) + 1)) for n in sizes]
                    found = [tail(n, rate, j) - e * tail(n - 1, rate, j) for n, j in cuts]
                close(value, 1 / max(found))


def test_figure_6_of_lqs_solves_for_epsilon() -> None:
    for k, row in table("LQS12, Figure 6; smallest ε (nats)"):
        for rate, value in zip((0.05, 0.1, 0.2), row[::2], strict=True):
            assert value is not None
            if value == inf:
                assert rate ** int(k) > 1e-6
                continue
            for side, over in ((1 + NEAR, False), (1 - NEAR, True)):
                e = exp(value * side)
                if e < 1 / (1 - rate):
                    continue
                gamma = (e - 1 + rate) / e
                start = ceil(k / gamma - 1)
                found = [float(masses(n, rate)[int(gamma * n) + 1 :].sum()) for n in range(start, start + 60)]
                assert (max(found) > 1e-6 * (1 + 1e-9)) == over
