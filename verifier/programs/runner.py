"""A Python function of a database and a generator, run once for each path of its draws: its exact output law.

A path is what every draw gave, in turn. The function is run with the first result of each draw; then, for each draw on
the way, once for each of its other results, and so on. The probability of a path is the product of the probabilities of
its results. The shortest beginnings of paths are taken first: their number is a lower bound of the paths to come, so
that too many are refused when they are known, and not when they have been run.

The function is the user's own, run in the user's own process. What is random and is no draw of the generator is caught
by two checks: a beginning that is run again must meet the same draws, and some whole paths are run again. The state of
Python's own `random` must stay what it was.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import Parameter, signature
from math import prod
from numbers import Integral, Rational
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeAlias, TypeVar, overload

from verifier.errors import InputError, LimitError, PkdpError
from verifier.numbers import Symbolic, shorten
from verifier.programs.deadline import OverdueError, begin, end, overdue
from verifier.programs.draws import (
    DRAWS,
    LISTS,
    SEEN_BY,
    SHUFFLED,
    Draw,
    Weighted,
    as_seen,
    is_infinite,
    no_draw,
    observers,
    refuse_unused,
    sameness,
)
from verifier.programs.exact import exact, exact_number, line_of
from verifier.programs.hidden import HiddenNumber
from verifier.programs.interpreter import Interpreter
from verifier.programs.own_source import text_without_ends
from verifier.programs.syntax import Source
from verifier.tables import label

MOST_PATHS = 100_000
"""Most paths of one database."""
MOST_DRAWS = 500
"""Most draws on one path."""
MOST_WORK = 500_000
"""Most draws on all paths of one database together; an entry of a list that is drawn counts as one."""
PROBES = 64
"""How many paths are picked at random, where there may be too many."""
AGAIN = 8
"""The first path of a database is run so many times again, so many first ones twice, and of the others a part."""
MERGES = 'write the text as program = """…""", where paths that meet in one state are one'
UNREAD = "its source cannot be read: branches on floats are not checked"
Result = TypeVar("Result")


def takes_generator(function: Callable[..., object]) -> bool:
    """Whether a function is a program: of two arguments, the database and the generator, and not of the database alone.

    >>> takes_generator(lambda db, rng: 0), takes_generator(lambda db: 0), takes_generator(lambda db, k=3: k)
    (True, False, False)
    """
    try:
        takes = signature(function)
    except (TypeError, ValueError):
        return False
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, parameter in takes.parameters.items() if parameter.kind in kinds]
    return _binds(takes, 2) and (not _binds(takes, 1) or names[1:2] == ["rng"])


def _binds(takes: Any, number: int) -> bool:
    try:
        takes.bind(*[None] * number)
    except TypeError:
        return False
    return True


Met: TypeAlias = tuple[str, list[tuple[object, Fraction]]]
"""A draw as it must be again when a path is run again: its name, its results and their probabilities."""


@dataclass(slots=True)
class _Step:
    """One draw on a path: the step before it, which result was taken, its probability, and what the draw was."""

    before: _Step | None
    taken: int
    chance: Fraction
    met: Met


def _steps(last: _Step | None) -> list[_Step]:
    """The steps that lead to one, the first one first."""
    steps = []
    while last is not None:
        steps.append(last)
        last = last.before
    return steps[::-1]


class Generator:
    """The generator of one path: each draw gives the result that was chosen for it, and after these the one of `pick`.

    `remembered` keeps the laws of draws of plain numbers from path to path.
    """

    def __init__(
        self,
        chosen: list[_Step],
        remembered: dict[object, tuple[list[Weighted], Met]],
        pick: Callable[[int], int] = lambda _: 0,
    ) -> None:
        self.chosen, self.remembered, self._pick = chosen, remembered, pick
        self.drawn: list[_Step] = []
        self.seen: list[tuple[tuple[str, ...], Any]] = []
        """The results of draws that name who sees them, with these names."""
        self.branches: list[tuple[_Step | None, list[Weighted], Met]] = []
        """The draws after the chosen ones: the step before, the law, and what was met."""
        self.refused: PkdpError | None = None
        """The first refusal; the function may have caught it."""
        self.lines: dict[tuple[CodeType, int], None] = {}
        """The lines of the draws."""
        self.stood_in = False
        """Whether a stand-in for a module, `pkdp.exact`, was asked for a draw."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(self.draw, name)

    def __dir__(self) -> Iterable[str]:
        return DRAWS

    def draw(self, name: str, /, *args: object, **kwargs: object) -> Any:
        """Make the draw of this name.

        Raises:
            PkdpError: where it is refused, with the line of the call.

        """
        try:
            refuse_unused(name, _user_frame())
            names = observers(kwargs.pop(SEEN_BY)) if SEEN_BY in kwargs else ()
            result = self.result(name, *args, **kwargs)
        except PkdpError as error:
            raise self.refusal(error) from None
        if names:
            self.seen.append((names, as_seen(result)))
        return result

    def result(self, draw: str | Draw, /, *args: object, **kwargs: object) -> Any:
        """Make a draw for one that has another name, and its own refusals."""
        law, met = self._law(draw, args, kwargs)
        frame = _user_frame()
        self.lines[frame.f_code, frame.f_lineno] = None
        return self._drawn(law, met)

    def refusal(self, error: PkdpError) -> PkdpError:
        """The first refusal of the path, with the line of the user's code."""
        frame = _user_frame()
        self.refused = self.refused or error.within(line_of(frame.f_code, frame.f_lineno))
        return self.refused

    def is_running(self) -> bool:
        """Whether the function is run on this path now."""
        return _RUNNING.get() is self

    def _law(
        self, name: str | Draw, args: tuple[object, ...], kwargs: Mapping[str, object]
    ) -> tuple[list[Weighted], Met]:
        """The law of a draw; that of plain values is remembered: what is changed of its results is a new list."""
        key = None if kwargs else _plain(args)
        if key is None:
            return _law_and_met(name, args, kwargs)
        found = self.remembered.get((name, key))
        if found is None:
            found = _law_and_met(name, args, kwargs)
            if len(self.remembered) * len(found[0]) < MOST_PATHS:
                self.remembered[name, key] = found
        return found

    def _drawn(self, law: list[Weighted], met: Met) -> Any:
        at = len(self.drawn)
        if at < len(self.chosen):
            step = self.chosen[at]
            if step.met is not met and step.met != met:
                raise _other_draws()
        elif at >= MOST_DRAWS:
            raise LimitError(
                f"a path has more than {MOST_DRAWS:,} draws",
                wanted=f"at most {MOST_DRAWS:,}",
                tip=f"a loop that is left by chance has infinitely many paths: {MERGES}",
            )
        else:
            before, taken = self.drawn[-1] if at else None, self._pick(len(law))
            step = _Step(before, taken, law[taken][1], met)
            self.branches.append((before, law, met))
        self.drawn.append(step)
        result = law[step.taken][0]
        return list(result) if step.met[0] in LISTS else result

    def seen_by(self, observer: str) -> list[Any]:
        """The results of the draws that an observer sees, in their order."""
        return [result for names, result in self.seen if observer in names]

    @property
    def weight(self) -> Fraction:
        """The probability of the path."""
        top, bottom, rest = 1, 1, Fraction(1)
        for step in self.drawn:
            if isinstance(step.chance, Symbolic):
                rest *= step.chance
            else:
                top, bottom = top * step.chance.numerator, bottom * step.chance.denominator
        return rest * Fraction(top, bottom)


_RUNNING: ContextVar[Generator | None] = ContextVar("the path that is run", default=None)
_OWN = str(Path(__file__).parent)


def running() -> Generator | None:
    """The generator of the path on which a function is run now."""
    return _RUNNING.get()


class on_path:  # noqa: N801 - it is called as a function is
    """Run a function on a path, which its stand-ins for modules find, and within its time.

    Raises:
        InputError: where it takes too long (`verifier.programs.deadline`).

    """

    def __init__(self, path: Generator, where: str = "") -> None:
        """Keep the path, and the function's place in messages."""
        self._path, self._where = path, where

    def __enter__(self) -> Generator:
        """Begin the run."""
        self._before = _RUNNING.set(self._path)
        self._limited = begin(sys._getframe(1))  # noqa: SLF001 - the call in which the function runs
        return self._path

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """End the run."""
        if self._limited:
            end()
        _RUNNING.reset(self._before)
        if self._limited and isinstance(error, OverdueError):
            raise overdue(error).within(self._where) from None


def _user_frame() -> FrameType:
    """The innermost call that is not of this room."""
    frame = sys._getframe(1)  # noqa: SLF001 - the user's code
    while frame.f_code.co_filename.startswith(_OWN) and frame.f_back is not None:
        frame = frame.f_back
    return frame


_PLAIN = (str, int, bool, Fraction)


def _plain(args: tuple[object, ...]) -> object:
    """A key of arguments that are plain numbers or texts, or lists or tables of these; None for all others."""
    keys: list[object] = []
    for argument in args:
        parts: Any = (argument,)
        if type(argument) is dict:
            parts = (*argument, *argument.values())
        elif type(argument) in (list, tuple):
            parts = argument
        if not all(type(part) in _PLAIN for part in parts):
            return None
        keys.append((type(argument), *((type(part), part) for part in parts)))
    return tuple(keys)


def _law_and_met(
    name: str | Draw, args: tuple[object, ...], kwargs: Mapping[str, object]
) -> tuple[list[Weighted], Met]:
    """The law of a draw that Python calls: a float among its numbers is read as the short decimal which it shows.

    Raises:
        InexactError: for any other float.
        InputError, LimitError: as `Draw.law`; also for a name that is no draw.

    """
    draw = name if isinstance(name, Draw) else DRAWS.get(name)
    if draw is None:
        shown = [shorten(argument) for argument in args] + [f"{key}={shorten(one)}" for key, one in kwargs.items()]
        raise no_draw(str(name), f"rng.{name}({', '.join(shown)})")
    if is_infinite(draw.name, args, kwargs):
        raise InputError(
            "the noise has infinitely many results, and a Python function is run once for each",
            where=draw.place,
            wanted="rng.geometric_noise(r, low, high), which is clamped",
            tip="or def it in a file with nothing that the language of programs lacks: its source is then interpreted, "
            'as is program = """…""", where noise without ends is summed exactly',
        )
    law = draw.law(*map(exact_argument, args), **{key: exact_argument(value) for key, value in kwargs.items()})
    return law, (draw.name, [(_told_apart(value), p) for value, p in law])


def exact_argument(argument: Any) -> Any:
    """An argument of a draw with exact numbers: a probability, or a table of probabilities or scores."""
    if isinstance(argument, Mapping):
        return {key: exact_number(value) for key, value in argument.items()}
    return exact_number(argument)


def _told_apart(value: object) -> object:
    """What a result must be again when a path is run again; of an object that the function makes only the type."""
    simple = value is None or isinstance(value, bool | int | str | Fraction)
    return sameness(value) if simple else type(value)


def _other_draws() -> InputError:
    return InputError(
        "the function met other draws when the same path was run again",
        wanted="a function of the database and its draws alone",
        tip="what is random is drawn from the second argument, and nothing is kept from run to run",
    )


def outcomes(run: Callable[[Generator], Result]) -> Iterator[tuple[Result, Fraction]]:
    """The result of each path, with its probability.

    >>> sorted((x, str(p)) for x, p in outcomes(lambda rng: rng.flip("1/3") + rng.flip("1/2")))
    [(0, '1/3'), (1, '1/3'), (1, '1/6'), (2, '1/6')]

    Raises:
        InputError: where the function is not one of its draws, or a draw is refused.
        LimitError: where it has too many paths.

    """
    state = random_state()
    try:
        yield from _each_path(run)
    except PkdpError as error:
        if random_state() != state:
            raise own_random() from error
        raise
    if random_state() != state:
        raise own_random()


def _each_path(run: Callable[[Generator], Result]) -> Iterator[tuple[Result, Fraction]]:
    pending: deque[_Step | None] = deque([None])
    remembered: dict[object, tuple[list[Weighted], Met]] = {}
    done = work = 0
    while pending:
        path = Generator(_steps(pending.popleft()), remembered)
        result = _followed(run, path)
        for _ in range(AGAIN if done == 0 else int(done < AGAIN or done % AGAIN**2 == 0)):
            _check_again(run, path, result)
        if done == 0:
            _probe(run, path, remembered)
        done, given = done + 1, len(path.chosen)
        work += len(path.drawn) - given
        for number, (before, law, met) in enumerate(path.branches, start=given + 1):
            pending.extend(_Step(before, k, law[k][1], met) for k in range(1, len(law)))
            entries = len(law[0][0]) if met[0] in LISTS else 0
            work += (number + entries) * (len(law) - 1)  # each of these paths has so many draws, or more
            if done + len(pending) > MOST_PATHS:
                raise _too_many(path)
        if work > MOST_WORK:
            raise _too_many(path, f"the paths have more than {MOST_WORK:,} draws, and entries of drawn lists, together")
        yield result, path.weight


def _probe(run: Callable[[Generator], Result], first: Generator, remembered: dict[object, Any]) -> None:
    """Refuse paths that are far too many before they are run, where the first one leads to expect it.

    On a path whose results are picked uniformly the product of the numbers of results has the number of paths as its
    mean (Knuth, 1975). Where all of `PROBES` such paths have a product above 2·`MOST_PATHS`, the mean is above
    `MOST_PATHS`: else a product so large has a chance below 1/2, and so many in a row one below 2^-`PROBES`.

    Raises:
        LimitError: where they are too many.

    """
    picked = random.Random(0)  # noqa: S311 - not Python's own generator, whose state is watched
    path, left = first, PROBES
    while prod(len(law) for _, law, _ in path.branches) > 2 * MOST_PATHS:
        if not left:
            raise _too_many(path)
        path, left = Generator([], remembered, picked.randrange), left - 1
        _followed(run, path)


def _too_many(path: Generator, problem: str = f"the draws have more than {MOST_PATHS:,} paths") -> LimitError:
    return LimitError(
        problem,
        where="; ".join(line_of(*line) for line in path.lines),
        wanted=f"at most {MOST_PATHS:,} paths, and {MOST_WORK:,} draws on all of them",
        tip=SHUFFLED if any(step.met[0] == "permutation" for step in path.drawn) else f"draw less, or {MERGES}",
    )


def random_state() -> tuple[object, ...]:
    """The state of Python's own generator, and of numpy's where it is loaded: a draw changes it."""
    numpy = sys.modules.get("numpy.random")
    if numpy is None:
        return (random.getstate(),)
    name, keys, *rest = numpy.get_state(legacy=True)
    return random.getstate(), name, keys.tobytes(), *rest


def own_random(where: str = "") -> InputError:
    """The refusal of a function that draws from a generator of Python or numpy that all of the program shares."""
    return InputError(
        "the function draws from Python's own `random`, or numpy's",
        where=where,
        wanted="draws of its second argument, the generator: def f(db, rng)",
        tip='rng.flip("1/2"), rng.uniform(values), rng.randint(a, b) and their siblings; a library runs as it is with '
        "pkdp.exact.random, pkdp.exact.numpy_random or pkdp.exact.secrets in place of the module",
    )


def _followed(run: Callable[[Generator], Result], path: Generator) -> Result:
    """Run one path; what its generator refused is raised even where the function caught it."""
    try:
        with on_path(path):
            result = run(path)
    finally:
        if path.refused is not None:
            raise path.refused
    if len(path.drawn) < len(path.chosen):
        raise _other_draws()
    return result


def _check_again(run: Callable[[Generator], Result], path: Generator, result: Result) -> None:
    """Run a whole path again.

    Raises:
        InputError: where the result, or a draw, is another.

    """
    again = Generator(path.drawn, path.remembered)
    second = _followed(run, again)
    if len(again.drawn) > len(path.drawn):
        raise _other_draws()
    if second != result:
        raise InputError(
            f"the function, run again on one path, gave {shorten(str(result))}, then {shorten(str(second))}",
            wanted="a function of the database and its draws alone",
            tip="what is random is drawn from the second argument, and nothing is kept from run to run",
        )


def exact_output(value: object, name: str = "output") -> Any:
    """What a program put out, with exact numbers: integers and rationals of other libraries, short decimals, and lists.

    >>> exact_output((0.5, [True, "a"]))
    [Fraction(1, 2), [True, 'a']]

    Raises:
        InexactError: for a float that is no short decimal.

    """
    if isinstance(value, HiddenNumber):
        return value.settled()
    to_python = getattr(value, "tolist", None)  # an array or a number of numpy
    if callable(to_python) and not isinstance(value, Rational):
        value = to_python()
    if isinstance(value, list | tuple):
        return [exact_output(entry, name) for entry in value]
    if isinstance(value, bool):
        return value
    return int(value) if isinstance(value, Integral) else exact_number(value, name)


def name_of(function: Callable[..., object]) -> str:
    """The name of a function, also of one in a `partial`, or of the class of an object that can be called."""
    return str(getattr(getattr(function, "func", function), "__name__", type(function).__name__))


class Program:
    """A function of a database and a generator, whose exact law is found by running it on each path of its draws.

    Called with a database and a generator, such as `pk.sampler(1)`, it runs as it was verified: with exact numbers.
    """

    def __init__(self, function: Callable[..., object], *, alone: bool = False) -> None:
        """Keep the function; `alone` says that it takes the database alone, and draws from stand-ins for modules.

        Raises:
            InputError: where it does not take a database and a generator.

        """
        self.alone = alone
        if not alone and not takes_generator(function):
            raise InputError(
                f"{name_of(function)} is not a program",
                where="pk.program",
                wanted="a function of a database and a generator, def f(db, rng), or the text of one",
            )
        self.function = function

    @property
    def name(self) -> str:
        """The name of the function."""
        return name_of(self.function)

    def __repr__(self) -> str:
        return f"<Program {self.name}>"

    def exactly(self) -> Callable[..., object]:
        """The function with exact numbers, and the globals of now; itself where its source cannot be read."""
        function = exact(self.function) or self.function
        return (lambda db, _: function(db)) if self.alone else function

    @property
    def is_unread(self) -> bool:
        """Whether its source cannot be read."""
        return exact(self.function) is None

    def __call__(self, db: object, rng: object) -> object:
        """Run the function with exact numbers."""
        return self.exactly()(db, rng)

    def law(self, db: Iterable[object]) -> dict[str, Fraction]:
        """The probability of each output on a database, by the text of its label.

        >>> Program(lambda db, rng: db[0] if rng.flip("3/4") else "none").law(["yes"])
        {'yes': Fraction(3, 4), 'none': Fraction(1, 4)}
        """
        law: dict[str, Fraction] = {}
        text = text_without_ends(self.function)
        if text is not None:
            for output, p in Interpreter(Source(text, f"the source of {self.name}")).law(list(db)):
                name = label(output).text
                law[name] = law.get(name, Fraction(0)) + p
            return law
        function, records = self.exactly(), tuple(db)
        for output, p in outcomes(lambda rng: label(exact_output(function(copied(records), rng))).text):
            law[output] = law.get(output, Fraction(0)) + p
        return law


def copied(records: tuple[Any, ...]) -> tuple[Any, ...]:
    """A database for one run: what a run changes in a record is changed in no other record, and in no other run."""
    return tuple(deepcopy(record) if isinstance(record, list | dict | set) else record for record in records)


@overload
def program(given: str) -> dict[str, str]: ...


@overload
def program(given: Callable[..., object]) -> Program: ...


def program(given: Callable[..., object] | str) -> Program | dict[str, str]:
    """A mechanism that is a program: a Python function of a database and a generator, or the text of one.

    The function is run once for each path of its draws. A text is never executed: it is interpreted, as in a file.

    >>> program(lambda db, rng: rng.flip("1/3"))
    <Program <lambda>>
    >>> program("def f(db, rng): return db[0]")
    {'program': 'def f(db, rng): return db[0]'}

    Raises:
        InputError: for anything else.

    """
    return {"program": given} if isinstance(given, str) else Program(given)
