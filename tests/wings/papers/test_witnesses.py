"""Models that refute a statement about every record protect every record; each again from the definitions alone."""

from __future__ import annotations

import pytest

import verifier as pk
from verifier.errors import InputError
from verifier.model.library import models_folder
from verifier.wings.implications import table as relation_table
from verifier.wings.implications.facts import CLAIMS
from verifier.wings.implications.table import relations


def test_dp_of_some_records_gives_no_epsilon_of_np() -> None:
    model = pk.read(models_folder() / "restricted" / "copy-published.toml")
    held, failed = (pk.check(model, name) for name in ("dp", "np"))
    assert (held.restricted_verdict, str(held.tight_epsilon)) == ("holds, restricted to record 0", "0")
    assert (failed.restricted_verdict, str(failed.tight_epsilon)) == ("fails, restricted to record 0", "inf")


def test_no_model_that_separates_restricts_the_records() -> None:
    found = relations()
    used = {cell.fact.path for table in (found.pure, found.approximate) for cell in table.values() if cell.fact}
    named = {claim.model for claim in CLAIMS if claim.model}
    for path in sorted(used | named):
        assert not pk.read(models_folder() / path).restriction, path


def test_a_restricted_model_is_refused_as_evidence() -> None:
    path = models_folder() / "restricted" / "copy-published.toml"
    with pytest.raises(InputError, match=r"this model is restricted to record 0; wanted a model without \[sensitive\]"):
        relation_table.fact(path, ("dp", "np"))
