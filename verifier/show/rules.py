"""What attackers learn under a rule of publication, as tables, in a notebook, and drawn against n or m."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verifier.errors import InputError
from verifier.model.rules import NamedRule
from verifier.numbers import Delta, exact_text, with_decimal
from verifier.questions.design import DesignedTable
from verifier.questions.rule import FEW, Learned, Release, RuleAnswer, rounded
from verifier.show.display import box, listed, table
from verifier.show.frame import Drawing
from verifier.show.lines import Axes, Line, area_under, lines_drawing, straight
from verifier.show.plots import ACTIVE, DASHES, PASSIVE, Stroke
from verifier.show.sheet import Number, Sheet

WHO = ("passive", "active")
READ = {"code": "code read", "document": "document read", "part": "read in part", "name": "not read"}
"""How a source was read, in words."""
TOLD = (
    "passive: the attacker happens to know some people. active: they also choose which of these are counted.",
    "Exact fractions: --json. The model file: --model.",
)


def rule_sheets(answer: RuleAnswer, name: str = "", digits: int = FEW) -> list[Sheet]:
    """Return what the attackers learn, with the sentences below; `name` is the key of the rule, where it has one."""
    known_as = f" (known as {name})" if name else ""
    rows = tuple((what, *map(_number, numbers)) for what, *numbers in answer.numbers(digits))
    return [Sheet(f"{answer.words}{known_as}", ("", *WHO), rows, (*answer.sentences, *TOLD))]


def recheck_note(answer: RuleAnswer) -> str:
    """Return a sentence on whether the independent checker decided the numbers again, and why not."""
    if answer.replayed:
        taken_over = f"; {answer.unchecked}" if answer.unchecked else ""
        return f"Re-checked: yes, by the independent checker, from the model's text{taken_over}."
    return f"Not re-checked by the independent checker: {answer.unchecked}."


def design_sheet(designed: DesignedTable, digits: int) -> Sheet:
    """Return the lines of a designed p-table, with what it leaks as the title, and its proof below."""
    asked = designed.constraints
    spread = "of" if asked.exact_variance else "of at most"
    never = f", nothing published as 1 to {asked.never_1_to}" if asked.never_1_to else ""
    compared = " and ".join(f"{one.of} against {one.against}" for one in designed.pairs)
    constraints = f"Noise of at most {asked.max_noise}, unbiased, variance {spread} {exact_text(asked.variance)}{never}"
    attained = " This one attains it." if asked.bound == designed.least_delta else ""
    notes = (
        f"{constraints}: no such table leaks less at ε = {asked.epsilon}.",
        f"The proof compares the counts {compared}; the independent checker added it up again.",
        f"At no ε is a table below {with_decimal(asked.bound, digits=digits)}.{attained}",
        "A count i is published as j with probability p; counts above the last have its noise.",
        "With --format csv it is the file that a rule reads as `cell keys FILE`, and pkdp rule as --table FILE.",
        "This is about one table, or fresh noise: --table FILE answers for two tables and kept noise.",
    )
    rows = tuple((str(i), str(j), _number(exact_text(p))) for i, j, p in designed.lines)
    title = (
        f"The p-table that leaks least: δ = {with_decimal(designed.least_delta, digits=digits)} at ε = {asked.epsilon}"
    )
    return Sheet(title, ("i", "j", "p"), rows, notes)


def sweep_sheet(answers: Sequence[RuleAnswer], varied: str, digits: int) -> Sheet:
    """Return a row for each answer, by the number of known people, or of all."""
    first = answers[0]
    symbol = f"δ at ε = {first.epsilon.text(24)}" if first.epsilon is not None else "ε"
    heads = [f"{release}, {who}: {symbol}" for release, _ in first.releases for who in WHO]
    certain = [f"{first.releases[-1][0]}, {who}: for certain" for who in WHO]
    note = f"Assumed: independent people, each counted with probability {exact_text(first.people.probability)}."
    rows = []
    for answer in answers:
        learned = [one for _, release in answer.releases for one in (release.passive, release.active)]
        measured = [one.tight_epsilon if first.epsilon is None else one.tight_delta for one in learned]
        numbers = [rounded(number, digits) for number in (*measured, *(one.certain for one in learned[-2:]))]
        rows.append((str(_varied(answer, varied)), *map(_number, numbers)))
    return Sheet(first.words, (varied, *heads, *certain), tuple(rows), (note,))


def rules_sheet(rules: Sequence[NamedRule]) -> Sheet:
    """Return the known rules: the key and words of each, who publishes under it, and where that can be read."""
    rows = []
    for one in rules:
        who = "; ".join(f"{source.who}: {source.where} ({READ[source.read]})" for source in one.sources)
        words = "not decided" if one.refused else one.words or one.write or one.title
        rows.append((one.key, words, who))
    notes = ('Type a key, or words: pkdp rule ons-10-5 --people 1000 --known 100 --probability "1/20"',)
    return Sheet("Rules under which counts are published", ("key", "rule", "who; how we read it"), tuple(rows), notes)


def rule_html(answer: RuleAnswer) -> str:
    """Return what the attackers learn as HTML: the numbers, and below them what they mean."""
    sheet = rule_sheets(answer)[0]
    return box(table(Sheet(sheet.title, sheet.columns, sheet.rows)), listed(answer.sentences))


def rule_drawing(answers: Sequence[RuleAnswer], varied: str) -> Drawing:
    """Return the drawing of δ against the number of known people, or of all; the part that is certain is shaded.

    Raises:
        InputError: where no ε is asked for.

    """
    first = answers[0]
    if first.epsilon is None:
        raise InputError("the drawing is of δ", where="--plot", wanted="an ε", tip='--epsilon "ln(2)"')
    lines, areas = [], []
    for number, (name, _) in enumerate(first.releases):
        for who, look in zip(WHO, (PASSIVE, ACTIVE), strict=True):
            learned = [(_varied(one, varied), _learned(one.releases[number][1], who)) for one in answers]
            points = [(Fraction(at), _value(one.tight_delta)) for at, one in learned]
            ends = (learned[0], learned[-1])
            words = ", ".join(f"δ = {rounded(one.tight_delta)} at {varied} = {at}" for at, one in ends)
            stroke = Stroke(look.tone, look.colour, DASHES[1] if number else "")
            lines.append(Line(f"{name.partition(',')[0]}, {who}", stroke, [straight(points, words)]))
            certain = [(Fraction(at), _value(one.certain)) for at, one in learned]
            if any(height for _, height in certain):
                areas.append(area_under(certain))
    title = f"Smallest δ at ε = {first.epsilon.text(24)}: {first.words}"
    x = "people whom the attacker knows" if varied == "known" else "people"
    caption = "How much published counts tell about one person. Shaded: what they prove for certain, at every ε."
    return lines_drawing("rule", caption, title, Axes(x, "smallest δ"), lines, areas)


def _varied(answer: RuleAnswer, varied: str) -> int:
    return answer.people.known[0] if varied == "known" else answer.people.size


def _learned(release: Release, who: str) -> Learned:
    return release.passive if who == WHO[0] else release.active


def _value(delta: Delta | None) -> Fraction:
    """Return a δ to place ink: itself where it is rational, else its decimal."""
    exact = delta and delta.rational
    return Fraction(delta.decimal(12)) if delta and exact is None else exact or Fraction(0)


def _number(text: str) -> str:
    return Number(text, text)
