"""The kinds of mechanism that add up what the records hold, and T, the values of a file, which they read.

For each kind: what a record adds, and the output for every sum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from verifier.checker.forms import chosen, distinct, integer, labelled, listing, refused
from verifier.checker.labels import NO_ANSWER, exact, outcome, published, root, text
from verifier.checker.made import State, Sum, plain

NUMERIC = ("sum", "linear", "mean", "geometric-mean", "harmonic-mean", "quadratic-mean")


class Values:
    """T, the values of a file, each with its place."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = list(values)
        self.position = {text(v): k for k, v in enumerate(values)}

    def place(self, value: Any) -> int:
        """The place of a value in T."""
        if (written := text(outcome(value))) not in self.position:
            raise refused(value, "one of the values")
        return self.position[written]

    def _counted(self, spec: Mapping[str, Any], kind: str) -> list[str]:
        """The texts of the values that a kind counts; all of T where it names none."""
        if kind in {"count", "threshold-count", "parity"} and ("value" in spec) == ("values" in spec):
            raise refused(kind, "exactly one of value, values")
        named = [spec["value"]] if "value" in spec else listing(spec.get("values", self.values))
        return [text(self.values[v]) for v in distinct(map(self.place, named), "distinct values")]

    def total(self, spec: Mapping[str, Any], kind: str, size: int) -> Sum:
        """The sum of a kind of mechanism: what each record adds, and the output for every sum."""
        counting = self._counted(spec, kind) if kind not in NUMERIC else []
        counted = [int(text(v) in counting) for v in self.values]
        columns = [tuple(int(text(v) == label) for label in counting) for v in self.values]
        if kind == "constant":
            output = outcome(spec["output"])
            return plain((), (), lambda _i, _v: (), lambda _: output)
        if kind == "count":
            return plain(("+",), (0,), lambda _, v: (counted[v],), lambda s: s[0])
        if kind == "threshold-count":
            above, otherwise = integer(spec["above"]), outcome(spec.get("otherwise", NO_ANSWER))
            answer = lambda s: s[0] if s[0] > above else otherwise  # noqa: E731
            return plain(("+",), (0,), lambda _, v: (counted[v],), answer)
        if kind == "parity":
            return plain(("mod 2",), (0,), lambda _, v: (counted[v],), lambda s: s[0])
        if kind in {"maximum", "minimum"}:
            zero = -1 if kind == "maximum" else len(self.values)
            return plain((kind[:3],), (zero,), lambda _, v: (v,), lambda s: self.values[s[0]])
        if kind == "mode":
            chosen(spec.get("ties", "first"), ["first"])
            units = [tuple(int(k == v) for k in range(len(self.values))) for v in range(len(self.values))]
            return plain(("+",) * len(units), (0,) * len(units), lambda _, v: units[v],
                          lambda s: self.values[s.index(max(s))])  # fmt: skip
        if kind in {"histogram", "k-anonymous-histogram"}:
            kept_at_k = chosen(spec.get("keep", ">="), [">=", ">"]) == ">="
            least = integer(spec["k"], 1) + (not kept_at_k) if kind != "histogram" else 0
            return plain(("+",) * len(counting), (0,) * len(counting), lambda _, v: columns[v],
                          lambda s: tuple(k if k >= least else NO_ANSWER for k in s))  # fmt: skip
        if kind == "apply":
            return self._apply(spec)
        return self._numeric(spec, kind, size)

    def _apply(self, spec: Mapping[str, Any]) -> Sum:
        classes, k = self.classes(spec["generalization"]), integer(spec["k"], 1)
        different = list({text(label): label for label in classes}.values())
        units = [tuple(int(text(c) == text(label)) for label in different) for c in classes]

        def finish(state: State) -> Any:
            return published(dict(zip(map(text, different), state, strict=True)), different, k)

        return plain(("+",) * len(different), (0,) * len(different), lambda _, v: units[v], finish)

    def classes(self, table: Any) -> list[Any]:
        """The class of each value; no key is none of them."""
        classes = {self.place(key): outcome(label) for key, (_, label) in labelled(table).items()}
        if len(classes) < len(self.values):
            raise refused(list(table), "a class for every value")
        return [classes[v] for v in range(len(self.values))]

    def _numeric(self, spec: Mapping[str, Any], kind: str, size: int) -> Sum:
        at = [exact(text(v)) for v in self.values]
        factors = [exact(w) for w in listing(spec["weights"], size)] if kind == "linear" else []
        if kind in {"geometric-mean", "harmonic-mean"} and min(at) <= 0:
            raise refused(kind, "positive values")
        if kind == "geometric-mean":
            return plain(("*",), (1,), lambda _, v: (at[v],), lambda s: root(Fraction(s[0]), size))
        if kind == "quadratic-mean":
            return plain(("+",), (0,), lambda _, v: (at[v] ** 2,), lambda s: root(Fraction(s[0], size), 2))
        if kind == "harmonic-mean":
            return plain(("+",), (0,), lambda _, v: (Fraction(1, at[v]),), lambda s: outcome(Fraction(size, s[0])))

        def element(i: int, v: int) -> State:
            return (at[v] * (factors[i] if factors else 1) * Fraction(1, size if kind == "mean" else 1),)

        return plain(("+",), (0,), element, lambda s: outcome(Fraction(s[0])))
