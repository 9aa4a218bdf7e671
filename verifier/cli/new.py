"""`pkdp new`: five questions, and a model file with comments that answers them.

The readers of model files read each answer, and comments explain the file. A draft holds the answers so far; a question
without an answer has its default.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from verifier.cli.common import echo
from verifier.cli.exits import text_of_error
from verifier.cli.options import New
from verifier.errors import InputError
from verifier.machine.files import refuse_file, refuse_taken, write_whole
from verifier.model import Model, loads, read_mechanism
from verifier.model.field_words import hint_of
from verifier.model.forms import UNIFORM
from verifier.model.write import inline
from verifier.numbers import plural, probability, shorten
from verifier.tables import NO_ANSWER

DASH = Path("-")
MOST_BYTES = 1 << 16
HINT = "an empty answer is the default; Ctrl-C ends this, and nothing is written"
MOST_LISTED = 1000
"""Most records of a model whose knowledge can be `all but` one."""
INTEGER = re.compile(r"-?[0-9]{1,12}")


def new(typed: New) -> None:
    """Answer what was typed."""
    file = typed.file
    _refuse_target(file, overwrite=typed.overwrite)
    if typed.answers is not None:
        draft = finished(_five(typed.answers, "--answer"))
    elif sys.stdin is not None and sys.stdin.isatty():
        draft = _interview()
    else:
        draft = finished(_five(_lines(), "standard input"))
    text = file_of(draft)
    if file == DASH:
        typer.echo(text, nl=False)
        return
    _refuse_target(file, overwrite=typed.overwrite)  # a file may have come into being while the answers were given
    write_whole(file, text)
    echo(f"wrote {file}\nDecide it: pkdp check {file}")


def _refuse_target(file: Path, *, overwrite: bool) -> None:
    """Refuse a path at which no model file can be written."""
    if file == DASH:
        return
    if file.suffix != ".toml":
        raise InputError(
            f"{file} does not end in .toml", where="FILE", wanted="a name that ends in .toml, or - for standard output"
        )
    refuse_file(file, "FILE")
    if not overwrite:
        refuse_taken(file, "FILE", tip="--overwrite replaces it")


def _five(answers: Sequence[str], source: str) -> Sequence[str]:
    """Return the answers, where their number is that of the questions.

    Raises:
        InputError: for another number of answers.

    """
    if len(answers) != len(QUESTIONS):
        tip = " ".join(f"{number}. {question.asks}" for number, question in enumerate(QUESTIONS, start=1))
        wanted = f"{len(QUESTIONS)} answers; an empty one is the default"
        raise InputError(
            f"{plural(len(answers), 'answer')} {'is' if len(answers) == 1 else 'are'} given",
            where=source,
            wanted=wanted,
            tip=tip,
        )
    return answers


def _lines() -> list[str]:
    """Return the lines of standard input."""
    content = b"" if sys.stdin is None else sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise InputError(f"it has more than {MOST_BYTES:,} bytes", where="standard input", wanted="five lines")
    return _text(content).splitlines()


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        wanted = "answers in UTF-8"
        raise InputError(f"byte {error.start} is not UTF-8", where="standard input", wanted=wanted) from None


def _interview() -> Draft:
    """Ask the questions at a terminal, again after each answer that cannot be used, and return the draft."""
    draft = Draft()
    _say(f"{len(QUESTIONS)} questions; {HINT}.\n")
    for number, question in enumerate(QUESTIONS):
        _say(f"\n{number + 1}. {question.asks}\n   {question.wanted}\n")
        while True:
            _say(f"   [{question.default(draft)}] ")
            line = sys.stdin.buffer.readline(MOST_BYTES)
            if not line:
                raise InputError(f"it ended before answer {number + 1}", where="standard input", wanted="five answers")
            try:
                draft = answered(draft, number, _text(line))
                break
            except InputError as error:
                _say(f"   {text_of_error(error, as_json=False)}\n")
    return draft


def _say(text: str) -> None:
    """Write to standard error, where the person at the terminal reads it; standard output is for the answer."""
    sys.stderr.write(text)
    sys.stderr.flush()


@dataclass(frozen=True)
class Draft:
    """The answers to the five questions, as the values of a model file."""

    values: tuple[int | str, ...] = ("no", "yes")
    size: int | str = 4
    probabilities: Mapping[str, str] | str | None = None
    """None for the default, all values alike as numbers; `uniform` says so in the file."""
    known: tuple[int | str, ...] = ()
    mechanism: Mapping[str, Any] | None = None
    """None for the default: the count of the last value."""

    @property
    def iid(self) -> Mapping[str, str] | str:
        """The probability of each value."""
        alike = "1" if len(self.values) == 1 else f"1/{len(self.values)}"
        return dict.fromkeys(map(str, self.values), alike) if self.probabilities is None else self.probabilities

    @property
    def probabilities_text(self) -> str:
        """The probabilities as an answer gives them."""
        return self.iid if isinstance(self.iid, str) else ", ".join(self.iid.values())

    @property
    def published(self) -> Mapping[str, Any]:
        """The keys and values under [mechanism] in the model file."""
        return {"kind": "count", "value": self.values[-1]} if self.mechanism is None else self.mechanism

    def model(self, location: str) -> Model:
        """Return the model, as the readers of model files read it.

        Raises:
            InputError: for an answer that the readers of model files refuse, with its location.

        """
        return loads(self.text(""), location)

    def text(self, title: str) -> str:
        r"""Return the model file, with comments.

        >>> Draft(known=(0,)).model("").size, "[knowledge]\nrecords = [0]" in Draft(known=(0,)).text("")
        (4, True)
        """
        sections = [HEAD.format(title=inline(title), size=inline(self.size), values=inline(self.values))]
        sections.append(DISTRIBUTION.format(iid=inline(self.iid)))
        sections.append(KNOWLEDGE.format(records=inline(self.known)) if self.known else NO_KNOWLEDGE)
        width = max(map(len, self.published))
        lines = "\n".join(f"{key:<{width}} = {inline(value)}" for key, value in self.published.items())
        sections.append(MECHANISM.format(lines=lines))
        return "\n".join(sections)


HEAD = """\
# A model for pkdp: what a record can be, how records are drawn, what the attacker knows, and what is published.
# `pkdp examples --guide format` explains every key; `pkdp examples` lists models to learn from.
title  = {title}

# A database has so many records; each has one of these values.
size   = {size}
values = {values}
"""
DISTRIBUTION = """\
# Each record is drawn by itself with these probabilities. They are exact ("1/3", or "0.1" for 1/10), and sum to 1.
# One more [[distribution]] is one more that has to be protected. Where records depend on each other, `groups`, `table`,
# `mixture`, `network`, `chain` or `counts` stands in place of `iid`: `pkdp examples --guide format` lists their keys.
[[distribution]]
name = "alike"
iid  = {iid}
"""
KNOWLEDGE = """\
# The attacker knows the values of these records, which are counted from 0. Without [knowledge] she knows nothing.
[knowledge]
records = {records}
"""
NO_KNOWLEDGE = """\
# The attacker knows nothing. If she knew the value of the first record:
# [knowledge]
# records = [0]
"""
MECHANISM = """\
# Every record is protected. To protect only the first:
# [sensitive]
# records = [0]

# What is published of a database. Noise on a number, or on each number of a list, is one more line:
# then = [ {{ kind = "geometric-noise", p = "1/2" }} ]
# Outputs are renamed, or told wrongly now and then, by rows (each {{ … }} on one line); `otherwise` is for all others:
# then = [ {{ rows = [ {{ input = 0, outputs = {{ none = "9/10", some = "1/10" }} }} ], otherwise = "some" }} ]
# One of several answers at random: kind = "choice", and
# of = [ {{ weight = "2/3", mechanism = {{ kind = … }} }}, {{ weight = "1/3", mechanism = {{ kind = … }} }} ]
[mechanism]
{lines}
"""


@dataclass(frozen=True)
class DraftQuestion:
    """One of the five questions: its text, the possible answers, the default, and the function that reads an answer."""

    asks: str
    wanted: str
    default: Callable[[Draft], str]
    read: Callable[[Draft, str], Draft]


def answered(draft: Draft, number: int, answer: str) -> Draft:
    """Return the draft with the answer to a question, counted from 0; an empty answer is the default.

    >>> answered(Draft(), 0, "a, b, 3").values
    ('a', 'b', 3)

    Raises:
        InputError: for an answer that the readers of model files refuse.

    """
    question, location = QUESTIONS[number], f"answer {number + 1}"
    try:
        extended = question.read(draft, answer.strip() or question.default(draft))
        extended.model(location)
    except InputError as error:
        tip = error.tip or f"answer {question.wanted}"
        raise error.within(location).but(tip=tip) from None
    return extended


def finished(answers: Sequence[str]) -> Draft:
    """Return the draft of five answers.

    >>> finished(["", "", "9/10, 1/10", "0, 1", "threshold-count yes above 1"]).known
    (0, 1)
    """
    draft = Draft()
    for number, answer in enumerate(answers):
        draft = answered(draft, number, answer)
    return draft


def file_of(draft: Draft) -> str:
    """Return the text of the model file; its title names the mechanism and the number of records."""
    model = draft.model("")
    published = model.mechanism.title
    return draft.text(f"{published[:1].upper()}{published[1:]} ({plural(model.size, 'record')})")


def _listed(answer: str) -> list[str]:
    """Return the entries between commas, without spaces and quotation marks around them."""
    return [entry.strip().strip("\"'") for entry in answer.split(",")]


def _label(text: str) -> int | str:
    """Return a value of a record: an integer where the text is one, else the text."""
    return int(text) if INTEGER.fullmatch(text) and str(int(text)) == text else text


def _read_values(draft: Draft, answer: str) -> Draft:
    return replace(draft, values=tuple(map(_label, _listed(answer))))


def _read_size(draft: Draft, answer: str) -> Draft:
    return replace(draft, size=_label(answer))


def _read_probabilities(draft: Draft, answer: str) -> Draft:
    """Read `9/10, 1/10` (in the order of the values), `no = 9/10, yes = 1/10`, or `uniform`."""
    entries = _listed(answer)
    if entries == [UNIFORM]:
        return replace(draft, probabilities=UNIFORM)
    if all("=" in entry for entry in entries):
        split = (entry.rpartition("=") for entry in entries)
        pairs = [(value.strip().strip("\"'"), number.strip()) for value, _, number in split]
        if len(dict(pairs)) < len(pairs):
            raise InputError("a value is given twice", wanted="each value once")
        return replace(draft, probabilities=dict(pairs))
    if len(entries) != len(draft.values):
        values = plural(len(draft.values), "value")
        raise InputError(
            f"{plural(len(entries), 'probability', 'probabilities')} for {values} do not fit",
            wanted="one probability for each value",
        )
    return replace(draft, probabilities=dict(zip(map(str, draft.values), entries, strict=True)))


def _read_known(draft: Draft, answer: str) -> Draft:
    """Read `nothing`, records such as `0, 1`, or `all but 3`."""
    if answer.lower() in {"nothing", "none"}:
        return replace(draft, known=())
    all_but = re.fullmatch(r"all but ([0-9]{1,9})", " ".join(answer.lower().split()))
    if all_but is None:
        return replace(draft, known=tuple(map(_label, _listed(answer))))
    size, record = int(draft.size), int(all_but[1])
    if record >= size or size > MOST_LISTED:
        wanted = f"a record from 0 to {size - 1}, of at most {MOST_LISTED:,}"
        raise InputError(f"{shorten(answer)} names no record to leave out", wanted=wanted)
    return replace(draft, known=tuple(k for k in range(size) if k != record))


def _pattern(form: str) -> str:
    """The pattern of the options that a form shows, as a `Kind` has it.

    >>> _pattern("VALUE above NUMBER"), _pattern("p|epsilon NUMBER")
    ('(?P<value>.+) above (?P<above>[^ ]+)', '(?P<way>p|epsilon) (?P<amount>[^ ]+)')
    """

    def place(found: re.Match[str]) -> str:
        word = found[1]
        if word is None:
            return "(?P<value>.+)"
        return f"(?P<way>{word}) (?P<amount>[^ ]+)" if "|" in word else f"{word} (?P<{word}>[^ ]+)"

    return re.sub(r"VALUE|(\S+) NUMBER", place, form)


AT_LEAST, NOISY, NOISE = "at-least", "noisy-", "p|epsilon NUMBER"
"""A kind with rows behind it, and the beginning of the names and the end of the forms of those with noise."""


def _forms() -> Iterator[tuple[str, str, str]]:
    """Yield the name of each answer, its form and its pattern: kinds that are asked for, and some with a step."""
    for name, kind in read_mechanism.KINDS.items():
        if kind.asked is not None:
            yield name, f"{name} {kind.asked}".strip(), _pattern(kind.asked)
        if name in {"count", "histogram"}:
            noisy = f"{kind.asked} {NOISE}".strip()
            yield f"{NOISY}{name}", f"{NOISY}{name} {noisy}", _pattern(noisy)
        if name == "threshold-count":
            form = f"{AT_LEAST} NUMBER VALUE [lie NUMBER]"
            yield AT_LEAST, form, r"(?P<above>\S+) (?P<value>.+?)(?: lie (?P<lie>\S+))?"


KINDS: Mapping[str, tuple[str, str]] = {
    name: (form, pattern) for name, form, pattern in sorted(_forms(), key=lambda of: of[0] == of[1])
}
"""What can be published: the form of the answer, and the pattern of its options; kinds with options first."""
FORMS = ", ".join(form for form, _ in KINDS.values())


def _read_mechanism(draft: Draft, answer: str) -> Draft:
    """Read the kind of a mechanism and its options, such as `threshold-count yes above 1`."""
    kind, _, options = " ".join(answer.split()).partition(" ")
    if kind not in KINDS:
        hint = hint_of(kind, "mechanism") or hint_of(answer, "mechanism")
        tip = f"{hint}. That is for the file; here answer one of: {', '.join(KINDS)}" if hint else ""
        raise InputError(f"{shorten(answer)} is unknown", wanted="something that can be published", tip=tip)
    form, pattern = KINDS[kind]
    matched = re.fullmatch(pattern, options)
    if matched is None:
        raise InputError(f"{shorten(answer)} is incomplete, or has more than its options", wanted=form)
    if kind == AT_LEAST:
        return replace(draft, mechanism=_whether_at_least(**matched.groupdict()))
    options_given = matched.groupdict()
    amount = {options_given.pop("way"): options_given.pop("amount")} if "way" in options_given else {}
    name = kind.removeprefix(NOISY)
    given = {key: _label(text.strip("\"'")) for key, text in options_given.items()}
    first = {} if amount or given else read_mechanism.KINDS[name].example(draft.values, 0)
    keys: dict[str, Any] = {"kind": name, **first, **given}
    if kind.startswith(NOISY):
        keys["then"] = [{"kind": "geometric-noise", **amount}]
    else:
        keys |= amount
    return replace(draft, mechanism=keys)


def _whether_at_least(above: str, value: str, lie: str | None) -> dict[str, Any]:
    """Return the mechanism that says `yes` where at least so many records have a value, else `no`, and perhaps lies.

    >>> _whether_at_least("3", "yes", None)["then"]
    [{'rows': [{'input': '⊥', 'output': 'no'}], 'otherwise': 'yes'}]
    """
    least = _label(above)
    if not isinstance(least, int) or least < 1:
        raise InputError(f"{shorten(above)} is not a number of records", wanted="a number of records from 1, such as 3")
    fewer: dict[str, Any] = {"output": "no"}
    enough: Any = "yes"
    if lie is not None:
        false = probability(lie, "", "the probability of a lie")
        true, false_text = str(1 - false), str(false)
        fewer = {"outputs": {"no": true, "yes": false_text}}
        enough = {"no": false_text, "yes": true}
    step = {"rows": [{"input": NO_ANSWER, **fewer}], "otherwise": enough}
    counted = {"kind": "threshold-count", "value": _label(value.strip("\"'")), "above": least - 1}
    return {**counted, "then": [step]}


QUESTIONS = (
    DraftQuestion(
        "What can the value of a record be?",
        "values with commas between them, such as: no, yes",
        lambda draft: ", ".join(map(str, draft.values)),
        _read_values,
    ),
    DraftQuestion("How many records are there?", "a number, such as: 4", lambda draft: str(draft.size), _read_size),
    DraftQuestion(
        "How probable is each value? Every record is drawn by itself.",
        "exact probabilities in the order of the values, such as: 9/10, 1/10; or: no = 9/10, yes = 1/10; or: uniform",
        lambda draft: draft.probabilities_text,
        _read_probabilities,
    ),
    DraftQuestion(
        "What does the attacker know?",
        "nothing; the numbers of records, counted from 0, such as: 0, 1; or: all but 3",
        lambda _draft: "nothing",
        _read_known,
    ),
    DraftQuestion(
        "What is published?",
        f"one of: {FORMS}; for anything else answer the nearest, and change [mechanism] in the file",
        lambda draft: f"count {draft.values[-1]}",
        _read_mechanism,
    ),
)
"""The five questions, in their order."""
