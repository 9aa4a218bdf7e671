"""Reading the ledger: one TOML file a claim, strictly."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.model.library import proofs_folder
from verifier.model.place import Keys, Place, integer, listed, string
from verifier.model.read import read_expectations
from verifier.numbers import shorten
from verifier.wings.papers.ledger.entry import (
    SHOWS,
    VERDICTS,
    Entry,
    Evidence,
    OfBound,
    OfDerivation,
    OfModel,
    OfProof,
    OfSearch,
    Reading,
    Unbound,
)

PAPERS = ("DMKB20", "DKM19", "D20", "LQS12")
KINDS = ("model", "search", "bound", "derivation", "proof")
TEXTS = ("found", "repaired", "tight", "scope")
COVERS = ("yes", "no")
FAILING = (OfModel, OfSearch, OfBound, OfDerivation)


def entries(paper: str | None = None) -> tuple[Entry, ...]:
    """All entries, paper by paper, in order.

    >>> all(entry.paper == "LQS12" for entry in entries("LQS12"))
    True

    Raises:
        InputError: for a paper that has none, and for a file that is none.

    """
    if paper is not None and paper not in PAPERS:
        raise InputError(f"given the paper {shorten(paper)}", wanted=f"one of {', '.join(PAPERS)}")
    found = []
    for one in PAPERS if paper is None else (paper,):
        files = sorted((proofs_folder() / one).glob("*.toml"))
        found += sorted((read_entry(file) for file in files), key=lambda entry: entry.order)
    return tuple(found)


def read_entry(path: Path) -> Entry:
    """One entry; what its verdicts need must be there.

    Raises:
        InputError: with the file, the place, what is given and what is wanted.

    """
    place = Place(f"{path.parent.name}/{path.name}")
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"given {error}", where=str(place), wanted="a TOML file") from None
    keys = Keys(table, place)
    claim, where, statement = (_text(keys, key) for key in ("claim", "place", "statement"))
    paper = path.parent.name
    readings = tuple(
        _reading(one, place.at(f"[[reading]] {number}"), paper)
        for number, one in enumerate(listed(keys.take("reading"), place, "[[reading]] tables"), start=1)
    )
    keys.done()
    entry = Entry(paper, path.stem, claim, where, statement, readings)
    _complete(entry, place)
    return entry


def _complete(entry: Entry, place: Place) -> None:
    """Every part has a reading as printed, and each reading has a name of its own."""
    names = [entry.key(one) for one in entry.readings]
    if len(set(names)) < len(names):
        raise InputError("given a reading twice", where=str(place), wanted="a part and a reading that are distinct")
    for part in dict.fromkeys(one.part for one in entry.readings):
        if not any(one.part == part and one.reading == "as printed" for one in entry.readings):
            said = f" of the part {part}" if part else ""
            raise InputError(f"no reading{said} is as printed", where=str(place), wanted='reading = "as printed"')
    if not entry.readings:
        raise InputError("given no reading", where=str(place), wanted="at least one [[reading]]")


def _text(keys: Keys, key: str, *, needed: bool = True) -> str:
    text = string(keys.take(key) if needed else keys.take(key, ""), keys.place.at(key), "a text", lines=True).strip()
    if needed and not text:
        raise InputError("given nothing", where=str(keys.place.at(key)), wanted="a text")
    return text


def _reading(given: object, place: Place, paper: str) -> Reading:
    keys = Keys(given, place)
    part = _text(keys, "part", needed=False)
    reading, means = _text(keys, "reading"), _text(keys, "means")
    verdict = _text(keys, "verdict")
    if verdict not in VERDICTS:
        raise InputError(f"given {shorten(verdict)}", where=str(place), wanted=f"one of {', '.join(VERDICTS)}")
    found, repaired, tight, scope = (_text(keys, key, needed=False) for key in TEXTS)
    pieces = listed(keys.take("evidence", []), place, "[[reading.evidence]] tables")
    evidence = tuple(_evidence(one, place.at(f"evidence {k}"), paper) for k, one in enumerate(pieces, start=1))
    given_unbound = listed(keys.take("unbound", []), place, "[[reading.unbound]] tables")
    unbound = tuple(_unbound(one, place.at(f"unbound {k}")) for k, one in enumerate(given_unbound, start=1))
    keys.done()
    made = Reading(part, reading, means, verdict, found, repaired, tight, scope, evidence, unbound)
    _supported(made, place)
    return made


def _supported(reading: Reading, place: Place) -> None:
    """Refuse a verdict without what it needs."""
    shown = {what: reading.showing(what) for what in SHOWS}

    def need(fine: object, wanted: str) -> None:
        if not fine:
            raise InputError(f"the verdict is {reading.verdict}", where=str(place), wanted=wanted)

    need(reading.found, "`found`, what was found in one to three sentences")
    broken = reading.verdict in {"refuted", "misprint"}
    if reading.verdict == "proved":
        need(any(isinstance(one, OfDerivation) for one in shown["claim"]), "a derivation that shows the claim")
    elif reading.verdict == "checked":
        need(any(isinstance(one, FAILING) for one in shown["claim"]), "a search, bound, model or derivation for it")
        need(reading.scope, "`scope`, what was exhausted")
    elif broken:
        need(any(isinstance(one, FAILING) for one in shown["failure"]), "evidence that shows the failure")
        need(reading.repaired, "`repaired`, the statement that holds, or `none: …`")
        need(reading.repaired.startswith("none:") or shown["repair"], "evidence that shows the repair")
    need(broken or not (reading.repaired or shown["failure"] or shown["repair"]), "a failure only where it fails")


def _unbound(given: object, place: Place) -> Unbound:
    """An exception: the words, and why nothing recorded has them."""
    keys = Keys(given, place)
    exception = Unbound(_text(keys, "says"), _text(keys, "because"))
    keys.done()
    return exception


def _evidence(given: object, place: Place, paper: str) -> Evidence:
    keys = Keys(given, place)
    shows = _text(keys, "shows")
    if shows not in SHOWS:
        raise InputError(f"given {shorten(shows)}", where=str(place), wanted=f"one of {', '.join(SHOWS)}")
    carried = listed(keys.take("carries", []), keys.place.at("carries"), 'a list, as in carries = ["for no ε"]')
    carries = tuple(string(words, keys.place.at("carries"), "words of a sentence") for words in carried)
    kind = keys.one_of(KINDS, "one kind of evidence a table")
    found = READERS[kind](keys, shows, paper)
    keys.done()
    return replace(found, carries=carries)


def _model(keys: Keys, shows: str, _: str) -> OfModel:
    name = _text(keys, "model")
    asks = read_expectations(keys.take("asks"), keys.place, "asks")
    if not asks:
        raise InputError("given no question", where=str(keys.place), wanted="`asks = [ … ]`")
    return OfModel(shows, name, asks, _text(keys, "restricted", needed=False))


def _search(keys: Keys, shows: str, _: str) -> OfSearch:
    asked: Any = keys.take("search")
    if not isinstance(asked, dict):
        raise InputError(f"given {shorten(asked)}", where=str(keys.place), wanted='search = { claim = "…", … }')
    return OfSearch(shows, asked, integer(keys.take("models"), keys.place, "a number of models", 1))


def _bound(keys: Keys, shows: str, _: str) -> OfBound:
    name, reading = _text(keys, "bound"), _text(keys, "reading", needed=False)
    inner = keys.take("given", {})
    if not isinstance(inner, dict):
        raise InputError(f"given {shorten(inner)}", where=str(keys.place), wanted='given = { n = ["2", "3"] }')
    given = {
        key: tuple(string(one, keys.place.at(key), "a number") for one in listed(texts, keys.place, "a list"))
        for key, texts in inner.items()
    }
    covers = _text(keys, "covers")
    if covers not in COVERS:
        raise InputError(f"given {shorten(covers)}", where=str(keys.place), wanted=f"covers: {' or '.join(COVERS)}")
    return OfBound(shows, name, reading, given, covers)


def _derivation(keys: Keys, shows: str, paper: str) -> OfDerivation:
    """A function of this paper's derivations, or of another's: `paper/module.function`."""
    text = _text(keys, "derivation")
    other, _, name = text.rpartition("/")
    module, dot, function = name.partition(".")
    if other not in {"", *PAPERS} or not dot or not module.isidentifier() or not function.isidentifier():
        raise InputError(f"given {text}", where=str(keys.place), wanted='"module.function"')
    return OfDerivation(shows, other or paper, module, function)


def _proof(keys: Keys, shows: str, _: str) -> OfProof:
    page, hash_, anchor = _text(keys, "proof").partition("#")
    if not hash_ or not page.endswith(".md"):
        raise InputError(f"given {page}", where=str(keys.place), wanted='"page.md#heading"')
    return OfProof(shows, page, anchor)


READERS: dict[str, Callable[[Keys, str, str], Evidence]] = {
    "model": _model,
    "search": _search,
    "bound": _bound,
    "derivation": _derivation,
    "proof": _proof,
}
