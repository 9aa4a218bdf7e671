"""The mechanisms of a model file, read strictly and evaluated again from their keys (models/FORMAT.md).

A mechanism (`Made`) is a law on each database. Most kinds are a `Sum` over the records, coordinate by coordinate, and
an output for every sum: certificates without tables list those. `compare` compares what a certificate lists with what
is made here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import pairwise, product
from math import prod
from typing import Any, NamedTuple, TypeAlias

from verifier.checker import Rejected
from verifier.checker.laws import summed
from verifier.checker.model.labels import (
    INTEGER,
    MOST,
    NO_ANSWER,
    Raw,
    Uncovered,
    chance,
    chosen,
    distinct,
    entries,
    entry_of,
    exact,
    gathered,
    geometric,
    indices,
    inputs_of,
    integer,
    is_part,
    keyed,
    labelled,
    leaves,
    listed_rows,
    listing,
    outcome,
    power,
    published,
    refused,
    root,
    text,
)
from verifier.checker.numbers import ONE

Database: TypeAlias = tuple[int, ...]
"""A database as places in the list of values."""
State: TypeAlias = tuple[Any, ...]


class Made(NamedTuple):
    """A mechanism: the sum over the records of what each draws, coordinate by coordinate, and the output law of a sum.

    `draw` is the law of what record i adds with the value v. Where a coordinate has the operation `list`, it adds the
    record itself: so any function of the database is such a sum; `listed` says that one is there.
    `any_size` says that it is defined whatever the number of records, as a sample asks; `partial` that it has no law on
    some databases; `tails` has the lumped tails of noise among its outputs.
    """

    operations: tuple[str, ...]
    zero: State
    draw: Callable[[int, int], list[tuple[State, Fraction]]]
    finish: Callable[[State], Raw]
    any_size: bool = False
    partial: bool = False
    tails: frozenset[str] = frozenset()

    @property
    def listed(self) -> bool:
        """Whether it lists records, so that there are as many sums as databases."""
        return "list" in self.operations

    def add(self, x: State, y: State) -> State:
        """The sum of two states, coordinate by coordinate."""
        return tuple([STEPS[step](p, q) for step, p, q in zip(self.operations, x, y, strict=True)])

    def law(self, database: Database) -> Raw:
        """The output law on a database."""
        states = {self.zero: ONE}
        for i, v in enumerate(database):
            drawn = self.draw(i, v)
            states = summed((self.add(state, element), p * q) for state, p in states.items() for element, q in drawn)
        return gathered((o, p * q) for state, p in states.items() for o, q in self.finish(state))

    def reached(self, sizes: range, values: int, most: int) -> Iterator[State]:
        """All sums on databases of these sizes.

        Raises:
            Uncovered: where there are more than `most`, or 64 times as many steps on the way.

        """
        if self.listed and (sum(values**n for n in sizes[: most.bit_length()]) > most or len(sizes) > most):
            raise Uncovered("what follows the outputs of very many databases")
        states, work = {self.zero}, sizes.stop
        for i in range(sizes.stop):
            if work > 64 * most or len(states) > most:
                raise Uncovered("what follows very many sums")
            if i in sizes:
                yield from states
            if i + 1 < sizes.stop:
                elements = {e for v in range(values) for e, _ in self.draw(i, v)}
                work += len(states) * len(elements)
                states = {self.add(state, e) for state in states for e in elements} if work <= 64 * most else states

    def outputs(self, sizes: range, values: int, most: int) -> set[str]:
        """The texts of all outputs, on all databases of these sizes that have a law.

        Raises:
            Uncovered: where more than `most` sums, or 64 times as many steps, would be looked at.

        """
        texts: set[str] = set()
        seen = 0
        for state in self.reached(sizes, values, most):
            with suppress(Rejected):  # a table without this row
                law = self.finish(state)
                seen += len(law)
                texts |= {text(o) for o, _ in law}
            if seen > 64 * most:
                raise Uncovered("what follows very many outputs")
        return texts

    def after(self, channel: Callable[[Any], Raw], tails: frozenset[str]) -> Made:
        """The mechanism with a channel behind it."""
        return self._replace(
            finish=lambda state: gathered((o, p * q) for x, p in self.finish(state) for o, q in channel(x)), tails=tails
        )

    def thinned(self, rate: Fraction) -> Made:
        """Each record kept with a probability, else it adds nothing."""

        def draw(i: int, v: int) -> list[tuple[State, Fraction]]:
            draws = summed([(self.zero, 1 - rate), *((element, p * rate) for element, p in self.draw(i, v))])
            return [(element, p) for element, p in draws.items() if p]

        return self._replace(draw=draw)

    def on_records(self, position: Mapping[int, int]) -> Made:
        """The mechanism on some records alone, by their positions in it; the others add nothing."""
        return self._replace(draw=lambda i, v: self.draw(position[i], v) if i in position else [(self.zero, ONE)])


STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "*": operator.mul,
    "max": max,
    "min": min,
    "mod 2": lambda x, y: (x + y) % 2,
    "list": lambda x, y: tuple(sorted(x + y)),
}


def plain(
    operations: tuple[str, ...], zero: State, element: Callable[[int, int], State], finish: Callable[[State], Any]
) -> Made:
    """A sum of which nothing is random."""
    return Made(operations, zero, lambda i, v: [(element(i, v), ONE)], lambda state: [(finish(state), ONE)])


def side_by_side(laws: list[Callable[[], Raw]]) -> Raw:
    """Independent outputs, as a list."""
    outcomes = [law() for law in laws]
    if prod(map(len, outcomes)) > MOST:
        raise Uncovered("a law has too many outcomes")
    return [(tuple(o for o, _ in c), prod((p for _, p in c), start=ONE)) for c in product(*outcomes)]


def joined(mechanisms: list[Made], how: Callable[[list[Callable[[], Raw]]], Raw]) -> Made:
    """One mechanism from several: their sums side by side, and an output law from theirs."""
    ends = [sum(len(made.zero) for made in mechanisms[:k]) for k in range(len(mechanisms) + 1)]

    def draw(i: int, v: int) -> list[tuple[State, Fraction]]:
        combinations = product(*(made.draw(i, v) for made in mechanisms))
        return [(tuple(x for e, _ in c for x in e), prod((p for _, p in c), start=ONE)) for c in combinations]

    def finish(state: State) -> Raw:
        slices = [state[a:b] for a, b in pairwise(ends)]
        return gathered(how([partial(made.finish, x) for made, x in zip(mechanisms, slices, strict=True)]))

    return Made(
        tuple(step for made in mechanisms for step in made.operations),
        tuple(x for made in mechanisms for x in made.zero),
        draw,
        finish,
        all(made.any_size for made in mechanisms),
        any(made.partial for made in mechanisms),
        frozenset[str]().union(*(made.tails for made in mechanisms)),
    )


# --- all kinds --------------------------------------------------------------------------------------------------------

Named: TypeAlias = tuple[Any, ...]
"""Outputs that `[policy]` names: noise at the end has no tail in which one of them lies."""
ROWS = ("rows", "table")
EVERYWHERE = ("then", "sample")
"""The keys that any mechanism may have."""
AMOUNTS = ("keep", "truth", "epsilon")
"""The keys of which randomized response has exactly one."""
MOST_FOLLOWED = 1 << 13
"""Most outputs that are compared with the rows that follow them."""


def noisy(output: Any, *, p: Fraction, low: int, high: int) -> Raw:
    """An integer with geometric noise; no answer stays none."""
    return [(output, ONE)] if text(output) == NO_ANSWER else geometric(int(text(output)), p, low, high)


class Spec(dict[str, Any]):
    """The table of a mechanism on `size` records; `named` are outputs that noise at the end keeps apart."""

    def __init__(self, keys: Mapping[str, Any], size: int, named: Named) -> None:
        super().__init__(keys)
        self.size, self.named = size, named


class Kinds:
    """Reads mechanisms against T, the values of a file, each with its place.

    `least` is the smallest size of databases that are multisets, None where they are lists. With `positive` each
    probability is read as a positive one, so that the outputs are all that can be named.
    """

    def __init__(self, values: Sequence[Any], least: int | None = None, *, positive: bool = False) -> None:
        self.values, self.least, self.positive = list(values), least, positive
        self.position = {text(v): k for k, v in enumerate(values)}

    def place(self, value: Any) -> int:
        """The place of a value in T."""
        if (written := text(outcome(value))) not in self.position:
            raise refused(value, "one of the values")
        return self.position[written]

    def database(self, row: Any, size: int) -> Database:
        """A database as places in T; a multiset in the order of T."""
        places = tuple(map(self.place, listing(row, size if self.least is None else None)))
        if self.least is None:
            return places
        if not self.least <= len(places) <= size:
            raise refused(row, f"{self.least} to {size} values")
        return tuple(sorted(places))

    def chance(self, value: Any) -> Fraction:
        """A probability of a channel."""
        p = chance(value)
        return Fraction(1, 2) if self.positive else p

    def law_of(self, table: Any) -> Raw:
        """A law on labels; it must sum to 1."""
        law = [(key, chance(p)) for key, p in labelled(table).values()]
        if self.positive:
            law = [(key, Fraction(1, len(law))) for key, _ in law]
        if sum(p for _, p in law) != 1:
            raise Rejected("the model file has a table of probabilities that is no law")
        return gathered(law)

    def read(self, spec: Any, size: int, named: Named = (), *, sampled: bool = True, known: bool = False) -> Made:
        """The mechanism of a table, on `size` records; not `sampled`: without the sample that comes first.

        `named` are outputs that noise at the end keeps apart from its tails.
        `known` is what is known, of which the key `records` alone tells the values of these records.
        """
        if known and isinstance(spec, dict) and not {"kind", *ROWS} & set(spec):
            spec = {**keyed(spec, ("records",), EVERYWHERE), "kind": "records"}
        if not isinstance(spec, dict) or len({"kind", *ROWS} & set(spec)) != 1:
            raise refused(spec, "a mechanism: one of kind, rows, table")
        if "sample" in spec and self.least:  # samples of multisets have any size
            return Kinds(self.values, 0, positive=self.positive).read(spec, size, named, sampled=sampled)
        steps = listing(spec.get("then", []))
        mechanism = self._kind(Spec(spec, size, () if steps else named)) if "kind" in spec else self._table(spec, size)
        if "sample" in spec:
            rate = self.chance(spec["sample"])
            if self.least is None and not mechanism.any_size:
                raise refused(spec.get("kind"), f"one of {', '.join(ANY_SIZE)}, which can be sampled")
            if sampled and mechanism.listed:
                raise Uncovered("the sample of a mechanism that is no sum")
            if sampled:
                mechanism = mechanism.thinned(rate)._replace(partial=False)
        for number, step in enumerate(steps):
            before = {**spec, "then": steps[:number]}
            if self.least is not None:
                before.pop("sample", None)
            later = [inputs_of(after) for after in steps[number + 1 :]] or [list(named)]
            told = [text(o) for inputs in later for o in inputs]
            mechanism = mechanism.after(*self._channel(mechanism, step, told, size, before))
        return mechanism

    def _table(self, spec: Mapping[str, Any], size: int) -> Made:
        keyed(spec, (), ("otherwise", *EVERYWHERE), one_of=ROWS)
        rows: dict[Database, Raw] = {}
        for row in listed_rows(spec):
            keyed(row, ("database",), (), one_of=("output", "outputs"))
            database = self.database(row["database"], size)
            if database in rows:
                raise Rejected("the model file's mechanism has two rows on one database")
            rows[database] = self._row(row)
        otherwise = self._otherwise(spec)
        if not rows and otherwise is None:
            raise refused("an empty table", "rows, or otherwise")

        def law(database: Database) -> Raw:
            row = rows.get(database, otherwise)
            if row is None:
                raise Rejected(f"the model file has no row for {[text(self.values[v]) for v in database]}")
            return row

        return self.of_database(law)._replace(partial=otherwise is None)

    def of_database(self, law: Callable[[Database], Raw]) -> Made:
        """The mechanism with a law for each database, which is a list of records with their places, or a multiset."""
        if self.least is not None:
            return Made(("list",), ((),), lambda _, v: [(((v,),), ONE)], lambda state: law(state[0]))
        return Made(
            ("list",), ((),), lambda i, v: [((((i, v),),), ONE)], lambda state: law(tuple(v for _, v in state[0]))
        )

    def _row(self, row: Mapping[str, Any]) -> Raw:
        return [(outcome(row["output"]), ONE)] if "output" in row else self.law_of(row["outputs"])

    def _otherwise(self, spec: Mapping[str, Any]) -> Raw | None:
        if "otherwise" not in spec:
            return None
        otherwise = spec["otherwise"]
        return self.law_of(otherwise) if isinstance(otherwise, dict) else [(outcome(otherwise), ONE)]

    # --- kinds ----------------------------------------------------------------------------------------------------

    def _kind(self, spec: Spec) -> Made:
        kind = KINDS[chosen(spec["kind"], KINDS)]
        keyed(spec, ("kind", *kind.needed), (*kind.allowed, *EVERYWHERE))
        if self.least is not None and not (kind.any_size or kind.of_others):
            raise refused(spec["kind"], "a kind that treats any number of records alike")
        made = kind.make(self, spec)
        return made if kind.of_others else made._replace(any_size=kind.any_size)

    def constant(self, spec: Spec) -> Made:
        """One output, on every database."""
        output = outcome(spec["output"])
        return plain((), (), lambda _i, _v: (), lambda _: output)

    def _counted(self, spec: Mapping[str, Any], *, needed: bool) -> list[str]:
        """The texts of the values that a kind counts; all of T where it names none and need not."""
        if needed and ("value" in spec) == ("values" in spec):
            raise refused(spec["kind"], "exactly one of value, values")
        named = [spec["value"]] if "value" in spec else listing(spec.get("values", self.values))
        return [text(self.values[v]) for v in distinct(map(self.place, named), "distinct values")]

    def count(self, spec: Spec) -> Made:
        """A count, its parity, or the count where it is above a threshold."""
        counting = self._counted(spec, needed=True)
        counted = [(int(text(v) in counting),) for v in self.values]
        above, otherwise = integer(spec.get("above", -1)), outcome(spec.get("otherwise", NO_ANSWER))
        return plain(
            ("mod 2" if spec["kind"] == "parity" else "+",),
            (0,),
            lambda _, v: counted[v],
            lambda s: s[0] if s[0] > above else otherwise,
        )

    def extreme(self, spec: Spec) -> Made:
        """The largest or the smallest value, in the order of T."""
        zero = -1 if spec["kind"] == "maximum" else len(self.values)
        return plain((spec["kind"][:3],), (zero,), lambda _, v: (v,), lambda s: self.values[s[0]])

    def _counts(self, labels: Sequence[str], finish: Callable[[State], Any], of: Sequence[str] = ()) -> Made:
        """The number of records with each label; `of` has the label of each value, which else is its text."""
        of = of or [text(v) for v in self.values]
        columns = [tuple(int(own == label) for label in labels) for own in of]
        return plain(("+",) * len(labels), (0,) * len(labels), lambda _, v: columns[v], finish)

    def mode(self, spec: Spec) -> Made:
        """The value that most records have, the first of several."""
        chosen(spec.get("ties", "first"), ["first"])
        return self._counts(list(self.position), lambda s: self.values[s.index(max(s))])

    def histogram(self, spec: Spec) -> Made:
        """The number of records with each value; with `k` only those that are large enough."""
        kept_at_k = chosen(spec.get("keep", ">="), [">=", ">"]) == ">="
        least = integer(spec["k"], 1) + (not kept_at_k) if "k" in spec else 0
        labels = self._counted(spec, needed=False)
        return self._counts(labels, lambda s: tuple(k if k >= least else NO_ANSWER for k in s))

    def apply(self, spec: Spec) -> Made:
        """The classes that appear at least k times, each as often as it appears."""
        classes, k = self.classes(spec["generalization"]), integer(spec["k"], 1)
        of = list(map(text, classes))
        different = dict(zip(of, classes, strict=True))

        def finish(state: State) -> Any:
            return published(dict(zip(different, state, strict=True)), list(different.values()), k)

        return self._counts(list(different), finish, of)

    def classes(self, table: Any) -> list[Any]:
        """The class of each value; no key is none of them."""
        classes = {self.place(key): outcome(label) for key, (_, label) in labelled(table).items()}
        if len(classes) < len(self.values):
            raise refused(list(table), "a class for every value")
        return [classes[v] for v in range(len(self.values))]

    def numeric(self, spec: Spec) -> Made:
        """A sum, or a mean, of values that are numbers."""
        kind, at = spec["kind"], [exact(text(v)) for v in self.values]
        factors = [exact(w) for w in listing(spec["weights"], spec.size)] if kind == "linear" else [ONE] * spec.size
        if kind in {"geometric-mean", "harmonic-mean"} and min(at) <= 0:
            raise refused(kind, "positive values")
        if kind == "geometric-mean":
            return plain(("*",), (1,), lambda _, v: (at[v],), lambda s: root(Fraction(s[0]), spec.size))
        if kind == "quadratic-mean":
            return plain(("+",), (0,), lambda _, v: (at[v] ** 2,), lambda s: root(Fraction(s[0], spec.size), 2))
        if kind == "harmonic-mean":
            return plain(("+",), (0,), lambda _, v: (Fraction(1, at[v]),), lambda s: outcome(Fraction(spec.size, s[0])))
        share = Fraction(1, spec.size if kind == "mean" else 1)
        return plain(("+",), (0,), lambda i, v: (at[v] * factors[i] * share,), lambda s: outcome(Fraction(s[0])))

    def listed(self, spec: Spec) -> Made:
        """The values of some records as a list, each kept with a probability, else uniform over T."""
        records = indices(spec["records"], spec.size) if "records" in spec else range(spec.size)
        keep = self._kept(spec) if spec["kind"] == "randomized-response" else ONE
        return self.of_database(
            lambda database: self._responded(tuple(self.values[database[i]] for i in records), keep)
        )

    def _kept(self, spec: Mapping[str, Any]) -> Fraction:
        """The keep of randomized response: given, or from the chance of the true value, or from ε.

        With k values the true one has the chance truth = keep + (1 - keep)/k, and the largest ratio of two reports is
        e^ε = truth/((1 - truth)/(k - 1)). Both are solved for keep.
        """
        if sum(way in spec for way in AMOUNTS) != 1:
            raise refused(list(spec), f"exactly one of {', '.join(AMOUNTS)}")
        if "keep" in spec:
            return self.chance(spec["keep"])
        k, ratio = len(self.values), power(spec["epsilon"]) if "epsilon" in spec else None
        truth = chance(spec["truth"]) if ratio is None else ratio / (ratio + k - 1)
        if k == 1 and truth != 1:
            raise refused(spec["truth"], "1, since there is one value")
        if self.positive:
            return Fraction(1, 2)
        return ONE if k == 1 else (truth - Fraction(1, k)) / (1 - Fraction(1, k))

    def _responded(self, value: Any, keep: Fraction) -> Raw:
        if isinstance(value, tuple) and text(value) not in self.position:
            if keep == 1:
                return [(value, ONE)]
            if len(self.values) ** len(value) > MOST:
                raise Uncovered("randomized response on a long list")
            law: Raw = [((), ONE)]
            for entry in value:
                answers = self._responded(entry, keep)
                law = [((*o, x), p * q) for o, p in law for x, q in answers]
            return law
        share = (1 - keep) * Fraction(1, len(self.values))
        return [(v, p) for v in self.values if (p := share + (keep if text(v) == text(value) else 0))]

    def anonymization(self, spec: Spec) -> Made:
        """A generalization by the mechanism that chooses one, then the classes that appear at least k times."""
        named, k = labelled(spec["generalizations"]), integer(spec["k"], 1)
        classes = {name: self.classes(table) for name, (_, table) in named.items()}
        shown = chosen(spec.get("shows-mapping", False), [True, False])
        chooser = self.read(spec["choose"], spec.size)
        if not named or not self._among(chooser, spec.size, classes):
            raise refused(list(named), "a generalization for each output of `choose`")

        def law(database: Database) -> Raw:
            outcomes: Raw = []
            for name, p in chooser.law(database):
                recoded = [classes[text(name)][v] for v in database]
                counts = {text(label): sum(text(x) == text(label) for x in recoded) for label in recoded}
                table = published(counts, list({text(label): label for label in recoded}.values()), k)
                outcomes.append(((name, table) if shown else table, p))
            return gathered(outcomes)

        return self.of_database(law)._replace(partial=chooser.partial)

    # --- made of others -------------------------------------------------------------------------------------------

    def all(self, spec: Spec) -> Made:
        """Several mechanisms on the same database."""
        if not (parts := listing(spec["of"])):
            raise refused(parts, "at least one mechanism")
        return joined(
            [self.read(part, spec.size, entry_of(spec.named, k, len(parts))) for k, part in enumerate(parts)],
            side_by_side,
        )

    def choice(self, spec: Spec) -> Made:
        """One of several mechanisms, at random."""
        options = [keyed(option, ("weight", "mechanism"), ("name",)) for option in listing(spec["of"])]
        names = [outcome(option.get("name", f"#{k}")) for k, option in enumerate(options, start=1)]
        distinct(map(text, names), "distinct names")
        shares = [chance(option["weight"]) for option in options]
        if sum(shares) != 1:
            raise refused(shares, "weights that sum to 1")
        if self.positive:
            shares = [Fraction(1, len(options))] * len(options)
        shown = chosen(spec.get("shown", False), [True, False])
        named = entry_of(spec.named, 1, 2) if shown else spec.named
        mechanisms = [self.read(option["mechanism"], spec.size, named) for option in options]
        if not shown and any(made.tails for made in mechanisms):
            raise refused(
                spec["kind"], "shown = true, or noise after the choice: the tails of one cut those of another"
            )

        def drawn(laws: list[Callable[[], Raw]]) -> Raw:
            return [((name, o) if shown else o, w * p)
                    for name, w, law in zip(names, shares, laws, strict=True) if w for o, p in law()]  # fmt: skip

        return joined(mechanisms, drawn)

    def part(self, spec: Spec) -> Made:
        """A mechanism on some records."""
        if "records" not in spec:
            return self.read(spec["of"], spec.size, spec.named)
        records = list(indices(spec["records"], spec.size))
        if not records or self.least is not None:
            raise refused(spec["records"], "at least one record, of databases of one size")
        return self.read(spec["of"], len(records), spec.named).on_records({i: k for k, i in enumerate(records)})

    def adaptive(self, spec: Spec) -> Made:
        """A mechanism, then one that its output chooses."""
        following = labelled(spec.get("next", {}))
        position = {o: k for k, o in enumerate(following, start=1)}
        others = [spec["otherwise"]] if "otherwise" in spec else []
        if not following and not others:
            raise refused(spec["kind"], "next, or otherwise")
        second = entry_of(spec.named, 1, 2)
        mechanisms = [
            self.read(spec["first"], spec.size, entry_of(spec.named, 0, 2)),
            *(self.read(inner, spec.size, second) for inner in (*(m for _, m in following.values()), *others)),
        ]
        self._followed(mechanisms[0], spec.size, following, spec["first"], complete=not others)

        def adapted(laws: list[Callable[[], Raw]]) -> Raw:
            if not others and any(text(o) not in position for o, _ in laws[0]()):
                raise Rejected("the model file has no mechanism for an output of the first")
            return [((o, x), p * q) for o, p in laws[0]()
                    for x, q in laws[position.get(text(o), len(mechanisms) - 1)]()]  # fmt: skip

        return joined(mechanisms, adapted)

    # --- steps ----------------------------------------------------------------------------------------------------

    def _channel(
        self, mechanism: Made, step: Any, named: list[str], size: int, before: Mapping[str, Any]
    ) -> tuple[Callable[[Any], Raw], frozenset[str]]:
        """The channel of a step, and the lumped tails among its outputs.

        `before` is the table of the mechanism without that step, `named` what later steps name.
        """
        if not isinstance(step, dict) or "kind" not in step:
            return self._step_rows(mechanism, step, size, before), frozenset()
        if chosen(step["kind"], ["randomized-response", "geometric-noise"]) == "randomized-response":
            keep = self._kept(keyed(step, ("kind",), AMOUNTS))
            if mechanism.tails:
                raise refused(step["kind"], "a step of rows between noise and randomized response")
            if not self._among(mechanism, size, self.position, lists=True):
                raise refused(step["kind"], "an output that is a value, or a list of values")
            return lambda output: self._responded(output, keep), frozenset()
        keyed(step, ("kind",), (), one_of=("p", "epsilon"))
        p = exact(step["p"]) if "p" in step else 1 / power(step["epsilon"])
        if not 0 < p < 1:
            raise refused(step, "0 < p < 1, or ε > 0")
        outputs = {label: entries(label) for label in self._outputs(mechanism, size, MOST)}
        lengths = {-1 if listed is None else len(listed) for listed in outputs.values()}
        if len(lengths) != 1 or 0 in lengths:
            raise refused(step["kind"], "outputs that are integers, or lists of them of one length")
        (length,) = lengths
        if length < 0:
            low, high = self._ends(step, outputs, named)
            return partial(noisy, p=p, low=low, high=high), frozenset((f"< {low}", f"> {high}"))
        told = [listed for listed in map(entries, named) if listed is not None and len(listed) == length]
        ends = [
            self._ends(step, [listed[k] for listed in outputs.values() if listed], [listed[k] for listed in told])
            for k in range(length)
        ]

        def each(output: Any) -> Raw:
            return side_by_side(
                [partial(noisy, entry, p=p, low=low, high=high)
                 for entry, (low, high) in zip(outcome(output), ends, strict=True)]
            )  # fmt: skip

        return each, frozenset(tail for low, high in ends for tail in (f"< {low}", f"> {high}"))

    def _ends(self, step: Mapping[str, Any], labels: Iterable[str], named: Iterable[str]) -> tuple[int, int]:
        """The smallest and the largest integer to which noise is added, or that is named behind it."""
        labels = list(labels)
        if not all(INTEGER.fullmatch(label) or label == NO_ANSWER for label in labels):
            raise refused(step["kind"], "outputs that are integers, or lists of them of one length")
        integers = [int(label) for label in [*labels, *named] if INTEGER.fullmatch(label)]
        return min(integers, default=0), max(integers, default=0)

    def _step_rows(self, mechanism: Made, step: Any, size: int, before: Mapping[str, Any]) -> Callable[[Any], Raw]:
        keyed(step, (), ("otherwise",), one_of=ROWS)
        listed = listed_rows(step)
        rows = {
            text(outcome(row["input"])): self._row(row)
            for row in listed
            if keyed(row, ("input",), (), one_of=("output", "outputs"))
        }
        if len(rows) < len(listed):
            raise Rejected("the model file has a step with two rows for one input")
        otherwise = self._otherwise(step)
        self._followed(mechanism, size, rows, before, complete=otherwise is None)

        def channel(output: Any) -> Raw:
            law = rows.get(text(output), otherwise)
            if law is None:
                raise Rejected(f"the model file has a step without a row for {text(output)[:40]}")
            return law

        return channel

    def told(self, made: Made, size: int, table: Sequence[Any], spec: Any, named: Named) -> None:
        """Refuse a table of `[policy]` with a part of a tail, or with an output that never comes.

        A table with every output may have others too: it is a function on a larger set. `spec` is the mechanism.
        """
        for leaf in {text(leaf) for value in table for leaf in leaves(value)}:
            if any(is_part(leaf, tail) for tail in made.tails):
                raise refused(leaf, "outputs of the mechanism, and a tail as a whole")
        texts = {text(value) for value in table}
        with suppress(Uncovered):
            if self._outputs(made, size) <= texts:
                return
        self._followed(made, size, texts, spec, named, complete=False)

    def _followed(
        self, made: Made, size: int, named: Iterable[str], before: Any, apart: Named = (), *, complete: bool
    ) -> None:
        """Refuse rows for outputs that never come, and, where they are to be complete, outputs without a row.

        What comes only with probability 0 may be named: `before` is read again with all probabilities positive.
        """
        try:
            outputs = self._outputs(made, size)
            if complete and not outputs <= set(named):
                raise refused(min(outputs - set(named)), "a row, or otherwise")
            if self.positive or set(named) <= outputs:
                return
            outputs = self._outputs(Kinds(self.values, self.least, positive=True).read(before, size, apart), size)
        except Uncovered:
            return
        if not set(named) <= outputs:
            raise refused(min(set(named) - outputs), "an output of the mechanism before it")

    def _outputs(self, made: Made, size: int, most: int = MOST_FOLLOWED) -> set[str]:
        """The texts of the outputs on all databases of the file."""
        sizes = range(size if self.least is None else self.least, size + 1)
        return made.outputs(sizes, len(self.values), most)

    def _among(self, made: Made, size: int, texts: Iterable[str], *, lists: bool = False) -> bool:
        """Whether all outputs are among some texts, or, with `lists`, lists of them; so, where they are very many."""
        try:
            outputs = self._outputs(made, size)
        except Uncovered:
            return True
        known = set(texts)
        parts = [map(text, o) if lists and isinstance(o, tuple) else [text(o)]
                 for o in map(outcome, outputs - known)]  # fmt: skip
        return all(known.issuperset(part) for part in parts)


class Kind(NamedTuple):
    """A kind of mechanism: what makes it from its table, the keys that it needs, and those that it may have.

    `any_size`: it is defined on any number of records, and treats them alike. `of_others`: so it is where the
    mechanisms that it is made of are.
    """

    make: Callable[[Kinds, Spec], Made]
    needed: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    any_size: bool = False
    of_others: bool = False


KINDS = {
    "constant": Kind(Kinds.constant, ("output",), any_size=True),
    "identity": Kind(Kinds.listed),
    "records": Kind(Kinds.listed, ("records",)),
    "randomized-response": Kind(Kinds.listed, (), (*AMOUNTS, "records")),
    "count": Kind(Kinds.count, (), ("value", "values"), any_size=True),
    "threshold-count": Kind(Kinds.count, ("above",), ("value", "values", "otherwise"), any_size=True),
    "sum": Kind(Kinds.numeric, any_size=True),
    "parity": Kind(Kinds.count, (), ("value", "values"), any_size=True),
    **dict.fromkeys(("mean", "geometric-mean", "harmonic-mean", "quadratic-mean"), Kind(Kinds.numeric)),
    **dict.fromkeys(("maximum", "minimum"), Kind(Kinds.extreme)),
    "linear": Kind(Kinds.numeric, ("weights",)),
    "mode": Kind(Kinds.mode, (), ("ties",)),
    "histogram": Kind(Kinds.histogram, (), ("values",), any_size=True),
    "k-anonymous-histogram": Kind(Kinds.histogram, ("k",), ("values", "keep"), any_size=True),
    "apply": Kind(Kinds.apply, ("k", "generalization"), any_size=True),
    "k-anonymization": Kind(
        Kinds.anonymization, ("k", "generalizations", "choose"), ("shows-mapping",), of_others=True
    ),
    "all": Kind(Kinds.all, ("of",), of_others=True),
    "adaptive": Kind(Kinds.adaptive, ("first",), ("next", "otherwise"), of_others=True),
    "part": Kind(Kinds.part, ("of",), ("records",), of_others=True),
    "choice": Kind(Kinds.choice, ("of",), ("shown",), of_others=True),
}
ANY_SIZE = tuple(name for name, kind in KINDS.items() if kind.any_size)
