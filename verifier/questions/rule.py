"""What a rule tells under which counts are published: to an attacker who knows some of the people, and not her.

n people are counted independently, each with probability p; she is the last. An attacker knows m of the others: by
chance (passive, PPKDP), or as they choose (active, APKDP). One table is the count of all, published under the rule. Two
tables are that count and the count without a group of people, she among them.
The rule is the mechanism of a model, which `model` is; δ and ε are those of `ppkdp` and `apkdp` there. Counts of many
people are decided by columns (`verifier.engine.count_columns`), everything else by `check`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import prod
from pathlib import Path
from typing import Any

from verifier.definitions.answer import ALL_DIGITS, Decimal, Valued, json_of
from verifier.engine.count_columns import PublishedCounts, one_table, two_tables
from verifier.errors import InputError, LimitError
from verifier.model import Model, build
from verifier.model.arguments import flag, number, optional, takes, text
from verifier.model.compose import with_mechanism
from verifier.model.publication import HIDDEN
from verifier.model.rules import Rule, named_rules, rule_of
from verifier.model.table_files import named_file, p_table
from verifier.numbers import (
    INFINITY,
    Delta,
    Epsilon,
    decimal_form,
    delta_bound,
    exact_text,
    log_epsilon,
    plural,
    shorten,
)
from verifier.numbers import epsilon as read_epsilon
from verifier.numbers import probability as read_probability
from verifier.questions.check import check
from verifier.questions.left import MOST_VECTORS, Left, LeftByAreas, left_by, left_by_areas
from verifier.recheck import TOO_LARGE, confirm_numbers, left_unchecked, work_of_numbers
from verifier.tables import Label, Law, label

ASKED = "ln(2)"
"""ε where neither ε nor δ is asked for: odds that double at most."""
NOISES = ("fresh", "kept")
MOST_BITS = 1 << 31
"""Most bits of the cumulated binomial of the unknown people."""
MOST_PAIRS = 1 << 21
"""Most pairs of outputs of two tables, over all counts, that are listed as columns."""
MOST_RECHECKED = 1 << 22
"""Most additions of long integers that the independent checker is asked for."""
MOST_ROWS = 1 << 12
"""Most rows of p-tables that are written for the independent checker."""
MOST_WORK = 1 << 24
"""Most differences of the binomial for one line; above, the engine of sums decides."""
MOST_SUMS = 1 << 24
"""Most sums of outputs for the engine, over all counts and numbers of known people."""
IN_STEPS = "then, step "
TIES_IN_WORDS = 'ties = "up", "down" or "even"', "`halves up`, `halves down` or `halves even` behind the base"
"""What a model file and the words of a rule call ties."""
FEW = 6
"""Significant digits of the numbers that people read."""
MOST_PHRASES = 3
"""Most stretches of counts that a sentence has."""
MOST_PARTS = 4
"""Most values of one count that a sentence has."""
MOST_LEFT = 1000
"""Most entries of what areas leave that JSON has, the likeliest first; Python has all."""
TOO_MANY_VECTORS = f"the areas have more than {MOST_VECTORS:,} combinations of counts and published numbers"
NOT_AGAIN = "what is left of hidden counts was not decided again"
"""What the independent checker did not decide, before the reason."""
RARE = Fraction(1, 10**9)
"""What is certain with a smaller probability has no sentence; it has its row."""
Steps = list[Any]


@dataclass(frozen=True)
class Learned(Valued):
    """What one attacker learns: the smallest δ at ε, the smallest ε at δ, and how often they learn it for certain."""

    tight_delta: Delta | None
    tight_epsilon: Epsilon
    certain: Delta
    """δ as ε → ∞: the probability of published numbers that prove whether she is counted."""

    def fields(self) -> dict[str, Any]:
        """The numbers of one attacker as JSON has them, each with its decimal."""
        numbers = {"tight_delta": self.tight_delta, "tight_epsilon": self.tight_epsilon, "certain": self.certain}
        return numbers | {f"{name}_decimal": Decimal(value) for name, value in numbers.items()}


@dataclass(frozen=True)
class Release(Valued):
    """What the two attackers learn from one release."""

    passive: Learned
    active: Learned
    proves: str = field(default="", repr=False)
    """In which case the numbers may prove it: `counted`, `not counted`; empty for either."""


@dataclass(frozen=True)
class People:
    """Who is counted: people of one area, or of several, the first with her; `known` of them are known."""

    areas: tuple[int, ...]
    known: tuple[int, ...]
    probability: Fraction
    overlap: int = 1
    """How many people the second table leaves out, she among them; 0: there is one table."""
    known_in_overlap: int = 0

    @property
    def size(self) -> int:
        """How many people there are."""
        return sum(self.areas)

    @property
    def apart(self) -> str:
        """Whom the second table leaves out, in words."""
        return "the target" if self.overlap == 1 else f"{self.overlap} people, the target among them"


@dataclass(frozen=True)
class RuleAnswer(Valued):
    """What the attackers learn under a rule; it prints itself, also in a notebook.

    >>> rule("hide 1 to 2, then round to base 5", people=12, known=3, probability="1/2").sentences[-1][:43]
    'Assumed: 12 independent people, each counte'
    """

    given: str | None
    steps: Steps
    people: People
    noise: str | None
    """`fresh` or `kept`, where the rule is random and there are two tables."""
    epsilon: Epsilon | None
    delta: Fraction
    one_table: Release
    two_tables: Release | None
    left: tuple[Left, ...]
    words: str
    """What the rule does to the counts, in words."""
    table_keys: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The keys of the table with areas: whether the total is published, and what is hidden besides."""
    of_areas: LeftByAreas | None = field(default=None, repr=False)
    """With areas: what is left of hidden counts; None for one area, and for too many counts."""
    replayed: bool | None = field(default=None, compare=False)
    """True once the independent checker has decided every number again."""
    unchecked: str = field(default="", compare=False)
    """Why it has not, where it was asked; or what it took over."""

    def __repr__(self) -> str:
        return f"<RuleAnswer {self.words}>"

    def __str__(self) -> str:
        """Plain text: the rule, the numbers, and what they mean."""
        rows = [f"{name}: {passive} (passive), {active} (active)" for name, passive, active in self.numbers()]
        return "\n".join([self.words, *rows, *self.sentences])

    @property
    def given_away(self) -> Fraction | None:
        """How often the published numbers of areas determine some hidden count, to a reader who knows nobody."""
        return None if self.of_areas is None else self.of_areas.given_away

    @property
    def releases(self) -> list[tuple[str, Release]]:
        """The releases with their names."""
        if self.two_tables is None:
            return [("one table", self.one_table)]
        apart = self.people.apart
        return [("one table", self.one_table), (f"two tables, one without {apart}", self.two_tables)]

    def numbers(self, digits: int = FEW) -> Iterator[tuple[str, str, str]]:
        """Yield the name of a number, and it for the passive and the active attacker, as rounded decimals."""

        def both(what: str, first: Delta | Epsilon | None, second: Delta | Epsilon | None) -> tuple[str, str, str]:
            return what, rounded(first, digits), rounded(second, digits)

        for name, release in self.releases:
            passive, active = release.passive, release.active
            if self.epsilon is not None:
                yield both(f"{name}: δ at ε = {self.epsilon.text(24)}", passive.tight_delta, active.tight_delta)
            if self.epsilon is None or self.delta:
                yield both(f"{name}: ε at δ = {exact_text(self.delta)}", passive.tight_epsilon, active.tight_epsilon)
            yield both(f"{name}: for certain", passive.certain, active.certain)

    @cached_property
    def model(self) -> Model:
        """The model of which `ppkdp` and `apkdp` give the numbers: of the two tables, or of the one."""
        return model_of(self, two=self.two_tables is not None)

    def rechecked(self) -> RuleAnswer:
        """The answer with `replayed` True, once the independent checker has decided each number from the models' text.

        Else `unchecked` says why not. What would take it more than some seconds is not begun.

        Raises:
            RejectedError: where it decides otherwise.

        """
        rows = (len(step.get("table") or ()) for step in self.steps if isinstance(step, Mapping))
        if sum(rows) > MOST_ROWS:
            return replace(self, unchecked=TOO_LARGE)
        laws = laws_of(self.steps, max(self.people.areas))
        outputs = Fraction(sum(len(law.outcomes) for law in laws), len(laws))
        models = [(model_of(self, two=number == 1), release) for number, (_, release) in enumerate(self.releases)]
        areas = len(self.people.areas)
        work = sum(work_of_numbers(model) * outputs ** (areas + two) for two, (model, _) in enumerate(models))
        if work > MOST_RECHECKED:
            return replace(self, unchecked=TOO_LARGE)
        taken_over = ""
        for model, release in models:
            word = confirm_numbers(self._claims(release), model)
            if word.word != "confirmed":
                return replace(self, unchecked=word.why)
            taken_over = word.why
        if self.left or self.of_areas is not None:  # else nothing is said of hidden counts
            reason = left_unchecked({**self.to_json(ALL_DIGITS), "left": json_of(self.left, ALL_DIGITS)}, models[0][0])
            taken_over = "; ".join(filter(None, (taken_over, f"{NOT_AGAIN}: {reason}" if reason else "")))
        return replace(self, replayed=True, unchecked=taken_over)

    def _claims(self, release: Release) -> Iterator[dict[str, Any]]:
        """The numbers of one release as answers about its model, at ε and as ε → ∞."""
        for definition, learned in (("ppkdp", release.passive), ("apkdp", release.active)):
            numbers = learned.to_json(ALL_DIGITS)
            smallest = numbers["tight_epsilon"]
            asked = {"definition": definition, "delta": exact_text(self.delta), "tight_epsilon": smallest}
            for epsilon, least in ((self.epsilon, learned.tight_delta), (INFINITY, learned.certain)):
                holds = not learned.tight_epsilon.is_infinite if least is None else least <= self.delta
                name = "certain" if epsilon is INFINITY else "tight_delta"
                yield {
                    **asked,
                    "epsilon": epsilon and epsilon.text(ALL_DIGITS),
                    "tight_delta": numbers[name],
                    "verdict": "holds" if holds else "fails",
                }

    @cached_property
    def sentences(self) -> list[str]:
        """What each attacker learns, what a published value leaves, and what is assumed, in sentences."""
        left = self._left() if len(self.people.areas) == 1 else self._left_by_areas()
        return [*self._learned(), *left, *self._assumed()]

    def _learned(self) -> Iterator[str]:
        one = self.one_table
        if self.epsilon is not None and not self.epsilon.is_infinite:
            e = self.epsilon.exp
            factor = f"about {decimal_form(self.epsilon.exp_bracket(64)[0], 4)}" if e is None else exact_text(e, 12)
            yield (
                f"One table: the published numbers change the odds that the target is counted by the factor {factor} "
                f"at most (ε = {self.epsilon.text(24)}), up to a probability δ. It is "
                f"{rounded(one.passive.tight_delta)} for an attacker who {self._knows(one.active.tight_delta)}."
            )
        else:
            yield (
                f"One table: up to a probability of {exact_text(self.delta)}, the published numbers change the odds "
                f"that the target is counted by a factor e^ε at most, with ε = {rounded(one.passive.tight_epsilon)} "
                f"for an attacker who {self._knows(one.active.tight_epsilon)}."
            )
        if one.active.certain >= RARE:
            yield f"One table: {_certain(one)}"
        if self.two_tables is not None:
            yield f"Two tables, one without {self.people.apart}: {_certain(self.two_tables)}"
            if self.limit is not None:
                yield f"More people do not help: as their number grows, this nears {self.limit}."

    def _knows(self, active: Delta | Epsilon | None) -> str:
        """Whom the passive attacker knows; and the number of the active one."""
        many = sum(self.people.known)
        if not many:
            return "knows none of the people"
        return (
            f"happens to know {plural(many, 'person', 'people')} (passive), and {rounded(active)} for one who also "
            "chooses which of these are counted (active)"
        )

    @property
    def limit(self) -> Fraction | None:
        """What two tables that differ by her prove as more unknown people are counted; None for other rules.

        Rounding to base b, with bounded counts hidden before or after, changes from c to c + 1 once in b on average,
        but for boundedly many c. A binomial modulo 2b becomes uniform for 0 < p < 1: so 1/b, and 1 without rounding.
        """
        steps = [step for step in self.steps if isinstance(step, Mapping)]
        rounds = [step for step in steps if step["kind"] in {"round", "midpoint"}]
        ours = len(rounds) + sum(step["kind"] == "hide" for step in steps)
        if self.people.overlap != 1 or ours < len(self.steps) or not self.steps or len(rounds) > 1:
            return None
        base = Fraction(rounds[0]["base"]) if rounds else Fraction(1)
        return 1 / base if base.denominator == 1 else None

    def _left(self) -> Iterator[str]:
        hidden = [f"{one.first} to {one.last}" for one in self.left if one.published == HIDDEN]
        if hidden:
            yield f"A hidden count (*) leaves the counts {', '.join(hidden)}."
        shown = [one for one in self.left if one.published != HIDDEN and one.first < one.last]
        if shown:
            parts = [f"{one.published} leaves {one.first} to {one.last}" for one in shown[:MOST_PHRASES]]
            yield f"A published {', '.join(parts)}{', …' if len(shown) > MOST_PHRASES else '.'}"

    def _left_by_areas(self) -> Iterator[str]:
        found, reader = self.of_areas, "a reader who knows none of the people"
        if found is None:
            yield f"How often {reader} can compute a hidden count is not answered: {TOO_MANY_VECTORS}."
            return
        if not found.left:
            return
        published = "The areas and their total" if self.table_keys.get("total") else "The published numbers"
        first, example = found.left[0].published, found.example
        if example is None:
            yield f"{published} never give a hidden count away to {reader}."
        else:
            often = rounded(found.given_away)
            yield (
                f"{published} give a hidden count away with probability {often}, to {reader}; "
                f"the likeliest numbers that do are {self._leaves(example)}."
            )
        if first != example:
            yield f"The likeliest numbers with a hidden count are {self._leaves(first)}."

    def _leaves(self, published: Label) -> str:
        """Published numbers of areas, and the counts that they leave in each hidden one."""
        counts: dict[int, list[str]] = {}
        for one in self.left:
            if one.published == published:
                stretch = f"{one.first} to {one.last}" if one.first < one.last else f"{one.first}"
                counts.setdefault(one.area, []).append(stretch)
        places = [f"area {area}: {' or '.join(stretches)}" for area, stretches in counts.items()]
        return f"{', '.join(map(str, published.entries or ()))} ({', '.join(places)})"

    def _assumed(self) -> Iterator[str]:
        people, known = self.people, self.people.known
        where = f" in {plural(len(known), 'area')}, the target in the first" if len(known) > 1 else ""
        yield (
            f"Assumed: {people.size:,} independent people{where}, each counted with probability "
            f"{exact_text(people.probability)}; the attacker knows {' + '.join(map(str, known))} of them, "
            "and wants to know about one more, the target."
        )
        if people.known_in_overlap:
            apart = f"the {people.overlap - 1} others who are left out with the target"
            yield f"{people.known_in_overlap} of these are among {apart}."
        if self.noise == "fresh":
            yield "Noise is fresh: each table has its own draw (noise: kept is the other way)."
        if self.noise == "kept":
            yield "Noise is kept: counts of the same people are published alike (noise: fresh is the other way)."

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp rule --json`."""
        people = self.people
        many = len(people.areas) > 1
        fields: dict[str, Any] = {
            "rule": [step if isinstance(step, Mapping) else "a function" for step in self.steps],
            "people": list(people.areas) if many else people.size,
            "known": list(people.known) if many else people.known[0],
            "probability": people.probability,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "one_table": self.one_table,
            "replayed": self.replayed,
            **({"unchecked": self.unchecked} if self.unchecked else {}),
        }
        if not many:
            fields |= {"overlap": people.overlap, "known_in_overlap": people.known_in_overlap, "noise": self.noise}
            return fields | {"two_tables": self.two_tables, "left": self.left}
        found = self.of_areas
        fields |= {"given_away": self.given_away, "given_away_decimal": Decimal(self.given_away)}
        if found is None:
            return fields | {"left": None, "left_unknown": TOO_MANY_VECTORS}
        rest = {"left_further": len(found.left) - MOST_LEFT} if len(found.left) > MOST_LEFT else {}
        return fields | {"left": found.left[:MOST_LEFT], **rest}


def rounded(value: Delta | Epsilon | Fraction | None, digits: int = FEW) -> str:
    """A number for people: few significant digits, and down to 10^-12 without a power of ten.

    >>> rounded(Delta.of(Fraction(1, 3), Fraction(0), INFINITY)), rounded(Delta.of(Fraction(3, 10**7), 0, INFINITY))
    ('0.333333', '0.0000003')
    """
    if value is None:
        return "–"
    shown = decimal_form(value, digits)
    mantissa, _, power = shown.partition("e-")
    if not power or int(power) > 12:
        return shown
    return f"0.{'0' * (int(power) - 1)}{mantissa.replace('.', '')}"


def _certain(release: Release) -> str:
    """How often the numbers prove it, as the rest of a sentence."""
    passive, active = rounded(release.passive.certain), rounded(release.active.certain)
    if release.active.certain.is_zero:
        return "they never prove anything about the target."
    often = f"with probability {passive} (passive) and {active} (active)"
    if passive == active:
        often = f"with probability {passive}"
    proved = (
        f"if the target is {release.proves}, they prove it"
        if release.proves
        else "they prove whether the target is counted"
    )
    return f"{proved} {often}, whatever ε is."


# --- the laws, and the answer ----------------------------------------------------------------------------------------


def laws_of(steps: Steps, size: int, least: int = 0) -> list[Law]:
    """The law of what is published for each count from `least` to `size`.

    Raises:
        InputError: for a step that is none, or is not defined on a count, with its number.

    """
    try:
        statistic = build(size=size, values=["no", "yes"], mechanism=counted(steps)).mechanism.statistic
        if statistic is None:
            raise TypeError("a count is a statistic")
        return [statistic.finish(count) for count in range(least, size + 1)]
    except InputError as error:
        _, found, step = error.where.rpartition(IN_STEPS)
        if not found:
            raise
        raise error.but(where=f"rule, step {step}", wanted=error.wanted.replace(*TIES_IN_WORDS)) from None


def counted(steps: Steps) -> dict[str, Any]:
    """The mechanism that is one published count of all people."""
    return {"kind": "count", "value": "yes", "then": steps}


def in_words(laws: Sequence[Law]) -> str:
    """What becomes of the counts, in words: the first stretches of counts that are published alike.

    >>> in_words([Law.point(HIDDEN)] * 3 + [Law.point(label(5))] * 5)
    '0 to 2 are hidden, 3 to 7 become 5'
    """
    phrases: list[str] = []
    count = 0
    while count < len(laws) and len(phrases) <= MOST_PHRASES:
        law, first = laws[count], count
        while count < len(laws) and laws[count] == law:
            count += 1
        same = count - first == 1 and law.outcomes == (label(first),)
        while same and count < len(laws) and laws[count].outcomes == (label(count),):
            if laws[count : count + 1] == laws[count + 1 : count + 2]:
                break
            count += 1
        who = f"{first}" if count - first == 1 else f"{first} to {count - 1}"
        one = count - first == 1
        if same:
            phrases.append(f"{who} {'is' if one else 'are'} shown")
        elif law.outcomes == (HIDDEN,):
            phrases.append(f"{who} {'is' if one else 'are'} hidden")
        else:
            parts = [f"{o} ({exact_text(p, 24)})" for o, p in law.chances()]
            becomes = parts[0].partition(" ")[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
            becomes = becomes if len(parts) <= MOST_PARTS else f"one of {len(parts):,} values"
            phrases.append(f"{who} {'becomes' if one else 'become'} {becomes}")
    return ", ".join(phrases) + (", …" if count < len(laws) else "")


def _by_columns(counts: PublishedCounts, epsilon: Epsilon | None, delta: Fraction) -> Release:
    """What both attackers learn, from the columns."""
    at_epsilon = None if epsilon is None else counts.deltas(epsilon)
    certain = counts.deltas(INFINITY)
    found = []
    for averages in (True, False):
        if averages or delta:  # at δ = 0 the worst output counts, for both
            level = counts.level(delta, averages=averages)
            smallest = INFINITY if level is None else log_epsilon(level)
        side = int(not averages)
        found.append(Learned(at_epsilon and max(at_epsilon[side]), smallest, max(certain[side])))
    counted, other = certain[0]
    passive, active = found
    return Release(passive, active, "" if counted == other else "counted" if counted > other else "not counted")


def _by_check(model: Model, epsilon: Epsilon | None, delta: Fraction) -> Release:
    """What both attackers learn, from the answers about the model."""

    def learned(key: str) -> Learned:
        asked = check(model, key, epsilon=epsilon, delta=delta, replay=False)
        proved = check(model, key, epsilon=INFINITY, replay=False)
        return Learned(asked.tight_delta, asked.tight_epsilon, proved.tight_delta)  # type: ignore[arg-type]

    return Release(learned("ppkdp"), learned("apkdp"))


def _columns_of(laws: Sequence[Law], people: People, noise: str | None, *, two: bool) -> PublishedCounts | None:
    """The columns of one table or of two; None where they are so many that the engine of sums is as good."""
    outputs = [len(law.outcomes) for law in laws]
    pairs = sum(many**2 for many in outputs) if two else sum(outputs) * max(outputs) // 8
    if two and pairs > MOST_PAIRS:
        raise LimitError(
            f"under this noise two tables have {pairs:,} pairs of numbers, over all counts",
            where="people",
            wanted=f"at most {MOST_PAIRS:,}",
            tip="ask for fewer people, or for one table (an overlap of 0)",
        )
    if pairs > MOST_PAIRS:
        return None
    known = people.known[0]
    counts = (
        two_tables(laws, known, people.probability, people.overlap, people.known_in_overlap, kept=noise == "kept")
        if two
        else one_table(laws, known, people.probability)
    )
    return counts if counts.work <= MOST_WORK else None


def model_of(answer: RuleAnswer, *, two: bool) -> Model:
    """The model of one table, or of two, as a model file has it."""
    people = answer.people
    ends = list(accumulate(people.areas))
    starts = [end - size for end, size in zip(ends, people.areas, strict=True)]
    she = people.areas[0] - 1
    known = [k for start, number in zip(starts, people.known, strict=True) for k in range(start, start + number)]
    names: dict[str, Any] = {}
    tables: list[dict[str, Any]] = [{"cells": ["yes"]}]
    if len(people.areas) > 1:
        names = {f"area {k}": {"from": a, "to": b - 1} for k, (a, b) in enumerate(zip(starts, ends, strict=True), 1)}
        tables = [{"cells": ["yes"], "by": list(names), **answer.table_keys}]
    elif two:
        first = people.size - people.overlap
        apart = "her" if people.overlap == 1 else "left out"
        names = {apart: {"from": first, "to": she}}
        tables.append({"cells": ["yes"], "without": [apart]})
        inside = people.known_in_overlap
        known = [*range(people.known[0] - inside), *range(first, first + inside)]
    then = {"then": answer.steps} if answer.given is None else {"rule": answer.given}
    noise = {"noise": answer.noise} if two and answer.noise else {}
    return build(
        title=f"Published counts: {answer.given or answer.words}",
        size=people.size,
        values=["no", "yes"],
        distribution=[{"iid": {"no": 1 - people.probability, "yes": people.probability}}],
        sensitive={"records": [she]},
        mechanism={"kind": "tables", **then, **noise, "tables": tables},
        **({"knowledge": {"records": known}} if known else {}),
        **({"people": names} if names else {}),
    )


@dataclass
class AskedRule:
    """A rule as it is given, with its steps, and the laws of counts, made once for each number of people."""

    given: str | None
    steps: Steps
    table_keys: Mapping[str, Any] = field(default_factory=dict)
    """The keys of a table with areas that are asked for: its total, and what is hidden besides."""
    noise: str = ""
    """How its noise is drawn, where the rule is known to say so."""
    whole: str = ""
    """What a rule does, in words, that looks at a whole table and not at each count."""
    _laws: dict[int, list[Law]] = field(default_factory=dict)

    @cached_property
    def key(self) -> str:
        """The key of the first known rule that has these steps; empty where there is none."""
        mine = Rule(tuple(self.steps), {}, self.noise)
        ready = (known for known in named_rules().values() if known.words is not None)
        return next((known.key for known in ready if rule_of(known.key) == mine), "")

    def laws(self, size: int) -> list[Law]:
        """The law of what is published for each count from 0 to `size`."""
        if size not in self._laws:
            self._laws[size] = laws_of(self.steps, size)
        return self._laws[size]

    def answer(self, people: People, noise: str | None, epsilon: Epsilon | None, delta: Fraction) -> RuleAnswer:
        """What both attackers learn under the rule.

        Raises:
            InputError: for noise that is kept where nothing would change.
            LimitError: for too many people, before the work.

        """
        areas = len(people.areas) > 1
        _refuse_many(people)
        two = not areas and people.overlap > 0
        noisy = any(isinstance(step, Mapping) and str(step.get("kind")).endswith("noise") for step in self.steps)
        if noisy and not areas:  # a p-table has few outputs, and may take seconds to read
            _refuse_wide(people, len(laws_of(self.steps, people.size, people.size)[0].outcomes), two=two)
        laws = self.laws(max(people.areas))
        random = any(len(law.outcomes) > 1 for law in laws)
        if noise == "kept" and not (random and two):
            problem = "kept noise would change nothing: "
            problem += "the rule draws nothing at random" if not random else "there is no second table"
            raise InputError(problem, where="noise", wanted="a random rule and two tables", tip="leave it out")
        keyed = any(isinstance(step, Mapping) and step.get("kind") == "cell-key" for step in self.steps)
        noise = (noise or self.noise or ("kept" if keyed else "fresh")) if random and two else None
        found = RuleAnswer(
            self.given,
            self.steps,
            people,
            noise,
            epsilon,
            delta,
            _NOTHING,
            None,
            (),
            self.whole or in_words(laws),
            self.table_keys,
        )
        if areas:
            return self._of_areas(found, laws)
        left = () if self.whole else left_by(laws)
        second = self._release(found, laws, two=True) if two else None
        return replace(found, one_table=self._release(found, laws, two=False), two_tables=second, left=left)

    def _of_areas(self, asked: RuleAnswer, laws: Sequence[Law]) -> RuleAnswer:
        """The answer for areas, from the model; what is left of hidden counts, where their vectors are few."""
        people, model = asked.people, model_of(asked, two=False)
        found = replace(asked, one_table=_by_check(model, asked.epsilon, asked.delta))
        if not self.whole and all(HIDDEN not in law.outcomes for law in laws):
            return replace(found, of_areas=LeftByAreas(Fraction(0), (), None))
        each = (max(len(law.outcomes) for law in laws[: size + 1]) * (size + 1) for size in people.areas)
        statistic = model.mechanism.statistic
        if prod(each) > MOST_VECTORS or statistic is None:
            return found
        left = left_by_areas(people.areas, people.probability, statistic.finish)
        return replace(found, left=left.left, of_areas=left)

    def _release(self, asked: RuleAnswer, laws: Sequence[Law], *, two: bool) -> Release:
        columns = None if self.whole else _columns_of(laws, asked.people, asked.noise, two=two)
        if columns is None:
            alone = not (two or self.whole)
            model = with_mechanism(asked.model, counted(self.steps)) if alone else model_of(asked, two=two)
            return _by_check(model, asked.epsilon, asked.delta)
        return _by_columns(columns, asked.epsilon, asked.delta)


_NO_ONE = Learned(None, INFINITY, Delta.of(Fraction(1), Fraction(0), INFINITY))
_NOTHING = Release(_NO_ONE, _NO_ONE)


def _refuse_many(people: People) -> None:
    bits = people.size**2 * people.probability.denominator.bit_length()
    if bits > MOST_BITS:
        raise LimitError(
            f"{people.size:,} people need {bits:,} bits of probabilities",
            where="people",
            wanted=f"at most {MOST_BITS:,} bits",
            tip="ask for fewer people, or a probability with a shorter denominator",
        )


def _refuse_wide(people: People, outputs: int, *, two: bool) -> None:
    """Refuse noise so wide that neither columns nor the engine of sums decide it in a minute, before the work.

    `outputs` are those of the largest count. Columns list pairs of outputs; the engine adds up every output of every
    count for each number of known people.
    """
    known = people.known[0] + 1
    pairs = (people.size + 1) * outputs**2
    of_one = (people.size + 1) * outputs * known if pairs // 8 > MOST_PAIRS else 0
    of_two = pairs * known if two and pairs > MOST_PAIRS else 0
    if of_one + of_two > MOST_SUMS:
        raise LimitError(
            f"a count of {people.size:,} has {plural(outputs, 'published value')}: the answer needs "
            f"{of_one + of_two:,} sums",
            where="rule",
            wanted=f"at most {MOST_SUMS:,} sums",
            tip="ask for fewer people" + (", or for one table (--overlap 0)" if of_one <= MOST_SUMS else ""),
        )


def read_people(
    people: object, known: object, probability: object, overlap: object = 1, known_in_overlap: object = 0
) -> People:
    """Who is counted and who is known.

    Raises:
        InputError: for numbers that do not fit together, and a probability of 0 or 1.

    """
    areas = [number(1)(one, "people") for one in (people if isinstance(people, list | tuple) else [people])]
    many = known if isinstance(known, list | tuple) else [known]
    counts = [number(0)(one, "known") for one in many]
    if counts == [0]:  # nobody is known in any area
        counts *= len(areas)
    if len(areas) != len(counts):
        problem = f"there {'is' if len(areas) == 1 else 'are'} {plural(len(areas), 'area')}, and known people of "
        raise InputError(f"{problem}{len(counts)}", where="known", wanted="one number for each area")
    for k, (size, those) in enumerate(zip(areas, counts, strict=True)):
        most = size - (k == 0)
        if those > most:
            among = ", since the target is not known" if k == 0 else ""
            problem = f"{those} of {plural(size, 'person', 'people')} are known"
            raise InputError(problem, where="known", wanted=f"at most {most}{among}")
    p = read_probability(probability, "probability")
    if p in {0, 1}:
        problem = f"with probability {p} everybody is {'counted' if p else 'left out'}: nothing is unknown"
        raise InputError(problem, where="probability", wanted="a probability above 0 and below 1", tip="1/20")
    group = number(0)(overlap, "overlap")
    inside = number(0)(known_in_overlap, "known_in_overlap")
    found = People(tuple(areas), tuple(counts), p, group if len(areas) == 1 else 0, inside)
    if len(areas) > 1:
        if inside or group > 1:
            raise InputError("areas have one table", where="overlap", wanted="no overlap with areas")
        return found
    if group and group >= areas[0]:
        problem = f"{group} of {plural(areas[0], 'person', 'people')} are left out of the second table"
        raise InputError(problem, where="overlap", wanted=f"at most {areas[0] - 1}: somebody is in it")
    most = min(max(group - 1, 0), counts[0])
    if inside > most:
        problem = f"{inside} known people are among those who are left out"
        raise InputError(problem, where="known_in_overlap", wanted=f"at most {most}: the target is not known")
    outside, there = counts[0] - inside, areas[0] - max(group, 1)
    if outside > there:
        problem = f"{outside} known people are in both tables, which have {plural(there, 'person', 'people')} in common"
        raise InputError(problem, where="known_in_overlap", wanted=f"at least {outside - there + inside}")
    return found


def read_noise(given: object) -> str | None:
    """`fresh` or `kept`, or None."""
    if given is None or (isinstance(given, str) and given in NOISES):
        return given
    raise InputError(f"{shorten(given)} is neither", where="noise", wanted=" or ".join(f'"{name}"' for name in NOISES))


@takes(total=flag, secondary=optional(text))
def rule(
    rule: Any,
    *,
    people: object,
    known: object = 0,
    probability: object,
    epsilon: object = None,
    delta: object = None,
    overlap: object = 1,
    known_in_overlap: object = 0,
    noise: object = None,
    total: object = False,
    secondary: object = None,
) -> RuleAnswer:
    """What an attacker learns about one of `people` people, whose count is published under a rule.

    The rule is a text of steps (`"hide 0 to 9, then round to base 5"`), the key of a rule (`"ons-10-5"`), a list of
    steps as model files have them, or a function of the count. Everybody is counted with `probability`; `known` others
    are known. `overlap` people, she among them, are missing from a second table (0: there is none), `known_in_overlap`
    of them are known. `noise` is `"fresh"` or `"kept"`; left out, it is kept for cell keys, and else fresh. With lists
    of people and known, there are areas, she in the first; `total` publishes their total, and `secondary="smallest"`
    hides a second area where one is hidden alone. Without ε and δ, ε is ln(2).

    >>> answer = rule("hide 1 to 2, then round to base 5", people=12, known=3, probability="1/2")
    >>> answer.two_tables.passive.tight_delta, answer.two_tables.active.certain
    (<Delta 193/1024>, <Delta 35/128>)

    Raises:
        InputError: for a rule that is none, or numbers that do not fit together.
        LimitError: for too many people, before the work.

    """
    those = read_people(people, known, probability, overlap, known_in_overlap)
    asked, at = read_question(epsilon, delta)
    keys = read_table_keys(those, total, secondary)
    return read_rule(rule, keys).answer(those, read_noise(noise), asked, at)


def read_question(epsilon: object, delta: object) -> tuple[Epsilon | None, Fraction]:
    """ε and δ; ln(2) and 0 where neither is given, and no ε where δ alone is."""
    if epsilon is None and delta is None:
        epsilon = ASKED
    asked = None if epsilon is None else read_epsilon(epsilon, "epsilon")
    return asked, Fraction(0) if delta is None else delta_bound(delta)


def read_table_keys(people: People, total: object, secondary: object) -> dict[str, Any]:
    """The keys of a table with areas."""
    if len(people.areas) == 1 and (total or secondary):
        name = "total" if total else "secondary"
        raise InputError("there is one area", where=name, wanted="two areas or more")
    if secondary not in {None, "smallest"}:
        raise InputError(f"{shorten(secondary)} is unknown", where="secondary", wanted='"smallest"')
    return {**({"total": True} if total else {}), **({"secondary": secondary} if secondary else {})}


def read_rule(given: Any, table_keys: Mapping[str, Any]) -> AskedRule:
    """The rule of a text, of a list of steps, or of a function of the count."""
    if callable(given):
        return AskedRule(None, [given], table_keys)
    if isinstance(given, list | tuple):
        return AskedRule(None, list(given), table_keys)
    if not isinstance(given, str):
        raise InputError(f"{shorten(given)} is not a rule", where="rule", wanted='"hide 0 to 9, then round to base 5"')
    read = rule_of(given, "rule")
    steps = [with_rows(step) for step in read.steps]
    from_file = any(step != plain for step, plain in zip(steps, read.steps, strict=True))
    whole = named_rules()[given.strip()].title if read.table else ""
    return AskedRule(None if from_file else given, steps, table_keys, read.noise, whole)


def with_rows(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step with the rows of the file that it names."""
    table = step.get("table")
    return {**step, "table": p_table(Path(str(table)))} if named_file(table) else dict(step)
