"""Proofs about all mechanisms at once: what one guarantee gives in another, and the worst mechanism.

Deciding again reaches one mechanism; these answers are about every mechanism, and bring multipliers. A law of outputs
is a law on databases pushed through the mechanism, so that it is linear in P[M(D) = o]. The one rule: let the outputs
fall into classes o, x(D, o) the probability of class o on D, and let a comparison of what is assumed say
Σ share′·Σ_o max(0, P′(o) - E′·Q′(o)) ≤ δ′. With multipliers y ≥ 0 of its pairs and classes

    Σ_o Σ_D gain(D, o)·x(D, o) ≤ Σ_D max_o [gain(D, o) - Σ y·(P′ - E′·Q′)(D)] + Σ δ′·max y/share′,

since Σ_o x(D, o) = 1. `bound` is the right-hand side. That less is not enough is shown by a mechanism of the document,
which is put into the model and decided again, like that of any file.

A document names a comparison by its laws on databases; it has to be among those that the definition lists for the model
file.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from itertools import combinations, pairwise, product
from math import comb, lcm
from pathlib import Path
from typing import Any, NamedTuple

from .comparisons import ONE, Asked, Comparison, Term, mixture, pair
from .definitions import ALIASES, DEFINITIONS, Definition
from .judge import Decision
from .mechanisms import Database, Mechanism
from .models import MOST_BYTES, Model, Row, conditioned
from .number_text import epsilon_of
from .numbers import INFINITY, ZERO, BeyondLimits, Log, Number, Power, Wrong, afford, ln, rational, require, root
from .of_databases import choosers
from .of_views import images, leaks, redrawn_values
from .of_worlds import (
    beliefs_in_databases,
    beliefs_in_records,
    beliefs_of_changed,
    by_known,
    dependency,
    membership,
    passive,
)
from .reading import MALFORMED, is_file, read_bytes

Document = Mapping[str, Any]
Coefficients = dict[Database, Any]
"""Coefficients by databases: rationals, or functions of a parameter."""
Read = Callable[[object], Any]
MOST_ROOT = 64
MOST_PATTERNS = 1 << 12
"""The most choices of events of one comparison."""
MOST_COMPARISONS = 1 << 15
"""The most comparisons of a definition: each is linear in a mechanism that a small document can name."""
MOST_DENOMINATOR = 1 << 16
"""The most bits of a common denominator of multipliers that are added up."""
OF_ONE_MECHANISM = (beliefs_of_changed, choosers, dependency, images, leaks)
"""What is compared depends on the mechanism of the file."""
HEAD = frozenset({"kind", "model", "sha256", "model_text", "parameters"})


# --- the document -----------------------------------------------------------------------------------------------------


Check = Callable[[Document, Path], str]


def guarded(kind: str) -> Callable[[Check], Check]:
    """What a damaged document, or its model file, makes Python say is one kind of refusal."""

    def of(check: Check) -> Check:
        @wraps(check)
        def verify(document: Document, folder: Path) -> str:
            try:
                require(document["kind"] == kind, f"this is no document of the kind {kind}")
                return check(document, folder)
            except (*MALFORMED, OSError) as error:
                raise Wrong(f"the document is damaged: {type(error).__name__} {str(error)[:80]}") from None

        return verify

    return of


def has_keys(table: Any, *keys: str, head: Iterable[str] = ()) -> None:
    """Refuse a table that lacks one of these keys, or has another one."""
    if not isinstance(table, dict):
        raise Wrong("the document is damaged: a table is expected")
    for name in (*keys, *table):
        if name not in table or name not in {*keys, *head}:
            raise Wrong(f"the key {name[:40]!r} is {'unknown' if name in table else 'missing'}")


def exact(text: object) -> Fraction:
    """A rational in its one spelling: `3`, or `-1/2` in lowest terms."""
    value = rational(text)
    if str(value) != text:
        raise Wrong(f"{text!r:.60} is no number in lowest terms")
    return value


def positive(text: object) -> Fraction:
    """A rational that is at least 0."""
    value = exact(text)
    if value < 0:
        raise Wrong(f"{text} is below 0")
    return value


def exponent(text: object) -> Number:
    """An ε in its one spelling."""
    value = epsilon_of(text)
    if str(value) != text:
        raise Wrong(f"{text!r:.60} is no ε in its one spelling")
    return value


def place(number: object, size: int, what: str) -> int:
    """A place in a list, from 0."""
    if type(number) is not int or not 0 <= number < size:
        raise Wrong(f"{what} is named that is none: {number!r:.40}")
    return number


def file_of(document: Document, folder: Path) -> tuple[str, dict[str, Fraction]]:
    """The text of the model file, which has the hash that is claimed, and the values of its parameters."""
    parameters = {str(name): exact(x) for name, x in document.get("parameters", {}).items()}
    if "model_text" in document:
        require("model" not in document and "sha256" not in document, "a model is named, and its text is given")
        return str(document["model_text"]), parameters
    name = str(document["model"])
    path = next((p for p in (folder / name, folder / Path(name).name, Path(name)) if is_file(p)), folder / name)
    content = read_bytes(path, MOST_BYTES)
    require(hashlib.sha256(content).hexdigest() == document["sha256"], "sha256: the model file is another one")
    return content.decode("utf-8"), parameters


def with_some_mechanism(text: str) -> str:
    """The text of a model file, whose mechanism plays no part and may be left out."""
    there = re.search(r"^\[mechanism\]", text, re.MULTILINE) or "mechanism" in tomllib.loads(text)
    return text if there else f'{text}\n[mechanism]\nkind = "constant"\noutput = 0\n'


def model_named(document: Document, folder: Path) -> Model:
    """The model of a document."""
    text, parameters = file_of(document, folder)
    model = Model(with_some_mechanism(text), parameters)
    require(
        set(parameters) == set(model.raw.get("parameters", {})), "parameters: one is set that the file does not have"
    )
    return model


# --- comparisons that are linear in the mechanism ---------------------------------------------------------------------


def definition_of(key: object) -> Definition:
    """The definition with a key."""
    found = DEFINITIONS.get(ALIASES.get(str(key), str(key)))
    if found is None or found.measure not in ("hockey-stick", "ratio", "tail") or found.listing in OF_ONE_MECHANISM:
        raise Wrong(f"{key!r:.40} is no definition that is linear in the mechanism")
    return found


def is_of_beliefs(definition: Definition) -> bool:
    """Whether beliefs about the database are bounded, and a δ is added to these."""
    listing = definition.listing
    return listing in (beliefs_in_records, beliefs_in_databases) or getattr(listing, "func", None) is membership


def bounds_events(definition: Definition) -> bool:
    """Whether a δ bounds each hockey-stick divergence of two laws of outputs, and no average of them."""
    averages = definition.listing in (passive, redrawn_values)
    return definition.measure == "hockey-stick" and not averages and not is_of_beliefs(definition)


def linear_comparisons(definition: Definition, model: Model) -> Iterator[Comparison]:
    """The comparisons of every mechanism, which are of laws on databases; what is demanded of none is left out."""
    asked = Asked(model)
    listed = _beliefs(asked, definition.listing) if is_of_beliefs(definition) else definition.listing(asked)
    work = 0
    for n, c in enumerate(c for c in listed if c.scale is not None):
        if n == MOST_COMPARISONS:
            raise BeyondLimits(f"there are more than {MOST_COMPARISONS:,} comparisons")
        laws = all(isinstance(side, tuple) for t in c.terms for side in (t.p, t.q))
        require(laws, "a definition is not linear in the mechanism")
        work += size_of(c)
        afford(work, "the comparisons")
        yield Comparison(tuple(Term(t.share, t.p, t.q) for t in c.terms if t.share), c.scale)


def size_of(c: Comparison) -> int:
    """How many probabilities its laws have."""
    sides: list[Any] = [side for t in c.terms for side in (t.p, t.q)]
    return sum(map(len, sides))


def _beliefs(asked: Asked, listing: Any) -> Iterator[Comparison]:
    """By Bayes P[A | o] ≤ x·P[A] iff θ_A·m ≤ x·θ·m for the column m of o; θ_A is θ given the event A.

    The events are the values of a function of D; those in `up` must not become too likely, those in `down` not too
    unlikely.
    """
    parts: list[tuple[Callable[[Database], Any], Any, Any]]
    if listing is beliefs_in_records:
        parts = [(lambda d, i=i: d[i], None, None) for i in asked.records]  # type: ignore[misc]
    elif listing is beliefs_in_databases:
        parts = [(lambda d: d, None, None)]
    else:
        up, down = (cells.split() for cells in listing.args)
        parts = [(lambda d, t=t: "in" if t in d else "out", up, down) for t in asked.model.there]  # type: ignore[misc]
    for theta in asked.model.thetas():
        for rows in by_known(theta).values():
            whole = mixture(conditioned(rows))
            for value_of, up, down in parts:
                cells: dict[Any, list[Row]] = defaultdict(list)
                for row in rows:
                    cells[value_of(row.database)].append(row)
                for event, inside in cells.items():
                    part = mixture(conditioned(inside))
                    yield from [pair(part, whole)] if up is None or event in up else []
                    yield from [pair(whole, part)] if down is None or event in down else []


def rows_of(definition: Definition, model: Model, most: int | None = None) -> dict[Comparison, None]:
    """What δ = 0 asks: each pair by itself, equal ones once; with the multiple 0 of ε both laws are equal.

    More than `most` rows are not listed: then a document does not have each of them.
    """
    out: dict[Comparison, None] = {}
    for c in linear_comparisons(definition, model):
        for t in c.terms:
            out[pair(t.p, t.q, c.scale)] = None
            if not c.scale:
                out[pair(t.q, t.p, c.scale)] = None
        require(most is None or len(out) <= most, "the rows are not the definition's")
    return out


def comparison_of(entry: Any, model: Model, read: Read = positive) -> Comparison:
    """The comparison that a document writes: its multiple of ε, and terms of a share and two laws on databases."""
    terms = []
    for share, *sides in entry["terms"]:
        laws = [[(model.database(d), read(x)) for d, x in side] for side in sides]
        require(all(len(dict(law)) == len(law) for law in laws), "a law lists a database twice")
        p, q = (mixture(dict(law)) for law in laws)
        terms.append(Term(positive(share), p, q))
    return Comparison(tuple(terms), positive(entry["scale"]))


def unordered(c: Comparison) -> object:
    """A comparison whatever the order of its terms, which what is known has by itself in no file."""
    return frozenset(Counter(c.terms).items()), c.scale


def line_of(term: Term, factor: Any) -> Coefficients:
    """P - factor·Q, by databases."""
    line: Coefficients = dict(term.p)  # type: ignore[arg-type]
    for d, x in term.q:  # type: ignore[union-attr]
        line[d] = line.get(d, 0) - factor * x
    return line


def growth(epsilon: Number, scale: Fraction | None) -> Fraction:
    """e^(c·ε), which is rational: of c·ln x an integer power of x, or a root that is rational."""
    scaled = epsilon.times(scale or 0) if isinstance(epsilon, Log) else None
    value = Power(scaled).value if scaled is not None else None
    if value is None and scaled is not None and not scaled.rational and len(scaled.logs) == 1:
        ((x, c),) = scaled.logs.items()
        power = Power(ln(x, c.numerator)).value
        if power is not None and c.denominator <= MOST_ROOT:
            text = root(power, c.denominator)
            value = None if "(" in text else rational(text)
    if value is None:
        raise Wrong(f"a conversion is of a finite ε, and e^(c·ε) is rational; not so at ε = {epsilon}")
    return value


# --- the rule ---------------------------------------------------------------------------------------------------------


class Assumed(NamedTuple):
    """A comparison of what is assumed: the line P - e^(c·ε)·Q and the share of each term, and the δ of all together."""

    lines: Sequence[Coefficients]
    shares: Sequence[Fraction]
    delta: Fraction = Fraction(0)


def assumption(c: Comparison, epsilon: Number, delta: Fraction = Fraction(0)) -> Assumed:
    """A comparison at an ε and a δ."""
    factor = growth(epsilon, c.scale)
    return Assumed([line_of(t, factor) for t in c.terms], [t.share for t in c.terms], delta)


def multipliers_of(
    entries: Any, assumed: Sequence[Assumed], outputs: int, read: Read = positive
) -> dict[tuple[int, int, int], Any]:
    """The multipliers that a document lists as [comparison, term, class of outputs, y], those of one place as one."""
    out: dict[tuple[int, int, int], Any] = {}
    common, work = 1, 0
    for n, k, o, text in entries:
        known = assumed[place(n, len(assumed), "a comparison that is assumed")]
        at = n, place(k, len(known.lines), "a term"), place(o, outputs, "a class of outputs")
        y = read(text)
        common, work = lcm(common, y.denominator), work + len(known.lines[k])
        if common.bit_length() > MOST_DENOMINATOR:
            raise BeyondLimits("the multipliers have long denominators")
        out[at] = out[at] + y if at in out else y
    afford(work, "the multipliers of one bound")
    return out


def left_over(
    gains: Iterable[tuple[Coefficients, Sequence[Any]]], taken: Iterable[tuple[Coefficients, int, Any]], outputs: int
) -> dict[Database, list[Any]]:
    """What is left of the gains, by database and class: a line gains so often in each class; some are taken away."""
    left: dict[Database, list[Any]] = defaultdict(lambda: [0] * outputs)
    every = [(line, o, times) for line, each in gains for o, times in enumerate(each) if times]
    for line, o, times in (*every, *((line, o, -y) for line, o, y in taken)):
        for d, x in line.items():
            left[d][o] += times * x
    return left


def bound(
    gains: Iterable[tuple[Coefficients, Sequence[Any]]], entries: Any, assumed: Sequence[Assumed], outputs: int = 2
) -> Fraction:
    """What no mechanism exceeds: Σ_D max_o [gain - Σ y·line] + Σ δ·max y/share."""
    found = multipliers_of(entries, assumed, outputs)
    left = left_over(gains, ((assumed[n].lines[k], o, y) for (n, k, o), y in found.items()), outputs)
    prices: dict[int, Fraction] = {}
    for (n, k, _), y in found.items():
        if assumed[n].delta:
            prices[n] = max(prices.get(n, Fraction(0)), assumed[n].delta * y / assumed[n].shares[k])
    return sum(map(max, left.values()), Fraction(0)) + sum(prices.values())


def decided(
    model: Model, spec: Any, definition: Definition, epsilon: Number | None, delta: Fraction = Fraction(0)
) -> Decision:
    """The decision about the model with a mechanism of the document in place of its own."""
    if spec is not model.mechanism.spec:
        require(
            isinstance(spec, dict) and set(spec) == {"rows", "otherwise"},
            "a mechanism is written as rows and `otherwise`",
        )
        model.mechanism = Mechanism(spec, model.home)
    return Decision(Asked(model), definition, epsilon, delta)


def satisfies(model: Model, spec: Any, definition: Definition, epsilon: Number, delta: Fraction = Fraction(0)) -> None:
    """Refuse a mechanism that does not satisfy what is assumed."""
    verdict = decided(model, spec, definition, epsilon, delta).verdict
    require(verdict in ("holds", "vacuous"), "a mechanism does not satisfy what is assumed")


# --- a rate at one ε --------------------------------------------------------------------------------------------------


def rate_proved(model: Model, source: Definition, target: Definition, epsilon: Number, answer: Any) -> str:
    """The smallest ε′ of B that every ε-A mechanism has, once it is proved.

    Each row (p, q, c) of B has a y ≤ e^(c·ε′) of which the bound of p - y·q in one class, 0 in the other, is 0.
    """
    claimed = exponent(answer["tight_epsilon"])
    targets = rows_of(target, model)
    growth(epsilon, ONE)
    if not targets:
        nothing = (
            answer["verdict"] == "vacuous"
            and claimed == ZERO
            and answer["mechanism"] is None
            and answer["proof"] is None
        )
        require(nothing, "nothing is compared, so that the smallest ε is 0, and nothing proves it")
        return "0"
    require(answer["verdict"] == "computed", "something is compared")
    rows = rows_of(source, model)
    satisfies(model, answer["mechanism"], source, epsilon)
    needed = decided(model, answer["mechanism"], target, None).tight_epsilon
    require(needed == claimed, "the mechanism does not need the claimed ε")
    if claimed.infinite:
        require(answer["proof"] is None, "no multipliers prove that no ε is enough")
        return "inf"
    proof = answer["proof"]
    has_keys(proof, "assumed", "bounds")
    assumed = []
    for entry in proof["assumed"]:
        row = comparison_of(entry, model)
        require(row in rows, "a row is assumed that the definition does not have")
        assumed.append(assumption(row, epsilon))
    proved = set()
    for entry in proof["bounds"]:
        has_keys(entry, "terms", "scale", "factor", "multipliers")
        row, y = comparison_of(entry, model), positive(entry["factor"])
        require(row in targets, "a row is bounded that the definition does not have")
        power = Power(claimed.times(row.scale) if row.scale else ZERO)
        require(power.sign(y, 1) <= 0, "a bound is above the claimed ε")
        require(
            bound([(line_of(row.terms[0], y), (1, 0))], entry["multipliers"], assumed) <= 0,
            "the multipliers do not prove their bound",
        )
        proved.add(row)
    require(targets.keys() <= proved, "a row of the definition has no bound")
    return str(answer["tight_epsilon"])


@guarded("exchange")
def verify_rate(document: Document, folder: Path) -> str:
    """A conversion at one ε."""
    has_keys(document, "from", "to", "epsilon", "verdict", "tight_epsilon", "mechanism", "proof", head=HEAD)
    source, target = definition_of(document["from"]), definition_of(document["to"])
    found = rate_proved(model_named(document, folder), source, target, exponent(document["epsilon"]), document)
    question = f"every mechanism that is {document['from']} at {document['epsilon']} is {document['to']}"
    return f"{question} at {found}, and at nothing smaller"


# --- a δ at each ε ----------------------------------------------------------------------------------------------------


class DeltaLine(NamedTuple):
    """δ′ = value + slope·y for all y = e^(c·ε′) from `start` on, until the next line begins."""

    start: Fraction
    value: Fraction
    slope: Fraction

    def at(self, y: Fraction) -> Fraction:
        """δ′ at a y."""
        return self.value + self.slope * y


@guarded("exchange-delta")
def verify_delta(document: Document, folder: Path) -> str:
    """A conversion with δ: no event exceeds its line at each y where a line begins, and a mechanism needs each line.

    What a row needs is convex in y: where it is at most a line at both ends, it is so between them, and after the last
    start it falls. What the mechanism needs is convex, too, and at most the line: where it is the line at one y inside,
    it is so on all of the piece; at ε′ = ∞ a falling curve has its least value.
    """
    has_keys(document, "from", "to", "epsilon", "delta", "verdict", "pieces", "proof", head=HEAD)
    source, target = definition_of(document["from"]), definition_of(document["to"])
    epsilon, delta = exponent(document["epsilon"]), positive(document["delta"])
    for definition, key in ((source, "from"),) * bool(delta) + ((target, "to"),):
        require(bounds_events(definition), f"{document[key]} is no list of hockey-stick divergences")
    require(delta <= 1, "δ is above 1")
    model = model_named(document, folder)
    pieces, proof = document["pieces"], document["proof"]
    targets = rows_of(target, model, most=0 if proof is None else len(proof["rows"]))
    assumption_said = f"{document['from']} at ({document['epsilon']}, {delta})"
    said = f"every mechanism that is {assumption_said} is {document['to']}: δ by ε"
    growth(epsilon, ONE)
    if not targets:
        nothing = document["verdict"] == "vacuous" and not pieces and proof is None
        require(nothing, "nothing is compared, so that the smallest δ is 0, and nothing proves it")
        return f"{said}, 0 everywhere"
    require(document["verdict"] == "computed", "something is compared")
    has_keys(proof, "assumed", "rows")
    written = [comparison_of(entry, model) for entry in proof["rows"]]
    require(set(written) == targets.keys(), "the rows are not the definition's")
    scales = {row.scale for row in targets if row.scale}
    require(len(scales) <= 1, "the rows allow several multiples of ε")
    known = [comparison_of(entry, model) for entry in proof["assumed"]]
    rows = rows_of(source, model) if known else {}
    require(all(c in rows for c in known), "a row is assumed that the definition does not have")
    assumed = [assumption(c, epsilon, delta) for c in known]
    for entry in pieces:
        has_keys(entry, "from", "value", "slope", "mechanism", "multipliers")
    lines = [DeltaLine(*(exact(entry[key]) for key in ("from", "value", "slope"))) for entry in pieces]
    require(lines and lines[0].start == 1 and not lines[-1].slope, "the lines do not lead from ε = 0 to a constant")
    for line, after in pairwise(lines):
        require(line.start < after.start and line.slope < after.slope, "a line is out of order")
        require(line.at(after.start) == after.at(after.start), "two lines do not meet")
    ends = [after.start for after in lines[1:]]
    for line, entry, end in zip(lines, pieces, [*ends, None], strict=True):
        require(len(entry["multipliers"]) == len(written), "a row of the definition has no bound")
        for row, multipliers in zip(written, entry["multipliers"], strict=True):
            gain = line_of(row.terms[0], line.start if row.scale else 1)
            require(
                bound([(gain, (1, 0))], multipliers, assumed) <= line.at(line.start),
                "the multipliers do not prove their bound",
            )
        satisfies(model, entry["mechanism"], source, epsilon, delta)
        inside = None if end is None else (line.start + end) / 2
        at = INFINITY if inside is None or not scales else ln(inside, 1 / min(scales))
        needed = decided(model, entry["mechanism"], target, at).tight_delta
        require(needed == Log(line.at(inside or line.start)), "a mechanism does not need its line")
    return f"{said}, in {len(lines)} pieces"


# --- the worst mechanism ----------------------------------------------------------------------------------------------


Held = tuple[dict[object, Comparison], Number, Fraction]
"""The comparisons of a definition that is assumed, its ε and its δ."""


def satisfied(document: Document, model: Model) -> tuple[list[str], list[Held]]:
    """What the mechanism of a document satisfies: in words, and its comparisons with ε and δ."""
    said: list[str] = []
    held: list[Held] = []
    for entry in document["assuming"]:
        has_keys(entry, "definition", "epsilon", "delta")
        definition, at, delta = definition_of(entry["definition"]), exponent(entry["epsilon"]), positive(entry["delta"])
        hockey_stick = definition.measure == "hockey-stick" and not is_of_beliefs(definition)
        require(hockey_stick or not delta, f"{entry['definition']} has no δ of events")
        held.append(({unordered(c): c for c in linear_comparisons(definition, model)}, at, delta))
        satisfies(model, document["mechanism"], definition, at, delta)
        said.append(f"{entry['definition']} at ({entry['epsilon']}, {delta})")
    return said, held


def assumed_of(entries: Any, held: Sequence[Held], model: Model) -> list[Assumed]:
    """The comparisons of what is assumed that a proof uses."""
    assumed: list[Assumed] = []
    for entry in entries:
        has_keys(entry, "assumption", "terms", "scale")
        listed, at, delta = held[place(entry["assumption"], len(held), "an assumption")]
        c = comparison_of(entry, model)
        require(unordered(c) in listed, "a comparison is assumed that the definition does not have")
        assumed.append(assumption(c, at, delta))
    return assumed


@guarded("worst")
def verify_worst(document: Document, folder: Path) -> str:
    """The largest δ of a definition, over all mechanisms that satisfy others: a mechanism needs it, none needs more.

    For every comparison of the definition, and all its events S, with the outputs in classes by the events that they
    are in, the bound of Σ share·(P(S) - E·Q(S)) is at most the optimum. Of mechanisms with few outputs each choice of
    classes has its own.
    """
    has_keys(document, "definition", "epsilon", "assuming", "outputs", "optimum", "mechanism", "proof", head=HEAD)
    target, epsilon, optimum = (
        definition_of(document["definition"]),
        exponent(document["epsilon"]),
        positive(document["optimum"]),
    )
    require(
        target.measure == "hockey-stick" and not is_of_beliefs(target), f"{document['definition']} has no δ of events"
    )
    outputs, model, proof = document["outputs"], model_named(document, folder), document["proof"]
    require(outputs is None or (type(outputs) is int and outputs >= 2), "outputs: an integer from 2, or null")
    targets = {unordered(c): c for c in linear_comparisons(target, model)}
    require(targets, "nothing is compared, so that every mechanism is the worst")
    has_keys(proof, "assumed", "bounds")
    said, held = satisfied(document, model)
    needed = decided(model, document["mechanism"], target, epsilon).tight_delta
    require(needed == Log(optimum), "the mechanism does not attain the optimum")
    used = _outputs(model, document["mechanism"])
    require(outputs is None or used <= outputs, f"the mechanism has {used} outputs, and {outputs} are allowed")
    assumed = assumed_of(proof["assumed"], held, model)
    proofs, ordered = {}, dict[object, Comparison]()
    for entry in proof["bounds"]:
        has_keys(entry, "terms", "scale", "patterns", "multipliers")
        c, patterns = comparison_of(entry, model), tuple(entry["patterns"])
        require(unordered(c) in targets and (c, patterns) not in proofs, "a comparison has two bounds, or is none")
        require(ordered.setdefault(unordered(c), c) == c, "a comparison has its terms in two orders")
        proofs[c, patterns] = entry["multipliers"]
    gains = 0
    for c in [ordered.get(key, c) for key, c in targets.items()]:
        every = 2 ** len(c.terms) if len(c.terms) <= 12 else MOST_PATTERNS + 1
        few = every if outputs is None else min(outputs, every)
        if every > MOST_PATTERNS or comb(every, few) > MOST_PATTERNS:
            raise BeyondLimits("there are too many events of a comparison")
        gains += comb(every, few) * few * size_of(c)
        afford(gains, "the events of all comparisons")
        lines = [line_of(t, growth(epsilon, c.scale)) for t in c.terms]
        for patterns in combinations(["".join(bits) for bits in product("10", repeat=len(lines))], few):
            each = [
                (line, [t.share * int(bits[k]) for bits in patterns])
                for k, (line, t) in enumerate(zip(lines, c.terms, strict=True))
            ]
            best = bound(each, proofs.get((c, patterns), []), assumed, few)
            require(best <= optimum, "the multipliers do not prove the optimum")
    among = f" with at most {outputs} outputs" if outputs else ""
    satisfying = f" that satisfy {' and '.join(said)}" if said else ""
    largest = f"the largest δ of {document['definition']} at {document['epsilon']} is {optimum}"
    return f"{largest}, of all mechanisms{among}{satisfying}"


def _outputs(model: Model, spec: Any) -> int:
    """How many outputs the mechanism has, on all databases together."""
    named = [model.mechanism.law(model.database(row["database"])) for row in spec["rows"]]
    others = [model.home.outcome(spec["otherwise"])] if len(named) < len(model.databases()) else []
    return len({o for law in (*named, *others) for o in law.counts})
