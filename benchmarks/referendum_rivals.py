"""The contestants of the referendum: each answers the same question, in its own way.

A contestant is a function that takes a case and returns what is timed. All exact rivals are told by their user to add
up the known voters and the others apart, and share the scoring of `referendum_problem.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from importlib import import_module
from math import comb
from typing import Any, TypeAlias

from referendum_floats import Floating, accounting, convolved, fourier, scipy
from referendum_problem import (
    EPSILON,
    Answer,
    Case,
    Line,
    Number,
    Weights,
    classes,
    decimal_text,
    line,
    score,
    tree,
    worse,
)

Timed: TypeAlias = Callable[[], Answer | Floating | None]
DEFINITIONS = ("apkdp", "ppkdp")


@dataclass(frozen=True)
class Contestant:
    """How to answer, the largest n that is tried, and for which probabilities it can be stated."""

    label: str
    prepare: Callable[[Case], Timed]
    imports: tuple[str, ...] = ()
    exact: bool = True
    most: int = 1000
    kinds: tuple[str, ...] = ("rising", "identical")


def _poly(weights: Weights) -> Any:
    fmpz_poly = import_module("flint").fmpz_poly
    return tree([fmpz_poly(list(pair)) for pair in weights] or [fmpz_poly([1])], lambda a, b: a * b)


def _no_answer(whole: Callable[[], Any], case: Case) -> Timed:
    """What is multiplied, checked at 1 before."""
    if int(whole()(1)) != reduce(lambda x, y: x * y, (sum(pair) for pair in case.weights)):
        raise ArithmeticError("the product is not a law")

    def run() -> None:
        whole()

    return run


def limit(case: Case) -> Timed:
    """The product of the n linear factors, as a tree; nothing else."""
    return _no_answer(lambda: _poly(case.weights), case)


def power(case: Case) -> Timed:
    """The same where all factors are equal."""
    fmpz_poly = import_module("flint").fmpz_poly
    return _no_answer(lambda: fmpz_poly(list(case.weights[0])) ** case.n, case)


def _flint_laws(case: Case) -> tuple[list[int], list[int]]:
    known, rest = ([int(c) for c in _poly(part).coeffs()] for part in (case.known_count, case.others))
    return known, rest


def flint(case: Case) -> Timed:
    """Two product trees, and the scoring."""
    return lambda: score(*_flint_laws(case), case.above)


def exact_classes(case: Case) -> list[str]:
    """The δ of each class, the worse order, as a decimal of 17 digits."""
    known, rest = _flint_laws(case)
    total = sum(rest)
    each = classes(rest, len(known) - 1, case.above)
    return [decimal_text(line(worse(yes, no), total), 17) for yes, no in each]


def _parts(case: Case) -> dict[str, Any]:
    """The keys of the model, before it is built."""
    laws = [{0: Fraction(zero, zero + one), 1: Fraction(one, zero + one)} for zero, one in case.weights]
    keys: dict[str, Any] = {
        "size": case.n,
        "values": [0, 1],
        "distribution": {"iid": laws[0]} if case.kind == "identical" else {"independent": laws},
        "sensitive": {"records": [case.n - 1]},
        "mechanism": {"kind": "threshold-count", "value": 1, "above": case.above},
    }
    return {**keys, "knowledge": {"records": list(range(case.known))}} if case.known else keys


def _delta(answer: Any) -> Line:
    return answer.tight_delta.a, answer.tight_delta.b


def ours(case: Case, *, building: bool = False, replay: bool = False, profiles: bool = False) -> Timed:
    """The project: both definitions, with one fresh engine."""
    import verifier
    from verifier.engine import Engine

    keys = _parts(case)
    ready = verifier.build(**keys)

    def run() -> Answer:
        model = verifier.build(**keys) if building else ready
        engine, found = Engine(model, force="sum"), []
        for name in DEFINITIONS:
            answer = verifier.check(model, name, epsilon=EPSILON, engine=engine, replay=replay)
            if profiles and answer.profile.delta(EPSILON) != answer.tight_delta:
                raise ArithmeticError("the profile has another δ")
            found.append(_delta(answer))
        return found[0], found[1]

    return run


def was_replayed(case: Case) -> str:
    """What the answers say about their replay."""
    import verifier
    from verifier.engine import Engine

    model = verifier.build(**_parts(case))
    engine = Engine(model, force="sum")
    said = [verifier.check(model, name, epsilon=EPSILON, engine=engine).replayed for name in DEFINITIONS]
    return "the answers say replayed = " + " and ".join(str(x) for x in said)


def integers(case: Case) -> Timed:
    """Python integers, one voter after the other."""

    def law(weights: Weights) -> list[int]:
        found = [1]
        for zero, one in weights:
            found = [zero * x + one * y for x, y in zip([*found, 0], [0, *found], strict=True)]
        return found

    return lambda: score(law(case.known_count), law(case.others), case.above)


def binomial(case: Case) -> Timed:
    """Python integers, the closed form of identical voters."""

    def law(weights: Weights) -> list[int]:
        zero, one = case.weights[0]
        return [comb(len(weights), k) * one**k * zero ** (len(weights) - k) for k in range(len(weights) + 1)]

    return lambda: score(law(case.known_count), law(case.others), case.above)


def fractions(case: Case) -> Timed:
    """fractions.Fraction, one voter after the other."""

    def law(weights: Weights) -> list[Fraction]:
        found = [Fraction(1)]
        for zero, one in weights:
            p, after = Fraction(one, zero + one), [Fraction(0)] * (len(found) + 1)
            for k, x in enumerate(found):
                after[k] += (1 - p) * x
                after[k + 1] += p * x
            found = after
        return found

    return lambda: score(law(case.known_count), law(case.others), case.above)


def lea(case: Case) -> Timed:
    """Lea, exact: sums of distributions; `times` where the voters are identical."""
    module = import_module("lea")
    module.set_prob_type("r")

    def law(weights: Weights) -> list[Number]:
        voters = [module.pmf({0: Fraction(zero, zero + one), 1: Fraction(one, zero + one)}) for zero, one in weights]
        if case.kind == "identical" and voters:
            total = voters[0].times(len(voters))
        else:
            total = reduce(lambda a, b: (a + b).get_alea(), voters, module.pmf({0: Fraction(1)}))
        found = total.pmf_dict()
        return [found.get(k, Fraction(0)) for k in range(len(weights) + 1)]

    return lambda: score(law(case.known_count), law(case.others), case.above)


def icepool(case: Case) -> Timed:
    """Icepool, exact integers: sums of dice; `n @ die` where the voters are identical."""
    module = import_module("icepool")

    def law(weights: Weights) -> list[Number]:
        voters = [module.Die({0: zero, 1: one}) for zero, one in weights]
        if case.kind == "identical" and voters:
            total = len(voters) @ voters[0]
        else:
            total = reduce(lambda a, b: a + b, voters, module.Die([0]))
        return [total.quantity(k) for k in range(len(weights) + 1)]

    return lambda: score(law(case.known_count), law(case.others), case.above)


def _ours(**how: bool) -> Callable[[Case], Timed]:
    return lambda case: ours(case, **how)


OURS, SCIPY = ("verifier", "verifier.definitions", "flint"), ("scipy.stats",)
LABEL = "this project: `check` twice"
CONTESTANTS = {
    "limit": Contestant("THE LIMIT: one product tree of n factors, python-flint", limit, ("flint",), most=10**4),
    "power": Contestant("the same as one power, for identical voters", power, ("flint",), kinds=("identical",)),
    "ours": Contestant(LABEL, _ours(), OURS, most=10**4),
    "ours-build": Contestant("this project: `build`, `check` twice", _ours(building=True), OURS, most=10**4),
    "ours-replay": Contestant(f"{LABEL}, with the re-check", _ours(replay=True), OURS, most=10**4),
    "ours-profile": Contestant(f"{LABEL}, and both whole profiles", _ours(profiles=True), OURS, most=10**4),
    "flint": Contestant("python-flint by hand: two product trees", flint, ("flint",), most=10**4),
    "integers": Contestant("Python integers, voter by voter", integers),
    "binomial": Contestant("Python integers, `math.comb`", binomial, kinds=("identical",)),
    "fractions": Contestant("fractions.Fraction, voter by voter", fractions),
    "icepool": Contestant("icepool, sums by hand", icepool, ("icepool",)),
    "lea": Contestant("lea, sums by hand", lea, ("lea",)),
    "numpy": Contestant("numpy `convolve`, voter by voter", convolved, ("numpy",), exact=False, most=10**4),
    "scipy": Contestant("scipy `binom` or `poisson_binom`", scipy, SCIPY, exact=False, most=10**4),
    "fft": Contestant("scipy `fftconvolve`, a tree", fourier, ("scipy.signal",), exact=False, most=10**4),
    "accounting": Contestant(
        "Google dp-accounting, pessimistic, grid 10⁻⁴",
        accounting,
        ("scipy.stats", "dp_accounting.pld.privacy_loss_distribution"),
        exact=False,
        most=10**4,
    ),
}
