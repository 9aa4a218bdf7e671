"""Group privacy: databases that differ in two records must not be distinguishable."""

from functools import partial
from itertools import combinations, product

from verifier.definitions import Comparison, ComparisonSet, Definition, Term, law_pair


def two_records(engine, reading):
    """M(D) against M(D') for all databases of Tⁿ that differ in exactly the records i and j."""
    model, values = engine.model, range(len(engine.model.values))
    for i, j in combinations(range(model.size), 2):
        comparisons = []
        for first in product(values, repeat=model.size):
            for a, b in product(values, repeat=2):
                if first[i] != a and first[j] != b:
                    second = tuple(a if k == i else b if k == j else v for k, v in enumerate(first))
                    pair = law_pair(model.mechanism.law(first), model.mechanism.law(second))
                    names = model.values[first[i]], model.values[a]
                    databases = partial(tuple, (first, second))
                    comparisons.append(Comparison(None, i, *names, (Term(1, pair),), databases=databases))
        yield ComparisonSet(None, i, tuple(comparisons))


group = Definition(
    key="group-dp",
    title="differential privacy for groups of two",
    source="docs/own-definitions.md",
    formula="M(D) ≈(ε,δ) M(D') for all D, D' ∈ Tⁿ that differ in two records",
    kind="neighbours",
    compare=two_records,
    vacuous="there is one record, or one value",
)
