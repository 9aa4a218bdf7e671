"""The registry of bad input: everything that must be refused, and how."""

from __future__ import annotations

from . import (
    bad_attacks,
    bad_composition,
    bad_distributions,
    bad_families,
    bad_figures,
    bad_files,
    bad_finders,
    bad_mechanisms,
    bad_numbers,
    bad_properties,
    bad_questions,
    bad_relations,
    bad_searches,
    bad_sections,
    bad_sizes,
    bad_sources,
    bad_steps,
    bad_worst,
)

ENTRIES = (
    *bad_files.ENTRIES,
    *bad_attacks.ENTRIES,
    *bad_numbers.ENTRIES,
    *bad_distributions.ENTRIES,
    *bad_mechanisms.ENTRIES,
    *bad_steps.ENTRIES,
    *bad_composition.ENTRIES,
    *bad_sections.ENTRIES,
    *bad_questions.ENTRIES,
    *bad_searches.ENTRIES,
    *bad_finders.ENTRIES,
    *bad_sizes.ENTRIES,
    *bad_sources.ENTRIES,
    *bad_properties.ENTRIES,
    *bad_worst.ENTRIES,
    *bad_relations.ENTRIES,
    *bad_figures.ENTRIES,
    *bad_families.ENTRIES,
)
