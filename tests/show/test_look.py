"""One look: the colours and fonts of the report, the explorer, the site and the course are the same values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "verifier" / "show" / "templates" / "report.css"
EXPLORER = ROOT / "verifier" / "wings" / "explore" / "static"
SITE = ROOT / "docs" / "_static" / "site.css"
CONF = ROOT / "docs" / "conf.py"
COURSE = ROOT / "docs" / "course" / "course.css"
NAMES = ("ink", "soft", "paper", "line", "card", "link", "good", "bad", "odd")
WORDS = ("good", "bad", "odd", "card")
SERIF = 'Charter, Georgia, "Times New Roman", serif'
MONO = 'ui-monospace, "DejaVu Sans Mono", Menlo, monospace'

Colours = dict[str, str]


def without_media(text: str, condition: str) -> str:
    """The text of the rules inside `@media (condition) { … }`, of all of them."""
    found = []
    for start in re.finditer(rf"@media [^{{]*{re.escape(condition)}[^{{]*{{", text):
        depth, end = 1, start.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.append(text[start.end() : end - 1])
    return "\n".join(found)


def colours(rules: str, prefix: str = "") -> Colours:
    """The first value of each token."""
    found: Colours = {}
    for name, value in re.findall(rf"--{prefix}([a-z]+):\s*(#[0-9a-f]{{6}})\b", rules):
        if name in NAMES:
            found.setdefault(name, value)
    return found


def report() -> tuple[Colours, Colours]:
    """The tokens of the report, light and dark: the truth that the others are compared with."""
    text = REPORT.read_text(encoding="utf-8")
    light, dark = colours(text), colours(without_media(text, "prefers-color-scheme: dark"))
    assert tuple(sorted(light)) == tuple(sorted(dark)) == tuple(sorted(NAMES))
    return light, dark


def test_explorer() -> None:
    text = (EXPLORER / "page.css").read_text(encoding="utf-8")
    assert (colours(text), colours(without_media(text, "prefers-color-scheme: dark"))) == report()
    assert f"--serif: {SERIF}; --sans: system-ui, sans-serif; --mono: {MONO};" in text


def test_course() -> None:
    text = COURSE.read_text(encoding="utf-8")
    light, _, dark = text.partition("\n.dark")
    assert (colours(light, "pk-"), colours(dark, "pk-")) == report()
    assert colours(without_media(text, "prefers-color-scheme: dark"), "pk-") == report()[1]


def test_site() -> None:
    text, conf = SITE.read_text(encoding="utf-8"), CONF.read_text(encoding="utf-8")
    given = [
        dict(zip(NAMES, re.findall(r'"(#[0-9a-f]{6})"', one), strict=False))
        for one in re.findall(r"_colours\((\"#.*)\)", conf)
    ]
    for scheme, rules, basic in zip(
        report(), (text, without_media(text, "prefers-color-scheme: dark")), given, strict=True
    ):
        assert basic == {name: scheme[name] for name in NAMES[:6]}
        assert colours(rules) == {name: scheme[name] for name in WORDS}
    switched = re.search(r'\[data-theme="dark"\] {([^}]*)}', text)
    assert switched is not None
    assert colours(switched[1]) == {name: report()[1][name] for name in WORDS}


@pytest.mark.parametrize("path", [REPORT, COURSE, CONF], ids=lambda path: str(path.name))
def test_fonts(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert SERIF in text
    assert MONO in text
