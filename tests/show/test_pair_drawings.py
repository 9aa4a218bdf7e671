"""Two laws as bars and as a trade-off curve: what is hatched is δ, the dashed line of (ε, δ) touches the curve."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

import verifier as pk
from verifier.cli.main import run
from verifier.questions.pair import RawPair
from verifier.show.bars import DOWN, HALF_HIGH, UP
from verifier.show.worlds import bars_of
from verifier.show.worlds.drawings import FILLS, PALE

COIN = pk.pair({"yes": "3/4", "no": "1/4"}, {"yes": "1/4", "no": "3/4"})
SKEWED = pk.pair({"0": "1/2", "1": "1/2", "2": 0}, {"0": "1/4", "1": "1/4", "2": "1/2"})


@pytest.mark.parametrize("pair", [COIN, SKEWED])
@pytest.mark.parametrize("epsilon", ["0", "ln(2)", "1/10", "ln(5)", "inf"])
def test_what_is_hatched_is_delta(pair: RawPair, epsilon: str) -> None:
    drawing = pair.bars(epsilon=epsilon)
    assert f"δ = {pair.delta_at(epsilon)} at ε = {epsilon}" in drawing.description
    hatched = re.findall(rf"<rect fill='{UP}' stroke='#d1495b' stroke-width='2' [^>]*height='([0-9.]+)'", drawing.svg)
    highest = 0.75 if pair is COIN else 0.5
    drawn = sum(map(float, hatched)) / HALF_HIGH * highest
    assert abs(drawn - float(pair.delta_at(epsilon).decimal())) < 0.5 / HALF_HIGH


def test_no_law_has_the_colour_of_an_output() -> None:
    """The bars stand beside a drawing of worlds, where a colour is an output."""
    assert UP != DOWN
    assert {UP, DOWN}.isdisjoint((*FILLS, PALE))
    for law in (UP, DOWN):
        red, green, blue = bytes.fromhex(law[1:])
        assert max(red, green, blue) - min(red, green, blue) < 8, "a law has a hue"


def test_the_order_that_tells_more_is_drawn_upwards() -> None:
    assert "Up: Q. Down: P." in SKEWED.bars(epsilon="ln(2)").description
    assert "The event: 2." in SKEWED.bars(epsilon="ln(2)").caption


def test_the_line_of_epsilon_and_delta_touches_the_curve() -> None:
    for pair in (COIN, SKEWED):
        for ratio in (Fraction(1), Fraction(2), Fraction(3)):
            delta = pair.q_against_p.profile.delta(f"ln({ratio})" if ratio > 1 else 0)
            gaps = [beta - (1 - Fraction(str(delta)) - ratio * alpha) for alpha, beta in pair.trade_off]
            assert min(gaps) == 0
    drawn = COIN.tests(epsilon="ln(2)")
    assert "advantage 1/2 (0.5)" in drawn.description
    assert "ε = ln(2), δ = 1/4" in drawn.svg
    assert "advantage" not in pk.pair([1], [1]).tests().description


def test_many_outputs_are_no_bars() -> None:
    with pytest.raises(pk.UnsupportedError, match="25 outputs are too many for bars"):
        pk.pair(["1/25"] * 25, ["1/25"] * 25).bars()
    assert pk.pair(["1/25"] * 25, ["1/25"] * 25)._repr_html_().count("<svg") == 2


def test_the_command_line_writes_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("coin.json").write_text(
        '{"p": {"yes": "3/4", "no": "1/4"}, "q": {"yes": "1/4", "no": "3/4"}}', encoding="utf-8"
    )
    with pytest.raises(SystemExit) as stop:
        run(["pair", "coin.json", "--epsilon", "ln(2)", "--bars", "bars.svg", "--trade-off", "tests.svg"])
    assert not stop.value.code
    assert Path("bars.svg").read_text(encoding="utf-8") == COIN.bars(epsilon="ln(2)").printed
    assert Path("tests.svg").read_text(encoding="utf-8") == COIN.tests(epsilon="ln(2)").printed


def test_an_answer_draws_the_laws_that_it_compares() -> None:
    model = pk.build(
        size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}},
        mechanism=lambda d: {"yes": "3/4", "no": "1/4"} if d[0] else {"yes": "1/4", "no": "3/4"},
    )  # fmt: skip
    for key in ("np", "cdp"):
        answer = pk.check(model, key, epsilon="ln(2)")
        drawing = bars_of(answer)
        assert drawing is not None
        assert f"δ = {answer.tight_delta} at ε = ln(2)" in drawing.description
    assert bars_of(pk.check(model, "ppkdp", epsilon="ln(2)")) is None
