"""Ask every frozen question again and compare: `make frozen`; freeze anew: `make freeze`.

With --add only questions that are not frozen yet are asked and frozen, and the others stay as they are.
With --keep DIR the answers themselves are written there, and a difference from what stands there already is shown.
"""

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from frozen.answers import HASHES, Answer, Shape, ask, hash_of, merged, read, shape_of, write
from frozen.questions import ROOT, Question, every_question


def main() -> int:
    """Ask, then write or compare; 1 where an answer is another one."""
    parser = argparse.ArgumentParser(prog="frozen", description=__doc__)
    parser.add_argument("--write", action="store_true", help="freeze the answers as they are now")
    parser.add_argument("--add", action="store_true", help="freeze the answers that are not frozen yet")
    parser.add_argument("--keep", type=Path, help="a folder for the answers themselves")
    parser.add_argument("--only", default="", help="questions whose command line has this text")
    parser.add_argument("--slowest", type=int, default=0, help="show so many of the slowest questions")
    options = parser.parse_args()
    os.chdir(ROOT)
    questions = [question for question in every_question() if options.only in question.name]
    frozen: dict[str, Any] = read() if options.add else {}
    questions = [question for question in questions if question.name not in frozen.get("answers", {})]
    started = time.monotonic()
    answers: dict[Question, Answer] = {}
    seconds: dict[Question, int] = {}
    for question, answer, milliseconds in _all_answers(questions):
        answers[question], seconds[question] = answer, milliseconds
    for question in sorted(questions, key=lambda question: -seconds[question])[: options.slowest]:
        sys.stdout.write(f"{seconds[question]:>8,} ms  {question.name}\n")
    writes = options.write or options.add
    if writes:
        _write(answers, frozen)
    status = 0 if writes else _compare(answers, options.keep, complete=not options.only)
    if options.keep:
        _keep(answers, options.keep)
    sys.stdout.write(f"{len(answers):,} answers in {time.monotonic() - started:.0f} s\n")
    return status


def _all_answers(questions: list[Question]) -> Iterator[tuple[Question, Answer, int]]:
    """Ask on all cores; questions about one file stay together, so that a process reads it once."""
    with ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        waiting = [pool.submit(_timed, question) for question in questions]
        for number, done in enumerate(as_completed(waiting), 1):
            if number % 200 == 0:
                sys.stderr.write(f"{number:,} of {len(questions):,} questions\n")
            yield done.result()


def _timed(question: Question) -> tuple[Question, Answer, int]:
    started = time.monotonic_ns()
    answer = ask(question)
    return question, answer, (time.monotonic_ns() - started) // 1_000_000


def _write(answers: dict[Question, Answer], frozen: dict[str, Any]) -> None:
    """Freeze the fields of each group and the hash of each answer, beside what is frozen already."""
    shapes: dict[str, list[Shape]] = defaultdict(list)
    for question, answer in answers.items():
        shapes[question.group].append(shape_of(answer.printed))
    fields = {**{group: merged(parts) for group, parts in sorted(shapes.items())}, **frozen.get("fields", {})}
    ledger = fields.get("ledger")
    for entry in ledger if isinstance(ledger, list) else ():
        if isinstance(entry, dict):
            entry.pop("sha256", None)  # of the words, models and programs that a reading rests on; it is to change
    hashes = {question.name: hash_of(answer, fields[question.group]) for question, answer in answers.items()}
    write(fields, {**frozen.get("answers", {}), **hashes})


def _compare(answers: dict[Question, Answer], kept: Path | None, *, complete: bool) -> int:
    """Say which answers are not the frozen ones."""
    if not HASHES.exists():
        sys.stdout.write("nothing is frozen here yet: make freeze\n")
        return 1
    frozen = read()
    differences = 0
    for question, answer in answers.items():
        expected = frozen["answers"].get(question.name)
        if expected is None:
            sys.stdout.write(f"not frozen: {question.name}\n")
        elif hash_of(answer, frozen["fields"][question.group]) != expected:
            differences += 1
            sys.stdout.write(f"DIFFERS: {question.name}\n")
            _show(question, answer, kept)
    lost = set(frozen["answers"]) - {question.name for question in answers} if complete else set()
    for name in sorted(lost):
        sys.stdout.write(f"NOT ASKED ANY MORE: {name}\n")
    sys.stdout.write(f"{len(answers) - differences:,} as frozen, {differences} different, {len(lost)} gone\n")
    return int(bool(differences or lost))


def _show(question: Question, answer: Answer, kept: Path | None) -> None:
    """Name the parts of an answer that are not those of the kept one."""
    if kept is None or not (kept / _file(question)).exists():
        return
    before = json.loads((kept / _file(question)).read_text(encoding="utf-8"))
    for place, old, new in _differences(before, _as_object(answer), ""):
        sys.stdout.write(f"    {place}: {str(old)[:200]} -> {str(new)[:200]}\n")


def _differences(old: Any, new: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _differences(old.get(key), new.get(key), f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for position, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, f"{place}[{position}]")
    elif old != new:
        yield place, old, new


def _keep(answers: dict[Question, Answer], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for question, answer in answers.items():
        text = json.dumps(_as_object(answer), ensure_ascii=False, indent=1)
        (folder / _file(question)).write_text(text, encoding="utf-8")


def _file(question: Question) -> str:
    name = "".join(c if c.isalnum() or c in "-." else "_" for c in question.name)
    return f"{name[:200]}.json"


def _as_object(answer: Answer) -> dict[str, Any]:
    return {"status": answer.status, "printed": answer.printed, "refusal": answer.refusal}


if __name__ == "__main__":
    sys.exit(main())
