"""The kinds of mechanisms and of steps on the page: what their forms are made of, and the keys of a first one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verifier.errors import InputError
from verifier.model.forms import Key, Kind, make_domain
from verifier.model.keys import Keys, Location
from verifier.model.read import MAX_RECORDS
from verifier.model.read_mechanism import KINDS
from verifier.model.steps import STEPS
from verifier.numbers import shorten
from verifier.wings.explore.document import tables_from
from verifier.wings.explore.request_fields import RequestFields, field_of


def _key(key: Key) -> dict[str, Any]:
    """A key with the schema of its value, and the keys that may be there in its place.

    `otherwise` is the value where it is left out, null where there is none.
    """
    return {
        "name": key.name,
        "instead": list(map(_key, key.ways[1:])) if key.ways[1:] else None,
        "meaning": key.meaning,
        "schema": key.form.schema,
        "required": key.required,
        "otherwise": None if key.required else key.default,
    }


def kinds_json(kinds: Mapping[str, Kind]) -> str:
    """Each kind with its title, its output in words, where `{key}` is the value of a key, and its keys, as JSON."""
    declared = {
        kind.name: {"title": kind.title, "output": kind.output, "keys": list(map(_key, kind.keys))}
        for kind in kinds.values()
    }
    return json.dumps(declared, ensure_ascii=False)


def first_keys(fields: RequestFields) -> dict[str, Any]:
    """The keys of a first mechanism of a kind, or with `step` of a first step, for the document's values and size.

    Raises:
        InputError: for a name of no kind, and for a document whose values or size are none.
        LimitError: for more records than a model may have.

    """
    document, kinds = tables_from(fields.get("document")), STEPS if fields.get("step") else KINDS
    kind = fields.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"{shorten(kind)} is unknown", where=field_of("kind"), wanted=f"one of {', '.join(kinds)}")
    keys = Keys(document, Location(""))
    values = keys.take("values")
    domain = make_domain(values, keys.take("size"), keys.location, MAX_RECORDS)
    return {"keys": dict(kinds[kind].example(values, domain.size))}
