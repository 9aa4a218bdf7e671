"""Words for the smallest ε, and a small model as one table."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verifier.definitions import Verdict
from verifier.model import Database, Model
from verifier.numbers import Enclosure, Epsilon, exact_text
from verifier.wings.course.displays import grid
from verifier.wings.course.shown import Shown


def least(answer: Verdict) -> str:
    """The least ε of an answer in words: a number, "none is enough", or "nothing is compared".

    >>> import verifier as pk
    >>> coin = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    >>> least(pk.check(coin, "np"))
    'none is enough'
    """
    if answer.verdict == "vacuous":
        return "nothing is compared"
    found = answer.tight_epsilon
    if found is None:
        return answer.verdict
    if str(found) == "inf":
        return "none is enough"
    return both_epsilon(found)


def both_epsilon(found: Epsilon | Enclosure) -> str:
    """An ε with its decimal to four digits, where it is not a whole number.

    >>> from verifier.numbers import epsilon
    >>> both_epsilon(epsilon("ln(3)")), both_epsilon(epsilon(0))
    ('ln(3) ≈ 1.099', '0')
    """
    if isinstance(found, Enclosure):
        return found.text()
    exact = found.text(40)
    decimal = found.decimal(4)
    return exact if exact == decimal else f"{exact} ≈ {decimal}"


def model_table(model: Model, title: str = "") -> Shown:
    """A small model as one table: each database, how it is drawn (and with what knowledge), and what is published.

    >>> import verifier as pk
    >>> model_table(pk.search(satisfies="np(0)", violates="cdp").model)
    database | drawn with probability | published
    0, 0 | 1/2 (0.5) | u
    0, 1 | never drawn | u
    1, 0 | never drawn | v
    1, 1 | 1/2 (0.5) | u
    """
    theta = model.thetas[0].shape
    drawn: dict[Database, list[tuple[str, Fraction]]] = {}
    for world in theta.worlds():
        known = "" if world.knowledge is None else str(world.knowledge)
        drawn.setdefault(world.database, []).append((known, Fraction(world.weight, theta.denominator)))
    named = any(known for found in drawn.values() for known, _ in found)
    rows = []
    for database in product(range(len(model.values)), repeat=model.size):
        law = model.mechanism.law(database)
        parts = [(str(o), Fraction(w, law.denominator)) for o, w in law.items() if w]
        said = parts[0][0] if len(parts) == 1 else ", ".join(f"{o}: {exact_text(p)}" for o, p in parts)
        for known, p in drawn.get(database, [("", Fraction(0))]):
            shown = ", ".join(str(model.values[value]) for value in database)
            rows.append([shown, *([known] if named else []), p or "never drawn", said])
    head = ["database", *(["known"] if named else []), "drawn with probability", "published"]
    return grid(head, rows, title=title)
