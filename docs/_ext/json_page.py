"""The page of the fields of `--json`: their meanings (json_fields.toml), and the values of one answer each."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import Any

from definition_pages import cell

from verifier.cli.main import run
from verifier.model import read
from verifier.model.library import models_folder
from verifier.questions.check import check

PAGE = "json.md"
FIELDS: Mapping[str, Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("json_fields.toml").read_text(encoding="utf-8")
)
"""The fields of an answer, of its witness, of a term of a witness, and of what each other command prints."""
EXAMPLE = "DMKB20/example-7-five-voters", "ppkdp", "ln(2)"
LONGEST = 44
"""The longest value that a table shows."""
WORDS = """\
# The JSON of an answer

`pkdp check --json` and `answer.to_json()` in Python have these fields. Numbers are exact texts, such as `"43/200"` or
`"ln(3)"`, because JSON has only floating-point numbers. The example is

```
pkdp check {model} --definition {definition} --epsilon "{epsilon}" --json
```

An overview has its answers in the list `definitions`. `--profile` adds `profile`, `--gain` adds `gain`, and a model
whose tables are in files adds `model_text`.
"""
COMMANDS = {
    "loss": ("example-7-five-voters",),
    "rule": ("hide 0 to 9", "--people", "20", "--known", "3", "--probability", "1/4"),
    "search": ("--satisfies", "np(e)", "--violates", "cdp(e)", "--jobs", "1"),
    "convert": ("np", "cdp", "two-bits-that-agree", "--epsilon", "ln(2)", "--set", "agree=3/4"),
    "relations": ("np", "cdp"),
}
"""The other commands of the page, each with the arguments of its example."""
OTHERS = """\
## Other commands

These commands print one object with `--json`; `pkdp loss` prints one for each record and pair of values. The other
commands have `--json` too, but no list of their fields yet: `pair`, `property`, `acceptable`, `compare`, `compose`,
`worst`, `best`, `claims`, `definitions`, `examples`, `grade` and `verify`.
"""
TITLES = {"answer": "An answer", "witness": "A witness: the attack", "term": "A term of a witness"}


def pages() -> Iterator[tuple[str, str]]:
    """The one page."""
    found = answer()
    objects = {"answer": found, "witness": found["witness"], "term": found["witness"]["terms"][0]}
    model, definition, epsilon = EXAMPLE
    parts = [WORDS.format(model=model, definition=definition, epsilon=epsilon).rstrip()]
    parts += [f"## {TITLES[name]}\n\n{table(FIELDS[name], objects[name])}" for name in TITLES]
    parts.append(OTHERS.rstrip())
    for name, arguments in COMMANDS.items():
        typed = " ".join(json.dumps(word) if {*" ()"} & {*word} else word for word in arguments)
        parts.append(f"### {name}\n\n```\npkdp {name} {typed} --json\n```\n\n{table(FIELDS[name], printed(name))}")
    yield PAGE, "\n\n".join(parts) + "\n"


def answer() -> dict[str, Any]:
    """The fields of the example."""
    model, definition, epsilon = EXAMPLE
    found: dict[str, Any] = check(read(models_folder() / f"{model}.toml"), definition, epsilon=epsilon).to_json()
    return {**found, "model": model}


@cache
def printed(command: str) -> dict[str, Any]:
    """The first object that a command prints; without what differs from machine to machine."""
    output = io.StringIO()
    with redirect_stdout(output), redirect_stderr(io.StringIO()), suppress(SystemExit):
        run([command, *COMMANDS[command], "--json"])
    found: dict[str, Any] = json.JSONDecoder().raw_decode(output.getvalue())[0]
    here = {"seconds": 0} if "seconds" in found else {"model": Path(found["model"]).name} if "sha256" in found else {}
    return {**found, **here}


def table(meanings: Mapping[str, str], shown: Mapping[str, Any]) -> str:
    """A row for each field: its meaning, and its value in the example."""
    rows = (f"| `{name}` | {cell(meaning)} | {value(shown[name])} |" for name, meaning in meanings.items())
    return "\n".join(("| field | meaning | in the example |", "|---|---|---|", *rows))


def value(found: Any) -> str:
    """A value as JSON has it; a long one is cut."""
    text = json.dumps(found, ensure_ascii=False)
    return f"`{cell(text if len(text) <= LONGEST else f'{text[:LONGEST]}…')}`"
