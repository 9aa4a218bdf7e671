"""The exact output law of a program on a database: distributions of states, statement by statement.

The state of a run is the values of its variables that are read later. A statement maps a distribution of states to
another one, and equal states are added up, so that counters, sums and sorted lists take polynomial time.

- `for` takes all states through its list together, entry by entry: a state has the list itself among its variables,
  which its body may change, and leaves the loop where the list ends.
- `while` finds the states at its head, the chances of one round from each, and solves one linear system (`rounds.py`).
- A function of the program has a law of what it returns, which is kept for equal arguments.

A number that is not known yet (`noisy_number.py`) splits a path by a comparison as a draw does. The weight of a state
with such numbers is a function of their noises (`noise.py`), which is added and multiplied as a probability is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias, TypeVar

from verifier.errors import LimitError, PkdpError, UnsupportedError
from verifier.numbers import cut
from verifier.programs.expressions import GIVEN, Evaluator, Variables
from verifier.programs.noise import Weight
from verifier.programs.noisy_number import NoiseKey, NoisyNumber, settled
from verifier.programs.noisy_outputs import CLAMP
from verifier.programs.operations import binary, kind_of, ordered
from verifier.programs.paths import A_PATH, MOST_STATES, Law, Path, StateWeight, Work, outcomes
from verifier.programs.rounds import Row, stuck, visits
from verifier.programs.syntax import Function, Source, changes
from verifier.programs.values import (
    CHANGEABLE,
    Fixed,
    Frozen,
    State,
    Value,
    fixed,
    frozen,
    state_of,
    thawed,
    variables_of,
)

Result = TypeVar("Result")
Distribution: TypeAlias = dict[State, StateWeight]
"""States with their probabilities."""
MOST_ROUNDS = 1_000
"""Most states at the head of a `while`."""
OUTER = ".around"
"""The hidden variable with the noises around the call of a function; it is the first in a state."""
SEEN = ".seen"
"""The hidden variable with the results of draws that the observer has seen, in their order."""
CIRCLE = "while True: with a draw inside that leaves it, such as `if rng.flip(1/2): break`"


class Ways:
    """Where the states go that leave a body early: what is returned, and the states of `break` and `continue`."""

    def __init__(self, returned: dict[Frozen, StateWeight] | None = None) -> None:
        self.returned: dict[Frozen, StateWeight] = {} if returned is None else returned
        self.broken: Distribution = {}
        self.continued: Distribution = {}


class Interpreter:
    """The laws of the functions of a program; `law` is that of its last one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._loops = {
            node: f".items{number}"
            for number, node in enumerate(
                inner for function in source.functions.values() for inner in ast.walk(function.node)
            )
            if isinstance(node, ast.For)
        }
        self._draws: dict[Frozen, Law] = {}

    def law(self, database: Sequence[Value]) -> list[tuple[Value, Fraction]]:
        """What the program returns on a database, with probabilities; equal values may be listed once more as labels.

        Raises:
            InputError, LimitError: as `returned` does.
            UnsupportedError: for an output that is a noisy number.

        """
        return self._exact(self.returned(database))

    def of(self, given: Value) -> list[tuple[Value, Fraction]]:
        """What the program returns where its first parameter is a value, such as an output of another mechanism."""
        return self._exact(self._returned(_Run(self.source, self._loops, self._draws), given))

    def returned(self, database: Sequence[Value]) -> Mapping[Frozen, StateWeight]:
        """The keys of what the program returns on a database, with weights, which may be functions of noises.

        Raises:
            InputError: for an error of the program itself, with its place.
            LimitError: where it takes too many steps, or a value becomes too long.

        """
        run = _Run(self.source, self._loops, self._draws)
        return self._returned(run, fixed(database, run.fixed))

    def _returned(self, run: _Run, given: Value) -> Mapping[Frozen, StateWeight]:
        try:
            return run.law_of(self.source.main, [given])
        except RecursionError:
            raise self.source.error(
                self.source.main.node, "the functions call each other too deeply", "fewer functions"
            ) from None

    def _exact(self, law: Mapping[Frozen, StateWeight]) -> list[tuple[Value, Fraction]]:
        if any(isinstance(weight, Weight) for weight in law.values()):
            raise UnsupportedError(
                "the output is a noisy number, with infinitely many values", where=self.source.where, tip=CLAMP
            )
        return [(thawed(key), weight) for key, weight in law.items()]


class _Run:
    """A run on one database: its work, and the laws of its functions so far."""

    def __init__(self, source: Source, loops: Mapping[ast.For, str], draws: dict[Frozen, Law]) -> None:
        self.source, self.loops, self.draws = source, loops, draws
        self.work = Work()
        self.fixed: dict[Frozen, Fixed] = {}
        self._laws: dict[tuple[str, Frozen], dict[Frozen, StateWeight]] = {}

    def law_of(
        self, function: Function, values: list[Value], outer: Weight | None = None
    ) -> Mapping[Frozen, StateWeight]:
        """The law of what a function returns, given the values that are not the source of draws.

        With `outer`, the weight of the state around the call, it goes on from that state, whose noises all stay: what
        is returned is then a pair of these noises, in the order of their names, and of the value.
        """
        key = (function.name, frozen(values))
        if outer is not None or key not in self._laws:  # what goes on from a state is not kept
            names = [name for name in function.parameters if name not in function.generators]
            variables: Variables = dict(zip(names, values, strict=True))
            if function is not self.source.main:
                lists = [value for value in values if isinstance(value, (*CHANGEABLE, tuple))]
                variables |= {f"{GIVEN}{number}": value for number, value in enumerate(lists)}
            if function.name in self.source.seeing or (self.source.observer and function is self.source.main):
                variables[SEEN] = ()
            if outer is not None:
                variables[OUTER] = tuple(NoisyNumber(NoiseKey(noise)) for noise in sorted(outer.noises))
            evaluator = Evaluator(self.source, function, self.work, self.law_of, self.draws)
            self._laws[key] = _Body(evaluator, self.loops, self.fixed).law(
                variables, Fraction(1) if outer is None else outer
            )
        return self._laws[key]


class _Body:
    """The statements of one function, on distributions of states."""

    def __init__(self, evaluator: Evaluator, loops: Mapping[ast.For, str], known: dict[Frozen, Fixed]) -> None:
        self.evaluator, self.loops, self.fixed = evaluator, loops, known
        self.source, self.function = evaluator.source, evaluator.function
        self.live = self.function.live

    def law(self, variables: Variables, weight: StateWeight) -> dict[Frozen, StateWeight]:
        """The law of what is returned, from a weight at the start; None where the last line is reached."""
        ways = Ways()
        states: Distribution = {}
        self._add(self.function.node, states, self._state(self.function.node, variables), weight)
        for state, left in self._block(self.function.node.body, states, ways).items():
            self._add(self.function.node, ways.returned, _with_outer(None, variables_of(state)), left)
        return ways.returned

    # --- states ----------------------------------------------------------------------------------------------------

    def _state(self, node: ast.AST, variables: Variables, live: Iterable[str] | None = None) -> State:
        """The key of the variables that are read later; hidden ones always stay."""
        kept = variables
        if live is not None:
            kept = {name: value for name, value in variables.items() if name in live or name[0] == "."}
        try:
            state, parts = state_of(kept)
        except LimitError as error:
            raise self.source.at(node, error) from None
        self.evaluator.pay(node, parts)
        return state

    def _add(self, node: ast.AST, states: dict[Any, StateWeight], state: Frozen, weight: StateWeight) -> None:
        """Add a state, or what is returned, with its weight; noises that it does not have are summed."""
        if isinstance(weight, Weight):
            self.evaluator.pay(node, weight.size)
            try:
                state, weight = settled(state, weight)
            except PkdpError as error:
                raise self.source.at(node, error) from None
        states[state] = states[state] + weight if state in states else weight
        if len(states) > MOST_STATES:
            raise self.source.too_much(
                node,
                f"there are more than {MOST_STATES:,} different states here",
                "fewer values of the variables",
                "keep counts or sums, not lists",
            )

    def _each_path(
        self, node: ast.AST, states: Distribution, action: Callable[[Variables, Path], Result]
    ) -> Iterable[tuple[Result, StateWeight]]:
        """What an action makes of each state, on each path of its draws, with the probability."""
        for state, weight in states.items():

            def run(path: Path, state: State = state) -> Result:
                self.evaluator.pay(node, A_PATH)
                return action(variables_of(state), path)

            yield from outcomes(run, weight, pay=self.evaluator.work.pay)

    def _kept(self, node: ast.AST, states: Iterable[tuple[State, StateWeight]], live: frozenset[str]) -> Distribution:
        """States with the variables that are read later alone."""
        kept: Distribution = {}
        for state, weight in states:
            names = tuple(name for name, _ in state)
            if all(name in live or name[0] == "." for name in names):
                self._add(node, kept, state, weight)
            else:
                self._add(node, kept, self._state(node, variables_of(state), live), weight)
        return kept

    # --- statements ------------------------------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt], states: Distribution, ways: Ways) -> Distribution:
        """The states after a body."""
        for statement in body:
            if not states:
                break
            live = self.live[statement]
            match statement:
                case ast.Pass():
                    continue
                case ast.Break() | ast.Continue():
                    left = ways.broken if isinstance(statement, ast.Break) else ways.continued
                    for state, weight in states.items():
                        self._add(statement, left, state, weight)
                    return {}
                case ast.Return():
                    self._returned(statement, states, ways)
                    return {}
                case ast.If(test=test):
                    sides = self._tested(test, states)
                    after = [
                        self._block(part, side, ways).items()
                        for part, side in ((statement.body, sides[True]), (statement.orelse, sides[False]))
                    ]
                    states = self._kept(statement, (pair for side in after for pair in side), live)
                case ast.For():
                    states = self._kept(statement, self._for(statement, states, ways), live)
                case ast.While():
                    states = self._kept(statement, self._while(statement, states, ways), live)
                case _:
                    states = self._plain(statement, states, live)
        return states

    def _returned(self, statement: ast.Return, states: Distribution, ways: Ways) -> None:
        def action(variables: Variables, path: Path) -> Frozen:
            value = self.evaluator.value(statement.value, variables, path) if statement.value else None
            self.evaluator.refuse_given(statement, value, variables, returned=True)
            _see(variables, path)
            return _with_outer(value, variables)

        for key, weight in self._each_path(statement, states, action):
            self._add(statement, ways.returned, key, weight)

    def _tested(self, test: ast.expr, states: Distribution) -> dict[bool, Distribution]:
        """The states in which a condition is true, and those in which it is false."""
        sides: dict[bool, Distribution] = {True: {}, False: {}}
        changing = changes(test)

        def action(variables: Variables, path: Path) -> tuple[bool, State | None]:
            answer = bool(self.evaluator.value(test, variables, path))
            _see(variables, path)
            return answer, self._state(test, variables) if changing or path.seen else None

        for state, weight in states.items():
            for (answer, changed), chance in self._each_path(test, {state: weight}, action):
                self._add(test, sides[answer], changed or state, chance)
        return sides

    def _plain(self, statement: ast.stmt, states: Distribution, live: frozenset[str]) -> Distribution:
        def action(variables: Variables, path: Path) -> State:
            self._done(statement, variables, path)
            _see(variables, path)
            return self._state(statement, variables, live)

        found: Distribution = {}  # equal states are added up before their noises are summed, which is one sum then
        for state, weight in self._each_path(statement, states, action):
            found[state] = found[state] + weight if state in found else weight
        after: Distribution = {}
        for state, weight in found.items():
            self._add(statement, after, state, weight)
        return after

    def _done(self, statement: ast.stmt, variables: Variables, path: Path) -> None:
        """Do an assignment, or an expression that stands by itself, on one path."""
        evaluate = self.evaluator.value
        match statement:
            case ast.Assign(targets=targets, value=value):
                assigned = evaluate(value, variables, path)
                for target in targets:
                    self.evaluator.assign(target, assigned, variables, path)
            case ast.AugAssign(target=ast.Subscript() as target):
                container = evaluate(target.value, variables, path)
                place = evaluate(target.slice, variables, path)
                old = self.evaluator.guarded(target, lambda _place: container[place], place)
                self.evaluator.store(
                    target, container, place, self._combined(statement, old, variables, path), variables
                )
            case ast.AugAssign(target=ast.Name(id=name) as target):
                old = evaluate(target, variables, path)
                variables[name] = self._combined(statement, old, variables, path)
            case ast.Expr(value=value):
                evaluate(value, variables, path)

    def _combined(self, statement: ast.AugAssign, old: Value, variables: Variables, path: Path) -> Value:
        """The old value with the new one."""
        if isinstance(old, CHANGEABLE):
            raise self.source.error(
                statement, f"an operator before `=` changes {kind_of(old)} in place", "x = x + …, which makes a new one"
            )
        new = self.evaluator.value(statement.value, variables, path)
        return self.evaluator.guarded(statement, lambda left, right: binary(statement.op, left, right), old, new)

    # --- loops -----------------------------------------------------------------------------------------------------

    def _for(self, loop: ast.For, states: Distribution, ways: Ways) -> list[tuple[State, StateWeight]]:
        """The states after a `for`; in each round all of them are at the same place of their lists."""
        hidden, head = self.loops[loop], self.live[loop, "head"]

        def start(variables: Variables, path: Path) -> State:
            values = self.evaluator.value(loop.iter, variables, path)
            if not isinstance(values, list) or _is_new(loop.iter):
                values = fixed(self.evaluator.guarded(loop.iter, ordered, values), self.fixed)
            variables[hidden] = values
            _see(variables, path)
            return self._state(loop, variables, head)

        now: Distribution = {}
        for state, weight in self._each_path(loop.iter, states, start):
            self._add(loop, now, state, weight)
        place = 0
        finished: Distribution = {}
        inside = Ways(ways.returned)
        while now:
            going: Distribution = {}
            for state, weight in now.items():
                variables = variables_of(state)
                self.evaluator.pay(loop, A_PATH)
                if place >= len(variables[hidden]):
                    del variables[hidden]
                    self._add(loop, finished, self._state(loop, variables), weight)
                else:
                    self.evaluator.assign(loop.target, variables[hidden][place], variables, Path())
                    self._add(loop, going, self._state(loop, variables), weight)
            place += 1
            inside.continued = {}
            after = self._block(loop.body, going, inside)
            now = self._kept(loop, [*after.items(), *inside.continued.items()], head)
        finished = self._block(loop.orelse, finished, ways)  # a `break` in it leaves the loop around this one
        broken = [(self._without(loop, state, hidden), weight) for state, weight in inside.broken.items()]
        return [*finished.items(), *broken]

    def _without(self, loop: ast.AST, state: State, hidden: str) -> State:
        """A state without the list of a loop; other names of that list still are one with each other."""
        variables = variables_of(state)
        del variables[hidden]
        return self._state(loop, variables)

    def _while(self, loop: ast.While, states: Distribution, ways: Ways) -> list[tuple[State, StateWeight]]:
        """The states after a `while`: the visits of each state at its head, times the ways out of one round."""
        head = self.live[loop, "head"]
        first = self._kept(loop, states.items(), head)
        self._refuse_noise(loop, first)
        numbers = {state: number for number, state in enumerate(first)}
        rows: list[Row] = []
        exits: list[tuple[Distribution, Ways]] = []
        pending = list(first)
        while len(rows) < len(numbers):
            state = pending[len(rows)]
            sides = self._tested(loop.test, {state: Fraction(1)})
            inside = Ways()
            after = self._block(loop.body, sides[True], inside)
            row: Row = {}
            next_states = self._kept(loop, [*after.items(), *inside.continued.items()], head)
            self._refuse_noise(loop, next_states)
            for next_state, chance in next_states.items():
                if next_state not in numbers:
                    numbers[next_state] = len(numbers)
                    pending.append(next_state)
                row[numbers[next_state]] = chance
            if len(numbers) > MOST_ROUNDS:
                raise self.source.too_much(
                    loop,
                    f"the loop has more than {MOST_ROUNDS:,} different states at its head",
                    "variables that take few values",
                    "a count of rounds has infinitely many: rng.geometric_noise(r, low, high), or a `for` with an end",
                )
            rows.append(row)
            exits.append((sides[False], inside))
        leaves = [bool(out or inside.returned or inside.broken) for out, inside in exits]
        self._refuse_endless(loop, stuck(rows, leaves), pending)
        starts = {numbers[state]: weight for state, weight in first.items()}
        finished: Distribution = {}
        broken: Distribution = {}
        for total, (out, inside) in zip(
            visits(rows, starts, lambda n: self.evaluator.pay(loop, n)), exits, strict=True
        ):
            for state, chance in out.items():
                self._add(loop, finished, state, total * chance)
            for state, chance in inside.broken.items():
                self._add(loop, broken, state, total * chance)
            for key, chance in inside.returned.items():
                self._add(loop, ways.returned, key, total * chance)
        finished = self._block(loop.orelse, finished, ways)
        return [*finished.items(), *broken.items()]

    def _refuse_noise(self, loop: ast.While, states: Distribution) -> None:
        if any(isinstance(weight, Weight) for weight in states.values()):
            raise self.source.error(
                loop,
                "a noise is still in use in the next round of this loop",
                "noises that are drawn and used in one round",
                "draw inside the loop: while True: x = rng.geometric_noise(r), then if low <= x <= high: break; "
                "a clamped noise, rng.geometric_noise(r, low, high), has another law, with the tails at its ends",
            )

    def _refuse_endless(self, loop: ast.While, states: list[int], pending: list[State]) -> None:
        if not states:
            return
        shown = ", ".join(
            f"{name} = {value!r}" for name, value in variables_of(pending[states[0]]).items() if name[0] != "."
        )
        raise self.source.error(
            loop,
            f"the loop may never end{f': with {cut(shown)} no round leads out of it' if shown else ''}",
            "a loop that ends with probability 1",
            CIRCLE,
        )


def _see(variables: Variables, path: Path) -> None:
    """Add what the observer saw on a path to what it has seen before."""
    if path.seen:
        variables[SEEN] = (*variables[SEEN], *path.seen)


def _with_outer(value: Value, variables: Variables) -> Frozen:
    """The key of what is returned: a pair with what the observer saw, and with the noises around the call."""
    if SEEN in variables:
        value = value, variables[SEEN]
    return frozen((variables[OUTER], value) if OUTER in variables else value)


def _is_new(node: ast.expr) -> bool:
    """Whether an expression makes a list for which there is no name, so that nothing can change it."""
    makers = {"range", "enumerate", "zip", "sorted", "reversed"}
    made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers
    return made or isinstance(node, ast.List | ast.ListComp)


def on_database(error: PkdpError, database: str) -> PkdpError:
    """An error of a run, with the database or the output on which it was met."""
    return error.but(message=f"{error.message} (on {database})")
