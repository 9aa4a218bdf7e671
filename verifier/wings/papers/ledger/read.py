"""The strict reader of the ledger: one TOML file for each claim."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from verifier.errors import InputError
from verifier.model.keys import Keys, Location, integer, listed, string
from verifier.model.library import proofs_folder
from verifier.model.read import read_expectations
from verifier.numbers import shorten
from verifier.wings.papers.ledger import criterion
from verifier.wings.papers.ledger.entry import (
    FAILING,
    LABELS,
    NOTE,
    ONE,
    SHOWS,
    VERDICTS,
    ClaimReading,
    Entry,
    Evidence,
    OfBound,
    OfDerivation,
    OfModel,
    OfProof,
    OfSearch,
    OfTheorem,
)

PAPERS = ("DMKB20", "DKM19", "D20", "LQS12", "DP22")
TEXTS = ("found", "repaired", "tight", "scope")
COVERS = ("yes", "no")
PROVING = (OfDerivation, OfTheorem)
DECIDING = (OfModel, OfSearch, OfBound, *PROVING)


def entries(paper: str | None = None) -> tuple[Entry, ...]:
    """The entries of one paper, or of all papers in order.

    >>> all(entry.paper == "LQS12" for entry in entries("LQS12"))
    True

    Raises:
        InputError: for an unknown paper, and for an invalid file.

    """
    if paper is not None and paper not in PAPERS:
        raise InputError(f"the paper {shorten(paper)} is unknown", wanted=f"one of {', '.join(PAPERS)}")
    read_entries = []
    for paper_key in PAPERS if paper is None else (paper,):
        files = sorted((proofs_folder() / paper_key).glob("*.toml"))
        read_entries += sorted((read_entry(file) for file in files), key=lambda entry: entry.order)
    return tuple(read_entries)


def read_entry(path: Path) -> Entry:
    """Read the entry of a TOML file.

    Raises:
        InputError: for an invalid file, with the key, and where the evidence that a verdict needs is not there.

    """
    keys = keys_of(path)
    claim, where, statement = (text_of(keys, key) for key in ("claim", "place", "statement"))
    paper = path.parent.name
    tables = tables_in(keys, "[[reading]]", "[[reading]]", keys.take("reading"))
    readings = tuple(_reading(table, paper) for table in tables)
    keys.done()
    entry = Entry(paper, path.stem, claim, where, statement, readings)
    _complete(entry, keys.location)
    return entry


def keys_of(path: Path) -> Keys:
    """The keys of a TOML file of the ledger.

    Raises:
        InputError: for a file that cannot be read, or is no TOML.

    """
    location = Location(f"{path.parent.name}/{path.name}")
    try:
        return Keys(tomllib.loads(path.read_text(encoding="utf-8")), location)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"the text is not valid TOML: {error}", where=str(location), wanted="a TOML file") from None


def tables_in(keys: Keys, name: str, kind: str, given: object) -> list[Keys]:
    """The keys of each table of a list of tables, which are called `name` and a number; `kind` is as TOML has it.

    Raises:
        InputError: where it is no list, or has something else than tables.

    """
    return [
        Keys(table, keys.location.at(f"{name} {number}"))
        for number, table in enumerate(listed(given, keys.location, f"{kind} tables"), start=1)
    ]


def one_of(text: str, known: Iterable[str], location: Location) -> str:
    """The text, which is one of the known ones.

    Raises:
        InputError: where it is none of them.

    """
    if text not in known:
        raise InputError(f"{shorten(text)} is unknown", where=str(location), wanted=f"one of {', '.join(known)}")
    return text


def _complete(entry: Entry, location: Location) -> None:
    """Refuse an entry without a reading, with two readings of one name, or with a label that breaks the criterion."""
    names = [entry.key(reading) for reading in entry.readings]
    if len(set(names)) < len(names):
        raise InputError(
            "a reading is given twice", where=str(location), wanted="a part and a reading that are distinct"
        )
    if not entry.readings:
        raise InputError("there is no reading", where=str(location), wanted="at least one [[reading]]")
    criterion.refuse(entry, location)


def text_of(keys: Keys, key: str, *, needed: bool = True) -> str:
    """The text of a key, which must not be empty where it is needed.

    Raises:
        InputError: for what is no text, and where a needed one is empty.

    """
    text = string(keys.take(key) if needed else keys.take(key, ""), keys.location.at(key), "a text", lines=True).strip()
    if needed and not text:
        raise InputError("the text is empty", where=str(keys.location.at(key)), wanted="a text")
    return text


def texts_of(keys: Keys, key: str, kind: str) -> tuple[str, ...]:
    """The texts of a list, which is empty where the key is left out."""
    return tuple(
        string(text, keys.location.at(key), "a text")
        for text in listed(keys.take(key, []), keys.location.at(key), kind)
    )


def _reading(keys: Keys, paper: str) -> ClaimReading:
    part = text_of(keys, "part", needed=False)
    reading, means = text_of(keys, "reading"), text_of(keys, "means")
    label = text_of(keys, "label", needed=False) or (reading if reading in LABELS else "")
    because, edge, quote, cases = (text_of(keys, key, needed=False) for key in ("because", "edge", "quote", "cases"))
    signs = texts_of(keys, "signs", 'a list, as in signs = ["apkdp ≻ ppkdp"]')
    verdict = text_of(keys, "verdict", needed=label != NOTE)
    if label != NOTE:
        one_of(verdict, VERDICTS, keys.location)
    finding, repaired, tight, scope = (text_of(keys, key, needed=False) for key in TEXTS)
    pieces = tables_in(keys, "evidence", "[[reading.evidence]]", keys.take("evidence", []))
    evidence = tuple(_evidence(piece, paper) for piece in pieces)
    keys.done()
    claim_reading = ClaimReading(
        part, reading, means, verdict, finding, repaired, tight, scope, evidence, label, because, edge, quote,
        cases, signs,
    )  # fmt: skip
    _supported(claim_reading, keys.location)
    return claim_reading


def _supported(reading: ClaimReading, location: Location) -> None:
    """Refuse a verdict without the evidence that it needs."""
    shown_by = {purpose: reading.showing(purpose) for purpose in SHOWS}

    def need(fine: object, wanted: str) -> None:
        if not fine:
            raise InputError(f"the verdict is {reading.verdict}", where=str(location), wanted=wanted)

    need(reading.found, "`found`, what was found in one to three sentences")
    broken = reading.verdict in FAILING
    if reading.verdict == "proved":
        proving = (*PROVING, OfModel) if reading.cases.startswith(ONE) else PROVING
        need(
            any(isinstance(evidence, proving) for evidence in shown_by["claim"]),
            f'a theorem or a derivation that shows the claim; or a model, with `cases = "{ONE}"`',
        )
    elif reading.verdict == "checked":
        need(
            any(isinstance(evidence, DECIDING) for evidence in shown_by["claim"]),
            "a search, bound, model, derivation or theorem for it",
        )
        need(reading.scope, "`scope`, what was exhausted")
    elif reading.verdict in {"refuted", "misprint"}:
        need(any(isinstance(evidence, DECIDING) for evidence in shown_by["failure"]), "evidence that shows the failure")
        need(reading.repaired, "`repaired`, the statement that holds, or `none: …`")
        need(reading.repaired.startswith("none:") or shown_by["repair"], "evidence that shows the repair")
    elif broken:
        need(reading.repaired, "`repaired`, how it is read here, or `none: …`")
    may_fail = broken or reading.label == NOTE
    is_plain = not (reading.repaired or shown_by["failure"] or shown_by["repair"])
    need(may_fail or is_plain, "a failure only where it fails")


def _evidence(keys: Keys, paper: str) -> Evidence:
    shows = one_of(text_of(keys, "shows"), SHOWS, keys.location)
    kind = keys.one_of(READERS, "one kind of evidence a table")
    evidence = READERS[kind](keys, shows, paper)
    keys.done()
    return evidence


def _model(keys: Keys, shows: str, _: str) -> OfModel:
    name = text_of(keys, "model")
    asks = read_expectations(keys.take("asks"), keys.location, "asks")
    if not asks:
        raise InputError("there is no question", where=str(keys.location), wanted="`asks = [ … ]`")
    return OfModel(shows, name, asks, text_of(keys, "restricted", needed=False))


def _search(keys: Keys, shows: str, _: str) -> OfSearch:
    parameters: Any = keys.take("search")
    if not isinstance(parameters, dict):
        raise InputError(
            f"{shorten(parameters)} are not the keys of a search",
            where=str(keys.location),
            wanted='search = { claim = "…", … }',
        )
    return OfSearch(shows, parameters, integer(keys.take("models"), keys.location, "a number of models", 1))


def _bound(keys: Keys, shows: str, _: str) -> OfBound:
    name, reading = text_of(keys, "bound"), text_of(keys, "reading", needed=False)
    inner = keys.take("given", {})
    if not isinstance(inner, dict):
        raise InputError(
            f"{shorten(inner)} is not a table of lists", where=str(keys.location), wanted='given = { n = ["2", "3"] }'
        )
    parameters = {
        key: tuple(
            string(number_text, keys.location.at(key), "a number")
            for number_text in listed(texts, keys.location, "a list")
        )
        for key, texts in inner.items()
    }
    covers = one_of(text_of(keys, "covers"), COVERS, keys.location.at("covers"))
    return OfBound(shows, name, reading, parameters, covers)


def _derivation(keys: Keys, shows: str, paper: str) -> OfDerivation:
    """A function of this paper's derivations, or of another's: `paper/module.function`."""
    text = text_of(keys, "derivation")
    other_paper, _, name = text.rpartition("/")
    module, dot, function = name.partition(".")
    if other_paper not in {"", *PAPERS} or not dot or not module.isidentifier() or not function.isidentifier():
        raise InputError(f"{text} is not a function", where=str(keys.location), wanted='"module.function"')
    return OfDerivation(shows, other_paper or paper, module, function)


def _theorem(keys: Keys, shows: str, _: str) -> OfTheorem:
    text = text_of(keys, "theorem")
    file, dot, name = text.partition(".")
    if not dot or not file.isidentifier() or not name.isidentifier():
        raise InputError(f"{text} is not a theorem", where=str(keys.location), wanted='"file.theorem"')
    return OfTheorem(shows, file, name)


def _proof(keys: Keys, shows: str, _: str) -> OfProof:
    page, hash_, anchor = text_of(keys, "proof").partition("#")
    if not hash_ or not page.endswith(".md"):
        raise InputError(f"{page} is not a heading", where=str(keys.location), wanted='"page.md#heading"')
    return OfProof(shows, page, anchor)


READERS: dict[str, Callable[[Keys, str, str], Evidence]] = {
    "model": _model,
    "search": _search,
    "bound": _bound,
    "derivation": _derivation,
    "theorem": _theorem,
    "proof": _proof,
}
