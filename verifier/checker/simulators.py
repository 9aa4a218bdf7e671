"""Definitions that ask for a simulator: the proof that an answer brings, at any δ.

A *row* r is a law P_r of the output, and the law of what the simulator is told. It answers by s(· | c) when it is
told c, so that Q_r(o) = Σ_c P[c | r]·s(o | c). It is enough at E = e^ε and δ where Σ_o max(0, P_r - E·Q_r) ≤ δ in
each row, and the same with both exchanged: a simulator bounds the smallest ε and δ from above. A *test* is an event S
of a row, with the payoff P(S) - E·Q(S), or Q(S) - E·P(S). From every simulator weighted tests get Σ y·const + Σ_c
min_o Σ y·coefficient(c, o) at least, which bounds both from below (proofs/simulators.md). Beliefs after an output, at
δ = 0, are linear in s as well: see `Beliefs`.

`proof` of an answer has `enough`, `needed` (of the smallest ε), `delta_enough` and `delta_needed` (of δ at the asked
ε): a list of entries `group`, `choice`, `at` (an ε), and `simulator` or `tests`. Of a group one choice must be
solved; all groups must.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import chain, combinations, zip_longest
from typing import Any, NamedTuple

from .comparisons import Asked
from .mechanisms import Database
from .neighbours import replacing
from .number_text import MOST_DEGREE, Claimed, decimal_fits, epsilon_of, polynomial
from .numbers import (
    INFINITY,
    ZERO,
    BeyondLimits,
    Label,
    Log,
    Number,
    Power,
    Rejected,
    Unsupported,
    Wrong,
    afford,
    covers,
    integers_in,
    label,
    rational,
    require,
    sign,
)
from .polynomials import End, LogOfRoot, in_integers

NONE = Fraction(0)
MOST_LONG = 1 << 13
MOST_LEFT_OUT = 12
"""The most databases of which all sets are left out in turn."""
Document = Mapping[str, Any]


# --- polynomials in E = e^ε -------------------------------------------------------------------------------------------

Poly = tuple[Fraction, ...]
"""Coefficients, the constant first."""


def plus(*several: Poly) -> Poly:
    """The sum."""
    return tuple(sum(column, NONE) for column in zip_longest(*several, fillvalue=NONE))


def times(f: Poly, c: Fraction | int, power: int = 0) -> Poly:
    """c·f·E^power."""
    return (*(NONE,) * power, *(x * c for x in f)) if c else ()


class Growth:
    """E = e^ε, for ε = 0, r·ln x, or the logarithm of a root of a polynomial; signs of polynomials in E."""

    def __init__(self, text: str) -> None:
        self.epsilon = epsilon_of(text)
        if isinstance(self.epsilon, LogOfRoot):
            self.end = self.epsilon.end
            return
        if not isinstance(self.epsilon, Log) or self.epsilon.rational:
            raise Rejected(f"{text[:60]!r} is not the logarithm of an algebraic number")
        x, c = next(iter(self.epsilon.logs.items()), (Fraction(1), Fraction(1)))
        size = c.numerator * (x.numerator.bit_length() + x.denominator.bit_length())
        if c.denominator > MOST_DEGREE or size > MOST_LONG:
            raise BeyondLimits(f"ε = {text[:60]} has a long power")
        power = x**c.numerator
        root = in_integers((-power, *(NONE,) * (c.denominator - 1), Fraction(1)))
        self.end = End(power, power) if c.denominator == 1 else End(Fraction(1), power, root)

    def sign(self, f: Poly) -> int:
        """The sign of f(E)."""
        return sign(f[0]) if len(f) == 1 else self.end.sign_of(in_integers(f)) if any(f) else 0


ANY = Growth("0")
"""Where e^ε plays no part."""


@lru_cache(1 << 10)
def growth_of(text: str) -> Growth:
    """The same number for the same text."""
    return Growth(text)


# --- rows -------------------------------------------------------------------------------------------------------------

Context = tuple[Any, ...]
Key = tuple[Any, ...]
"""θ, B̂, the record or the number of what is protected, and its value."""


class ToldRow(NamedTuple):
    """The law of the output, that of what the simulator is told, and the probability of the row."""

    law: dict[Label, Fraction]
    told: dict[Context, Fraction]
    mass: Fraction


Part = tuple[Key, Mapping[Label, Fraction], Mapping[Context, Fraction], Fraction]
"""The key of a row, and what a world adds to its laws, with a weight."""


def collected(parts: Iterable[Part]) -> dict[Key, ToldRow]:
    """The rows that worlds add up to."""
    laws: dict[Key, dict[Label, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    contexts: dict[Key, dict[Context, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for key, law, told, weight in parts:
        for o, p in law.items():
            laws[key][o] += weight * p
        for c, p in told.items():
            contexts[key][c] += weight * p
    out = {}
    for key, told in contexts.items():
        mass = sum(told.values(), NONE)
        chances = {o: p / mass for o, p in laws[key].items() if p}
        out[key] = ToldRow(chances, {c: p / mass for c, p in told.items() if p}, mass)
    return out


class Source:
    """A model with a reading, and the law of its mechanism with the integers of the proof kept apart."""

    def __init__(self, key: str, asked: Asked, proof: object) -> None:
        self.key, self.asked, self.model = key, asked, asked.model
        self.places = asked.reading == "in-place"
        self.mechanism = self.model.kept_apart(integers_in(proof)).mechanism

    def law(self, database: Database) -> dict[Label, Fraction]:
        """P[M(D) = o]."""
        return self.mechanism.law(database).chances()

    def of_records(self) -> Iterator[Part]:
        """DMKB20, Definition 4: θ given B̂ and D(i) = a; Sim is told D without i, as the reading says."""
        m, reading = self.model, self.asked.reading
        self.asked.one_size()
        for theta in m.thetas():
            for d, known, _, p in theta.rows:
                for i in self.asked.records:
                    if d[i] != m.absent:
                        others = replacing(d, i)
                        free = reading == "index-free"
                        context = (
                            None if free else i,
                            tuple(sorted(others, key=m.home.rank.__getitem__)) if free else others,
                            theta.name if reading == "per-distribution" else None,
                            known if reading == "per-knowledge" else None,
                        )
                        yield (theta.name, known, i, d[i]), self.law(d), {context: Fraction(1)}, p

    def without_a_record(self, function: Any) -> Iterator[Part]:
        """DP22, Definition 41: every D and a record i of it; Sim is told a function of D without i."""
        m = self.model
        for d in m.databases():
            for i in [d.index(v) for v in dict.fromkeys(d)] if m.many else self.asked.records:
                if d[i] != m.absent:
                    yield ("", None, i, label(d)), self.law(d), self.told(function, d, i), Fraction(1)

    def coupled(self) -> Iterator[Part]:
        """DP22, Definition 42: θ given B̂ and priv(D) = p; Sim is told agg(D)."""
        for theta in self.model.thetas():
            for d, known, _, p in theta.rows:
                for k, two in enumerate(self.model.field("coupled")):
                    secret = self.told(two["priv"], d)
                    require(len(secret) == 1, "[policy] coupled: priv is random")
                    (value,) = next(iter(secret))
                    yield (theta.name, known, k, value), self.law(d), self.told(two["agg"], d), p

    def typical(self, name: str, databases: Iterable[Database]) -> Iterator[Part]:
        """DP22, Definition 44: these databases of one θ; Sim is told nothing."""
        return (((name, None, 0, label(d)), self.law(d), {(None,): Fraction(1)}, Fraction(1)) for d in databases)

    def told(self, function: Any, database: Database, gone: int | None = None) -> dict[Context, Fraction]:
        """The law of a function of the database without a record: of a multiset, unless places are known."""
        m, places = self.model, self.places or gone is None
        rest = database if gone is None else tuple(sorted(replacing(database, gone), key=m.home.rank.__getitem__))
        if isinstance(function, list):
            for given, value in function:
                row = tuple(map(label, given))
                if (row if gone is None and not m.many else tuple(sorted(row, key=m.home.rank.__getitem__))) == rest:
                    law: Mapping[Label, Fraction] = (
                        m.home.law(value).chances() if isinstance(value, Mapping) else {label(value): Fraction(1)}
                    )
                    return {(x,): p for x, p in law.items()}
            raise Unsupported(f"a function in [policy] has no row for {label(rest)}")
        if isinstance(function, str) and function not in ("identity", "constant"):
            raise Wrong(f"[policy]: {function[:40]!r} is no function of the database")
        at_ = (
            []
            if function == "constant"
            else list(range(m.size))
            if function == "identity"
            else sorted(m.home.indices(function["records"], 0))
        )
        if places:
            return {(label([[k, database[k]] for k in at_ if k != gone]),): Fraction(1)}
        if at_ and len(at_) < m.size:
            raise Unsupported("a function in [policy] agg tells places, and a multiset has none")
        return {(label(rest if at_ else ()),): Fraction(1)}

    def groups(self) -> dict[str | None, dict[Any, dict[Key, ToldRow]]]:
        """The problems by their groups and choices."""
        m = self.model
        if self.key in ("ddp", "ibddp"):
            return {None: {0: collected(self.of_records())}}
        if self.key in ("cwpr", "ibcwpr"):
            return {None: {0: collected(self.coupled())}}
        if self.key in ("zkpr", "czkpr"):
            if self.places:
                self.asked.one_size()
            return {None: {k: collected(self.without_a_record(f)) for k, f in enumerate(m.field("agg"))}}
        gamma = m.rational("gamma")
        return {
            name: {
                gone: collected(self.typical(name, [d for d in prior if d not in gone]))
                for gone in left_out(prior, gamma)
            }
            for name, prior in m.priors().items()
        }


def left_out(prior: Mapping[Database, Fraction], gamma: Fraction) -> list[frozenset[Database]]:
    """The largest sets of databases that have a probability of at most γ."""
    if gamma and len(prior) > MOST_LEFT_OUT:
        raise BeyondLimits(f"all sets of {len(prior)} databases")
    every = chain.from_iterable(combinations(prior, k) for k in range(len(prior) + 1 if gamma else 1))
    light = [frozenset(s) for s in every if sum(prior[d] for d in s) <= gamma]
    return [s for s in light if not any(s < other for other in light)]


# --- what a proof is written in ---------------------------------------------------------------------------------------


def context_of(entry: Mapping[str, Any]) -> Context:
    """What a simulator is told: a label, or the other records with what the reading adds."""
    if "told" in entry:
        return (None if entry["told"] is None else label(entry["told"]),)
    known = entry["knowledge"]
    return (
        entry["record"],
        tuple(map(label, entry["others"])),
        entry["distribution"],
        None if known is None else label(known),
    )


OF_A_CONTEXT = frozenset({"told", "record", "others", "distribution", "knowledge", "answers", "members"})
OF_A_TEST = frozenset({"distribution", "knowledge", "record", "a", "event", "direction", "weight"})


def simulator_of(entries: Iterable[Any]) -> dict[Context, dict[Label, Poly]]:
    """s(o | c) by contexts."""
    out: dict[Context, dict[Label, Poly]] = {}
    for entry in entries:
        require(entry.keys() <= OF_A_CONTEXT, "a simulator has a field that plays no part")
        context = context_of(entry)
        require(context not in out, "the simulator is given twice for one context")
        out[context] = {label(o): polynomial(p) for o, p in entry["answers"].items()}
    return out


FORWARD = {"mechanism against simulator": True, "simulator against mechanism": False}


class Test(NamedTuple):
    """An event of a row, in one direction, with its weight."""

    key: Key
    event: list[Label]
    forward: bool
    weight: Poly


def key_of(entry: Mapping[str, Any]) -> Key:
    """The row that is named, without its value."""
    known, record = entry["knowledge"], entry["record"]
    require(type(record) is int, "a row is named by no record")
    return entry["distribution"], None if known is None else label(known), record


def test_of(entry: Mapping[str, Any]) -> Test:
    """A test as it is written."""
    event = list(map(label, entry["event"]))
    require(entry.keys() <= OF_A_TEST, "a test has a field that plays no part")
    require(
        len(set(event)) == len(event) and entry["direction"] in FORWARD, "a test has an output twice, or no direction"
    )
    return Test((*key_of(entry), label(entry["a"])), event, FORWARD[entry["direction"]], polynomial(entry["weight"]))


# --- one problem ------------------------------------------------------------------------------------------------------


class Outputs:
    """The outputs of rows, with the sum of their probabilities; a name that is none of them may be a wider tail.

    A proof may cut the tails of noise nearer than the checker does: its `< 1` is `0` and `< 0` here.
    """

    def __init__(self, rows: Iterable[ToldRow]) -> None:
        self.weights: dict[Label, Fraction] = defaultdict(Fraction)
        for row in rows:
            for o, p in row.law.items():
                self.weights[o] += p
        self.known: dict[Label, dict[Label, Fraction]] = {}

    def parts(self, name: Label) -> dict[Label, Fraction]:
        """The outputs that a name stands for, each with its share of them."""
        if name not in self.known:
            inside = [name] if name in self.weights else [o for o in self.weights if covers(name, o)]
            total = sum((self.weights[o] for o in inside), NONE)
            self.known[name] = {o: self.weights[o] / total for o in inside}
        return self.known[name]

    def split(self, answers: Mapping[Label, Poly]) -> dict[Label, Poly]:
        """The answers of a simulator that goes on to draw one of the outputs that its answer stands for."""
        out: dict[Label, list[Poly]] = defaultdict(list)
        for name, p in answers.items():
            for o, share in (self.parts(name) or {name: Fraction(1)}).items():
                out[o].append(times(p, share))
        return {o: plus((), *several) for o, several in out.items()}


class Problem:
    """The rows of one choice; for a context `some` has the outputs of any row with it, `every` those of all of them."""

    def __init__(self, rows: Mapping[Key, ToldRow]) -> None:
        self.rows, self.outputs = rows, Outputs(rows.values())
        self.some: dict[Context, set[Label]] = defaultdict(set)
        self.every: dict[Context, set[Label]] = {}
        for row in rows.values():
            for c in row.told:
                self.some[c] |= set(row.law)
                self.every[c] = self.every.get(c, set(row.law)) & set(row.law)
        afford(sum(len(row.law) * len(row.told) for row in rows.values()), "the answers of a simulator")

    def row(self, key: Key) -> ToldRow:
        """The row with a name."""
        require(key in self.rows, f"the proof names a row that is impossible: {str(key)[:80]}")
        return self.rows[key]

    def event(self, test: Test) -> list[Label]:
        """The outputs of an event, of which some may be half-lines."""
        inside = {o for e in test.event for o in self.outputs.parts(e)}
        return [o for o in self.outputs.weights if o in inside]

    def enough(self, entries: Any, growth: Growth, delta: Fraction, limit: bool = False) -> None:
        """Refuse a simulator that is not enough at E and δ; in the limit only what P excludes counts."""
        simulator = simulator_of(entries)
        require(simulator.keys() == self.every.keys(), "the simulator is not given for each context once")
        for answers in simulator.values():
            is_law = not growth.sign(plus((Fraction(-1),), *answers.values())) and all(
                growth.sign(p) >= 0 for p in answers.values()
            )
            require(is_law, "the simulator answers by no law")
        simulator = {c: self.outputs.split(answers) for c, answers in simulator.items()}
        for row in self.rows.values():
            q: dict[Label, list[Poly]] = defaultdict(list)
            for c, share in row.told.items():
                for o, p in simulator[c].items():
                    q[o].append(times(p, share))
            above: tuple[list[Poly], list[Poly]] = [(-delta,)], [(-delta,)]
            for o in {**row.law, **q}:
                x, y = (row.law.get(o, NONE),), plus((), *q.get(o, []))
                if limit:
                    above[1].append(() if x[0] else y)
                    continue
                for side, one, other in ((0, x, y), (1, y, x)):
                    gain = plus(one, times(other, -1, 1))
                    if growth.sign(gain) > 0:
                        above[side].append(gain)
            require(all(growth.sign(plus(*side)) <= 0 for side in above), "the simulator is not enough")

    def gain(self, tests: Iterable[Test], growth: Growth, delta: Fraction, pure: bool) -> tuple[Poly, Poly, Poly]:
        """What tests get from every simulator at E, less δ; and A and A + B of the lemma in proofs/simulators.md."""
        total: list[Poly] = [()]
        rising: list[Poly] = [()]
        falling: list[Poly] = [()]
        offers: dict[Context, dict[Label, list[Poly]]] = defaultdict(lambda: defaultdict(list))
        some = False
        for test in tests:
            row, y, event = self.row(test.key), test.weight, self.event(test)
            side = growth.sign(y)
            require(side >= 0, "a test has a negative weight")
            some = some or side > 0
            mass = sum((row.law.get(o, NONE) for o in event), NONE)
            if test.forward:
                total.append(times(y, mass - delta))
                rising.append(times(y, mass - delta, 1))
            else:
                total += [times(y, -mass, 1), times(y, -delta)]
                falling.append(times(y, mass))
            for c, share in row.told.items():
                for o in event:
                    offers[c][o].append(times(y, -share, 1) if test.forward else times(y, share))
        require(some, "there is no test")
        for c, offer in offers.items():
            outputs = self.every[c] if pure else self.some[c]
            require(outputs, "nothing is left to answer in a context")
            sums = [plus((), *offer.get(o, [])) for o in outputs]
            total.append(reduce(lambda x, y: x if growth.sign(plus(x, times(y, -1))) <= 0 else y, sums))
        return plus(*total), plus(*rising), plus(*rising, *falling)

    def needs(self, tests: Iterable[Test], growth: Growth, delta: Fraction) -> None:
        """Refuse tests that do not show that no ε below that of E is enough."""
        value, rising, falling = self.gain(tests, growth, delta, pure=not delta)
        shown = growth.sign(value) >= 0 and growth.sign(rising) >= 0 and growth.sign(falling) > 0
        require(shown, "tight_epsilon: a smaller ε may be enough")

    def never(self, tests: list[Test], delta: Fraction) -> None:
        """Refuse tests that do not show that no finite ε is enough; at δ = 0 the laws alone show it."""
        if not delta and not tests:
            answered = all(self.every.values()) and all(
                any(o in self.every[c] for c in row.told) for row in self.rows.values() for o in row.law
            )
            require(not answered, "tight_epsilon: a finite ε may be enough")
            return
        side = self.in_the_limit(tests, delta)
        require(side > 0 or (side == 0 and self._excluded(tests, delta)), "tight_epsilon: a finite ε may be enough")

    def in_the_limit(self, tests: list[Test], delta: Fraction) -> int:
        """The sign of what tests get at ε = ∞, less δ: their events are what the mechanism cannot put out."""
        for test in tests:
            impossible = not test.forward and not any(self.row(test.key).law.get(o) for o in self.event(test))
            require(impossible, "a test of every ε has an event that the mechanism can put out")
        return ANY.sign(self.gain(tests, ANY, delta, pure=False)[0])

    def _excluded(self, tests: list[Test], delta: Fraction) -> bool:
        """Whether answers that are best against the tests leave out more than δ of some row."""
        offers: dict[Context, dict[Label, Fraction]] = {
            c: dict.fromkeys(outputs, NONE) for c, outputs in self.some.items()
        }
        for test in tests:
            for c, share in self.row(test.key).told.items():
                for o in self.event(test):
                    if o in offers[c]:
                        offers[c][o] += sum(test.weight, NONE) * share
        best = {c: {o for o, x in offer.items() if x == min(offer.values())} for c, offer in offers.items()}
        return any(
            sum(p for o, p in row.law.items() if not any(o in best[c] for c in row.told)) > delta
            for row in self.rows.values()
        )


class Beliefs:
    """DMKB20, section 3.3, and DP22, Definition 43, at δ = 0: beliefs about what is protected after M and after Sim.

    For an output Ô let p_a be the belief after M, R_a the probability of Sim = Ô and a, R = Σ R_a. Then p_a·R ≤ E·R_a,
    R_a ≤ E·p_a·R, and R > 0 wherever M puts out Ô. Each Ô stands alone, and s(Ô | ·) is given up to a factor.
    """

    def __init__(self, rows: Mapping[Key, ToldRow]) -> None:
        self.cases: dict[Key, dict[Label, ToldRow]] = defaultdict(dict)
        for (*key, value), row in rows.items():
            self.cases[tuple(key)][value] = row
        self.outputs = Outputs(rows.values())
        afford(
            len(self.outputs.weights) * sum(len(row.told) + len(row.law) for row in rows.values()),
            "the beliefs after all outputs",
        )

    def after(self, output: Label) -> dict[Key, dict[Label, tuple[Fraction, dict[Context, Fraction]]]]:
        """Where M can put it out: p_a, and the probability of each context together with a, both given B̂."""
        out = {}
        for key, values in self.cases.items():
            weights = {a: row.mass * row.law.get(output, NONE) for a, row in values.items()}
            if total := sum(weights.values()):
                mass = sum(row.mass for row in values.values())
                out[key] = {
                    a: (weights[a] / total, {c: row.mass / mass * p for c, p in row.told.items()})
                    for a, row in values.items()
                }
        return out

    def enough(self, entries: Any, growth: Growth) -> None:
        """Refuse numbers s(Ô | c) that are not enough at E."""
        simulator = simulator_of(entries)
        require(
            all(growth.sign(s) >= 0 for answers in simulator.values() for s in answers.values()), "a negative answer"
        )
        simulator = {c: self.outputs.split(answers) for c, answers in simulator.items()}
        for output in self.outputs.weights:
            s = {c: answers[output] for c, answers in simulator.items() if output in answers}
            for values in self.after(output).values():
                r = {a: plus((), *(times(s.get(c, ()), w) for c, w in told.items())) for a, (_, told) in values.items()}
                total = plus((), *r.values())
                require(growth.sign(total) > 0, "the simulator never gives an output that the mechanism can put out")
                for a, (p, _) in values.items():
                    x, y = times(total, p), r[a]
                    within = all(growth.sign(plus(one, times(other, -1, 1))) <= 0 for one, other in ((x, y), (y, x)))
                    require(within, "the simulator is not enough")

    def never(self, entry: Mapping[str, Any], growth: Growth | None) -> None:
        """Refuse weights that do not show R ≤ 0 in a row; without E, a row whose values all may be answered."""
        output = label(entry["output"])
        beliefs, key = self.after(next(iter(self.outputs.parts(output)), output)), key_of(entry["row"])
        require(key in beliefs, "the mechanism cannot put out this output in this row")
        gone = {c for values in beliefs.values() for p, told in values.values() if not p for c in told}
        tests = list(map(test_of, entry["tests"]))
        if growth is None:
            shown = any(p and gone.issuperset(told) for p, told in beliefs[key].values())
            require(shown and not tests, "tight_epsilon: a finite ε may be enough")
            return
        gain: dict[Context, list[Poly]] = defaultdict(list)
        for _, told in beliefs[key].values():
            for c, w in told.items():
                gain[c].append((w,))
        for test in tests:
            values = beliefs.get(test.key[:3], {})
            p, own = values.get(test.key[3], (NONE, {}))
            named = p and test.event == [output] and growth.sign(test.weight) >= 0
            require(named, "a weight is negative, or about an inequality that there is not")
            for _, told in values.values():
                for c, w in told.items():  # p_a·R, or -E·p_a·R
                    gain[c].append(times(test.weight, -p * w) if test.forward else times(test.weight, p * w, 1))
            for c, w in own.items():
                gain[c].append(times(test.weight, w, 1) if test.forward else times(test.weight, -w))
        shown = all(growth.sign(plus((), *sums)) <= 0 for c, sums in gain.items() if c not in gone)
        require(shown, "tight_epsilon: a smaller ε may be enough")


# --- the answer -------------------------------------------------------------------------------------------------------

READINGS = {"ddp": ("index-free", "per-distribution", "per-knowledge"), "zkpr": ("in-place",), "czkpr": ("in-place",)}
READINGS["ibddp"] = READINGS["ddp"]
KEYS = frozenset({*READINGS, "cwpr", "ibcwpr", "typst"})
OF_BELIEFS = frozenset({"ibddp", "ibcwpr"})


SHOWN = frozenset({"kind", "at_epsilon", "value", "measure", "tests", "simulator", "contexts", "why"})
"""The fields of a witness that are about a simulator."""


def side_of(x: Number, y: Number) -> int:
    """The sign of x - y."""
    return 0 if x is y else x.compared(y)


def verify(answer: Document, asked: Asked, epsilon: Number | None, delta: Fraction) -> str:
    """What is confirmed of an answer about a simulator; Rejected where its proof does not show it.

    `asked` has the model, the reading, and the records that are protected; ε and δ are those of the question.
    """
    try:
        if "proof" not in answer:  # it is `unsupported`
            Source(str(answer["definition"]), asked, ()).groups()
            raise BeyondLimits("the answer decides nothing")
        return _Answer(answer, asked, epsilon, delta).check()
    except Unsupported as error:
        if answer["verdict"] == "unsupported":
            return f"{answer['definition']} is unsupported: {error}"
        raise Rejected(f"{answer['definition']} is unsupported: {error}") from None


class _Answer:
    """An answer with its proof."""

    def __init__(self, answer: Document, asked: Asked, epsilon: Number | None, delta: Fraction) -> None:
        self.answer, self.epsilon, self.delta = answer, epsilon, delta
        self.key = str(answer["definition"])
        require(self.key in KEYS, f"{self.key[:40]!r} asks for no simulator")
        reading = asked.reading
        require(
            reading == "default" or reading in READINGS.get(self.key, ()), f"{self.key} has no reading {reading[:40]!r}"
        )
        require(isinstance(answer["proof"], dict), "proof: a table is expected")
        self.proof: dict[str, Any] = answer["proof"]
        known = {"enough", "needed"} | ({"delta_enough", "delta_needed"} if self.key not in OF_BELIEFS else set())
        require(self.proof.keys() == known, f"a proof has the keys {', '.join(sorted(known))}")
        shown = [self.proof, answer.get("witness"), answer.get("tightest")]
        groups = Source(self.key, asked, [*_named(shown)]).groups()
        make: Callable[[Any], Any] = Beliefs if self.key in OF_BELIEFS else Problem
        self.groups = {
            name: {choice: make(rows) for choice, rows in choices.items()} for name, choices in groups.items()
        }
        self.count = sum(len(rows) for choices in groups.values() for rows in choices.values())

    def check(self) -> str:
        """The verdict, the smallest ε and δ, and what is shown of them."""
        answer, verdict = self.answer, self.answer["verdict"]
        count = 2 * self.count if self.key not in OF_BELIEFS else 0
        for name, number in (("comparisons", count), ("multiplicity", count), ("empty", 0)):
            require(answer.get(name, number) == number, f"{name}: there are {number}")
        if not self.count:
            require(verdict == "vacuous", f"the verdict is vacuous, and the answer says {verdict}")
            self._within("tight_epsilon", ZERO, ZERO)
            for name in ("tight_delta", "tight_delta_decimal"):
                require(answer.get(name) in ("0", None), f"{name}: nothing is compared")
            require(
                not any(self.proof.values()) and not answer.get("witness") and not answer.get("tightest"),
                "a proof of nothing",
            )
            return f"{self.key} vacuous"
        if self.key in OF_BELIEFS:
            require(not self.delta, "beliefs after a simulator are decided at δ = 0 alone")
            for name in ("tight_delta", "tight_delta_decimal"):
                require(answer.get(name) is None, f"{name}: there is none")
        high, low = self._most(), self._least()
        self._within("tight_epsilon", low, high)
        asked = self.epsilon if self.epsilon is not None else INFINITY
        holds = not high.infinite and (asked.infinite or side_of(high, asked) <= 0)
        require(
            holds or low.infinite or (not asked.infinite and side_of(low, asked) > 0), "the proof decides no verdict"
        )
        require(
            verdict == ("holds" if holds else "fails"),
            f"the verdict is {'holds' if holds else 'fails'}, and the answer says {verdict}",
        )
        if self.key not in OF_BELIEFS:
            self._delta()
        self._shown(holds, high)
        return f"{self.key} {verdict}, smallest ε {answer.get('tight_epsilon')}, by its proof"

    # the smallest ε

    def _most(self) -> Number:
        """An ε that is enough for each group; ∞ where none is shown."""
        if self.proof["enough"] is None:
            return INFINITY
        found: list[Number] = [ZERO]
        for problem, entry in self._of_each("enough"):
            growth = growth_of(entry["at"])
            problem.enough(entry["simulator"], growth, *([self.delta] if isinstance(problem, Problem) else []))
            found.append(growth.epsilon)
        return reduce(lambda x, y: x if side_of(x, y) >= 0 else y, found)

    def _least(self) -> Number:
        """An ε below which no ε is enough, for each choice of one group; 0 where none is shown."""
        if self.proof["needed"] is None:
            return ZERO
        found: list[Number] = []
        for problem, entry in self._of_one("needed"):
            growth = None if entry["at"] == "inf" else growth_of(entry["at"])
            if isinstance(problem, Beliefs):
                problem.never(entry, growth)
            elif growth is None:
                problem.never(list(map(test_of, entry["tests"])), self.delta)
            else:
                problem.needs(map(test_of, entry["tests"]), growth, self.delta)
            found.append(INFINITY if growth is None else growth.epsilon)
        return reduce(lambda x, y: x if side_of(x, y) <= 0 else y, found)

    def _within(self, name: str, low: Number, high: Number) -> None:
        """Refuse a claimed number that is not what is shown: low ≤ it ≤ high."""
        text, decimal = self.answer.get(name), self.answer.get(f"{name}_decimal")
        if text is None and decimal is None and self.key in OF_BELIEFS:
            return
        require(isinstance(text, str), f"{name}: the answer has none")
        claim = Claimed(str(text))
        if claim.ends:
            ends: tuple[Number, Number] = (Log(claim.ends[0]), Log(claim.ends[1]))
        elif "…" in str(text):
            if low is not high or decimal is None:
                raise BeyondLimits(f"{name} is cut. Hint: ask with a larger --max-digits.")
            ends = (low, high)
        else:
            ends = (epsilon_of(str(text)),) * 2
        shown = side_of(ends[0], low) <= 0 and side_of(high, ends[1]) <= 0
        require(shown, f"{name}: {str(text)[:60]} is not what the proof shows")
        if decimal is not None:
            near = decimal == "inf" if high.infinite else decimal_fits(
                str(decimal), lambda bits: (low.bounds(bits)[0], high.bounds(bits)[1])
            )  # fmt: skip
            require(near, f"{name}_decimal: {str(decimal)[:60]} is another number")

    # the smallest δ

    def _delta(self) -> None:
        """The smallest δ at the asked ε: simulators at a smaller ε, or it, and tests at a larger one, or it."""
        asked, text, decimal = (self.epsilon, *(self.answer.get(f"tight_delta{end}") for end in ("", "_decimal")))
        exact = asked is None or asked.infinite or Power(asked).value is not None
        if text is None:
            several = sum(map(len, self.groups.values())) > 1
            require(asked is None or (several and not exact), "tight_delta: the answer has none")
            require(decimal is None, "tight_delta_decimal: there is none")
            require(
                self.proof["delta_enough"] is None and self.proof["delta_needed"] is None,
                "a proof of a δ that there is not",
            )
            return
        claim = Claimed(str(text))
        if asked is None or "…" in str(text):
            raise Rejected("tight_delta: there is none") if asked is None else BeyondLimits("tight_delta is cut")
        is_delta = claim.readable and not claim.infinite and not claim.power and not claim.log.logs
        require(is_delta, f"tight_delta: {str(text)[:60]} is no δ")
        least, most = claim.ends or (claim.log.rational, claim.log.rational)
        require(least == most or not exact, "tight_delta: an enclosure where e^ε is rational")
        for problem, entry in self._of_each("delta_enough"):
            limit = entry["at"] == "inf"
            require(
                asked.infinite if limit else asked.infinite or side_of(epsilon_of(entry["at"]), asked) <= 0,
                "tight_delta: at a larger ε",
            )
            # in the limit, outputs that all rows can put out are enough at any δ
            if not limit or entry["simulator"] or not all(problem.every.values()):
                problem.enough(entry["simulator"], ANY if limit else growth_of(entry["at"]), most, limit)
        require(least or not self.proof["delta_needed"], "a proof of a δ that there is not")
        for problem, entry in self._of_one("delta_needed") if least else ():
            tests = list(map(test_of, entry["tests"]))
            if entry["at"] == "inf":
                side = problem.in_the_limit(tests, least)
            else:
                growth = growth_of(entry["at"])
                require(
                    not asked.infinite and side_of(asked, growth.epsilon) <= 0,
                    "tight_delta: the tests are about a smaller ε",
                )
                side = growth.sign(problem.gain(tests, growth, least, pure=False)[0])
            require(side >= 0, "tight_delta: a smaller δ may be enough")
        if decimal is not None:
            require(decimal_fits(str(decimal), lambda _: (least, most)), "tight_delta_decimal is another number")

    # what is shown beside the numbers

    def _shown(self, holds: bool, most: Number) -> None:
        """Of DDP what fails has a witness: tests that get more than δ; what holds shows its simulator and tests."""
        place, other = ("tightest", "witness") if holds else ("witness", "tightest")
        require(self.answer.get(other) is None, f"{other}: it does not belong to what {self.answer['verdict']}")
        shown = self.answer.get(place)
        require((shown is not None) == (self.key == "ddp"), f"{place}: one belongs to an answer about ddp alone")
        if shown is None:
            return
        ((problem,),) = (choices.values() for choices in self.groups.values())
        named = SHOWN if holds else SHOWN - {"simulator", "contexts"}
        require(
            all(x is None for name, x in shown.items() if name not in named), f"{place}: what plays no part is named"
        )
        require(shown["measure"] == "hockey-stick", f"{place}: the measure is hockey-stick")
        value, never = rational(shown["value"]), shown["at_epsilon"] == "inf"
        if not holds and never and any("E" in str(test["weight"]) for test in shown["tests"]):
            require(not value and not self.delta, "witness: it is about δ = 0")
            _unreachable(problem, shown["tests"])
            return
        tests, growth = list(map(test_of, shown["tests"])), ANY if never else growth_of(shown["at_epsilon"])
        if holds:
            require(value == self.delta and side_of(growth.epsilon, most) == 0, "tightest: another ε or δ")
            require(shown["contexts"] == len(problem.every), "tightest: there are other contexts")
            if len(shown["simulator"]) == len(problem.every):
                problem.enough(shown["simulator"], growth, self.delta)
            else:  # of many contexts the first ones are shown
                ((_, proved),) = self._of_each("enough")
                some = simulator_of(shown["simulator"]).items() <= simulator_of(proved["simulator"]).items()
                require(some, "tightest: its simulator is another one than in the proof")
            if tests:
                problem.needs(tests, growth, self.delta)
            return
        asked = self.epsilon if self.epsilon is not None else INFINITY
        about = asked.infinite if never else not asked.infinite and side_of(asked, growth.epsilon) <= 0
        require(about and value >= self.delta, "witness: it shows nothing")
        if never:
            problem.never(tests, self.delta)
            side = problem.in_the_limit(tests, value)
        else:
            require(value > self.delta, "witness: it shows nothing")
            side = growth.sign(problem.gain(tests, growth, value, pure=False)[0])
        require(not side, f"witness: its tests get {'less' if side < 0 else 'more'} than they claim")

    # entries

    def _problem(self, entry: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """The group, the choice and the problem that an entry is about."""
        choice = entry["choice"]
        key = frozenset(tuple(map(label, d)) for d in choice) if isinstance(choice, list) else choice
        there = not isinstance(choice, bool) and entry["group"] in self.groups and key in self.groups[entry["group"]]
        require(there, "the proof names a choice that there is not")
        return entry["group"], key, self.groups[entry["group"]][key]

    def _of_each(self, name: str) -> Iterator[tuple[Any, Mapping[str, Any]]]:
        """An entry for each group."""
        entries = self.proof[name] or []
        require(
            sorted(map(str, (e["group"] for e in entries))) == sorted(map(str, self.groups)),
            f"{name}: not one choice of each group",
        )
        return ((self._problem(entry)[2], entry) for entry in entries)

    def _of_one(self, name: str) -> Iterator[tuple[Any, Mapping[str, Any]]]:
        """An entry for each choice of one group."""
        entries = self.proof[name] or []
        about = [self._problem(entry) for entry in entries]
        require(about and len({group for group, _, _ in about}) == 1, f"{name}: not about one group")
        keys = [key for _, key, _ in about]
        every = self.groups[about[0][0]]
        require(len(keys) == len(every) and set(keys) == set(every), f"{name}: not about each choice of its group")
        return zip((problem for _, _, problem in about), entries, strict=True)


def _unreachable(problem: Problem, tests: list[Any]) -> None:
    """An event of the first row, and for each of its contexts a row that excludes it, with the weight c·E."""
    first, *others = [test_of({**test, "weight": "1"}) for test in tests]
    row = problem.row(first.key)
    event = problem.event(first)
    require(first.forward and event and all(o in row.law for o in event), "the witness shows no event of a row")
    left = set(row.told)
    for test, written in zip(others, tests[1:], strict=True):
        other = problem.row(test.key)
        covered = {
            c
            for c in row.told
            if other.told.get(c) and polynomial(written["weight"]) == (NONE, row.told[c] / other.told[c])
        }
        excludes = not test.forward and problem.event(test) == event and not any(o in other.law for o in event)
        require(excludes and covered, "the witness names a row that does not exclude the event")
        left -= covered
    require(not left, "the event of the witness may be answered in a context")


def _named(shown: Any) -> Iterator[Any]:
    """The outputs that a proof names: events, and the answers of simulators."""
    if isinstance(shown, dict):
        yield from shown.get("event") or ()
        yield from shown.get("answers") or ()
        yield shown.get("output")
        yield from chain.from_iterable(_named(entry) for entry in shown.values())
    elif isinstance(shown, list):
        yield from chain.from_iterable(map(_named, shown))
