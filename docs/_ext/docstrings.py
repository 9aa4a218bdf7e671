"""Docstrings, which are written to be read in an editor, as reStructuredText; the mathematics as MathML."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes

from verifier.show.mathml import formula


def to_rst(lines: list[str]) -> list[str]:
    r"""Paragraphs with `names`, indented formulas, `>>>` examples, and sections such as `Raises:`.

    >>> to_rst(["ε of `a*b`, in a*b:", "", "    x | y"])
    ['ε of ``a*b``, in a\\*b:', '', '.. code-block:: text', '', '   x | y', '']
    """
    made: list[str] = []
    for block in blocks(lines):
        first = block[0]
        if first.startswith(">>>"):
            made += [*block, ""]
        elif section := re.fullmatch(r"(Raises|Returns|Args|Yields):", first):
            made += [*fields(section[1], block[1:]), ""]
        elif first.startswith("    "):
            made += [".. code-block:: text", "", *("   " + line[4:] for line in block), ""]
        else:
            made += [*marked("\n".join(block)).split("\n"), ""]
    return made


def blocks(lines: list[str]) -> list[list[str]]:
    """What stands together, cut at empty lines."""
    made: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            made[-1].append(line.rstrip())
        elif made[-1]:
            made.append([])
    return [block for block in made if block]


def fields(section: str, lines: list[str]) -> list[str]:
    """`Raises:` and its like as a list of fields."""
    made: list[str] = []
    for line in lines:
        item = re.match(r" {4}([\w, ]+): (.*)", line)
        if item and section == "Raises":
            made.append(f":raises {item[1]}: {marked(item[2])}")
        elif item and section == "Args":
            made.append(f":param {item[1]}: {marked(item[2])}")
        elif made:
            made.append("    " + marked(line.strip()))
        else:
            made.append(f":{section.lower()}: {marked(line.strip())}")
    return made


def marked(text: str) -> str:
    """Names in backticks as code; what would be markup elsewhere as it stands."""
    parts = re.split(r"(?<!`)`([^`]+)`(?!`)", text)
    parts[::2] = [re.sub(r"([\\*|])|_(?=\W|$)", lambda found: "\\" + found[0], part) for part in parts[::2]]
    parts[1::2] = [f"``{' '.join(part.split())}``" for part in parts[1::2]]
    return "".join(parts)


def process(_app: Any, _what: str, _name: str, _thing: Any, _options: Any, lines: list[str]) -> None:
    """The hook of autodoc."""
    lines[:] = to_rst(lines)


def visit_inline(self: Any, node: nodes.math) -> None:
    """A formula in a line."""
    self.body.append(formula(node.astext()))
    raise nodes.SkipNode


def visit_block(self: Any, node: nodes.math_block) -> None:
    """A formula of its own."""
    self.body.append(f'<div class="formula">{formula(node.astext(), display=True)}</div>\n')
    raise nodes.SkipNode


def signature(  # the seven things that Sphinx passes
    _app: Any, _what: str, _name: str, _thing: Any, _options: Any, given: str | None, answer: str | None
) -> tuple[str | None, str | None] | None:
    """Types by their own names (`autodoc_type_aliases` in conf.py)."""
    if given is None:
        return None
    return unaliased(given), unaliased(answer) if answer else answer


def unaliased(text: str) -> str:
    """What Sphinx calls an alias, by its name."""
    return re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text)


PROSE = 90
"""Cells with more characters are prose."""
WORDS = {
    "good": ("holds", "proved", "checked", "yes"),
    "bad": ("fails", "refuted", "no"),
    "odd": ("vacuous", "undecided", "unsupported", "misprint", "not decidable here", "misworded"),
}
"""Verdicts in tables get a mark and a colour; the word says the same."""
CLASSES = {word: kind for kind, words in WORDS.items() for word in words}


def tables(_app: Any, tree: nodes.document) -> None:
    """Mark the cells that are a verdict, and the tables whose rows are long enough to be read one by one."""
    for table in tree.findall(nodes.table):
        if any(len(cell.astext()) > PROSE for cell in table.findall(nodes.entry)):
            table["classes"].append("prose")
    for cell in tree.findall(nodes.entry):
        text = cell.astext().strip().removeprefix("✓ ").removeprefix("✗ ")
        kind = CLASSES.get(text) or next((CLASSES[w] for w in ("holds", "fails") if text.startswith(f"{w} as ")), "")
        if kind:
            marked = cell.astext().strip() != text
            cell["classes"] += ["verdict", kind] + ([] if marked else [text.split()[0]])


def headings(_app: Any, _page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """The captions of the navigation are headings of the second level."""
    tree = str(context.get("furo_navigation_tree", ""))
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app: Any) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.connect("autodoc-process-docstring", process)
    app.connect("autodoc-process-signature", signature)
    app.connect("doctree-read", tables)
    app.connect("html-page-context", headings, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
