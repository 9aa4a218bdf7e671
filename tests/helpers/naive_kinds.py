"""The mechanisms again, naively, from the contract's table: the keys of a model file in, a law on texts out.

Nothing here is imported from the package. An outcome is an int, a Fraction, a text or a tuple of
these until it is written as a label.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import isqrt, prod
from typing import Any

Outcome = Any
Raw = list[tuple[Outcome, Fraction]]
Database = tuple[Any, ...]
"""A database of values as they are spelled in `values`."""
Spec = Mapping[str, Any]
ONE = Fraction(1)
NUMERIC = {"sum", "linear", "mean", "geometric-mean", "harmonic-mean", "quadratic-mean"}
NO_ANSWER = "⊥"
WHOLE = re.compile(r"0|-?[1-9][0-9]*")
NUMBER = re.compile(r"-?[0-9]+(/0*[1-9][0-9]*)?")


def text(outcome: Outcome) -> str:
    """The text of a label: booleans as in TOML, lists as compact JSON of their entries' texts."""
    if isinstance(outcome, bool):
        return "true" if outcome else "false"
    entries = parts(outcome)
    return str(outcome) if entries is None else "[" + ",".join(map(entry, entries)) + "]"


def parts(outcome: Outcome) -> tuple[Outcome, ...] | None:
    """The entries of a list, or of a text that spells one; None for what is no list."""
    if isinstance(outcome, tuple | list):
        return tuple(outcome)
    if not (isinstance(outcome, str) and outcome.strip().startswith("[")):
        return None
    try:
        return tuple(json.loads(outcome, parse_float=refused, parse_constant=refused))
    except ValueError:
        return None


def refused(literal: str) -> None:
    raise ValueError(literal)


def entry(outcome: Outcome) -> str:
    """An entry of a list: bare where its text reads as an integer, a boolean or a list, else in quotes."""
    alone = text(outcome)
    bare = alone in {"true", "false"} or WHOLE.fullmatch(alone) or parts(alone) is not None
    return alone if bare else json.dumps(alone, ensure_ascii=False)


def label_order(label: str) -> tuple[Any, ...]:
    """Within one world, labels come by number, then lists entry by entry, then by text."""
    return (*rank(label), label)


def rank(label: str) -> tuple[Any, ...]:
    entries = parts(label)
    if entries is not None:
        return (1, [rank(text(one)) for one in entries])
    return (0, Fraction(label)) if NUMBER.fullmatch(label) else (2, label)


class Naive:
    """A mechanism of `size` records with values in `values`, evaluated from its keys."""

    def __init__(self, spec: Spec, values: Sequence[Any], size: int) -> None:
        self.spec, self.values, self.size = spec, list(values), size
        self._laws: dict[Database, dict[str, Fraction]] = {}

    def law(self, database: Database) -> dict[str, Fraction]:
        """The law of M(D) on label texts."""
        if database not in self._laws:
            self._laws[database] = merged((text(o), p) for o, p in self.raw(database))
        return self._laws[database]

    def raw(self, database: Database) -> Raw:
        """The outcomes on D: a sample, the kind, then the steps."""
        spec = self.spec
        steps = list(spec.get("then", []))
        result = self._base(database)
        for number, step in enumerate(steps):
            result = [(o, p * q) for x, p in result if p for o, q in self._step(x, number, step)]
        return result

    def _base(self, database: Database) -> Raw:
        spec = self.spec
        if "kind" not in spec:
            return self._table(spec, database)
        if "sample" not in spec:
            return self._kind(database)
        rate, result = Fraction(spec["sample"]), []
        for keep in product((True, False), repeat=len(database)):
            weight = prod((rate if yes else 1 - rate for yes in keep), start=ONE)
            part = tuple(v for v, yes in zip(database, keep, strict=True) if yes)
            result += [(o, p * weight) for o, p in self._kind(part)]
        return result

    def _table(self, spec: Spec, database: Database) -> Raw:
        for row in spec.get("rows", spec.get("table", [])):
            if [text(v) for v in row["database"]] == [text(v) for v in database]:
                return self._row(row)
        return self._otherwise(spec)

    @staticmethod
    def _row(row: Spec) -> Raw:
        if "output" in row:
            return [(row["output"], ONE)]
        return [(o, Fraction(p)) for o, p in row["outputs"].items()]

    @staticmethod
    def _otherwise(spec: Spec) -> Raw:
        other = spec["otherwise"]
        if isinstance(other, Mapping):
            return [(o, Fraction(p)) for o, p in other.items()]
        return [(other, ONE)]

    def _kind(self, d: Database) -> Raw:
        spec, kind = self.spec, self.spec["kind"]
        counted = [text(v) for v in spec.get("values", [spec["value"]] if "value" in spec else self.values)]
        k = sum(1 for v in d if text(v) in counted)
        histogram = tuple(sum(1 for v in d if text(v) == one) for one in counted)
        numbers = [Fraction(text(v)) for v in d] if kind in NUMERIC else []
        found: Outcome
        if kind == "constant":
            found = spec["output"]
        elif kind == "identity":
            found = tuple(d)
        elif kind == "records":
            found = tuple(d[i] for i in spec["records"])
        elif kind == "count":
            found = k
        elif kind == "threshold-count":
            found = k if k > spec["above"] else spec.get("otherwise", NO_ANSWER)
        elif kind == "sum":
            found = sum(numbers)
        elif kind == "linear":
            found = sum((Fraction(w) * v for w, v in zip(spec["weights"], numbers, strict=True)), Fraction(0))
        elif kind == "mean":
            found = Fraction(sum(numbers), len(d))
        elif kind == "geometric-mean":
            found = root(Fraction(prod(numbers)), len(d))
        elif kind == "harmonic-mean":
            found = len(d) / sum((1 / v for v in numbers), Fraction(0))
        elif kind == "quadratic-mean":
            found = root(Fraction(sum(v * v for v in numbers), len(d)), 2)
        elif kind == "parity":
            found = k % 2
        elif kind == "maximum":
            found = max(d, key=self.values.index)
        elif kind == "minimum":
            found = min(d, key=self.values.index)
        elif kind == "mode":
            found = min(self.values, key=lambda v: (-d.count(v), self.values.index(v)))
        elif kind == "histogram":
            found = histogram
        elif kind == "k-anonymous-histogram":
            strict, least = spec.get("keep", ">=") == ">", spec["k"]
            found = tuple(c if c > least or (c == least and not strict) else NO_ANSWER for c in histogram)
        elif kind == "apply":
            found = published([text(spec["generalization"][text(v)]) for v in d], spec["k"])
        elif kind == "randomized-response":
            at = spec.get("records", range(self.size))
            return self._respond(tuple(d[i] for i in at), Fraction(spec["keep"]))
        elif kind == "all":
            laws = [Naive(one, self.values, self.size).raw(d) for one in spec["of"]]
            return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*laws)]
        elif kind in {"adaptive", "part", "choice", "k-anonymization"}:
            return self._composed(d)
        else:
            raise AssertionError(kind)
        return [(found, ONE)]

    def _composed(self, d: Database) -> Raw:
        """A second mechanism by the output of the first; a part of the records; one of several at random."""
        spec = self.spec
        if spec["kind"] == "part":
            seen = tuple(d[i] for i in spec.get("records", range(self.size)))
            return Naive(spec["of"], self.values, len(seen)).raw(seen)
        result: Raw = []
        if spec["kind"] == "k-anonymization":
            for name, p in Naive(spec["choose"], self.values, self.size).raw(d):
                classes = spec["generalizations"][text(name)] if p else dict.fromkeys(map(text, d), "")
                found = published([text(classes[text(v)]) for v in d], spec["k"])
                result.append(((name, found) if spec.get("shows-mapping") else found, p))
            return result
        if spec["kind"] == "adaptive":
            named = {text(o): one for o, one in spec.get("next", {}).items()}
            for first, p in Naive(spec["first"], self.values, self.size).raw(d):
                if not p:
                    continue
                then = named[text(first)] if text(first) in named else spec["otherwise"]
                result += [((first, o), p * q) for o, q in Naive(then, self.values, self.size).raw(d)]
            return result
        for number, one in enumerate(spec["of"], start=1):
            weight, name = Fraction(one["weight"]), one.get("name", f"#{number}")
            outcomes = Naive(one["mechanism"], self.values, self.size).raw(d) if weight else []
            result += [((name, o) if spec.get("shown") else o, weight * p) for o, p in outcomes]
        return result

    def _respond(self, entries: tuple[Outcome, ...] | None, keep: Fraction, alone: Outcome = None) -> Raw:
        """Each entry is kept with a probability, else uniform over T; or one value, where it is no list."""
        share = (1 - keep) / len(self.values)
        laws = [
            [(v, share + (keep if text(v) == text(one) else 0)) for v in self.values]
            for one in ([alone] if entries is None else entries)
        ]
        if entries is None:
            return laws[0]
        return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*laws)]

    def _step(self, given: Outcome, number: int, step: Spec) -> Raw:
        if "kind" not in step:
            for row in step.get("rows", step.get("table", [])):
                if text(row["input"]) == text(given):
                    return self._row(row)
            return self._otherwise(step)
        if step["kind"] == "randomized-response":
            alone = text(given) in map(text, self.values)
            return self._respond(None if alone else parts(given), Fraction(step["keep"]), given)
        if text(given) == NO_ANSWER:
            return [(given, ONE)]
        low, high = self._range(number)
        return geometric(int(text(given)), Fraction(step["p"]), low, high)

    def _range(self, number: int) -> tuple[int, int]:
        """The integers that reach a step, and those that a later step names: beyond lie the two tails."""
        spec, steps = self.spec, list(self.spec["then"])
        before = Naive({**spec, "then": steps[:number]}, self.values, self.size)
        inputs = {o for d in product(self.values, repeat=self.size) for o in before.law(d)} - {NO_ANSWER}
        named = [text(row["input"]) for one in steps[number + 1 :] for row in one.get("rows", [])]
        every = [int(o) for o in [*inputs, *named] if WHOLE.fullmatch(o)]
        return (min(every), max(every)) if every else (0, 0)


def published(classes: list[str], k: int) -> tuple[str, ...]:
    """The classes that appear at least k times, in order."""
    return tuple(sorted((one for one in classes if classes.count(one) >= k), key=label_order))


def geometric(at: int, p: Fraction, low: int, high: int) -> Raw:
    """P[X = k] = (1 - p)/(1 + p)·p^|k| around `at`; both tails beyond low and high as one outcome each."""
    law: Raw = [(k, (1 - p) / (1 + p) * p ** abs(k - at)) for k in range(low, high + 1)]
    rest = 1 - sum(q for _, q in law)
    upper = (1 - p) / (1 + p) * p ** (high + 1 - at) / (1 - p)  # a geometric series
    return [*law, (f"> {high}", upper), (f"< {low}", rest - upper)]


def root(value: Fraction, degree: int) -> Outcome:
    """The degree-th root, for degree 1, 2 or 3: a rational, or its canonical text."""
    if degree == 1:
        return value
    top, bottom = (next(r for r in range(isqrt(x) + 2) if (r + 1) ** degree > x) for x in value.as_integer_ratio())
    if (top**degree, bottom**degree) == value.as_integer_ratio():
        return Fraction(top, bottom)
    return f"sqrt({value})" if degree == 2 else f"root({value}, {degree})"


def merged(pairs: Any) -> dict[str, Fraction]:
    """Outcomes with the same text are one outcome; those of probability 0 are none."""
    law: dict[str, Fraction] = {}
    for key, p in pairs:
        if p:
            law[key] = law.get(key, Fraction(0)) + p
    return law
