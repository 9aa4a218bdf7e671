"""What a guarantee gives in another definition, as a document: conversions as functions, drawn, exact, attained."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from verifier.cli.reading import read_source
from verifier.model.bundled import bundled_file
from verifier.show.sections import Block, Diagram, Document, Paragraph, Section
from verifier.wings.exchange.answer import Exchange
from verifier.wings.exchange.curve.answer import Curve
from verifier.wings.exchange.curve.decide import convert_curve
from verifier.wings.exchange.models import read_models
from verifier.wings.exchange.plots import curve_plot
from verifier.wings.exchange.rate import convert
from verifier.wings.exchange.sheets import curve_sheets, exchange_sheets

PATH = "exchange.html"
TITLE = "What one guarantee gives in another definition"
LEAD = (
    "A mechanism is ε-A. The conversion is the smallest ε′ for which every ε-A mechanism is ε′-B, for the data and the "
    "knowledge of a model. All mechanisms count, with any number of outputs; the model's own mechanism plays no part."
)
EXACT = (
    "Nothing is interpolated: each piece is a formula that holds on its whole interval, with multipliers as proof, and "
    "some mechanism attains it. `pkdp convert A B MODEL --epsilon E` answers for other definitions and other data."
)

CAPTION = "The table below is exact; a triangle stands where no finite ε′ is enough."


@dataclass(frozen=True)
class RateQuestion:
    """A conversion that is shown as a function of `over`, a parameter of `model`, or of ε where that is empty.

    A function of a parameter is at ε = `epsilon`; a function of ε is at the parameter's value `at` (`agree=3/4`). The
    extreme mechanism is shown at `epsilon` and `at`.
    """

    heading: str
    words: str
    source: str
    target: str
    model: str
    epsilon: str
    at: str
    over: str = ""

    @property
    def command(self) -> str:
        """The command that prints the function."""
        how = f'--epsilon "{self.epsilon}" --over {self.over}' if self.over else f"--set {self.at} --curve all"
        return f"pkdp convert {self.source} {self.target} {self.model} {how}"

    @property
    def place(self) -> str:
        """The values of the parameter and of ε at which the extreme mechanism is shown, in words."""
        return f"{self.at.replace('=', ' = ')}, ε = {self.epsilon}"


QUESTIONS = (
    RateQuestion(
        "How much CDP does NP give as the correlation of two records grows?",
        "Two fair bits agree with probability `agree`, so that their correlation is 2·agree - 1. Where they are "
        "independent (agree = 1/2), NP gives CDP with the same ε. The more they depend on each other, the less CDP it "
        "gives: ε′ grows beyond every bound as one record comes to determine the other.",
        "np",
        "cdp",
        "two-bits-that-agree",
        "ln(2)",
        "agree=3/4",
        over="agree",
    ),
    RateQuestion(
        "How much DP does CDP give?",
        "The same two bits, with agree = 3/4. CDP compares averages over the data; DP compares single databases. A "
        "small ε of CDP bounds both. From ε = ln(3) on, CDP bounds nothing on a single database.",
        "cdp",
        "dp",
        "two-bits-that-agree",
        "ln(2)",
        "agree=3/4",
    ),
    RateQuestion(
        "How much NP does CDP give, on three bits of which the last is the majority of the others and a coin?",
        "The coin is 1 with probability `coin`. CDP gives most NP if the coin is fair, and none if the coin "
        "is always 0 or always 1: the last bit is then the AND, or the OR, of the others.",
        "cdp",
        "np",
        "majority-and-coin",
        "ln(2)",
        "coin=1/2",
        over="coin",
    ),
    RateQuestion(
        "And how much CDP does NP give, on the same three bits?",
        "Nothing, whatever the coin: [1, 1, 0] and [0, 0, 1] are impossible, and NP does not bound them.",
        "np",
        "cdp",
        "majority-and-coin",
        "ln(2)",
        "coin=1/2",
        over="coin",
    ),
)


@cache
def rates() -> tuple[tuple[RateQuestion, Curve, Exchange], ...]:
    """Each question with its rate as a function, and with the rate where the extreme mechanism is shown."""
    answers = []
    for question in QUESTIONS:
        path, between = str(bundled_file(question.model)), (question.source, question.target)
        ((_, model),) = read_models(path, [question.at])
        if question.over:
            curve = convert_curve(read_source(path), *between, epsilon=question.epsilon)
        else:
            curve = convert_curve(model, *between)
        answers.append((question, curve, convert(model, *between, epsilon=question.epsilon)))
    return tuple(answers)


def exchange_document() -> Document:
    """The page of conversions: for each question the drawing, the pieces as a table, and the extreme mechanism."""
    return Document(
        path=PATH,
        title=TITLE,
        below=(Paragraph(LEAD, "lead"), Paragraph(EXACT, "source")),
        sections=tuple(_section(number, *answered) for number, answered in enumerate(rates(), 1)),
    )


def _section(number: int, question: RateQuestion, curve: Curve, rate: Exchange) -> Section:
    pieces, *evidence = curve_sheets(curve, typeset=True)
    drawn = any(cell.factor is not None for cell in curve.pieces)
    return Section(
        question.heading,
        (
            Paragraph(question.words),
            Paragraph(f"`{question.command}`", "source"),
            *((Diagram(curve_plot(curve).styled, CAPTION, f"rate-{number}", wide=False),) if drawn else ()),
            pieces,
            *evidence,
        ),
        key=f"rate-{number}",
        sections=(Section(f"The rate and an extreme mechanism where {question.place}", _attained(rate)),),
    )


def _attained(rate: Exchange) -> tuple[Block, ...]:
    """The rate at one place, the multipliers that prove it, and a mechanism that attains it."""
    return tuple(exchange_sheets([({}, rate)]))
