"""The value of an expression on one path of its draws.

Expressions are walked, never executed. A draw asks the path for its outcome, so that an expression with draws is
walked once for each path. Three things keep the paths few:

- `sum any all min max sorted set len` of a comprehension with draws, and a list comprehension itself, are folds: the
  draws of one entry make a law, and equal partial results are added up after each entry. The fold is one draw.
- The call of a function of the program is one draw from its law, which is kept for equal arguments.
- Whatever is left is merged after the statement, by the interpreter.

A fold needs entries without lists of their own, since a merged entry is a copy, and a comprehension that changes
nothing; any other comprehension is walked path by path.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from verifier.errors import InputError, LimitError, PkdpError
from verifier.programs import operations
from verifier.programs.draws import DRAWS, SEEN_BY, as_seen, is_infinite, noise_ratio
from verifier.programs.noise import Weight
from verifier.programs.noisy_number import NoiseKey, NoisyNumber, as_before, noise_keys, with_keys
from verifier.programs.operations import BUILTINS, ENDED, FOLDS, NOTHING, binary, compared, kind_of, measured
from verifier.programs.paths import (
    A_DRAW,
    A_MERGE,
    A_PATH,
    MOST_WIDE,
    Law,
    NeedsState,
    Path,
    StateWeight,
    Work,
    outcomes,
)
from verifier.programs.syntax import Function, Source, changes, read_in
from verifier.programs.values import CONTAINERS, Frozen, Value, entries_of, frozen, parts, reached, state_of, thawed

Variables: TypeAlias = dict[str, Value]
ERRORS = (TypeError, ValueError, IndexError, KeyError, ZeroDivisionError, AttributeError, OverflowError)
"""The errors of Python that a program can cause."""
Comprehension: TypeAlias = ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp
Walk: TypeAlias = Callable[[Any, Variables, Path], Value]
GIVEN = ".given"
"""Begins the hidden variables that hold the lists which a function was given."""


class Evaluator:
    """Walks the expressions of one function; `law_of` gives the law of another one on its arguments."""

    def __init__(
        self,
        source: Source,
        function: Function,
        work: Work,
        law_of: Callable[..., Mapping[Frozen, StateWeight]],
        laws: dict[Frozen, Law],
    ) -> None:
        self.source, self.function, self.work, self.law_of = source, function, work, law_of
        self.helper = function is not source.main
        self._laws = laws
        """The laws of draws, their results as keys, by the draw and its arguments."""
        self._foldable: dict[ast.AST, frozenset[str] | None] = {}
        self._folds: dict[Frozen, list[tuple[Frozen, Fraction]] | None] = {}
        self._walks: dict[type[ast.AST], Walk] = {
            ast.Constant: self._constant,
            ast.Name: self._name,
            ast.Tuple: self._tuple,
            ast.List: self._list,
            ast.Set: self._set,
            ast.Dict: self._dict,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._and_or,
            ast.Compare: self._compared,
            ast.IfExp: self._either,
            ast.Subscript: self._entry,
            ast.Slice: self._slice,
            ast.Lambda: self._lambda,
            ast.ListComp: self._listed,
            ast.GeneratorExp: self._listed,
            ast.SetComp: self._set_of,
            ast.DictComp: self._dict_of,
            ast.Call: self._call,
        }

    def pay(self, node: ast.AST, steps: int) -> None:
        """Take steps; a refusal names the place."""
        try:
            self.work.pay(steps)
        except LimitError as error:
            raise self.source.at(node, error) from None

    def value(self, node: ast.expr, variables: Variables, path: Path) -> Value:
        """The value of an expression; errors of the program are refusals with its place."""
        try:
            return self._value(node, variables, path)
        except PkdpError as error:
            raise self.source.at(node, error) from None
        except ERRORS as error:
            raise self.failed(node, error) from None

    def failed(self, node: ast.AST, error: Exception) -> InputError:
        """The refusal of a program that raises an error of Python."""
        said = f"the key {error}" if isinstance(error, KeyError) else str(error)
        said = "division by zero" if isinstance(error, ZeroDivisionError) else said
        return self.source.error(
            node, f"the program raises {type(error).__name__}: {said}", "a value on every database that is reached"
        )

    def _value(self, node: ast.expr, variables: Variables, path: Path) -> Value:
        self.pay(node, 1)
        return self._walks[type(node)](node, variables, path)

    def guarded(self, node: ast.AST, action: Callable[..., Value], *values: Value) -> Value:
        """The result of an operation, whose work is paid for before, and whose refusals name the place."""
        try:
            self.work.pay(sum(parts(value) for value in values if isinstance(value, (*CONTAINERS, str))))
            return action(*values)
        except PkdpError as error:
            raise self.source.at(node, error) from None
        except ERRORS as error:
            raise self.failed(node, error) from None

    # --- parts without draws ---------------------------------------------------------------------------------------

    def _constant(self, node: ast.Constant, _variables: Variables, _path: Path) -> Value:
        if isinstance(node.value, float):
            return measured(self.source.number(node))
        return self.guarded(node, measured, node.value)

    def _name(self, node: ast.Name, variables: Variables, _path: Path) -> Value:
        if node.id in variables:
            return variables[node.id]
        if node.id in self.source.constants:
            return self.source.constants[node.id]
        raise self.source.error(node, f"{node.id} has no value here", "a variable that was assigned")

    def _all(self, nodes: list[ast.expr], variables: Variables, path: Path) -> list[Value]:
        return [self._value(node, variables, path) for node in nodes]

    def _tuple(self, node: ast.Tuple, variables: Variables, path: Path) -> Value:
        return self.guarded(node, measured, tuple(self._all(node.elts, variables, path)))

    def _list(self, node: ast.List, variables: Variables, path: Path) -> Value:
        return self.guarded(node, measured, self._all(node.elts, variables, path))

    def _set(self, node: ast.Set, variables: Variables, path: Path) -> Value:
        return self.guarded(node, set, self._all(node.elts, variables, path))

    def _dict(self, node: ast.Dict, variables: Variables, path: Path) -> Value:
        pairs = [
            (self._value(key, variables, path), self._value(value, variables, path))
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        ]
        return self.guarded(node, measured, self.guarded(node, dict, pairs))

    def _binary(self, node: ast.BinOp, variables: Variables, path: Path) -> Value:
        left, right = self._value(node.left, variables, path), self._value(node.right, variables, path)
        return self.guarded(node, lambda x, y: binary(node.op, x, y), left, right)

    def _unary(self, node: ast.UnaryOp, variables: Variables, path: Path) -> Value:
        value = self._value(node.operand, variables, path)
        match node.op:
            case ast.Not():
                return not value
            case ast.USub():
                return self.guarded(node, lambda number: -number, value)
            case _:
                return self.guarded(node, lambda number: +number, value)

    def _and_or(self, node: ast.BoolOp, variables: Variables, path: Path) -> Value:
        value: Value = None
        for part in node.values:
            value = self._value(part, variables, path)
            if bool(value) == isinstance(node.op, ast.Or):
                break
        return value

    def _compared(self, node: ast.Compare, variables: Variables, path: Path) -> Value:
        left = self._value(node.left, variables, path)
        answer: Value = True
        for op, side in zip(node.ops, node.comparators, strict=True):
            right = self._value(side, variables, path)
            answer = self.guarded(node, lambda x, y, op=op: compared(op, x, y), left, right)
            if not answer:
                break
            left = right
        return answer

    def _either(self, node: ast.IfExp, variables: Variables, path: Path) -> Value:
        return self._value(node.body if self._value(node.test, variables, path) else node.orelse, variables, path)

    def _entry(self, node: ast.Subscript, variables: Variables, path: Path) -> Value:
        owner, place = self._value(node.value, variables, path), self._value(node.slice, variables, path)
        if isinstance(place, slice):
            return self.guarded(node, lambda values: measured(values[place]), owner)
        return self.guarded(node, lambda _place: owner[place], place)

    def _slice(self, node: ast.Slice, variables: Variables, path: Path) -> Value:
        ends = [end and self._value(end, variables, path) for end in (node.lower, node.upper, node.step)]
        return slice(*ends)

    def _lambda(self, node: ast.Lambda, variables: Variables, path: Path) -> Value:
        (name,) = (argument.arg for argument in node.args.args)
        return lambda value: self.value(node.body, {**variables, name: value}, path)

    # --- comprehensions --------------------------------------------------------------------------------------------

    def entries(self, node: ast.expr, variables: Variables, path: Path) -> list[Value]:
        """What a loop goes through: the list itself, which its body may change, or a list of the entries."""
        values = self.value(node, variables, path)
        if isinstance(values, list):
            return values
        listed: list[Value] = self.guarded(node, operations.ordered, values)
        return listed

    def _each(
        self,
        loops: list[ast.comprehension],
        values: list[Value],
        variables: Variables,
        element: Callable[[Variables], Value],
        path: Path,
    ) -> Iterator[Value]:
        """What an element is in each round of some loops, of which the first goes through `values`."""
        loop, *others = loops
        for value in values:
            self.pay(loop.iter, 1)
            inner = dict(variables)
            self.assign(loop.target, value, inner, path)
            if all(self._value(condition, inner, path) for condition in loop.ifs):
                if others:
                    more = self.entries(others[0].iter, inner, path)
                    yield from self._each(others, more, inner, element, path)
                else:
                    yield element(inner)

    def _elements(self, node: Comprehension, values: list[Value], variables: Variables, path: Path) -> Iterator[Value]:
        """The elements of a comprehension whose first loop goes through `values`."""

        def element(inner: Variables) -> Value:
            if isinstance(node, ast.DictComp):
                return self._value(node.key, inner, path), self._value(node.value, inner, path)
            return self._value(node.elt, inner, path)

        return self._each(node.generators, values, variables, element, path)

    def _listed(self, node: ast.ListComp | ast.GeneratorExp, variables: Variables, path: Path) -> Value:
        return self._of_comprehension("list", node, variables, path)

    def _of_comprehension(
        self, name: str, node: ast.ListComp | ast.GeneratorExp, variables: Variables, path: Path
    ) -> Value:
        """What a function makes of a comprehension: a draw from the law of a fold, or what it makes of the list."""
        values = self.entries(node.generators[0].iter, variables, path)
        if name in FOLDS:
            law = self._fold(name, node, values, variables)
            if law is not None:
                return self._drawn(node, law, path)
        elements = self._elements(node, values, variables, path)
        if name in ENDED and isinstance(node, ast.GeneratorExp):  # what comes later is not looked at
            return BUILTINS[name](elements)
        return self.guarded(node, lambda found: measured(BUILTINS[name](found)), list(elements))

    def _set_of(self, node: ast.SetComp, variables: Variables, path: Path) -> Value:
        values = self.entries(node.generators[0].iter, variables, path)
        return self.guarded(node, set, list(self._elements(node, values, variables, path)))

    def _dict_of(self, node: ast.DictComp, variables: Variables, path: Path) -> Value:
        values = self.entries(node.generators[0].iter, variables, path)
        return self.guarded(node, dict, list(self._elements(node, values, variables, path)))

    def _names_of(self, node: ast.ListComp | ast.GeneratorExp) -> frozenset[str] | None:
        """The variables of a comprehension with draws for each entry, unseen, that changes nothing; None for others."""
        if node not in self._foldable:
            loop, inner = node.generators[0], [node.elt, *node.generators[0].ifs]
            drawn = read_in(*inner) & self.function.generators
            fold = len(node.generators) == 1 and drawn and not any(map(changes, inner)) and not self.source.sees(*inner)
            names = read_in(*inner) - read_in(loop.target) - self.function.generators
            self._foldable[node] = names if fold else None
        return self._foldable[node]

    def _fold(
        self, name: str, node: ast.ListComp | ast.GeneratorExp, values: list[Value], variables: Variables
    ) -> list[tuple[Frozen, Fraction]] | None:
        """The law of a fold, kept for equal variables, since each path of its statement asks for it."""
        names = self._names_of(node)
        if names is None:
            return None
        read: Variables = {one: variables[one] for one in names if one in variables}
        state, parts_of_state = state_of({**read, ".entries": values})
        self.pay(node, parts_of_state)
        key = (name, node, state)
        if key not in self._folds:
            self._folds[key] = self.folded(name, node, values, variables)
        return self._folds[key]

    def folded(
        self, name: str, node: ast.ListComp | ast.GeneratorExp, values: list[Value], variables: Variables
    ) -> list[tuple[Frozen, Fraction]] | None:
        """The law of a fold, as keys with probabilities; None where entries are lists that may have two names."""
        first, more = FOLDS[name]
        ended = ENDED.get(name) if isinstance(node, ast.GeneratorExp) else None
        (loop,) = node.generators
        law: dict[Frozen, Fraction] = {frozen(first()): Fraction(1)}
        for value in values:
            if ended is not None and all(thawed(so_far) is ended for so_far in law):
                break
            inner = dict(variables)
            self.assign(loop.target, value, inner, Path())
            entry = self._entry_law(node, loop, inner)
            if entry is None:
                return None
            after: dict[Frozen, Fraction] = {}
            self.pay(node, A_MERGE * len(law) * len(entry))
            for so_far, weight in law.items():
                for added, chance in entry.items():
                    key = so_far
                    if added:
                        partial, one = thawed(so_far), thawed(added[0])
                        key = frozen(self.guarded(node, lambda x, y: measured(more(x, y)), partial, one))
                    after[key] = after.get(key, 0) + weight * chance
            law = after
        if any(thawed(key) is NOTHING for key in law):
            raise self.source.error(node, f"the program takes {name} of nothing", "at least one value")
        return list(law.items())

    def _entry_law(
        self, node: ast.ListComp | ast.GeneratorExp, loop: ast.comprehension, inner: Variables
    ) -> dict[tuple[Frozen, ...], Fraction] | None:
        """The law of one entry: a key, or nothing where a condition leaves it out."""
        lists = False

        def entry(path: Path) -> tuple[Frozen, ...]:
            nonlocal lists
            self.pay(node, 1)
            if not all(self._value(condition, inner, path) for condition in loop.ifs):
                return ()
            value = self._value(node.elt, inner, path)
            lists = lists or bool(reached(value))
            return (frozen(value),)

        law: dict[tuple[Frozen, ...], Fraction] = {}
        try:
            for key, chance in outcomes(entry, alone=True):
                if lists:
                    return None
                law[key] = law.get(key, 0) + chance
        except NeedsState:  # numbers that are not known yet
            return None
        return law

    # --- calls and draws -------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, variables: Variables, path: Path) -> Value:
        if isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in self.function.generators:
                return self._draw(node, node.func.attr, variables, path)
            return self._method(node, node.func, variables, path)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self.source.functions:
            return self._helper(node, self.source.functions[name], variables, path)
        return self._function(node, name, variables, path)

    def _function(self, node: ast.Call, name: str, variables: Variables, path: Path) -> Value:
        if len(node.args) == 1 and not node.keywords and isinstance(node.args[0], ast.ListComp | ast.GeneratorExp):
            return self._of_comprehension(name, node.args[0], variables, path)
        values = self._all(node.args, variables, path)
        named = {keyword.arg or "": self._value(keyword.value, variables, path) for keyword in node.keywords}
        return self.guarded(node, lambda *given: measured(BUILTINS[name](*given, **named)), *values)

    def _method(self, node: ast.Call, function: ast.Attribute, variables: Variables, path: Path) -> Value:
        owner = self._value(function.value, variables, path)
        values = self._all(node.args, variables, path)
        if function.attr in operations.MUTATORS:
            self.refuse_given(node, owner, variables)
        result = self.guarded(node, lambda: operations.called(function.attr, owner, values))
        self.guarded(node, measured, owner)
        return result

    def _draw(self, node: ast.Call, name: str, variables: Variables, path: Path) -> Value:
        """The result of a draw, which is noted where the observer sees it."""
        result = self._result(node, name, variables, path)
        if node in self.source.seen:
            path.seen.append(as_seen(result))
        return result

    def _result(self, node: ast.Call, name: str, variables: Variables, path: Path) -> Value:
        values = self._all(node.args, variables, path)
        given = [keyword for keyword in node.keywords if keyword.arg != SEEN_BY]
        named = {keyword.arg or "": self._value(keyword.value, variables, path) for keyword in given}
        if is_infinite(name, values, named):
            self.pay(node, A_PATH)
            ratio = self.guarded(node, lambda: noise_ratio(*values, **named))
            self.source.note(node, ratio, ratio=True)
            return NoisyNumber(NoiseKey(path.noise(ratio), drawn=f"line {node.lineno}"))

        arguments = [*values, *named.values()]
        self.pay(node, A_DRAW)
        if any(reached(entry) for value in arguments for entry in _inside(value)):  # a result may be one of these lists
            return path.draw(self._law(node, name, values, named))
        key = (name, frozen(values), frozen(named) if named else None)
        if key not in self._laws:
            law = self._law(node, name, values, named)
            self._laws[key] = [(frozen(value), chance) for value, chance in law]
        return thawed(path.draw(self._laws[key]))

    def _law(self, node: ast.Call, name: str, values: list[Value], named: Mapping[str, Value]) -> Law:
        """The law of a draw; its width is known, and paid for, before it is listed."""

        def law() -> Law:
            self.work.pay(min(DRAWS[name].width(*values, **named), MOST_WIDE))
            return DRAWS[name].law(*values, **named)

        made: Law = self.guarded(node, law)
        for _, chance in made:
            self.source.note(node, chance)
        return made

    def _helper(self, node: ast.Call, function: Function, variables: Variables, path: Path) -> Value:
        values = [
            self._value(argument, variables, path)
            for name, argument in zip(function.parameters, node.args, strict=True)
            if name not in function.generators
        ]
        if noise_keys(frozen(values)):
            outer = path.noisy_weight()
            law = list(self.law_of(function, values, outer).items())
            key, weight = law[path.choice(len(law))]
            key, path.weight = as_before(key, weight, sorted(outer.noises), path.new_noise)
            returned = thawed(key)
        else:
            returned = self._drawn(node, list(self.law_of(function, values).items()), path)
        if function.name in self.source.seeing:  # it returns what it returns, and what the observer saw
            returned, seen = returned
            path.seen += seen
        return returned

    def _drawn(self, node: ast.AST, law: list[tuple[Frozen, StateWeight]], path: Path) -> Value:
        """A value of a law that is given by keys."""
        if len(law) > MOST_WIDE:
            raise self.source.too_much(node, f"there are {len(law):,} outcomes", f"at most {MOST_WIDE:,}")
        at = path.choice(len(law))
        key, chance = law[at]
        if isinstance(chance, Weight):  # its noises get names that are new on this path
            names = {noise: (path.new_noise(), 0) for noise in sorted(chance.noises)}
            key = with_keys(key, lambda number: replace(number, noise=names[number.noise][0]))
            path.weight = path.noisy_weight() * chance.renamed(names)
        else:
            path.weight = path.weight * chance
        return thawed(key)

    # --- assignments -----------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, variables: Variables, path: Path) -> None:
        """Assign a value to a name, to a place in a list or dict, or its entries to several of these."""
        match target:
            case ast.Name(id=name):
                variables[name] = value
            case ast.Tuple(elts=names) | ast.List(elts=names):
                values = self.guarded(target, operations.ordered, value)
                if len(values) != len(names):
                    raise self.source.error(target, f"{len(values)} values for {len(names)} names", "as many")
                for inner, one in zip(names, values, strict=True):
                    self.assign(inner, one, variables, path)
            case ast.Subscript(value=owner, slice=place):
                container = self.value(owner, variables, path)
                self.store(target, container, self.value(place, variables, path), value, variables)

    def store(self, node: ast.expr, container: Value, place: Value, value: Value, variables: Variables) -> None:
        """Put a value into a list or a dict."""
        self.refuse_given(node, container, variables)
        if not isinstance(container, list | dict):
            raise self.source.error(node, f"{kind_of(container)} cannot be changed", "a list or a dict")
        self.guarded(node, lambda: container.__setitem__(place, value))
        self.guarded(node, measured, container)

    def refuse_given(self, node: ast.AST, value: Value, variables: Variables, *, returned: bool = False) -> None:
        """Refuse that a function changes, or returns, a list that it was given: it has a copy, in Python the list."""
        if not self.helper:
            return
        given: dict[int, Any] = {}
        for name, one in variables.items():
            if name.startswith(GIVEN):
                given |= reached(one)
        if given.keys() & (reached(value).keys() if returned else {id(value)}):
            done = "returns" if returned else "changes"
            raise self.source.error(
                node, f"{self.function.name} {done} a list that it was given", "a new list", "list(xs) makes one"
            )


def _inside(value: Value) -> tuple[Value, ...]:
    return tuple(entries_of(value)) if isinstance(value, CONTAINERS) else ()
