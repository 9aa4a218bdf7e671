"""The eight habits of hard prose, found in pages; their counts by page may only fall (tests/docs/habits.json).

PYTHONPATH=tests/helpers python -m habits                  lower the counts to those of the pages, as `make habits` does
PYTHONPATH=tests/helpers python -m habits docs/atlas.md    list every habit of some pages, with its line
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNTS = ROOT / "tests" / "docs" / "habits.json"

SPEAKERS = (
    "answer", "card", "certificate", "column", "convention", "definition", "file", "ledger", "message", "model", "note",
    "notebook", "page", "program", "reading", "report", "row", "sentence", "sheet", "survey", "table", "text", "tip",
    "verdict", "word",
)  # fmt: skip
"""Things that show something; people and programs say it."""
SPEAKING = "says?|said|tells?|told|knows?|asks?|speaks?|promises?|wants?|names"
LISTED = (
    "alone", "beside", "anew", "but for", "puts? out", "by (?:it|them|her)sel(?:f|ves)",
    "of (?:its|their|her|one's) own", "not to be had", "made again", "foreign", "judges?", "at hand", "befalls?",
)  # fmt: skip
STATE = "is|are|has|have|does|do|holds?|fails?|can|needs?|takes?"
OPENING = r"(?:^|[.:;] |\*\* )"
AFTER = rf"(?:{STATE}|stands?|was|comes|must|may)\b(?![^.\n]*\?)"
PATTERNS = {
    "speaking": [rf"\b(?:{'|'.join(SPEAKERS)})s? (?:{SPEAKING})\b"],
    "stand": [r"(?<!as it )(?<!as they )\bst(?:ands?|ood)\b(?! (?:alone|by|for|in for|out|still|up)\b)"],
    "listed": [rf"(?<!let )(?<!leave )\b(?:{'|'.join(LISTED)})\b"],
    "that of": [r"\bth(?:at|ose) of\b"],
    "is no": [
        r"(?<!there )(?<!There )\b(?:is|are|was|were) no (?!(?:longer|more|less|fewer|smaller|larger)\b)[a-z-]+",
        r"\b(?:that|which|who) (?:is|are) none\b",
    ],
    "where": [
        rf"{OPENING}Where (?!(?:to|you|next|possible)\b|[A-Z]\S* goes)[^.?|\n]{{3,80}}?, ",
        r"; where [a-z]",
        rf", where (?:there is|it|one|none|no|nothing|that|both|all|they) [^,.;|\n]{{0,40}}\b(?:{STATE})\b",
    ],
    "semicolons": [r"[^.!?|\n]*;[^.!?|\n;]*;"],
    "what": [
        rf"{OPENING}What (?!(?:is used|to|you|do|does|did|if|happens|this means)\b)[^.?|\n]{{2,70}}? {AFTER}",
    ],
}  # fmt: skip
HABITS = {habit: re.compile("|".join(patterns), re.MULTILINE) for habit, patterns in PATTERNS.items()}
INSTEAD = {
    "speaking": "name who acts, or write shows, states, lists",
    "stand": "write is, appears, is listed",
    "listed": "write only, next to, again, except, return, separately, own, external, available",
    "that of": "repeat the noun",
    "is no": "write is not a, is not an",
    "where": "write if for a condition, when for an event",
    "semicolons": "write two sentences, or a list",
    "what": "start with a noun: the output, each claim, the missing field",
}
"""What to write in place of each habit."""


@dataclass(frozen=True)
class Found:
    """A habit at its place."""

    habit: str
    line: int
    words: str


def blank(found: re.Match[str]) -> str:
    """Spaces in place of what is not prose, so that each line keeps its number."""
    return re.sub(r"[^\n]", " ", found[0])


def prose(text: str) -> str:
    """The prose of a page, of the same length: no code, no addresses, no comments; a paragraph is one line."""
    text = re.sub(r"<!--.*?-->", blank, text, flags=re.DOTALL)
    text = re.sub(r"^\s*(```|~~~).*?^\s*\1[^\n]*$", blank, text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"(?<=\n\n)(?: {4}(?!\s*[-*\d|])[^\n]*\n)+", blank, text)
    text = re.sub(r"`[^`\n]*`", lambda code: "x" * len(code[0]), text)
    for left_out in (r"^:::[^\n]*$", r"(?<=\])\([^)]*\)", r"<[^>\n]+>", r"^[\s|:-]+$"):
        text = re.sub(left_out, blank, text, flags=re.MULTILINE)
    return re.sub(r"(?<=[^\n|])\n(?=[ \t]*[^\s|*#>\d-])", " ", text)


def habits_of(text: str) -> list[Found]:
    """The habits of a page, in the order of its lines."""
    read = prose(text)
    found = []
    for habit, pattern in HABITS.items():
        for place in pattern.finditer(read):
            words = " ".join(text[max(0, place.start() - 30) : place.end() + 20].split())
            found.append(Found(habit, text.count("\n", 0, place.end()) + 1, words))
    return sorted(found, key=lambda one: one.line)


def pages() -> Iterator[str]:
    """Every page of the repository, by its path."""
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    yield from sorted(name for name in listed.splitlines() if (ROOT / name).is_file())


def counted(page: str) -> dict[str, int]:
    """How often each habit occurs in a page; a habit that does not is left out."""
    times = Counter(one.habit for one in habits_of((ROOT / page).read_text(encoding="utf-8")))
    return {habit: times[habit] for habit in HABITS if times[habit]}


def allowed() -> dict[str, dict[str, int]]:
    """The counts of each page that has some."""
    counts: dict[str, dict[str, int]] = json.loads(COUNTS.read_text(encoding="utf-8"))
    return counts


def above(text: str, most: Mapping[str, int]) -> list[Found]:
    """The places of the habits that a page has more often than it may."""
    found = habits_of(text)
    times = Counter(one.habit for one in found)
    return [one for one in found if times[one.habit] > most.get(one.habit, 0)]


def lowered(before: Mapping[str, Mapping[str, int]], now: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """The smaller one of two counts, for each habit of each page; a page that went has none."""
    smaller = {
        page: {habit: min(times, now[page].get(habit, 0)) for habit, times in before[page].items()}
        for page in sorted(before)
        if page in now
    }
    kept = {page: {habit: times for habit, times in counts.items() if times} for page, counts in smaller.items()}
    return {page: counts for page, counts in kept.items() if counts}


def written(counts: Mapping[str, Mapping[str, int]]) -> str:
    """The data file: a page a line, so that two changes rarely meet."""
    return "{\n" + ",\n".join(f" {json.dumps(page)}: {json.dumps(counts[page])}" for page in counts) + "\n}\n"


def main() -> None:
    if sys.argv[1:]:
        for page in sys.argv[1:]:
            for one in habits_of((ROOT / page).read_text(encoding="utf-8")):
                print(f"{page}:{one.line}: {one.habit}: …{one.words}…")
        return
    before, now = allowed(), {page: counted(page) for page in pages()}
    after = lowered(before, now)
    COUNTS.write_text(written(after), encoding="utf-8")
    total = [sum(times for counts in one.values() for times in counts.values()) for one in (before, now, after)]
    print(f"Habits allowed: {total[0]} before, {total[2]} now; the pages have {total[1]}.")


if __name__ == "__main__":
    main()
