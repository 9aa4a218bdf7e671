"""`pkdp examples`: the models that come with the program, listed, searched and copied; and the pages of the guide."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from verifier.cli.common import Reply, wrapped
from verifier.cli.options import Examples
from verifier.definitions.answer import Valued
from verifier.errors import InCommand, InputError
from verifier.machine.files import refuse_folder, refuse_taken, write_whole
from verifier.model.bundled import FOLDERS, bundled, bundled_file, short_name
from verifier.model.field_words import FieldWord, field_word
from verifier.model.library import GUIDES, guide
from verifier.model.read import file_text, tables_of
from verifier.numbers import NO_VALUE, plural
from verifier.show.sheet import FORMATS, Sheet


@dataclass(frozen=True)
class Example(Valued):
    """A bundled model, as its file describes it."""

    name: str
    """The shortest name that no other bundled model has."""
    folder: str
    file: Path
    tables: dict[str, Any]

    @property
    def title(self) -> str:
        """The title of the model."""
        return str(self.tables.get("title", self.name))

    @property
    def source(self) -> str:
        """The paper, and the number of the example or theorem in it; empty where the file names no source."""
        return str(self.tables.get("source", ""))

    @property
    def size(self) -> str:
        """The number of records and the number of values, in words.

        >>> Example("a", "", Path(), {"size": [0, 4], "values": ["t"]}).size
        '0 to 4 records, 1 value'
        """
        size, values = self.tables["size"], plural(len(self.tables["values"]), "value")
        records = f"{size[0]} to {plural(size[1], 'record')}" if isinstance(size, list) else plural(size, "record")
        return f"{records}, {values}" + (", a family" if "parameters" in self.tables else "")

    def has(self, words: Sequence[str]) -> bool:
        """Whether the name, title, source and notes together contain each of the words, which are in small letters."""
        text = " ".join((self.folder, self.name, self.title, self.source, str(self.tables.get("notes", "")))).lower()
        return all(word in text for word in words)

    def shows(self, word: FieldWord) -> bool:
        """Whether the model has a mechanism of the kinds that a word of the field means, or its definition is asked."""
        if word.about == "definition":
            return any(promised.get("definition") == word.definition for promised in self.tables.get("expect", ()))
        kinds = _kinds(word.keys)
        return bool(kinds) and kinds <= _kinds(self.tables.get("mechanism"))

    def fields(self) -> dict[str, Any]:
        """Return the fields that `--json` prints."""
        return {
            "name": self.name,
            "folder": self.folder,
            "title": self.title,
            "source": self.source or None,
            "notes": str(self.tables.get("notes", "")).strip() or None,
            "size": self.tables["size"],
            "values": len(self.tables["values"]),
            "parameters": list(self.tables.get("parameters", ())),
            "file": str(self.file),
        }


def _kinds(tables: Any) -> set[str]:
    """The kinds that some tables name, wherever in them."""
    if isinstance(tables, list):
        return set[str]().union(*map(_kinds, tables))
    if not isinstance(tables, dict):
        return set()
    return _kinds(list(tables.values())) | ({str(tables["kind"])} if "kind" in tables else set())


def examples(typed: Examples) -> Reply:
    """Answer what was typed."""
    text = typed.text
    if typed.as_guide and (typed.copy is not None or typed.in_full):
        other = "--all" if typed.copy is None else "--copy"
        raise InputError(f"--guide is given with {other}", where=InCommand("pkdp examples"), wanted="one of the two")
    if typed.copy is not None:
        if text:
            raise InputError(f"{' '.join(text)[:80]} is given with --copy", where="TEXT", wanted="one of the two")
        return _copy(typed.copy, typed.to or Path())
    if typed.to is not None:
        raise InputError("--copy is missing", where="--to", wanted="--copy NAME --to DIR")
    if typed.as_guide:
        return _guide(" ".join(text or ()))
    words = [word.lower() for argument in text or () for word in argument.split()]
    word = field_word(" ".join(words))
    listed = [example for example in _all_examples() if example.has(words) or (word and example.shows(word))]
    if not listed and word is None:
        raise InputError(
            f"no bundled model has {' and '.join(text or ())[:80]} in its name, title, source or notes",
            where="TEXT",
            wanted="fewer words, or others",
            tip="pkdp examples --all lists all",
        )
    shown = _lines if words or typed.in_full else _folders
    hint = [wrapped(f"{' '.join(words)}: {word.hint}.")] if word else []
    return Reply(
        lambda: [example.to_json() for example in listed],
        lambda: _sheets(listed),
        instead={"table": lambda: chain(hint, shown(listed) if listed else ())},
    )


def _guide(topic: str) -> Reply:
    """Return a page of the guide, the same Markdown in each format; without a topic a line for each page."""
    titles = ((name, re.search("^# (.*)", guide(name), re.MULTILINE)) for name in GUIDES)
    lines = (f"pkdp examples --guide {name:<16} {title[1]}" for name, title in titles if title)
    text = guide(topic) if topic else "\n".join(lines)
    return Reply(lambda: text, tuple, instead=dict.fromkeys(FORMATS, lambda: [text]))


def _all_examples() -> list[Example]:
    """Return all bundled models, folder by folder."""
    return [
        Example(short_name(full), full.rpartition("/")[0], file, tables_of(file_text(file), str(file)))
        for full, file in bundled().items()
    ]


def _folders(listed: Sequence[Example]) -> Iterator[Sheet | str]:
    """Yield how many models each folder has, and one to begin with; then what to type."""
    rows = []
    for folder, group in groupby(listed, lambda example: example.folder.partition("/")[0]):
        members = list(group)
        rows.append((folder, str(len(members)), FOLDERS[folder], members[0].name))
    title = f"{plural(len(listed), 'model')} that come with the program"
    yield Sheet(title, ("folder", "models", "what they show", "such as"), tuple(rows))
    yield "The models of one: pkdp examples DMKB20. All: pkdp examples --all. Decide one: pkdp check NAME."


def _lines(listed: Sequence[Example]) -> Iterator[str]:
    """Yield a line for each folder, and for each model its name, title, source and size; no name is broken."""
    column = max(len(example.name) for example in listed) + 4
    for folder, group in groupby(listed, lambda example: example.folder):
        members = list(group)
        yield f"{folder}: {plural(len(members), 'model')}"
        for example in members:
            facts = "; ".join(fact for fact in (example.source, example.size) if fact)
            yield wrapped(f"{example.title} ({facts})", f"  {example.name:<{column - 2}}", " " * column)
    yield "\nDecide one: pkdp check NAME. Copy one to edit: pkdp examples --copy NAME."


def _sheets(listed: Sequence[Example]) -> list[Sheet]:
    """Return one table for each folder."""
    columns = ("name", "title", "belongs to", "size")
    sheets = []
    for folder, group in groupby(listed, lambda example: example.folder):
        rows = tuple((example.name, example.title, example.source or NO_VALUE, example.size) for example in group)
        sheets.append(Sheet(f"{folder}: {plural(len(rows), 'model')}", columns, rows, keys=(("folder", folder),)))
    return sheets


def _copy(name: str, folder: Path) -> Reply:
    """Write a copy of a bundled model; a file that exists is never replaced.

    Raises:
        InputError: for an unknown name, and where the file exists already.

    """
    file = bundled_file(name)
    refuse_folder(folder, "--to")
    copy = folder / file.name
    refuse_taken(copy, "--copy", wanted="a folder without it", tip="--to DIR")
    write_whole(copy, file_text(file))
    text = f"wrote {copy}\nDecide it: pkdp check {copy}"
    return Reply(lambda: {"copied": name, "file": str(copy)}, list, instead=dict.fromkeys(FORMATS, lambda: [text]))
