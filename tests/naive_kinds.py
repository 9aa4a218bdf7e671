"""The mechanisms again, naively, from the contract's table: the keys of a model file in, a law on texts out.

Nothing here is imported from the package. An outcome is an int, a Fraction, a text or a tuple of
these until it is written as a label.
"""

from __future__ import annotations

import json
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
NO_ANSWER = "⊥"


def text(outcome: Outcome) -> str:
    """The text of a label: booleans as in TOML, lists as compact JSON."""
    if isinstance(outcome, bool):
        return "true" if outcome else "false"
    if isinstance(outcome, tuple):
        return json.dumps([shown(part) for part in outcome], ensure_ascii=False, separators=(",", ":"))
    return str(outcome)


def shown(outcome: Outcome) -> Any:
    """An outcome inside a JSON list: rationals that are no integers are texts there."""
    if isinstance(outcome, Fraction):
        return outcome.numerator if outcome.denominator == 1 else str(outcome)
    return [shown(part) for part in outcome] if isinstance(outcome, tuple) else outcome


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
            result = [(o, p * q) for x, p in result for o, q in self._step(x, number, step)]
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
            found = sum(d)
        elif kind == "linear":
            found = sum((Fraction(w) * v for w, v in zip(spec["weights"], d, strict=True)), Fraction(0))
        elif kind == "mean":
            found = Fraction(sum(d), len(d))
        elif kind == "geometric-mean":
            found = root(Fraction(prod(d)), len(d))
        elif kind == "harmonic-mean":
            found = len(d) / sum((Fraction(1, v) for v in d), Fraction(0))
        elif kind == "quadratic-mean":
            found = root(Fraction(sum(v * v for v in d), len(d)), 2)
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
            classes = [spec["generalization"][text(v)] for v in d]
            found = tuple(sorted(c for c in classes if classes.count(c) >= spec["k"]))
        elif kind == "randomized-response":
            at = spec.get("records", range(self.size))
            return self._respond(tuple(d[i] for i in at), Fraction(spec["keep"]))
        elif kind == "all":
            laws = [Naive(one, self.values, self.size).raw(d) for one in spec["of"]]
            return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*laws)]
        elif kind in {"adaptive", "part", "choice"}:
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

    def _respond(self, given: Outcome, keep: Fraction) -> Raw:
        """Each entry is kept with a probability, else uniform over T."""
        if not isinstance(given, tuple):
            share = (1 - keep) / len(self.values)
            return [(v, share + (keep if text(v) == text(given) else 0)) for v in self.values]
        laws = [self._respond(one, keep) for one in given]
        return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*laws)]

    def _step(self, given: Outcome, number: int, step: Spec) -> Raw:
        if "kind" not in step:
            for row in step.get("rows", step.get("table", [])):
                if text(row["input"]) == text(given):
                    return self._row(row)
            return self._otherwise(step)
        if step["kind"] == "randomized-response":
            return self._respond(given, Fraction(step["keep"]))
        if text(given) == NO_ANSWER:
            return [(given, ONE)]
        low, high = self._range(number)
        return geometric(int(given), Fraction(step["p"]), low, high)

    def _range(self, number: int) -> tuple[int, int]:
        """The integers that reach a step, and those that a later step names: beyond lie the two tails."""
        spec, steps = self.spec, list(self.spec["then"])
        before = Naive({**spec, "then": steps[:number]}, self.values, self.size)
        inputs = {o for d in product(self.values, repeat=self.size) for o in before.law(d)} - {NO_ANSWER}
        named = [text(row["input"]) for one in steps[number + 1 :] for row in one.get("rows", [])]
        every = [int(o) for o in [*inputs, *named] if o.lstrip("-").isdigit()]
        return (min(every), max(every)) if every else (0, 0)


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
