"""Models in which a statement is true, or is not: the small ones of a scope in order, or the bundled ones.

Each request goes on where the last one stopped, for part of a second: the page shows how far it is, and can stop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import islice
from time import monotonic_ns
from typing import Any

from verifier.errors import InputError, LimitError, PkdpError
from verifier.model.bundled import bundled
from verifier.model.document import document_of
from verifier.model.read import file_text as text_of_file
from verifier.model.read import tables_of
from verifier.numbers import exact_text, plural, shorten
from verifier.questions.language import statement
from verifier.questions.statement import MAX_DIGITS, Has, Holds, Scaled, atoms
from verifier.wings.explore.open_documents import OpenDocuments
from verifier.wings.explore.request_fields import RequestFields, field_of, text_or_none
from verifier.wings.search import layers, one_by_one
from verifier.wings.search.atom_verdicts import Facts
from verifier.wings.search.candidate import Candidate
from verifier.wings.search.file import file_text
from verifier.wings.search.orbits import count
from verifier.wings.search.question import SearchQuestion, question_of
from verifier.wings.search.scope import MAX_MODELS, Scope
from verifier.wings.search.shards import shards
from verifier.wings.search.statement_truth import Truth, assigned, decide, value_text

BUDGET = 300_000_000
"""Nanoseconds of one request, after which it stops at the next model."""
AFTER = 1 << 31
"""The number of a shard that stands for what comes after all of them: the sizes that can be larger."""
SIZES = ("records", "values", "outputs", "knowledge", "weights", "mechanism_weights")
Answer = dict[str, Any]


def found_of(fields: RequestFields) -> Answer:
    """The models that are found next: `found`, where to go on (`at`, null at the end), and how many were looked at.

    Each has the definitions of the statement as they were `claimed`: with their numbers, and the verdict. `open` has
    the models that were not decided, with the reason. Once all were looked at, `raise` has sizes that can be larger:
    the answers from then on have each of them once.

    The fields are `statement`; `truth`, `true` or `false`; `among`, `small` or `examples`; `sizes`, the largest numbers
    of records and so on; `at` of the last answer, null to begin.

    Raises:
        InputError: for a field that is none.
        LimitError: for a scope that is too large to be looked through.

    """
    truth, among = (_one_of(fields, *words) for words in (("truth", "true", "false"), ("among", "small", "examples")))
    text = text_or_none(fields, "statement")
    if text is None:
        raise InputError("there is no statement", where=field_of("statement"), wanted="such as np(0) and not cdp")
    asked = statement(text, field_of("statement"))
    sizes, at = _sizes(fields.get("sizes")), _place(fields.get("at"))
    if among == "examples":
        limits = {name: size for name, size in sizes.items() if name in ("records", "values")}
        return _examples(SearchQuestion((asked,)) if truth == "true" else SearchQuestion((), asked), limits, at[0])
    scope = Scope(**sizes)
    return _small(
        question_of((asked,), None, None, scope) if truth == "true" else question_of((), None, asked, scope), at
    )


def _one_of(fields: RequestFields, name: str, *words: str) -> str:
    word = fields.get(name)
    if not isinstance(word, str) or word not in words:
        raise InputError(f"{shorten(word)} is unknown", where=field_of(name), wanted=" or ".join(words))
    return word


def _sizes(given: Any) -> dict[str, Any]:
    """The sizes that are given; a number that is left out is that of the usual scope."""
    if not isinstance(given, Mapping) or not set(given) <= set(SIZES):
        raise InputError("these are not sizes", where=field_of("sizes"), wanted=f"a table of {', '.join(SIZES)}")
    return {str(name): size for name, size in given.items() if size is not None}


def _place(given: Any) -> tuple[int, int]:
    """The place of the next model: the number of its shard, or of the example, and its number there."""
    if given is None:
        return 0, 0
    if not isinstance(given, list) or len(given) != 2 or any(type(k) is not int or k < 0 for k in given):
        raise InputError("this is not a place of a search", where=field_of("at"), wanted="what the last answer says")
    return given[0], given[1]


def _small(question: SearchQuestion, at: tuple[int, int]) -> Answer:
    """The next small model that answers; each is decided alone, whether numpy is there or not."""
    if question.scope.models > MAX_MODELS:
        raise _too_many()
    layers.admit(question.scope)
    size = count(question.scope, question.symmetry)
    if size.orbits > one_by_one.MOST:
        raise _too_many()
    until = monotonic_ns() + BUDGET
    looked = models = 0
    undecided: list[Answer] = []
    for place, candidate, alike in _candidates(question, at):
        if looked and monotonic_ns() > until:
            return _answer([], place, looked, models, undecided, asdict(size))
        looked += 1
        models += alike
        facts = Facts(question.model(candidate))
        truth = decide(question.claim, facts.model, facts=facts)
        answer = question.answers(truth)
        if answer is None:
            undecided.append({"which": looked, "reason": next(iter(facts.reasons), truth.reason)})
        if answer:
            after = place[0], place[1] + 1
            found = _entry(question, candidate, truth) | {"claimed": _claimed(question, truth, facts)}
            return _answer([found], after, looked, models, undecided, asdict(size))
    larger: list[Answer] = []
    begin = at[1] if at[0] == AFTER else 0
    for number, name in enumerate(SIZES[begin:], begin):
        if (looked or number > begin) and monotonic_ns() > until:
            return _answer([], (AFTER, number), looked, models, undecided, asdict(size)) | {"raise": larger}
        larger += _larger(question, name)
    return _answer([], None, looked, models, undecided, asdict(size)) | {"raise": larger}


def _larger(question: SearchQuestion, name: str) -> list[Answer]:
    """A size as one larger, with the number of models that there are then; none where these are too many."""
    more = getattr(question.scope, name) + 1
    try:
        scope = replace(question.scope, **{name: more})
        layers.admit(scope)
    except PkdpError:
        return []
    if scope.models > MAX_MODELS or (models := count(scope, question.symmetry).orbits) > one_by_one.MOST:
        return []
    return [{"name": name, "size": more, "models": models}]


def _claimed(question: SearchQuestion, truth: Truth, facts: Facts) -> list[Answer]:
    """The definitions and properties that the statement names, at the values found, each with its verdict.

    What the page can ask of the model itself has a `question`, by the fields of the page.
    """
    at_values = assigned(question.claim, dict(truth.values)) if truth.values else question.claim
    return [
        {"text": str(atom), "verdict": facts.verdict(atom), "question": _question(atom)}
        for atom in atoms(at_values)
        if isinstance(atom, Has) or not atom.variables
    ]


def _question(atom: Holds | Has) -> Answer | None:
    if isinstance(atom, Has) or atom.on or isinstance(atom.delta, Scaled) or isinstance(atom.epsilon, Scaled):
        return None
    return {
        "definition": atom.definition,
        "epsilon": "" if atom.epsilon is None else atom.epsilon.text(MAX_DIGITS),
        "delta": exact_text(atom.delta, MAX_DIGITS),
        "reading": None if atom.reading == "default" else atom.reading,
    }


def _too_many() -> LimitError:
    return LimitError(
        f"there are more than {one_by_one.MOST:,} such models, up to renaming",
        where=field_of("sizes"),
        wanted=f"at most {one_by_one.MOST:,} here",
        tip="ask for fewer records, values or outputs, or for larger steps; pkdp search looks at more",
    )


def _candidates(question: SearchQuestion, at: tuple[int, int]) -> Iterator[tuple[tuple[int, int], Candidate, int]]:
    """The models up to renaming from a place on, in order: each with its place, and how many it stands for."""
    first, begin = at
    if first == AFTER:
        return
    for shard in islice(shards(question), first, None):
        orbits = islice(one_by_one.orbits(question, shard), begin, None)
        for number, (theta, rows) in enumerate(orbits, begin):
            model = one_by_one.model_of(question, shard.layer, theta, rows)
            yield (shard.number, number), model, theta.size * rows.size
        begin = 0


def _entry(question: SearchQuestion, candidate: Candidate, truth: Truth) -> Answer:
    at = ", ".join(f"{name} = {value_text(value)}" for name, value in truth.values)
    asked = question if question.violated is not None else question.claim
    title = f"{asked}{', at ' if at else ''}{at}"
    return {"title": title, "document": document_of(file_text(candidate, title, "", (), question.policy))}


def _examples(question: SearchQuestion, most: Mapping[str, int], begin: int) -> Answer:
    """The models that come with the program and answer, as many as fit into one request."""
    until = monotonic_ns() + BUDGET
    names = sorted(bundled())
    found: list[Answer] = []
    undecided: list[Answer] = []
    for k, name in enumerate(names[begin:], begin):
        if k > begin and monotonic_ns() > until:
            return _answer(found, (k, 0), k - begin, k - begin, undecided, _both(len(names)))
        tables = tables_of(text_of_file(bundled()[name]), name)
        if not _fits(tables, most):
            continue
        try:
            facts = Facts(OpenDocuments().open(dict(tables)).model)
            truth = decide(question.claim, facts.model, facts=facts)
        except PkdpError as error:  # too large to be watched
            undecided.append({"which": name, "reason": str(error)})
            continue
        answer = question.answers(truth)
        if answer is None:
            undecided.append({"which": name, "reason": next(iter(facts.reasons), truth.reason)})
        if answer:
            title, note = str(tables.get("title", name)), f"{name} · {plural(tables['size'], 'record')}"
            found.append({"id": name, "title": title, "note": note, "claimed": _claimed(question, truth, facts)})
    looked = max(0, len(names) - begin)
    return _answer(found, None, looked, looked, undecided, _both(len(names)))


def _both(number: int) -> dict[str, int]:
    return {"models": number, "orbits": number}


def _fits(tables: Mapping[str, Any], most: Mapping[str, int]) -> bool:
    """Whether a model has one number of records, no parameters, and at most so many records and values."""
    if not isinstance(tables["size"], int) or "parameters" in tables:
        return False
    return tables["size"] <= most.get("records", tables["size"]) and len(tables["values"]) <= most.get(
        "values", len(tables["values"])
    )


def _answer(
    found: list[Answer],
    at: tuple[int, int] | None,
    looked: int,
    models: int,
    undecided: list[Answer],
    size: Mapping[str, int],
) -> Answer:
    return {
        "found": found,
        "at": None if at is None else list(at),
        "looked": looked,
        "models": models,
        "undecided": len(undecided),
        "open": undecided,
        "size": dict(size),
    }
