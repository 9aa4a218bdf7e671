"""All runs together: the smallest ε at a δ and the smallest δ at an ε of k runs, of one mechanism or of several.

A definition of pairs of databases, as dp is, needs the likelihood ratios of each pair alone: k runs are the k-th power
of a polynomial (`verifier.profile.runs`). Others average over databases: outputs with proportional rows are put into
one (`proportional`), and the definition is decided on the table of all runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Any

from verifier.definitions import Definition, find
from verifier.definitions.answer import ALL_DIGITS, EXIT_STATUS, Answer, Decimal, Valued, header, json_of
from verifier.definitions.comparison import HOCKEY_STICK
from verifier.engine import Engine
from verifier.errors import InputError, LimitError, UndecidedError, UnsupportedError
from verifier.model import Database, Model, arguments, need_model
from verifier.model.compose import with_mechanism
from verifier.numbers import Delta, Epsilon, delta_bound, exact_text, with_decimal
from verifier.numbers import epsilon as read_epsilon
from verifier.profile import Classes, Profile, Steps, classes_of, maximum
from verifier.profile import runs_of as runs_of_classes
from verifier.questions.check import check
from verifier.questions.pair import smallest_fields
from verifier.recheck import word_of_runs
from verifier.tables import Law
from verifier.wings.implications.compose.runs import DEFINITIONS, all_of

MOST_RUNS = 1 << 20
MOST_PAIRS = 1 << 14
"""Most pairs of databases with different laws that are composed one by one."""
LEFT_OUT = "it was left out (--no-replay)"
AS_A_TABLE = "the checker decided the table of all runs again, not how it was composed"
NO_CURVE = "it has no δ: its measure is one number, or a condition"
Runs = Sequence[tuple[Model, int]]


@dataclass(frozen=True)
class RunsPoint(Valued):
    """The smallest ε of all runs at a δ, or the smallest δ at an ε, and between which databases it is attained."""

    at: Any
    value: Any
    databases: tuple[Any, Any] | None = None

    def fields(self) -> dict[str, Any]:
        """The point as an entry of `epsilon_at` or `delta_at`."""
        return {"at": self.at, "value": self.value, "decimal": Decimal(self.value), "databases": self.databases}


@dataclass(frozen=True)
class DefinitionOfRuns(Valued):
    """What a definition says of all runs together: `unsupported`, `vacuous`, `undecided`, or its numbers."""

    definition: str
    verdict: str
    reason: str | None = None
    epsilons: tuple[RunsPoint, ...] = ()
    """The smallest ε at each δ that was asked for."""
    deltas: tuple[RunsPoint, ...] = ()
    """The smallest δ at each ε that was asked for."""
    profile: Profile | Steps | None = field(default=None, repr=False)
    """δ as a function of ε, of all runs; None where it is not known as a whole."""
    replayed: bool | None = None
    unchecked: str = ""

    def __str__(self) -> str:
        if not self.epsilons:
            return f"{self.definition}: {self.verdict}" + (f", {self.reason}" if self.reason else "")
        epsilons = [
            f"smallest ε at δ = {exact_text(p.at, 40)}: {with_decimal(p.value, most=60)}" for p in self.epsilons
        ]
        deltas = [f"smallest δ at ε = {p.at}: {with_decimal(p.value, most=60)}" for p in self.deltas]
        return f"{self.definition}: {'; '.join([*epsilons, *deltas])}"

    def fields(self) -> dict[str, Any]:
        """The definition as an object of `pkdp compose --json`."""
        segments = self.profile.segments if isinstance(self.profile, Profile) else None
        return {
            "definition": self.definition,
            "verdict": self.verdict,
            "reason": self.reason,
            **smallest_fields(self.epsilons, self.deltas),
            "curve": segments and [{"epsilon": start, "a": a, "b": b} for start, a, b in segments],
            "replayed": self.replayed,
            "unchecked": self.unchecked or None,
        }


@dataclass(frozen=True)
class AllRuns(Answer):
    """The numbers of all runs together, of each definition that was asked for."""

    runs: tuple[tuple[Model, int], ...]
    definitions: tuple[DefinitionOfRuns, ...]

    def __repr__(self) -> str:
        return f"<AllRuns of {self.title}: {', '.join(one.definition for one in self.definitions)}>"

    def __str__(self) -> str:
        return "\n".join([f"{self.title}, independent, on the same database", *map(str, self.definitions)])

    @property
    def title(self) -> str:
        """How often each mechanism is run, in words."""
        return " and ".join(f"{times} runs of {model.title}" for model, times in self.runs)

    @property
    def verdict(self) -> str:
        """`computed` if some definition has numbers, else the word of the first."""
        words = [one.verdict for one in self.definitions]
        return "computed" if "computed" in words else words[0]

    @property
    def exit_status(self) -> int:
        """The exit status of the command line: 0 where something was computed."""
        return EXIT_STATUS.get(self.verdict, 0)

    def fields(self) -> dict[str, Any]:
        """The object of `pkdp compose --json`; of one definition its fields stand at the top."""
        (model, times), *more = self.runs
        each = [{"model": one.label, "sha256": one.sha256 or None, "times": k} for one, k in self.runs]
        head = {**header(model), "times": times, **({"runs": each} if more else {})}
        if len(self.definitions) == 1:
            return {**head, **self.definitions[0].fields()}
        return {**head, "verdict": self.verdict, "definitions": self.definitions}


def all_runs(
    models: Model | Sequence[Model],
    times: object,
    *,
    definitions: Sequence[object] = DEFINITIONS,
    deltas: Sequence[object] = (0,),
    epsilons: Sequence[object] = (),
    replay: bool = True,
    tick: Callable[[int, int], object] | None = None,
) -> AllRuns:
    """The smallest ε at each δ, and the smallest δ at each ε, of all independent runs on one database together.

    `models` is a model, or a list of models that differ in the mechanism alone: the first says what else is known.
    `times` is how often each mechanism is run, or a list with a number for each model.

    >>> from verifier.model import build
    >>> coin = build(size=1, values=[0, 1], mechanism={"kind": "randomized-response", "keep": "1/2"})
    >>> print(all_runs(coin, 10, definitions=["dp"], deltas=["1/10"], replay=False).definitions[0])
    dp: smallest ε at δ = 1/10: ln(755107/155) (8.49118962312)

    Raises:
        InputError: for a number of runs that is no positive integer, and for models on other databases.
        LimitError: for runs that have too many likelihood ratios together, before the work.

    """
    runs = _runs(models, times)
    tick = arguments.optional(arguments.function)(tick, "tick")
    levels = [delta_bound(delta) for delta in arguments.several("δ")(deltas, "deltas")]
    bounds = [read_epsilon(epsilon, "epsilons") for epsilon in arguments.several("ε")(epsilons, "epsilons")]
    asked = [find(definition) for definition in arguments.several("definitions")(definitions, "definitions")]
    question = _Question(runs, levels or [Fraction(0)], bounds, bool(arguments.flag(replay, "replay")))
    answers = []
    for number, definition in enumerate(asked, start=1):
        answers.append(question.answer(definition))
        if tick:
            tick(number, len(asked))
    return AllRuns(tuple(runs), tuple(answers))


def _runs(given: object, times: object) -> list[tuple[Model, int]]:
    """Each model with how often it is run."""
    models: list[Model] = list(given) if isinstance(given, list | tuple) else [given]  # type: ignore[list-item]
    if not models:
        raise InputError("there is no model", where="models", wanted="at least one")
    for one in models:
        need_model(one)
    read = arguments.number(1)
    numbers = [read(each, "times") for each in (times if isinstance(times, list | tuple) else [times] * len(models))]
    if len(numbers) != len(models):
        raise InputError(f"{len(numbers)} numbers of runs are given", where="times", wanted=f"one, or {len(models)}")
    if sum(numbers) > MOST_RUNS:
        raise LimitError(f"{sum(numbers):,} runs are too many", where="times", wanted=f"at most {MOST_RUNS:,}")
    first = models[0]
    for model in models[1:]:
        if (model.size, model.values, model.sizes) != (first.size, first.values, first.sizes):
            problem, tip = f"{model.label} has other databases than {first.label}", "only mechanisms may differ"
            raise InputError(problem, where="models", wanted="the same size and values", tip=tip)
    return list(zip(models, numbers, strict=True))


@dataclass(frozen=True)
class _Question:
    """What is asked of all runs."""

    runs: Runs
    deltas: Sequence[Fraction]
    epsilons: Sequence[Epsilon]
    replay: bool

    def answer(self, definition: Definition) -> DefinitionOfRuns:
        """The numbers of a definition, or the word and the reason why there are none."""
        try:
            if definition.measure is HOCKEY_STICK and definition.kind == "neighbours":
                return self._by_pairs(definition)
            return self._by_table(definition)
        except (UnsupportedError, UndecidedError) as error:
            word = "unsupported" if isinstance(error, UnsupportedError) else "undecided"
            return DefinitionOfRuns(definition.key, word, str(error))

    def _by_table(self, definition: Definition) -> DefinitionOfRuns:
        """The answer of the definition about the table of all runs."""
        if definition.measure_in(Engine(self.runs[0][0])) is not HOCKEY_STICK:
            raise UnsupportedError(f"{definition.key} is not asked of all runs: {NO_CURVE}")
        if self.runs[0][0].policy.outputs:
            raise UnsupportedError("[policy] names outputs of one run, which the runs together do not have")
        model, options = all_of(self.runs), {"replay": self.replay}
        at_deltas = [check(model, definition, delta=delta, **options) for delta in self.deltas]  # type: ignore[arg-type]
        at_epsilons = [check(model, definition, epsilon=epsilon, **options) for epsilon in self.epsilons]  # type: ignore[arg-type]
        first, answers = at_deltas[0], [*at_deltas, *at_epsilons]
        if first.tight_epsilon is None or first.verdict == "vacuous":
            return DefinitionOfRuns(definition.key, first.verdict, first.reason)
        replayed = all(answer.replayed for answer in answers)
        left = next((answer.unchecked for answer in answers if not answer.replayed), AS_A_TABLE)
        return DefinitionOfRuns(
            definition.key,
            "computed",
            None,
            tuple(RunsPoint(d, one.tight_epsilon) for d, one in zip(self.deltas, at_deltas, strict=True)),
            tuple(RunsPoint(e, one.tight_delta) for e, one in zip(self.epsilons, at_epsilons, strict=True)),
            first.profile if first.has_profile else None,
            True if replayed else None,
            left if self.replay else LEFT_OUT,
        )

    def _by_pairs(self, definition: Definition) -> DefinitionOfRuns:
        """The worst of all pairs of databases, each by the ratios of its outputs."""
        model = self.runs[0][0]
        curves: dict[Profile, tuple[Database, Database]] = {}
        seen: dict[tuple[Classes, ...], Classes] = {}
        for databases in self._pairs(definition):
            laws = [[one.mechanism.law(database) for database in databases] for one, _ in self.runs]
            classes = tuple(_classes(*two) for two in laws)
            if classes in seen:
                continue
            back = seen.get(tuple(one.swapped for one in classes))
            parts = [(one, times) for one, (_, times) in zip(classes, self.runs, strict=True)]
            seen[classes] = runs_of_classes(parts) if back is None else back.swapped
            _refuse_pairs(len(seen))
            curves.setdefault(seen[classes].profile, databases)
        if not curves:
            return DefinitionOfRuns(definition.key, "vacuous", definition.about.nothing)
        profile = maximum(curves) if len(curves) > 1 else next(iter(curves))

        def point(at: Any, value: Epsilon | Delta, of: Callable[[Profile, Any], Any]) -> RunsPoint:
            """A number with the first pair of databases that has it."""
            first, second = next(pair for curve, pair in curves.items() if of(curve, at) == value)
            return RunsPoint(at, value, (model.shown(first), model.shown(second)))

        answer = DefinitionOfRuns(
            definition.key,
            "computed",
            None,
            tuple(point(delta, profile.epsilon(delta), Profile.epsilon) for delta in self.deltas),
            tuple(point(epsilon, profile.delta(epsilon), Profile.delta) for epsilon in self.epsilons),
            profile,
        )
        return self._checked(answer) if self.replay else replace(answer, unchecked=LEFT_OUT)

    def _pairs(self, definition: Definition) -> Iterator[tuple[Database, Database]]:
        """The ordered pairs of databases that the definition compares.

        Pairs with equal laws are one: for several mechanisms they are listed by databases, whatever the mechanisms say.
        """
        model = self.runs[0][0]
        named = model if len(self.runs) == 1 else with_mechanism(model, {"kind": "identity"})
        engine = Engine(named)
        definition.applies(engine)
        comparisons = chain.from_iterable(each.comparisons for each in definition.on(engine).sets(engine, "default"))
        for comparison in comparisons:
            if comparison.databases is None or comparison.scale != 1:
                raise UnsupportedError(f"{definition.key} is not asked of all runs: it compares no two databases at ε")
            yield comparison.databases()

    def _checked(self, answer: DefinitionOfRuns) -> DefinitionOfRuns:
        """The answer after the checker has decided it again, by sums over lists of classes.

        Raises:
            RejectedError: where the checker decides otherwise.

        """
        if len(self.runs) > 1:
            return replace(answer, unchecked="the checker composes runs of one mechanism")
        ((model, times),) = self.runs
        claimed = {
            "definition": answer.definition, "times": times, "epsilon_at": answer.epsilons, "delta_at": answer.deltas
        }  # fmt: skip
        word = word_of_runs(json_of(claimed, ALL_DIGITS), model)
        return replace(answer, replayed=True if not word else None, unchecked=word)


def _classes(first: Law, second: Law) -> Classes:
    """The two laws by the ratios of their outputs."""
    shared = lcm(first.denominator, second.denominator)
    p, q = ({o: w * (shared // law.denominator) for o, w in law.items()} for law in (first, second))
    return classes_of(((p.get(o, 0), q.get(o, 0)) for o in {**p, **q}), shared)


def _refuse_pairs(number: int) -> None:
    if number > MOST_PAIRS:
        raise LimitError(
            "too many pairs of databases have different laws", wanted=f"at most {MOST_PAIRS:,}", tip="use fewer records"
        )
