"""`python -m mutants [--room ROOM] [--number N] [--seed S]`: change code wrongly, and see that a test notices.

From each room as many wrong changes are drawn, and each is tried against the room's tests, at most twenty seconds of
them, on few examples. Those that live are listed; `equivalent.toml` argues for each that changes no answer. The exit
status is 1 where fewer than 95 % of the others die.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from hypothesis import Phase, settings

from mutants.operators import Mutant, Site, mutant_at, sites_of
from mutants.rooms import ROOMS, ROOT

SECONDS = 20
"""How long the tests of a room take at most, where nothing is wrong."""
PATIENCE = 4
"""A mutant whose tests take so many times as long as they do without it has run away, and is noticed by that."""
OPTIONS = (
    *("-q", "-x", "--few=25", "--tb=no", "--assert=plain", "-p", "no:cacheprovider"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),
)
ENOUGH = 95
"""Per cent of the mutants that must die."""


class _FirstFailure:
    """A plugin of pytest: a property is given up at the first example that breaks it, which need not be small."""

    @staticmethod
    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
        for item in items:
            test = getattr(item, "obj", None)
            test = getattr(test, "__func__", test)
            asked = getattr(test, "_hypothesis_internal_use_settings", None)
            if test is not None and asked is not None:
                quick = settings(asked, phases=(Phase.explicit, Phase.generate), report_multiple_bugs=False)
                test._hypothesis_internal_use_settings = quick


class _Changed(MetaPathFinder, Loader):
    """Gives one module from a changed syntax tree."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> ModuleSpec | None:
        return spec_from_loader(fullname, self, origin=str(self.path)) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = str(self.path)
        exec(self.code, module.__dict__)  # noqa: S102  # the module itself, but for one node


def drawn(names: Sequence[str], number: int, seed: int) -> Iterator[tuple[str, Site]]:
    """As many wrong changes of each room, spread over its modules."""
    for name in names:
        chance = random.Random(f"{seed} {name}")  # noqa: S311
        every = [site for module in ROOMS[name].modules() for site in sites_of(module, _source(module))]
        chance.shuffle(every)
        yield from ((name, site) for site in every[:number])


def _source(module: str) -> str:
    return (ROOT / module).read_text(encoding="utf-8")


def all_pass(tests: Sequence[str], mutant: Mutant | None, seconds: int) -> bool:
    """Run the tests in a process of its own, in which one module may be wrong; False where it takes too long, too."""
    child = os.fork()
    if child == 0:
        os.setsid()
        _run_tests(tests, mutant)
    until = time.monotonic_ns() + seconds * 1_000_000_000
    while time.monotonic_ns() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(1 / 50)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def _run_tests(tests: Sequence[str], mutant: Mutant | None) -> None:
    """Import the wrong module in place of the right one, and run the tests until one fails."""
    if mutant is not None:
        path = ROOT / mutant.site.module
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        sys.meta_path.insert(0, _Changed(name, path, compile(mutant.tree, str(path), "exec")))
    status = 1
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            status = int(pytest.main([*OPTIONS, *tests], plugins=[_FirstFailure()]))
    finally:
        os._exit(status)


def equivalent() -> dict[str, str]:
    """The mutants that change no answer, each with the reason."""
    table = tomllib.loads(Path(__file__).with_name("equivalent.toml").read_text(encoding="utf-8"))
    return {each["mutant"]: each["reason"] for each in table.get("equivalent", [])}


def main() -> int:
    """Try the wrong changes of the named rooms; 1 where too many live."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--room", action="append", choices=sorted(ROOMS), help="only this one; again for more")
    parser.add_argument("--number", type=int, default=120, help="how many of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="0/1", help="K/N: every N-th of them, from the K-th, for several machines")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    os.chdir(ROOT)
    names = options.room or list(ROOMS)
    patience = {room: PATIENCE * _seconds_of(room) for room in names}
    argued, results = equivalent(), Counter[tuple[str, str]]()
    for position, (room, site) in enumerate(drawn(names, options.number, options.seed)):
        if position % parts != part:
            continue
        mutant = mutant_at(site, _source(site.module))
        if mutant.key in argued:
            result = "equivalent"
        else:
            result = "LIVED" if all_pass(ROOMS[room].tests, mutant, patience[room]) else "died"
        results[room, result] += 1
        if result == "LIVED":
            sys.stdout.write(f"{result}: {mutant.key} (line {mutant.line})\n")
            sys.stdout.flush()
    return _summary(results)


def _seconds_of(room: str) -> int:
    """How long the tests of a room take where nothing is wrong; said where that is too long."""
    started = time.monotonic_ns()
    if not all_pass(ROOMS[room].tests, None, 10 * SECONDS):
        raise SystemExit(f"the tests of {room} fail where nothing is wrong")
    seconds = 1 + (time.monotonic_ns() - started) // 1_000_000_000
    sys.stdout.write(f"{room}: tests of {seconds} s{'' if seconds <= SECONDS else ', which is too long'}\n")
    return seconds


def _summary(results: Counter[tuple[str, str]]) -> int:
    died = sum(number for (_, result), number in results.items() if result == "died")
    counted = sum(number for (_, result), number in results.items() if result != "equivalent")
    for room in dict.fromkeys(room for room, _ in results):
        numbers = ", ".join(
            f"{number} {result}" for (where, result), number in sorted(results.items()) if where == room
        )
        sys.stdout.write(f"{room}: {numbers}\n")
    sys.stdout.write(f"{died} of {counted} that are not equivalent died\n")
    return int(died * 100 < ENOUGH * counted)


if __name__ == "__main__":
    sys.exit(main())
