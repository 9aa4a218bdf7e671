"""`python -m mutants [--room ROOM] [--number N] [--seed S]`: change code wrongly, and see that a test notices.

From each room as many wrong changes are drawn, and each is tried against the tests of the room that reach it, at most
twenty seconds of them, on few examples. Those that live are listed; `equivalent.toml` argues for each that changes no
answer. The exit status is 1 where fewer than 95 % of the others of a room die.

Which are drawn depends on the seed and on each statement by itself, so that an edit elsewhere draws no others. What has
been tried is kept in a file (`--results`): who stops and starts again loses nothing, and after an edit the test that
noticed a mutant before is asked first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

from mutants.operators import Mutant, mutant_at, sites_of
from mutants.rooms import ROOMS, ROOT
from mutants.running import DIED, LIVED, UNFIT, Reach, Tried, measured, try_fresh, try_twins

SECONDS = 20
"""How long the tests that a mutant meets take at most, where nothing is wrong."""
ENOUGH = 95
"""Per cent of the mutants of a room that must die."""
WORDS = {DIED: "died", LIVED: "LIVED", UNFIT: "unfit"}
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
Entry: TypeAlias = dict[str, str]


def drawn(room: str, number: int, seed: int) -> list[Mutant]:
    """Wrong changes of a room, in an order that is each one's own."""
    sources = {module: (ROOT / module).read_text(encoding="utf-8") for module in ROOMS[room].modules()}
    sites = [site for module, source in sources.items() for site in sites_of(module, source)]
    sites.sort(key=lambda site: sha256(f"{seed} {site.identity}".encode()).digest())
    return [mutant_at(site, sources[site.module]) for site in sites[:number]]


class Results:
    """A file with one line for each trial, and each measurement of a room's tests.

    That a mutant died holds until its module or the file of the test that noticed is edited; that it lived, until any
    file is. A measurement only says which tests to run first: it is made anew where the room names other tests, and on
    demand (`--measure`).
    """

    def __init__(self, path: Path, state: str) -> None:
        self.path, self.state = path, state
        self.kept: dict[str, dict[str, Any]] = {}
        self.reaches: dict[str, Reach] = {}
        self.killers: dict[str, str] = {}
        self.near: dict[str, Counter[str]] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._learn(json.loads(line))

    def _learn(self, line: dict[str, Any]) -> None:
        if "tests" in line:
            if line.get("named") == [*ROOMS[line["room"]].tests]:
                self.reaches[line["room"]] = Reach(**line["tests"])
            return
        if line["result"] == WORDS[DIED]:
            self.killers[line["identity"]] = line["test"]
            for place in (line["module"], f"{line['module']}:{line['function']}"):
                self.near.setdefault(place, Counter())[line["test"]] += 1
        died = line["result"] == WORDS[DIED]
        if line["state"] == (_hash_of(line["module"], line["test"].split("::")[0]) if died else self.state):
            self.kept[line["identity"]] = line

    def reach(self, room: str) -> Reach:
        """What is known of the tests of a room; measured where it is not known yet."""
        if room not in self.reaches:
            self.reaches[room] = measured(room)
            self._write({"room": room, "named": ROOMS[room].tests, "tests": vars(self.reaches[room])})
        return self.reaches[room]

    def record(self, mutant: Mutant, tried: Tried) -> None:
        """Keep what became of a mutant."""
        site = mutant.site
        line: dict[str, Any] = {"identity": site.identity, "module": site.module, "function": site.outermost}
        line |= {"change": mutant.change, "line": mutant.line, "result": WORDS[tried.status], "test": tried.test}
        died = tried.status == DIED
        state = _hash_of(site.module, tried.test.split("::")[0]) if died else self.state
        line |= {"seconds": round(tried.seconds, 2), "state": state}
        self._learn(line)
        self._write(line)

    def _write(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def order(self, mutant: Mutant, tests: Sequence[str], reach: Reach) -> list[str]:
        """As many tests as there is time for, those first that noticed the mutant, or others of its function.

        What the imports call as well is tried against all tests of the room: those that call it themselves come first,
        with those of which it is not known yet.
        """
        site = mutant.site
        function = self.near.get(f"{site.module}:{site.outermost}", Counter())
        module = self.near.get(site.module, Counter())
        killer = self.killers.get(site.identity)
        known = {
            test: (
                test != killer,
                -function[test],
                test in reach.functions and not reach.calls(test, mutant),
                -module[test],
            )
            for test in tests
        }
        tests = sorted(tests, key=lambda test: (*known[test], reach.of(test)))
        ends = accumulate(map(reach.of, tests))
        return [test for test, end in zip(tests, ends, strict=True) if end <= SECONDS or test == tests[0]]


def hash_of_all() -> str:
    """A hash of the code, of the tests and of the models."""
    files = (path for folder in ("verifier", "tests", "models") for path in sorted((ROOT / folder).rglob("*")))
    counted = (path for path in files if path.suffix != ".pyc" and path != EQUIVALENT)
    return _hash_of(*(path.relative_to(ROOT).as_posix() for path in counted))


def _hash_of(*names: str) -> str:
    hashed = sha256()
    for name in names:
        path = ROOT / name
        hashed.update(f"{name} {sha256(path.read_bytes()).hexdigest() if path.is_file() else None}\n".encode())
    return hashed.hexdigest()[:12]


@dataclass
class Arguments:
    """The mutants that change no answer, each with the reason: found by identity, or by what the statement says."""

    entries: list[Entry]

    @classmethod
    def read(cls) -> Arguments:
        """Those of `equivalent.toml`."""
        return cls(tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("equivalent", []))

    def of(self, mutant: Mutant) -> Entry | None:
        """The argument about a mutant."""
        site = mutant.site
        named = (site.module, site.function, mutant.change)
        for entry in self.entries:
            if entry["identity"] == site.identity or (entry["module"], entry["function"], entry["change"]) == named:
                return entry
        return None

    def stale(self) -> Iterator[str]:
        """What to look at again: arguments about what is no wrong change of any seed any more, or is worded anew."""
        for module in dict.fromkeys(entry["module"] for entry in self.entries):
            source = (ROOT / module).read_text(encoding="utf-8") if (ROOT / module).exists() else ""
            sites = sites_of(module, source)
            for entry in (entry for entry in self.entries if entry["module"] == module):
                same = [site for site in sites if site.identity == entry["identity"]]
                near = [site for site in sites if site.function == entry["function"]]
                if entry["change"] in {mutant_at(site, source).change for site in same}:
                    continue
                edited = same or any(mutant_at(site, source).change == entry["change"] for site in near)
                what = "what was edited" if edited else "nothing"
                yield f"an argument about {what}: {module} {entry['function']}: {entry['change']}"


def main() -> int:
    """Try the wrong changes of the named rooms; 1 where too many live."""
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--room", action="append", choices=sorted(ROOMS), help="only this one; again for more")
    parser.add_argument("--number", type=int, default=120, help="how many of each room")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help="measure anew what the tests of a room reach")
    parser.add_argument("--results", type=Path, help="where the results are kept")
    options = parser.parse_args()
    os.chdir(ROOT)
    results = Results(options.results or Path(tempfile.gettempdir()) / "pkdp-mutants.jsonl", hash_of_all())
    if options.measure:
        results.reaches.clear()
    arguments = Arguments.read()
    for line in arguments.stale():
        say(line)
    tables = []
    for room in options.room or ROOMS:
        mutants = drawn(room, options.number, options.seed)
        tables.append(try_room(room, mutants, results, arguments))
    return summary(tables)


@dataclass
class Table:
    """How the mutants of a room ended."""

    room: str
    equivalent: int
    died: int
    lived: int
    seconds: float

    def enough(self) -> bool:
        """Whether enough of those that are not equivalent died."""
        return self.died * 100 >= ENOUGH * (self.died + self.lived)


def try_room(room: str, mutants: Sequence[Mutant], results: Results, arguments: Arguments) -> Table:
    """Try the mutants of a room."""
    reach = results.reach(room)
    say(f"{room}: {len(mutants)} mutants; {len(reach.seconds)} tests of {sum(reach.seconds.values()):.1f} s in all")
    counted = [mutant for mutant in mutants if arguments.of(mutant) is None]
    fresh = [mutant for mutant in counted if reach.runs_at_import(mutant)]
    twins = [mutant for mutant in counted if mutant not in fresh and mutant.site.identity not in results.kept]
    if twins:
        try_twins(room, reach, twins, results.order, results.record)
        results = Results(results.path, results.state)
    for mutant in counted:
        if results.kept.get(mutant.site.identity, {"result": WORDS[UNFIT]})["result"] == WORDS[UNFIT]:
            results.record(mutant, try_fresh(room, reach, mutant, results.order))
    lines = [results.kept[mutant.site.identity] for mutant in counted]
    lived = [mutant for mutant, line in zip(counted, lines, strict=True) if line["result"] == WORDS[LIVED]]
    for mutant in lived:
        say(f"LIVED: {mutant.name} (line {mutant.line})")
    equivalent, seconds = len(mutants) - len(counted), sum(line["seconds"] for line in lines)
    return Table(room, equivalent, len(counted) - len(lived), len(lived), seconds)


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def summary(tables: Sequence[Table]) -> int:
    """Print a line for each room; 1 where too many mutants of one live."""
    for each in tables:
        counts = f"{each.equivalent} equivalent, {each.died} died, {each.lived} LIVED"
        say(f"{each.room}: {counts}, {each.seconds:.0f} s{'' if each.enough() else ': too few died'}")
    died, lived = sum(each.died for each in tables), sum(each.lived for each in tables)
    say(f"{died} of {died + lived} that are not equivalent died")
    return int(not all(each.enough() for each in tables))


if __name__ == "__main__":
    sys.exit(main())
