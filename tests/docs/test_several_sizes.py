"""The definitions that are decided on databases of several sizes are those that the page of limits lists."""

from __future__ import annotations

import re

from documents import ROOT

from verifier.definitions import find
from verifier.engine import Engine
from verifier.model import read
from verifier.model.library import models_folder
from verifier.questions.check import check
from verifier.wings.implications.parts import keys, passport_key

WITH_EVERY_FIELD = ("matrix/multisets-28", "LQS12/theorem-3.9")
"""Databases of several sizes: with each field of [policy] that such a file can have, and with a chosen recoding."""


def decided_there() -> set[str]:
    """The keys that some model of several sizes decides."""
    found = set()
    for name in WITH_EVERY_FIELD:
        model = read(models_folder() / f"{name}.toml")
        assert model.sizes is not None
        engine = Engine(model)
        answers = ((key, check(model, find(passport_key(key)), engine=engine, replay=False)) for key in keys())
        found |= {key for key, answer in answers if answer.verdict != "unsupported"}
    return found


def test_the_page_of_sizes_lists_what_is_decided_on_several_sizes() -> None:
    text = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    paragraph = text.partition("Databases of several sizes have no distribution. ")[2].partition("\n\n")[0]
    listed = re.findall(r"`([a-z][a-z-]*)`", paragraph)
    assert len(listed) == len(set(listed))
    assert set(listed) - {"dps", "safe"} == decided_there() - {"dps", "safe"}
    assert {"dps", "safe"} <= decided_there()
    assert len(listed) > 40


def test_the_hint_and_the_format_name_more_than_two() -> None:
    """What a definition about distributions says on such a file, and the page of the format."""
    model = read(models_folder() / "atlas" / "tour-sizes.toml")
    assert "such as dp-any" in str(check(model, "np", replay=False).reason)
    text = (ROOT / "models" / "FORMAT.md").read_text(encoding="utf-8")
    assert "such as `dp-any`, are decided too" in text
