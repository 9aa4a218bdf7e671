"""A question about a model, with its statements read; an answer to it is decided from the question alone."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from itertools import product as cartesian

from verifier.definitions import find
from verifier.errors import InputError, LimitError, PkdpError
from verifier.model import Model, subject_of
from verifier.model.document import Document, tables_from
from verifier.model.keys import Location
from verifier.model.read import build_tables
from verifier.model.student_question import StudentQuestion, put_at
from verifier.numbers import Enclosure, Epsilon, cut, exact_text, rational, shorten
from verifier.numbers import epsilon as read_epsilon
from verifier.questions.check import check
from verifier.questions.language import ParsedQuestion
from verifier.questions.language import question as read_number
from verifier.questions.language import statement as read_statement
from verifier.questions.statement import And, Has, Holds, Not, Scaled, Statement, atoms, both_ways
from verifier.show.witnesses import seen_text, why
from verifier.wings.search.atom_verdicts import Facts
from verifier.wings.search.statement_truth import decide
from verifier.wings.teach.packed import canonical, identity_of

RIGHT, WRONG, UNREADABLE, UNDECIDED = "right", "wrong", "unreadable", "undecided"
"""What an answer can be; `unreadable` is no try."""
MOST_TYPED = 200
"""Most characters of an answer that is typed."""
MOST_DATABASES = 4_096
"""Most databases whose outputs are counted."""
MOST_DIGITS, MOST_REASONS = 40, 3
SIGNS = {"epsilon": "ε", "delta": "δ"}
MARKS = {True: "✓", False: "✗", None: "?"}
Admit = Callable[[Model], object]
"""What refuses a model that is too large, before any work."""


@dataclass(frozen=True)
class Attempt:
    """An answer that was decided: what it is, and for each part of the goal a line that says whether it holds.

    `why` are sentences about what is wrong: who sees what, how likely it is, and what follows.
    """

    state: str
    lines: tuple[str, ...] = ()
    why: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A question as a lecturer asks it; `statements` are the parts of the goal, or one for each choice."""

    document: Document
    title: str
    asked: StudentQuestion
    statements: tuple[Statement, ...] = ()
    number: ParsedQuestion | None = None

    @cached_property
    def identity(self) -> str:
        """The name of the question in answer codes."""
        return identity_of(self.document)

    def of(self, name: str) -> Document:
        """The document as this student has it: one of the variants, chosen by the name."""
        mine: Document = copy.deepcopy(self.document)
        if self.asked.vary:
            digest = sha256(f"{self.identity} {name.casefold().strip()}".encode()).hexdigest()
            for path, part in self.asked.vary[int(digest, 16) % len(self.asked.vary)].items():
                put_at(mine, path, part)
        return mine

    def attempt(self, name: str, answer: object, admit: Admit = lambda _: None) -> Attempt:
        """Decide an answer of a student: `{path: part}` for a goal, else what was typed or chosen.

        Nothing that the answer says of itself is used. A path that is locked, and what makes no model, is unreadable.
        """
        try:
            if self.asked.goal:
                return self._changed(self.of(name), answer, admit)
            typed = _typed(answer)
            model = model_of(self.of(name))
            admit(model)
            return self._chosen(model, typed) if self.number is None else self._counted(model, typed, self.number)
        except LimitError as error:
            return Attempt(UNDECIDED, (str(error),))
        except PkdpError as error:
            return Attempt(UNREADABLE, (str(error),))
        except RecursionError:
            return Attempt(UNREADABLE, ("the answer is nested too deeply",))
        except MemoryError:
            return Attempt(UNDECIDED, ("the answer needs too much memory",))

    def _changed(self, document: Document, answer: object, admit: Admit) -> Attempt:
        parts = tables_from(answer)
        for path, part in parts.items():
            if path not in self.asked.change:
                locked = f"{cut(path)} is locked"
                raise InputError(locked, where="answer", wanted=f"a change of {', '.join(self.asked.change)}")
            put_at(document, path, part)
        model = model_of(document)
        admit(model)
        over = [f"{found} {noun}: at most {most} are allowed" for noun, most, found in self._over(model)]
        if over:
            return Attempt(WRONG, tuple(over))
        return self._all_of(model, self.statements)

    def _over(self, model: Model) -> Iterator[tuple[str, int, int]]:
        """Each bound of `limit` that the model exceeds: its noun, the bound, and what the model has."""
        counts = {
            "records": lambda: model.size,
            "values": lambda: len(model.values),
            "outputs": lambda: _outputs(model),
        }
        for noun, most in (self.asked.limit or {}).items():
            found = counts[noun]()
            if found > most:
                yield noun, most, found

    def _all_of(self, model: Model, statements: tuple[Statement, ...]) -> Attempt:
        facts = Facts(model)
        values, lines = [], []
        reasons: list[str] = []
        for statement in statements:
            value = decide(statement, model, facts=facts).value
            values.append(value)
            lines.append(" · ".join([f"{MARKS[value]} {statement}", *_smallest(statement, facts)]))
            reasons += _reasons(statement, facts) if value is False else ()
        state = WRONG if False in values else UNDECIDED if None in values else RIGHT
        return Attempt(state, tuple(lines), tuple(reasons[:MOST_REASONS]))

    def _chosen(self, model: Model, typed: str) -> Attempt:
        choices = list(self.asked.choices or {})
        if typed not in choices:
            raise InputError(f"{shorten(typed)} is not a choice", where="answer", wanted=f"one of {', '.join(choices)}")
        return self._all_of(model, (self.statements[choices.index(typed)],))

    def _counted(self, model: Model, typed: str, number: ParsedQuestion) -> Attempt:
        sought = number.sought
        given = read_epsilon(typed, "answer") if sought == "epsilon" else rational(typed, "answer")
        constants = {"epsilon": number.epsilon, "delta": number.delta or 0, "reading": number.reading or "default"}
        verdict = check(model, find(number.definition), **constants)  # type: ignore[arg-type]
        found = verdict.tight_epsilon if sought == "epsilon" else verdict.tight_delta
        if found is None or isinstance(found, Enclosure):
            return Attempt(UNDECIDED, (verdict.reason or f"the smallest {sought} is not known exactly",))
        if found == given:
            return Attempt(RIGHT, (f"✓ {self.asked.number} = {_text(found)}",))
        if found < given:
            return Attempt(WRONG, (f"✗ {_text(given)} is too large",), (f"A smaller {SIGNS[sought]} is enough.",))
        asked = {**constants, sought: given}
        bound = f"{SIGNS[sought]} = {_text(given)}"
        return Attempt(
            WRONG, (f"✗ {_text(given)} is too small",), tuple(_learned(model, number.definition, asked, bound))
        )


def open_question(document: Document, where: str = "") -> Question:
    """Read the question of a document: its model, the shape of `[question]`, and its statements.

    Raises:
        InputError: for a document without one, and for what is no model, no question or no statement, with its place.

    """
    location = Location(where)
    if "parameters" in document:
        raise InputError("a question is about one model", where=where, wanted="a model without [parameters]")
    tables = {key: part for key, part in document.items() if key != "expect"}
    model = build_tables(tables, location, path="", sha256="", text="")
    if model.asked is None:
        problem = "the model asks no question"
        raise InputError(problem, where=where, wanted="a table [question]", tip="Set a question in the explorer")
    statements, number = read_statements(model.asked, location)
    return Question(document, model.title, model.asked, statements, number)


def read_statements(asked: StudentQuestion, location: Location) -> tuple[tuple[Statement, ...], ParsedQuestion | None]:
    """Read the parts of the goal, or a statement for each choice; or the number that is asked for.

    Raises:
        InputError: for a text that is no statement, with its place in the file.

    """
    at = location.at("[question]", "question")
    if asked.goal:
        return _parts(read_statement(asked.goal, str(at.at("goal")))), None
    if asked.number:
        parsed = read_number(asked.number, str(at.at("number")))
        if not parsed.sought:
            wanted = "a number, such as np delta at ln(2)"
            raise InputError(f"{shorten(asked.number)} is yes or no", where=str(at.at("number")), wanted=wanted)
        return (), parsed
    choices = (asked.choices or {}).items()
    return tuple(read_statement(text, str(at.at("choices").at(name))) for name, text in choices), None


def _parts(goal: Statement) -> tuple[Statement, ...]:
    """The parts that are all to hold: `a and b` has two, `a iff b` is one."""
    return goal.operands if isinstance(goal, And) and both_ways(goal) is None else (goal,)


def model_of(document: Document) -> Model:
    """The model of a document without its question.

    Raises:
        InputError: where it is no model.

    """
    tables = {key: part for key, part in document.items() if key not in {"question", "expect"}}
    return build_tables(tables, Location(""), path="", sha256="", text="")


def _typed(answer: object) -> str:
    if not isinstance(answer, str) or not answer.strip() or len(answer) > MOST_TYPED:
        raise InputError("there is no answer", where="answer", wanted=f"a text of at most {MOST_TYPED} characters")
    return answer.strip()


def _outputs(model: Model) -> int:
    """The number of different outputs, over all databases that the mechanism is defined on."""
    mechanism = model.mechanism
    databases = mechanism.domain or cartesian(range(len(model.values)), repeat=model.size)
    outputs = {output for one in islice(databases, MOST_DATABASES) for output in mechanism.law(one).outcomes}
    return len(outputs)


def _smallest(statement: Statement, facts: Facts) -> Iterator[str]:
    """The smallest ε of each definition that a statement names with a constant δ, in words."""
    named = [atom for atom in atoms(statement) if isinstance(atom, Holds) and not atom.on]
    for definition, delta, reading in dict.fromkeys((atom.definition, atom.delta, atom.reading) for atom in named):
        if isinstance(delta, Scaled) or not find(definition).has_epsilon:
            continue
        (answer,) = facts.answers(Holds(definition, None, delta, reading))
        at = f" at δ = {exact_text(delta)}" if delta else ""
        if answer.verdict == "vacuous":
            yield f"{definition} is vacuous: nothing is compared"
        elif answer.tight_epsilon is not None:
            yield f"{definition}: smallest ε{at} {_text(answer.tight_epsilon)}"


def _reasons(statement: Statement, facts: Facts) -> Iterator[str]:
    """Of each definition that is not as a statement wants it the reason, in sentences."""
    for atom, wanted in dict.fromkeys(_wanted(statement, wanted=True)):
        if isinstance(atom, Has) or atom.on or atom.variables:
            continue
        (answer,) = facts.answers(atom)
        if answer.verdict == ("fails" if wanted else "holds"):
            yield f"{atom} {answer.verdict}. {why(answer)}".strip()


def _learned(model: Model, definition: str, asked: Mapping[str, object], bound: str) -> Iterator[str]:
    """What the attacker learns where a definition fails at what was typed; nothing where that cannot be decided."""
    with suppress(PkdpError):  # a δ below 0, too much work: the answer is too small all the same
        broken = check(model, find(definition), **asked).witness  # type: ignore[arg-type]
        if broken is not None:
            event, record = getattr(broken, "event", None), broken.record
            seen = f"If the attacker sees {seen_text(event)}, she learns" if event else "The attacker learns"
            about = f" about {subject_of(record)}" if record is not None or not model.protects_records else ""
            yield f"{seen} more{about} than {bound} allows."


def _wanted(statement: Statement, *, wanted: bool) -> Iterator[tuple[Holds | Has, bool]]:
    """The definitions and properties of a statement, each with whether it has to hold for the statement to be true."""
    if isinstance(statement, Holds | Has):
        yield statement, wanted
    elif isinstance(statement, Not):
        yield from _wanted(statement.of, wanted=not wanted)
    else:
        for operand in statement.operands:
            yield from _wanted(operand, wanted=wanted)


def _text(number: object) -> str:
    return number.text(MOST_DIGITS) if isinstance(number, Epsilon) else cut(str(number), MOST_DIGITS)


def same_answers(answers: Mapping[int, tuple[str, object]]) -> dict[int, list[int]]:
    """For each answer the others that are equal, of (identity of the question, answer) by their numbers.

    >>> same_answers({1: ("q", {"a": 1}), 2: ("q", {"a": 1}), 3: ("p", {"a": 1})})
    {1: [2], 2: [1], 3: []}
    """
    keys = {number: (identity, canonical(answer)) for number, (identity, answer) in answers.items()}
    groups: dict[tuple[str, bytes], list[int]] = {}
    for number, key in keys.items():
        groups.setdefault(key, []).append(number)
    return {number: [other for other in groups[key] if other != number] for number, key in keys.items()}
