"""A first value of each field of `[policy]` for a model, written with its own values, records and outputs.

Such a value is valid, so that a definition that reads the field can be asked; a person then changes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import product
from typing import Any

from verifier.model.model import Model
from verifier.model.multisets import Multisets
from verifier.model.policy import Policy

MOST_ROWS = 1 << 8
"""Most rows of an example: no row of a database or an output may be left out there."""
FIELDS = tuple(field.name.replace("_", "-") for field in fields(Policy))
"""The fields of `[policy]` as files write them."""
CONSTANT: dict[str, Any] = {
    "group": 2,
    "distance": "hamming",
    "at-most": "1",
    "gamma": "1/10",
    "rate": "1/2",
    "order": 2,
    "divergence": "chi-squared",
    "tradeoff": [["0", "1"], ["1/2", "1/4"], ["1", "0"]],
    "error": "1/10",
    "predicate": [["1", "-2", "0"]],
    "xi": "0",
    "omega": "3",
    "mu": "1",
}
"""The examples that are the same for all models."""
PARAMETERS = frozenset({"at-most", "gamma", "rate", "order", "divergence", "error", "xi", "omega", "mu"})
"""Fields that are a parameter of a definition beside ε and δ."""


def policy_example(model: Model, field: str) -> Any:
    """An example of a value for a field of `[policy]`, in the form of TOML and JSON; None where the model has none.

    A model with a single value, for example, has no edge between two values.

    >>> from verifier.model import build
    >>> coin = build(size=1, values=["a", "b"], mechanism={"kind": "randomized-response", "keep": "1/2"})
    >>> policy_example(coin, "graph"), policy_example(coin, "order"), policy_example(coin, "theta-pairs")
    ([['a', 'b']], 2, None)
    """
    if field in CONSTANT:
        return CONSTANT[field]
    return EXAMPLES[field](_Examples(model))


@dataclass(frozen=True)
class _Examples:
    """The examples that are written with parts of one model."""

    model: Model

    @cached_property
    def values(self) -> list[Any]:
        """The values of a record."""
        return [value.shown for value in self.model.values]

    @cached_property
    def databases(self) -> list[list[Any]] | None:
        """All databases; None for more than `MOST_ROWS`."""
        model, number = self.model, len(self.model.values)
        if model.sizes is not None:
            multisets = Multisets(number, *model.sizes)
            if len(multisets) > MOST_ROWS:
                return None
            return [[self.values[v] for v in database] for database in multisets]
        if number**model.size > MOST_ROWS:
            return None
        return [list(database) for database in product(self.values, repeat=model.size)]

    @cached_property
    def outputs(self) -> list[str] | None:
        """The texts of all outputs; None where they are not listed, or too many."""
        listed = self.model.mechanism.listed_outputs
        return [output.text for output in listed] if listed and len(listed) <= MOST_ROWS else None

    @property
    def records(self) -> list[int] | None:
        """All records; None where databases are multisets, or too large to be listed."""
        return list(range(self.model.size)) if self.model.sizes is None and self.model.size <= MOST_ROWS else None

    def neighbours(self) -> Any:
        return "change" if self.model.sizes is None else "any"

    def absent(self) -> Any:
        return self.values[0] if self.model.sizes is None and len(self.values) > 1 else None

    def sensitive(self) -> Any:
        return self.values[:1]

    def graph(self) -> Any:
        return [list(edge) for edge in zip(self.values, self.values[1:], strict=False)] or None

    def attributes(self) -> Any:
        return {value.text: ["person", value.text] for value in self.model.values}

    def bits(self) -> Any:
        width = max(1, (len(self.values) - 1).bit_length())
        return {value.text: format(k, f"0{width}b") for k, value in enumerate(self.model.values)}

    def several(self) -> Any:
        return self.databases[:3] if self.databases else None

    def fixed(self) -> Any:
        return self.databases[0] if self.databases else None

    def record(self) -> Any:
        return self._protected() if self.records else None

    def pairs(self) -> Any:
        return [self.databases[:2]] if self.databases and len(self.databases) > 1 else None

    def secrets(self) -> Any:
        """The pair of secrets: the protected record has the first value, or it has the second."""
        if not self.records or self.databases is None or len(self.values) < 2:
            return None
        at = self._protected()
        return [[[row for row in self.databases if row[at] == value] for value in self.values[:2]]]

    def dependence(self) -> Any:
        return [self.records[:2]] if self.records and len(self.records) > 1 else [] if self.records else None

    def levels(self) -> Any:
        return ["2", *("1" for _ in self.records[1:])] if self.records else None

    def scale(self) -> Any:
        return [[self.values[:2], "2"]] if len(self.values) > 1 else None

    def tailored(self) -> Any:
        holding = next((database for database in self.databases or () if self.values[-1] in database), None)
        return None if holding is None else [[self.values[-1], holding, "2"]]

    def blocks(self) -> Any:
        if not self.records:
            return None
        return [[0], self.records[1:]] if len(self.records) > 1 else [[0]]

    def statistic(self) -> Any:
        """The statistic that counts the records with the last value."""
        if self.databases is None:
            return None
        return [[database, str(database.count(self.values[-1]))] for database in self.databases]

    def adversaries(self) -> Any:
        if not self.records:
            return None
        at = self._protected()
        return [[at, [record for record in self.records if record != at][:1]]]

    def theta_pairs(self) -> Any:
        names = self._thetas()
        return [names] if names else None

    def theta_distances(self) -> Any:
        names = self._thetas()
        return [[*names, "1"]] if names else None

    def prior(self) -> Any:
        return {value.text: f"1/{len(self.values)}" for value in self.model.values}

    def tests(self) -> Any:
        return [{self.outputs[0]: "1"}] if self.outputs else None

    def leak(self) -> Any:
        """The leak of whether the output is the first."""
        if self.outputs is None:
            return None
        return {output: output if k == 0 else f"not {self.outputs[0]}" for k, output in enumerate(self.outputs)}

    def agg(self) -> Any:
        return ["constant", "identity"] if self.records else None

    def coupled(self) -> Any:
        """The pair in which the first record is private, and all others are told."""
        if not self.records:
            return None
        others = {"records": self.records[1:]} if len(self.records) > 1 else "constant"
        return [{"agg": others, "priv": {"records": [0]}}]

    def views(self) -> Any:
        """The views by which each client sees the whole output."""
        blocks = self.model.policy.blocks or self.blocks()
        if self.outputs is None or not blocks:
            return None
        return [{output: output for output in self.outputs} for _ in blocks]

    def _protected(self) -> int:
        """The first protected record."""
        if not self.model.protects_records:
            return 0
        return next((secret.record for secret in self.model.secrets if secret.record is not None), 0)

    def _thetas(self) -> list[str]:
        """The names of the first two distributions; none where there is one."""
        names = list(dict.fromkeys(theta.name for theta in self.model.thetas))
        return names[:2] if len(names) > 1 else []


EXAMPLES: dict[str, Callable[[_Examples], Any]] = {
    field: getattr(_Examples, {"databases": "several", "image": "leak"}.get(field, field.replace("-", "_")))
    for field in FIELDS
    if field not in CONSTANT
}
"""How each other field is written for a model."""
