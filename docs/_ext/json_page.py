"""The page of the fields of `--json`: their meanings (json_fields.toml), and the values of one answer each."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from definition_pages import cell

from verifier.cli.main import run
from verifier.model import read
from verifier.model.document import document_of
from verifier.model.library import models_folder
from verifier.questions.check import check
from verifier.version import VERSION
from verifier.wings.course.files import notebook
from verifier.wings.course.submission import KIND, SCHEMA, notebook_hash
from verifier.wings.teach.codes import AnswerCode
from verifier.wings.teach.question import open_question

PAGE = "json.md"
LECTURE = Path(__file__).resolve().parents[1] / "course" / "lecture"
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
    "acceptable": ("example-7-five-voters",),
    "property": ("reducible", "example-7-five-voters"),
    "pair": ("two.csv", "--epsilon", "ln(2)"),
    "rule": ("hide 0 to 9", "--people", "20", "--known", "3", "--probability", "1/4"),
    "definitions": ("apkdp",),
    "compare": ("noisy-once", "noisy-twice"),
    "examples": ("voters",),
    "grade": ("question.toml", "codes.txt", "--word", "lemon"),
    "grade-sheet": ("sheet.json",),
    "search": ("--satisfies", "np(e)", "--violates", "cdp(e)", "--jobs", "1"),
    "worst": ("example-4-repaired", "--assuming", "np(ln(2))", "--maximise", "cdp delta at ln(2)"),
    "best": ("example-7-five-voters", "--assuming", "apkdp(ln(2), 1/10)", "--loss", "absolute", "--value", "1"),
    "convert": ("np", "cdp", "two-bits-that-agree", "--epsilon", "ln(2)", "--set", "agree=3/4"),
    "compose": ("one-coin", "--times", "3"),
    "relations": ("np", "cdp"),
    "claims": ("DMKB20", "Theorem 5"),
    "verify": ("answer.json",),
}
"""The other commands of the page, each with the arguments of its example; `pkdp grade` answers in two forms."""
OF_COMMANDS = {"grade-sheet": "grade, of a sheet"}
OTHERS = """\
## Other commands

These commands print one object with `--json`, or a list of such objects: `acceptable`, `claims`, `examples`, `grade`
and `verify` always print a list. `pkdp loss` prints one object for each record and pair of values. The last column
has the first object of the example. `two.csv` has two distributions, `answer.json` an answer of `pkdp check --json`,
`question.toml` and `codes.txt` the question and the answer code of a class, and `sheet.json` a sheet of the course.
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
        typed = " ".join(json.dumps(word) if {*" ()"} & {*word} else word for word in (command_of(name), *arguments))
        title = OF_COMMANDS.get(name, name)
        parts.append(f"### {title}\n\n```\npkdp {typed} --json\n```\n\n{table(FIELDS[name], printed(name))}")
    yield PAGE, "\n\n".join(parts) + "\n"


def answer() -> dict[str, Any]:
    """The fields of the example."""
    model, definition, epsilon = EXAMPLE
    found: dict[str, Any] = check(read(models_folder() / f"{model}.toml"), definition, epsilon=epsilon).to_json()
    return {**found, "model": model}


def command_of(name: str) -> str:
    """The command of a table."""
    return name.partition("-")[0]


@cache
def printed(name: str) -> dict[str, Any]:
    """The first object that a command prints; without what differs from machine to machine."""
    output = io.StringIO()
    with TemporaryDirectory() as folder, chdir(folder):
        write_files()
        with redirect_stdout(output), redirect_stderr(io.StringIO()), suppress(SystemExit):
            run([command_of(name), *COMMANDS[name], "--json"])
    text = output.getvalue().replace(f"{models_folder()}/", "models/")
    found = json.JSONDecoder().raw_decode(text)[0]
    first: dict[str, Any] = found[0] if isinstance(found, list) else found
    here = {"seconds": 0, "milliseconds": 0} if first.get("milliseconds") is not None else {"seconds": 0}
    return {**first, **{field: value for field, value in here.items() if field in first}}


def write_files() -> None:
    """Write the files that the examples name, into the folder where they are run."""
    question = (LECTURE / "08-np-content-cdp-not.toml").read_text(encoding="utf-8")
    given = {"mechanism.then.0.rows": [{"input": str(count), "output": "xyx"[count]} for count in range(3)]}
    code = AnswerCode(open_question(document_of(question)).identity, "Ada", given, 3, 1).text("lemon")
    sheet = {
        "schema": SCHEMA, "kind": KIND, "version": VERSION, "student": "Ada",
        "notebook": {"name": "01_privacy_loss", "sha256": notebook_hash(notebook("1"))},
        "exercises": [], "models": [], "score": {"right": 0, "exercises": 3},
    }  # fmt: skip
    model, definition, epsilon = EXAMPLE
    checked = check(read(models_folder() / f"{model}.toml"), definition, epsilon=epsilon).to_json()
    files = {"question.toml": question, "codes.txt": code, "sheet.json": json.dumps(sheet)}
    files |= {"answer.json": json.dumps(checked), "two.csv": "output,p,q\nyes,1/2,1/3\nno,1/2,2/3\n"}
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


def table(meanings: Mapping[str, str], shown: Mapping[str, Any]) -> str:
    """A row for each field: its meaning, and its value in the example."""
    rows = (f"| `{name}` | {cell(meaning)} | {value(shown[name])} |" for name, meaning in meanings.items())
    return "\n".join(("| field | meaning | in the example |", "|---|---|---|", *rows))


def value(found: Any) -> str:
    """A value as JSON has it; a long one is cut."""
    text = json.dumps(found, ensure_ascii=False)
    return f"`{cell(text if len(text) <= LONGEST else f'{text[:LONGEST]}…')}`"
