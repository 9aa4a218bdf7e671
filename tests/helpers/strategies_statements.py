"""Random statements, and random small models as integers."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from verifier.numbers import epsilon
from verifier.questions.having import PROPERTIES
from verifier.questions.statement import And, Has, Holds, Not, Or, Scaled, Statement
from verifier.wings.search.candidate import Candidate

DEFINITIONS = ("dp", "np", "apkdp", "ppkdp", "cdp", "ibcdp", "tail-dp", "tail-apkdp", "tail-ppkdp", "tail-cdp")
EPSILONS = ("0", "ln(2)", "ln(3)", "ln(5/2)", "inf", "1/2*ln(3)", "1/10")
DELTAS = tuple(map(Fraction, ("0", "0", "1/4", "1/3", "1/2", "1")))
FACTORS = tuple(map(Fraction, ("1", "1", "2", "1/2", "3")))


@st.composite
def candidates(
    draw: st.DrawFn, records: int = 2, values: int = 3, outputs: int = 3, knowledge: int = 2, most: int = 3
) -> Candidate:
    """Weights from 0 to `most`, many of them 0."""
    n, t = draw(st.integers(1, records)), draw(st.integers(2, values))
    if n > 1:
        t = min(t, 2) if draw(st.booleans()) else t
    o, b = draw(st.integers(1, outputs)), draw(st.integers(1, knowledge))
    weight = st.sampled_from([0, 0, *range(1, most + 1)])
    law = draw(st.lists(weight, min_size=t**n * b, max_size=t**n * b).filter(any))
    total = draw(st.sampled_from([1, 2, 3, 4]))
    rows = []
    for _ in range(t**n):
        cuts = sorted(draw(st.lists(st.integers(0, total), min_size=o - 1, max_size=o - 1)))
        rows.append(tuple(y - x for x, y in zip([0, *cuts], [*cuts, total], strict=True)))
    return Candidate(n, t, o, b, sum(law), total, tuple(law), tuple(rows), draw(st.booleans()))


@st.composite
def asked(draw: st.DrawFn, *, variables: bool = True, transforms: bool = True) -> Holds:
    """One definition at constants, or at the variables e (an ε) and d (a δ)."""
    eps = draw(st.sampled_from([None, *map(epsilon, EPSILONS)]))
    delta = draw(st.sampled_from(DELTAS))
    if variables and draw(st.booleans()):
        eps = Scaled("e", draw(st.sampled_from(FACTORS)))  # type: ignore[assignment]
        if draw(st.booleans()):
            delta = Scaled("d", draw(st.sampled_from(FACTORS)), draw(st.sampled_from([Fraction(0), Fraction(1, 10)])))  # type: ignore[assignment]
    on = draw(st.sampled_from(["", "", "", "post", "twice"])) if transforms else ""
    return Holds(draw(st.sampled_from(DEFINITIONS)), eps, delta, "default", on)


def statements(*, variables: bool = True, transforms: bool = True, depth: int = 4) -> st.SearchStrategy[Statement]:
    """Trees of a few atoms."""
    atoms: st.SearchStrategy[Statement] = st.one_of(
        asked(variables=variables, transforms=transforms), st.sampled_from(sorted(PROPERTIES)).map(Has)
    )
    return st.recursive(
        atoms,
        lambda inside: st.one_of(
            inside.map(Not),
            st.lists(inside, min_size=2, max_size=3).map(lambda parts: And(tuple(parts))),
            st.lists(inside, min_size=2, max_size=3).map(lambda parts: Or(tuple(parts))),
            st.tuples(inside, inside).map(lambda pair: pair[0].implies(pair[1])),
            st.tuples(inside, inside).map(lambda pair: pair[0].iff(pair[1])),
        ),
        max_leaves=depth,
    )
