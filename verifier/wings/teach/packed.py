"""Tables as deflated JSON in the letters of an address: models in links, answers in codes. Both are hostile input."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl

from verifier.errors import InputError
from verifier.model.document import Document, tables_from
from verifier.model.table_files import read_json

LETTERS = re.compile(r"[A-Za-z0-9_-]+")
MOST_LINK = 64 << 10
"""Most characters of a link."""
MOST_DOCUMENT = 1 << 20
"""Most bytes of the model in a link."""


def canonical(value: Any) -> bytes:
    """The bytes of a value, whatever the order of its keys.

    >>> canonical({"b": 1, "a": "ε"}).decode()
    '{"a":"ε","b":1}'
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def identity_of(document: Document) -> str:
    """The name of a document: the first twelve digits of the SHA-256 of all that it says."""
    return sha256(canonical(document)).hexdigest()[:12]


def packed(content: bytes) -> str:
    """Bytes, deflated, in letters that need no escape in an address.

    >>> packed(b"{}")
    'q64FAA'
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(packer.compress(content) + packer.flush()).decode().rstrip("=")


def unpacked(letters: str, most: int, where: str) -> Any:
    """The JSON value that `packed` letters hold.

    Raises:
        InputError: for other letters, what is cut off, and more than `most` bytes, which are not unpacked.

    """
    damaged = InputError("the letters are damaged or cut off", where=where, wanted="all of it, as it was copied")
    if not LETTERS.fullmatch(letters):
        raise damaged
    reader = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = reader.decompress(urlsafe_b64decode(letters + "=" * (-len(letters) % 4)), most)
    except (ValueError, zlib.error):
        raise damaged from None
    if reader.unconsumed_tail:
        raise InputError("it holds too much", where=where, wanted=f"at most {most:,} bytes")
    if not reader.eof:
        raise damaged
    try:
        return read_json(content.decode(), where)
    except UnicodeDecodeError:
        raise damaged from None


def document_in(link: str) -> Document:
    """The document in a link of the explorer (`…#m=…`).

    Raises:
        InputError: for a link without a model, and for one that is damaged or holds too much.

    """
    where = f"link {link[:40]}…"
    if len(link) > MOST_LINK:
        raise InputError(f"the link has {len(link):,} characters", where=where, wanted=f"at most {MOST_LINK:,}")
    letters = dict(parse_qsl(link.partition("#")[2])).get("m")
    if not letters:
        raise InputError("the link holds no model", where=where, wanted="a link that the explorer copied")
    try:
        return tables_from(unpacked(letters, MOST_DOCUMENT, where))
    except InputError as error:
        raise error.within(where) if where not in error.where else error from None
