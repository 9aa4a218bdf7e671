"""The lecture of ninety minutes: its plan as a page of the site, a view for the projector, and a handout to print.

The plan is `docs/course/lecture/plan.toml`; each step is a model file beside it that asks its question. The page of the
plan is the lecturer's own sheet. The view for the projector has none of her notes.
"""

from __future__ import annotations

import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape
from pathlib import Path
from typing import Any

from try_it import EXPLORER

from verifier.definitions import Verdict
from verifier.model import Model
from verifier.model.document import document_of
from verifier.model.read import read
from verifier.model.student_question import put_at
from verifier.numbers import epsilon, rational
from verifier.profile import Profile
from verifier.questions.check import check
from verifier.show.display import table
from verifier.show.drawings import Bound, profile_drawing
from verifier.show.frame import Drawing
from verifier.show.model_tables import step_sheets, world_sheets
from verifier.show.worlds import bars_of
from verifier.show.worlds.drawings import Worlds
from verifier.show.worlds.scene import scene_of
from verifier.wings.explore.links import explorer_link
from verifier.wings.teach.question import model_of

LECTURE = Path(__file__).resolve().parents[1] / "course" / "lecture"
FOLDER = "lecture"
"""Where the view, the handout and the files of the steps stand in the site."""
FILES = "questions.zip"
"""All files of the steps, which `pkdp grade` takes."""
EXAMPLE = "how-to-read"
"""The model whose picture the handout explains; no step asks about it."""

MARK = "<!-- the plan -->"
MOST_ROWS = 8
"""Most worlds that a table on the projector lists; of more it has the laws of the records."""


@dataclass(frozen=True)
class Step:
    """A step of the plan, in minutes from the start; the last one asks no question.

    `right` is the answer in words and `given` the same as a student hands it in. `pictures` are shown one after the
    other; they draw `definitions`, which have names for students, at each ε of `at`, and mark `delta`.
    """

    start: int
    end: int
    ask: str
    say: str
    right: str
    show: str
    name: str = ""
    text: str = ""
    given: object = None
    pictures: tuple[str, ...] = ()
    definitions: dict[str, str] = field(default_factory=dict)
    at: tuple[str, ...] = ()
    delta: str = ""

    @property
    def minutes(self) -> str:
        """The minutes as the plan writes them."""
        return f"{self.start}–{self.end}"

    @property
    def model(self) -> Model:
        """The model with its question."""
        return _model(self.name)

    @property
    def answered(self) -> Model:
        """The model after the vote: with the change that is the right answer, where a change is asked for."""
        if not isinstance(self.given, dict):
            return self.model
        document = document_of(self.text)
        for path, part in self.given.items():
            put_at(document, path, part)
        return model_of(document)

    def answer(self, definition: str, at: str = "0") -> Verdict:
        """What the definition says of the model after the vote at δ = 0 and this ε."""
        return check(self.answered, definition, epsilon=at, delta=0)

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        """The smallest δ at each ε, of each definition that is drawn: asked once, and drawn at every ε of `at`."""
        found: dict[str, Profile] = {}
        for name in self.definitions:
            profile = self.answer(name).profile
            assert isinstance(profile, Profile)
            found[name] = profile
        return found

    def linked(self, page: str) -> str:
        """The title; with the address of the explorer it is the link to the question there."""
        title, link = escape(self.model.title), explorer_link(page, self.text) if page else ""
        return f'<a href="{escape(link)}">{title}</a>' if link else title


@cache
def _model(name: str) -> Model:
    return read(str(LECTURE / f"{name}.toml"))


@cache
def steps() -> tuple[Step, ...]:
    """The steps of the lecture in their order."""
    plan = tomllib.loads((LECTURE / "plan.toml").read_text(encoding="utf-8"))
    return tuple(_step(one) for one in plan["step"])


def _step(one: dict[str, Any]) -> Step:
    name = one.get("file", "")
    text = (LECTURE / f"{name}.toml").read_text(encoding="utf-8") if name else ""
    given = next((answer["given"] for answer in one.get("answer", ()) if answer["state"] == "right"), None)
    return Step(
        *(one[key] for key in ("from", "to", "ask", "say", "right", "show")),
        name=name,
        text=text,
        given=given,
        pictures=tuple(one.get("pictures", ("worlds", "seen") if name else ())),
        definitions=one.get("definitions", {"np": "NP"}),
        at=tuple(one.get("at", ())),
        delta=one.get("delta", ""),
    )


def filled(text: str, *, explorer: bool) -> str:
    """The page with its plan in place of the mark; with the explorer in the site each step has its link."""
    return text.replace(MARK, _plan(explorer=explorer)) if MARK in text else text


def _plan(*, explorer: bool) -> str:
    rows = ["| minutes | question | you ask | students say | right | then show |", "|---|---|---|---|---|---|"]
    for step in steps():
        question = "Collect"
        if step.name:
            file = f'<a href="{FOLDER}/{step.name}.toml" download>file</a>'
            question = f"{step.linked(EXPLORER if explorer else '')} ({file})"
        rows.append(f"| {step.minutes} | {question} | {step.ask} | {step.say} | {step.right} | {step.show} |")
    doors = {
        "present.html": "The view for the projector",
        "handout.html": "the handout, one page to print",
        FILES: "the thirteen questions as files",
    }
    links = " · ".join(f'<a href="{FOLDER}/{name}">{words}</a>' for name, words in doors.items())
    return "\n".join([f"<p>{links}</p>", "", *rows])


def write(site: Path, *, explorer: bool) -> None:
    """Write the view for the projector, the handout and the files of the steps into their folder of the site."""
    folder = site / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    asked = [step for step in steps() if step.name]
    slides = "\n".join(_slide(number, step, explorer=explorer) for number, step in enumerate(steps(), 1))
    files = {
        "present.html": _page(
            "A lecture of ninety minutes", "present", PRESENT.format(slides=slides, steps=len(steps()))
        ),
        "handout.html": _page("Handout of the lecture", "handout", _handout(asked, explorer=explorer)),
        **{f"{step.name}.toml": step.text for step in asked},
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    with zipfile.ZipFile(folder / FILES, "w") as archive:
        for step in asked:
            archive.writestr(zipfile.ZipInfo(f"{step.name}.toml"), step.text)


def _page(title: str, kind: str, body: str) -> str:
    script = '<script src="../_static/lecture.js" defer></script>' if kind == "present" else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{title}</title>\n<link rel="icon" href="../_static/icon.svg">\n'
        f'<link rel="stylesheet" href="../_static/lecture.css">\n{script}\n</head>\n'
        f'<body class="{kind}">\n{body}\n</body>\n</html>\n'
    )


PRESENT = """\
<main>
{slides}
</main>
<nav aria-label="Steps"><a href="../lecture-plan.html">The plan</a>
<button type="button" id="back">← back</button> <span id="place" role="status">1 of {steps}</span>
<button type="button" id="next">next →</button>
<button type="button" id="picture" aria-pressed="false">picture (p)</button>
<button type="button" id="verdict" aria-pressed="false">verdict (v)</button>
<label id="dial" hidden>ε (−, +) <input type="range" id="mark" min="0" value="0"> <output id="at"></output></label>
</nav>"""


def _slide(number: int, step: Step, *, explorer: bool) -> str:
    """One step: the question with its tables; the picture and the verdict open on a key."""
    views = "".join(_view(step, kind) for kind in step.pictures)
    return (
        f'<section id="step-{number}" aria-labelledby="title-{number}"><div class="asked">'
        f'<p class="minutes">{step.minutes} minutes</p>{_question(number, step, explorer=explorer)}'
        f'<p class="verdict">{escape(step.right)}</p></div><div class="picture">{views}</div></section>'
    )


def _question(number: int, step: Step, *, explorer: bool) -> str:
    if not step.name:
        return (
            f'<h1 id="title-{number}">One line, one sentence</h1><p class="text">{escape(step.ask)}</p>'
            "<p>Your page shows the line after <i>Check</i>. It begins with pk1.</p>"
            f'<p><a href="handout.html">The handout</a> · <a href="{FILES}" download>all questions as files</a></p>'
        )
    asked, title = step.model.asked, step.linked(f"../{EXPLORER}" if explorer else "")
    assert asked is not None
    choices = "".join(f"<li>{escape(choice)}</li>" for choice in asked.choices or {})
    many = any(theta.count() > MOST_ROWS for theta in step.model.thetas)
    sheets = [*world_sheets(step.model, MOST_ROWS), *(step_sheets(step.model) if asked.goal or many else ())]
    tables = "".join(map(table, sheets))
    return (
        f'<h1 id="title-{number}">{title}</h1><p class="text">{escape(asked.text)}</p>'
        f'{f"<ul>{choices}</ul>" if choices else ""}<div class="tables">{tables}</div>'
    )


def _view(step: Step, kind: str) -> str:
    """A picture; one that is drawn at several values of ε has each of them, of which the slider shows one."""
    at = step.at if kind in {"bars", "curve"} else ("",)
    drawings = [DRAWINGS[kind](step, one) for one in at]
    title = "" if drawings[0].painted else f"<figcaption>{escape(drawings[0].title)}</figcaption>"
    frames = "".join(
        f'<div class="frame" data-at="{escape(one)}">{drawing.svg}</div>'
        for one, drawing in zip(at, drawings, strict=True)
    )
    return f'<figure class="view">{title}{frames}</figure>'


def _halves(model: Model) -> tuple[Drawing, Drawing]:
    return Worlds(scene_of(model)).halves()


def _bars(step: Step, at: str) -> Drawing:
    drawn = bars_of(step.answer(next(iter(step.definitions)), at))
    assert drawn is not None
    return drawn


def _curve(step: Step, at: str) -> Drawing:
    """The smallest δ at every ε, with this ε and the δ that is asked about; the ring is on the last curve."""
    curves, asked = [(label, step.profiles[name]) for name, label in step.definitions.items()], epsilon(at)
    smallest = curves[-1][1].delta(asked)
    delta = rational(step.delta) if step.delta else None
    return profile_drawing(curves, Bound(asked, delta, f"At ε = {at} the smallest δ is {smallest}", smallest))


def _curves(step: Step, _: str) -> Drawing:
    """One answer, the second step of the lecture, and two."""
    once = next(other for other in steps() if other.name.startswith("02-"))
    return profile_drawing([("one answer", once.profiles["np"]), ("two answers", step.profiles["np"])])


DRAWINGS: dict[str, Callable[[Step, str], Drawing]] = {
    "worlds": lambda step, _: _halves(step.answered)[0],
    "seen": lambda step, _: _halves(step.answered)[1],
    "bars": _bars,
    "curve": _curve,
    "curves": _curves,
}
"""The pictures that a step may name, each of the step at an ε."""


def _handout(asked: list[Step], *, explorer: bool) -> str:
    """One page: how a picture is read, and each question with room for its answer."""
    tiles, seen = _halves(_model(EXAMPLE))
    entries = "".join(f"<li>{_entry(step, explorer=explorer)}</li>" for step in asked)
    return (
        "<main><h1>What does a published number tell about you?</h1>"
        "<p>A tile is a world, as large as it is likely; its colour is what is published. Grey: she rules it out. "
        "<b>NP</b> compares the two frames: if you are another, the others move along. <b>CDP</b> follows the arrows: "
        "you alone change, even into a world that is never drawn. A bar shows how likely each output is. "
        "<b>ε</b> is the ln of the largest ratio of two bars of one colour that are compared. "
        "<b>δ</b> at ε is what is above e<sup>ε</sup> times the other bar, all colours together. "
        "A definition <b>objects</b> if it does not hold.</p>"
        f"<div class='pictures'>{tiles.svg}{seen.svg}</div>"
        f"<ol>{entries}</ol></main>"
    )


def _entry(step: Step, *, explorer: bool) -> str:
    """A question of the handout: its text, and boxes to tick, a line to write on, or a line for each part to choose."""
    asked = step.model.asked
    assert asked is not None
    line = '<span class="line"></span>'
    if asked.goal:
        (sheet,) = step_sheets(step.model)
        inputs = sorted(one for row in sheet.rows for one in row[0].split(", "))
        room = " ".join(f"<span class='choice'>{one} → {line}</span>" for one in inputs)
    elif asked.number:
        room = f"{'ε' if 'epsilon' in asked.number else 'δ'} = {line}"
    else:
        room = " ".join(f"<span class='choice'>☐ {escape(choice)}</span>" for choice in asked.choices or {})
    bars = "" if asked.goal else '<span class="bar" aria-hidden="true"></span>' * 2
    title = step.linked(f"../{EXPLORER}" if explorer else "")
    return f"<b>{title}</b> {escape(asked.text)}<span class='answer'>{room}</span>{bars}"
