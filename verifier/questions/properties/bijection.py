"""Whether a formula is the bijection of Θ-reducibility (DMKB20, Definition 14 and Proposition 6).

`O - M1 + M2` is read as φ_{B₁,B₂}(O). It is checked for all θ, i, all pairs of knowledge values, all a, and every
output that some a can produce: φ(O) must have the same column under B₂ as O has under B₁ (see `reducible`), different
outputs must have different images, and all outputs that are possible under B₂ must be reached. Outputs that are
impossible under B₁ may be mapped to those impossible under B₂ in any way, so that the formula is not asked there. The
readings are those of `reducible`.

A formula is an expression as families have them (`verifier.numbers.expression`), in these names: `O` is the output, `n`
the number of records, `x3` and `y3` are the values of the known record 3 in B₁ and in B₂, `M1` and `M2` what the
mechanism puts out on the known records alone, with their values in B₁ and in B₂. All numbers are rational: an output
that is a root, as some means have them, is unsupported.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.engine import Engine
from verifier.errors import InputError, UnsupportedError
from verifier.model import Model, arguments, check_size, need_model
from verifier.model.arguments import takes
from verifier.model.mechanism import among_kinds
from verifier.model.read_mechanism import ANY_SIZE
from verifier.numbers import exact_text, rational, shorten
from verifier.numbers.expression import Expression, read_expression
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
from verifier.tables import Label, in_order

NAME, SOURCE = "bijection", "DMKB20, Definition 14 and Proposition 6"
WHERE = "bijection="
FEW = 12
"""From so many names on they are not listed."""


class NoValueError(Exception):
    """A formula has no value at an output: it divides by 0, or one of its names is not a number there."""


def read_formula(text: str) -> Expression:
    """Read a formula; which names have a meaning depends on the model.

    >>> sorted(read_formula("O - x0 + y0").names)
    ['O', 'x0', 'y0']

    Raises:
        InputError: for a text that is no expression, with the position.
        LimitError: for one that is too long, or nested too deeply.

    """
    return read_expression(text, WHERE, tip="each known record by itself: O - x0 + y0")


@takes(
    formula=arguments.text,
    reading=arguments.text,
    engine=arguments.optional(arguments.one(Engine, "an Engine of the model")),
)
def check_bijection(model: Model, formula: str, reading: str = "default", engine: Engine | None = None) -> Property:
    """Check whether a formula is the bijection φ_{B₁,B₂} of Θ-reducibility; the reason names the first failure.

    >>> from verifier.model import build
    >>> keys = dict(size=2, values=[1, 2], distribution={"iid": {1: "1/2", 2: "1/2"}}, sensitive={"records": [1]})
    >>> means = build(**keys, knowledge={"records": [0]}, mechanism={"kind": "harmonic-mean"})
    >>> print(check_bijection(means, "n/(n/O - 1/x0 + 1/y0)"))
    bijection holds
    >>> check_bijection(means, "O - x0 + y0").reason
    'in "#1", at D(1): B₁ = [1], B₂ = [2]: φ(1) = 2, but the probabilities are 1 and 0 given 1'

    Raises:
        InputError: for a text that is no formula, or names that have no meaning in this model.
        LimitError: where there are too many outputs or knowledge values, or the formula is too long.

    """
    need_model(model)
    expression, reading = read_formula(formula), known_reading(reading)
    limit = (engine or Engine(model)).max_rows
    known_records = {None if zeta.channel is None else zeta.channel.records for zeta in model.zetas}
    known = known_records.pop() if len(known_records) == 1 else None
    if known is None:
        words = "a formula speaks of the records that the attacker knows, and here the knowledge is something else"
        return Property(NAME, SOURCE, "unsupported", words, reading)
    if model.mechanism.tails:
        words = "geometric noise has infinitely many outputs, of which the tails are lumped"
        return Property(NAME, SOURCE, "unsupported", words, reading)
    meaning = Meaning(model, expression, tuple(known))
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
    reached: dict[Fraction, Label] = {}
    for output, column in left.items():
        try:
            image = meaning.at(output, first.knowledge, second.knowledge)
        except NoValueError as error:
            return f"φ({output}) has no value: {error}", {"output": output.shown}
        shown = exact_text(image, 60)
        evidence_found = {"output": output.shown, "image": shown}
        if image in reached:
            return f"φ({output}) = φ({reached[image]}) = {shown}", evidence_found
        reached[image] = output
        if image not in at:
            return f"φ({output}) = {shown}, which is impossible given B₂", evidence_found
        if right[at[image]] != column:
            k = next(k for k, (x, y) in enumerate(zip(column, right[at[image]], strict=True)) if x != y)
            p, q = (exact_text(probabilities[k] or Fraction(0), 40) for probabilities in (column, right[at[image]]))
            return (
                f"φ({output}) = {shown}, but the probabilities are {p} and {q} given {index.entries[keep[k]]}",
                evidence_found,
            )
    missed = next((output for output in right if number_of(output) not in reached), None)
    return None if missed is None else (f"no output is mapped to {missed}", {"image": missed.shown})


def _part(known: KnownColumns, output: Label, keep: Sequence[int]) -> tuple[Fraction | None, ...]:
    return tuple(known.columns[output][k] for k in keep)


@dataclass(frozen=True)
class Meaning:
    """The meaning of a formula's names in a model, of which the attacker knows the records `known`."""

    model: Model
    formula: Expression
    known: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse names without a meaning here."""
        of_records = [f"{letter}{i}" for letter in "xy" for i in self.known]
        listed = ("O", "n", "M1", "M2", *of_records)
        names = self.formula.names
        for name in sorted(names.difference(listed)):
            wanted = (
                f"one of {', '.join(listed)}" if len(listed) < FEW else "O, n, M1, M2, or x and y of a known record"
            )
            raise InputError(f"the name {shorten(name)} is unknown", where=WHERE, wanted=wanted)
        words = [value for value in self.model.values if number_of(value) is None]
        if words and names.intersection(of_records):
            name = min(names.intersection(of_records))
            fact = f"{name} has no meaning with the value {words[0]}"
            raise InputError(fact, where=WHERE, wanted="values that are numbers")
        statistic = self.model.mechanism.deterministic_statistic
        if names & {"M1", "M2"} and (statistic is None or not statistic.any_size):
            raise InputError(
                f"{self.model.mechanism.title} has no M1 and M2",
                where=WHERE,
                wanted="a mechanism that is defined on the known records alone",
                tip=f"{among_kinds(ANY_SIZE)} are",
            )

    def at(self, output: Label, first: Label, second: Label) -> Fraction:
        """The value φ_{B₁,B₂}(O) of the formula at an output.

        Raises:
            NoValueError: where the formula has no value there.
            UnsupportedError: where the output is a root.

        """
        names = {"O": _needed(output, f"{output} is not a number"), "n": Fraction(self.model.size)}
        for letter, alone, knowledge in (("x", "M1", first), ("y", "M2", second)):
            values = self._values(knowledge)
            of_records = {f"{letter}{i}": value for i, value in zip(self.known, values, strict=True)}
            names |= {name: rational(of_records[name].text) for name in self.formula.names.intersection(of_records)}
            if alone in self.formula.names:
                names[alone] = self._alone(values)
        try:
            value: Fraction = self.formula.within(names, Fraction)
        except ZeroDivisionError:
            raise NoValueError("a division by 0") from None
        return value

    def _values(self, knowledge: Label) -> Sequence[Label]:
        """The values of the known records in a B̂."""
        values = knowledge.entries
        if values is None or len(values) != len(self.known):
            raise UnsupportedError(f"the knowledge {knowledge} is not a list of the known records' values")
        return values

    def _alone(self, values: Sequence[Label]) -> Fraction:
        """The output of the mechanism on the known records alone."""
        statistic = self.model.mechanism.deterministic_statistic
        if statistic is None:
            raise NoValueError("the mechanism is random")
        total = statistic.zero
        for i, value in zip(self.known, values, strict=True):
            total = statistic.add(total, statistic.draw(i, self.model.values.index(value))[0][0])
        (output,) = statistic.finish(total).outcomes
        return _needed(output, "the mechanism puts out no number on the known records alone")


def number_of(label: Label) -> Fraction | None:
    """The rational number that a label spells; None where it spells none.

    >>> from verifier.tables import label
    >>> number_of(label("5/2")), number_of(label("⊥")), number_of(label(True))
    (Fraction(5, 2), None, None)
    """
    try:
        return rational(label.text)
    except InputError:
        return None


def _needed(output: Label, otherwise: str) -> Fraction:
    number = number_of(output)
    if number is None and output.text.startswith(("sqrt(", "root(")):
        raise UnsupportedError(f"a formula computes with rational numbers, and the output {output} is a root")
    if number is None:
        raise NoValueError(otherwise)
    return number
