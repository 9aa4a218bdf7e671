"""Functions of several parameters from their values on a grid: which grid is enough, and the only quotient on it.

Let f = A/B with polynomials of degree at most dⱼ in the j-th parameter, B nowhere 0 on the grid, and let C/D be a
candidate with the same bounds whose values on a grid of 2·dⱼ + 1 values for each parameter are those of f, in that
C = f·D there. Then A·D - B·C has degree at most 2·dⱼ in each parameter and is 0 on the grid, so it is 0 (one parameter
after the other: a polynomial with more roots than its degree has only zeros as coefficients). So f = C/D: however the
candidate was found, agreement on the grid is a proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeVar

from verifier.errors import LimitError
from verifier.model.parameters import Family
from verifier.wings.families.degrees import factors_in
from verifier.wings.families.quotient import Names, Quotient, terms_of, value_of
from verifier.wings.families.ratio import guessed

MAX_GRID = 2500
"""Most models that are computed to find out how probabilities depend on the parameters."""
Result = TypeVar("Result")
Point = tuple[Fraction, ...]
Axes = tuple[tuple[Fraction, ...], ...]


def bounds_of(family: Family) -> tuple[int, ...]:
    """For each parameter a bound on its degree in every joint mass, as top and as bottom of a quotient.

    At most F entries that name the parameter are multiplied in one joint mass. Multiply all joint masses by Π D^e(D)
    over the distinct denominators D of entries, e(D) the smallest F of a parameter in D: then they are polynomials. An
    entry N/D adds deg N - deg D, and the multiplier at most F·w, w the sum of the degrees of all D: together at most
    F·max(w, max (deg N - deg D) + w). The quotient of two joint masses has the same bound.
    """
    names = family.names
    read = {one.text: (one, Quotient.read(one, names)) for _, one in family.expressions}
    found = []
    for k, name in enumerate(names):
        mine = [made for one, made in read.values() if name in one.names]
        bottoms = {made.bottom.__str__(): int(made.bottom.degrees()[k]) for made in mine}
        whole = sum(bottoms.values())
        tops = [max(int(made.top.degrees()[k]), 0) if made else 0 for made in mine]
        gains = [top - int(made.bottom.degrees()[k]) for top, made in zip(tops, mine, strict=True)]
        found.append((whole + max([0, *gains])) * factors_in(family, name))
    return tuple(found)


def axes_of(
    family: Family, degrees: Sequence[int], centre: Point, inside: Callable[[Point], bool], number: int = 0
) -> Axes:
    """A grid around a point, 2·dⱼ + 1 values for each parameter, all of it where no entry is 0 or 1.

    Raises:
        LimitError: where it is too large; refused before anything is computed.

    """
    count = prod(2 * degree + 1 for degree in degrees)
    if count > MAX_GRID:
        shown = ", ".join(f"{degree} in {name}" for name, degree in zip(family.names, degrees, strict=True))
        raise LimitError(
            f"the probabilities have degrees up to {shown}: {count:,} models would be computed",
            wanted=f"at most {MAX_GRID:,}",
            tip=f"fewer records, or fix a parameter: {family.names[-1]}=1/7",
        )
    radius = Fraction(1, 3 + number)
    while True:
        axes = tuple(
            tuple(at + radius * Fraction(2 * i - m, m + 2 + 3 * k + number) for i in range(m))
            for k, (at, m) in enumerate(zip(centre, (2 * degree + 1 for degree in degrees), strict=True))
        )
        if all(map(inside, product(*axes))):
            return axes
        radius /= 2


TRIES = 4


def tried(make: Callable[[int], Result]) -> Result | None:
    """What `make` finds with the first of some grids that does not meet special values by chance."""
    for number in range(TRIES):
        try:
            return make(number)
        except ArithmeticError:
            continue
    return None


def on_grid(names: Names, axes: Axes, values: Sequence[Fraction], degrees: Sequence[int]) -> Quotient:
    """The only quotient within the degrees that has these values, in the order of `itertools.product`.

    >>> axes = tuple(tuple(Fraction(k, 7 + j) for k in range(1, 6)) for j in (0, 1))
    >>> on_grid(("p", "q"), axes, [p * q / (p + q) for p, q in product(*axes)], (2, 2)).text()
    '(p*q)/(p + q)'

    Raises:
        ArithmeticError: where none is found.

    """
    found = _guess(names, axes, values)
    if found is None or any(mine > most for mine, most in zip(found.degrees, degrees, strict=True)):
        raise ArithmeticError(f"no quotient of degrees {tuple(degrees)} was found")
    return found


def _guess(names: Names, axes: Axes, values: Sequence[Fraction]) -> Quotient | None:
    """A quotient with these values, by the first parameters at each value of the last, then by the last."""
    if len(set(values)) == 1:
        return Quotient.of(names, values[0])
    if len(axes) == 1:
        one = guessed(axes[0], values)
        return None if one is None else Quotient.of_ratio(names, 0, one)
    *before, last = axes
    slices = [_guess(names[:-1], tuple(before), values[i :: len(last)]) for i in range(len(last))]
    kept = _alike([(at, one) for at, one in zip(last, slices, strict=True) if one is not None])
    top = _joined(names, [(at, terms_of(one.top)) for at, one in kept])
    bottom = _joined(names, [(at, terms_of(one.bottom)) for at, one in kept])
    if top is None or bottom is None:
        return None
    found = top / bottom
    return found if _agrees(found, axes, values) else None


def _alike(slices: Sequence[tuple[Fraction, Quotient]]) -> list[tuple[Fraction, Quotient]]:
    """The slices with the most frequent leading terms: at special values of the last parameter more cancels."""

    def shape(one: Quotient) -> tuple[object, ...]:
        return tuple(max(terms_of(part), default=None) for part in (one.top, one.bottom))

    counts = Counter(shape(one) for _, one in slices)
    return [pair for pair in slices if shape(pair[1]) == counts.most_common(1)[0][0]]


def _joined(names: Names, slices: Sequence[tuple[Fraction, Mapping[tuple[int, ...], Fraction]]]) -> Quotient | None:
    """Σ c(last)·monomial, with every coefficient as a function of the last parameter."""
    total = Quotient.of(names, 0)
    points = [at for at, _ in slices]
    for powers in sorted({powers for _, terms in slices for powers in terms}):
        values = [terms.get(powers, Fraction(0)) for _, terms in slices]
        one = guessed(points, values)
        if one is None:
            return None
        term = Quotient.of_ratio(names, len(names) - 1, one)
        for k, power in enumerate(powers):
            for _ in range(power):
                term = term * Quotient.parameter(names, k)
        total = total + term
    return total


def _agrees(found: Quotient, axes: Axes, values: Sequence[Fraction]) -> bool:
    def there(one: Any, at: Point) -> Fraction:
        return value_of(one, at)

    points = product(*axes)
    return all(there(found.top, at) == y * there(found.bottom, at) for at, y in zip(points, values, strict=True))
