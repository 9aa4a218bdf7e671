"""Links that want to harm the page: honest ones with slips, and what somebody would write who means it."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from urllib.parse import parse_qs, quote, urlencode

from verifier.wings.explore.routes import example

HONEST = (
    "DMKB20/example-7-five-voters",
    "DMKB20/example-4-repaired",
    "DMKB20/example-1-side",
    "DKM19/introduction-parity",
    "relations/randomized-response",
    "family/thresholded-referendum",
)
"""The models whose links are changed: tables, counts, what is known, and a family."""
SCRIPTS = (
    "<script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    "<svg onload='window.hit = 1'>",
    "<math><mtext><img src=x onerror='window.hit = 1'></mtext></math>",
    "javascript:window.hit=1",
    '"><script>window.hit = 1</script>',
    "${window.hit = 1}",
    "{{window.hit = 1}}",
    "</title><script>window.hit = 1</script>",
    "\\text{</math><script>window.hit = 1</script>}",
)
"""Texts that set `window.hit` where a page takes a name for markup or code."""
KEYS = ("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length", "then", "hit")
"""Names that every object of JavaScript has, or that mean something else there."""
NUMBERS = (0, -1, 1, 2**31, 2**53 - 1, 2**53, 10**30, 10**400, 0.1, 1e300)
EXACT = ("9" * 5_000, "1/0", "1/" + "9" * 3_000, "-1/2", "1e99999", "e^e^e^9", "NaN", "Infinity", "ln(ln(2))", "0x10")
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    [],
    {},
    "",
    " ",
    "\0",
    "\u202e",
    "\ud800",
    "a" * 10_000,
    [[[[]]]],
    {"a": {"a": {}}},
)
LETTERS = "AZaz09-_%&=<>\"'/\\ é"
BOMB = 64 << 20
"""Bytes that a link of some 90 kB wants unpacked."""
Mutation = Callable[[Random], str]


def hostile_links(count: int, seed: int) -> list[str]:
    """As many fragments, the same ones for the same seed; every kind is among them in turn."""
    chance = Random(seed)  # noqa: S311
    return [KINDS[(number + seed) % len(KINDS)](chance) for number in range(count)]


def mutation_of(number: int, seed: int) -> str:
    """The kind of a link by its number among those of a seed."""
    return KINDS[(number + seed) % len(KINDS)].__name__


def bombs() -> list[str]:
    """Links of some 90 kB that hold much more: blanks, letters, zeros, lists in lists, a text that never ends."""
    inside = (b"[" * BOMB, b" " * BOMB, b'{"title":"' + b"a" * BOMB, b"[" + b"0," * (BOMB // 2))
    endless = (b'"' + b'\\"' * (1 << 20), b'{"' + b'\\\\\\"' * (1 << 19), b"-" * (1 << 21), b"1" * (1 << 21))
    return [f"m={packed(text)}" for text in (*inside, *endless)]


def packed(text: bytes) -> str:
    """What `m=` of a link says: a text, deflated; it need be no model."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(packer.compress(text) + packer.flush()).decode().rstrip("=")


def _link(document: dict[str, Any], **question: str) -> str:
    """The link of a model that need be none: also of one with half a letter in a name."""
    return urlencode({**question, "m": packed(json.dumps(document).encode())})


def _document(chance: Random) -> dict[str, Any]:
    document: dict[str, Any] = example(chance.choice(HONEST))["document"]
    return json.loads(json.dumps(document))  # type: ignore[no-any-return]


def _honest(chance: Random) -> str:
    return _link(_document(chance), d="np", e="ln(2)", delta="0", record="0")


def _slip(chance: Random) -> str:
    """Letters are lost, doubled or changed."""
    letters = list(_honest(chance))
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(letters))
        letters[place : place + chance.choice((0, 1, 1, 9))] = [chance.choice(LETTERS)] * chance.choice((0, 1, 1, 30))
    return "".join(letters)


def _cut(chance: Random) -> str:
    """A program has cut the link off."""
    fragment = _honest(chance)
    return fragment[: chance.randrange(len(fragment))]


def _bits(chance: Random) -> str:
    """Bits of what is packed are the other way round."""
    packed = parse_qs(_honest(chance))["m"][0]
    content = bytearray(urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    for _ in range(chance.randint(1, 3)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return f"m={urlsafe_b64encode(content).decode().rstrip('=')}"


def _text(chance: Random) -> str:
    """Letters of the JSON text are others, packed well."""
    letters = list(json.dumps(_document(chance), separators=(",", ":")))
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(letters))
        letters[place : place + chance.choice((0, 1, 5))] = [chance.choice('{}[]",:0129/ae\\é')]
    return f"m={packed(''.join(letters).encode())}"


def _base64(chance: Random) -> str:
    """What is packed is nothing that was packed, or is packed otherwise."""
    text = json.dumps(_document(chance)).encode()
    noise = chance.randbytes(chance.randint(0, 200))
    content = chance.choice((text, zlib.compress(text), noise, packed(text).encode(), text + noise))
    return f"m={quote(urlsafe_b64encode(content).decode())}{chance.choice(('', '=', '====', '&m=AAAA', '%00'))}"


def _deep(chance: Random) -> str:
    """Lists in lists, anywhere in the model."""
    document, levels = _document(chance), chance.choice((50, 99, 101, 2_000, 30_000))
    document[chance.choice(list(document))] = "HERE"
    nested = "[" * levels + "]" * levels if chance.random() < 1 / 2 else '{"a":' * levels + "0" + "}" * levels
    return f"m={packed(json.dumps(document).replace(json.dumps('HERE'), nested).encode())}"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document: what holds it, and its key."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield value, key
        yield from _places(entry)


def _changed(chance: Random) -> str:
    """A model of which some values are others, or have other names."""
    document = _document(chance)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(document))
        if not places:
            break
        holder, key = chance.choice(places)
        new = chance.choice((*ODD, *NUMBERS, *EXACT, *SCRIPTS))
        if isinstance(holder, dict) and chance.random() < 1 / 3:
            holder[chance.choice((*KEYS, *SCRIPTS))] = holder.pop(key)
        else:
            holder[key] = new
    return _link(document, d=chance.choice(("np", "ddp", "no such", SCRIPTS[0])))


def _renamed(chance: Random) -> str:
    """A name is a script, or a name that every object has, wherever it stands: mostly the model is a good one."""
    document = _document(chance)
    names = [value for value in document.get("values", []) if isinstance(value, str)]
    old = chance.choice([*names, document.get("title", "")])
    new = chance.choice((*SCRIPTS, *KEYS))
    document["notes"] = new
    text = json.dumps(document).replace(json.dumps(old), json.dumps(new))
    return _link(json.loads(text), d="np", e="ln(2)")


def _large(chance: Random) -> str:
    """A model with much more of something than anybody looks at."""
    document = _document(chance)
    count = chance.choice((300, 3_000, 30_000))
    kind = chance.randrange(5)
    if kind == 0:
        document["values"] = [f"v{number}" for number in range(count)]
    elif kind == 1:
        document["size"] = chance.choice((10**6, 10**15, 4_096))
    elif kind == 2:
        document["mechanism"] = {
            "otherwise": "a",
            "table": [{"database": [0], "outputs": {f"o{k}": "0" for k in range(count)}}],
        }
    elif kind == 3:
        document["distribution"] = [{"iid": {f"v{number}": "0" for number in range(count)}}]
    else:
        document["distribution"] = [{"name": f"d{number}", "iid": {"a": "1"}} for number in range(count // 10)]
    return _link(document)


def _asked(chance: Random) -> str:
    """A good model, and a question that is none."""
    odd = (*SCRIPTS, *KEYS, *EXACT, "", "null", "[]", "9" * 400, "-1", "{}")
    names = ("d", "e", "delta", "r", "dimension", "record", "set", "example", "m", "__proto__")
    question = {name: chance.choice(odd) for name in chance.sample(names, chance.randint(1, 4))}
    if chance.random() < 1 / 2:
        value = chance.choice((*ODD, *SCRIPTS, "1/2"))
        question["set"] = json.dumps({chance.choice((*KEYS, "p")): value})
    return f"{_honest(chance)}&{urlencode(question, errors='replace')}"[: chance.choice((10**6, 10**6, 2_000))]


def _first(chance: Random) -> str:
    """The question before the model, so that its fields count."""
    question = {name: chance.choice((*SCRIPTS, *KEYS, *EXACT)) for name in ("d", "e", "delta", "dimension")}
    return _link(_document(chance), **question)


def _example(chance: Random) -> str:
    """The name of an example that there is not."""
    names = ("../../etc/passwd", "/etc/passwd", "DMKB20/../DMKB20/example-2-identity", "a" * 5_000, "", "\0", "é")
    return urlencode({"example": chance.choice((*names, *SCRIPTS, *KEYS))})


KINDS: tuple[Mutation, ...] = (
    _slip, _cut, _bits, _text, _base64, _deep, _changed, _changed, _renamed, _large, _asked, _first, _example,
)  # fmt: skip
