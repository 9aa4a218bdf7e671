"""k independent runs of a mechanism on one database: the exact privacy curve beside the rules that promise one.

Given the database the runs are independent, so that P[O₁, …, O_k] = Σ_D p(D)·Π M(D)(Oⱼ) does not depend on the order of
the outputs, under P and under Q alike. So lists that differ in their order alone have one privacy loss, and are put
into one: C(k + m - 1, k) outputs instead of m^k, with the same curve.

The naive rule adds ε and δ: (ε, δ) once, (k·ε, k·δ) for k runs. It is a theorem for DP; NP, APKDP, PPKDP and CDP
average over the database, which one run tells the attacker about before the next. For APKDP DMKB20's Theorem 6 adds
what the runs say about each other: with (μⱼ, νⱼ)-bounded dependency of run j + 1 on the first j (Definition 18), k
runs are (k·ε + Σ μⱼ, k·δ + Σ νⱼ)-APKDP, and as printed (k·ε + 2·Σ μⱼ, …).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb, factorial, prod
from typing import Any

from verifier.definitions import Verdict
from verifier.definitions.answer import EXIT_STATUS, Answer, Decimal, Valued, header
from verifier.definitions.registry import ON_REQUEST, find_for_all
from verifier.errors import InputError, LimitError, UndecidedError, UnsupportedError
from verifier.model import Database, Model, arguments, need_model
from verifier.model.arguments import takes
from verifier.model.compose import compose, with_mechanism
from verifier.model.composition import listed
from verifier.model.explicit import from_rows
from verifier.model.multisets import Multisets
from verifier.numbers import ZERO, Delta, Enclosure, Epsilon, Order, epsilon, log_epsilon, reals, with_decimal
from verifier.profile import Profile
from verifier.questions.check import check
from verifier.tables import Label, Law

DEFINITIONS = ("dp", "np", "apkdp", "ppkdp", "cdp")
"""The default definitions; others that compare laws of outputs can be asked, too."""
WITH_A_THEOREM = frozenset({"np", "apkdp"})
"""The definitions of which Theorem 6 of DMKB20 speaks."""
MOST_TIMES = 64
MOST_DATABASES = 1 << 12
MOST_CELLS = 1 << 18
"""Largest number of probabilities of all runs together."""
MOST_POINTS = 8
"""Largest number of points that are compared where no ε is given: 0, and where the curve of one run bends."""


@dataclass(frozen=True)
class CurvePoint(Valued):
    """The δ of one run at ε, and the δ of k runs at k·ε: by the naive rule, exactly, and by Theorem 6 with μ = 0."""

    epsilon: Epsilon
    delta: Delta | Enclosure
    added_epsilon: Epsilon
    added_delta: Delta | Enclosure
    exact_delta: Delta | Enclosure
    theorem_delta: Delta | None

    @property
    def exceeds(self) -> bool | None:
        """Whether k runs need a larger δ at k·ε than k·δ; None where enclosures cannot tell."""
        if not isinstance(self.exact_delta, Delta) or not isinstance(self.added_delta, Delta):
            return None
        order = self.exact_delta.order(self.added_delta)
        return None if order is Order.UNDECIDED else order is Order.GREATER

    def fields(self) -> dict[str, Any]:
        """The point as an entry of `points` in `pkdp compose --json`."""
        return {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "added_epsilon": self.added_epsilon,
            "added_delta": self.added_delta,
            "exact_delta": self.exact_delta,
            "exact_delta_decimal": Decimal(self.exact_delta),
            "theorem_delta": self.theorem_delta,
            "exceeds": self.exceeds,
        }


@dataclass(frozen=True)
class ComposedDefinition(Valued):
    """The answers of one definition for one run and for k runs, the smallest ε at δ = 0 by each rule, and points.

    `theorem_epsilon` is k·ε + Σ μ of Theorem 6, and `printed_epsilon` is k·ε + 2·Σ μ, as the paper prints it; None
    where the theorem says nothing.
    """

    definition: str
    single: Verdict
    together: Verdict
    added_epsilon: Epsilon | None
    theorem_epsilon: Epsilon | None
    printed_epsilon: Epsilon | None
    points: tuple[CurvePoint, ...]

    def __str__(self) -> str:
        if self.added_epsilon is None:
            reason = f", {self.together.reason}" if self.together.reason else ""
            return f"{self.definition}: {self.together.verdict}{reason}"
        numbers = self.single.tight_epsilon, self.added_epsilon, self.together.tight_epsilon
        one, added, exact = (with_decimal(number, most=60) for number in numbers)
        return (
            f"{self.definition}: smallest ε at δ = 0: {one} for one run, {exact} for all runs (the naive sum: {added})"
        )

    @property
    def exceeds(self) -> bool | None:
        """Whether k runs need a larger ε than k·ε at δ = 0; None where the two cannot be compared."""
        exact = self.together.tight_epsilon
        if not isinstance(exact, Epsilon) or self.added_epsilon is None:
            return None
        try:
            return self.added_epsilon < exact
        except UndecidedError:
            return None

    @property
    def curve(self) -> list[dict[str, Any]] | None:
        """The whole exact curve of k runs, δ = a - b·e^ε from each `epsilon` on; None where it is not known."""
        if not self.together.has_profile or not isinstance(self.together.profile, Profile):
            return None
        return [{"epsilon": start, "a": a, "b": b} for start, a, b in self.together.profile.segments]

    def fields(self) -> dict[str, Any]:
        """The definition as an entry of `definitions` in `pkdp compose --json`."""
        return {
            "definition": self.definition,
            "verdict": self.together.verdict,
            "reason": self.together.reason,
            "single_epsilon": self.single.tight_epsilon,
            "added_epsilon": self.added_epsilon,
            "exact_epsilon": self.together.tight_epsilon,
            "exact_epsilon_decimal": Decimal(self.together.tight_epsilon),
            "theorem_epsilon": self.theorem_epsilon,
            "printed_epsilon": self.printed_epsilon,
            "exceeds": self.exceeds,
            "points": self.points,
            "curve": self.curve,
        }


@dataclass(frozen=True)
class Composition(Answer):
    """The answers about k independent runs of the mechanism of a model; `together` is the model of all runs."""

    model: Model
    times: int
    definitions: tuple[ComposedDefinition, ...]
    together: Model = field(repr=False)
    without_theorem: str = ""
    """The reason why Theorem 6 is not asked; empty where it is."""

    def __repr__(self) -> str:
        return f"<Composition of {self.times} runs: {self.verdict}>"

    def __str__(self) -> str:
        head = f"{self.model.title}: {self.times} independent runs on the same database"
        return "\n".join([head, *map(str, self.definitions)])

    @property
    def verdict(self) -> str:
        """`exceeds` if some definition needs more than the naive rule says, `adds` if none does, else `undecided`.

        Where nothing can be compared it is `undecided` or `unsupported`, if some answer is, else `vacuous`.
        """
        compared = [each for each in self.definitions if each.added_epsilon is not None or each.points]
        if not compared:
            answers = {word for each in self.definitions for word in (each.single.verdict, each.together.verdict)}
            return next((word for word in ("undecided", "unsupported") if word in answers), "vacuous")
        exceeding = [order for each in compared for order in (each.exceeds, *(point.exceeds for point in each.points))]
        return "exceeds" if any(exceeding) else "undecided" if None in exceeding else "adds"

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 0 where something was compared, whatever the result."""
        return EXIT_STATUS.get(self.verdict, 0)

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp compose --json`."""
        return {
            **header(self.model),
            "times": self.times,
            "verdict": self.verdict,
            "definitions": self.definitions,
            **({"without_theorem": self.without_theorem} if self.without_theorem else {}),
        }


@takes(
    definitions=arguments.several("definitions"),
    epsilons=arguments.optional(arguments.several("ε")),
    tick=arguments.optional(arguments.function),
)
def compose_runs(
    model: Model,
    times: int,
    *,
    definitions: Sequence[object] = DEFINITIONS,
    epsilons: Sequence[object] | None = None,
    tick: Callable[[int, int], object] | None = None,
) -> Composition:
    """The exact privacy curves of k independent runs of the model's mechanism, beside k·ε, k·δ and Theorem 6.

    `epsilons` are the ε of one run at which the curves are compared, by default 0 and where the curve of one run bends.

    >>> from verifier.model import build
    >>> bits = {"iid": {0: "1/2", 1: "1/2"}}
    >>> laws = {(0, 0): {"u": "1/2", "v": "1/2"}, (0, 1): {"u": "1/2", "v": "1/2"}, (1, 0): "u", (1, 1): "v"}
    >>> coin = build(size=2, values=[0, 1], distribution=bits, sensitive={"records": [0]}, mechanism=lambda d: laws[d])
    >>> (np,) = compose_runs(coin, 2, definitions=["np"]).definitions
    >>> str(np.single.tight_epsilon), str(np.added_epsilon), str(np.together.tight_epsilon), np.exceeds
    ('0', '0', 'inf', True)

    Raises:
        InputError: for a number of runs that is no integer from 2 to 64, an invalid ε, and a name that is no
            definition.
        LimitError: for runs that have too many outputs together, before they are listed.

    """
    need_model(model)
    if type(times) is not int or not 2 <= times <= MOST_TIMES:
        raise InputError(f"{times} is out of range", where="times", wanted=f"an integer from 2 to {MOST_TIMES}")
    keys = [find_for_all(definition).key for definition in definitions]
    asked = None if epsilons is None else [epsilon(text, "epsilons") for text in epsilons]
    together = runs_of(model, times)
    rules = _Rules(model, times)
    composed = []
    for number, key in enumerate(keys, start=1):
        composed.append(_composed(model, together, key, times, asked, rules))
        if tick:
            tick(number, len(keys))
    return Composition(model, times, tuple(composed), together, rules.without)


def runs_of(model: Model, times: int) -> Model:
    """The model whose mechanism shows the outputs of k independent runs, listed in the order of the outputs.

    Raises:
        LimitError: for runs that have too many outputs together.

    """
    laws = dict(_laws(model))
    cells = sum(comb(times + len(law.outcomes) - 1, times) for law in laws.values())
    _check_cells(cells, f"{times} runs have {cells:,} probabilities on {len(laws):,} databases")
    rows = {database: _of_runs(law, times) for database, law in laws.items()}
    mechanism = from_rows(f"table of {times} runs of {model.mechanism.title}", model.size, model.values, rows, None)
    return model.changed(mechanism=mechanism, expectations=(), path="")


def _check_cells(cells: int, fact: str) -> None:
    """Refuse too many probabilities, before they are computed."""
    if cells > MOST_CELLS:
        raise LimitError(fact, wanted=f"at most {MOST_CELLS:,}", tip="use fewer runs, records, values or outputs")


def _laws(model: Model) -> Iterator[tuple[Database, Law]]:
    """The law of one run on each database on which the mechanism has one."""
    size = len(Multisets(len(model.values), *model.sizes)) if model.sizes else len(model.values) ** min(model.size, 64)
    if size > MOST_DATABASES:
        raise LimitError(
            f"the model has more than {MOST_DATABASES:,} databases",
            wanted=f"at most {MOST_DATABASES:,}",
            tip="use fewer records or values",
        )
    databases = Multisets(len(model.values), *model.sizes) if model.sizes else model.mechanism.all_databases()
    for database in databases:
        try:
            yield database, model.mechanism.law(database)
        except UnsupportedError:
            continue


def _of_runs(law: Law, times: int) -> Law:
    """The law of the ordered list of k independent outputs: the multinomial law of their counts."""
    chances: dict[Label, Fraction] = {}
    weights = dict(law.items())
    for outputs in combinations_with_replacement(law.outcomes, times):
        counts = [outputs.count(output) for output in dict.fromkeys(outputs)]
        orders = factorial(times) // prod(map(factorial, counts))
        weight = orders * prod(weights[output] for output in outputs)
        chances[listed(outputs)] = Fraction(weight, law.denominator**times)
    return Law.from_fractions(chances)


@dataclass
class _Rules:
    """The terms that Theorem 6 of DMKB20 adds to k·ε and k·δ: Σ μⱼ at ν = 0, and Σ νⱼ at μ = 0; computed once."""

    model: Model
    times: int
    without: str = ""
    """The reason why the theorem is not asked; empty where it is."""

    @cached_property
    def added(self) -> tuple[Epsilon | None, Fraction | None]:
        """The sums Σ μⱼ and Σ νⱼ over the runs after the first, each None where a term is not known exactly."""
        try:
            return self._dependencies()
        except LimitError as error:
            self.without = f"Theorem 6 is not asked: {error}"
            return None, None

    def _dependencies(self) -> tuple[Epsilon | None, Fraction | None]:
        mu: Epsilon | None = ZERO
        nu: Fraction | None = Fraction(0)
        # Run j + 1 beside the list of the first j: its outputs are counted before any of them is listed.
        laws = dict(_laws(self.model)).values()
        last = sum(comb(self.times + len(law.outcomes) - 2, self.times - 1) * len(law.outcomes) for law in laws)
        _check_cells(last, f"the last run beside those before it has {last:,} probabilities")
        for runs in range(1, self.times):
            before = self.model.mechanism if runs == 1 else runs_of(self.model, runs).mechanism
            both = with_mechanism(self.model, compose(before, self.model.mechanism))
            answer = check(both, ON_REQUEST["dependency"], epsilon=ZERO)
            smallest, delta = answer.tight_epsilon, answer.tight_delta
            mu = sum_of(mu, smallest if isinstance(smallest, Epsilon) else None)
            nu = nu + delta.a if nu is not None and isinstance(delta, Delta) and not delta.b else None
        return mu, nu


def sum_of(first: Epsilon | None, second: Epsilon | None) -> Epsilon | None:
    """The sum of two ε of which one is 0 or infinite, or which are both rational or both r·ln(x); else None."""
    if first is None or second is None:
        return None
    if first.is_infinite or second.is_infinite:
        return first if first.is_infinite else second
    if ZERO in {first, second}:
        return second if first == ZERO else first
    if first.exp is not None and second.exp is not None:
        return log_epsilon(first.exp * second.exp)
    if first.kind == second.kind == "rational":
        return epsilon(first.coefficient + second.coefficient)
    if first.kind == second.kind == "log":
        summed = reals.log_sum((term.coefficient, term.argument) for term in (first, second))
        return summed if isinstance(summed, Epsilon) else None
    return None


def _composed(
    model: Model, together: Model, key: str, times: int, asked: Sequence[Epsilon] | None, rules: _Rules
) -> ComposedDefinition:
    single, joint = check(model, key), check(together, key)
    if {single.verdict, joint.verdict} & {"vacuous", "unsupported", "undecided"}:
        return ComposedDefinition(key, single, joint, None, None, None, ())
    smallest = single.tight_epsilon
    added = reals.times(smallest, Fraction(times)) if isinstance(smallest, Epsilon) else None
    mu, nu = rules.added if key in WITH_A_THEOREM else (None, None)
    theorem, printed = sum_of(added, mu), sum_of(added, sum_of(mu, mu))
    points = tuple(_points(single, joint, times, asked, nu))
    return ComposedDefinition(key, single, joint, added, theorem, printed, points)


def _points(
    single: Verdict, joint: Verdict, times: int, asked: Sequence[Epsilon] | None, nu: Fraction | None
) -> Iterator[CurvePoint]:
    for bound in _bends(single) if asked is None else asked:
        delta, added = single.delta_or_none(bound), reals.times(bound, Fraction(times))
        exact = joint.delta_or_none(added)
        if delta is None or exact is None:
            continue
        k_delta = _multiple(delta, times)
        plain = isinstance(k_delta, Delta) and not k_delta.b and nu is not None
        theorem = Delta.of(k_delta.a + nu, Fraction(0), added) if plain else None  # type: ignore[union-attr,operator]
        yield CurvePoint(bound, delta, added, k_delta, exact, theorem)


def _bends(single: Verdict) -> list[Epsilon]:
    """The ε at which curves are compared: 0, and where the curve of one run bends, every few if it bends often."""
    if not single.has_profile or not isinstance(single.profile, Profile):
        return [ZERO]
    bends = [ZERO, *(log_epsilon(e) for e in single.profile.breakpoints)]
    if len(bends) <= MOST_POINTS:
        return bends
    last = len(bends) - 1
    return [bends[k * last // (MOST_POINTS - 1)] for k in range(MOST_POINTS)]


def _multiple(delta: Delta | Enclosure, times: int) -> Delta | Enclosure:
    if isinstance(delta, Delta):
        return Delta.of(times * delta.a, times * delta.b, delta.epsilon)
    raise TypeError("the δ of a table is no enclosure")
