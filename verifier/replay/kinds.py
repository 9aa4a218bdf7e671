"""The mechanisms of a model file, evaluated again from their keys (models/FORMAT.md), for the independent re-check.

`compare` compares what a certificate lists with what is made here. Most kinds are a sum over the records,
coordinate by coordinate, and an output for every sum: certificates without tables list those.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple, TypeAlias

from verifier.replay.labels import (
    INTEGER,
    MOST,
    NO_ANSWER,
    ONE,
    Raw,
    Uncovered,
    entry_of,
    exact,
    gathered,
    geometric,
    indices,
    inputs_of,
    labelled,
    outcome,
    published,
    root,
    text,
)
from verifier.replay.numbers import Rejected, summed

Database: TypeAlias = tuple[int, ...]
"""A database as places in the list of values."""
State: TypeAlias = tuple[Any, ...]
Named: TypeAlias = tuple[Any, ...]


class Sum(NamedTuple):
    """A mechanism that adds up: the law of what record i adds with the value v, and the output law of a sum."""

    operations: tuple[str, ...]
    zero: State
    draw: Callable[[int, int], list[tuple[State, Fraction]]]
    finish: Callable[[State], Raw]

    def add(self, x: State, y: State) -> State:
        """The sum of two states, coordinate by coordinate."""
        return tuple(STEPS[step](p, q) for step, p, q in zip(self.operations, x, y, strict=True))

    def law(self, database: Database) -> Raw:
        """The output law on a database."""
        states = {self.zero: ONE}
        for i, v in enumerate(database):
            drawn = self.draw(i, v)
            states = summed((self.add(state, element), p * q) for state, p in states.items() for element, q in drawn)
        return gathered((o, p * q) for state, p in states.items() for o, q in self.finish(state))


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "max": max,
    "min": min,
    "mod 2": lambda x, y: (x + y) % 2,
}


class Made(NamedTuple):
    """A mechanism: its law on each database, and its sum where it is one."""

    law: Callable[[Database], Raw]
    sum: Sum | None = None


class Kinds:
    """Reads mechanisms against the values T of a file."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = list(values)
        self.position = {text(v): k for k, v in enumerate(values)}

    def law_of(self, table: Mapping[str, Any]) -> Raw:
        """A law on labels; it must sum to 1."""
        law = [(key, exact(p)) for key, p in labelled(table).values()]
        if sum(p for _, p in law) != 1 or any(p < 0 for _, p in law):
            raise Rejected("the model file has a table of probabilities that is no law")
        return gathered(law)

    def read(self, spec: Mapping[str, Any], size: int, named: Named = (), *, sampled: bool = True) -> Made:
        """The mechanism of a table, on `size` records; not `sampled`: without the sample that comes first.

        `named` are outputs that [policy] names: noise at the end has no tail that one of them lies in.
        """
        which, steps = next((key for key in ("table", "rows") if key in spec), None), list(spec.get("then", []))
        mechanism = self._table(spec, which) if which else self._kind(spec, size, () if steps else named)
        if "sample" in spec and sampled:
            if mechanism.sum is None:
                raise Uncovered("the sample of a mechanism that is no sum")
            mechanism = _of_sum(_thinned(mechanism.sum, exact(spec["sample"])))
        for number, step in enumerate(steps):
            later = [inputs_of(after) for after in steps[number + 1 :]] or [list(named)]
            mechanism = self._then(mechanism, step, [text(o) for inputs in later for o in inputs], size)
        return mechanism

    def _table(self, spec: Mapping[str, Any], which: str) -> Made:
        rows = {tuple(self.position[text(outcome(v))] for v in row["database"]): self._row(row) for row in spec[which]}
        if len(rows) < len(spec[which]):
            raise Rejected("the model file's mechanism has two rows on one database")
        otherwise = self._otherwise(spec)

        def law(database: Database) -> Raw:
            row = rows.get(database, otherwise)
            if row is None:
                raise Rejected(f"the model file has no row for {[text(self.values[v]) for v in database]}")
            return row

        return Made(law)

    def _row(self, row: Mapping[str, Any]) -> Raw:
        return [(outcome(row["output"]), ONE)] if "output" in row else self.law_of(row["outputs"])

    def _otherwise(self, spec: Mapping[str, Any]) -> Raw | None:
        if "otherwise" not in spec:
            return None
        otherwise = spec["otherwise"]
        return self.law_of(otherwise) if isinstance(otherwise, dict) else [(outcome(otherwise), ONE)]

    # --- kinds ----------------------------------------------------------------------------------------------------

    def _kind(self, spec: Mapping[str, Any], size: int, named: Named) -> Made:
        kind = spec["kind"]
        if kind in {"identity", "records", "randomized-response"}:
            return self._listed(spec, size)
        if kind in {"all", "adaptive", "part", "choice"}:
            return self._composed(spec, size, named)
        if kind == "k-anonymization":
            return self._anonymization(spec, size)
        return _of_sum(self._sum(spec, kind, size))

    def _listed(self, spec: Mapping[str, Any], size: int) -> Made:
        """The values of some records as a list, each kept with a probability, else uniform over T."""
        records = indices(spec["records"]) if "records" in spec else range(size)
        keep = exact(spec["keep"]) if spec["kind"] == "randomized-response" else ONE

        def law(database: Database) -> Raw:
            return self._responded(tuple(self.values[database[i]] for i in records), keep)

        return Made(law)

    def _responded(self, value: Any, keep: Fraction) -> Raw:
        if isinstance(value, tuple) and text(value) not in self.position:
            if keep == 1:
                return [(value, ONE)]
            if len(self.values) ** len(value) > MOST:
                raise Uncovered("randomized response on a long list")
            laws = [self._responded(entry, keep) for entry in value]
            return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*laws)]
        share = (1 - keep) * Fraction(1, len(self.values))
        return [(v, p) for v in self.values if (p := share + (keep if text(v) == text(value) else 0))]

    def _sum(self, spec: Mapping[str, Any], kind: str, size: int) -> Sum:
        """The sum of a kind of mechanism: what each record adds, and the output for every sum."""
        chosen = [text(outcome(v)) for v in spec.get("values", [spec["value"]] if "value" in spec else self.values)]
        counted = [int(text(v) in chosen) for v in self.values]
        columns = [tuple(int(text(v) == label) for label in chosen) for v in self.values]
        if kind == "constant":
            output = outcome(spec["output"])
            return _plain((), (), lambda _i, _v: (), lambda _: output)
        if kind == "count":
            return _plain(("+",), (0,), lambda _, v: (counted[v],), lambda s: s[0])
        if kind == "threshold-count":
            above, otherwise = spec["above"], outcome(spec.get("otherwise", NO_ANSWER))
            answer = lambda s: s[0] if s[0] > above else otherwise  # noqa: E731
            return _plain(("+",), (0,), lambda _, v: (counted[v],), answer)
        if kind == "parity":
            return _plain(("mod 2",), (0,), lambda _, v: (counted[v],), lambda s: s[0])
        if kind in {"maximum", "minimum"}:
            zero = -1 if kind == "maximum" else len(self.values)
            return _plain((kind[:3],), (zero,), lambda _, v: (v,), lambda s: self.values[s[0]])
        if kind == "mode":
            units = [tuple(int(k == v) for k in range(len(self.values))) for v in range(len(self.values))]
            return _plain(("+",) * len(units), (0,) * len(units), lambda _, v: units[v],
                          lambda s: self.values[s.index(max(s))])  # fmt: skip
        if kind in {"histogram", "k-anonymous-histogram"}:
            least = spec["k"] + (spec.get("keep", ">=") == ">") if kind != "histogram" else 0
            return _plain(("+",) * len(chosen), (0,) * len(chosen), lambda _, v: columns[v],
                          lambda s: tuple(k if k >= least else NO_ANSWER for k in s))  # fmt: skip
        if kind == "apply":
            return self._apply(spec)
        return self._numeric(spec, kind, size)

    def _apply(self, spec: Mapping[str, Any]) -> Sum:
        classes = self._classes(spec["generalization"])
        different = list({text(label): label for label in classes}.values())
        units = [tuple(int(text(c) == text(label)) for label in different) for c in classes]

        def finish(state: State) -> Any:
            return published(dict(zip(map(text, different), state, strict=True)), different, spec["k"])

        return _plain(("+",) * len(different), (0,) * len(different), lambda _, v: units[v], finish)

    def _classes(self, table: Mapping[str, Any]) -> list[Any]:
        classes = {key: outcome(label) for key, (_, label) in labelled(table).items()}
        return [classes[text(v)] for v in self.values]

    def _anonymization(self, spec: Mapping[str, Any], size: int) -> Made:
        """A generalization by the mechanism that chooses one, then the classes that appear at least k times."""
        named = labelled(spec["generalizations"])
        classes = {name: self._classes(table) for name, (_, table) in named.items()}
        chooser = self.read(spec["choose"], size)

        def law(database: Database) -> Raw:
            outcomes: Raw = []
            for name, p in chooser.law(database):
                recoded = [classes[text(name)][v] for v in database]
                counts = {text(label): sum(text(x) == text(label) for x in recoded) for label in recoded}
                table = published(counts, list({text(label): label for label in recoded}.values()), spec["k"])
                outcomes.append(((name, table) if spec.get("shows-mapping") else table, p))
            return gathered(outcomes)

        return Made(law)

    def _numeric(self, spec: Mapping[str, Any], kind: str, size: int) -> Sum:
        if kind not in {"sum", "linear", "mean", "geometric-mean", "harmonic-mean", "quadratic-mean"}:
            raise Uncovered(f"mechanisms of the kind {kind}")
        at = [exact(text(v)) for v in self.values]
        factors = [exact(w) for w in spec["weights"]] if kind == "linear" else []
        if kind == "geometric-mean":
            return _plain(("*",), (1,), lambda _, v: (at[v],), lambda s: root(Fraction(s[0]), size))
        if kind == "quadratic-mean":
            return _plain(("+",), (0,), lambda _, v: (at[v] ** 2,), lambda s: root(Fraction(s[0], size), 2))
        if kind == "harmonic-mean":
            return _plain(("+",), (0,), lambda _, v: (Fraction(1, at[v]),), lambda s: outcome(Fraction(size, s[0])))

        def element(i: int, v: int) -> State:
            return (at[v] * (factors[i] if factors else 1) * Fraction(1, size if kind == "mean" else 1),)

        return _plain(("+",), (0,), element, lambda s: outcome(Fraction(s[0])))

    # --- made of others -------------------------------------------------------------------------------------------

    def _composed(self, spec: Mapping[str, Any], size: int, named: Named) -> Made:
        kind = spec["kind"]
        if kind == "part":
            if "records" not in spec:
                return self.read(spec["of"], size, named)
            records = list(indices(spec["records"]))
            inner = self.read(spec["of"], len(records), named)
            return _on_records(inner, {i: k for k, i in enumerate(records)}, records)
        if kind == "all":
            at = [entry_of(named, k, len(spec["of"])) for k in range(len(spec["of"]))]
            return _joined([self.read(inner, size, own) for inner, own in zip(spec["of"], at, strict=True)], _product)
        second = entry_of(named, 1, 2)
        if kind == "choice":
            names = [outcome(option.get("name", f"#{k}")) for k, option in enumerate(spec["of"], start=1)]
            shares = [exact(option["weight"]) for option in spec["of"]]
            shows_name = spec.get("shown", False)

            def chosen(laws: list[Callable[[], Raw]]) -> Raw:
                return [((name, o) if shows_name else o, w * p)
                        for name, w, law in zip(names, shares, laws, strict=True) if w for o, p in law()]  # fmt: skip

            named = second if shows_name else named
            return _joined([self.read(option["mechanism"], size, named) for option in spec["of"]], chosen)
        following = labelled(spec.get("next", {}))
        position = {o: k for k, o in enumerate(following, start=1)}
        mechanisms = [
            spec["first"],
            *(inner for _, inner in following.values()),
            *([spec["otherwise"]] if "otherwise" in spec else []),
        ]

        def adapted(laws: list[Callable[[], Raw]]) -> Raw:
            return [((o, x), p * q) for o, p in laws[0]()
                    for x, q in laws[position.get(text(o), len(mechanisms) - 1)]()]  # fmt: skip

        at = [entry_of(named, 0, 2), *[second] * (len(mechanisms) - 1)]
        return _joined([self.read(inner, size, own) for inner, own in zip(mechanisms, at, strict=True)], adapted)

    # --- steps ----------------------------------------------------------------------------------------------------

    def _then(self, mechanism: Made, step: Mapping[str, Any], named: list[str], size: int) -> Made:
        channel = self._channel(mechanism, step, named, size)

        def after(law: Raw) -> Raw:
            return gathered((o, p * q) for x, p in law for o, q in channel(x))

        total = mechanism.sum
        return Made(
            lambda database: after(mechanism.law(database)),
            None if total is None else total._replace(finish=lambda state: after(total.finish(state))),
        )

    def _channel(self, mechanism: Made, step: Mapping[str, Any], named: list[str], size: int) -> Callable[[Any], Raw]:
        if "kind" not in step:
            listed = step.get("rows", step.get("table", []))
            rows = {text(outcome(row["input"])): self._row(row) for row in listed}
            if len(rows) < len(listed):
                raise Rejected("the model file has a step with two rows for one input")
            otherwise = self._otherwise(step)
            return lambda output: rows.get(text(output), otherwise) or []
        if step["kind"] == "randomized-response":
            return lambda output: self._responded(output, exact(step["keep"]))
        if step["kind"] != "geometric-noise":
            raise Uncovered(f"steps of the kind {step['kind']}")
        integers = [int(label) for label in [*self._outputs(mechanism, size), *named] if INTEGER.fullmatch(label)]
        low, high, p = min(integers, default=0), max(integers, default=0), exact(step["p"])
        return lambda o: [(o, ONE)] if text(o) == NO_ANSWER else geometric(int(text(o)), p, low, high)

    def _outputs(self, mechanism: Made, size: int) -> set[str]:
        """The texts of all outputs, on all databases that have a law."""
        if mechanism.sum is not None:
            total, states = mechanism.sum, {mechanism.sum.zero}
            for i in range(size):
                elements = {e for v in range(len(self.values)) for e, _ in total.draw(i, v)}
                states = {total.add(state, e) for state in states for e in elements}
                if len(states) > MOST:
                    raise Uncovered("noise on very many sums")
            return {text(o) for state in states for o, _ in total.finish(state)}
        if len(self.values) ** size > MOST:
            raise Uncovered("noise on the outputs of very many databases")
        texts: set[str] = set()
        for database in product(range(len(self.values)), repeat=size):
            try:
                texts |= {text(o) for o, _ in mechanism.law(database)}
            except Rejected:  # a table without this row
                continue
        return texts


def _plain(
    operations: tuple[str, ...],
    zero: State,
    element: Callable[[int, int], State],
    finish: Callable[[State], Any],
) -> Sum:
    """A sum of which nothing is random."""
    return Sum(operations, zero, lambda i, v: [(element(i, v), ONE)], lambda state: [(finish(state), ONE)])


def _of_sum(total: Sum) -> Made:
    return Made(total.law, total)


def _thinned(total: Sum, rate: Fraction) -> Sum:
    """Each record kept with a probability, else it adds nothing."""

    def draw(i: int, v: int) -> list[tuple[State, Fraction]]:
        draws = summed([(total.zero, 1 - rate), *((element, p * rate) for element, p in total.draw(i, v))])
        return [(element, p) for element, p in draws.items() if p]

    return total._replace(draw=draw)


def _on_records(inner: Made, position: Mapping[int, int], records: Sequence[int]) -> Made:
    """A mechanism that sees some records alone; the others add nothing."""
    total = inner.sum
    return Made(
        lambda database: inner.law(tuple(database[i] for i in records)),
        None if total is None else total._replace(
            draw=lambda i, v: total.draw(position[i], v) if i in position else [(total.zero, ONE)]
        ),
    )  # fmt: skip


def _product(laws: list[Callable[[], Raw]]) -> Raw:
    """Independent outputs, as a list."""
    outcomes = [law() for law in laws]
    if prod(map(len, outcomes)) > MOST:
        raise Uncovered("a law has too many outcomes")
    return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*outcomes)]


def _joined(mechanisms: list[Made], how: Callable[[list[Callable[[], Raw]]], Raw]) -> Made:
    """One mechanism from several: on the database, and on their sums side by side where all have one."""

    def law(database: Database) -> Raw:
        return gathered(how([lambda made=made: made.law(database) for made in mechanisms]))  # type: ignore[misc]

    sums = [made.sum for made in mechanisms if made.sum is not None]
    if len(sums) < len(mechanisms):
        return Made(law)
    ends = [sum(len(total.zero) for total in sums[:k]) for k in range(len(sums) + 1)]

    def draw(i: int, v: int) -> list[tuple[State, Fraction]]:
        combinations = product(*(total.draw(i, v) for total in sums))
        return [(tuple(x for e, _ in c for x in e), prod((p for _, p in c), start=ONE)) for c in combinations]

    def finish(state: State) -> Raw:
        slices = [state[a:b] for a, b in pairwise(ends)]
        return gathered(how([lambda s=s, x=x: s.finish(x) for s, x in zip(sums, slices, strict=True)]))  # type: ignore[misc]

    zero = tuple(x for total in sums for x in total.zero)
    return Made(law, Sum(tuple(op for total in sums for op in total.operations), zero, draw, finish))
