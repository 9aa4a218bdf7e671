"""Compare an answer of `pkdp check --json` with what the kernel decides: verdict, smallest ε and δ, and the witness.

What is claimed is read from names and numbers; sentences (`direction`, `reason`, `note`) are for people.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from . import own, scopes, simulators
from .comparisons import (
    NOTHING,
    ONE,
    Asked,
    Comparison,
    Side,
    changed,
    dependence,
    given_leak,
    joint,
    mixture,
    two_mechanisms,
)
from .definitions import ALIASES, DEFINITIONS, NOT_LISTED
from .judge import Decision, at, belief_moves, without_some
from .laws import Label, Law, Measure, covers, found, integers_in, label, law_of, mixed
from .models import MOST_BYTES, Database, Model, Row, Unsupported, conditioned
from .numbers import (
    INFINITY,
    ZERO,
    BeyondLimits,
    Line,
    Log,
    Number,
    Power,
    Rejected,
    Wrong,
    decimal_fits,
    epsilon_of,
    fits,
    ln,
    rational,
)
from .properties import PROPERTIES, acceptable, is_normalization, shows_few, shows_two_laws

MOST_ANSWER_BYTES = 64 << 20
MOST_LEVELS = 60
MOST_DIGITS = 20_000
MOST_PATH = 1000
MALFORMED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What reading a file of another shape raises: a wrong file, never a refuted answer."""
CURVES = ("hockey-stick", "tail", "left-out")
"""The measures that have a δ."""
VERDICTS = ("holds", "fails", "vacuous", "undecided", "unsupported")


class Word(NamedTuple):
    """What the kernel says of one answer: `confirmed`, `rejected` or `not checked`, and why."""

    word: str
    why: str


# --- strict JSON ------------------------------------------------------------------------------------------------------


class Measured(str):
    """A decimal number of the text, as it is written: only how many seconds a search took may be one."""

    __slots__ = ()


def _refuse_decimals(value: object, name: str = "") -> None:
    """Refuse each decimal number of a JSON value but for `seconds`, which decides nothing."""
    if isinstance(value, Measured) and name != "seconds":
        raise Wrong(f"the answers have the number {value[:30]}. Expected integers, and texts such as 1/3.")
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        _refuse_decimals(one, str(key))


def read_json(text: str) -> Any:
    """JSON without duplicate keys, NaN, floats, endless integers and nesting; or several objects, one a line."""
    level = most = 0
    inside = escaped = False
    for character in text:
        if inside:
            escaped, inside = character == "\\" and not escaped, character != '"' or escaped
        elif character == '"':
            inside = True
        elif character in "[{":
            level += 1
            most = max(most, level)
        elif character in "]}":
            level -= 1
    if most > MOST_LEVELS:
        raise Wrong(f"the answers have {most} levels. Expected at most {MOST_LEVELS}.")

    def no(text: str) -> Any:
        raise Wrong(f"the answers have the number {text[:30]}. Expected integers, and texts such as 1/3.")

    def whole(text: str) -> int:
        return int(text) if len(text) <= MOST_DIGITS else no(text)

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) != len(pairs):
            raise Wrong("an object of the answers has one key twice")
        return dict(pairs)

    decoder = json.JSONDecoder(object_pairs_hook=table, parse_float=Measured, parse_int=whole, parse_constant=no)
    values, at_ = [], 0
    try:
        while at_ < len(text.rstrip()):
            value, end = decoder.raw_decode(text, at_ + len(text[at_:]) - len(text[at_:].lstrip()))
            values.append(value)
            at_ = end
    except (ValueError, RecursionError) as error:
        raise Wrong(f"the answers are no JSON: {error}") from None
    if not values:
        raise Wrong("the file is empty. Expected the output of pkdp check MODEL --json.")
    _refuse_decimals(values)
    return values[0] if len(values) == 1 else values


DOCUMENTS = ("exchange", "exchange-delta", "exchange-curve", "worst")
"""The kinds of documents of proofs: multipliers.py and curves.py verify them."""


def answers_in(value: Any) -> Iterator[dict[str, Any]]:
    """The answers in what `check --json` printed: one, a list, an overview; or a document of a proof."""
    if isinstance(value, list):
        for entry in value:
            yield from answers_in(entry)
    elif not isinstance(value, dict):
        raise Wrong("the file has something that is no answer. Expected the output of pkdp check MODEL --json.")
    elif "format" in value:
        raise Wrong(
            "this is a certificate of the old format, no longer read. Expected the output of pkdp check MODEL --json."
        )
    elif isinstance(value.get("definitions"), list) or isinstance(value.get("atlas"), list):
        yield from answers_in(value.get("definitions") or value.get("atlas") or [])
    elif value.get("kind") in (*DOCUMENTS, "search") or not {"definition", "property", "acceptable"}.isdisjoint(value):
        yield value
    else:
        raise Wrong("an object is no answer: it has no `definition`. Expected the output of pkdp check MODEL --json.")


# --- one answer -------------------------------------------------------------------------------------------------------


def checked(answer: Mapping[str, Any], model: Model | None) -> Word:
    """The word on one answer; a search has no model file, or brings it."""
    decide_again = _property if "property" in answer else _acceptable if "acceptable" in answer else _checked
    try:
        return Word("confirmed", _proved(answer, None) if model is None else decide_again(answer, model))
    except MALFORMED as error:
        raise Wrong(
            f"an answer lacks something, or has something of another kind: {type(error).__name__} {error}"
        ) from None
    except Rejected as error:
        return Word("rejected", str(error))
    except BeyondLimits as error:
        return Word("not checked", f"beyond limits: {error}")
    except Unchecked as error:
        return Word("not checked", str(error))


class Impossible(Rejected):
    """A law of the witness is given what cannot happen."""


class Unchecked(Exception):
    """The kernel does not decide this kind of question."""


def _proved(answer: Mapping[str, Any], asked: Asked | None) -> str:
    """What the proof in an answer shows, where deciding again does not reach: scopes, laws of one's own, simulators."""
    if asked is None:
        return scopes.verify(answer)
    if "laws" in answer:
        return own.verify(answer, *parameters_of(answer))
    return simulators.verify(answer, asked, *parameters_of(answer))


def parameters_of(answer: Mapping[str, Any]) -> tuple[Number | None, Fraction]:
    """ε and δ of the question."""
    epsilon = None if answer.get("epsilon") is None else epsilon_of(answer["epsilon"])
    delta = rational(answer.get("delta", "0"), "delta")
    if not 0 <= delta <= 1:
        raise Wrong(f"delta: {delta} is no probability")
    return epsilon, delta


def question_of(answer: Mapping[str, Any], model: Model) -> tuple[str, Asked, Number | None, Fraction]:
    """The definition, the reading, the protected records, ε and δ that an answer is about."""
    key = str(answer.get("definition"))
    key = ALIASES.get(key, key)
    if key in NOT_LISTED:
        raise Unchecked(f"{key}: {NOT_LISTED[key]}")
    if key not in DEFINITIONS:
        raise Unchecked(f"the definition {key} is none of the kernel's")
    reading = answer.get("reading", "default")
    if reading != "default" and reading not in DEFINITIONS[key].readings:
        raise Unchecked(f"the reading {reading} of {key}")
    return key, Asked(model, reading, _restricted(answer.get("restricted_to"), model)), *parameters_of(answer)


def _restricted(named: Any, model: Model) -> list[int] | None:
    """The records to which an answer is restricted; they have to be protected in the file."""
    if named is None or named == "rows":
        return None
    records = model.home.indices(named, 0)
    if model.function or not set(records) <= set(model.records):
        raise Rejected(f"restricted_to names {records}, and the file protects {model.records}")
    return records


def _checked(answer: Mapping[str, Any], model: Model) -> str:
    if "laws" in answer or "proof" in answer:
        return _proved(
            answer, Asked(model, answer.get("reading", "default"), _restricted(answer.get("restricted_to"), model))
        )
    key, asked, epsilon, delta = question_of(answer, model)
    claimed = answer.get("verdict")
    if claimed not in VERDICTS:
        raise Wrong(f"the verdict {claimed!r}. Expected one of {', '.join(VERDICTS)}.")
    if claimed == "undecided":
        raise Unchecked("the answer decides nothing")
    try:
        decision = _decision(key, asked, epsilon, delta)
    except Unsupported as error:
        if claimed == "unsupported":
            return f"{key} is unsupported: {error}"
        raise Rejected(f"the answer says {claimed}, and {key} is unsupported: {error}") from None
    if claimed == "unsupported":
        raise Unchecked(f"the answer decides nothing; the kernel finds: {decision.verdict}")
    verdict = decision.verdict
    if key == "dps" and asked.reading == "default" and delta >= model.mechanism.rate:
        verdict = "fails"  # LQS12, Definition 3: β > δ
    if claimed != verdict:
        raise Rejected(f"the verdict is {verdict}, and the answer says {claimed}")
    left = [
        _number(answer, "tight_epsilon", decision.tight_epsilon),
        _number(answer, "tight_delta", decision.tight_delta),
    ]
    if key in SIMULATED:
        left.append("its simulator")
    for name, fails in (("witness", True), ("tightest", False)):
        witness = answer.get(name)
        if (
            fails
            and witness is None
            and decision.verdict == "fails"
            and verdict == decision.verdict
            and key not in SIMULATED
        ):
            raise Rejected("the answer fails without a witness")
        if witness is not None and key not in SIMULATED:
            if fails != (decision.verdict == "fails"):
                raise Rejected(f"the answer has a {name}, and the verdict is {verdict}")
            try:
                Witness(decision, witness, fails).check()
            except BeyondLimits:
                if not decision.summed:
                    raise
                left.append("the witness, of a sum")
    notes = [x for x in left if x]
    return f"{key} {verdict}, smallest ε {decision.tight_epsilon}" + (
        f" (not checked: {', '.join(notes)})" if notes else ""
    )


def _decision(key: str, asked: Asked, epsilon: Number | None, delta: Fraction) -> Decision:
    if delta and DEFINITIONS[key].measure not in CURVES and key not in SIMULATED:
        raise Unsupported("it has no δ")
    return Decision(asked, DEFINITIONS[key], epsilon, delta)


def _property(answer: Mapping[str, Any], model: Model) -> str:
    name, claimed = str(answer["property"]), answer.get("verdict")
    if name not in PROPERTIES:
        raise Unchecked(f"the property {name}")
    try:
        decided = PROPERTIES[name](Asked(model, str(answer.get("reading", "default"))), answer)
    except Unsupported as error:
        if claimed != "unsupported":
            raise Rejected(f"the answer says {claimed}, and {name} is unsupported: {error}") from None
        return f"{name} is unsupported: {error}"
    if claimed != decided.verdict:
        raise Rejected(f"the verdict is {decided.verdict}, and the answer says {claimed}")
    if name == "k-anonymity" and answer.get("largest", decided.largest) != decided.largest:
        raise Rejected(f"the largest k is {decided.largest}, and the answer says {answer['largest']}")
    if decided.verdict == "fails" and name != "reducible":
        witness = answer["witness"]
        if not (shows_two_laws(model, witness) if decided.k is None else shows_few(model, witness, decided.k)):
            raise Rejected(f"the witness does not show that {name} fails")
    return f"{name} {decided.verdict}"


def _acceptable(answer: Mapping[str, Any], model: Model) -> str:
    record, name = answer.get("record"), answer.get("distribution")
    if record not in Asked(model).secrets:
        raise Rejected(f"record {record} is not protected")
    theta = next((t for t in model.thetas() if t.name == name), None)
    if theta is None:
        raise Rejected(f"there is no distribution {name}")
    holds = acceptable(theta, record)
    if answer["acceptable"] is not holds:
        raise Rejected(f"there is {'an' if holds else 'no'} acceptable normalization at record {record} of {name}")
    if holds and not is_normalization(answer["normalization"], theta, record, model):
        raise Rejected(f"the normalization at record {record} of {name} is not acceptable")
    own = [
        g
        for g in model.raw.get("normalization", [])
        if g.get("record", record) == record and g.get("distribution", name) == name
    ]
    for claim, given in zip(answer.get("given", []), own, strict=False):
        if claim["accepted"] is not is_normalization(given, theta, record, model):
            raise Rejected(f"the normalization of the file at record {record} of {name} has another word")
    return f"acceptable at record {record} of {name}: {'yes' if holds else 'no'}"


SIMULATED = ("zkpr", "czkpr", "typst")
"""Decided at δ = 0; the simulator in the answer, and its smallest δ, are not looked at."""


def _number(answer: Mapping[str, Any], name: str, found_: Number | None) -> str | None:
    """Compare a claimed number with the kernel's; what is not compared is named."""
    text, decimal = answer.get(name), answer.get(f"{name}_decimal")
    if found_ is None:
        if text is not None and answer.get("definition") not in SIMULATED and not (answer.get("definition") == "dps"):
            raise Rejected(f"the answer has a {name} of {str(text)[:60]}, and there is none")
        return name if text is not None else None
    if not isinstance(text, str):
        raise Rejected(f"the answer has no {name}, and it is {found_}")
    if not fits(text, decimal, found_):
        raise Rejected(f"{name} is {str(found_)[:200]}, and the answer says {text[:200]}")
    if decimal is not None and not found_.infinite and not decimal_fits(str(decimal), found_.bounds):
        raise Rejected(f"{name}_decimal is not {found_}: the answer says {str(decimal)[:60]}")
    return None


# --- the witness ------------------------------------------------------------------------------------------------------


class Witness:
    """The attack of a failure, or the closest comparison of what holds: its laws and events, added up again."""

    def __init__(self, decision: Decision, witness: Mapping[str, Any], fails: bool) -> None:
        self.decision, self.witness, self.fails = decision, witness, fails
        self.model = decision.asked.model
        self.measure, self.delta = decision.measure, decision.delta
        self.mechanism = self.model.mechanism
        epsilon = witness.get("at_epsilon")
        self.epsilon: Number | None = None if epsilon is None else epsilon_of(epsilon)
        asked = self._asked(rational(witness.get("scale") or "1"))
        if fails and decision.is_curve and self.epsilon is not None and not self.epsilon == asked:
            raise Rejected(f"the witness is at ε = {epsilon}, and the question at {asked}")

    @property
    def terms(self) -> Sequence[Mapping[str, Any]]:
        """The terms of an average, a divergence, or a choice."""
        return self.witness.get("terms") or []

    def check(self) -> None:
        """Raise Rejected where it does not show what it says."""
        laws: Sequence[Mapping[str, Any]] = self.witness.get("laws") or []
        terms = self.terms
        if terms and "weight" in terms[0]:
            return self._average()
        if not laws and self.measure != "semantic":
            raise Rejected("the witness names no laws")
        if self.measure == "semantic":
            return self._semantic()
        comparison = self.comparison(laws, self.witness.get("event"))
        if len(comparison.terms) > 1 or comparison.terms[0].share != 1:
            raise Rejected("the witness names one pair of laws of an average")
        if self.fails and not self.decision.fails(comparison):
            raise Rejected("the comparison that the witness names does not fail")
        if not self.fails and self.decision.epsilon is not None and self.decision.fails(comparison):
            raise Rejected("the comparison that the witness names fails")
        p, q = self.outputs(laws)
        if terms and "left_out" in terms[0]:
            return self._left_out(comparison, p, q)
        for term in terms:
            o = label(term["output"])
            self._equal(term, [x.of(o) if o in x.counts else x.event([o]) for x in (p, q)])
        if self.witness.get("event") is not None:
            self._event(comparison, p, q)
        return None

    # the laws

    def comparison(self, laws: Sequence[Mapping[str, Any]], event: Any) -> Comparison:
        """The comparison of the definition that has these two laws."""
        sides = self.sides(laws) if not self.decision.summed else self.outputs(laws)
        scale = rational(self.witness.get("scale") or "1")
        only = label(event[0]) if isinstance(event, list) and len(event) == 1 else None
        p, q = sides
        if isinstance(p, tuple) and isinstance(q, tuple):
            fitting = [c for c in self.decision.comparisons if c.terms[0].p == p and c.terms[0].q == q]
        else:
            fitting = self.index().get((_key(p), _key(q)), [])
        for c in fitting:
            if c.scale == scale and (not event or c.only in (None, only)):
                return c
        raise Rejected("the witness names two laws that the definition does not compare")

    def index(self) -> dict[tuple[object, object], list[Comparison]]:
        """The comparisons of one term by their laws."""
        if not hasattr(self.decision, "by_laws"):
            index: dict[tuple[object, object], list[Comparison]] = {}
            for c in self.decision.comparisons:
                for term in c.terms:
                    index.setdefault((_key(term.p), _key(term.q)), []).append(c)
            self.decision.by_laws = index  # type: ignore[attr-defined]
        return self.decision.by_laws  # type: ignore[attr-defined,no-any-return]

    def sides(self, laws: Sequence[Mapping[str, Any]]) -> list[Side]:
        """The two laws as a definition has them: mixtures of databases, or laws of something else."""
        if len(laws) != 2:
            raise Rejected("the witness does not name two laws")
        if "dependency" in laws[1]:
            ((term,), _, _) = self._dependence(laws)
            return [term.p, term.q]
        return [self._side(laws[0]), self._against(laws[1])]

    def outputs(self, laws: Sequence[Mapping[str, Any]]) -> list[Measure]:
        """The two laws with every output by its own name, in which events are added up."""
        sides = self.sides(laws)
        out = [side if isinstance(side, Measure) else self._law(dict(side)) for side in sides]
        events = [self.witness.get("event") or [], *(term.get("event") or [term.get("output")] for term in self.terms)]
        named = {label(o) for event in events for o in event if o is not None}
        if self.mechanism is self.model.mechanism and not named <= {o for law in out for o in law.counts}:
            self.mechanism = self.model.kept_apart(integers_in(sorted(named)))
            out = [side if isinstance(side, Measure) else self._law(dict(side)) for side in self.sides(laws)]
        return out

    def _dependence(self, laws: Sequence[Mapping[str, Any]]) -> Comparison:
        one, two = two_mechanisms(self.model)
        which = laws[1]["dependency"]
        if which == "M1 on M2":
            one, two = two, one
        p, q = (joint(one, two, conditioned(self._rows(spec))) for spec in laws)
        return dependence(p, q, self.decision.asked.reading, which)

    def _rows(self, spec: Mapping[str, Any]) -> list[Row]:
        """The worlds of a law: of θ, or of databases that it lists, under all that is given."""
        m, record = self.model, self._record(spec)
        if "databases" in spec:
            rows = [Row(m.database(r["database"]), None, None, rational(r["probability"])) for r in spec["databases"]]
        else:
            rows = self._worlds(str(spec["distribution"]), "knowledge" in spec)
        if "knowledge" in spec:
            rows = [r for r in rows if r.known == label(spec["knowledge"])]
        for other in spec.get("given", []):
            rows = [r for r in rows if r.database[other["record"]] == label(other["value"])]
        if "value" in spec:
            value = label(spec["value"])
            rows = [r for r in rows if (r.secret if record is None else r.database[record]) == value]
        if spec.get("present"):
            rows = [r for r in rows if r.database[record] != m.absent]
        if "secret" in spec:
            number, which = spec["secret"]
            predicate = {m.database(d) for d in m.field("secrets")[number][which]}
            rows = [r for r in rows if r.database in predicate]
        if not rows or any(r.probability <= 0 for r in rows):
            raise Impossible("the witness names a law given what cannot happen")
        return rows

    def _record(self, spec: Mapping[str, Any]) -> Any:
        """The index of a record of the model, or None."""
        record = spec.get("record")
        if record is not None and (
            isinstance(record, bool) or not isinstance(record, int) or not 0 <= record < self.model.size
        ):
            raise Rejected(f"the witness names the record {str(record)[:40]}, which there is not")
        return record

    def _worlds(self, name: str, known: bool) -> list[Row]:
        for theta in self.model.thetas():
            if theta.name == name:
                return theta.rows
        prior = self.model.priors().get(name)
        if prior is None or known:
            raise Rejected(f"the witness names the distribution {name[:60]}, which there is not")
        return [Row(d, None, None, p) for d, p in prior.items()]

    def _side(self, spec: Mapping[str, Any]) -> Side:
        m, rows = self.model, self._rows(spec)
        weights = changed(rows, spec["record"], label(spec["set_to"])) if "set_to" in spec else conditioned(rows)
        if "about" in spec:
            return self._belief(spec, rows)
        if "leak" in spec:
            return self._given_leak(spec, weights)
        if spec.get("image"):
            table = {label(o): label(x) for o, x in m.field("image").items()}
            return self._law(weights).image(lambda o: found(table, o))
        if "group" in spec:
            views = [{label(o): label(x) for o, x in m.field("views")[j].items()} for j in spec["group"]]
            return self._law(weights).image(lambda o: label([found(view, o) for view in views]))
        return mixture(weights)

    def _against(self, spec: Mapping[str, Any]) -> Side:
        """The second law; in the reading infinite-loss it may be given what cannot happen: it is no law."""
        try:
            return self._side(spec)
        except Impossible:
            if self.decision.asked.reading != "infinite-loss":
                raise
            return NOTHING

    def _law(self, weights: Mapping[Database, Fraction | int]) -> Law:
        return mixed((Fraction(w), self.mechanism.law(d)) for d, w in weights.items())

    def _given_leak(self, spec: Mapping[str, Any], weights: Mapping[Database, Fraction]) -> Law:
        ((d, _),) = weights.items()
        laws = given_leak(self.model, d)
        if label(spec["leak"]) not in laws:
            raise Rejected("the witness names a leak that cannot happen")
        return laws[label(spec["leak"])]

    def _belief(self, spec: Mapping[str, Any], rows: Iterable[Row]) -> Law:
        """The law of D(record), D, whether an element is in D, or the recoding; after an output, where there is one."""
        about, m = spec["about"], self.model
        if about == "recoding":
            ((d, _),) = conditioned(rows).items()
            choose = m.mechanism.parts.get("choose")
            return choose.law(d) if choose else law_of({"the only recoding": ONE})
        weights: dict[Any, Fraction] = {}
        for row in rows:
            d, i = row.database, self._record(spec)
            if about == "record":
                of: Label = d[i]
            elif about == "element":
                of = "in" if label(spec["element"]) in d else "out"
            else:
                of = label(list(d))
            if "set_to" in spec:
                d = (*d[:i], label(spec["set_to"]), *d[i + 1 :])
            weight = self.mechanism.law(d).event([label(spec["output"])]) if "output" in spec else ONE
            weights[of] = weights.get(of, Fraction(0)) + row.probability * weight
        total = sum(weights.values())
        if not total:
            raise Rejected("the witness names a belief after an output that cannot happen")
        return law_of({v: w / total for v, w in weights.items() if w})

    # what is added up

    def _equal(self, claim: Mapping[str, Any], found_: Sequence[Fraction]) -> None:
        for name, value in zip(("probability_a", "probability_b"), found_, strict=True):
            absent = claim.get(name) is None and self.decision.asked.reading == "infinite-loss"  # there is no such law
            if (0 if absent else rational(claim.get(name), name)) != value:
                raise Rejected(f"{name} is {value}, and the witness says {claim.get(name)}")

    def _asked(self, scale: Fraction | None) -> Number:
        """The asked ε times a multiple; ∞ where none is asked."""
        epsilon = self.decision.epsilon if self.decision.epsilon is not None else INFINITY
        if scale == 0:
            return ZERO
        return epsilon.times(scale or 1) if isinstance(epsilon, Log) else epsilon

    def _event(self, comparison: Comparison, p: Measure, q: Measure) -> None:
        event = [label(o) for o in self.witness["event"]]
        a, b = p.event(event), q.event(event)
        self._equal(self.witness, [a, b])
        power = Power(self._asked(comparison.scale))
        above = self._above(event, p, q, power)
        if not self.fails:
            return self._closest(a, b, comparison, above)
        if self.measure == "hockey-stick":
            shown = Line(a, b, power).exceeds(self.delta)
        elif self.measure == "tail":
            shown = a > self.delta and above
        elif self.measure == "ratio":
            shown = power.sign(a, b) > 0
        elif self.measure == "tradeoff":
            shown = 1 - b < at(self.decision.vertices(), a)
        elif self.measure == "predicate":
            rows = [[rational(x) for x in row] for row in self.decision.policy["predicate"]]
            shown = any(x * a + y * b > z for x, y, z in rows)
        elif b == 0:  # a divergence that is infinite
            shown = a > 0
        else:
            shown = self.decision.fails(comparison)
        if not shown:
            raise Rejected(f"the event has the probabilities {a} and {b}, which exceed nothing")
        return None

    def _above(self, event: Sequence[Label], p: Measure, q: Measure, power: Power) -> bool:
        """Whether a tail counts no output whose loss is not above ε."""
        return self.measure != "tail" or all(
            power.sign(x, q.of(o)) > 0 for o, x in p.chances().items() if any(covers(e, o) for e in event)
        )

    def _closest(self, a: Fraction, b: Fraction, c: Comparison, above: bool = True) -> None:
        """What is closest has the smallest δ at the asked ε, or it is about the smallest ε, and needs it."""
        delta, tight, power = self.decision.tight_delta, self.decision.tight_epsilon, self.decision.power(c)
        if delta is not None and delta > ZERO and self.epsilon == power.epsilon:
            line = Line(a, Fraction(0) if self.measure == "tail" else b, power)
            if not above or not fits(str(line), None, delta):
                raise Rejected(f"what is closest has the δ {line}, and the smallest δ is {delta}")
        elif self.measure == "tail":
            if a <= self.delta and self.epsilon is not None and self.epsilon > ZERO:
                raise Rejected(f"what is closest has the probability {a} at the smallest ε, {tight}")
        elif self.measure in ("hockey-stick", "ratio") and isinstance(tight, Log) and c.scale != 0:
            need = tight.times(c.scale or 1)
            named = tight if self.measure == "ratio" else need
            if not self.epsilon == named or (tight > ZERO and Power(need).sign(a - self.delta, b)):
                raise Rejected(f"what is closest does not need the smallest ε, {need}")

    def _average(self) -> None:
        """Terms with weights: Σ weight·P - e^ε·Σ weight·Q > δ; of shares, each exceeds e^ε and all weigh too much."""
        candidates: list[Comparison] | None = None
        a = b = weight = Fraction(0)
        used: dict[tuple[object, object], Fraction] = {}
        share, above = self.measure == "share", True
        power = Power(self._asked(ONE))
        for term in self.terms:
            keys = [_key(side) for side in self.sides(term["laws"])]
            found_ = self.index().get((keys[0], keys[1]), []) + (
                self.index().get((keys[1], keys[0]), []) if share else []
            )
            candidates = found_ if candidates is None else [c for c in candidates if any(c is x for x in found_)]
            w = rational(term["weight"], "weight")
            used[keys[0], keys[1]] = used.get((keys[0], keys[1]), Fraction(0)) + w
            if term.get("event") is not None and term.get("probability_a") is not None:
                event = [label(o) for o in term["event"]]
                one, other = self.outputs(term["laws"])
                p, q = one.event(event), other.event(event)
                above = above and self._above(event, one, other, power)
                self._equal(term, [p, q])
                if share and self.fails and power.sign(p, q) <= 0:
                    raise Rejected("a term of the witness does not exceed e^ε")
                a, b = a + w * p, b + w * q
            weight += w
        chosen = next((c for c in candidates or [] if self._weights_fit(c, used, share)), None)
        if chosen is None:
            raise Rejected("the terms of the witness are not those of one comparison, with its weights")
        if not self.fails or self.measure == "mean-kl":
            if self.fails and not self.decision.fails(chosen):
                raise Rejected("the comparison that the witness names does not fail")
            return None if self.fails else self._closest(a, b, chosen, above)
        if share:
            if weight <= rational(self.decision.policy["gamma"]):
                raise Rejected(f"the terms of the witness have the share {weight}, which may be left out")
        elif not above or not Line(a, Fraction(0) if self.measure == "tail" else b, power).exceeds(self.delta):
            raise Rejected(f"the terms of the witness add up to {a} and {b}, which exceed nothing")
        return None

    def _weights_fit(self, c: Comparison, used: Mapping[tuple[object, object], Fraction], share: bool) -> bool:
        """Whether no pair of laws weighs more than in the comparison; equal laws may stand together."""
        laws = self.decision.laws
        have: dict[object, Fraction] = {}
        at_key: dict[tuple[object, object], object] = {}
        for term in c.terms:
            ids = id(laws.of(term.p)), id(laws.of(term.q))
            two = frozenset(ids) if share else ids  # a share counts a pair of laws in its worse direction
            have[two] = have.get(two, Fraction(0)) + term.share
            at_key[_key(term.p), _key(term.q)] = two
            if share:
                at_key[_key(term.q), _key(term.p)] = two
        need: dict[object, Fraction] = {}
        for keys, w in used.items():
            if keys not in at_key:
                return False
            need[at_key[keys]] = need.get(at_key[keys], Fraction(0)) + w
        return all(w <= have[two] for two, w in need.items())

    def _left_out(self, comparison: Comparison, p: Measure, q: Measure) -> None:
        most, power = self.model.rational("error"), Power(self._asked(ONE))
        for term in self.terms:
            gone, event = [label(o) for o in term["left_out"]], [label(o) for o in term["event"]]
            a, b = p.event(event), q.event(event)
            self._equal(term, [a, b])
            if set(gone) & set(event) or p.event(gone) > most:
                raise Rejected("the witness leaves out too much, or what it counts")
            if self.fails and not Line(a, b, power).exceeds(self.delta):
                raise Rejected("an event of the witness exceeds nothing")
        (resolved,) = self.decision.laws.resolve(comparison)
        choices = sum(1 for _ in without_some(resolved, most))
        if self.fails and len({tuple(sorted(map(label, term["left_out"]))) for term in self.terms}) < choices:
            raise Rejected("the witness has not every largest choice of what may be left out")

    def _semantic(self) -> None:
        """Two databases D with M(D) and M(D without i): the ratios of the event differ by R."""
        sums = []
        for term in self.terms:
            laws = self.outputs(term["laws"])
            event = [label(o) for o in term.get("event") or self.witness["event"]]
            self._equal(term, [x.event(event) for x in laws])
            sums.append([x.event(event) for x in laws])
            sides = self.sides(term["laws"])
            if (_key(sides[0]), _key(sides[1])) not in self.index():
                raise Rejected("the witness names two laws that the definition does not compare")
        if len(sums) != 2:
            raise Rejected("the witness does not name two databases")
        (p, q), (other_p, other_q) = sums
        below = other_p * q
        moved = belief_moves(p * other_q / below if below else None)
        if self.fails and self.decision.epsilon is not None and not moved > self.decision.epsilon:
            raise Rejected(f"the belief moves by {moved}, which is within ε")


def _key(side: Side) -> object:
    return side if isinstance(side, tuple) else frozenset((o, Fraction(c, side.total)) for o, c in side.counts.items())


# --- files ------------------------------------------------------------------------------------------------------------


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a regular file."""
    try:
        if not path.is_file():
            raise Wrong(f"{path}: there is no such file")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    if len(data) > most:
        raise Wrong(f"{path}: more than {most:,} bytes")
    return data


def is_file(path: Path) -> bool:
    """Whether there is such a file; a name that the system refuses is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


class Models:
    """The model files that answers name; each is read once, and its hash is compared.

    A model that was not `given` stands beside the answers, or in one of the `folders`, or in one around the answers.
    """

    def __init__(self, given: Sequence[Path], parameters: Mapping[str, Fraction], folders: Sequence[Path] = ()) -> None:
        self.given, self.parameters, self.folders = given, parameters, folders
        self.contents: dict[Path, tuple[str, bytes]] = {}
        self.read: dict[Path, Model] = {}

    def file(self, answer: Mapping[str, Any], beside: Path) -> Path:
        """The model file of an answer, which has the hash that is claimed."""
        name, wanted = answer.get("model"), answer.get("sha256")
        places = list(self.given)
        if not places and isinstance(name, str) and len(name) < MOST_PATH:
            around = beside.absolute().parents
            places = [beside / name, beside / Path(name).name, *(folder / name for folder in (*self.folders, *around))]
            places.append(Path(name))
        there = [path for path in places if is_file(path)]
        if not there:
            raise Wrong(f"the model {str(name)[:200]!r} is not there. Hint: name its file with --model FILE.")
        path = next((path for path in there if wanted in (None, self._content(path)[0])), None)
        if path is None:
            digest = self._content(there[0])[0]
            raise Wrong(
                f"{there[0]} is not the file that was asked about: its sha256 is {digest}, not {str(wanted)[:64]}"
            )
        return path

    def _content(self, path: Path) -> tuple[str, bytes]:
        """The hash and the bytes of a file."""
        if path not in self.contents:
            data = read_bytes(path, MOST_BYTES)
            self.contents[path] = hashlib.sha256(data).hexdigest(), data
        return self.contents[path]

    def of(self, answer: Mapping[str, Any], beside: Path) -> Model:
        """The model of an answer."""
        path = self.file(answer, beside)
        if path not in self.read:
            try:
                self.read[path] = Model(self._content(path)[1].decode("utf-8"), self.parameters)
            except MALFORMED as error:
                raise Wrong(f"{path}: {type(error).__name__}: {error}") from None
        return self.read[path]


_ = ln
