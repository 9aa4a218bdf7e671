"""Habits of hard prose may only become fewer, page by page; `make habits` lowers the counts."""

import re
import subprocess

import pytest
from examined import at_least_one
from habits import INSTEAD, ROOT, above, allowed, counted, habits_of, lowered, pages

pytestmark = pytest.mark.quick
PAGES = list(pages())


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_no_habit_more_often_than_before(page: str) -> None:
    found = above((ROOT / page).read_text(encoding="utf-8"), allowed().get(page, {}))
    shown = [f"{page}:{one.line}: …{one.words}… Hint: {INSTEAD[one.habit]}" for one in found]
    assert not found, "\n".join(shown[:12])


def test_the_counts_are_lowered_once_a_page_is_better() -> None:
    before = allowed()
    better = sorted(page for page in before if page not in PAGES or counted(page) != before[page])
    assert not better, f"these pages have fewer habits than they may: run make habits ({', '.join(better)})"


@pytest.mark.parametrize(
    ("habit", "text"),
    [
        ("speaking", "The last\nrow says it."),
        ("stand", "It stands below."),
        ("listed", "The file by itself"),
        ("that of", "as in\nthat of the paper"),
        ("is no", "This is no answer."),
        ("where", "Where none is given, one is made."),
        ("semicolons", "One; two;\nthree."),
        ("what", "What is left out has a mark."),
    ],
)
def test_a_habit_is_found_at_its_line(habit: str, text: str) -> None:
    (found,) = habits_of(f"# Title\n\n{text}\n")
    assert (found.habit, found.line) in {(habit, 3), (habit, 4)}
    assert above(text, {habit: 1}) == []
    assert [one.habit for one in above(f"{text}\n\n{text}\n", {habit: 1})] == [habit] * 2


@pytest.mark.parametrize(
    "text",
    [
        "`that of`", "```\nthe row says\n```", "[a](that-of the)", "<!-- it stands -->",
        "it stands for ε", "there is no such row",
        "One; two. Three; four.", "What is ε?", "Where you read it, nothing changes.", "| a; b | c; d |",
    ],
)  # fmt: skip
def test_code_and_plain_prose_are_no_habit(text: str) -> None:
    assert habits_of(f"# Title\n\n{text}\n") == []


def test_counts_are_never_raised() -> None:
    before = {"a.md": {"stand": 2, "what": 1}, "gone.md": {"stand": 1}}
    assert lowered(before, {"a.md": {"stand": 3}, "new.md": {"stand": 1}}) == {"a.md": {"stand": 2}}


SPELLED_IS = re.compile(
    r"(?<!-)\b(\w*(normal|random|general|special|relativ|minim|optim|recogn|summar|organ|anonym|symmetr|discret|factor|"
    r"categor|emphas|character|parametr|formal|local|real|initial|standard)is(e[drs]?|ers?|ing|ations?))\b",
    re.IGNORECASE,
)
"""Words with -ise, which everything that users read spells with -ize; `--maximise` is the name of an option."""


def test_one_spelling() -> None:
    """British words with -ize, in pages, messages, docstrings and models; a name that somebody may type has both."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.py", "*.toml", "*.js", "*.html"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found = [
        f"{name}: {match[1]}"
        for name in at_least_one(listed.stdout.split())
        if name.startswith(("docs/", "verifier/", "models/", "proofs/")) or "/" not in name
        for match in SPELLED_IS.finditer((ROOT / name).read_text(encoding="utf-8"))
        if not (name == "verifier/model/words.toml" and match[1] == "randomised")
    ]
    assert found == []
