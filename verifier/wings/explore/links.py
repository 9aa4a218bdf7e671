"""Links that open a model in the explorer's page: the fragment after the `#` of its address."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from urllib.parse import urlencode

from verifier.errors import PkdpError
from verifier.model.bundled import bundled
from verifier.model.document import Document, document_of
from verifier.wings.teach.packed import packed

LONGEST = 30_000
"""Fragments of a link are shorter than this: some programs cut longer links (main.js, LONGEST_LINK)."""


def example_fragment(name: str) -> str:
    """The fragment that opens a model file of the package.

    >>> example_fragment("DMKB20/example-1-side")
    'example=DMKB20/example-1-side'
    """
    return urlencode({"example": name}, safe="/")


def model_fragment(document: Document, **question: str) -> str:
    """The fragment that holds a whole model, deflated, and the question about it by the keys of `link.js`.

    >>> model_fragment({"size": 1}, e="ln(2)").partition("m=")[0]
    'e=ln%282%29&'
    """
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return urlencode({**question, "m": packed(text)})


def explorer_link(page: str, text: str) -> str | None:
    """The link that opens the model of a file's text on the explorer's page at an address.

    A model file of the package is opened by its name, another one stands in the link. None for a text that the page
    cannot hold (it is no model file, or has integers from 2^53 on), and where the link would be too long to be sent.

    >>> str(explorer_link("explore/", "size = 1")).partition("m=")[0]
    'explore/#'
    >>> explorer_link("explore/", "size = 99999999999999999999") is None
    True
    """
    name = bundled_by_hash().get(sha256(text.encode()).hexdigest())
    try:
        fragment = model_fragment(document_of(text)) if name is None else example_fragment(name)
    except PkdpError:
        return None
    return f"{page}#{fragment}" if len(fragment) < LONGEST else None


@cache
def bundled_by_hash() -> dict[str, str]:
    """The names of the model files of the package by the SHA-256 of their texts."""
    return {sha256(path.read_bytes()).hexdigest(): name for name, path in bundled().items()}
