"""Second derivations of the cells of DP22's Table 3 that clash: plain laws as dictionaries, nothing of the deciders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from verifier.wings.papers.ledger.laws import HALF, ONE, QUARTER, ZERO, Law, laws_on, loss_tail, pushforward, total
from verifier.wings.papers.ledger.steps import Steps, equal, every_case, for_all, less

Bits = tuple[int, ...]
THIRD = Fraction(1, 3)


def pair(first: Law, second: Law) -> Law:
    """The law of two independent outputs."""
    return {o + u: p * q for o, p in first.items() for u, q in second.items()}


def blurred_average() -> Steps:
    """BayDP[TF20]: a fair bit, redrawn; its answer is true with probability 2/3, then half of the v become u."""
    answers = {0: {"u": 2 * THIRD, "v": THIRD}, 1: {"u": THIRD, "v": 2 * THIRD}}

    def blurred(law: Law) -> Law:
        return {"u": law["u"] + law["v"] / 2, "v": law["v"] / 2}

    def averages(of: dict[int, Law]) -> list[Fraction]:
        forward = [total(HALF * loss_tail(of[d], of[e], ONE) for e in (0, 1)) for d in (0, 1)]
        backward = [total(HALF * loss_tail(of[e], of[d], ONE) for e in (0, 1)) for d in (0, 1)]
        return forward + backward

    after = {d: blurred(law) for d, law in answers.items()}
    smallest = max(averages(answers)), max(averages(after))
    return (
        equal(smallest[0], THIRD, "the largest P[L > 0], averaged over the redrawn bit"),
        equal(smallest[1], Fraction(5, 12), "the same after the blurring"),
        less(*smallest, "a channel made it grow"),
    )


def renamed_words() -> Steps:
    """CBDP: H holds one function, ±1/2 on two words; for total variation f*(s) = s where |s| ≤ 1/2."""
    test = {"told 0": HALF, "told 1": -HALF}

    def restricted(p: Law, q: Law) -> Fraction:
        return max(ZERO, total((p.get(o, ZERO) - q.get(o, ZERO)) * test.get(o, ZERO) for o in {*p, *q}))

    bit: tuple[Law, Law] = ({"u": ONE}, {"v": ONE})
    renamed = [pushforward(law, lambda o: {"u": "told 0", "v": "told 1"}[o]) for law in bit]
    return (
        equal(restricted(*bit), ZERO, "E_P[h] - E_Q[f*(h)] of a bit that is told as u or v"),
        equal(restricted(renamed[0], renamed[1]), ONE, "the same, told in the words of the test"),
    )


def two_parities() -> Steps:
    """Bayesian DP: fair bits, an adversary who knows none, and the two parities x₀ + x₁ and x₀ + x₁ + x₂."""
    every = list(product((0, 1), repeat=3))

    def law_given(record: int, value: int, of: Callable[[Bits], object]) -> dict[object, Fraction]:
        law: dict[object, Fraction] = {}
        for bits in every:
            if bits[record] == value:
                law[of(bits)] = law.get(of(bits), ZERO) + QUARTER
        return law

    def of_two(bits: Bits) -> int:
        return (bits[0] + bits[1]) % 2

    def of_three(bits: Bits) -> int:
        return sum(bits) % 2

    alone = [(record, of) for record in range(3) for of in (of_two, of_three)]
    both = [law_given(2, value, lambda bits: (of_two(bits), of_three(bits))) for value in (0, 1)]
    return (
        for_all(
            alone,
            lambda record, of: law_given(record, 0, of) == law_given(record, 1, of),
            "each parity tells no record",
        ),
        equal(sorted({*both[0]} & {*both[1]}, key=str), [], "outputs of both that both values of x₂ can produce"),
        every_case(range(2, 60), lambda n: all(p > n * both[1].get(o, ZERO) for o, p in both[0].items()),
                   "no e^ε up to this is enough, nor any other, since Q = 0 < P"),
    )  # fmt: skip


def more_than_the_sum() -> Steps:
    """Bayesian DP with every adversary and every record: two bits, ln(2) for one run, and more than 2·ln(2) for two."""
    chances: dict[Bits, Fraction] = {(0, 0): Fraction(1, 4), (0, 1): Fraction(3, 20), (1, 1): Fraction(1, 10)}

    def largest(runs: int) -> Fraction:
        """The largest e^loss of answers that are all alike, over records, their values and what is known."""

        def mean(bits: list[Bits], answer: int) -> Fraction:
            laws_of = [chances[b] if answer else ONE - chances[b] for b in bits]
            return total(p**runs for p in laws_of) / len(bits)

        ratios = []
        for record, known in product((0, 1), (None, 0, 1)):
            sides = [[b for b in chances if b[record] == value and known in {None, b[1 - record]}] for value in (0, 1)]
            if all(sides):
                ratios += [mean(sides[k], answer) / mean(sides[1 - k], answer) for k, answer in product((0, 1), (0, 1))]
        return max(ratios)

    once, twice = largest(1), largest(2)
    return (
        equal(once, 2 * ONE, "e^ε of one run"),
        equal(twice, Fraction(17, 4), "e^loss of two answers that are alike"),
        less(once**2, twice, "more than the sum of both"),
    )


def any_predicate() -> Steps:
    """Abstract DP with the predicate that P[S] is 0 or 1 for each S."""

    def is_sure(law: Law) -> bool:
        return all(p in (ZERO, ONE) for p in law.values())

    sure, other = {"u": ONE, "v": ZERO}, {"u": ZERO, "v": ONE}
    mixed = {o: (sure[o] + other[o]) / 2 for o in sure}
    return (
        equal([is_sure(sure), is_sure(other)], [True, True], "the predicate holds of two constants"),
        equal(is_sure(mixed), False, "and of their mixture, which is also one of them blurred"),
    )


def any_predicate_of_pairs() -> Steps:
    """Abstract DP with the predicate that P[S] is 0, 1/2 or 1 for each S."""
    coin = {"u": HALF, "v": HALF}
    twice = pair(coin, coin)
    return (
        equal(sorted({*coin.values()}), [HALF], "the predicate holds of a coin"),
        equal(sorted({*twice.values()}), [QUARTER], "the probabilities of two coins, of which it does not hold"),
    )


def fast_divergence() -> Steps:
    """DivDP with f(t) = 3^t - 3, which rises, f(1) = 0, f(0) = -2: Q = (q, 1 - q), P = (t·q, 1 - t·q) with q = 3^-t."""

    def laws(t: int) -> tuple[Law, Law]:
        q = Fraction(1, 3**t)
        return {"u": t * q, "v": 1 - t * q}, {"u": q, "v": 1 - q}

    def at_most(t: int) -> Fraction:
        """A bound of D: the ratio of v is below 1, so that its f is negative."""
        return Fraction(3**t - 3, 3**t)

    def at_least(t: int) -> Fraction:
        """A bound of D of two such pairs: the ratio of uu is t², and f of the others is -2 at least."""
        return Fraction(3 ** (t * t) - 3, 9**t) - 2

    p, q = laws(10)
    both = [pair(law, law)["uu"] for law in (p, q)]
    return (
        equal(both[0] / both[1], Fraction(100), "the ratio of uu for t = 10, which is t²"),
        equal(q["u"] ** 2, Fraction(1, 9**10), "the probability of uu under Q"),
        less(p["v"], q["v"], "P[v] and Q[v], so that f of their ratio is below 0"),
        every_case(range(2, 30), lambda t: at_most(t) < 1, "t for which D of each is below 1"),
        less(Fraction(10**38), at_least(10), "D of both together, for t = 10"),
        every_case(
            range(4, 30),
            lambda t: at_least(t) > 3**t,
            "t for which D of both is above 3^t, so that no number bounds it",
        ),
    )


def two_aggregates() -> Steps:
    """ZKPr: two records of two bits; M counts first or second ones, with noise; Sim is told that bit of the other."""
    levels = (Fraction(1, 8), QUARTER, HALF)
    every = list(product((0, 1), repeat=4))

    def counting(k: int, name: str) -> dict[Bits, Law]:
        chances = {bits: levels[bits[k] + bits[2 + k]] for bits in every}
        return {bits: {name: p, "not " + name: 1 - p} for bits, p in chances.items()}

    def square(mechanism: dict[Bits, Law], position: int) -> Fraction:
        """e^2ε of the best simulator: of all laws that it must imitate at once."""
        groups: dict[int, list[Law]] = {}
        for bits, other in product(every, range(2)):
            groups.setdefault(bits[2 * other + position], []).append(mechanism[bits])
        return max(_closest(group) for group in groups.values())

    front, back = counting(0, "u"), counting(1, "v")
    mixed = {bits: {o: p / 2 for law in (front[bits], back[bits]) for o, p in law.items()} for bits in every}
    return (
        equal(square(front, 0), Fraction(2), "e^2ε for the first bits, told the first of the other record"),
        equal(square(back, 1), Fraction(2), "e^2ε for the second bits, told the second of the other record"),
        equal([square(mixed, position) for position in (0, 1)], [Fraction(4)] * 2, "e^2ε of either, told one or other"),
    )


def _closest(group: Sequence[Law]) -> Fraction:
    """x² for the least x such that a law is within x of all: x ≥ Σ max P, x ≥ 1/Σ min P, x² ≥ max/min."""
    outputs = sorted({*group[0]})
    largest, smallest = ([choose(law[o] for law in group) for o in outputs] for choose in (_most, _least))
    ratios = [high / low for high, low in zip(largest, smallest, strict=True)]
    return max(total(largest) ** 2, 1 / total(smallest) ** 2, *ratios)


def _most(values: Iterable[Fraction]) -> Fraction:
    return max(values)


def _least(values: Iterable[Fraction]) -> Fraction:
    return min(values)


def typical_pairs() -> Steps:
    """Typical stability: all pairs of mechanisms on three values, with two outputs and quarters; γ = 1/3 each."""
    listed = [law for law in laws_on("uv", 4) if min(law.values()) > 0]
    mechanisms = list(product(listed, repeat=3))

    def stable(kept: Sequence[Law], centre: Law, x: Fraction) -> bool:
        return all(law[o] <= x * centre[o] and centre[o] <= x * law[o] for law in kept for o in centre)

    def together(first: tuple[Law, ...], second: tuple[Law, ...]) -> bool:
        """Leave out one value for each; the product of the simulators serves the rest, with the product of the x."""
        for out, other in product(range(3), repeat=2):
            first_kept, second_kept = (
                [law for k, law in enumerate(m) if k != gone] for m, gone in ((first, out), (second, other))
            )
            x, y = (max(_ratio(law, kept[0]) for law in kept) for kept in (first_kept, second_kept))
            kept = [pair(first[k], second[k]) for k in range(3) if k not in (out, other)]
            if not (stable(first_kept, first_kept[0], x) and stable(second_kept, second_kept[0], y)):
                return False
            if not stable(kept, pair(first_kept[0], second_kept[0]), x * y):
                return False
        return True

    return (for_all(product(mechanisms, repeat=2), together, "γ and ε add: the product of the simulators is enough"),)


def _ratio(law: Law, centre: Law) -> Fraction:
    return max(max(law[o] / centre[o], centre[o] / law[o]) for o in law)


def trimmed_by_coins() -> Steps:
    """ACoDP at ρ = 0, events of the coins: x is enough where P capped at x·Q and Q at x·P keep 1 - δ."""
    delta = QUARTER

    def enough(p: Law, q: Law, x: Fraction) -> bool:
        """Whether P given E and Q given E′ can be within x of each other."""
        shared = [(min(p[o], x * q[o]), min(q[o], x * p[o])) for o in p]
        return sum((a for a, _ in shared), ZERO) >= 1 - delta and sum((b for _, b in shared), ZERO) >= 1 - delta

    def cases() -> Iterator[tuple[Law, Law, Fraction, tuple[str, str]]]:
        three = laws_on("uvw", 4)
        grid = [Fraction(k, 4) for k in range(4, 17)]
        return ((p, q, x, m) for p in three for q in three for x in grid for m in (("u", "v"), ("u", "w"), ("v", "w")))

    def kept(p: Law, q: Law, x: Fraction, merge: tuple[str, str]) -> bool:
        merged = [pushforward(law, lambda o: "m" if o in merge else o) for law in (p, q)]
        return not enough(p, q, x) or enough(merged[0], merged[1], x)

    return (for_all(cases(), kept, "where e^ε is enough before two outputs are merged it is enough after"),)
