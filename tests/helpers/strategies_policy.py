"""Small random models with a policy that has every field, as TOML texts: of lists, of lists with gaps, of multisets."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from random import Random
from typing import Any

from verifier.model.write import inline

OUTPUTS = ("y", "n", "z")
Databases = list[tuple[str, ...]]


class PolicyModel:
    """One model: `text` is its file; `kind` is "lists", "gaps" (lists with `absent`) or "multisets"."""

    def __init__(self, random: Random, kind: str) -> None:
        self.random, self.kind = random, kind
        values = ["0", "1", "2"] if kind == "gaps" else ["0", "1", "2"][: random.choice((2, 2, 3))]
        self.size = 2 if len(values) == 3 else random.choice((1, 2, 3))
        self.values = values
        self.present = values[:2] if kind == "gaps" else values
        self.databases: Databases = (
            [d for n in range(self.size + 1) for d in combinations_with_replacement(values, n)]
            if kind == "multisets"
            else list(product(values, repeat=self.size))
        )
        self.protected = [1] if kind != "multisets" and self.size > 1 and random.random() < 0.2 else None
        self.text = self._written()

    # --- parts --------------------------------------------------------------------------------------------------------

    def law(self, labels: tuple[str, ...], *, impossible: int = 8) -> dict[str, str]:
        """A law with small weights; some are 0."""
        while True:
            weights = [0 if self.random.randrange(impossible) == 0 else self.random.randint(1, 4) for _ in labels]
            if total := sum(weights):
                pairs = zip(labels, weights, strict=True)
                return {label: str(Fraction(w, total)) for label, w in pairs if w}

    def some(self, rows: list[Any], *, least: int = 1) -> list[Any]:
        """Some of the rows, in order."""
        return sorted(self.random.sample(rows, self.random.randint(min(least, len(rows)), len(rows))))

    def level(self) -> str:
        """A multiple of ε."""
        return self.random.choice(("1", "2", "1/2", "3/2", "inf"))

    def pairs(self, count: int) -> list[list[tuple[str, ...]]]:
        """Pairs of different databases, each once."""
        every = [[d, e] for k, d in enumerate(self.databases) for e in self.databases[k + 1 :]]
        return self.random.sample(every, min(count, len(every)))

    def tests(self, low: int) -> list[dict[str, str]]:
        """Functions from outputs to numbers; they name every output, since some may never come."""
        numbers = [Fraction(k, 2) for k in range(low, 4)]
        nothing = dict.fromkeys(OUTPUTS, "0")
        return [
            {**nothing, **{o: str(self.random.choice(numbers)) for o in self.some(list(OUTPUTS))}} for _ in range(2)
        ]

    def convex(self) -> list[list[str]]:
        """The vertices of a trade-off curve."""
        x = Fraction(self.random.randint(1, 3), 4)
        y = (1 - x) * Fraction(self.random.randint(0, 4), 4)
        start = min(Fraction(1), y + x * max(y / (1 - x), Fraction(1)))
        return [["0", str(start)], [str(x), str(y)], ["1", "0"]]

    def policy(self) -> dict[str, Any]:
        """Every field; those that may be left out are there at random."""
        random, lists = self.random, self.kind != "multisets"
        records = list(range(self.size))
        fields: dict[str, Any] = {
            "sensitive": self.some(self.values),
            "graph": [["0", "1"]] if random.random() < 0.5 else [[a, b] for a, b in combinations(self.present, 2)],
            "attributes": {v: [random.choice("xy"), random.choice("uv")] for v in self.values},
            "bits": {v: random.choice(("00", "01", "10", "11")) for v in self.values},
            "fixed": random.choice(self.databases),
            "pairs": self.pairs(3),
            "secrets": [[self.some(self.databases)[:3], self.some(self.databases)[:3]] for _ in range(2)],
            "group": random.choice((1, 2)),
            "scale": [[["0", "1"], self.level()]],
            "tailored": [[d[0], d, self.level()] for d in self.some(self.databases) if d][:5],
            "distance": self.distance(),
            "at-most": random.choice(("1/2", "1", "2")),
            "statistic": [[d, str(Fraction(random.randint(0, 6), 2))] for d in self.databases],
            "prior": self.law(tuple(self.present)),
            "gamma": random.choice(("0", "1/10", "1/4", "1/2")),
            "rate": random.choice(("1/2", "1/3", "1")),
            "order": random.choice((2, 2, 3)),
            "divergence": random.choice(("chi-squared", "total-variation", "abs-1", "abs-3", "kl", "renyi-2")),
            "tests": self.tests(-6),
            "tradeoff": self.convex(),
            "error": random.choice(("0", "1/10", "1/3")),
            "predicate": [["1", "-2", str(Fraction(random.randint(0, 4), 8))], ["-1", "1", "1/2"]],
            "xi": random.choice(("0", "1/10", "1/2", "2")),
            "omega": random.choice(("3/2", "2", "3")),
            "mu": random.choice(("1/4", "1/2", "1")),
            "leak": {o: random.choice("pq") for o in OUTPUTS},
            "image": {o: random.choice("pq") for o in OUTPUTS},
        }
        if lists:
            fields |= {
                "record": random.choice(records),
                "levels": [self.level() for _ in records],
                "blocks": random.choice(([records], [records[:1], records[1:]], [records[:1]])),
                "dependence": [[i, j] for i in records for j in records if i != j and random.random() < 0.5],
            }
        if self.kind == "gaps":
            fields["absent"] = "2"
        if self.kind == "lists":
            fields["theta-distances"] = [["up", "down", self.level()]]
        if random.random() < 0.5:
            fields["databases"] = self.some(self.databases, least=2)
        if random.random() < 0.3 and self.kind != "lists":
            fields["neighbours"] = random.choice(("change", "add-remove", "any"))
        if random.random() < 0.4 and self.kind == "lists":
            fields["theta-pairs"] = [["up", "down"]]
        if random.random() < 0.4 and self.kind == "lists" and self.size > 1 and not self.protected:
            fields["adversaries"] = [[0, [1]], [1, []]]
        fields["blocks"] = [block for block in fields.get("blocks", []) if block]
        return {key: value for key, value in fields.items() if value != []}

    def distance(self) -> Any:
        """A distance: by its name, or a table with some pairs at 0."""
        if self.random.random() < 0.4:
            return self.random.choice(("hamming", "largest")) if self.kind != "multisets" else "hamming"
        return [[d, e, self.random.choice(("0", "1", "2", "1/2", "inf"))] for d, e in self.pairs(4)]

    def _written(self) -> str:
        multisets = self.kind == "multisets"
        lines = [
            f"size = {[0, self.size] if multisets else self.size}",
            f"values = {json.dumps(self.values)}",
        ]
        if self.kind == "lists":
            for name in ("up", "down"):
                law = self.law(tuple(map(json.dumps, self.databases)), impossible=4)
                lines += ["[[distribution]]", f'name = "{name}"', "table = ["]
                lines += [f' {{ database = {d}, probability = "{p}" }},' for d, p in law.items()] + ["]"]
            lines += self.random.choice(
                ([], [], ["[knowledge]", "records = [0]"], ["[knowledge]", 'kind = "count"', "value = 1"])
            )
        if self.protected:
            lines += ["[sensitive]", f"records = {self.protected}"]
        rows = [f" {{ database = {json.dumps(d)}, outputs = {inline(self.law(OUTPUTS))} }}," for d in self.databases]
        lines += ["[mechanism]", "table = [", *rows, "]", "[policy]"]
        lines += [f"{key} = {inline(value)}" for key, value in self.policy().items()]
        return "\n".join(lines) + "\n"


def with_centres(random: Random, model: PolicyModel, *, places: bool = False) -> str:
    """The file of a model of lists, with what simulators are told: Agg and Γ, as names, records and tables.

    Agg tells places only with `places`: then it is for the reading in-place alone.
    """

    def function(databases: Databases, size: int, labels: str, *, certain: bool, places: bool = True) -> Any:
        kind = random.choice(("constant", "identity", "records" if places else "table", "table", "table"))
        if kind == "records":
            return {"records": random.sample(range(size), random.randint(1, size))} if size else "constant"
        if kind != "table":
            return kind
        told = [
            random.choice(labels) if certain or random.random() < 0.5 else model.law(tuple(labels)) for _ in databases
        ]
        return [list(row) for row in zip(map(list, databases), told, strict=True)]

    others = list(combinations_with_replacement(model.values, model.size - 1))
    agg = [function(others, model.size, "st", certain=False, places=places) for _ in range(random.randint(1, 2))]
    coupled = [
        {
            "agg": function(model.databases, model.size, "st", certain=False),
            "priv": function(model.databases, model.size, "uvw", certain=True),
        }
        for _ in range(random.randint(1, 2))
    ]
    return f"{model.text}agg = {inline(agg)}\ncoupled = {inline(coupled)}\n"


def leak_laws(random: Random, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What leaks with the output, for the rows of a mechanism: each output's probability is split between two leaks."""
    laws = []
    for row in rows:
        outputs: dict[str, str] = {}
        for output, p in row["outputs"].items():
            share = Fraction(random.randint(0, 3), 3)
            parts = {f"[{output}, p]": share * Fraction(p), f"[{output}, q]": (1 - share) * Fraction(p)}
            outputs |= {pair: str(chance) for pair, chance in parts.items() if chance}
        laws.append({"database": row["database"], "outputs": outputs})
    return laws
