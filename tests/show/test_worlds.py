"""The drawing of worlds: every small model is drawn, area is probability, numbers are those that are decided."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from examined import at_least_one

import verifier as pk
from verifier.cli.main import run
from verifier.errors import UnsupportedError
from verifier.model.library import models_folder
from verifier.numbers import INFINITY, log_epsilon
from verifier.show.worlds.drawings import Layout, Worlds
from verifier.show.worlds.scene import MOST_TILES, Scene, Worst, largest, scene_of

SVG = "{http://www.w3.org/2000/svg}"
TWINS = {"table": [{"database": [0, 0], "probability": "1/2"}, {"database": [1, 1], "probability": "1/2"}]}
EVEN = pk.build(size=2, values=[0, 1], distribution=TWINS, mechanism={"kind": "parity", "value": 1})

EXAMPLE_4 = pk.read(models_folder() / "DMKB20" / "example-4-repaired.toml")


@cache
def models() -> dict[str, pk.Model]:
    """The bundled models with a distribution of at most 1,024 worlds."""
    found = {}
    for path in sorted(models_folder().rglob("*.toml")):
        try:
            model = pk.read(str(path))
        except UnsupportedError:  # a family
            continue
        if model.sizes is None and model.thetas and max(theta.count() for theta in model.thetas) <= 1 << 10:
            found[path.relative_to(models_folder()).as_posix()] = model
    return found


@cache
def scenes() -> dict[str, Scene]:
    found = {}
    for name, model in models().items():
        try:
            scene = scene_of(model)
            assert scene.outputs
        except UnsupportedError:
            continue
        if len(scene.tiles) <= MOST_TILES:
            found[name] = scene
    return found


def test_every_small_model_is_drawn_or_says_why_not() -> None:
    """At most 16 databases, drawn or reached by an arrow, are at most 16 tiles."""
    small = [name for name, model in models().items() if len(model.values) ** model.size <= MOST_TILES]
    assert len(small) > 200
    for name in small:
        assert name in scenes(), name
    for name in models().keys() - scenes().keys():
        with pytest.raises(UnsupportedError, match=r"the worlds of this model are not drawn: .*at most"):
            pk.worlds(models()[name])


def test_area_is_probability() -> None:
    """Of all tiles of a band and of all bands, within a pixel; else the drawing says that a band is too high."""
    for name, scene in at_least_one(scenes().items()):
        layout = Layout(scene, 0.0)
        bands = dict(layout.bands)
        for value, band in bands.items():
            parts = 0.0
            for k, tile in enumerate(scene.tiles):
                if tile.value == value and tile.probability:
                    width = sum(places[k].width for places in (layout.places, layout.grey) if k in places)
                    assert abs(width - band.width * float(tile.probability / scene.total[value])) < 1, name
                    parts += width
            assert abs(parts - band.width) < 1, name
        shown = sum((scene.total[value] for value in bands), Fraction(0))
        high = sum(band.height for band in bands.values())
        exact = all(abs(band.height - high * float(scene.total[value] / shown)) < 1 for value, band in bands.items())
        assert exact == layout.is_scaled, name


def test_its_numbers_are_those_that_are_decided() -> None:
    """The largest losses of all cases are NP's and CDP's smallest ε at δ = 0; the bars are the laws of `pk.loss`."""
    for name, scene in at_least_one(scenes().items()):
        for k, key in enumerate(("np", "cdp")):
            tight = pk.check(scene.model, key).tight_epsilon
            found = largest(case.losses[k] for case in scene.case.laws.cases)
            if tight is not None:
                assert tight == (INFINITY if found.ratio is None else log_epsilon(found.ratio)), (name, key)


@pytest.mark.parametrize("name", ["DMKB20/example-7-five-voters.toml", "DMKB20/example-1-side-known.toml"])
def test_its_bars_are_the_laws_of_the_loss_table(name: str) -> None:
    scene = scenes()[name]
    a, b = scene.values
    table = pk.loss(scene.model, record=scene.case.secret.record, values=(a, b))
    (known,) = [one for one in table.knowledge if one.knowledge == scene.case.knowledge]
    for row in at_least_one(known.rows):
        assert scene.case.law(a).get(row.output, 0) == row.probability_a
        assert scene.case.law(b).get(row.output, 0) == row.probability_b


def test_it_is_read_without_eyes_and_reached_without_a_mouse() -> None:
    for name, scene in at_least_one(scenes().items()):
        drawing = Worlds(scene).drawing()
        for text in (drawing.svg, drawing.printed):
            page = ET.fromstring(text)  # noqa: S314
            assert page.get("role") == "group", name
            title, words = page.find(f"{SVG}title"), page.find(f"{SVG}desc")
            assert title is not None
            assert words is not None
            assert (words.text or "").count("published: ") == len(scene.tiles)
            tiles = [mark for mark in page.iter(f"{SVG}g") if mark.get("tabindex") == "0"]
            assert len(tiles) == len(scene.tiles), name
            assert all("published: " in (tile.get("aria-label") or "") for tile in tiles)


def test_an_arrow_of_example_4_goes_where_nobody_ever_is() -> None:
    drawing = pk.worlds(EVEN)
    assert "NP: the bars that NP compares are equal, and nothing is told: ε = 0." in drawing.description
    assert "all bars are equal" not in drawing.description, "those of CDP differ"
    assert "CDP: “0” comes only if you stay 0: no ε is enough." in drawing.description
    assert drawing.description.count("never drawn") == 2
    assert drawing.svg.count("stroke-dasharray='3 3'") == 2


def test_worlds_that_nobody_tells_apart_are_one_tile() -> None:
    law = {"iid": {0: "1/2", 1: "1/2"}}
    count = pk.build(size=8, values=[0, 1], distribution=law, mechanism={"kind": "parity", "value": 1})
    scene = scene_of(count)
    assert sorted(len(tile.databases) for tile in scene.tiles) == [64, 64, 64, 64]
    assert "256 worlds are 4 tiles" in pk.worlds(count).description
    total = pk.build(
        size=8, values=range(9), distribution={"iid": dict.fromkeys(range(9), "1/9")}, mechanism={"kind": "sum"}
    )
    with pytest.raises(UnsupportedError, match="at most 1,024 worlds"):
        pk.worlds(total)


def test_an_answer_draws_the_case_that_it_is_about() -> None:
    law = {"independent": [{0: "1/2", 1: "1/2"}, {0: "1/4", 1: "3/4"}]}
    model = pk.build(size=2, values=[0, 1], distribution=law, mechanism={"kind": "sum"})
    (one,) = [record for record in (0, 1) if pk.check(model, "np", epsilon=1).witness.record == record]  # type: ignore[union-attr]
    assert f"you are person {one}," in pk.check(model, "np", epsilon=1).worlds().description
    assert "you are person 1," in pk.worlds(model, record=1).description
    with pytest.raises(pk.InputError, match="there is no record 7"):
        pk.worlds(model, record=7)


def test_it_is_saved_in_the_colours_of_print(tmp_path: Path) -> None:
    drawing = pk.worlds(EVEN)
    file = drawing.save(tmp_path / "worlds.svg")
    assert file.read_text(encoding="utf-8") == drawing.printed
    assert "prefers-color-scheme" not in drawing.printed
    assert "prefers-color-scheme" in pk.profile_of([3, 1], [1, 3]).plot().drawing.alone
    assert "prefers-color-scheme" not in pk.profile_of([3, 1], [1, 3]).plot().drawing.printed
    assert "<text" in drawing.printed
    with pytest.raises(pk.InputError, match="saves it as PNG"):
        drawing.save(tmp_path / "worlds.png")


def test_a_hostile_title_stays_text() -> None:
    hostile = "</text></svg><script>alert('x')</script>\"&"
    model = pk.build(
        size=1,
        values=["<b>", "&"],
        distribution={"iid": {"<b>": "1/2", "&": "1/2"}},
        mechanism={"kind": "count", "value": "&"},
        title=hostile,
    )
    for text in (pk.worlds(model).svg, model.worlds().printed):
        assert not list(ET.fromstring(text).iter(f"{SVG}script"))  # noqa: S314


def test_no_loss_is_smaller_than_any() -> None:
    assert largest([Worst(Fraction(3)), Worst(None), Worst(Fraction(2))]).ratio is None
    assert largest([]).ratio == 1


def test_the_command_line_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one definition the case of its answer; another ending, and a second model, are refused before any work."""
    monkeypatch.chdir(tmp_path)

    def status(*arguments: str) -> object:
        with pytest.raises(SystemExit) as stop:
            run(["check", *arguments])
        return stop.value.code

    assert status("example-4-repaired", "--definition", "cdp", "--epsilon", "1", "--picture", "one.svg") == 1
    assert Path("one.svg").read_text(encoding="utf-8") == pk.check(EXAMPLE_4, "cdp", epsilon=1).worlds().printed
    assert status("example-4-repaired", "--picture", "all.svg", "--no-replay") == 0
    assert Path("all.svg").read_text(encoding="utf-8") == pk.worlds(EXAMPLE_4).printed
    assert status("example-4-repaired", "--picture", "one.png") == 2
    assert status("example-4-repaired", "example-4-repaired", "--picture", "two.svg") == 2
    assert not Path("two.svg").exists()
