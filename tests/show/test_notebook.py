"""What a notebook shows: well-formed, with exact values, readable light and dark, and never a script of anybody's."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from fractions import Fraction
from importlib import import_module
from math import exp, log
from pathlib import Path
from pkgutil import resolve_name
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from examined import at_least_one

import verifier as pk
from verifier.model.library import models_folder
from verifier.profile import Steps, profile_of
from verifier.show.bars import bars_drawing
from verifier.show.display import text
from verifier.show.drawings import Bound, PiecewiseCurve, _still, profile_drawing
from verifier.show.frame import INK
from verifier.show.notebook import is_drawn
from verifier.show.on_demand import DISPLAYS, give_displays
from verifier.show.plots import Curve, merged, strokes

HOSTILE = "</text></svg><script>alert('x')</script>\"&"
EXAMPLE = pk.read(models_folder() / "DMKB20" / "example-7-five-voters.toml")


def model(**keys: Any) -> pk.Model:
    law = {"iid": {"no": "3/4", "yes": "1/4"}}
    given = {"size": 2, "values": ["no", "yes"], "distribution": law, "mechanism": {"kind": "count", "value": "yes"}}
    return pk.build(**given | keys)


def response(database: tuple[str, ...]) -> dict[str, str]:
    return {"+": "3/4", "-": "1/4"} if database[0] == "yes" else {"+": "1/4", "-": "3/4"}


def displays(of: pk.Model) -> dict[str, Any]:
    record = of.secrets[0].record
    return {
        "model": of,
        "fails": pk.check(of, "dp", epsilon="ln(2)", delta="1/5"),
        "unasked": pk.check(of, "np"),
        "irrational": pk.check(of, "ppkdp", epsilon="1/10", delta="1/3"),
        "simulator": pk.check(of, "ddp", epsilon="ln(2)"),
        "profile": pk.check(of, "np").profile,
        "tail": pk.check(of, "tail-dp", epsilon="1/10").profile,
        "plot": pk.check(of, "np").profile.plot(epsilon="ln(2)", delta="1/4"),
        "passport": pk.overview(of),
        "asked passport": pk.overview(of, epsilon="ln(2)", delta="1/4"),
        "loss": pk.loss(of, record=record),
        "acceptable": pk.acceptable(of),
        "acceptable once": pk.acceptable(of)[0],
    }


def html(thing: Any) -> str:
    page = thing._repr_html_()
    assert isinstance(page, str)
    return page


def sound(page: str) -> ET.Element:
    """The page as a tree; it has no script, nothing that acts, no fixed colours of text or ground, no float's text."""
    tree = ET.fromstring(page)  # noqa: S314 - our own text
    for element in tree.iter():
        name = element.tag.rpartition("}")[2]
        assert name not in {"script", "style", "iframe", "object", "foreignObject", "image", "a"}, name
        assert not any(key.lower().startswith("on") or key in {"id", "href", "src"} for key in element.attrib)
        assert "background" not in element.get("style", "")
        if name == "text":
            assert element.get("fill") in {None, INK}, (
                "words have the colour of the page, or the ink of a coloured tile"
            )
        if name == "svg":
            assert element.get("role") == ("group" if element.get("class") == "painted" else "img")
            assert element.get("aria-label")
            assert [child.tag.rpartition("}")[2] for child in element][:2] == ["title", "desc"]
            assert element.get("fill") == "currentColor"
    return tree


@pytest.mark.parametrize(
    "of", [model(knowledge={"records": [0]}), model(mechanism=response), EXAMPLE], ids=["known", "noisy", "example"]
)
def test_displays_are_sound(of: pk.Model) -> None:
    for thing in at_least_one(displays(of).values()):
        sound(html(thing))


def test_labels_of_others_stay_labels() -> None:
    long = "x" * 3000
    of = model(
        title=HOSTILE,
        values=["no", HOSTILE],
        distribution={"name": HOSTILE, "iid": {"no": "1/2", HOSTILE: "1/2"}},
        mechanism=lambda database: HOSTILE if database[0] == "no" else long,
        knowledge={"records": [1]},
    )
    for name, thing in displays(of).items():
        page = html(thing)
        sound(page)
        assert "<script" not in page, name
        assert len(page) < 60_000, name
    assert text(long).endswith("… (1,800 more characters)")


def test_a_verdict_says_why_with_its_sign_and_marks_what_was_asked() -> None:
    page = html(pk.check(EXAMPLE, "apkdp", epsilon="ln(2)", delta="1/100"))
    assert "✗ fails" in page
    assert "<th scope='row' style='text-align:left;vertical-align:top;white-space:nowrap'>why</th>" in page
    assert "If the attacker knows B =" in page
    assert "Asked: at ε = ln(2), δ = 1/100 (0.01): apkdp fails, restricted to record 2." in page
    assert page.count("class='asked'") == 4
    assert page.count("<details>") == 2
    holds = html(pk.check(EXAMPLE, "apkdp", epsilon="ln(2)", delta=1))
    assert "✓ holds" in holds
    known = model(knowledge={"records": [0, 1]})
    vacuous = html(pk.check(known, "np"))
    assert "○ vacuous" in vacuous
    assert "<svg" not in vacuous


def titles(page: str) -> list[str]:
    return [element.text or "" for element in sound(page).iter() if element.tag.rpartition("}")[2] == "title"]


def test_tooltips_are_exact() -> None:
    curve = profile_of([3, 1], [1, 3])
    said = titles(html(curve))
    assert "the smallest δ: at ε = ln(3) (1.09861228867) the smallest δ is 0" in said
    assert "the smallest δ: δ = 3/4 (0.75) - 1/4 (0.25)·e^ε, from ε = 0 to ln(3) (1.09861228867)" in said
    tail = titles(html(Steps.of(curve)))
    assert "the smallest δ: δ = 3/4 (0.75), from ε = 0 to ln(3) (1.09861228867)" in tail
    marked = titles(html(curve.plot(epsilon="1/10", delta="1/2")))
    assert any(said.startswith("the smallest δ at ε = 1/10 (0.1) is 3/4 - 1/4*exp(1/10) (0.47") for said in marked)
    losses = titles(html(pk.loss(model(mechanism=response), record=0)))
    assert "loss ln(3) (1.09861228867) with probability 3/4 (0.75): output -" in losses
    assert "no: 3/4 (0.75)" in titles(html(model(size=7)))  # too many worlds to be drawn one by one


def test_every_definition_has_its_curve_and_equal_ones_share_one() -> None:
    page = html(pk.overview(model(mechanism=response)))
    assert "np = apkdp" in page
    assert page.count("<svg") == 1
    assert "Without a whole curve: ddp" in page
    assert "--all" not in page
    assert "<summary>all definitions</summary>" in page
    assert page.index("<svg") < page.index("tail-ppkdp")


def test_curves_of_one_colour_differ_in_their_dashes() -> None:
    curves = [Curve((name,), profile_of([k, 1], [1, k])) for k, name in enumerate(("np", "apkdp", "dp", "x", "y"), 2)]
    assert len({(stroke.tone, stroke.dash) for stroke in strokes([curve.names[0] for curve in curves])}) == 5
    same = profile_of([3, 1], [1, 3])
    assert [curve.label for curve in merged([("np", same), ("dp", profile_of([1], [1])), ("cdp", same)])] == [
        "np = cdp",
        "dp = 0",
    ]


def test_long_answers_are_cut_and_say_so() -> None:
    many = model(size=6, knowledge={"records": [0, 1, 2, 3]}, mechanism={"kind": "identity"})
    page = html(pk.loss(many, record=5))
    assert "10 more knowledge values are left out here." in page
    rows = html(pk.loss(model(size=30, mechanism={"kind": "count", "value": "yes"}), record=0))
    assert "7 more rows are left out here." in rows
    assert rows.count("<tr>") < 30


def test_drawings_stay_inside_and_fall() -> None:
    curve = pk.check(model(mechanism=response), "apkdp").profile
    drawing = profile_drawing([("apkdp", curve)], Bound(pk.epsilon("1000000"), Fraction(1, 4), "asked"))
    assert "ε = 1000000 →" in drawing.svg
    path = ET.fromstring(drawing.svg).find("{*}path[@class='c active']")  # noqa: S314
    assert path is not None
    points = [(Fraction(x), Fraction(y)) for x, y in re.findall(r"([\d.]+),([\d.]+)", path.get("d", ""))]
    assert len(points) > 40
    assert all(0 <= x <= 520 and 0 <= y <= 260 for x, y in points)
    assert [y for _, y in points] == sorted(y for _, y in points)
    assert "height='0" not in bars_drawing("none", [("a", Fraction(0))]).svg


def test_pieces_are_the_curve() -> None:
    """The pen's reading of a curve, against the curve's own answers."""
    for curve in (profile_of([9, 5, 1, 1], [1, 4, 5, 6]), Steps.of(profile_of([9, 5, 1, 1], [1, 4, 5, 6]))):
        of = PiecewiseCurve.of(curve)
        for e in (Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(9), Fraction(100)):
            assert curve.delta(f"ln({e})") == of.at(e), (curve, e)
        assert curve.delta("inf") == of.last


def test_a_plot_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plot = pk.check(EXAMPLE, "ppkdp").profile.plot()
    assert plot._repr_svg_().startswith("<svg")
    saved = plot.save(tmp_path / "curve.svg")
    assert "<style>" in saved.read_text(encoding="utf-8")
    ET.parse(saved)  # noqa: S314
    with pytest.raises(
        pk.InputError, match=r"the ending of curve\.txt is unknown\. Expected a file that ends in \.svg, \.png or \.pdf"
    ):
        plot.save(tmp_path / "curve.txt")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(pk.PkdpError, match=r"`matplotlib` is not installed.*pip install"):
        plot.save(tmp_path / "curve.png")


@pytest.mark.parametrize(("ending", "start"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_still_pictures(tmp_path: Path, ending: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    for curve in (pk.check(EXAMPLE, "ppkdp").profile, pk.check(EXAMPLE, "tail-ppkdp").profile):
        file = curve.plot().save(tmp_path / f"curve{ending}")
        assert file.read_bytes().startswith(start)


@pytest.mark.parametrize("delta", ["0", "1/100", "9/20", "49/100", "1/2", "7/8", "1"])
@pytest.mark.parametrize("epsilon", ["0", "ln(2)", "1", "9"])
def test_no_label_of_a_drawing_is_cut_off_at_an_edge(epsilon: str, delta: str) -> None:
    """A letter is at most 10 units high, and hangs at most 4 below its line."""
    drawn = profile_of([3, 1], [1, 3]).plot(epsilon=epsilon, delta=delta).drawing
    labels = re.findall(r"<text[^>]* x='([\d.]+)' y='([\d.]+)'>([^<]*)</text>", drawn.alone)
    assert [words for _, _, words in labels if words.startswith(("ε =", "δ ="))]
    for x, y, words in labels:
        assert 10 <= float(y) <= drawn.height - 4, words
        assert 0 <= float(x) <= drawn.width, words


def test_a_still_picture_has_the_marks_of_the_svg() -> None:
    pytest.importorskip("matplotlib")
    curve = pk.check(EXAMPLE, "ppkdp").profile
    drawn = curve.plot(epsilon="ln(2)", delta="1/10")
    (axes,) = _still(drawn.curves, drawn.bound).axes
    marks = {
        (line.get_marker(), *(round(float(one), 6) for one in (*line.get_xdata(), *line.get_ydata())))
        for line in axes.lines[2:]
    }
    at, smallest = round(log(2), 6), float(Fraction(curve.delta("ln(2)").decimal()))
    assert {("o", at, smallest), ("x", at, 0.1)} <= marks
    assert {("None", 0.0, 1.0, 0.1, 0.1), ("None", at, at, 0.0, 1.0)} <= marks
    bends = axes.lines[1].get_xdata()
    assert [round(exp(one), 6) for one in bends] == [round(float(bend), 6) for bend in curve.breakpoints]


@pytest.mark.parametrize(("place", "methods"), DISPLAYS.items(), ids=[name for _, name in DISPLAYS])
def test_a_method_that_is_loaded_on_demand_has_help(place: tuple[str, str], methods: dict[str, str]) -> None:
    module, name = place
    kind = getattr(import_module(module), name)
    give_displays()
    for method in at_least_one(methods):
        function = getattr(kind, method)
        assert inspect.getdoc(function)
        kinds = {one.kind for one in inspect.signature(function).parameters.values()}
        assert not kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}


def test_what_takes_long_is_not_found_unasked() -> None:
    large = model(size=3000, mechanism={"kind": "count", "value": "yes"})
    answer = pk.check(large, "np", epsilon="ln(2)", replay=False)
    assert not is_drawn(answer)
    assert "The model is large, so its curve is not drawn here: answer.profile.plot() draws it." in html(answer)


def test_answers_of_the_search_show_themselves() -> None:
    found = pk.search(satisfies="np(epsilon=0)", violates="cdp(epsilon=0)")
    page = html(found)
    sound(page)
    assert "separated" in page
    assert any(said.startswith("[0, 0]: probability 1/2; published: ") for said in titles(page))
    sound(html(pk.search(satisfies="np(e)", violates="np(2*e)", records=1)))
    twins = {"table": [{"database": [v, v], "probability": "1/2"} for v in ("no", "yes")]}
    worst = pk.worst(model(distribution=twins), assuming="dp(epsilon=ln(2))", maximise="np delta at ln(2)")
    drawn = html(worst)
    sound(drawn)
    assert "at most 1/3 (0.333333333333)" in drawn
    assert any(said.startswith("P[1 | [no, no]]: 2/3 (0.666666666667)") for said in titles(drawn))


PAIR = pk.read(models_folder() / "DMKB20" / "example-6-partner-known.toml")


def test_a_best_mechanism_is_drawn_as_bars_without_outputs_that_never_come() -> None:
    answer = pk.best(PAIR, assuming="apkdp(ln(2), 1/10)", loss="absolute", value=1)
    page = html(answer)
    sound(page)
    bars = [said for said in titles(page) if said.startswith("P[") and "probability" not in said]
    assert bars[:2] == ["P[0 | [0, 0]]: 1", "P[0 | [0, 1]]: 9/10 (0.9)"]
    assert len(bars) == 6
    assert "Outputs of probability 0 have no bar." in page
    assert answer.bars().description.startswith("P[0 | [0, 0]]: 1; P[0 | [0, 1]]: 9/10; ")
    counts = pk.build(size=8, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism={"kind": "sum"})
    many = pk.best(counts, assuming="dp(ln(2))", loss="squared", of="sum")
    assert many.by_value is not None
    left_out = sum(chance > 0 for _, law in many.by_value for chance in law) - 24
    assert left_out > 1
    assert f"{left_out} more bars are left out here; the table has all." in html(many)
    assert " | sum = 0]: " in many.bars().description


def test_a_price_of_privacy_is_drawn_against_the_epsilon() -> None:
    asked: dict[str, Any] = {"assuming": "apkdp(0, 1/10)", "loss": "absolute", "value": 1}
    prices = pk.best_curve(PAIR, epsilons=["ln(10)", 0, "ln(10)"], **asked)
    page = html(prices)
    sound(page)
    assert "the least loss falls from 9/40 (0.225) to 9/110 (0.0818181818182)" in page
    dots = [said for said in titles(page) if said.startswith("at ε = ")]
    assert list(dict.fromkeys(dots)) == [
        "at ε = 0 the least loss is 9/40 (0.225)",
        "at ε = ln(10) (2.30258509299) the least loss is 9/110 (0.0818181818182)",
    ]
    assert page.count("the mechanism at ε = ") == 3
    sound(html(pk.best_curve(PAIR, epsilons=[0], **asked)))


def test_a_comparison_shows_both_curves_in_one_drawing_and_the_order_in_words() -> None:
    noisy = model(title="noisy", mechanism=response)
    exact = model(title="exact <all>", mechanism={"kind": "count", "value": "yes"})
    answer = pk.compare(noisy, exact)
    page = html(answer)
    tree = sound(page)
    opened = [element for element in tree if element.tag == "figure"]
    assert len(opened) == 1
    (drawing,) = opened
    assert any(said.startswith("first: noisy: δ = ") for said in titles(ET.tostring(drawing, encoding="unicode")))
    assert any(said.startswith("second: exact <all>: δ = ") for said in titles(page))
    shared = [one for one in answer.definitions.values() if one.curves == answer.definitions["dp"].curves]
    names = " = ".join(one.definition for one in shared)
    assert f"By {names}: the first is more private, and its δ is larger at no ε." in "".join(drawing.itertext())
    assert "Re-checked: yes" in page


def test_equal_and_crossing_curves_are_said_in_words() -> None:
    same = pk.compare(EXAMPLE, EXAMPLE, "np")
    assert "By np: equally private at every ε." in html(same)
    sound(html(same))
    people = {"size": 4, "values": [0, 1], "distribution": {"iid": {0: "9/10", 1: "1/10"}}}
    noise = [{"kind": "geometric-noise", "p": "1/2"}]
    noisy = pk.build(mechanism={"kind": "count", "value": 1, "then": noise}, **people)
    shown = pk.build(mechanism={"kind": "threshold-count", "value": 1, "above": 1}, **people)
    answer = pk.compare(noisy, shown, "np")
    (crossing,) = answer.definitions["np"].crossings
    assert f"By np: incomparable: their curves cross at ε = {crossing.text(40)}." in html(answer)
    numbers = pk.compare(EXAMPLE, EXAMPLE, "bodp")
    sound(html(numbers))


def test_what_draws_is_loaded_when_something_is_shown() -> None:
    """Reading loads no definition, and deciding nothing that draws; the first display does."""
    code = f"""
import sys, verifier as pk
model = pk.read({str(models_folder() / "DMKB20" / "example-7-five-voters.toml")!r})
print(sum(name.startswith("verifier.definitions") for name in sys.modules))
verdict = pk.check(model, "np", epsilon="ln(2)", replay=False)
print(sum(name.startswith("verifier.show.") for name in sys.modules))
print(verdict._repr_html_().startswith("<div"), "verifier.show.notebook" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "1", "True", "True"], done.stdout + done.stderr


def test_every_display_exists() -> None:
    for (module, name), methods in at_least_one(DISPLAYS.items()):
        kind = getattr(import_module(module), name)
        assert kind.__module__ == module  # else it would never be looked for where it is
        for method, function in methods.items():
            assert callable(resolve_name(function))
            assert callable(getattr(kind, method))
