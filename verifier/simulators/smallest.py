"""The smallest E = e^ε at which a simulator exists, exactly: a rational or a real algebraic number, with its proof.

Feasibility is monotone in E. Each play of the game gives both an E that is enough, from the simulator, and a lower
bound, from the tests. The tight part of the program, with E as a variable, is a determinant; its root between both is
the answer as soon as a simulator and tests in the field of that root prove it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, TypeAlias

from verifier.errors import UndecidedError
from verifier.numbers import Algebraic, FieldElement, fmpq_of, polynomial_of, roots_between, simplest
from verifier.simulators.game import Game, Limit, Play, Test
from verifier.tables import gathered

Number: TypeAlias = "Fraction | FieldElement"
MAX_DEGREE = 48
"""Most tests of a determinant that is made."""
ROUNDS = 60
ROOT_BITS = 160
"""Bits of a square root that is a lower bound."""
NARROW = Fraction(1, 10**40)
"""Where no exact number is proved, the ends of the enclosure differ by less than this part of it."""


@dataclass(frozen=True)
class Smallest:
    """The smallest E at a δ (None: no finite one), a simulator at E, and tests that no smaller E passes.

    Where `low` is given, the exact number was out of reach: it lies between `low` and E.
    """

    game: Game
    E: Fraction | Algebraic | None
    simulator: tuple[Number, ...] | None = None
    mixture: tuple[tuple[Test, Number], ...] = ()
    low: Fraction | None = None


def smallest(game: Game, delta: Fraction) -> Smallest:
    """The smallest E = e^ε at which a simulator exists for the game's component at δ.

    Raises:
        LimitError: for a game that is too large.

    """
    if not game.pure:
        game.admit()
    start = _some_simulator(game, delta)
    if start is None:
        return Smallest(game, None)
    if game.pure and len(game.component.classes) == 1:
        return one_class(game)
    game.admit()
    first = needed(game, start, delta)
    if first is None:
        raise ArithmeticError("a simulator that is enough at some E needs a finite one")
    search = _Search(game, delta, Fraction(1), first, start)
    while search.high > 1 and search.round < ROUNDS:
        answer = search.step()
        if answer:
            return answer
        if search.high - search.low < search.high * NARROW:
            break
    return Smallest(game, search.high, search.simulator, search.tests, None if search.high == 1 else search.low)


@dataclass
class _Search:
    """The smallest E lies in [low, high]: `simulator` is enough at `high`, `tests` show that none is below `low`."""

    game: Game
    delta: Fraction
    low: Fraction
    high: Fraction
    simulator: tuple[Fraction, ...]
    tests: tuple[tuple[Test, Fraction], ...] = ()
    round: int = 0
    last: Play | None = None
    guess: Fraction | None = None

    def step(self) -> Smallest | None:
        """One play: in the middle, at the last guess, or at `high`; then the exact answer, if its proof closes."""
        game, delta = self.game, self.delta
        E = self.high if self.round == 0 else self._simple_middle() if self.guess is None else self.guess
        self.round, self.guess = self.round + 1, None
        self.last = play = game.play(E, self.last)
        better = needed(game, play.simulator, delta)
        if better is not None and better < self.high:
            self.high, self.simulator = better, play.simulator
        crossed = min(self.high, crossing(game, play.mixture, E, delta))
        if crossed > self.low:
            self.low, self.tests = crossed, adapted(play.mixture, E / crossed)
        if self.low == self.high:
            return Smallest(game, self.high, self.simulator, self.tests if self.high > 1 else ())
        if len(play.tests) > MAX_DEGREE:
            return None
        solution = parametric(game, play)
        for root in roots_between(numerator(solution, delta), self.low, self.high):
            answer = proved(game, play, solution, root, delta)
            if answer:
                return answer
            if self.round % 2:
                low, high = (root, root) if isinstance(root, Fraction) else root.bracket(16 * self.round)
                self.guess = simplest(low, high, least=True, most=True)
        return None

    def _simple_middle(self) -> Fraction:
        third = (self.high - self.low) / 3
        return simplest(self.low + third, self.high - third, least=True, most=True)


def _some_simulator(game: Game, delta: Fraction) -> tuple[Fraction, ...] | None:
    """A simulator that is enough at some finite E, or None where there is none."""
    allowed = game.component.allowed(pure=game.pure)
    if not all(allowed):
        return None
    uniform = tuple(Fraction(1, len(allowed[c])) for c, _ in game.pairs)
    if game.pure:
        return uniform if needed(game, uniform, delta) is not None else None
    even = game.play(Fraction(1))
    if even.value <= delta:
        return even.simulator
    limit = Limit(game.component, pure=False).play(Fraction(1))
    if limit.value > delta:
        return None
    if limit.value < delta:
        share = (delta - limit.value) / 2
        return tuple((1 - share) * s + share * u for s, u in zip(limit.simulator, uniform, strict=True))
    widest = widest_simulator(game, limit.value)
    return widest if needed(game, widest, delta) is not None else None


def widest_simulator(game: Game, value: Fraction) -> tuple[Fraction, ...]:
    """A simulator of largest support among those that answer what M cannot with the least probability, `value`."""
    plays = _favoured(game, value)
    return tuple(sum(column, Fraction(0)) / len(plays) for column in zip(*(p.simulator for p in plays), strict=True))


def excluding_mixture(game: Game, value: Fraction) -> tuple[tuple[Test, Fraction], ...]:
    """A mixture of tests that excludes as many answers as possible; `value` is the least δ at E = ∞.

    A simulator whose answers that M cannot give have this probability uses only pairs that are best against the tests.
    """
    plays = _favoured(game, value)
    return tuple(gathered((test, y / len(plays)) for play in plays for test, y in play.mixture).items())


def _favoured(game: Game, value: Fraction) -> list[Play]:
    """For each pair, the limit with a bonus for it that does not change the value, however small it must be."""
    plays = []
    for k in range(game.size):
        bonus = Fraction(1)
        for _ in range(ROUNDS):
            bonus /= 1024
            play = Limit(game.component, pure=False, favoured=k, bonus=bonus).play(Fraction(1))
            if play.value + bonus * play.simulator[k] == value:
                break
        else:
            raise UndecidedError("no bonus was small enough")
        plays.append(play)
    return plays


def needed(game: Game, simulator: Sequence[Fraction], delta: Fraction) -> Fraction | None:
    """The smallest E ≥ 1 at which this simulator is enough at δ; None where no E is."""
    most = Fraction(1)
    for law, answer in zip(game.component.laws, game.answers(simulator), strict=True):
        for first, second in ((law, answer), (answer, law)):
            least = crossed(list(zip(first, second, strict=True)), delta)
            if least is None:
                return None
            most = max(most, least)
    return most


def crossed(pairs: list[tuple[Fraction, Fraction]], delta: Fraction) -> Fraction | None:
    """The smallest E with Σ max(0, p - E·q) ≤ δ over the pairs (p, q); None where no E is enough."""
    lost = sum((p for p, q in pairs if not q), Fraction(0)) - delta
    if lost > 0:
        return None
    kept, steepness = lost, Fraction(0)
    for ratio, p, q in sorted(((p / q, p, q) for p, q in pairs if q), reverse=True):
        if steepness and kept / steepness >= ratio:
            break
        kept, steepness = kept + p, steepness + q
    return kept / steepness if steepness else Fraction(0)


def crossing(game: Game, mixture: Sequence[tuple[Test, Fraction]], E: Fraction, delta: Fraction) -> Fraction:
    """An X ≥ 1 such that no E < X is enough: the tests, those against Q weighted by X/E, get more than δ there.

    With the weights fixed so, the sum of all inequalities is A/X - B·X + C > 0, which falls in X; X is its root, or a
    rational a little below.
    """
    a: Fraction
    b: Fraction
    c: Fraction
    a, b, c = _sum(game, mixture, E, delta)
    if a < 0 or a - b + c <= 0:
        return Fraction(1)
    if b == 0:
        return a / -c if c < 0 else E
    under = c * c + 4 * a * b
    scale = under.denominator << ROOT_BITS
    root = Fraction(isqrt(under.numerator * scale * scale // under.denominator), scale)
    return max(Fraction(1), (c + root) / (2 * b))


def _sum(game: Game, mixture: Sequence[tuple[Test, Any]], E: Any, delta: Fraction) -> tuple[Any, Any, Any]:
    """(A, B, C): what the tests get from every simulator above δ, at X with the weights of E, is A/X - B·X + C."""
    unit, nothing = Fraction(1), Fraction(0)
    a = sum((y * E * (game.constant(t, unit) - delta) for t, y in mixture if t.forward), nothing)
    b = -sum((y * game.constant(t, unit) for t, y in mixture if not t.forward), nothing)
    c = -delta * sum((y for t, y in mixture if not t.forward), nothing)
    offers: dict[int, list[Any]] = {}
    for pair in game.pairs:
        offers.setdefault(pair[0], []).append(sum((y * game.coefficient(t, pair, E) for t, y in mixture), nothing))
    return a, b, c + sum((min(offer) for offer in offers.values()), nothing)


def numerator(solution: list[tuple[Any, Any]], delta: Fraction) -> list[int]:
    """The polynomial whose roots are the E with v = δ on the tight part; without a root where v = δ throughout."""
    polynomial = solution[-1][0] - polynomial_of((delta,)) * solution[-1][1]
    return [int(c) for c in (polynomial * polynomial.denom()).coeffs()] or [1]


def adapted(mixture: Sequence[tuple[Test, Fraction]], factor: Fraction) -> tuple[tuple[Test, Fraction], ...]:
    """The mixture for another E: the weights of `forward` tests times `factor`, then scaled to sum to 1."""
    weights = [(test, y * factor if test.forward else y) for test, y in mixture]
    total = sum((y for _, y in weights), Fraction(0))
    return tuple((test, y / total) for test, y in weights)


def proves_smallest(game: Game, mixture: Sequence[tuple[Test, Any]], E: Any, delta: Fraction) -> bool:
    """Whether the tests get at least δ at E and, with their weights adapted, more at every smaller one."""
    a, b, _ = _sum(game, mixture, E, delta)
    return bool(game.value_of(mixture, E) >= delta and a >= 0 and a + b > 0)


def parametric(game: Game, play: Play) -> list[tuple[Any, Any]]:
    """The tight part solved with E as a variable: s of its pairs, y of its tests, and v, each as (N, D), D the same."""
    from flint import fmpq, fmpq_mat

    tests, pairs = play.tests, play.pairs
    classes = list(dict.fromkeys(c for c, _ in game.pairs))
    length, degree = len(pairs) + 1, len(tests)
    points: list[int] = []
    columns: list[list[Any]] = []
    E = 0
    while len(points) <= degree:
        E += 1
        rows = [[*(game.coefficient(t, game.pairs[k], Fraction(E)) for k in pairs), Fraction(-1)] for t in tests]
        rows += [[*(Fraction(int(game.pairs[k][0] == c)) for k in pairs), Fraction(0)] for c in classes]
        matrix = fmpq_mat(length, length, [fmpq_of(x) for row in rows for x in row])
        size = matrix.det()
        if size == 0:
            continue
        right = [fmpq_of(-game.constant(t, Fraction(E))) for t in tests] + [fmpq(1)] * len(classes)
        primal = matrix.solve(fmpq_mat(length, 1, right))
        dual = matrix.transpose().solve(fmpq_mat(length, 1, [fmpq(0)] * (length - 1) + [fmpq(-1)]))
        points.append(E)
        wanted = (
            [primal[k, 0] for k in range(len(pairs))] + [dual[k, 0] for k in range(degree)] + [primal[len(pairs), 0]]
        )
        columns.append([*(value * size for value in wanted), size])
    powers = fmpq_mat(degree + 1, degree + 1, [fmpq(x) ** k for x in points for k in range(degree + 1)])
    values = fmpq_mat(degree + 1, len(columns[0]), [value for column in columns for value in column])
    coefficients = powers.solve(values)
    polynomials = [_polynomial([coefficients[k, j] for k in range(degree + 1)]) for j in range(len(columns[0]))]
    return [(polynomial, polynomials[-1]) for polynomial in polynomials[:-1]]


def _polynomial(coefficients: list[Any]) -> Any:
    from flint import fmpq_poly

    return fmpq_poly(coefficients)


def proved(
    game: Game, play: Play, solution: list[tuple[Any, Any]], root: Fraction | Algebraic, delta: Fraction
) -> Smallest | None:
    """The tight part at a root of `numerator`, as a simulator and a mixture; None unless they prove each other."""
    if isinstance(root, Fraction):
        at = fmpq_of(root)
        if solution[-1][1](at) == 0:
            return None
        exact = [top(at) / below(at) for top, below in solution[:-1]]
        numbers: list[Any] = [Fraction(int(value.p), int(value.q)) for value in exact]
        E: Any = root
        zero: Any = Fraction(0)
    else:
        minimal = polynomial_of(root.polynomial)
        common, inverse, _ = (solution[-1][1] % minimal).xgcd(minimal)
        if common.degree() != 0:
            return None
        numbers = [FieldElement.of(root, (top % minimal) * inverse) for top, _ in solution[:-1]]
        E, zero = FieldElement.generator(root), FieldElement(root, polynomial_of(()))
    simulator = [zero] * game.size
    for k, s in zip(play.pairs, numbers, strict=False):
        simulator[k] = s
    mixture = tuple((t, y) for t, y in zip(play.tests, numbers[len(play.pairs) :], strict=True) if y)
    if any(s < 0 for s in simulator) or any(y < 0 for _, y in mixture):
        return None
    if max(gain for gain, _ in game.worst(simulator, E)) > delta or not proves_smallest(game, mixture, E, delta):
        return None
    return Smallest(game, root, tuple(simulator), mixture)


def one_class(game: Game) -> Smallest:
    """The smallest E at δ = 0 for one class of contexts: max(√(max P/min P), Σ max P, 1/Σ min P), with its proof.

    The maxima and minima are over the rows; the first is also over the outputs, the sums are over them.
    """
    laws = game.component.laws
    best = [max(range(len(laws)), key=lambda r, o=o: laws[r][o]) for _, o in game.pairs]  # type: ignore[misc]
    worst = [min(range(len(laws)), key=lambda r, o=o: laws[r][o]) for _, o in game.pairs]  # type: ignore[misc]
    outputs = [o for _, o in game.pairs]
    most = [laws[r][o] for r, o in zip(best, outputs, strict=True)]
    least = [laws[r][o] for r, o in zip(worst, outputs, strict=True)]
    squared, at = max((p / q, -k) for k, (p, q) in enumerate(zip(most, least, strict=True)))
    rational = max(sum(most, Fraction(0)), 1 / sum(least, Fraction(0)))
    E: Fraction | Algebraic = rational
    weighted: list[tuple[Test, Any]] = []
    if squared > rational**2:
        (E,) = roots_between((-squared.numerator, 0, squared.denominator), rational, squared)
        k = -at
        weighted = [(Test(best[k], (outputs[k],), True), 1), (Test(worst[k], (outputs[k],), False), None)]
    elif rational == sum(most):
        weighted = [(Test(r, (o,), True), 1) for r, o in zip(best, outputs, strict=True)]
    else:
        weighted = [(Test(r, (o,), False), 1) for r, o in zip(worst, outputs, strict=True)]
    number: Any = FieldElement.generator(E) if isinstance(E, Algebraic) else E
    inverse = number * (1 / squared) if isinstance(E, Algebraic) else 1 / E
    low = [inverse * p for p in most]
    room = [number * q - p for p, q in zip(low, least, strict=True)]
    missing = 1 - sum(low[1:], low[0])
    simulator = []
    for p, free in zip(low, room, strict=True):
        more = min(free, missing)
        simulator.append(p + more)
        missing = missing - more
    mixture = tuple((t, number if y is None else Fraction(y)) for t, y in weighted) if E != 1 else ()
    return Smallest(game, E, tuple(simulator), mixture)
