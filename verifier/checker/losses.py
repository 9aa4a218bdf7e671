"""The least loss of a statistic over all mechanisms that satisfy definitions: a mechanism has it, and none has less.

With weights w ≥ 0 on databases (those of the one θ, or any law for the largest loss over the databases) and multipliers
of the assumed comparisons, the rule of `multipliers` bounds Σ_d Σ_o -w(d)·loss(s(d), o)·M(d)(o) for every mechanism
with these outputs: no expected loss under w is below minus that, and neither is a largest loss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from .mechanisms import Database, Mechanism
from .models import Model
from .multipliers import HEAD, Document, assumed_of, bound, exact, guarded, has_keys, model_named, positive, satisfied
from .numbers import afford, number, require

MOST_OUTPUTS = 1 << 8
NAMED: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "zero-one": lambda s, o: Fraction(0 if s == o else 1),
    "absolute": lambda s, o: max(s - o, o - s),
    "squared": lambda s, o: (s - o) * (s - o),
}


@guarded("best")
def verify_best(document: Document, folder: Path) -> str:
    """Refuse a mechanism with another loss, or without what is assumed, and multipliers that do not prove the loss."""
    has_keys(document, "assuming", "of", "loss", "worst", "outputs", "optimum", "mechanism", "proof", head=HEAD)
    model, proof, optimum = model_named(document, folder), document["proof"], positive(document["optimum"])
    has_keys(proof, "assumed", "weights", "multipliers")
    outputs = [exact(o) for o in document["outputs"]]
    require(0 < len(set(outputs)) == len(outputs) <= MOST_OUTPUTS, "the outputs are not different numbers")
    said, held = satisfied(document, model)
    laws = _laws(model, document["mechanism"], outputs)
    losses = _losses(model, document, laws, outputs)
    weights = {model.database(d): positive(w) for d, w in proof["weights"]}
    require(len(weights) == len(proof["weights"]) and weights.keys() <= laws.keys(), "a weight is of no row, or twice")
    require(sum(weights.values()) == 1, "the weights of the databases do not add up to 1")
    expected = {d: sum((p * losses[d][o] for o, p in law.items()), Fraction(0)) for d, law in laws.items()}
    worst = document["worst"]
    require(isinstance(worst, bool), "worst is neither true nor false")
    if worst:
        terms = [t for listed, _, _ in held for c in listed.values() for t in c.terms]
        reached = {d for t in terms for side in (t.p, t.q) for d in dict(side)}  # type: ignore[arg-type]
        if model.raw.get("distribution"):
            reached |= {d for prior in model.priors().values() for d in prior}
        require(reached <= laws.keys(), "the mechanism has no row for a database that is compared or possible")
        attained = max(expected.values())
    else:
        priors = model.priors()
        require(len(priors) == 1, "the expected loss is that of one distribution")
        (prior,) = priors.values()
        require(
            {d: w for d, w in prior.items() if w} == {d: w for d, w in weights.items() if w}, "the weights are not θ"
        )
        attained = sum((w * expected[d] for d, w in weights.items()), Fraction(0))
    require(attained == optimum, f"the mechanism has the loss {attained}, and not {optimum}")
    assumed = assumed_of(proof["assumed"], held, model)
    afford(len(weights) * len(outputs), "the losses")
    gains = [
        ({d: -w * losses[d][o] for d, w in weights.items()}, [int(o == other) for other in outputs]) for o in outputs
    ]
    most = bound(gains, proof["multipliers"], assumed, len(outputs))
    require(-most == optimum, f"the multipliers prove a loss of at least {-most}, and not {optimum}")
    satisfying = f" that satisfy {' and '.join(said)}" if said else ""
    return f"the least {'worst-case' if worst else 'expected'} loss is {optimum}, of all mechanisms{satisfying}"


def _laws(model: Model, spec: Any, outputs: list[Fraction]) -> dict[Database, dict[Fraction, Fraction]]:
    """The law of each database of the table, by outputs as numbers."""
    mechanism = Mechanism(spec, model.home)
    laws = {}
    for row in spec["rows"]:
        law = mechanism.law(model.database(row["database"]))
        total = sum(law.counts.values())
        laws[model.database(row["database"])] = {number(o): Fraction(n, total) for o, n in law.counts.items() if n}
    require(all(law.keys() <= set(outputs) for law in laws.values()), "the mechanism has an output that is not listed")
    return laws


def _losses(
    model: Model, document: Document, databases: Mapping[Database, Any], outputs: list[Fraction]
) -> dict[Database, dict[Fraction, Fraction]]:
    """The loss of each output on each database: by name, or by the table, of the statistic, which is a mechanism."""
    statistic, loss = Mechanism(document["of"], model.home), document["loss"]
    values = {}
    for d in databases:
        (value,) = (number(s) for s, n in statistic.law(d).counts.items() if n)
        values[d] = value
    if isinstance(loss, str):
        named = NAMED[loss]
        require(loss == "squared" or {*values.values()} <= {*outputs}, "a value of the statistic is no output")
        return {d: {o: named(s, o) for o in outputs} for d, s in values.items()}
    table = {exact(s): {exact(o): positive(x) for o, x in row} for s, row in loss}
    return {d: {o: table[s][o] for o in outputs} for d, s in values.items()}
