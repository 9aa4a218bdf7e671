"""The tables of DP22's definitions on the page of a model that has a `[policy]` or promises an answer about one."""

from __future__ import annotations

from verifier.definitions.atlas import atlas
from verifier.engine import Engine
from verifier.model import Model
from verifier.model.policy import NO_POLICY
from verifier.questions.atlas import atlas_of
from verifier.show.atlas import atlas_sheets
from verifier.show.sheet import Sheet


def speaks_of_atlas(model: Model) -> bool:
    """Whether a model has `[policy]`, or promises the answer of a definition that only the atlas has."""
    promised = {expectation.definition for expectation in model.expectations}
    return model.policy != NO_POLICY or not promised.isdisjoint(atlas.entries)


def model_atlas(model: Model, engine: Engine) -> tuple[Sheet, ...]:
    """The tables of `pkdp check --atlas`, one a dimension; none for a model that speaks of no definition of DP22."""
    return tuple(atlas_sheets(model, atlas_of(model, engine=engine))) if speaks_of_atlas(model) else ()
