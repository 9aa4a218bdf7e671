"""The pass over the scope: what it draws, what it keeps, and where it stops."""

from __future__ import annotations

import pytest

from verifier.model import loads, read
from verifier.model.library import models_folder
from verifier.wings.exchange.rate import rows_by_definition
from verifier.wings.implications.facts import LEVELS, SAME, SOME
from verifier.wings.implications.matrix import build as matrix_build
from verifier.wings.implications.matrix.build import (
    AllMechanisms,
    bundled,
    drawn,
    families,
    fits,
    looked_at,
    promises,
    scope,
    small_cover,
)
from verifier.wings.implications.matrix.matrix import CoverModel, cover, separated

ROOT = models_folder()


def test_the_kept_models_are_those_that_are_drawn() -> None:
    texts = {f"matrix/{each.name}-{k}": drawn(each, k) for each in families() for k in range(each.number)}
    kept = {model.name: model for model in cover().models}
    found = sorted(path.relative_to(ROOT).as_posix().removesuffix(".toml") for path in (ROOT / "matrix").glob("*.toml"))
    assert set(found) == {name for name in kept if name.startswith("matrix/")}
    for name in found:
        if name in texts:
            assert (ROOT / f"{name}.toml").read_text(encoding="utf-8") == texts[name] + promises(kept[name])
        else:
            assert name.startswith("matrix/extreme-")


def test_the_scope() -> None:
    names = dict(bundled())
    assert "atlas/one-coin" in names
    assert not any(model.restriction for model in names.values())
    assert not fits(read(ROOT / "LQS12" / "theorem-3.9-twenty.toml"))
    assert all(fits(loads(drawn(family, 0))) for family in families())
    assert scope()["deltas"][0] == "0"


def test_what_is_kept_separates_all_that_there_is() -> None:
    listed = list(cover().models)[:12]
    kept = small_cover([*listed, *(CoverModel(f"again {model.name}", model.values) for model in listed)], bool)
    for level in LEVELS:
        every = set().union(*(separated(model.values, level) for model in listed))
        assert every == set().union(*(separated(model.values, level) for model in kept))
    assert len(kept) <= len(listed)


def test_a_model_that_contradicts_what_is_proved_stops_the_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    model = read(ROOT / "atlas" / "one-coin.toml")
    (right,) = looked_at([("one-coin", model)])
    assert right.values["0"]["klpr"] == "1/2*ln(64/15)"
    monkeypatch.setattr(matrix_build, "values_of", lambda *_args, **_more: {"dp-any": "ln(2)", "klpr": "ln(3)"})
    with pytest.raises(ArithmeticError, match=r"one-coin contradicts dp-any ⟹ klpr at δ = 0: ln\(2\), then ln\(3\)"):
        list(looked_at([("one-coin", model)]))


def test_all_mechanisms_on_a_shape() -> None:
    """One pair that holds of every mechanism, and one that an extreme mechanism refutes, which is kept as a model."""
    family = families()[0]
    text = next(text for k in range(20) if len(loads(text := drawn(family, k)).values) == 2 and loads(text).size == 1)
    assert len(rows_by_definition(loads(text), ("dp", "flpr"))) == 2
    missing = {("bodp", "flpr"), ("gcdp-km", "flpr"), ("npr", "flpr")}
    asked = AllMechanisms({SOME: set(missing), SAME: set(missing)})
    asked.look("shape", text)
    assert ("bodp", "flpr") in asked.complete[SAME]
    assert asked.complete[SAME] <= asked.complete[SOME]
    for model in asked.values:
        assert separated(model.values, SAME) & missing
