"""Words for the smallest ε, and a small model as one table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verifier.definitions import Verdict
from verifier.model import Database, Model, database_text
from verifier.numbers import exact_text
from verifier.wings.course.displays import grid
from verifier.wings.course.fragment import Fragment, said


def least(answer: Verdict) -> str:
    """Say the smallest ε of an answer in words: a number, "none is enough", or "nothing is compared".

    >>> import verifier as pk
    >>> coin = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    >>> least(pk.check(coin, "np"))
    'none is enough'
    """
    if answer.verdict == "vacuous":
        return "nothing is compared"
    epsilon = answer.tight_epsilon
    if epsilon is None:
        return answer.verdict
    if str(epsilon) == "inf":
        return "none is enough"
    return said(epsilon)


def model_table(model: Model, title: str = "") -> Fragment:
    """Show a small model as one table: each database, how it is drawn (and with what knowledge), and its output.

    >>> import verifier as pk
    >>> model_table(pk.search(satisfies="np(0)", violates="cdp").model)
    database | drawn with probability | published
    [0, 0] | 1/2 (0.5) | u
    [0, 1] | never drawn | u
    [1, 0] | never drawn | v
    [1, 1] | 1/2 (0.5) | u
    """
    theta = model.thetas[0].shape
    cases_of: dict[Database, list[tuple[str, Fraction]]] = {}
    for world in theta.worlds():
        knowledge = "" if world.knowledge is None else str(world.knowledge)
        cases_of.setdefault(world.database, []).append((knowledge, Fraction(world.weight, theta.denominator)))
    has_knowledge = any(knowledge for cases in cases_of.values() for knowledge, _ in cases)
    rows = []
    for database in product(range(len(model.values)), repeat=model.size):
        law = model.mechanism.law(database)
        outputs = [(str(o), Fraction(w, law.denominator)) for o, w in law.items() if w]
        said = outputs[0][0] if len(outputs) == 1 else ", ".join(f"{o}: {exact_text(p)}" for o, p in outputs)
        for knowledge, p in cases_of.get(database, [("", Fraction(0))]):
            rows.append(
                [
                    database_text(database, model.values),
                    *([knowledge] if has_knowledge else []),
                    p or "never drawn",
                    said,
                ]
            )
    columns = ["database", *(["known"] if has_knowledge else []), "drawn with probability", "published"]
    return grid(columns, rows, title=title)
