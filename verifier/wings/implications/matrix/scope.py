"""The scope of the matrix: bundled models, and small models with θ and [policy] that are drawn with a seed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from random import Random
from typing import Any

from verifier.errors import PkdpError
from verifier.model import Model, read
from verifier.model.library import models_folder
from verifier.model.write import inline
from verifier.wings.implications.matrix.facts import FOLDER

OUTPUTS = ("y", "n", "z")
WITH_GAPS = ("gaps", "sampled")
"""Kinds of models in which a record may be missing."""
OF_SIZES = ("multisets", "ranges")
"""Kinds of models whose databases have several sizes, from 0 on, or from a size that is drawn."""


@dataclass(frozen=True)
class DrawnFamily:
    """A family of `number` drawn models of one kind, with the sizes and numbers of values to draw from."""

    name: str
    kind: str
    sizes: tuple[int, ...]
    values: tuple[int, ...]
    number: int


@cache
def scope() -> dict[str, Any]:
    """The tables of `scope.toml`."""
    return tomllib.loads((FOLDER / "scope.toml").read_text(encoding="utf-8"))


def families() -> tuple[DrawnFamily, ...]:
    """The families of the scope."""
    listed = scope()["family"]
    return tuple(
        DrawnFamily(**{**given, "sizes": tuple(given["sizes"]), "values": tuple(given["values"])}) for given in listed
    )


def drawn(family: DrawnFamily, number: int) -> str:
    """The text of the model file of a family's drawn model with this number, always the same.

    >>> drawn(families()[0], 0) == drawn(families()[0], 0)
    True
    """
    return _Drawing(Random(f"{family.name}-{number}"), family, f"{family.name}-{number}").text()  # noqa: S311


def bundled() -> Iterator[tuple[str, Model]]:
    """The bundled models in the scope, by their names, in order."""
    root = models_folder()
    for path in sorted(root.rglob("*.toml")):
        try:
            model = read(path)
        except PkdpError:  # a family, or a file that is refused on purpose
            continue
        if fits(model):
            yield path.relative_to(root).as_posix().removesuffix(".toml"), model


def fits(model: Model) -> bool:
    """Whether a model protects every record, and is within the scope's size."""
    most = int(scope()["most"])
    if model.restriction or (model.sizes is None and not model.protects_records):
        return False
    size = model.sizes[1] if model.sizes is not None else model.size
    small = size <= int(scope()["records"]) and len(model.values) ** size <= most
    return small and sum(theta.count() for theta in model.thetas) <= most


def every_drawn() -> Iterator[tuple[str, str]]:
    """The texts of the drawn models by their names, in order."""
    for family in families():
        for number in range(family.number):
            yield f"{family.name}-{number}", drawn(family, number)


class _Drawing:
    """The drawing of one model from a source of random numbers."""

    def __init__(self, random: Random, family: DrawnFamily, title: str) -> None:
        self.random, self.kind, self.title = random, family.kind, title
        self.size = random.choice(family.sizes)
        self.fewest = random.randint(1, self.size) if self.kind == "ranges" else 0
        number = 2 if self.size == 3 else random.choice(family.values)
        self.values = ["0", "1", "2"][:number]
        self.present = self.values[:2] if self.kind in WITH_GAPS else self.values
        self.databases: list[tuple[str, ...]] = (
            [d for n in range(self.fewest, self.size + 1) for d in combinations_with_replacement(self.values, n)]
            if self.kind in OF_SIZES
            else list(product(self.values, repeat=self.size))
        )

    def law(self, labels: tuple[str, ...], *, impossible: int) -> dict[str, str]:
        """A law with small weights; about one label in `impossible` has probability 0."""
        weights = [0]
        while not any(weights):
            weights = [0 if self.random.randrange(impossible) == 0 else self.random.randint(1, 4) for _ in labels]
        return {label: str(Fraction(w, sum(weights))) for label, w in zip(labels, weights, strict=True) if w}

    def some(self, rows: list[Any], least: int = 1) -> list[Any]:
        """Some of the rows, in order."""
        return sorted(self.random.sample(rows, self.random.randint(min(least, len(rows)), len(rows))))

    def mechanism(self) -> list[str]:
        """The rows of a mechanism's table, with a law drawn for each value of a statistic of the database."""
        random, impossible = self.random, self.random.choice((2, 3, 8, 1000))
        labels = OUTPUTS[: random.choice((2, 3))]
        record = random.randrange(self.size)
        statistics: list[Any] = [
            lambda d: d,
            lambda d: d,
            lambda d: sum(map(int, d)) % 2,
            lambda d: sum(map(int, d)),
            lambda d: d[record : record + 1],
            lambda d: len(set(d)) > 1,
            lambda d: (len(set(d[:2])), d[2:]),
        ]
        statistic = random.choice(statistics)
        laws: dict[Any, dict[str, str]] = {}
        for database in self.databases:
            laws.setdefault(statistic(database), self.law(labels, impossible=impossible))
        return [f" {{ database = {json.dumps(d)}, outputs = {inline(laws[statistic(d)])} }}," for d in self.databases]

    def distributions(self) -> list[str]:
        """The lines of two θ, each a drawn table, copies of one record, or iid records; and of what is known."""
        lines = []
        for name in ("up", "down"):
            lines += ["[[distribution]]", f'name = "{name}"']
            shape = self.random.choice(("table", "table", "iid", "copies"))
            if shape == "iid":
                lines.append(f"iid = {inline(self.law(tuple(self.values), impossible=6))}")
                continue
            rows = [(v,) * self.size for v in self.values] if shape == "copies" else self.databases
            law = self.law(tuple(map(json.dumps, rows)), impossible=4)
            lines += ["table = [", *(f' {{ database = {d}, probability = "{p}" }},' for d, p in law.items()), "]"]
        if self.size > 1:
            lines += self.random.choice(
                ([], ["[knowledge]", "records = [0]"], ["[knowledge]", 'kind = "count"', "value = 1"])
            )
        return lines

    def level(self) -> str:
        """A multiple of ε."""
        return self.random.choice(("1", "2", "1/2", "3/2", "inf", "0"))

    def pairs(self, number: int) -> list[list[tuple[str, ...]]]:
        """Pairs of different databases."""
        every = [[d, e] for d, e in combinations(self.databases, 2)]
        return self.random.sample(every, min(number, len(every)))

    def curve(self) -> list[list[str]]:
        """A convex trade-off curve with three vertices."""
        x = Fraction(self.random.randint(1, 3), 4)
        y = (1 - x) * Fraction(self.random.randint(0, 4), 4)
        start = min(Fraction(1), y + x * max(y / (1 - x), Fraction(1)))
        return [["0", str(start)], [str(x), str(y)], ["1", "0"]]

    def policy(self) -> dict[str, Any]:
        """The fields of [policy] that the kind of model can have; fields that may be left out are there at random."""
        random, records = self.random, list(range(self.size))
        fields: dict[str, Any] = {
            "sensitive": self.some(self.values),
            "graph": random.choice(([["0", "1"]], [[a, b] for a, b in combinations(self.values, 2)])),
            "attributes": {v: [random.choice("xy"), random.choice("uv")] for v in self.values},
            "bits": {v: random.choice(("00", "01", "10", "11")) for v in self.values},
            "fixed": random.choice(self.databases),
            "pairs": self.pairs(3),
            "group": random.choice((1, 2)),
            "scale": [[["0", "1"], self.level()]],
            "tailored": [[d[0], d, self.level()] for d in self.some(self.databases) if d][:5],
            "distance": "hamming" if random.random() < 1 / 2 else self.distances(),
            "at-most": random.choice(("1/2", "1", "2")),
            "statistic": [[d, str(Fraction(random.randint(0, 6), 2))] for d in self.databases],
            "order": random.choice((2, 3)),
            "divergence": random.choice(("chi-squared", "total-variation", "abs-1", "abs-3", "kl", "renyi-2")),
            "tests": [{o: str(Fraction(random.randint(-2, 3), 2)) for o in OUTPUTS}],
            "tradeoff": self.curve(),
            "error": random.choice(("0", "1/10", "1/3")),
            "predicate": [["1", "-2", str(Fraction(random.randint(0, 4), 8))]],
            "xi": random.choice(("0", "0", "1/10", "2")),
            "omega": random.choice(("3/2", "2", "3")),
            "mu": random.choice(("1/4", "1/2", "1")),
            "leak": {o: random.choice("pq") for o in OUTPUTS},
            "image": {o: random.choice("pq") for o in OUTPUTS},
        }
        if self.kind not in OF_SIZES:
            blocks = random.choice(([records], [[i] for i in records], [records[:1]]))
            fields |= {
                "record": random.choice(records),
                "levels": [self.level() for _ in records],
                "blocks": blocks,
                "dependence": [[i, j] for i in records for j in records if i != j and random.random() < 1 / 2],
                "prior": self.law(tuple(self.present), impossible=4),
                "gamma": random.choice(("0", "1/10", "1/4", "1/2")),
                "secrets": [[self.some(self.databases)[:3], self.some(self.databases)[:3]] for _ in range(2)],
                "theta-distances": [["up", "down", self.level()]],
                "views": [{o: random.choice("pq") for o in OUTPUTS} for _ in blocks],
                "agg": random.choice((["constant"], ["identity"], ["constant", "identity"])),
                "coupled": [{"agg": {"records": self.some(records)}, "priv": {"records": [random.choice(records)]}}],
            }
            if random.random() < 1 / 4 and self.size > 1:
                fields["adversaries"] = [[0, [1]]]
        else:
            fields["rate"] = random.choice(("1/2", "1/3", "1"))
        if self.kind in WITH_GAPS:
            fields["absent"] = "2"
        if self.kind == "sampled":
            fields["rate"] = random.choice(("1/2", "1/3", "3/4"))
        if random.random() < 1 / 2:
            fields["databases"] = self.some(self.databases, least=2)
        if random.random() < 1 / 4 and self.kind != "lists":
            fields["neighbours"] = random.choice(("change", "add-remove", "any"))
        return {key: value for key, value in fields.items() if value != []}

    def distances(self) -> list[list[Any]]:
        """A table of distances."""
        return [[*pair, self.random.choice(("0", "1", "2", "1/2"))] for pair in self.pairs(6)]

    def text(self) -> str:
        """The text of the model file."""
        size = f"[{self.fewest}, {self.size}]" if self.kind in OF_SIZES else str(self.size)
        lines = [f'title = "Drawn: {self.title}"', f"size = {size}", f"values = {json.dumps(self.values)}", ""]
        if self.kind not in OF_SIZES:
            lines += [*self.distributions(), ""]
        lines += ["[mechanism]", "table = [", *self.mechanism(), "]", "", "[policy]"]
        lines += [f"{key} = {inline(value)}" for key, value in self.policy().items()]
        return "\n".join(lines) + "\n"
