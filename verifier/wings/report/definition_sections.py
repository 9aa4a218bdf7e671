"""The definitions and the conventions as a document: each formula with what it leaves open."""

from __future__ import annotations

from itertools import chain

from verifier.definitions import CONVENTIONS, DEFINITIONS, ON_REQUEST, Convention, Definition
from verifier.definitions.compared_kinds import Unlisted
from verifier.show.mathml import definition_formula
from verifier.show.sections import Aside, Document, Formula, Paragraph, Section, Strong, Terms, Text

PATH = "definitions.html"


def definitions_document() -> Document:
    """The page of every definition with its formula, source and readings; then of every convention with its source."""
    articles = tuple(map(_definition, chain(DEFINITIONS.values(), ON_REQUEST.values())))
    introduction = "The papers leave these questions open, and each can change a verdict. Here are our choices."
    conventions = tuple((convention.key, _convention(convention)) for convention in CONVENTIONS)
    keys = tuple(f"convention-{convention.key}" for convention in CONVENTIONS)
    return Document(
        path=PATH,
        title="Definitions and conventions",
        below=(
            Paragraph(
                "As they are decided: M is the mechanism, D the database, i a record, θ a distribution, B̂ a value of "
                "what the attacker knows.",
                "source",
            ),
        ),
        sections=(
            Section("Definitions", key="definitions", sections=articles),
            Section("Conventions", (Paragraph(introduction), Terms(conventions, long=True, keys=keys)), "conventions"),
        ),
        foot="A test holds each formula against the words in which the program states it.",
        filter="the definitions and conventions",
    )


def _definition(definition: Definition) -> Section:
    """One definition: where it is from, its formula, and what it leaves open."""
    aliases = ", ".join(f"`{alias}`" for alias in definition.aliases)
    source = definition.source + (f" · also {aliases}" if aliases else "")
    source += " · only by name" if definition.key in ON_REQUEST else ""
    composed = ""
    if not isinstance(definition.comparisons, Unlisted):
        composed = f"{definition.kind} distributions · {definition.measure.formula} · {definition.aggregation.formula}"
    notes = (
        ("composed of", composed),
        ("vacuous if", definition.vacuous),
        ("left open", definition.open),
        ("note", definition.note),
    )
    readings = ((f"`--reading {name}`", text) for name, text in definition.readings.items() if name != "default")
    terms = tuple((name, text) for name, text in (*notes, *readings) if text)
    return Section(
        f"`{definition.key}` {definition.title}",
        (
            Paragraph(definition.plainly),
            Paragraph(source, "source"),
            Formula(definition_formula(definition), definition.formula),
            *([Terms(terms)] if terms else []),
        ),
        key=definition.key,
        role="definition",
    )


def _convention(convention: Convention) -> Text:
    """The question, the choice, its source, and the other readings."""
    readings = (f" Other reading, `--reading {name}`: {text}." for name, text in convention.readings)
    return [
        Strong(convention.question),
        f" {convention.choice}. ",
        Aside(f"{convention.source}.", "because"),
        *readings,
    ]
