"""Short Markdown as HTML: paragraphs, lists, bold, italic, code, links, and mathematics as MathML without a network."""

from __future__ import annotations

import html
import re
from functools import lru_cache

_PARTS = re.compile(r"(`[^`\n]+`|\$\$.+?\$\$|\$[^$\n]+\$)", re.DOTALL)
_ITEM = re.compile(r"(?:[-*]|\d+\.) +")


@lru_cache(maxsize=512)
def mathml(tex: str, *, block: bool = False) -> str:
    r"""Return a formula as MathML.

    >>> mathml(r"\varepsilon")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>&#x003B5;</mi></mrow></math>'
    """
    from latex2mathml.converter import convert

    return str(convert(tex, display="block" if block else "inline"))


def inline(text: str) -> str:
    """Return one line of Markdown as HTML.

    >>> inline("**So** `a < b` and *not* [there](x.md), a < b")
    '<strong>So</strong> <code>a &lt; b</code> and <em>not</em> <a href="x.md">there</a>, a &lt; b'
    """
    return "".join(_part(part) for part in _PARTS.split(text))


def _part(part: str) -> str:
    if part.startswith("`") and len(part) > 2:
        return f"<code>{html.escape(part[1:-1], quote=False)}</code>"
    if part.startswith("$$") and len(part) > 4:
        return f"<span class='pk-formula'>{mathml(part[2:-2].strip(), block=True)}</span>"
    if part.startswith("$") and len(part) > 2:
        return mathml(part[1:-1].strip())
    said = html.escape(part, quote=False)
    said = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", said)
    said = re.sub(r"(?<![\w*])\*([^*\n]+)\*(?![\w*])", r"<em>\1</em>", said)
    return re.sub(r"\[([^\]\n]+)\]\(([^)\s\"]+)\)", r'<a href="\2">\1</a>', said)


def prose(text: str) -> str:
    r"""Return paragraphs, lists and headings (`##`, `###`), which empty lines part, as HTML.

    >>> prose("One.\n\n- a\n- b")
    '<p>One.</p><ul><li>a</li><li>b</li></ul>'
    """
    from textwrap import dedent

    blocks = re.split(r"\n[ \t]*\n", dedent(text).strip("\n"))
    return "".join(_block(block.strip()) for block in blocks if block.strip())


def _line(text: str) -> str:
    """Return a paragraph as HTML; what is emphasized may go over the end of a line."""
    return inline(re.sub(r"\s*\n\s*", " ", text))


def _block(text: str) -> str:
    if text.startswith("#"):
        marks, _, title = text.partition(" ")
        level = min(max(len(marks), 2), 4)  # the page has its own first heading
        return f"<h{level}>{inline(title)}</h{level}>"
    if not _ITEM.match(text):
        return f"<p>{_line(text)}</p>"
    kind = "ul" if text[0] in "-*" else "ol"
    items = re.split(rf"\n(?={_ITEM.pattern})", text)
    return f"<{kind}>" + "".join(f"<li>{_line(_ITEM.sub('', item, count=1))}</li>" for item in items) + f"</{kind}>"
