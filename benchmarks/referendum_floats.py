"""The contestants of the referendum in floating point. They share the scoring of `referendum_problem.py`, too."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from importlib import import_module
from typing import Any, TypeAlias

from referendum_problem import EPSILON, Case, Weights, probabilities, score_floats, tree

Floating: TypeAlias = tuple[float, float, list[float]]
"""APKDP, PPKDP, and the δ of each class."""
Timed: TypeAlias = Callable[[], Floating]


def _numpy_law(weights: Weights) -> Any:
    import numpy as np

    return reduce(lambda law, p: np.convolve(law, [1 - p, p]), probabilities(weights), np.ones(1))


def convolved(case: Case) -> Timed:
    """Numpy: one voter after the other."""
    return lambda: score_floats(_numpy_law(case.known_count), _numpy_law(case.others), case.above)


def fourier(case: Case) -> Timed:
    """Scipy: a product tree of `fftconvolve`."""
    import numpy as np

    convolve = import_module("scipy.signal").fftconvolve

    def law(weights: Weights) -> Any:
        return tree([np.array([1 - p, p]) for p in probabilities(weights)] or [np.ones(1)], convolve)

    return lambda: score_floats(law(case.known_count), law(case.others), case.above)


def _scipy_law(case: Case, weights: Weights, *, log: bool = False) -> Any:
    import numpy as np

    stats, p, counts = import_module("scipy.stats"), probabilities(weights), np.arange(len(weights) + 1)
    if case.kind == "identical":
        found = stats.binom(len(p), p[0] if p else 0.5)
        return found.logpmf(counts) if log else found.pmf(counts)
    plain = stats.poisson_binom(p).pmf(counts) if p else np.ones(1)
    with np.errstate(divide="ignore"):
        return np.log(plain) if log else plain


def scipy(case: Case) -> Timed:
    """Scipy's own laws: `binom` where the voters are identical, else `poisson_binom`."""
    return lambda: score_floats(_scipy_law(case, case.known_count), _scipy_law(case, case.others), case.above)


def accounting(case: Case) -> Timed:
    """Google's dp-accounting: a privacy loss distribution per class, pessimistic, on a grid of 10⁻⁴; their mixture."""
    import numpy as np

    make = import_module("dp_accounting.pld.privacy_loss_distribution").from_two_probability_mass_functions

    def outputs(rest: Any, k: int) -> dict[int, float]:
        """Logarithms of the probabilities of the outputs, where k is added to the count; -1 is no answer."""
        told = max(0, case.above - k + 1)
        found = {k + j: float(x) for j, x in enumerate(rest) if j >= told}
        return {-1: float(np.logaddexp.reduce(rest[:told])), **found} if told else found

    def run() -> Floating:
        known, rest = _scipy_law(case, case.known_count), _scipy_law(case, case.others, log=True)
        each, mixture, mass = [], None, 0.0
        for k, weight in enumerate(known.tolist()):
            no, yes = outputs(rest, k), outputs(rest, k + 1)
            one = make(no, yes, value_discretization_interval=1e-4, symmetric=False)
            each.append(float(one.get_delta_for_epsilon(float(EPSILON))))
            mass += weight
            mixture = one.compute_mixture(mixture, weight / mass) if mixture and mass else mixture or one
        average = mixture.get_delta_for_epsilon(float(EPSILON)) if mixture else 0.0
        return max(each), float(average), each

    return run
