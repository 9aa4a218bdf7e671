"""A mechanism that is a program: `def f(db, rng): …`, read and never executed, and the law of what it returns.

The text is translated to steps of a machine with a stack. The machine runs until something is drawn; all that it then
holds (of variables those that are still read) is one *state*, written as a key. So a program is a finite Markov chain:
states, a law of next states in each, and outputs in which it ends. Runs that meet go on as one, and a loop that is left
by chance is a cycle. `absorbed` finds how often each output comes, by passing on the mass of one state after the other.

Numbers are exact: 1/3 is one third and 0.1 one tenth. Noise that is not cut off: see `noise`. What the machine does not
know, or cannot afford, is `BeyondLimits`: the answer is then not checked.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, NamedTuple

from .noise import Noisy, Split, Unit, known, two_sided
from .numbers import BeyondLimits, rational
from .operations import (
    BUILTINS,
    COMPARISONS,
    FOLDS,
    IN_PLACE,
    LIST,
    METHODS,
    OPERATORS,
    OWNERS,
    RNG,
    SIGNS,
    Fold,
    Generator,
    Pairs,
    Walk,
    by_key,
    entered,
    entries_of,
    entry,
    placed,
    walked,
)

MOST_TEXT = 1 << 16
MOST_STEPS = 6_000_000
"""The most steps of the machine and entries that are touched, over all databases of a model."""
STEPS_OF_A_STATE = 100
"""What it costs to write a state down and to read it again, in steps."""
MOST_NESTING = 60
MOST_FRAMES = 40
ERRORS = (TypeError, ValueError, LookupError, ArithmeticError, AttributeError)
"""What Python says of a program that does what cannot be done."""


def refused(node: ast.AST, why: str) -> BeyondLimits:
    """What the checker does not read."""
    return BeyondLimits(f"line {getattr(node, 'lineno', 1)} of the program: {why}")


# --- from text to steps -----------------------------------------------------------------------------------------------


class Code:
    """A function as steps: each has a name, what belongs to it, and its line; `live` are the variables read later."""

    def __init__(self, name: str, number: int, parameters: Sequence[str]) -> None:
        self.name, self.number, self.parameters = name, number, parameters
        self.steps: list[tuple[str, Any, int]] = []
        self.live: list[tuple[str, ...]] = []

    def find_live(self) -> None:
        """Which variables may be read from each step on, before they are assigned."""
        live: list[frozenset[str]] = [frozenset()] * (len(self.steps) + 1)
        changed = True
        while changed:
            changed = False
            for at in range(len(self.steps) - 1, -1, -1):
                name, given, _ = self.steps[at]
                after = live[at + 1] if name not in ("jump", "return") else frozenset()
                if name in JUMPS:
                    after = after | live[given]
                now = after | {given} if name == "load" else after - {given} if name == "store" else after
                changed = changed or now != live[at]
                live[at] = now
        self.live = [tuple(sorted(names)) for names in live]


JUMPS = frozenset({"jump", "unless", "and", "or", "next"})


class Translator:
    """One function of the text, translated to the steps of a `Code`."""

    def __init__(self, node: ast.FunctionDef, text: str, home: Program) -> None:
        given = node.args
        if given.defaults or given.kwonlyargs or given.vararg or given.kwarg or given.posonlyargs or node.decorator_list:
            raise refused(node, "a function has parameters without defaults, and no decorator")
        self.text, self.home = text, home
        self.code = Code(node.name, len(home.functions), [a.arg for a in given.args])
        stored = (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.names = {*self.code.parameters, *stored}
        self.inner: list[dict[str, str]] = []
        self.fresh = count()
        self.loops: list[tuple[int, list[int], bool]] = []
        self.line = node.lineno
        self.block(node.body)
        self.add("const", None)
        self.add("return")
        self.code.find_live()

    def add(self, name: str, given: Any = None) -> int:
        """One step more; its number."""
        self.code.steps.append((name, given, self.line))
        return len(self.code.steps) - 1

    def here(self, *jumps: int) -> int:
        """The number of the next step, to which these jump."""
        at = len(self.code.steps)
        for jump in jumps:
            name, _, line = self.code.steps[jump]
            self.code.steps[jump] = name, at, line
        return at

    def call(self, function: Callable[..., Any], size: int, names: Sequence[str] = ()) -> None:
        """Replace the last values on the stack by what a function makes of them."""
        self.add("call", (function, size, tuple(names)))

    def block(self, body: Iterable[ast.stmt]) -> None:
        """Statements."""
        for statement in body:
            self.line = statement.lineno
            self._read(statement)

    def value(self, *nodes: ast.AST) -> None:
        """Put the values of expressions on the stack."""
        for node in nodes:
            self._read(node)

    def _read(self, node: ast.AST) -> None:
        reader = getattr(self, f"read_{type(node).__name__.lower()}", None)
        if reader is None:
            raise refused(node, f"{type(node).__name__} is not read")
        reader(node)

    # statements

    def read_expr(self, node: ast.Expr) -> None:
        """An expression whose value is dropped, such as `xs.append(1)`."""
        self.value(node.value)
        self.add("drop")

    def read_pass(self, node: ast.Pass) -> None:
        """Nothing."""

    def read_return(self, node: ast.Return) -> None:
        """`return`."""
        self.value(node.value) if node.value else self.add("const", None)
        self.add("return")

    def read_assign(self, node: ast.Assign) -> None:
        """`a = b = value`."""
        self.value(node.value)
        for target in node.targets[:-1]:
            self.add("copy", 1)
            self.store(target)
        self.store(node.targets[-1])

    def read_annassign(self, node: ast.AnnAssign) -> None:
        """`a: int = value`."""
        if node.value:
            self.value(node.value)
            self.store(node.target)

    def store(self, target: ast.AST) -> None:
        """Take the last value from the stack to a variable, several of them, or a place."""
        if isinstance(target, ast.Name):
            self.add("store", self.named(target))
        elif isinstance(target, ast.Tuple | ast.List):
            self.add("unpack", len(target.elts))
            for one in target.elts:
                self.store(one)
        elif isinstance(target, ast.Subscript):
            self.value(target.value, target.slice)
            self.call(placed, 3)
            self.add("drop")
        else:
            raise refused(target, "something else than a variable or a place is assigned")

    def read_augassign(self, node: ast.AugAssign) -> None:
        """`a += value`, `a[k] += value`."""
        operate, target = self._operator(IN_PLACE, node.op, node), node.target
        if isinstance(target, ast.Name):
            self.add("load", self.named(target))
            self.value(node.value)
            self.call(operate, 2)
            self.add("store", self.named(target))
        elif isinstance(target, ast.Subscript):
            self.value(target.value, target.slice)
            self.add("copy", 2)
            self.call(operator.getitem, 2)
            self.value(node.value)
            self.call(operate, 2)
            self.call(operator.setitem, 3)
            self.add("drop")
        else:
            raise refused(node, "something else than a variable or a place is assigned")

    def read_if(self, node: ast.If) -> None:
        """`if`, `elif`, `else`."""
        self.value(node.test)
        otherwise = self.add("unless")
        self.block(node.body)
        end = self.add("jump")
        self.here(otherwise)
        self.block(node.orelse)
        self.here(end)

    def read_while(self, node: ast.While) -> None:
        """`while` with `else`."""
        head = self.here()
        self.value(node.test)
        self._loop(node, head, self.add("unless"), False)

    def read_for(self, node: ast.For) -> None:
        """`for` with `else`."""
        self.value(node.iter)
        self.add("walk")
        head = self.add("next")
        self.store(node.target)
        self._loop(node, head, head, True)

    def _loop(self, node: ast.While | ast.For, head: int, exit_: int, walks: bool) -> None:
        breaks: list[int] = []
        self.loops.append((head, breaks, walks))
        self.block(node.body)
        self.loops.pop()
        self.add("jump", head)
        self.here(exit_)
        self.block(node.orelse)
        self.here(*breaks)

    def _innermost(self, node: ast.AST) -> tuple[int, list[int], bool]:
        if not self.loops:
            raise refused(node, "there is no loop")
        return self.loops[-1]

    def read_break(self, node: ast.Break) -> None:
        """`break`: what a `for` walks through goes with it."""
        _, breaks, walks = self._innermost(node)
        if walks:
            self.add("drop")
        breaks.append(self.add("jump"))

    def read_continue(self, node: ast.Continue) -> None:
        """`continue`."""
        self.add("jump", self._innermost(node)[0])

    # expressions

    def read_constant(self, node: ast.Constant) -> None:
        """A number, a text, a truth value, None; decimals by their literal text."""
        value: Any = node.value
        if isinstance(value, float):
            value = rational((ast.get_source_segment(self.text, node) or "").replace("_", ""))
        elif not isinstance(value, int | str | None):
            raise refused(node, f"{type(value).__name__} is no value")
        self.add("const", value)

    def named(self, node: ast.Name) -> str:
        """The variable of a name: that of the innermost comprehension or lambda, or of the function."""
        return next((names[node.id] for names in reversed(self.inner) if node.id in names), node.id)

    def read_name(self, node: ast.Name) -> None:
        """A variable, or a parameter of the model file."""
        name = self.named(node)
        if name != node.id or name in self.names:
            self.add("load", name)
        elif name in self.home.constants:
            self.add("const", self.home.constants[name])
        else:
            raise refused(node, f"{name} is no variable")

    def _operator(self, table: Mapping[type, Any], kind: ast.AST, node: ast.AST) -> Any:
        if type(kind) not in table:
            raise refused(node, f"{type(kind).__name__} is not read")
        return table[type(kind)]

    def read_binop(self, node: ast.BinOp) -> None:
        """`a + b` and its like."""
        self.value(node.left, node.right)
        self.call(self._operator(OPERATORS, node.op, node), 2)

    def read_unaryop(self, node: ast.UnaryOp) -> None:
        """`-a`, `not a`."""
        self.value(node.operand)
        self.call(self._operator(SIGNS, node.op, node), 1)

    def read_boolop(self, node: ast.BoolOp) -> None:
        """`a and b`, `a or b`: the later ones only where the earlier do not decide."""
        name = "and" if isinstance(node.op, ast.And) else "or"
        ends = []
        for value in node.values[:-1]:
            self.value(value)
            ends.append(self.add(name))
        self.value(node.values[-1])
        self.here(*ends)

    def read_compare(self, node: ast.Compare) -> None:
        """`a < b <= c`: each value once."""
        self.value(node.left)
        ends = []
        for n, (kind, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if isinstance(kind, ast.Is | ast.IsNot) and not (
                isinstance(right, ast.Constant) and not isinstance(right.value, str | int) | isinstance(right.value, bool)
            ):
                raise refused(node, "`is` asks for None, True or False")
            self.value(right)
            last = n == len(node.ops) - 1
            if not last:
                between = f"between {next(self.fresh)}"
                self.add("copy", 1)
                self.add("store", between)
            self.call(self._operator(COMPARISONS, kind, node), 2)
            if not last:
                ends.append(self.add("and"))
                self.add("load", between)
        self.here(*ends)

    def read_ifexp(self, node: ast.IfExp) -> None:
        """`a if test else b`."""
        self.value(node.test)
        otherwise = self.add("unless")
        self.value(node.body)
        end = self.add("jump")
        self.here(otherwise)
        self.value(node.orelse)
        self.here(end)

    def read_subscript(self, node: ast.Subscript) -> None:
        """`a[k]`."""
        self.value(node.value, node.slice)
        self.call(operator.getitem, 2)

    def read_slice(self, node: ast.Slice) -> None:
        """`[from:to:step]`."""
        self.value(*(end or ast.Constant(None) for end in (node.lower, node.upper, node.step)))
        self.call(slice, 3)

    def read_tuple(self, node: ast.Tuple) -> None:
        """A tuple."""
        self.value(*node.elts)
        self.call(lambda *entries: entries, len(node.elts))

    def read_list(self, node: ast.List) -> None:
        """A list."""
        self.value(*node.elts)
        self.call(lambda *entries: list(entries), len(node.elts))

    def read_set(self, node: ast.Set) -> None:
        """A set."""
        self.value(*node.elts)
        self.call(lambda *entries: set(entries), len(node.elts))

    def read_dict(self, node: ast.Dict) -> None:
        """A dictionary."""
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise refused(node, "a dictionary within a dictionary is spread")
            self.value(key, value)
        self.call(lambda *both: dict(zip(both[::2], both[1::2], strict=True)), 2 * len(node.keys))

    def read_listcomp(self, node: ast.ListComp) -> None:
        """`[value for … in … if …]`."""
        self.fold(LIST, node.generators, node.elt)

    def read_setcomp(self, node: ast.SetComp) -> None:
        """`{value for … in …}`."""
        self.fold(FOLDS["set"], node.generators, node.elt)

    def read_dictcomp(self, node: ast.DictComp) -> None:
        """`{key: value for … in …}`."""
        pair = ast.copy_location(ast.Tuple([node.key, node.value], ast.Load()), node)
        self.fold(Fold(dict, entered), node.generators, pair)

    def fold(self, fold: Fold, clauses: Sequence[ast.comprehension], value: ast.AST, at: int = 0) -> None:
        """A comprehension: what has come of it so far lies below what is walked through."""
        if not at:
            self.call(fold.first, 0)
        if at == len(clauses):
            self.value(value)
            self.add("fold", (fold.step, at + 2))
            return
        clause = clauses[at]
        self.value(clause.iter)
        self.add("walk")
        head = self.add("next")
        names = [n.id for n in ast.walk(clause.target) if isinstance(n, ast.Name)]
        self.inner.append({name: f"{name} {next(self.fresh)}" for name in names})
        self.store(clause.target)
        for test in clause.ifs:
            self.value(test)
            self.add("unless", head)
        self.fold(fold, clauses, value, at + 1)
        self.add("jump", head)
        self.here(head)
        self.inner.pop()
        if not at and fold.last:
            self.call(fold.last, 1)

    def read_call(self, node: ast.Call) -> None:
        """A call of a function above, of one that Python has, of a method, or of a draw."""
        options = {option.arg: option.value for option in node.keywords}
        if None in options or any(isinstance(a, ast.Starred) for a in node.args):
            raise refused(node, "a list is spread over parameters")
        if isinstance(node.func, ast.Attribute):
            self.value(node.func.value, *node.args, *options.values())
            self.add("method", (node.func.attr, len(node.args) + len(options), tuple(options)))
        elif not isinstance(node.func, ast.Name) or self.named(node.func) not in {node.func.id} - self.names:
            raise refused(node, "something else than a function is called")
        elif "key" in options:
            self._by_key(node, node.func.id, options)
        elif self._folds(node):
            comprehension: Any = node.args[0]
            self.fold(FOLDS[node.func.id], comprehension.generators, comprehension.elt)
        else:
            self.value(*node.args, *options.values())
            self._function(node, node.func.id, len(node.args) + len(options), tuple(options))

    def _folds(self, node: ast.Call) -> bool:
        """Whether a comprehension is used up by a function as it comes."""
        name = node.func.id  # type: ignore[attr-defined]
        alone = len(node.args) == 1 and not node.keywords and name not in self.home.functions
        return alone and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp) and name in FOLDS

    def _function(self, node: ast.AST, name: str, size: int, options: tuple[str, ...] = ()) -> None:
        if name in self.home.functions:
            code = self.home.functions[name]
            if options or size != len(code.parameters):
                raise refused(node, f"{name} has {len(code.parameters)} parameters, which are given in their order")
            self.add("enter", code)
        elif name in BUILTINS:
            self.call(BUILTINS[name], size, options)
        else:
            raise refused(node, f"{name} is no function that is known here")

    def _by_key(self, node: ast.Call, name: str, options: dict[str | None, ast.expr]) -> None:
        """max, min and sorted with `key`: the keys of all entries are found first."""
        key, reverse = options.pop("key"), options.pop("reverse", None)
        if name not in ("max", "min", "sorted") or len(node.args) != 1 or options or (reverse and name != "sorted"):
            raise refused(node, "a key is for max, min or sorted of one list")
        given = node.args[0]
        if isinstance(given, ast.GeneratorExp):
            self.fold(LIST, given.generators, given.elt)
        else:
            self.value(given)
        self.call(entries_of, 1)
        self.add("copy", 1)
        self.call(list, 0)
        self.add("swap")
        self.add("walk")
        head = self.add("next")
        if isinstance(key, ast.Lambda):
            if len(key.args.args) != 1 or key.args.defaults:
                raise refused(key, "a key has one parameter")
            name_ = key.args.args[0].arg
            self.inner.append({name_: f"{name_} {next(self.fresh)}"})
            self.add("store", self.inner[-1][name_])
            self.value(key.body)
            self.inner.pop()
        elif isinstance(key, ast.Name):
            self._function(node, key.id, 1)
        elif isinstance(key, ast.Attribute):
            self.value(key.value)
            self.add("swap")
            self.add("method", (key.attr, 1, ()))
        else:
            raise refused(key, "a key is a function")
        self.add("fold", (LIST.step, 3))
        self.add("jump", head)
        self.here(head)
        if reverse is not None:
            self.value(reverse)
        self.call(partial(by_key, name), 3 if reverse is not None else 2)


# --- states -----------------------------------------------------------------------------------------------------------


class Frame:
    """A call that is not over: its code, the next step, its variables, its stack."""

    __slots__ = ("at", "code", "names", "stack")

    def __init__(self, code: Code, at: int, names: dict[str, Any], stack: list[Any]) -> None:
        self.code, self.at, self.names, self.stack = code, at, names, stack


ATOMS = frozenset({int, bool, str, Fraction, type(None), range, Generator})
"""The types whose values are written as they are, with the type: True is not 1."""


class Writer:
    """Values as a key: two that nothing can tell apart have one; two names of one list are not two equal lists."""

    def __init__(self) -> None:
        self.seen: dict[int, int] = {}
        self.units: dict[Unit, int] = {}
        self.places: dict[Unit, list[Any]] = defaultdict(list)
        self.noisy = 0

    def write(self, value: Any) -> Any:
        """The key of a value."""
        kind = type(value)
        if kind in ATOMS:
            return kind, value
        if kind is tuple:
            return kind, *map(self.write, value)
        if kind is Noisy:
            self.noisy += 1
            for unit, n in value.parts.items():
                self.places[unit].append((self.noisy, n))
            fresh = sorted((u for u in value.parts if u not in self.units), key=lambda u: (u.ratio, value.parts[u]))
            for unit in fresh:
                self.units[unit] = len(self.units)
            parts = sorted((self.units[u], u.ratio, n) for u, n in value.parts.items())
            return kind, value.shift, *parts
        if kind is Pairs:
            return kind, value.kind, value.start, *map(self.write, value.sources)
        if kind is Walk:
            source, at = value.rest()
            return kind, at, self.write(source)
        if id(value) in self.seen:
            return "again", self.seen[id(value)]
        self.seen[id(value)] = len(self.seen)
        if kind is list:
            return kind, *map(self.write, value)
        if kind is dict:
            return kind, *(self.write(x) for both in value.items() for x in both)
        if kind is set:
            return kind, frozenset(map(self.write, value))
        raise BeyondLimits(f"a program holds {kind.__name__}")

    def state(self, frames: Sequence[Frame]) -> Any:
        """The key of all calls that are not over: of variables those that are still read."""
        return tuple(
            (
                f.code.number, f.at, tuple((x, self.write(f.names[x])) for x in f.code.live[f.at] if x in f.names),
                tuple(map(self.write, f.stack)),
            )
            for f in frames
        )  # fmt: skip


class Reader:
    """Values again from a key, all new; units of noise may be `replaced`, by their numbers."""

    def __init__(self, replaced: Mapping[int, Any] | None = None) -> None:
        self.seen: list[Any] = []
        self.units: dict[int, Any] = dict(replaced or {})

    def read(self, key: Any) -> Any:
        """The value of a key."""
        kind = key[0]
        if kind in ATOMS:
            return key[1]
        if kind is tuple:
            return tuple(map(self.read, key[1:]))
        if kind == "again":
            return self.seen[key[1]]
        if kind is Noisy:
            value: Any = Noisy(key[1], {})
            for number, ratio, n in key[2:]:
                if number not in self.units:
                    self.units[number] = Noisy(0, {Unit(ratio): 1})
                value = value + n * self.units[number]
            return known(value) if isinstance(value, Noisy) else value
        if kind is Pairs:
            return Pairs(key[1], tuple(map(self.read, key[3:])), key[2])
        if kind is Walk:
            return Walk(self.read(key[2]), key[1])
        new: Any = kind()
        self.seen.append(new)
        if kind is list:
            new.extend(map(self.read, key[1:]))
        elif kind is dict:
            inside = list(map(self.read, key[1:]))
            new.update(zip(inside[::2], inside[1::2], strict=True))
        else:
            new.update(map(self.read, key[1]))
        return new

    def frames(self, key: Any, codes: Sequence[Code]) -> list[Frame]:
        """The calls of a state."""
        return [
            Frame(codes[number], at, {x: self.read(v) for x, v in names}, [self.read(v) for v in stack])
            for number, at, names, stack in key
        ]


Cases = tuple[tuple[Fraction, Mapping[Unit, Any]], ...]


class Fork(NamedTuple):
    """A state, and what may come next: what is drawn, each a key, or what units of noise are."""

    key: Any
    cases: tuple[tuple[Fraction, Any], ...]
    drawn: bool


# --- draws ------------------------------------------------------------------------------------------------------------

Drawn = list[tuple[Fraction, Any]]
ALIASES = {
    "choose": "choice",
    "shuffle": "permutation",
    "geometric": "geometric_noise",
    "exponential": "exponential_mechanism",
}


class Draws:
    """The laws of what `rng` draws; each is paid for before it is listed."""

    def __init__(self, chance: Callable[[object], Fraction], pay: Callable[[int], None]) -> None:
        self._chance, self.pay = chance, pay

    def probability(self, p: object) -> Fraction:
        """A number, or a text such as "1/3"."""
        if isinstance(p, bool) or not isinstance(p, int | Fraction | str):
            raise TypeError(f"{str(p)[:40]} is no probability")
        value = self._chance(p) if isinstance(p, str) else Fraction(p)
        if not 0 <= value <= 1:
            raise ValueError(f"{value} is no probability")
        return value

    def flip(self, p: object) -> Drawn:
        """True with probability p."""
        chance = self.probability(p)
        return [(chance, True), (1 - chance, False)]

    def uniform(self, values: Any) -> Drawn:
        """One of a list, each with the same probability."""
        entries = entries_of(values)
        return [(Fraction(1, len(entries)), one) for one in entries]

    def choice(self, table: Any) -> Drawn:
        """A key of a table, with the probability beside it."""
        if not isinstance(table, dict):
            raise BeyondLimits("choice of something else than a table of probabilities")
        law = [(self.probability(p), value) for value, p in table.items()]
        if sum(p for p, _ in law) != 1:
            raise ValueError("the probabilities of a choice do not sum to 1")
        return law

    def randint(self, low: int, high: int) -> Drawn:
        """An integer from low to high, both included."""
        size = high - low + 1
        self.pay(size)
        return [(Fraction(1, size), k) for k in range(low, high + 1)]

    def binomial(self, n: int, p: object) -> Drawn:
        """How many of n flips are True."""
        self.pay(n * n + 1)
        yes = self.probability(p)
        return [(math.comb(n, k) * yes**k * (1 - yes) ** (n - k), k) for k in range(n + 1)]

    def permutation(self, values: Any) -> Drawn:
        """The entries of a list in random order, as a new list."""
        return self.sample(values, None)

    def sample(self, values: Any, size: int | None) -> Drawn:
        """Some entries of a list, without replacement, in random order."""
        writer, left = Writer(), {}
        entries = entries_of(values)
        for one in entries:
            left.setdefault(writer.write(one), []).append(one)
        wanted = len(entries) if size is None else size
        if not 0 <= wanted <= len(entries):
            raise ValueError("a sample is larger than what it is taken of")
        ways = math.perm(len(entries), wanted)
        return [(Fraction(n, ways), list(order)) for n, order in self._orders(list(left.values()), wanted)]

    def _orders(self, left: list[list[Any]], size: int) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """All orders of so many entries, equal ones once, and in how many ways each comes."""
        self.pay(1 + len(left))
        if not size:
            yield 1, ()
            return
        for at, alike in enumerate(left):
            if alike:
                rest = [*left[:at], alike[1:], *left[at + 1 :]]
                yield from ((len(alike) * n, (alike[0], *order)) for n, order in self._orders(rest, size - 1))

    def geometric_noise(self, r: object, low: int | None = None, high: int | None = None) -> Drawn:
        """X with P[X = k] = (1 - r)/(1 + r)·r^|k|; where both ends are given, what lies beyond is the end."""
        ratio = self.probability(r)
        if low is None and high is None:
            return two_sided(ratio)
        if low is None or high is None or low > high or ratio == 1:
            raise ValueError("noise has two ends, or none")
        self.pay((high - low + 1) * (1 + max(abs(low), abs(high)) // 64))
        at_least = {k: _tail(ratio, k) for k in range(low + 1, high + 1)} | {low: Fraction(1), high + 1: Fraction(0)}
        return [(at_least[k] - at_least[k + 1], k) for k in range(low, high + 1)]

    def exponential_mechanism(self, scores: Any, base: Any) -> Drawn:
        """An index of a list of scores, or a key of a table of them, with a weight of base^score."""
        table = scores if isinstance(scores, dict) else dict(enumerate(entries_of(scores)))
        root = self._chance(base) if isinstance(base, str) else Fraction(base)
        if root <= 0:
            raise ValueError("the base of an exponential mechanism is not above 0")
        weights = [OPERATORS[ast.Pow](root, score) for score in table.values()]
        total = sum(weights, Fraction(0))
        return [(w / total, at) for at, w in zip(table, weights, strict=True)]


def _tail(r: Fraction, k: int) -> Fraction:
    """P[X ≥ k] of noise of ratio r."""
    return r**k / (1 + r) if k > 0 else 1 - r ** (1 - k) / (1 + r)


# --- runs -------------------------------------------------------------------------------------------------------------


class Program:
    """The functions of a text, the last one of which is the mechanism; the laws of what it returns."""

    def __init__(
        self, text: str, chance: Callable[[object], Fraction] = rational, constants: Mapping[str, Fraction] | None = None
    ) -> None:
        if len(text) > MOST_TEXT:
            raise BeyondLimits(f"a program of {len(text):,} characters")
        self.constants = constants or {}
        self.functions: dict[str, Code] = {}
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
            for node in tree.body:
                if not isinstance(node, ast.FunctionDef) or node.name in self.functions:
                    raise refused(node, "something else than functions, each of its own name")
                self.functions[node.name] = Translator(node, text, self).code
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise BeyondLimits(f"the program is no text that is read: {type(error).__name__}") from None
        if not self.functions:
            raise BeyondLimits("the program has no function")
        self.codes = list(self.functions.values())
        self.numbers: dict[Any, int] = {}
        self.forks: list[dict[Any, Fraction]] = []
        self.left = MOST_STEPS
        self.draws = Draws(chance, self.pay)

    def pay(self, steps: int) -> None:
        """Refuse more work than is allowed."""
        self.left -= steps
        if self.left < 0:
            raise BeyondLimits(f"a program: more than {MOST_STEPS:,} steps over all databases")

    def weigh(self, value: Any, levels: int = MOST_NESTING) -> None:
        """Pay for the entries of a value, at all levels."""
        kind = type(value)
        if kind is range:
            self.pay(1 + abs(value.stop - value.start) // abs(value.step))
        elif kind in (list, tuple, set, dict, Pairs):
            if not levels:
                raise BeyondLimits(f"a program: lists of more than {MOST_NESTING} levels")
            self.pay(len(value))
            for one in value.items() if kind is dict else value.sources if kind is Pairs else value:
                self.weigh(one, levels - 1)
        elif kind is str:
            self.pay(len(value) >> 4)

    def law(self, *arguments: Any) -> dict[Any, Fraction]:
        """The law of what is returned, each output by its key (`Reader.read` gives the value)."""
        code = self.codes[-1]
        if len(code.parameters) != len(arguments) + 1:
            raise BeyondLimits(f"{code.name} has {len(code.parameters)} parameters, not {len(arguments) + 1}")
        try:
            names = dict(zip(code.parameters, (*arguments, RNG), strict=True))
            return absorbed(self.forks, self._explore([Frame(code, 0, names, [])]))
        except RecursionError:
            raise BeyondLimits("a program: too many levels") from None

    def _explore(self, frames: list[Frame]) -> Any:
        """The number of the state that comes first, or the output; all states that can come are listed in `forks`.

        Each has the next ones by their numbers, or outputs. Those of other databases are known.
        """
        waiting: list[tuple[int, Fork]] = []

        def target(frames: list[Frame]) -> Any:
            end = self._run(frames)
            if not isinstance(end, Fork):
                return end
            at = end.key, end.cases if end.drawn else None
            if at not in self.numbers:
                self.numbers[at] = len(self.forks)
                self.forks.append({})
                waiting.append((self.numbers[at], end))
            return self.numbers[at]

        first = target(frames)
        while waiting:
            number, fork = waiting.pop()
            law = self.forks[number]
            for p, after in self._cases(fork):
                self.pay(STEPS_OF_A_STATE)
                to = target(after)
                law[to] = law.get(to, 0) + p
        return first

    def _cases(self, fork: Fork) -> Iterator[tuple[Fraction, list[Frame]]]:
        """The states after a fork."""
        for n, (p, case) in enumerate(fork.cases):
            reader = Reader(None if fork.drawn else case)
            frames = reader.frames(fork.key, self.codes)
            if fork.drawn:  # what an earlier one writes first, a later one names
                earlier = () if case[0] in ATOMS else (reader.read(one) for _, one in fork.cases[:n])
                for _ in earlier:
                    pass
                frames[-1].stack.append(reader.read(case))
            yield p, frames

    def _fork(self, frames: list[Frame], law: Drawn) -> Any:
        """What is drawn: a fork, or the one value that comes."""
        law = [(p, value) for p, value in law if p]
        if len(law) == 1:
            frames[-1].stack.append(law[0][1])
            return None
        writer = Writer()
        key = writer.state(frames)
        return Fork(key, tuple((p, writer.write(value)) for p, value in law), True)

    def _run(self, frames: list[Frame]) -> Any:
        """Run until something is drawn, or the mechanism returns: the key of its output, in a tuple."""
        try:
            while True:
                self.pay(1)
                end = self._step(frames)
                if end is not None:
                    return end
        except Split as split:
            writer = Writer()
            key = writer.state(frames)
            cases = _added(writer) or split.cases
            return Fork(key, tuple((p, {writer.units[u]: x for u, x in new.items()}) for p, new in cases), False)
        except ERRORS as error:
            frame = frames[-1]
            line = frame.code.steps[frame.at][2]
            raise BeyondLimits(f"line {line} of the program: {type(error).__name__} {str(error)[:200]}") from None

    def _step(self, frames: list[Frame]) -> Any:
        """One step; a split leaves all as it was before."""
        frame = frames[-1]
        stack = frame.stack
        name, given, _ = frame.code.steps[frame.at]
        to = frame.at + 1
        if name == "load":
            stack.append(frame.names[given])
        elif name == "call":
            function, size, options = given
            first = len(stack) - size
            arguments = stack[first:]
            for value in arguments:
                self.weigh(value)
            plain = size - len(options)
            stack[first:] = [function(*arguments[:plain], **dict(zip(options, arguments[plain:], strict=True)))]
        elif name == "const":
            stack.append(given)
        elif name == "store":
            if isinstance(stack[-1], Pairs):
                raise BeyondLimits("what is walked through once is kept")
            frame.names[given] = stack.pop()
        elif name == "next":
            walk = stack[-1]
            try:
                stack.append(entry(walk.source, walk.at))
                walk.at += 1
            except IndexError:
                stack.pop()
                to = given
        elif name == "fold":
            step, depth = given
            self.weigh(stack[-1])
            stack[-depth] = step(stack[-depth], stack[-1])
            stack.pop()
        elif name == "unless":
            to = to if stack[-1] else given
            stack.pop()
        elif name == "jump":
            to = given
        elif name in ("and", "or"):
            if bool(stack[-1]) == (name == "and"):
                stack.pop()
            else:
                to = given
        elif name == "method":
            return self._method(frames, *given)
        elif name == "enter":
            return self._enter(frames, given)
        elif name == "return":
            return self._leave(frames)
        elif name == "copy":
            stack.extend(stack[len(stack) - given :])
        elif name == "swap":
            stack[-2:] = stack[:-3:-1]
        elif name == "walk":
            self.weigh(stack[-1])
            stack.append(Walk(walked(stack.pop())))
        elif name == "unpack":
            entries = entries_of(stack[-1])
            if len(entries) != given:
                raise ValueError(f"{len(entries)} values for {given} names")
            stack[-1:] = reversed(entries)
        else:  # drop
            stack.pop()
        frame.at = to
        return None

    def _method(self, frames: list[Frame], name: str, size: int, options: tuple[str, ...]) -> Any:
        """A method of a value, or a draw."""
        frame = frames[-1]
        first = len(frame.stack) - size
        owner, arguments = frame.stack[first - 1], frame.stack[first:]
        for value in (owner, *arguments):
            self.weigh(value)
        plain, named = arguments[: size - len(options)], dict(zip(options, arguments[size - len(options) :], strict=True))
        if owner is RNG:
            draw = getattr(self.draws, ALIASES.get(name, name), None)
            if draw is None or name.startswith("_") or name in ("pay", "probability"):
                raise BeyondLimits(f"{name} is no draw that is known here")
            law = draw(*plain, **named)
            del frame.stack[first - 1 :]
            frame.at += 1
            return self._fork(frames, law)
        if name not in METHODS or not isinstance(owner, OWNERS[name]):
            raise BeyondLimits(f"{name} is no method that is known here")
        frame.stack[first - 1 :] = [METHODS[name](owner, *plain, **named)]
        frame.at += 1
        return None

    def _enter(self, frames: list[Frame], code: Code) -> None:
        """A call of a function above."""
        frame = frames[-1]
        if len(frames) > MOST_FRAMES:
            raise BeyondLimits("functions call functions too deeply")
        first = len(frame.stack) - len(code.parameters)
        names = dict(zip(code.parameters, frame.stack[first:], strict=True))
        del frame.stack[first:]
        frame.at += 1
        frames.append(Frame(code, 0, names, []))

    def _leave(self, frames: list[Frame]) -> Any:
        """`return`: to the call, or the output."""
        value = frames[-1].stack[-1]
        self.weigh(value)
        frames.pop()
        if frames:
            frames[-1].stack.append(value)
            return None
        return (Writer().write(value),)


def _added(writer: Writer) -> Cases | None:
    """Two units that a state knows by their sum alone, as a mixture of one and the other; a weight may be below 0.

    P[G + H = k] = (1 - a)·(1 - b)·(a^(k + 1) - b^(k + 1))/(a - b) for the ratios a ≠ b. The laws of outputs are linear in
    the law of the state, so that they are right, and the number of states stays small.
    """
    alone: dict[Any, Unit] = {}
    for unit, places in writer.places.items():
        other = alone.setdefault(tuple(places), unit)
        a, b = unit.ratio, other.ratio
        if a != b:
            return ((1 - b) * a / (a - b), {other: 0}), ((1 - a) * b / (b - a), {unit: 0})
    return None


def absorbed(forks: Sequence[dict[Any, Fraction]], first: Any) -> dict[Any, Fraction]:
    """How often each output comes, from the start on.

    States are taken in an order in which, but for cycles, each comes after all that lead to it. A state passes on its
    mass; one that can come back to itself does so with all that it passes on: it is divided by what does not stay. What
    leads back to a state that was taken leads to where that one leads.
    """
    mass: dict[Any, Fraction] = defaultdict(Fraction, {first: Fraction(1)})
    order = _forward(forks, first) if isinstance(first, int) else []
    laws = {state: dict(forks[state]) for state in order}
    place = {state: n for n, state in enumerate(order)}
    sources: dict[int, set[int]] = defaultdict(set)
    for state in order:
        for to in laws[state]:
            if isinstance(to, int):
                sources[to].add(state)
    for state in order:
        law = laws[state]
        stays = law.pop(state, Fraction(0))
        if stays == 1:
            raise BeyondLimits("a program may never end, with a probability above 0")
        law = {to: p / (1 - stays) for to, p in law.items()}
        passed = mass.pop(state)
        for to, p in law.items():
            mass[to] += passed * p
        for later in sources[state]:
            if place[later] > place[state]:
                back = laws[later].pop(state)
                for to, p in law.items():
                    laws[later][to] = laws[later].get(to, Fraction(0)) + back * p
                    if isinstance(to, int):
                        sources[to].add(later)
    return {key: p for (key,), p in mass.items()}


def _forward(forks: Sequence[Mapping[Any, Fraction]], first: int) -> list[int]:
    """The states, each before those to which it leads, but for cycles."""
    done: list[int] = []
    seen = {first}
    waiting: list[tuple[int, Iterator[Any]]] = [(first, iter(forks[first]))]
    while waiting:
        state, rest = waiting[-1]
        to = next((x for x in rest if isinstance(x, int) and x not in seen), None)
        if to is None:
            done.append(state)
            waiting.pop()
        else:
            seen.add(to)
            waiting.append((to, iter(forks[to])))
    return done[::-1]
