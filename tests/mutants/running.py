"""How one wrong change is tried: in a process of its own, against the tests that reach it, the likeliest first.

The tests of a room are collected once, by a process that then makes a twin of itself (`fork`) for each mutant. The twin
gives the functions of the running program their changed code and runs the tests. What is run where a module is imported
(a constant, a default, a function that a decorator or the collection calls) needs a fresh process, which imports the
changed module in place of the right one. Times are those of the processor, so that other work does not change them.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeAlias

import pytest
from hypothesis import Phase, settings

from mutants.operators import Mutant
from mutants.rooms import ROOMS, ROOT

OPTIONS = (
    *("-q", "--few=25", "--tb=no", "--assert=plain", "--capture=sys", "-p", "no:cacheprovider"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
PATIENCE = 4
"""A test that takes so many times as long as it does without a mutant, and two seconds more, has noticed it."""
MEMORY = 6 << 30
"""Bytes that the tests of one mutant may take."""
WALL = 600
"""Seconds by the clock on the wall after which a process is stopped, though it computes nothing."""
DIED, LIVED, UNFIT = 0, 1, 2
"""How a process that tries a mutant ends: a test failed, none did, the running program cannot be changed there."""


@dataclass
class Reach:
    """The tests of a room: the seconds of each, the functions of the room that each calls, and those of the imports."""

    seconds: dict[str, float] = field(default_factory=dict)
    functions: dict[str, list[str]] = field(default_factory=dict)
    at_import: list[str] = field(default_factory=list)

    def of(self, test: str) -> float:
        """The seconds of a test; none of one that is new, which is asked first."""
        return self.seconds.get(test, 0.0)

    def tests_of(self, mutant: Mutant, names: Iterable[str]) -> list[str]:
        """Of these tests, those that call the function of a mutant, and those that are new."""
        return [test for test in names if test not in self.functions or self.calls(test, mutant)]

    def calls(self, test: str, mutant: Mutant) -> bool:
        """Whether a test is known to call the function of a mutant."""
        return f"{mutant.site.module}:{mutant.site.outermost}" in self.functions.get(test, ())

    def runs_at_import(self, mutant: Mutant) -> bool:
        """Whether the program must be started anew for it."""
        return mutant.site.runs_at_import or f"{mutant.site.module}:{mutant.site.outermost}" in self.at_import


Order: TypeAlias = Callable[[Mutant, Sequence[str], Reach], list[str]]
"""Of some tests those that a mutant meets, in their order."""


class Tests:
    """A plugin of pytest: a room's tests in an order until the first fails; what takes far too long is stopped."""

    def __init__(self, seconds: Mapping[str, float], report: Callable[[str], None]) -> None:
        self.seconds, self.report = seconds, report

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """A property is given up at the first example that breaks it, which need not be small."""
        for item in items:
            test = getattr(item, "obj", None)
            test = getattr(test, "__func__", test)
            asked = getattr(test, "_hypothesis_internal_use_settings", None)
            if test is not None and asked is not None:
                quick = settings(asked, phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False)
                test._hypothesis_internal_use_settings = quick

    def run(self, session: pytest.Session, items: Sequence[pytest.Item]) -> int:
        """Run tests until one fails."""
        for position, item in enumerate(items):
            self.report(item.nodeid)
            following = items[position + 1] if position + 1 < len(items) else None
            self._around(item, following)
            if session.testsfailed:
                return DIED
        return LIVED

    def _around(self, item: pytest.Item, following: pytest.Item | None) -> None:
        if item.nodeid in self.seconds:
            signal.setitimer(signal.ITIMER_PROF, 2 + PATIENCE * self.seconds[item.nodeid])
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        signal.setitimer(signal.ITIMER_PROF, 0)


class Measured(Tests):
    """All tests, with the seconds of each and the functions of the room that each calls."""

    def __init__(self, called: set[str], send: Callable[[Reach], None]) -> None:
        super().__init__({}, lambda _: None)
        self.reach, self.called, self.send = Reach(), called, send

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test, and send what was seen."""
        self.reach.at_import = self._names()
        self.run(session, session.items)
        if not session.testsfailed:
            self.send(self.reach)
        return True

    def _around(self, item: pytest.Item, following: pytest.Item | None) -> None:
        started = time.process_time_ns()
        super()._around(item, following)
        self.reach.seconds[item.nodeid] = (time.process_time_ns() - started) / 1_000_000_000
        self.reach.functions[item.nodeid] = self._names()

    def _names(self) -> list[str]:
        names = sorted(self.called)
        self.called.clear()
        return names


class Fresh(Tests):
    """The tests of a process in which one module was wrong from the start."""

    def __init__(self, reach: Reach, report: Callable[[str], None], mutant: Mutant, order: Order) -> None:
        super().__init__(reach.seconds, report)
        self.reach, self.mutant, self.order, self.result = reach, mutant, order, DIED

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run every test, those that noticed mutants nearby first."""
        named = {item.nodeid: item for item in session.items}
        self.result = self.run(session, [named[name] for name in self.order(self.mutant, list(named), self.reach)])
        return True


class Twins(Tests):
    """The process that has collected the tests, and makes a twin of itself for each mutant."""

    def __init__(
        self, reach: Reach, mutants: Sequence[Mutant], order: Order, record: Callable[[Mutant, Tried], None]
    ) -> None:
        super().__init__(reach.seconds, lambda _: None)
        self.reach, self.mutants, self.order, self.record = reach, mutants, order, record
        self.functions: dict[tuple[str, str, int], list[FunctionType]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try each mutant."""
        named = {item.nodeid: item for item in session.items}
        for module in {mutant.site.module for mutant in self.mutants}:
            import_module(_dotted(module))
        for function in gc.get_objects():
            if isinstance(function, FunctionType):
                code = function.__code__
                key = (code.co_filename, code.co_qualname, code.co_firstlineno)
                self.functions.setdefault(key, []).append(function)
        gc.freeze()
        for mutant in self.mutants:
            items = [named[name] for name in self.order(mutant, self.reach.tests_of(mutant, named), self.reach)]
            self.record(mutant, in_a_process(lambda report: self._try(session, mutant, items, report)))  # noqa: B023
        return True

    def _try(
        self, session: pytest.Session, mutant: Mutant, items: Sequence[pytest.Item], report: Callable[[str], None]
    ) -> int:
        if not self._change(mutant):
            return UNFIT
        self.report = report
        return self.run(session, items)

    def _change(self, mutant: Mutant) -> bool:
        """Give the live functions their changed code; False where there are none."""
        path = str(ROOT / mutant.site.module)
        changed = False
        for code in _codes(compile(mutant.tree, path, "exec")):
            if code.co_qualname == mutant.site.outermost:
                for function in self.functions.get((path, code.co_qualname, code.co_firstlineno), []):
                    if function.__code__.co_freevars == code.co_freevars:
                        function.__code__ = code
                        changed = True
        return changed


@dataclass(frozen=True)
class Tried:
    """What became of a mutant: a status, the test that ran last, the seconds that it took."""

    status: int
    test: str
    seconds: float


class _Changed(MetaPathFinder, Loader):
    """Gives one module from a changed syntax tree."""

    def __init__(self, module: str, tree: ast.Module, **names: object) -> None:
        self.name, self.path, self.names = _dotted(module), ROOT / module, names
        self.code = compile(tree, str(self.path), "exec")

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self, origin=str(self.path)) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self.path)
        module.__dict__.update(self.names)
        exec(self.code, module.__dict__)  # noqa: S102  # the module itself, but for what was changed


def _watched(module: str) -> ast.Module:
    """A module whose functions and methods say that they are called."""
    tree = ast.parse((ROOT / module).read_text(encoding="utf-8"))

    def watch(body: list[ast.stmt], around: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                watch(node.body, f"{around}{node.name}.")
            elif isinstance(node, ast.FunctionDef):
                said = ast.Expr(ast.Call(ast.Name("__called__", ast.Load()), [ast.Constant(around + node.name)], []))
                node.body.insert(ast.get_docstring(node) is not None, said)

    watch(tree.body, f"{module}:")
    return ast.fix_missing_locations(tree)


def _dotted(module: str) -> str:
    return ".".join(Path(module).with_suffix("").parts)


def _codes(code: CodeType) -> list[CodeType]:
    """The code of a module, of its classes and of all functions, whatever they stand in."""
    inside = [each for constant in code.co_consts if isinstance(constant, CodeType) for each in _codes(constant)]
    return [code, *inside]


def in_a_process(work: Callable[[Callable[[str], None]], int]) -> Tried:
    """Do some work in a twin of this process; it says on the way which test it runs, and its status is what it returns.

    A twin that ends in another way, for want of time or memory, has noticed that something is wrong.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(reading)
        status = DIED
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            status = work(lambda text: _send(writing, text))
        finally:
            os._exit(status)
    os.close(writing)
    return _ended(child, reading)


def _send(writing: int, text: str) -> None:
    os.write(writing, text.encode() + b"\n")


def _ended(child: int, reading: int) -> Tried:
    """Wait for a process, and stop it where nothing happens."""
    until = time.monotonic_ns() + WALL * 1_000_000_000
    said = b""
    os.set_blocking(reading, False)
    while True:
        done, status, usage = os.wait4(child, os.WNOHANG)
        with contextlib.suppress(BlockingIOError):
            while part := os.read(reading, 1 << 16):
                said += part
        if done:
            break
        if time.monotonic_ns() > until:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        time.sleep(1 / 100)
    os.close(reading)
    code = os.waitstatus_to_exitcode(status)
    lines = said.decode().splitlines()
    seconds = usage.ru_utime + usage.ru_stime
    return Tried(code if code in {LIVED, UNFIT} else DIED, lines[-1] if lines else "", seconds)


def measured(room: str) -> Reach:
    """Run the tests of a room where nothing is wrong: for their seconds, and for what they reach."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        called: set[str] = set()
        for module in ROOMS[room].modules():
            sys.meta_path.insert(0, _Changed(module, _watched(module), __called__=called.add))
        with os.fdopen(writing, "w", encoding="utf-8") as sink:
            _quietly(room, Measured(called, lambda reach: json.dump(vars(reach), sink)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as source:
        text = source.read()
    os.waitpid(child, 0)
    if not text:
        raise SystemExit(f"the tests of {room} fail where nothing is wrong")
    return Reach(**json.loads(text))


def _quietly(room: str, plugin: Tests) -> None:
    with contextlib.ExitStack() as stack:
        nowhere = stack.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
        stack.enter_context(contextlib.redirect_stdout(nowhere))
        stack.enter_context(contextlib.redirect_stderr(nowhere))
        pytest.main([*OPTIONS, *ROOMS[room].tests], plugins=[plugin])


def try_twins(
    room: str, reach: Reach, mutants: Sequence[Mutant], order: Order, record: Callable[[Mutant, Tried], None]
) -> None:
    """Try mutants of functions, each against the tests that reach it; the caller's process imports nothing."""
    child = os.fork()
    if child == 0:
        try:
            _quietly(room, Twins(reach, mutants, order, record))
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def try_fresh(room: str, reach: Reach, mutant: Mutant, order: Order) -> Tried:
    """Try a mutant against all tests of its room, from the import on."""

    def work(report: Callable[[str], None]) -> int:
        sys.meta_path.insert(0, _Changed(mutant.site.module, mutant.tree))
        plugin: Any = Fresh(reach, report, mutant, order)
        _quietly(room, plugin)
        return int(plugin.result)

    return in_a_process(work)
