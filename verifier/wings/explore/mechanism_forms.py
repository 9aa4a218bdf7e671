"""The kinds of mechanisms and of steps on the page: what their forms are made of, and the keys of a first one."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from verifier.errors import InputError
from verifier.model.document import tables_from
from verifier.model.forms import Key, Kind, make_domain
from verifier.model.keys import Keys, Location
from verifier.model.read import MAX_RECORDS
from verifier.model.read_mechanism import KINDS
from verifier.model.rules import named_rules
from verifier.model.steps import STEPS
from verifier.numbers import shorten
from verifier.wings.explore.request_fields import RequestFields, field_of


def _key(key: Key) -> dict[str, Any]:
    """A key with the schema of its value, and the keys that may be there in its place.

    `otherwise` is the value where it is left out, null where there is none.
    """
    return {
        "name": key.name,
        "instead": list(map(_key, key.ways[1:])) if key.ways[1:] else None,
        "meaning": re.sub(r"`([^`]*)`", r"“\1”", key.meaning),
        "schema": key.form.schema,
        "required": key.required,
        "otherwise": None if key.required else key.default,
    }


def kinds_json(kinds: Mapping[str, Kind]) -> str:
    """Each kind with its title, its output in words, where `{key}` is the value of a key, and its keys, as JSON.

    What a key means is for labels, where code stands in quotation marks.
    """
    declared = {
        kind.name: {"title": kind.title, "output": kind.output, "keys": list(map(_key, kind.keys))}
        for kind in kinds.values()
    }
    return json.dumps(declared, ensure_ascii=False)


@cache
def templates() -> dict[str, dict[str, str]]:
    """The templates of programs by name, each with its title and its program."""
    text = files("verifier.wings.explore").joinpath("program_templates.toml").read_text(encoding="utf-8")
    return {found.pop("name"): found for found in tomllib.loads(text)["template"]}


def templates_json() -> str:
    """The titles of the templates of programs by name, as JSON."""
    return json.dumps({name: found["title"] for name, found in templates().items()}, ensure_ascii=False)


def rules_json() -> str:
    """The titles of the rules of publication that a table of one count can have, by how a model file names them.

    Rules about several counts, and those that need a file, are left out.
    """
    rules = [rule for rule in named_rules().values() if not (rule.refused or rule.table or rule.key == "histogram")]
    named = {rule.key if rule.noise else rule.words or rule.write: rule.title for rule in rules}
    return json.dumps({name: title for name, title in named.items() if "cell-key" not in name}, ensure_ascii=False)


def from_template(name: str, values: Sequence[Any]) -> str:
    """The program of a template for the values of a model.

    >>> print(from_template("noisy-count", ["no", "yes"]), end="")
    def noisy_count(db, rng):
        return db.count("yes") + rng.geometric_noise("1/2")
    """
    words = {"VALUES": f"[{', '.join(map(_spelled, values))}]", "VALUE": _spelled(values[-1])}
    return re.sub(r"\bVALUES?\b", lambda found: words[found[0]], templates()[name]["program"])


def _spelled(value: Any) -> str:
    """A value as a program spells it."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def first_keys(fields: RequestFields) -> dict[str, Any]:
    """The keys of a first mechanism of a kind, or with `step` of a first step, for the document's values and size.

    The kind "program" is a program by its `template`.

    Raises:
        InputError: for a name of no kind or template, and for a document whose values or size are none.
        LimitError: for more records than a model may have.

    """
    document, kinds = tables_from(fields.get("document")), STEPS if fields.get("step") else KINDS
    kind = _one_of(fields, "kind", [*kinds, *(["program"] if kinds is KINDS else [])])
    template = _one_of(fields, "template", list(templates())) if kind == "program" else ""
    keys = Keys(document, Location(""))
    values = keys.take("values")
    domain = make_domain(values, keys.take("size"), keys.location, MAX_RECORDS)
    if template:
        return {"keys": {"program": from_template(template, values)}}
    return {"keys": dict(kinds[kind].example(values, domain.size))}


def _one_of(fields: RequestFields, name: str, known: Sequence[str]) -> str:
    """The word of a field, one of the known ones."""
    word = fields.get(name)
    if not isinstance(word, str) or word not in known:
        raise InputError(f"{shorten(word)} is unknown", where=field_of(name), wanted=f"one of {', '.join(known)}")
    return word
