"""What the first page shows of the thing itself: an attack, an example to change, its profile, and a refutation.

Each state of the example is decided when the page is built, so that it answers without a script and without a network.
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape

import doors

from verifier.definitions import Verdict
from verifier.model import Model, build, database_text, read
from verifier.model.library import models_folder
from verifier.profile import Profile
from verifier.questions.check import check
from verifier.show.drawings import PiecewiseCurve, attackers_drawing, frame_of
from verifier.show.frame import Frame
from verifier.show.pages import unique
from verifier.show.sheet import Sheet, Word, exact
from verifier.show.witnesses import why
from verifier.show.worlds import worlds

MARK = "<!-- the example and the refutation -->"
DOORS = "<!-- the doors -->"
PICTURE = "<!-- the picture -->"
"""The places in docs/index.md."""
EPSILON, DELTA = "ln(2)", "1/4"
ATTACKERS = {"apkdp": "active: she chooses what she knows", "ppkdp": "passive: she is given it"}
REFUTATION = "DMKB20/example-4-repaired.toml"
"""The model that refutes DMKB20, Proposition 4, which says that NP and CDP are equivalent for such a θ."""


def friends(above: int) -> Model:
    """Four people, of whom the attacker knows two; the count of yes is published where it is above a threshold."""
    return build(
        size=4,
        values=["no", "yes"],
        distribution={"iid": {"no": "9/10", "yes": "1/10"}},
        knowledge={"records": [0, 1]},
        sensitive={"records": [3]},
        mechanism={"kind": "threshold-count", "value": "yes", "above": above},
    )


def filled(page: str, built: Collection[str] = ()) -> str:
    """The first page with the doors, the example and the refutation in their place; `built` as in `doors`."""
    if MARK not in page:
        return page
    made = {PICTURE: picture(), DOORS: doors.opened(built), MARK: f"{example()}\n{refutation()}"}
    for place, html in made.items():
        page = page.replace(place, f"```{{raw}} html\n{html}\n```")
    return page


def counted() -> Model:
    """Three people, of whom the attacker knows two; the count of yes is published."""
    return build(
        title="Three answers, and their count",
        size=3,
        values=["no", "yes"],
        distribution={"iid": "uniform"},
        knowledge={"records": [0, 1]},
        sensitive={"records": [2]},
        mechanism={"kind": "count", "value": "yes"},
    )


def picture() -> str:
    """The attack of the first lines, drawn: what she rules out is grey, and what she sees decides the rest."""
    drawn = worlds(counted())
    caption = "Each box is a world; Eve rules out the grey ones. “You” is your friend: if she sees 1, one box is left."
    return f"<figure class='attack'>{unique(drawn.svg, 'attack')}<figcaption>{caption}</figcaption></figure>"


def example() -> str:
    """The example: one state for each threshold, of which a radio button shows one."""
    states = [_answers(above) for above in range(4)]
    profiles = [answer.profile for answers in states for answer in answers.values()]
    curves = [PiecewiseCurve.of(profile) for profile in profiles if isinstance(profile, Profile)]
    frame = Frame(0.0, frame_of(curves).high)
    controls = "".join(
        f"<input type='radio' name='above' id='above-{above}'{' checked' if above == 1 else ''}>"
        f"<label for='above-{above}'>{above}</label>"
        for above, _ in enumerate(states)
    )
    shown = "".join(f"<div class='state'>{_state(above, answers, frame)}</div>" for above, answers in enumerate(states))
    return (
        "<section class='try' aria-labelledby='try-head'><h2 id='try-head'>Does a count protect my friend?</h2>"
        "<p>Four people answer yes with probability 1/10 each. The attacker knows two of the answers, and wonders "
        "about the last. The number of yes is published if it is larger than a threshold, else only that it is not. "
        "Choose the threshold:</p>"
        f"<fieldset class='states'><legend>published if more than</legend>{controls}{shown}</fieldset></section>"
    )


def _answers(above: int) -> dict[str, Verdict]:
    """The verdicts on both attackers at one threshold."""
    model = friends(above)
    return {key: check(model, key, epsilon=EPSILON, delta=DELTA) for key in ATTACKERS}


def _state(above: int, answers: dict[str, Verdict], frame: Frame) -> str:
    """The verdicts on both attackers at one threshold, why, and both profiles on the axes of all thresholds."""
    rows = tuple(
        (words, Word(answers[key].verdict), _tight(answers[key]), exact(answers[key].tight_epsilon))
        for key, words in ATTACKERS.items()
    )
    columns = ("attacker", "verdict", f"smallest δ at ε = {EPSILON}", "smallest ε at δ = " + DELTA)
    table = Sheet(f"Is ({EPSILON}, {DELTA}) enough?", columns, rows).html()
    reasons = "".join(f"<p>{escape(key)}: {escape(why(answer), quote=False)}</p>" for key, answer in answers.items())
    active, passive = (answers[key].profile for key in ATTACKERS)
    drawing = ""
    if isinstance(active, Profile) and isinstance(passive, Profile):
        drawn = attackers_drawing(active, passive, frame)
        svg, caption = unique(drawn.svg, f"front-{above}"), f"<figcaption>{drawn.caption}</figcaption>"
        drawing = f"<figure class='plot'>{svg}{caption}</figure>"
    return f"{table}{reasons}{drawing}"


def _tight(answer: Verdict) -> str:
    return exact(answer.tight_delta)


def refutation() -> str:
    """A numbered proposition that fails as printed, with its whole counterexample."""
    model = read(str(models_folder() / REFUTATION))
    (theta,) = model.thetas
    noiseless, causal = (check(model, key) for key in ("np", "cdp"))
    worlds = tuple(
        (
            database_text(world.database, model.values),
            f"{world.weight}/{theta.denominator}",
            ", ".join(output.text for output in model.mechanism.law(world.database).outcomes),
        )
        for world in theta.worlds()
    )
    table = Sheet("All that can happen", ("the two records", "probability", "published"), worlds).html()
    title = "A proposition that fails as printed"
    return (
        f"<section class='refuted' aria-labelledby='refuted-head'><h2 id='refuted-head'>{title}</h2>"
        "<p><strong>DMKB20, Proposition 4</strong> says that noiseless privacy (np) and causal differential privacy "
        "(cdp) are equivalent wherever θ has an acceptable normalization. Two records that are always equal, and the "
        f"parity of their sum, are the smallest case against it: np {escape(noiseless.verdict)} with ε = "
        f"{escape(str(noiseless.tight_epsilon))}, and cdp {escape(causal.verdict)} for every ε.</p>"
        f"{table}<p>{escape(why(causal), quote=False)}</p></section>"
    )
