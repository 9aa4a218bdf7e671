"""The pass over the scope: `python docs/matrix/build.py` makes `verifier/wings/implications/data/cover.json`.

It decides every definition on every model of the scope, stops at a contradiction with what is proved, and keeps a small
set of models that separates every pair that some model separates. For pairs of linear ratio definitions that are still
open, exchange rates look at all mechanisms on the θ, knowledge and [policy] of a few drawn models; the mechanisms that
an earlier pass found in this way are part of the scope. It takes some minutes; the tests decide the kept models again,
with the re-check.

The scope (`scope.toml`) has bundled models, and small models with θ and [policy] that are drawn with a seed. The
smallest ε of each must agree with each proved chain whose condition the model meets.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import chain as chained
from itertools import combinations, combinations_with_replacement, permutations, product
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from map_values import Numbers, value_at_most
from pair_rates import pair_rates, rows_by_definition

from verifier.definitions import find
from verifier.engine import Engine
from verifier.errors import LimitError, PkdpError, UndecidedError, UnsupportedError
from verifier.model import Model, loads, read
from verifier.model.library import models_folder
from verifier.model.write import inline
from verifier.numbers import Enclosure, Epsilon
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers.rational import number_or_none
from verifier.questions.check import check
from verifier.wings.exchange.answer import NO, YES, Exchange
from verifier.wings.exchange.rate import convert
from verifier.wings.implications.conditions import CONDITIONS, OF_PAPERS
from verifier.wings.implications.facts import DELTA, LEVELS, SAME, SOME
from verifier.wings.implications.maps import SAME_MAP
from verifier.wings.implications.matrix.closure import Chain, proved
from verifier.wings.implications.matrix.matrix import (
    COVER,
    INF,
    OPEN,
    PRECISION,
    VACUOUS,
    Cover,
    CoverModel,
    Pair,
    bounds,
    larger,
    matrix_of,
    separated,
)
from verifier.wings.implications.parts import decided, passport_key

OUTPUTS = ("y", "n", "z")
EXAMPLES = ("chi-squared", "total-variation", "abs-1", "abs-3", "kl", "renyi-2")
"""Some of the names that `[policy] divergence` can have; random models have one of these."""
OF_THETA = frozenset({"all-possible", "nothing-known", "records-known", *OF_PAPERS})
"""The conditions on θ and B̂, which need a θ."""
LONGEST = 80
"""Greatest length of the exact text of a smallest ε that is kept; instead of a longer text two bounds are kept."""
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
    return tomllib.loads(Path(__file__).with_name("scope.toml").read_text(encoding="utf-8"))


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
            "divergence": random.choice(EXAMPLES),
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


@dataclass(frozen=True)
class Contradiction:
    """A pair that a chain proves and a model refutes, with the two smallest ε."""

    source: str
    target: str
    delta: str
    first: str
    second: str
    chain: Chain

    def __str__(self) -> str:
        facts = "; ".join(fact.sentence for fact in self.chain.facts) or "the two have the same parts"
        return f"{self.source} ⟹ {self.target} at δ = {self.delta}: {self.first}, then {self.second} ({facts})"


def conditions_met(model: Model) -> frozenset[str]:
    """The keys of the conditions that a model meets; of those on θ and B̂ none without a θ on databases of one size."""
    has_theta = model.sizes is None and bool(model.thetas)
    return frozenset(
        key for key, each in CONDITIONS.items() if (has_theta or key not in OF_THETA) and each.holds(model)
    )


def numbers_of(model: Model) -> Numbers:
    """The parameters of a model that maps read; None where it has none.

    ξ is 0 where [policy] leaves it out, as in the definitions.
    """
    size = model.sizes[1] if model.sizes is not None else model.size
    policy = model.policy
    tailored = _finite(level for *_, level in policy.tailored or ())
    ratios = _finite(level for _, level in policy.scale or ())
    thetas = _finite(level for *_, level in policy.theta_distances or ())
    distances = _distances(model, size)
    return {
        "n": Fraction(size),
        "group": policy.group,
        "order": policy.order,
        "omega": policy.omega,
        "xi": policy.xi or Fraction(0),
        "mu": policy.mu,
        "f": policy.divergence,
        "d": sorted({*distances, *thetas}),
        "tailored": max([Fraction(1), *tailored]),
        "per_tailored": _inverse([Fraction(1), *tailored]),
        "per_ratio": _inverse([Fraction(1), *ratios]),
        "per_level": _inverse(_finite(policy.levels or ())),
        "per_distance": _inverse(distances),
        "theta": max(thetas, default=None),
        "per_theta": _inverse(thetas),
    }


def _finite(levels: Iterable[Fraction | None]) -> list[Fraction]:
    return [level for level in levels if level is not None]


def _inverse(levels: Sequence[Fraction]) -> Fraction | None:
    """1/min of positive levels; None where there is none, or one is 0."""
    return 1 / min(levels) if levels and min(levels) > 0 else None


def _distances(model: Model, size: int) -> list[Fraction]:
    """The finite distances of different databases."""
    distance = model.policy.distance
    if distance == "hamming":
        return [Fraction(k) for k in range(1, size + 1)]
    if distance == "largest":
        numbers = [number_or_none(value.text) for value in model.values]
        return sorted({abs(a - b) for a, b in combinations(_finite(numbers), 2)})
    rows = distance if isinstance(distance, tuple) else ()
    return _finite(d for first, second, d in rows if first != second)


def contradictions(model: Model, values: Mapping[str, Mapping[str, str]]) -> Iterator[Contradiction]:
    """The proved pairs that the smallest ε of a model contradict."""
    met = conditions_met(model)
    for level in LEVELS:
        for source, target, chain in proved(level):
            if not chain.when <= met:
                continue
            for delta, at in values.items():
                first, second = at.get(source), at.get(target)
                if first is None or second is None or (level != DELTA and delta != "0"):
                    continue
                if bounds(first) is not None and _contradicts(level, chain, model, first, second):
                    yield Contradiction(source, target, delta, first, second, chain)


def _contradicts(level: str, chain: Chain, model: Model, first: str, second: str) -> bool:
    """Whether a smallest ε is larger than a chain allows."""
    if level != SOME or chain.map == SAME_MAP:
        return larger(first, second)
    if bounds(second) is None:
        return True
    least, most = bounds(first), bounds(second)
    most_allowed = None if least is None else value_at_most(chain.map, least[1], numbers_of(model))
    return most_allowed is not None and most is not None and most_allowed < most[0]


KEPT = "matrix"
"""The folder under `models` for kept models that are not bundled elsewhere."""
EXTREME = "extreme-"
"""The prefix of the names of models with a mechanism that an exchange rate found."""
OF_SCOPE = dict(zip((YES, NO), OUTPUTS, strict=False))
"""The outputs of an extreme mechanism as those of the scope, which [policy] names."""
RATE = "ln(2)"
"""The ε at which exchange rates are asked."""
Tick = Callable[[str], object]


def values_of(
    model: Model,
    delta: str = "0",
    keys: Iterable[str] | None = None,
    engine: Engine | None = None,
    *,
    replay: bool = False,
) -> dict[str, str]:
    """The smallest ε of each definition that is decided on a model, as texts; at δ for a definition that has one.

    A definition without an ε has 0 where it holds, and `inf` where it fails.

    """
    engine = engine or Engine(model)
    values = {}
    for key in keys or decided():
        definition = find(passport_key(key))
        try:
            answer = check(model, definition, delta=delta if definition.has_delta else 0, engine=engine, replay=replay)
        except (LimitError, UndecidedError, UnsupportedError):
            continue
        if answer.verdict == VACUOUS:
            values[key] = VACUOUS
        elif answer.verdict not in {"holds", "fails"}:
            continue
        elif answer.tight_epsilon is None:
            values[key] = "0" if answer.verdict == "holds" else INF
        else:
            values[key] = _text(answer.tight_epsilon)
    return values


def _text(value: Epsilon | Enclosure) -> str:
    """A smallest ε as a text that `bounds` reads; two decimal bounds where its exact text is long, or e^ε is a root."""
    if isinstance(value, Enclosure):
        return str(value)
    text = value.text(10**9)
    if value.root is None and len(text) <= LONGEST:
        return text
    low, high = value.bracket(PRECISION)
    return str(Enclosure.around(low, high, PRECISION))


def looked_at(models: Iterable[tuple[str, Model]], tick: Tick = str) -> Iterator[CoverModel]:
    """The smallest ε of every definition on each model.

    Raises:
        ArithmeticError: for a model that contradicts what is proved.

    """
    for name, model in models:
        engine = Engine(model)
        try:
            values = {delta: values_of(model, delta, engine=engine) for delta in scope()["deltas"]}
        except PkdpError as refusal:
            tick(f"{name}: left out, {refusal}")
            continue
        wrong = next(contradictions(model, values), None)
        if wrong is not None:
            raise ArithmeticError(f"{name} contradicts {wrong}")
        tick(name)
        yield CoverModel(name, values)


def small_cover(listed: Iterable[CoverModel], preferred: Callable[[str], bool]) -> list[CoverModel]:
    """A subset of models that separates all pairs that the listed ones separate, vacuously if nothing else does.

    It is chosen greedily: the model that separates most further pairs, of equal ones a preferred one.
    """
    number = {each: k for k, each in enumerate(product(LEVELS, permutations(decided(), 2), (False, True)))}
    by_name = {model.name: model for model in listed}
    masks: dict[str, int] = {}
    for name, model in by_name.items():
        covered = bytearray(len(number))
        for level, vacuous in product(LEVELS, (False, True)):
            for pair in separated(model.values, level, vacuous=vacuous):
                covered[number[level, pair, vacuous]] = 1
        masks[name] = int("".join(map(str, covered)), 2)
    missing = 0
    for bits in masks.values():
        missing |= bits
    chosen: list[CoverModel] = []
    while missing:
        name = max(masks, key=lambda each: ((masks[each] & missing).bit_count(), preferred(each)))
        chosen.append(by_name[name])
        missing &= ~masks[name]
    for model in reversed(tuple(chosen)):
        others = 0
        for other in chosen:
            others |= masks[other.name] if other is not model else 0
        if not masks[model.name] & ~others:
            chosen.remove(model)
    return chosen


def shapes() -> list[tuple[str, str]]:
    """The names and texts of the drawn models on whose θ, knowledge and [policy] all mechanisms are looked at."""
    numbers = scope()["shapes"]
    return [(f"{family.name}-{k}", drawn(family, k)) for family in families() for k in numbers[family.name]]


def earlier() -> dict[str, str]:
    """The texts, without `[[expect]]`, of the models that an earlier pass found by exchange rates, by their names.

    >>> all(name.startswith("extreme-") and "[[expect]]" not in text for name, text in earlier().items())
    True
    """
    paths = sorted((models_folder() / KEPT).glob(f"{EXTREME}*.toml"))
    return {path.stem: path.read_text(encoding="utf-8").partition("\n[[expect]]")[0] for path in paths}


@dataclass
class AllMechanisms:
    """The open pairs after exchange rates, by question: those that were open (`missing`), and those that have `failed`.

    A pair has failed if a mechanism refutes it, or its rate is not computed. `found` has the texts of models whose
    mechanism refutes a pair, numbered from `first` on, and `values` their smallest ε; `seen` has the pairs with a rate.
    """

    missing: dict[str, set[Pair]]
    first: int = 0
    seen: set[Pair] = field(default_factory=set)
    failed: dict[str, set[Pair]] = field(default_factory=lambda: {SOME: set(), SAME: set()})
    found: dict[str, str] = field(default_factory=dict)
    values: list[CoverModel] = field(default_factory=list)

    @property
    def complete(self) -> dict[str, set[Pair]]:
        """The pairs that hold for all mechanisms on every shape on which both are linear."""
        return {level: (self.missing[level] & self.seen) - self.failed[level] for level in (SOME, SAME)}

    def look(self, name: str, text: str, tick: Tick = str) -> None:
        """Compute the rate of every missing pair on one shape, and keep models that refute one."""
        model = loads(text)
        linear = rows_by_definition(model, map(passport_key, decided()))
        asked = {
            (passport_key(source), passport_key(target)): (source, target)
            for source, target in sorted(self.missing[SOME] | self.missing[SAME])
        }
        sources = {source for source, _ in asked if source in linear}
        rates = {(source, target): rate for source, target, rate in pair_rates(linear, RATE, sources)}
        for names, pair in asked.items():
            if names not in rates or pair in self.failed[SOME]:
                continue
            rate = rates[names]
            if rate is None:
                for level in (SOME, SAME):
                    self.failed[level].add(pair)  # not decided, so not complete
                continue
            self.seen.add(pair)
            refuted = [SOME] if rate.is_infinite else []
            refuted += [SAME] if read_epsilon(RATE) < rate else []
            if any(pair in self.missing[level] - self.failed[level] for level in refuted):
                answer = convert(model, *names, epsilon=RATE)
                self._keep(f"{EXTREME}{self.first + len(self.found)}", _with_extreme(text, answer), tick)
            for level in refuted:
                self.failed[level].add(pair)
        tick(f"{name}: {len(linear)} linear definitions, {len(self.found)} models found")

    def _keep(self, name: str, text: str, tick: Tick) -> None:
        """Keep a model, and all pairs that it separates."""
        for values in looked_at([(name, loads(text))], tick):
            self.found[name] = text
            self.values.append(values)
            for level in (SOME, SAME):
                self.failed[level] |= separated(values.values, level) & self.missing[level]


def _with_extreme(text: str, answer: Exchange) -> str:
    """The text of a drawn model with the mechanism that needs the whole exchange rate."""
    before, after = text.split("[mechanism]")
    policy = after.partition("[policy]")[2]
    laws = (({OF_SCOPE[o]: p for o, p in row["outputs"].items()}, row["database"]) for row in answer.table())
    rows = [
        f" {{ database = {json.dumps(database)}, outputs = {json.dumps(law).replace(': ', ' = ')} }},"
        for law, database in laws
    ]
    head = before.partition("\n")[2]
    title = f'title = "Every mechanism that is {answer.source}: one that is worst for {answer.target}"\n'
    last = f'otherwise = "{OF_SCOPE[NO]}"'
    return "\n".join([f"{title}{head}[mechanism]", "table = [", *rows, "]", last, "", f"[policy]{policy}"])


def build(tick: Tick = str) -> str:
    """The text of `cover.json`; the models that are bundled nowhere else are written to `models/matrix`."""
    others = ((name, model) for name, model in bundled() if not name.startswith(f"{KEPT}/"))
    texts = ((name, loads(text)) for name, text in chained(every_drawn(), earlier().items()))
    return assembled(list(looked_at(chained(others, texts), tick)), tick)


def assembled(listed: list[CoverModel], tick: Tick = str) -> str:
    """The text of `cover.json`, from the smallest ε on every model of the scope."""
    found_before = earlier()
    texts = {**dict(every_drawn()), **found_before}
    opened = _open_pairs(listed)
    asked = AllMechanisms(opened, 1 + max((int(name.removeprefix(EXTREME)) for name in found_before), default=-1))
    for name, text in shapes():
        asked.look(name, text, tick)
    complete = asked.complete
    texts |= asked.found
    listed += asked.values
    kept = small_cover(listed, lambda name: name not in texts)
    for old in (models_folder() / KEPT).glob("*.toml"):
        old.unlink()
    written: list[dict[str, object]] = []
    for model in kept:
        name = f"{KEPT}/{model.name}" if model.name in texts else model.name
        if model.name in texts:
            _write(models_folder() / f"{name}.toml", texts[model.name] + promises(model))
        written.append({"name": name, "values": model.values})
    still_open = sorted(set().union(*_open_pairs(kept).values()))
    content = {
        "looked": len(listed),
        "shapes": [name for name, _ in shapes()],
        "complete": {level: sorted(" ".join(pair) for pair in pairs) for level, pairs in complete.items()},
        "checked": {" ".join(pair): number for pair, number in _checked(still_open, listed).items()},
    }
    return text_of(content, written)


def text_of(content: Mapping[str, object], models: Iterable[Mapping[str, object]]) -> str:
    """The text of a file of JSON with a line for each part, and for each entry of the longest one, `models`."""
    parts = {name: json.dumps(part, ensure_ascii=False) for name, part in content.items()}
    rows = ",\n".join(json.dumps(model, ensure_ascii=False) for model in models)
    lines = [f'"{name}": {part},' for name, part in parts.items()]
    return "\n".join(["{", *lines, f'"models": [\n{rows}\n]', "}"]) + "\n"


def promises(model: CoverModel) -> str:
    """The `[[expect]]` lines of a kept model: its first and last definition with a finite smallest ε, and one without.

    >>> print(promises(CoverModel("a", {"0": {"dp-any": "inf", "osdp": "ln(2)"}})))
    <BLANKLINE>
    [[expect]]
    definition = "osdp"
    tight_epsilon = "ln(2)"
    <BLANKLINE>
    [[expect]]
    definition = "dp-any"
    tight_epsilon = "inf"
    <BLANKLINE>
    """
    exact = {
        key: text
        for key, text in model.values["0"].items()
        if text != VACUOUS and not text.startswith("[") and find(passport_key(key)).has_epsilon
    }
    finite = [key for key, text in exact.items() if text != "inf" and "root" not in text]
    without = [key for key, text in exact.items() if text == "inf"]
    shown = dict.fromkeys((*finite[:1], *finite[-1:], *without[:1]))
    return "".join(
        f'\n[[expect]]\ndefinition = "{passport_key(key)}"\ntight_epsilon = "{exact[key]}"\n' for key in shown
    )


def _open_pairs(listed: list[CoverModel]) -> dict[str, set[Pair]]:
    """The pairs that are neither proved nor separated by these models, by question."""
    known = matrix_of(Cover(len(listed), tuple(listed)))
    return {level: {pair for pair, cell in cells.items() if cell.state == OPEN} for level, cells in known.cells.items()}


def _checked(pairs: Iterable[Pair], listed: Iterable[CoverModel]) -> dict[Pair, int]:
    """The number of models on which both definitions of a pair are decided, and the first is not vacuous."""
    number = dict.fromkeys(pairs, 0)
    for model in listed:
        at_zero = model.values["0"]
        for pair in number:
            first, second = at_zero.get(pair[0]), at_zero.get(pair[1])
            number[pair] += first not in {None, VACUOUS} and second is not None
    return number


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Write `cover.json`; the names of the models go to standard error as they are decided."""
    text = build(lambda said: sys.stderr.write(f"{said}\n"))
    COVER.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
