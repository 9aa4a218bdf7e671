"""A cache of the last documents, with their models and the answers that were decided.

Of a family of models the page has one member: the values of its parameters, and the values to step to.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from verifier.definitions import Definition, Verdict
from verifier.engine import MAX_ROWS, Engine
from verifier.errors import InputError, LimitError, Where
from verifier.model import Model
from verifier.model.document import Document, tables_from
from verifier.model.keys import Location
from verifier.model.parameters import UNNAMED, Condition, Family, Parameter, instantiated, read_parameters
from verifier.model.read import build_tables
from verifier.numbers import Epsilon, exact_text, rational
from verifier.questions.check import beyond, check
from verifier.recheck import replayed

STEPS = 20
"""Steps of a slider over a range with two ends; each is 1/20 of it."""
BEYOND = Fraction(10)
"""The length of a slider where the range is unbounded."""
PARTS = (Fraction(1, 3), Fraction(1, 2), Fraction(1, 7), Fraction(6, 7), Fraction(0), Fraction(1))
"""The shares of its range at which a parameter may start; the first that all conditions allow is taken."""
MOST_STARTS = 1 << 12
MOST_DIGITS = 60
Values = Mapping[str, Fraction]


def member(tables: Document, values_given: Any, place: Location) -> tuple[Document, list[dict[str, Any]]]:
    """The tables of one member, and its parameters: name, range, value and the exact steps of a slider.

    >>> iid = {"a": "p", "b": "1 - p"}
    >>> family = {"parameters": {"p": {"from": "0", "to": "1"}}, "distribution": [{"iid": iid}]}
    >>> found, (p,) = member(family, {"p": "1/4"}, Location(""))
    >>> found["distribution"][0]["iid"], p["range"], p["steps"][:3]
    ({'a': '1/4', 'b': '3/4'}, '0 <= p <= 1', ['0', '1/20', '1/10'])

    Raises:
        InputError: for values outside their ranges.

    """
    tables_without_parameters = {key: value for key, value in tables.items() if key not in {"parameters", "conditions"}}
    parameters, side = read_parameters(tables["parameters"], tables.get("conditions", []), place)
    family = Family(parameters, side, tables_without_parameters, Location(UNNAMED), lambda _: None)  # type: ignore[arg-type, return-value]
    values = _values(family, values_given)
    return instantiated(tables_without_parameters, values, place, family.names), [
        _shown(parameter, values, family) for parameter in parameters
    ]


def _values(family: Family, values_given: Any) -> Values:
    """The given values of parameters, and for the other parameters values that the conditions allow."""
    if values_given is not None and not isinstance(values_given, Mapping):
        raise InputError("there are no values", where=Where("set", ("set",)), wanted='a table such as { "p": "1/7" }')
    named_values = {
        str(name): rational(value, Where(f"the parameter {name}", ("set", name)))
        for name, value in (values_given or {}).items()
    }
    values = next(_starts(family, named_values), named_values)
    try:
        family.refuse(values)
    except InputError as error:
        broken = next((sorted(c.left.names) for c in family.conditions if not _met(c, values)), [])
        name = next(iter([*broken, *named_values, *family.names]))
        raise InputError(error.message, where=Where("[parameters]", ("set", name)), wanted=error.wanted) from None
    return values


def _starts(family: Family, named_values: Values) -> Iterator[Values]:
    """The values of all parameters that meet all conditions and agree with the named ones."""
    free_parameters = [parameter for parameter in family.parameters if parameter.name not in named_values]
    for tries, shares in enumerate(product(PARTS, repeat=len(free_parameters))):
        if tries == MOST_STARTS:
            return
        values = dict(named_values)
        for parameter, share in zip(free_parameters, shares, strict=True):
            low, high = _ends(parameter, values)
            values[parameter.name] = low + share * (high - low)
        if all(_met(condition, values) for condition in family.conditions):
            yield values


def _ends(parameter: Parameter, values: Values) -> tuple[Fraction, Fraction]:
    """The ends of a parameter's range at values of the other parameters; an unbounded range is cut."""
    low, high = (
        None if end is None or end.names - values.keys() else end.at(values) for end in (parameter.low, parameter.high)
    )
    if low is None:
        low = Fraction(0) if high is None else high - BEYOND
    return low, low + BEYOND if high is None else high


def _met(condition: Condition, values: Values) -> bool:
    """Whether a condition is met; one that divides by 0 is not."""
    try:
        return condition.met(values)
    except InputError:
        return False


def _shown(parameter: Parameter, values: Values, family: Family) -> dict[str, Any]:
    """A parameter as the page shows it; a step is offered where all conditions allow it."""
    name, (low, high) = parameter.name, _ends(parameter, values)
    every = {values[name], *(low + Fraction(k, STEPS) * (high - low) for k in range(STEPS + 1))}
    steps = [at for at in sorted(every) if all(_met(c, {**values, name: at}) for c in family.conditions)]
    return {
        "name": name,
        "range": str(parameter),
        "value": exact_text(values[name], MOST_DIGITS),
        "steps": [exact_text(at, MOST_DIGITS) for at in steps],
    }


KEPT = 16
"""Largest number of documents in the cache."""
MOST_VISITS = 1 << 14
"""Most worlds × protected records × values of a record, over all distributions: about a second for a passport."""
MOST_WORLDS = 1 << 12
"""Most worlds of all distributions together."""
TABLE_ROWS = 1 << 15
"""The engine's own limit on rows here, for what one definition alone reaches."""
MOST_MILLISECONDS = 250
"""About how long one question about a sum may take; a count that would take longer is enclosed."""
RECHECKED_VISITS = 1 << 11
"""Most visits of a model whose answers are all re-checked; above it the page waits until a person asks."""
QuestionKey: TypeAlias = tuple[str, str, str | None, str]
"""The texts of a definition, a reading, ε and δ."""


@dataclass(frozen=True)
class OpenDocument:
    """A document with its model and the answers that were decided about it.

    For a family, `document` and `model` are one member, at the values of `parameters`.
    """

    document: Document
    parameters: list[dict[str, Any]]
    model: Model
    engine: Engine
    visits: int
    answers: dict[QuestionKey, Verdict] = field(default_factory=dict)
    checked: set[QuestionKey] = field(default_factory=set)
    """Keys of the questions whose answers went to the independent checker."""

    def known(self, question: PageQuestion) -> Verdict | None:
        """The answer where the question was decided before; else None."""
        return self.answers.get(question.key)

    def decide(self, question: PageQuestion) -> Verdict:
        """Decide a question, or return its cached answer; `unsupported` where the work would exceed the limits."""
        answer = self.known(question)
        if answer is None:
            definition, epsilon, delta = question.definition, question.epsilon, question.delta
            try:
                options = {"epsilon": epsilon, "delta": delta, "reading": question.reading, "engine": self.engine}
                answer = check(self.model, definition, replay=False, **options)
            except LimitError as error:
                answer = beyond(self.model, definition, epsilon, delta, error)
            self.answers[question.key] = answer
        return answer

    @property
    def quick_to_recheck(self) -> bool:
        """Whether every answer about this model is re-checked after it is shown, without being asked to."""
        return self.visits <= RECHECKED_VISITS and self.engine.method == "table"

    def is_decided(self, question: PageQuestion) -> bool:
        """Whether there is an answer that the independent checker can be asked about."""
        answer = self.known(question)
        return answer is not None and answer.verdict not in {"unsupported", "undecided"}

    def waits(self, question: PageQuestion) -> bool:
        """Whether the answer is decided, and still to be re-checked."""
        return self.is_decided(question) and question.key not in self.checked

    def again(self, question: PageQuestion) -> Verdict:
        """Decide a question, and re-check the answer by the independent checker where that is possible."""
        answer = self.decide(question)
        if self.waits(question):
            answer = self.answers[question.key] = replayed(answer, self.engine)
            self.checked.add(question.key)
        return answer


@dataclass(frozen=True)
class PageQuestion:
    """A question of the page: a definition with its reading, an ε (None asks for some finite one), and a δ."""

    definition: Definition
    reading: str
    epsilon: Epsilon | None
    delta: Any

    @property
    def key(self) -> QuestionKey:
        """The key of the question in the cache: exact texts of its parts."""
        epsilon = None if self.epsilon is None else self.epsilon.text(10**9)
        return self.definition.key, self.reading, epsilon, exact_text(self.delta, 10**9)


@dataclass
class OpenDocuments:
    """A cache of the last documents, by the hash of their content."""

    kept: OrderedDict[str, OpenDocument] = field(default_factory=OrderedDict)

    def open(self, document: Any, values: Any = None) -> OpenDocument:
        """Open a document: return its model with all answers so far, within the limits of the explorer.

        Raises:
            InputError: where the document is no model, with the path.
            LimitError: where the model is too large, before any work.

        """
        tables = tables_from(document)
        name = hashlib.sha256(json.dumps([tables, values]).encode()).hexdigest()
        if name not in self.kept:
            opened_tables, parameters, model = _model(tables, values)
            self.kept[name] = OpenDocument(opened_tables, parameters, model, *admitted(model))
            while len(self.kept) > KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(name)
        return self.kept[name]


def _model(tables: Document, values: Any) -> tuple[Document, list[dict[str, Any]], Model]:
    """The model, through the one gate of all model files; of a family, the member at the values."""
    place = Location("")
    # the answers that a file promised are of the file as it was
    tables = {key: value for key, value in tables.items() if key != "expect"}
    parameters: list[dict[str, Any]] = []
    try:
        if "parameters" in tables:
            tables, parameters = member(tables, values, place)
        return tables, parameters, build_tables(tables, place, path="", sha256="", text="")
    except RecursionError:
        raise InputError("lists or tables are nested too deeply", wanted="a flat model") from None


def admitted(model: Model) -> tuple[Engine, int]:
    """The engine of a model and the size of its table; refused before any work where it is too large to be watched.

    Raises:
        LimitError: with the size.

    """
    engine = Engine(model, MAX_ROWS, patience=MOST_MILLISECONDS)
    cost = engine.table_cost
    if model.sizes is not None:
        return Engine(model, TABLE_ROWS), cost.visits
    if engine.balls or (engine.sums and engine.cost.milliseconds <= MOST_MILLISECONDS):
        return engine, cost.visits
    if not engine.sums and cost.worlds <= MOST_WORLDS and cost.visits <= MOST_VISITS:
        return Engine(model, TABLE_ROWS), cost.visits
    raise LimitError(
        f"the model is too large to answer while one watches: {engine.cost if engine.sums else cost}",
        where=Where("size", ("size",)),
        wanted=f"at most {MOST_WORLDS:,} worlds, and {MOST_VISITS:,} as worlds × protected × values",
        tip="use fewer records or values here; save the file and run pkdp check for larger models",
    )
