"""The text of a program: what it may contain, where each part stands, and which variables are read later.

The text is parsed by `ast`, and never executed. Whatever is not in the subset is refused with its line and column, and
with what to write instead, before anything runs: also what stands in a branch that no run reaches.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from verifier.errors import InputError, LimitError, PkdpError, Where
from verifier.numbers import Symbolic, rational, shorten
from verifier.programs.draws import DRAWS, NOT_HERE, SEEN_BY, RealDrawError, no_draw, observers, refuse_observer
from verifier.programs.operations import BUILTINS, FOLDS, METHODS, MUTATORS
from verifier.programs.piecewise import Element
from verifier.programs.values import Value

MOST_SIGNS = 20_000
"""Longest program, in characters."""
MOST_NESTED = 60
"""Deepest nesting of its parts."""
HEAD = "def f(db, rng): …"
KEYWORDS = {"sorted": ("key", "reverse"), "min": ("key", "default"), "max": ("key", "default"), "enumerate": ("start",)}
"""The arguments with names that a function takes."""
OPERATORS = {
    ast.MatMult: "`@` is not known", ast.LShift: "`<<` is not known: write x * 2 ** n",
    ast.RShift: "`>>` is not known: write x // 2 ** n", ast.Invert: "`~` is not known: write -x - 1",
}  # fmt: skip
EXPRESSIONS = (
    ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare,
    ast.IfExp, ast.Subscript, ast.Slice, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda,
    ast.Call, ast.Attribute,
)  # fmt: skip
STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.Expr, ast.Pass, ast.Return, ast.If, ast.For, ast.While, ast.Break, ast.Continue,
)  # fmt: skip
LANGUAGE = ("=", "+=", "if", "for", "while", "else", "break", "continue", "pass", "return")
"""The statements, as a program spells them."""
LEAVE_IMPORTS = "leave it out: a / b and F(a, b) are exact, and every draw is a method of rng"
LABELS = 'return a label such as "none"'
INSTEAD: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Import: ("an import", LEAVE_IMPORTS),
    ast.ImportFrom: ("an import", LEAVE_IMPORTS),
    ast.Try: ("`try`", "ask with `if` before"),
    ast.Raise: ("`raise`", LABELS),
    ast.Assert: ("`assert`", f"`if`, and {LABELS}"),
    ast.With: ("`with`", "assign the value to a name"),
    ast.ClassDef: ("a class", "use tuples, lists and dicts"),
    ast.FunctionDef: ("a function inside a function", "define it above, at the left margin"),
    ast.AsyncFunctionDef: ("`async`", HEAD),
    ast.Delete: ("`del`", "make a new list: [x for x in xs if …]"),
    ast.Global: ("`global`", "pass the value as an argument, and return the new one"),
    ast.Nonlocal: ("`nonlocal`", "pass the value as an argument, and return the new one"),
    ast.Match: ("`match`", "write `if` and `elif`"),
    ast.AnnAssign: ("a name with a type", "write x = …"),
    ast.JoinedStr: ("an f-string", 'return a tuple such as ("a", x)'),
    ast.NamedExpr: ("`:=`", "assign on a line of its own"),
    ast.Starred: ("`*`", "write xs + ys, or name each entry"),
    ast.Yield: ("`yield`", "return a list"),
    ast.YieldFrom: ("`yield`", "return a list"),
    ast.Await: ("`await`", "leave it out"),
}
"""What some parts of Python are called, and what to write instead."""
FUNCTIONS_INSTEAD = {
    "map": "write [f(x) for x in xs]", "filter": "write [x for x in xs if …]", "print": "leave it out",
    "float": "leave it out: numbers are exact", "str": "return the number itself, or a tuple", "pow": "write a ** b",
    "divmod": "write (a // b, a % b)", "isinstance": "compare the value itself", "next": "write xs[0]",
    "iter": "leave it out", "frozenset": "write set(…)", "Decimal": "write 0.1, or F(1, 10): numbers are exact",
    "floor": "write x // 1", "ceil": "write -(-x // 1)", "input": "use db", "eval": "write the expression itself",
    "exec": "write the statement itself", "open": "use db", "pmap": "write a loop",
    "exp": 'name e^(-ε/4) by a parameter, [parameters] z = { above = "0", below = "1" }, and write powers of z',
}  # fmt: skip
"""What to write in place of some functions."""
METHODS_INSTEAD = {
    "sort": "write xs = sorted(xs)", "reverse": "write xs = xs[::-1]", "extend": "write xs = xs + ys",
    "insert": "write xs = xs[:i] + [x] + xs[i:]", "pop": "write x = xs[-1], and xs = xs[:-1]",
    "remove": "write [x for x in xs if …]", "copy": "write list(xs) or dict(d)", "update": "assign d[key] = value",
    "setdefault": "write d[key] = d.get(key, …)", "union": "write a | b", "intersection": "write a & b",
    "difference": "write a - b", "discard": "write a - {x}", "split": "use a tuple of texts",
    "join": "return a tuple", "format": "return a tuple", "clear": "write xs = []",
}  # fmt: skip
"""What to write in place of some methods."""


@dataclass(frozen=True)
class Function:
    """A function of a program: its parameters, those of them that are the source of draws, and its statements."""

    node: ast.FunctionDef
    parameters: tuple[str, ...]
    generators: frozenset[str]
    live: Mapping[object, frozenset[str]]
    """The variables that are read after a statement; of a loop also those read at its head, under `(loop, "head")`."""

    @property
    def name(self) -> str:
        """Its name."""
        return self.node.name


class Drawn(NamedTuple):
    """A probability of a draw, or the ratio of a noise, as a function of a parameter."""

    value: Element
    ratio: bool


@dataclass
class Source:
    """The text of a program, with the place that messages name, and the names that stand for numbers."""

    text: str
    where: str
    constants: Mapping[str, Value] = field(default_factory=dict)
    drawn: dict[Drawn, str] = field(default_factory=dict)
    """The probabilities and ratios of draws that are functions of a parameter, with their places."""
    of_output: bool = False
    """Whether the program is a function of an output, which may leave out the source of draws."""
    observer: str = ""
    """Who asks: the output of the program is then the list of its output and of the draws that this observer sees."""
    functions: dict[str, Function] = field(default_factory=dict)
    _numbers: dict[ast.AST, Fraction] = field(default_factory=dict)
    _observers: dict[ast.Call, tuple[str, ...]] = field(default_factory=dict)
    seen: set[ast.Call] = field(default_factory=set)
    """The draws that the observer sees, and `seeing` are the functions with such a draw, or with a call of one."""
    seeing: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Parse and check the text."""
        defined = self._parsed()
        self.names = frozenset(node.name for node in defined)
        generators = self._generators(defined)
        for node in defined:
            _Subset(self, node, generators[node.name]).check()
            live = _Liveness(node).live
            parameters = tuple(argument.arg for argument in node.args.args)
            self.functions[node.name] = Function(node, parameters, frozenset(generators[node.name]), live)
        self.main = self.functions[defined[-1].name]
        if self.observer:
            refuse_observer(self.observer, {one for names in self._observers.values() for one in names}, self.where)
            self.seen = {call for call, names in self._observers.items() if self.observer in names}
            for node in defined:  # each calls only functions above it
                if self.sees(node):
                    self.seeing.add(node.name)

    def sees(self, *nodes: ast.AST) -> bool:
        """Whether the observer sees a draw in some parts of the text, or in a function that is called there."""
        calls = [inner for node in nodes if self.seen for inner in ast.walk(node) if isinstance(inner, ast.Call)]
        return any(
            call in self.seen or (isinstance(call.func, ast.Name) and call.func.id in self.seeing) for call in calls
        )

    def name_observers(self, call: ast.Call, given: ast.expr) -> None:
        """Keep who sees a draw, which is written out in its text.

        Raises:
            InputError: for anything but names.

        """
        try:
            self._observers[call] = observers(ast.literal_eval(given))
        except PkdpError as error:
            raise self.at(given, error) from None
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            wanted = 'the name itself, seen_by="insider", or a list of names'
            raise self.error(given, f"{shorten(ast.unparse(given))} is not the name of an observer", wanted) from None

    def place(self, node: ast.AST | None, line: int = 0, column: int = 0) -> str:
        """The line and column of a part of the text, counted from 1."""
        line = getattr(node, "lineno", line)
        column = getattr(node, "col_offset", column) + 1
        text = f"line {line}, column {column}" if line else ""
        text = ", ".join(part for part in (str(self.where), text) if part)
        return Where(text, self.where.path) if isinstance(self.where, Where) else text

    def note(self, node: ast.AST, value: Value, *, ratio: bool = False) -> None:
        """Keep a probability, or a ratio, that is a function of a parameter: it must be one for all values."""
        if isinstance(value, Symbolic):
            self.drawn.setdefault(Drawn(value, ratio), self.place(node))

    def error(self, node: ast.AST | None, problem: str, wanted: str = "", tip: str = "") -> InputError:
        """The refusal of a part of the text."""
        return InputError(problem, where=self.place(node), wanted=wanted, tip=tip)

    def too_much(self, node: ast.AST | None, problem: str, wanted: str = "", tip: str = "") -> LimitError:
        """The refusal of work at a part of the text."""
        return LimitError(problem, where=self.place(node), wanted=wanted, tip=tip)

    def at(self, node: ast.AST, error: PkdpError) -> PkdpError:
        """An error of a part of the text with its place, unless it has one already."""
        if error.where.startswith(str(self.where)) and "line " in error.where:
            return error
        place = self.place(node)
        if error.where:
            text = f"{place}, {error.where}"
            place = Where(text, place.path) if isinstance(place, Where) else text
        return error.but(where=place)

    def number(self, node: ast.Constant) -> Fraction:
        """The exact number of a decimal, from its text: `0.1` is one tenth."""
        if node not in self._numbers:
            text = ast.get_source_segment(self.text, node) or repr(node.value)
            self._numbers[node] = self._read(node, text.replace("_", ""))
        return self._numbers[node]

    def _read(self, node: ast.Constant, text: str) -> Fraction:
        """The number that a decimal of Python spells: a digit may be missing before or after its point."""
        text = re.sub(r"\.(?![0-9])", "", f"0{text}" if text.startswith(".") else text)
        try:
            return rational(text)
        except PkdpError as error:
            raise self.at(node, error) from None

    # --- reading the text ------------------------------------------------------------------------------------------

    def _parsed(self) -> list[ast.FunctionDef]:
        """The functions of the text, in their order."""
        if len(self.text) > MOST_SIGNS:
            raise LimitError(
                f"the program has {len(self.text):,} characters", where=self.where, wanted=f"at most {MOST_SIGNS:,}"
            )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(self.text)
        except SyntaxError as error:
            tip = "begin each `def` at the left margin" if isinstance(error, IndentationError) else ""
            raise InputError(
                f"the program is not valid Python: {error.msg}",
                where=self.place(None, error.lineno or 1, (error.offset or 1) - 1),
                wanted=HEAD,
                tip=tip,
            ) from None
        except (ValueError, RecursionError, MemoryError):
            raise InputError(
                "the program is not valid Python, or is nested too deeply", where=self.where, wanted=HEAD
            ) from None
        defined: list[ast.FunctionDef] = []
        for node in tree.body:
            self._refuse_nesting(node)
            if _is_remark(node):
                continue
            if not isinstance(node, ast.FunctionDef):
                thing, tip = INSTEAD.get(type(node), ("a statement outside a function", "put it into the function"))
                raise self.error(node, f"{thing} is not in the language of programs", "functions only", tip)
            if any(node.name == other.name for other in defined):
                raise self.error(node, f"the function {node.name} is defined twice", "distinct names")
            defined.append(node)
        if not defined:
            raise InputError("the program has no function", where=self.where, wanted=HEAD)
        number = len(defined[-1].args.args)
        if number != 2 and not (self.of_output and number == 1):
            what = "one, the output, or two: the output" if self.of_output else "two: the database"
            raise self.error(
                defined[-1],
                f"the last function, {defined[-1].name}, has {number} parameter{'s' * (number != 1)}",
                f"{what} and the source of draws",
                f"def {defined[-1].name}({'output' if self.of_output else 'db, rng'}): …",
            )
        return defined

    def _refuse_nesting(self, statement: ast.AST) -> None:
        """Refuse parts in parts, before anything walks through them by calling itself."""
        level, depth = [statement], 0
        while level:
            depth += 1
            if depth > MOST_NESTED:
                raise self.error(level[0], f"the parts are nested more than {MOST_NESTED} levels deep", "shorter lines")
            level = [inner for node in level for inner in ast.iter_child_nodes(node)]

    def _generators(self, defined: list[ast.FunctionDef]) -> dict[str, set[str]]:
        """The parameters of each function that are the source of draws: those that get it where they are called."""
        generators: dict[str, set[str]] = {node.name: set() for node in defined}
        generators[defined[-1].name] = {argument.arg for argument in defined[-1].args.args[1:]}
        parameters = {node.name: [argument.arg for argument in node.args.args] for node in defined}
        calls: dict[tuple[str, str], bool] = {}
        for node in reversed(defined):
            if not any(name == node.name for name, _ in calls):  # nobody calls it: its parameter is known by its name
                generators[node.name] |= generators[defined[-1].name] & set(parameters[node.name])
            for call in ast.walk(node):
                if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                    continue
                for name, argument in zip(parameters.get(call.func.id, ()), call.args, strict=False):
                    source = isinstance(argument, ast.Name) and argument.id in generators[node.name]
                    if calls.setdefault((call.func.id, name), source) != source:
                        raise self.error(
                            argument, f"{name} of {call.func.id} is sometimes {_RNG} and sometimes a value", "one"
                        )
                    if source:
                        generators[call.func.id].add(name)
        return generators


_RNG = "the source of draws"


DRAWING = ("random", "np.random", "numpy.random", "secrets")
"""The modules of Python whose functions draw."""


def _module(owner: ast.expr) -> str:
    """The module of Python that an expression names, or the empty text."""
    text = ast.unparse(owner) if isinstance(owner, ast.Name | ast.Attribute) else ""
    return text if text.split(".")[0] in {"random", "np", "numpy", "secrets", "math"} else ""


def _is_remark(node: ast.AST) -> bool:
    """Whether a statement is a text that stands by itself."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


CHANGING = ("append", "add")
"""The methods that change a value, so that a line may consist of their call."""


class _Subset:
    """Checks that one function stays in the subset."""

    def __init__(self, source: Source, function: ast.FunctionDef, generators: Collection[str]) -> None:
        self.source, self.function, self.generators = source, function, generators
        self.known = source.functions

    def check(self) -> None:
        """Refuse the first part that is not in the subset."""
        arguments = self.function.args
        if self.function.decorator_list:
            raise self._no(self.function.decorator_list[0], "a decorator", "leave it out")
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs or arguments.defaults:
            raise self._no(self.function, "a parameter that is not a plain name", "write def f(a, b): …")
        for number, argument in enumerate(arguments.args):
            self._refuse_name(argument, argument.arg)
            if any(argument.arg == other.arg for other in arguments.args[:number]):
                raise self.source.error(argument, f"the parameter {argument.arg} is given twice", "distinct names")
        if self.function.name in BUILTINS:
            raise self.source.error(self.function, f"{self.function.name} is the name of a known function", "another")
        self._body(self.function.body, in_loop=False)

    def _refuse_unused(self, value: ast.expr) -> None:
        """Refuse a line whose result nobody uses: `rng.shuffle(xs)` makes a new list, and changes none."""
        method = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
        if method in CHANGING:
            return
        what = ast.unparse(value)
        if method in ("shuffle", "permutation"):
            raise self.source.error(
                value, f"{shorten(what)} gives a new list, which is used nowhere", f"xs = rng.{method}(xs)"
            )
        raise self.source.error(
            value, f"the result of {shorten(what)} is used nowhere", "a line that assigns it", "or leave the line out"
        )

    def _no(self, node: ast.AST, thing: str, tip: str = "") -> InputError:
        return self.source.error(node, f"{thing} is not in the language of programs", tip=tip)

    def _unknown(self, node: ast.AST) -> InputError:
        thing, tip = INSTEAD.get(type(node), (f"this ({type(node).__name__})", ""))
        return self._no(node, thing, tip)

    def _refuse_name(self, node: ast.AST, name: str) -> None:
        """Refuse a variable with the name of a function."""
        if name in BUILTINS or name in self.known or name in self.source.constants:
            kind = "a parameter of the model" if name in self.source.constants else "a function"
            raise self.source.error(node, f"{name} is the name of {kind}", "another name for the variable")

    def _body(self, body: Iterable[ast.stmt], *, in_loop: bool) -> None:
        for statement in body:
            if _is_remark(statement):
                continue
            if not isinstance(statement, STATEMENTS):
                raise self._unknown(statement)
            self._statement(statement, in_loop=in_loop)

    def _statement(self, statement: ast.stmt, *, in_loop: bool) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                self._expression(value)
                for target in targets:
                    self._target(target)
            case ast.AugAssign(target=target, op=op, value=value):
                self._operator(statement, op)
                if isinstance(target, ast.Tuple | ast.List):
                    raise self._no(target, "a list before an operator", "write one name")
                self._target(target)
                self._expression(value)
            case ast.Expr(value=value):
                self._expression(value)
                if not _is_remark(statement):
                    self._refuse_unused(value)
            case ast.Return(value=value) if value is not None:
                self._expression(value)
            case ast.If(test=test, body=body, orelse=orelse):
                self._expression(test)
                self._body(body, in_loop=in_loop)
                self._body(orelse, in_loop=in_loop)
            case ast.While(test=test, body=body, orelse=orelse):
                self._expression(test)
                self._body(body, in_loop=True)
                self._body(orelse, in_loop=in_loop)
            case ast.For(target=target, iter=items, body=body, orelse=orelse):
                self._expression(items)
                self._names(target)
                self._body(body, in_loop=True)
                self._body(orelse, in_loop=in_loop)
            case ast.Break() | ast.Continue() if not in_loop:
                raise self.source.error(statement, "there is no loop around it", "a loop")

    def _names(self, target: ast.expr) -> None:
        """The target of a loop: names, or tuples of names."""
        if isinstance(target, ast.Subscript):
            raise self._no(target, "a place as the variable of a loop", "write a name")
        self._target(target)

    def _target(self, target: ast.expr) -> None:
        """What a value is assigned to: a name, a place in a list or dict, or a tuple of these."""
        match target:
            case ast.Name(id=name):
                self._refuse_name(target, name)
                if name in self.generators:
                    raise self.source.error(target, f"{name} is {_RNG}", "another name for the variable")
            case ast.Tuple(elts=inner) | ast.List(elts=inner):
                for one in inner:
                    self._target(one)
            case ast.Subscript(value=owner, slice=place):
                if isinstance(place, ast.Slice):
                    raise self._no(target, "an assignment to a slice", "write xs = xs[:i] + ys + xs[j:]")
                self._expression(owner)
                self._expression(place)
            case ast.Attribute():
                raise self._no(target, "an attribute", "use a dict")
            case _:
                raise self._unknown(target)

    def _operator(self, node: ast.AST, operator: ast.AST) -> None:
        if type(operator) in OPERATORS:
            raise self.source.error(node, OPERATORS[type(operator)], tip="")

    def _expression(self, node: ast.expr, *, key: bool = False) -> None:
        """Check an expression; `key` says that a function of one value may stand here."""
        if not isinstance(node, EXPRESSIONS):
            raise self._unknown(node)
        match node:
            case ast.Constant(value=value):
                if value is Ellipsis or isinstance(value, bytes | complex):
                    raise self._no(node, shorten(ast.unparse(node)))
            case ast.Name(id=name):
                if name in self.generators:
                    raise self.source.error(node, f"{name} is {_RNG}, not a value", "a draw", f"{name}.flip(1/2)")
                if name in BUILTINS or name in self.known:
                    raise self.source.error(node, f"{name} is a function, not a value", "a call", f"{name}(…)")
            case ast.BinOp(left=left, op=op, right=right):
                self._operator(node, op)
                self._expression(left)
                self._expression(right)
            case ast.UnaryOp(op=op, operand=operand):
                self._operator(node, op)
                self._expression(operand)
            case ast.Compare(left=left, ops=ops, comparators=others):
                self._comparison(node, [left, *others], ops)
            case ast.Dict(keys=keys):
                if None in keys:
                    raise self._no(node, "`**` in a dict", "write each key")
                self._inside(node)
            case ast.ListComp(generators=loops) | ast.GeneratorExp(generators=loops):
                self._loops(loops)
                self._expression(node.elt)
            case ast.SetComp(elt=element, generators=loops):
                self._loops(loops)
                self._expression(element)
            case ast.DictComp(key=name, value=value, generators=loops):
                self._loops(loops)
                self._expression(name)
                self._expression(value)
            case ast.Lambda(args=arguments, body=body):
                if not key:
                    raise self._no(node, "`lambda` outside `key=`", "define a function above")
                if len(arguments.args) != 1 or arguments.defaults or arguments.vararg or arguments.kwarg:
                    raise self._no(node, "a `lambda` of other than one value", "write lambda x: …")
                self._refuse_name(node, arguments.args[0].arg)
                self._expression(body)
            case ast.Call():
                self._call(node)
            case ast.Attribute(attr=name):
                raise self._no(node, f"the attribute .{name}", "" if name != "append" else "call it: xs.append(x)")
            case _:
                self._inside(node)

    def _inside(self, node: ast.AST) -> None:
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr):
                self._expression(inner)

    def _loops(self, loops: Iterable[ast.comprehension]) -> None:
        for loop in loops:
            if loop.is_async:
                raise self._no(loop.iter, "`async`", "leave it out")
            self._expression(loop.iter)
            self._names(loop.target)
            for condition in loop.ifs:
                self._expression(condition)

    def _comparison(self, node: ast.AST, sides: list[ast.expr], ops: list[ast.cmpop]) -> None:
        for side in sides:
            self._expression(side)
        for op, right in zip(ops, sides[1:], strict=True):
            named = isinstance(right, ast.Constant) and (right.value is None or isinstance(right.value, bool))
            if isinstance(op, ast.Is | ast.IsNot) and not named:
                raise self._no(node, "`is` between values", "write ==")

    def _call(self, node: ast.Call) -> None:
        names = [keyword.arg for keyword in node.keywords]
        if len(set(names)) < len(names):
            raise self.source.error(node, "an argument is given twice", "each argument once")
        match node.func:
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in self.generators:
                self._draw(node, name)
            case ast.Attribute(value=owner, attr=name):
                if name not in METHODS:
                    raise self._unknown_method(node, owner, name)
                self._expression(owner)
                self._refuse_named_arguments(node, f".{name}")
            case ast.Name(id=name) if name in self.known:
                self._helper(node, self.known[name])
                return
            case ast.Name(id=name) if name in BUILTINS:
                for keyword in node.keywords:
                    if keyword.arg not in KEYWORDS.get(name, ()):
                        raise self._no(keyword.value, f"the argument {keyword.arg} of {name}", "write it by position")
                    self._expression(keyword.value, key=keyword.arg == "key")
            case ast.Name(id=name):
                below = name in self.source.names
                wanted = "a function that is defined above" if below else "a function of the text, or one of Python"
                tip = FUNCTIONS_INSTEAD.get(name, "")
                problem = "is defined below, or calls itself" if below else "is not in the language of programs"
                raise self.source.error(node, f"the function {name} {problem}", wanted, tip)
            case _:
                raise self._no(node, "a call of what is not a name", "define a function above, and call it by its name")
        for argument in node.args:
            self._expression(argument)

    def _unknown_method(self, node: ast.Call, owner: ast.expr, name: str) -> InputError:
        """The refusal of a method, or of a function of one of Python's modules."""
        module = _module(owner)
        if not module:
            return self._no(node, f"the method .{name}", METHODS_INSTEAD.get(name, ""))
        tip = FUNCTIONS_INSTEAD.get(name, "numbers are exact: write the formula with +, *, /")
        if module in DRAWING:
            tip = no_draw(name).tip if name in NOT_HERE else "every draw is a method of rng, such as rng.flip(p)"
        return self._no(node, f"{module}.{name}", tip)

    def _draw(self, node: ast.Call, name: str) -> None:
        """Check that a draw is known; its own reader checks its arguments."""
        if name not in DRAWS:
            refused = self.source.at(node, no_draw(name))
            if isinstance(refused, RealDrawError):
                refused.call = ast.unparse(node)
            raise refused
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self._no(keyword.value, "`**` in a call", "write each argument")
            if keyword.arg == SEEN_BY:
                self.source.name_observers(node, keyword.value)
            self._expression(keyword.value)

    def _refuse_named_arguments(self, node: ast.Call, name: str) -> None:
        for keyword in node.keywords:
            raise self._no(keyword.value, f"the argument {keyword.arg} of {name}", "write it by position")

    def _helper(self, node: ast.Call, function: Function) -> None:
        """Check the call of a function above."""
        self._refuse_named_arguments(node, function.name)
        if len(node.args) != len(function.parameters):
            raise self.source.error(
                node, f"{function.name} is called with {len(node.args)} arguments", f"{len(function.parameters)}"
            )
        for name, argument in zip(function.parameters, node.args, strict=True):
            given = isinstance(argument, ast.Name) and argument.id in self.generators
            if name not in function.generators or not given:
                self._expression(argument)


class _Liveness:
    """The variables that are read after each statement of a function; of a loop it is a fixed point."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.live: dict[object, frozenset[str]] = {}
        self._body(function.body, frozenset(), frozenset(), frozenset())

    def _body(
        self, body: list[ast.stmt], after: frozenset[str], head: frozenset[str], end: frozenset[str]
    ) -> frozenset[str]:
        """What is read before a body; `after` is read after it, `head` at the head of its loop, `end` behind it."""
        for statement in reversed(body):
            self.live[statement] = self.live.get(statement, frozenset()) | after
            match statement:
                case ast.Return(value=value):
                    after = read_in(value)
                case ast.Break():
                    after = end
                case ast.Continue():
                    after = head
                case ast.If(test=test, body=inner, orelse=other):
                    both = self._body(inner, after, head, end) | self._body(other, after, head, end)
                    after = read_in(test) | both
                case ast.For(target=target, iter=items, body=inner, orelse=other):
                    after = self._loop(statement, inner, self._body(other, after, head, end), after, read_in(target))
                    after |= read_in(items)
                case ast.While(test=test, body=inner, orelse=other):
                    before = self._body(other, after, head, end) | read_in(test)
                    after = self._loop(statement, inner, before, after, frozenset())
                case ast.Assign(targets=targets, value=value):
                    written = {target.id for target in targets if isinstance(target, ast.Name)}
                    others = [target for target in targets if not isinstance(target, ast.Name)]
                    after = (after - written) | read_in(value, *others)
                case _:
                    after = after | read_in(statement)
        return after

    def _loop(
        self, loop: ast.stmt, body: list[ast.stmt], before: frozenset[str], after: frozenset[str], own: frozenset[str]
    ) -> frozenset[str]:
        """What is read at the head of a loop: before each round, and when it ends."""
        while True:
            more = before | (self._body(body, before, before, after) - own)
            self.live[loop, "head"] = more
            if more == before:
                return before
            before = more


def read_in(*nodes: ast.AST | None) -> frozenset[str]:
    """The names that stand in some parts of a text."""
    inside = (inner for node in nodes if node is not None for inner in ast.walk(node))
    return frozenset(inner.id for inner in inside if isinstance(inner, ast.Name))


@lru_cache(maxsize=1 << 10)
def changes(node: ast.AST) -> bool:
    """Whether an expression may change a list, a dict or a set."""
    return any(
        isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute) and inner.func.attr in MUTATORS
        for inner in ast.walk(node)
    )


__all__ = ["FOLDS", "Function", "Source", "changes", "read_in"]
