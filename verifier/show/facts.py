"""A model in a few lines: its facts, and its distributions with their probabilities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from verifier.model import Exchangeable, Independent, Mixture, Model, Network, World, Zeta, database_text
from verifier.model.shapes import Shape
from verifier.numbers import NO_VALUE, exact_text

MOST = 12
"""Most worlds, laws of records or rows of a network that are listed."""


def _known(zeta: Zeta) -> str:
    """Return the knowledge of one attacker in words."""
    single = re.fullmatch(r"records (\d+)", zeta.title)
    return f"record {single[1]}" if single else zeta.title


def model_facts(model: Model) -> list[tuple[str, str]]:
    """Return the records, mechanism, knowledge, protected secrets and source of a model as pairs of name and text."""
    known = (
        "; ".join(f"{zeta.name}: {_known(zeta)}" if zeta.name else _known(zeta) for zeta in model.zetas) or "nothing"
    )
    number = f"{model.sizes[0]} to {model.size}" if model.sizes else model.size
    secrets = model.secrets if len(model.secrets) <= 6 else [*model.secrets[:2], model.secrets[-1]]
    records = [f"D({secret.record})" for secret in secrets if secret.record is not None]
    protects = ", ".join([*records[:-1], "…", records[-1]] if len(model.secrets) > 6 else records)
    protects = protects or ("whether a tuple is there" if model.sizes else "S, a function of the world")
    if model.restriction:
        protects += f"; verdicts about it are {model.restriction.text}"
    mechanism = model.mechanism.title.replace("mechanism table", "a table of databases, in the model file")
    return [
        ("records", f"{number}, each in {{{', '.join(v.text for v in model.values)}}}"),
        ("mechanism", mechanism),
        ("the attacker knows", known),
        ("protected", protects),
        ("source", model.source or NO_VALUE),
    ]


def distribution_lines(model: Model) -> list[tuple[str, str]]:
    """Return each θ with its probabilities as text: up to 12 worlds, or the laws of the records.

    >>> from verifier.model import build
    >>> pair = build(size=2, values=[0, 1], mechanism={"kind": "sum"}, distribution={"iid": {0: "2/3", 1: "1/3"}})
    >>> distribution_lines(pair)
    [('distribution "#1"', 'each record ~ {0: 2/3, 1: 1/3}')]
    """
    return [(f'distribution "{theta.name}"', "\n".join(_shape(model, theta.shape))) for theta in model.thetas]


def _shape(model: Model, shape: Shape) -> list[str]:
    if isinstance(shape, Independent):
        return _records(model, shape)
    if isinstance(shape, Mixture):
        components = zip(shape.names, shape.weights, shape.components, strict=True)
        return _first(
            f"{name} ({exact_text(Fraction(weight, shape.total))}): {line}"
            for name, weight, component in components
            for line in _shape(model, component)
        )
    if isinstance(shape, Network) and shape.count() > MOST:
        return _first(
            f"D({node.record}){_condition(model, node.parents, when)} ~ {_law(model, law)}"
            for node in shape.nodes
            for when, law in node.laws.items()
        )
    if isinstance(shape, Exchangeable) and shape.count() > MOST:
        return _first(
            f"{_histogram(model, histogram)}: {exact_text(Fraction(weight, shape.total), 40)}, all orders alike"
            for histogram, weight in shape.histograms
        )
    return _first((_world(model, world, shape.denominator) for world in shape.worlds()), shape.count())


def _records(model: Model, shape: Independent) -> list[str]:
    if len(set(shape.laws)) == 1:
        subject = "each record" if len(shape.laws) > 1 else "D(0)"
        return [f"{subject} ~ {_law(model, shape.laws[0])}"]
    return _first((f"D({i}) ~ {_law(model, law)}" for i, law in enumerate(shape.laws)), len(shape.laws))


def _first(lines: Iterable[str], number: int | None = None) -> list[str]:
    """Return the first twelve lines, and a line that says how many there are in all, where there are more."""
    first_lines: list[str] = []
    for line in lines:
        if len(first_lines) == MOST:
            return [*first_lines, "…" if number is None else f"… ({number:,} in all)"]
        first_lines.append(line)
    return first_lines


def _law(model: Model, law: tuple[tuple[int, ...], int]) -> str:
    weights, denominator = law
    probable = [(v, w) for v, w in zip(model.values, weights, strict=True) if w]
    entries = [f"{v}: {exact_text(Fraction(w, denominator), 40)}" for v, w in probable[:MOST]]
    return "{" + ", ".join(entries) + (", …}" if len(probable) > MOST else "}")


def _condition(model: Model, parents: tuple[int, ...], when: tuple[int, ...]) -> str:
    conditions = [f"D({record}) = {model.values[v]}" for record, v in zip(parents, when, strict=True)]
    return " given " + ", ".join(conditions) if conditions else ""


def _histogram(model: Model, histogram: Sequence[int]) -> str:
    return ", ".join(f"{number} × {value}" for value, number in zip(model.values, histogram, strict=True) if number)


def _world(model: Model, world: World, denominator: int) -> str:
    return f"{named_world(model, world)}: {exact_text(Fraction(world.weight, denominator), 40)}"


def named_world(model: Model, world: World) -> str:
    """Return the database of a world, with its B and S where it has them, as text."""
    columns = [("B", world.knowledge), ("S", world.sensitive)]
    extra = "".join(f", {name} = {value}" for name, value in columns if value is not None)
    return f"{database_text(world.database, model.values)}{extra}"
