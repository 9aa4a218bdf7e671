"""Whether a formula is the bijection of Θ-reducibility (DMKB20, Definition 14 and Proposition 6).

`O + sum(w*(y - x))` is read as φ_{B₁,B₂}(O), for the records that the attacker knows. It is checked for all θ, i, all
pairs of knowledge values, all a, and every output that some a can produce: φ(O) must have the same column under B₂ as O
has under B₁ (see `reducible`), different outputs must have different images, and all outputs that are possible under
B₂ must be reached. Outputs that are impossible under B₁ may be mapped to those impossible under B₂ in any way, so that
the formula is not asked there. The readings are those of `reducible`.

A formula is written in a small language, of which nothing is evaluated by Python:

    sum     = product { ("+" | "-") product }
    product = factor { ("*" | "/") factor }
    factor  = "-" factor | atom [ "^" factor ]
    atom    = number | name | "(" sum ")" | "sqrt" "(" sum ")" | ("sum" | "prod") "(" sum ")"

`O` is the output, `n` the number of records, `k` that of the known ones. `M1` and `M2` are what the mechanism puts out
on the known records alone, with their values in B₁ and in B₂. Inside `sum(…)` and `prod(…)`, which go over the known
records, `x` and `y` are a record's values in B₁ and B₂, and `w` is its weight in the mechanism. Numbers are exact:
rationals and roots of rationals. A power binds more than a sign: `-2^2` is -4.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from verifier.engine import Engine
from verifier.errors import InputError, UnsupportedError
from verifier.model import Model, arguments, check_size, need_model
from verifier.model.arguments import takes
from verifier.model.mechanism import ANY_SIZE, among_kinds
from verifier.numbers import cut, exact_text, rational
from verifier.numbers.reader import Reader, tokens_of
from verifier.questions.properties.property import Property
from verifier.questions.properties.reducible import (
    ColumnIndex,
    KnownColumns,
    all_pairs,
    cases_of,
    compared,
    known_reading,
    unlike,
)
from verifier.questions.properties.roots import NoValueError, Radical, number_of
from verifier.tables import Label, in_order

NAMES = ("O", "n", "k", "M1", "M2")
OF_A_RECORD = ("x", "y", "w")
FUNCTIONS = ("sum", "prod", "sqrt")
MAX_LENGTH, MAX_DEPTH = 1000, 60
_TOKEN = re.compile(r"\s*(?:([0-9]+(?:\.[0-9]+)?)|([A-Za-z_][A-Za-z_0-9]*)|([-+*/^()]))")


@dataclass(frozen=True)
class Assignment:
    """The values of a formula's names: `value(name)`, and for each known record the values of x, y and w."""

    value: Callable[[str], Radical]
    records: Sequence[Callable[[str], Radical]]


@dataclass(frozen=True)
class FormulaTree:
    """A parsed formula: an operation with its operands, a number, or a name."""

    operation: str
    operands: tuple[FormulaTree, ...] = ()
    number: Radical | None = None

    def names(self) -> frozenset[str]:
        """The names that occur in the formula."""
        own = frozenset({self.operation[1:]}) if self.operation.startswith("$") else frozenset()
        return own.union(*(part.names() for part in self.operands))

    def at(self, assignment: Assignment, record: Callable[[str], Radical] | None = None) -> Radical:
        """The value of the formula where its names have these values.

        Raises:
            NoValueError: where the formula has no value there.

        """
        if self.number is not None:
            return self.number
        if self.operation.startswith("$"):
            name = self.operation[1:]
            return record(name) if record and name in OF_A_RECORD else assignment.value(name)
        if self.operation in {"sum", "prod"}:
            total = Radical.of(Fraction(self.operation == "prod"))
            for record_values in assignment.records:
                part = self.operands[0].at(assignment, record_values)
                total = total.times(part) if self.operation == "prod" else total.plus(part)
            return total
        return _OPERATIONS[self.operation](*(part.at(assignment, record) for part in self.operands))


def _power(base: Radical, exponent: Radical) -> Radical:
    if exponent.rational is None:
        raise NoValueError("an exponent that is no rational number")
    return base.power(exponent.rational)


_MINUS = Radical.of(Fraction(-1))
_OPERATIONS: Mapping[str, Callable[..., Radical]] = {
    "+": lambda x, y: x.plus(y),
    "-": lambda x, y: x.plus(y.times(_MINUS)),
    "*": lambda x, y: x.times(y),
    "/": lambda x, y: x.times(y.power(Fraction(-1))),
    "^": _power,
    "negative": lambda x: x.times(_MINUS),
    "sqrt": lambda x: x.power(Fraction(1, 2)),
}


def read_formula(text: str, where: str = "bijection=") -> FormulaTree:
    """Parse a formula for a bijection of outputs.

    >>> read_formula("O + sum(y - x)").names() == {"O", "x", "y"}
    True

    Raises:
        InputError: for a text that is no formula, with the position.

    """
    if len(text) > MAX_LENGTH:
        raise InputError(
            f"the formula is too long: {len(text):,} characters", where=where, wanted=f"at most {MAX_LENGTH:,}"
        )
    reader = _Reader(text, where)
    formula = reader.sum(inside=False)
    if reader.next():
        raise reader.refuse("an operation, or the end")
    return formula


class _Reader(Reader):
    """The parser of formulas: one pass over the tokens from left to right."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where, self.depth = text, where, 0
        super().__init__(tokens_of(_TOKEN, text, self._stranger))

    def _stranger(self, position: int) -> InputError:
        wanted = "numbers, names, + - * / ^ and parentheses"
        tip = "O + sum(w*(y - x))" if self.text[position] != "=" else "the right side alone: O + sum(w*(y - x))"
        return InputError(
            f'"{self.text[position]}" at position {position + 1} is unknown', where=self.where, wanted=wanted, tip=tip
        )

    def refuse(self, wanted: str, tip: str = "") -> InputError:
        """The error at the next token."""
        if self.next():
            problem = f'"{cut(self.next())}" at position {self.token.at + 1} is out of place'
        else:
            problem = f"the formula {'ends too early' if self.text.strip() else 'is empty'}"
        return InputError(problem, where=self.where, wanted=wanted, tip=tip)

    def sum(self, *, inside: bool) -> FormulaTree:
        """Parse a sum of products; `inside` a `sum(…)` or `prod(…)`, x, y and w have a meaning."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError("the formula is nested too deeply", where=self.where, wanted=f"at most {MAX_DEPTH}")
        formula = self.chain(lambda: self.product(inside=inside), _joined, "+", "-")
        self.depth -= 1
        return formula

    def product(self, *, inside: bool) -> FormulaTree:
        """Parse a product of factors, with `*` and `/`."""
        return self.chain(lambda: self.factor(inside=inside), _joined, "*", "/")

    def factor(self, *, inside: bool) -> FormulaTree:
        """Parse a factor: a sign before a power."""
        if self.take("-"):
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise self.refuse(f"at most {MAX_DEPTH} signs and parentheses inside of each other")
            formula = FormulaTree("negative", (self.factor(inside=inside),))
            self.depth -= 1
            return formula
        formula = self.atom(inside=inside)
        if self.take("^"):
            return FormulaTree("^", (formula, self.factor(inside=inside)))
        return formula

    def atom(self, *, inside: bool) -> FormulaTree:
        """Parse a number, a name, a function, or a sum in parentheses."""
        word = self.next()
        if word in "+*/^)-":
            raise self.refuse("a number, a name or a parenthesis")
        if word[0].isdigit():
            self.place += 1
            return FormulaTree("number", (), Radical.of(rational(word, self.where)))
        if word == "(":
            self.place += 1
            return self.closed(inside=inside)
        if word in FUNCTIONS:
            if inside and word != "sqrt":
                raise self.refuse("no sum or prod inside of another")
            self.place += 1
            if not self.take("("):
                raise self.refuse(f"a parenthesis after {word}")
            return FormulaTree(word, (self.closed(inside=inside or word != "sqrt"),))
        if word in OF_A_RECORD and not inside:
            raise self.refuse("x, y and w inside of sum(…) or prod(…)", "they are of one known record")
        if word not in (*NAMES, *OF_A_RECORD):
            raise self.refuse(f"one of {', '.join((*NAMES, *OF_A_RECORD, *FUNCTIONS))}")
        self.place += 1
        return FormulaTree("$" + word)

    def closed(self, *, inside: bool) -> FormulaTree:
        """Parse a sum and the closing parenthesis after it."""
        formula = self.sum(inside=inside)
        if not self.take(")"):
            raise self.refuse("a closing parenthesis")
        return formula


def _joined(mark: str, left: FormulaTree, right: FormulaTree) -> FormulaTree:
    return FormulaTree(mark, (left, right))


NAME, SOURCE = "bijection", "DMKB20, Definition 14 and Proposition 6"


@takes(
    formula=arguments.text,
    reading=arguments.text,
    engine=arguments.optional(arguments.one(Engine, "an Engine of the model")),
)
def check_bijection(model: Model, formula: str, reading: str = "default", engine: Engine | None = None) -> Property:
    """Check whether a formula is the bijection φ_{B₁,B₂} of Θ-reducibility; the reason names the first failure.

    >>> from verifier.model import build
    >>> keys = dict(size=2, values=[1, 2], distribution={"iid": {1: "1/2", 2: "1/2"}}, sensitive={"records": [1]})
    >>> means = build(**keys, knowledge={"records": [0]}, mechanism={"kind": "quadratic-mean"})
    >>> print(check_bijection(means, "sqrt(O^2 + sum((y^2 - x^2)/n))"))
    bijection holds
    >>> check_bijection(means, "sqrt(n*O^2 + sum((y^2 - x^2)/n))").reason
    'in "#1", at D(1): B₁ = [1], B₂ = [2]: φ(1) = sqrt(7/2), which is impossible given B₂'

    Raises:
        InputError: for a text that is no formula, or names that have no meaning in this model.
        LimitError: where there are too many outputs or knowledge values.

    """
    need_model(model)
    tree, reading = read_formula(formula), known_reading(reading)
    limit = (engine or Engine(model)).max_rows
    known_records = {None if zeta.channel is None else zeta.channel.records for zeta in model.zetas}
    known = known_records.pop() if len(known_records) == 1 else None
    if known is None:
        words = "a formula speaks of the records that the attacker knows, and here the knowledge is something else"
        return Property(NAME, SOURCE, "unsupported", words, reading)
    if model.mechanism.tails:
        words = "geometric noise has infinitely many outputs, of which the tails are lumped"
        return Property(NAME, SOURCE, "unsupported", words, reading)
    meaning = Meaning(model, tree, tuple(known))
    try:
        return _check(model, meaning, Engine(model, limit, "table"), reading)
    except UnsupportedError as error:
        return Property(NAME, SOURCE, "unsupported", str(error), reading)


def _check(model: Model, meaning: Meaning, engine: Engine, reading: str) -> Property:
    checked = empty = 0
    for index, knowledge_columns in cases_of(model, engine, reading):
        empty += len(knowledge_columns) < 2
        outputs = max(len(columns.columns) for columns in knowledge_columns)
        check_size(
            len(knowledge_columns) ** 2 * outputs,
            engine.max_rows,
            f"the formula has {len(knowledge_columns) ** 2 * outputs:,} values",
        )
        for first, second in all_pairs(knowledge_columns):
            for source, target in ((first, second), (second, first)):
                checked += 1
                if why := _wrong(meaning, index, source, target, reading):
                    words, evidence = why
                    evidence_at = {
                        **index.named,
                        "B1": source.knowledge.shown,
                        "B2": target.knowledge.shown,
                        **evidence,
                    }
                    words = f"{index.words}: B₁ = {source.knowledge}, B₂ = {target.knowledge}: {words}"
                    return Property(NAME, SOURCE, "fails", words, reading, checked, empty, evidence_at)
    if not checked:
        return Property(NAME, SOURCE, "vacuous", "there is one knowledge value only", reading, 0, empty)
    return Property(NAME, SOURCE, "holds", None, reading, checked, empty)


def _wrong(
    meaning: Meaning, index: ColumnIndex, first: KnownColumns, second: KnownColumns, reading: str
) -> tuple[str, dict[str, Any]] | None:
    """The reason why the formula is no bijection from B₁ to B₂, with its evidence; None where it is one."""
    keep = compared(first, second, index.width, reading)
    if why := unlike(first, second, index, keep):
        return why
    left, right = ({o: c for o in in_order(s.columns) if any(c := _part(s, o, keep))} for s in (first, second))
    at = {number: output for output in right if (number := number_of(output)) is not None}
    reached: dict[Radical, Label] = {}
    for output, column in left.items():
        try:
            image = meaning.at(output, first.knowledge, second.knowledge)
        except NoValueError as error:
            return f"φ({output}) has no value: {error}", {"output": output.shown}
        evidence_found = {"output": output.shown, "image": str(image)}
        if image in reached:
            return f"φ({output}) = φ({reached[image]}) = {image}", evidence_found
        reached[image] = output
        if image not in at:
            return f"φ({output}) = {image}, which is impossible given B₂", evidence_found
        if right[at[image]] != column:
            k = next(k for k, (x, y) in enumerate(zip(column, right[at[image]], strict=True)) if x != y)
            p, q = (exact_text(probabilities[k] or Fraction(0), 40) for probabilities in (column, right[at[image]]))
            return (
                f"φ({output}) = {image}, but the probabilities are {p} and {q} given {index.entries[keep[k]]}",
                evidence_found,
            )
    missed = next((output for output in right if number_of(output) not in reached), None)
    return None if missed is None else (f"no output is mapped to {missed}", {"image": missed.shown})


def _part(known: KnownColumns, output: Label, keep: Sequence[int]) -> tuple[Fraction | None, ...]:
    return tuple(known.columns[output][k] for k in keep)


@dataclass(frozen=True)
class Meaning:
    """The meaning of a formula's names (O, n, k, M1, M2, x, y, w) in a model."""

    model: Model
    formula: FormulaTree
    known: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse names without a meaning here."""
        names = self.formula.names()
        if names & {"x", "y"}:
            for value in self.model.values:
                self._number(value, "the value")
        if "w" in names:
            _ = self.weights
        if names & {"M1", "M2"}:
            statistic = self.model.mechanism.deterministic_statistic
            if statistic is None or not statistic.any_size:
                raise InputError(
                    f"{self.model.mechanism.title} has no M1 and M2",
                    where="bijection=",
                    wanted="a mechanism that is defined on the known records alone",
                    tip=f"{among_kinds(ANY_SIZE)} are",
                )

    def at(self, output: Label, first: Label, second: Label) -> Radical:
        """The value φ_{B₁,B₂}(O) of the formula at an output.

        Raises:
            NoValueError: where the formula has no value there.

        """
        number = number_of(output)
        if number is None:
            raise NoValueError(f"{output} is no number")
        rows = [self._values(knowledge) for knowledge in (first, second)]
        names: dict[str, Callable[[], Radical]] = {
            "O": lambda: number,
            "n": lambda: Radical.of(Fraction(self.model.size)),
            "k": lambda: Radical.of(Fraction(len(self.known))),
            "M1": lambda: self._alone(rows[0]),
            "M2": lambda: self._alone(rows[1]),
        }
        return self.formula.at(
            Assignment(
                lambda name: names[name](), [self._record(j, *(row[j] for row in rows)) for j in range(len(rows[0]))]
            )
        )

    def _record(self, j: int, x: Label, y: Label) -> Callable[[str], Radical]:
        def value(name: str) -> Radical:
            if name == "w":
                return Radical.of(self.weights[j])
            return self._number(x if name == "x" else y, "the value")

        return value

    def _values(self, knowledge: Label) -> list[Label]:
        """The values of the known records in a B̂."""
        values = knowledge.entries
        if values is None or len(values) != len(self.known):
            raise UnsupportedError(f"the knowledge {knowledge} is no list of the known records' values")
        return list(values)

    def _alone(self, values: Sequence[Label]) -> Radical:
        """The output of the mechanism on the known records alone."""
        statistic = self.model.mechanism.deterministic_statistic
        if statistic is None:
            raise NoValueError("the mechanism is random")
        total = statistic.zero
        for i, value in zip(self.known, values, strict=True):
            total = statistic.add(total, statistic.draw(i, self.model.values.index(value))[0][0])
        law = statistic.finish(total)
        number = number_of(law.outcomes[0]) if len(law.outcomes) == 1 else None
        if number is None:
            raise NoValueError("the mechanism puts out no number on the known records alone")
        return number

    @staticmethod
    def _number(value: Label, meaning: str) -> Radical:
        number = number_of(value)
        if number is None:
            raise InputError(
                f"x, y and w have no meaning with {meaning} {value}",
                where="bijection=",
                wanted="values that are numbers",
            )
        return number

    @cached_property
    def weights(self) -> list[Fraction]:
        """The weight w of each known record: the slope of the statistic in the record's value."""
        return [self._slope(i) for i in self.known]

    def _slope(self, record: int) -> Fraction:
        statistic, values = self.model.mechanism.deterministic_statistic, self.model.values
        if statistic is not None and statistic.operations == ("+",) and len(values) > 1:
            at = [self._number(value, "the value").rational or Fraction(0) for value in values]
            added = [statistic.draw(record, v)[0][0] for v in range(len(values))]
            if all(isinstance(x, int | Fraction) for x in added):
                slopes = {(x - added[0]) / Fraction(t - at[0]) for x, t in zip(added[1:], at[1:], strict=True)}
                if len(slopes) == 1:
                    return Fraction(slopes.pop())
        raise InputError(
            f"{self.model.mechanism.title} has no w",
            where="bijection=",
            wanted="a mechanism that adds up a weight times the value of each record",
            tip="sum, mean and linear do",
        )
