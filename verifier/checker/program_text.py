"""The text of a program as steps of a machine with a stack: read by Python's own parser, never executed.

A function is a list of steps. Each has a name, what belongs to it, and its line. What an expression says is put on the
stack; `call` replaces the last values by what a function of `operations` makes of them. A comprehension is a loop whose
result so far lies on the stack, and of `sum`, `max` and their like only what they need of it. What is not known here is
refused with its line.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any

from .numbers import NotRead, rational
from .operations import (
    BUILTINS,
    COMPARISONS,
    FOLDS,
    IN_PLACE,
    LIST,
    OPERATORS,
    SIGNS,
    Fold,
    by_key,
    entered,
    placed,
)


def refused(node: ast.AST, why: str) -> NotRead:
    """What the checker does not read."""
    return NotRead(f"line {getattr(node, 'lineno', 1)}: {why}")


class Code:
    """A function as steps: each has a name, what belongs to it, and its line; `live` are the variables read later.

    `seers` are all who see one of its draws.
    """

    def __init__(self, name: str, number: int, parameters: Sequence[str]) -> None:
        self.name, self.number, self.parameters = name, number, parameters
        self.steps: list[tuple[str, Any, int]] = []
        self.live: list[tuple[str, ...]] = []
        self.seers: set[str] = set()

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

    def __init__(
        self, node: ast.FunctionDef, text: str, above: Mapping[str, Code], constants: Mapping[str, Fraction]
    ) -> None:
        given = node.args
        if (
            given.defaults
            or given.kwonlyargs
            or given.vararg
            or given.kwarg
            or given.posonlyargs
            or node.decorator_list
        ):
            raise refused(node, "a function has parameters without defaults, and no decorator")
        self.text, self.above, self.constants = text, above, constants
        self.code = Code(node.name, len(above), [a.arg for a in given.args])
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
        """`xs.append(1)`, or a remark: of any other line the value would be lost."""
        called = node.value.func if isinstance(node.value, ast.Call) else None
        changes = isinstance(called, ast.Attribute) and called.attr in ("append", "add")
        if not isinstance(node.value, ast.Constant) and not changes:
            raise refused(node, "the value of a line is used nowhere")
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
        target = node.target
        if isinstance(target, ast.Subscript):
            self.value(target.value, target.slice)
            self.add("copy", 2)
            self.call(operator.getitem, 2)
        else:
            self.value(target)
        self.value(node.value)
        self.call(self._operator(IN_PLACE, node.op, node), 2)
        if isinstance(target, ast.Subscript):
            self.call(operator.setitem, 3)
            self.add("drop")
        else:
            self.store(target)

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
            digits = (ast.get_source_segment(self.text, node) or "").replace("_", "")
            if not re.fullmatch(r"[0-9.]{1,1000}(e[+-]?[0-9]{1,3})?", digits.lower()):
                raise refused(node, "a decimal that is too long")
            value = rational(digits)
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
        elif name in self.constants:
            self.add("const", self.constants[name])
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
                isinstance(right, ast.Constant)
                and not isinstance(right.value, str | int) | isinstance(right.value, bool)
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

    def read_tuple(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        """A tuple, a list or a set of some entries."""
        kind = {ast.List: list, ast.Set: set}.get(type(node), tuple)
        self.value(*node.elts)
        self.call(lambda *entries: kind(entries), len(node.elts))

    read_list = read_set = read_tuple

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

    def fold(self, fold: Fold, clauses: Sequence[ast.comprehension], value: ast.AST) -> None:
        """A comprehension: what has come of it so far lies below what is walked through."""

        def step(head: int) -> None:
            self.value(value)
            self.add("fold", (fold.step, len(clauses) + 2))

        self.call(fold.first, 0)
        self.walk(clauses, step)
        if fold.last:
            self.call(fold.last, 1)

    def until(self, wanted: bool, clauses: Sequence[ast.comprehension], value: ast.AST) -> None:
        """`any` and `all` of a comprehension: they look at no more than they need."""
        ends: list[int] = []

        def step(head: int) -> None:
            self.value(value)
            if not wanted:
                self.call(operator.not_, 1)
            self.add("unless", head)
            for _ in clauses:
                self.add("drop")
            self.add("const", wanted)
            ends.append(self.add("jump"))

        self.walk(clauses, step)
        self.add("const", not wanted)
        self.here(*ends)

    def walk(self, clauses: Sequence[ast.comprehension], step: Callable[[int], None]) -> None:
        """The loops of a comprehension, and inside a step, which is told where the innermost goes on."""
        clause, *others = clauses
        self.value(clause.iter)
        self.add("walk")
        head = self.add("next")
        names = [n.id for n in ast.walk(clause.target) if isinstance(n, ast.Name)]
        self.inner.append({name: f"{name} {next(self.fresh)}" for name in names})
        self.store(clause.target)
        for test in clause.ifs:
            self.value(test)
            self.add("unless", head)
        if others:
            self.walk(others, step)
        else:
            step(head)
        self.add("jump", head)
        self.here(head)
        self.inner.pop()

    def read_call(self, node: ast.Call) -> None:
        """A call of a function above, of one that Python has, of a method, or of a draw."""
        options = {option.arg: option.value for option in node.keywords if option.arg}
        if len(options) < len(node.keywords) or any(isinstance(a, ast.Starred) for a in node.args):
            raise refused(node, "a list is spread over parameters")
        if isinstance(node.func, ast.Attribute):
            seers = options.pop("seen_by", None)
            self.value(node.func.value, *node.args, *options.values())
            self.add("method", (node.func.attr, len(node.args) + len(options), tuple(options)))
            if seers is not None:
                self.add("seen", self._seers(seers))
        elif not isinstance(node.func, ast.Name) or self.named(node.func) not in {node.func.id} - self.names:
            raise refused(node, "something else than a function is called")
        elif "key" in options:
            self._by_key(node, node.func.id, options)
        elif self._folds(node):
            given: Any = node.args[0]
            if isinstance(given, ast.GeneratorExp) and node.func.id in ("any", "all"):
                self.until(node.func.id == "any", given.generators, given.elt)
            else:
                self.fold(FOLDS[node.func.id], given.generators, given.elt)
        else:
            self.value(*node.args, *options.values())
            self._function(node, node.func.id, len(node.args) + len(options), tuple(options))

    def _seers(self, node: ast.expr) -> frozenset[str]:
        """Who sees what was drawn: a name that is written out, or a list of such names."""
        listed = node.elts if isinstance(node, ast.List | ast.Tuple) else [node]
        names = [one.value for one in listed if isinstance(one, ast.Constant)]
        if not names or len(names) < len(listed) or not all(isinstance(name, str) and name for name in names):
            raise refused(node, "who sees a draw is not written out as a name")
        self.code.seers.update(map(str, names))
        return frozenset(map(str, names))

    def _folds(self, node: ast.Call) -> bool:
        """Whether a comprehension is used up by a function as it comes."""
        name = node.func.id  # type: ignore[attr-defined]
        alone = len(node.args) == 1 and not node.keywords and name not in self.above
        return alone and isinstance(node.args[0], ast.GeneratorExp | ast.ListComp) and name in FOLDS

    def _function(self, node: ast.AST, name: str, size: int, options: tuple[str, ...] = ()) -> None:
        if name in self.above:
            code = self.above[name]
            if options or size != len(code.parameters):
                raise refused(node, f"{name} has {len(code.parameters)} parameters, which are given in their order")
            self.add("enter", code)
        elif name in BUILTINS:
            self.call(BUILTINS[name], size, options)
        else:
            raise refused(node, f"{name} is no function that is known here")

    def _by_key(self, node: ast.Call, name: str, options: dict[str, ast.expr]) -> None:
        """max, min and sorted with `key`: the keys of all entries are found first."""
        key, reverse = options.pop("key"), options.pop("reverse", None)
        if name not in ("max", "min", "sorted") or len(node.args) != 1 or options or (reverse and name != "sorted"):
            raise refused(node, "a key is for max, min or sorted of one list")
        self.value(ast.copy_location(ast.Call(ast.Name("list"), node.args, []), node))
        given, one = (ast.copy_location(ast.Name(f"entry {next(self.fresh)}"), node) for _ in range(2))
        self.names |= {given.id, one.id}
        self.add("copy", 1)
        self.store(given)
        if isinstance(key, ast.Lambda):
            if len(key.args.args) != 1 or key.args.defaults:
                raise refused(key, "a key has one parameter")
            one, of_one = ast.Name(key.args.args[0].arg), key.body
        else:
            of_one = ast.copy_location(ast.Call(key, [one], []), node)
        self.fold(LIST, [ast.comprehension(one, given, [], 0)], of_one)
        self.value(*[reverse] if reverse else [])
        self.call(partial(by_key, name), 3 if reverse else 2)
