"""The drawing of worlds: a band for each value, a tile for each world, what is published, what is believed.

Area is probability. Frames are what NP compares, arrows what CDP compares; grey is what the attacker rules out. Floats
place ink and decide nothing: every number that is written is exact, or a correctly rounded decimal where it is long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from textwrap import wrap

from verifier.definitions import Verdict, find
from verifier.errors import UnsupportedError
from verifier.model import NOTHING, Model, arguments, database_text, need_model
from verifier.numbers import ZERO, exact_text, plural
from verifier.show.bars import mirrored_drawing, short
from verifier.show.frame import INK, WIDTH, Drawing, Mark, Place, cut_name, exactly, word
from verifier.show.plots import ACTIVE, CAUSAL
from verifier.show.sections import plain_text
from verifier.show.worlds.scene import MOST_TILES, Chances, Scene, Tile, Worst, largest, scene_of
from verifier.tables import NO_ANSWER, Label, in_order

FILLS = ("#ffd27a", "#8ec5ea", "#a9dba4", "#f2a9a0", "#cdb5e8", "#c9c2b4", "#f7c6dd", "#9fd8d2")
PALE = "#f3efe4"
PATTERNS = 4
EDGE, LEFT, HIGH, GAP = 8.0, 96.0, 150.0, 46.0
LEAST, TALLEST = 26.0, 300.0
"""Height of the lowest band, and of both where one is unlikely."""
STEP, FIGURE = 17.0, 20.0
SMALL, LETTER = 10.5, 6.4
PERSON = "M7 .8a3.1 3.1 0 1 1 0 6.2a3.1 3.1 0 0 1 0-6.2zM1.2 15.2c0-4.6 2.4-6.8 5.8-6.8s5.8 2.2 5.8 6.8z"
MOST_BELIEFS = 8
MOST_SHOWN = 64
"""Most worlds of a model that is drawn where nobody asked for it."""
BOLD = " font-weight='600'"
ACROSS = 84
"""Characters of a line."""


@dataclass
class Layout:
    """The places of the bands and tiles of a scene; a tile that is partly ruled out has a second, grey, place."""

    scene: Scene
    top: float
    bands: list[tuple[Label, Place]] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)
    grey: dict[int, Place] = field(default_factory=dict)
    is_scaled: bool = True
    """Whether area is probability; not where a band is so unlikely that it is drawn higher."""

    def __post_init__(self) -> None:
        tiles, total = self.scene.tiles, self.scene.total
        shown = sum((total.get(value, Fraction(0)) for value in self.scene.values), Fraction(0))
        least = float(min(total[value] for value in self.scene.values) / shown)
        high = min(max(HIGH, LEAST / least), TALLEST)
        self.is_scaled = high * least >= LEAST - 0.01
        rows = {value: [k for k, tile in enumerate(tiles) if tile.value == value] for value in self.scene.values}
        drawn = {value: [k for k in row if tiles[k].probability] for value, row in rows.items()}
        ghosts = {value: self._sides(row, drawn) for value, row in rows.items()}
        lefts, rights = (max(len(sides[k]) for sides in ghosts.values()) for k in (0, 1))
        room = WIDTH - LEFT - EDGE - 8.0
        wide = min(max(58.0, STEP * self.scene.model.size + 12.0), room / 2 / max(1, lefts + rights))
        start, scale, y = LEFT + wide * lefts, room - wide * (lefts + rights), self.top
        for value, row in drawn.items():
            height = max(LEAST, high * float(total[value] / shown))
            self.bands.append((value, Place(start, y, scale, height)))
            x = start
            for k in row:
                for places, p in (
                    (self.places, tiles[k].possible),
                    (self.grey, tiles[k].probability - tiles[k].possible),
                ):
                    if p:
                        places[k] = Place(x, y, scale * float(p / total[value]), height)
                        x += places[k].width
            left, right = ghosts[value]
            for number, k in enumerate(reversed(left)):
                self.places[k] = Place(start - wide * (number + 1) - 1.0, y, wide - 6.0, height)
            for number, k in enumerate(right):
                self.places[k] = Place(start + scale + wide * number + 7.0, y, wide - 6.0, height)
            y += height + GAP
        self.bottom = y - GAP

    def _sides(self, row: Sequence[int], drawn: dict[Label, list[int]]) -> tuple[list[int], list[int]]:
        """Tiles that are never drawn, at the left and at the right: where the tiles stand whose arrows go there."""
        tiles = self.scene.tiles
        left: list[int] = []
        right: list[int] = []
        for k in row:
            if not tiles[k].probability:
                sources = [number for number, tile in enumerate(tiles) if tile.goes == k]
                before = sum(
                    (tiles[n].probability for n in drawn[tiles[sources[0]].value] if n < sources[0]), Fraction(0)
                )
                half = self.scene.total[tiles[sources[0]].value] - tiles[sources[0]].probability
                first = tiles[sources[0]].value == self.scene.values[0]
                (left if 2 * before < half or (2 * before == half and first) else right).append(k)
        return left, right


@dataclass(frozen=True)
class Worlds:
    """A scene, drawn."""

    scene: Scene

    @cached_property
    def layout(self) -> Layout:
        """The places of the tiles, below the title and the legend."""
        return Layout(self.scene, 34.0 + 16.0 * (len(self.legend) + 1) + 12.0)

    @property
    def target(self) -> str:
        """Who is protected, in the words of the drawing."""
        return "S" if self.scene.case.secret.record is None else "you"

    @cached_property
    def looks(self) -> dict[Label, tuple[str, int]]:
        """The colour and the pattern of each output; letters in the tiles tell them apart without colour."""
        shown = [output for output in self.scene.outputs if output.text != NO_ANSWER]
        count = len(FILLS)
        looks = {output: (FILLS[k % count], (k + k // count) % PATTERNS) for k, output in enumerate(shown)}
        return {output: looks.get(output, (PALE, 0)) for output in self.scene.outputs}

    @cached_property
    def legend(self) -> list[str]:
        """What is seen, in lines: the people, what she knows, which case of the model this is."""
        scene, model = self.scene, self.scene.model
        case, names = scene.case, [value.text for value in model.values]
        people = f"White: {names[0]}, black: {names[1]}" if len(names) == 2 else f"Letters: {', '.join(names)}"
        said = [f"Area: how likely. Colour: what is published. {cut_name(people, 60)}."]
        if self.target == "you":
            said[0] += " Underlined: you."
        if case.knowledge == NOTHING:
            said.append("She knows nothing beforehand.")
        else:
            sure = ", ".join(f"person {i} is {value}" for i, value in scene.sure.items())
            known = f"that {sure} (dashed)" if sure else f"“{case.knowledge}”"
            said.append(f"She knows {cut_name(known, 60)}. Grey: she rules it out.")
        said += self._which()
        return [line for sentence in said for line in wrap(sentence, ACROSS)]

    def _which(self) -> Iterator[str]:
        """Yield which case of the model is drawn, where there are several."""
        scene, model = self.scene, self.scene.model
        case, cases = scene.case, scene.case.laws.cases
        parts = []
        if len(model.thetas) > 1:
            parts.append(f"“{cut_name(case.theta.name, 24)}”, one of {len(model.thetas)} distributions")
        if len(model.secrets) > 1 and case.secret.record is not None:
            parts.append(f"you are person {case.secret.record}, one of {len(model.secrets)} protected")
        if len({other.knowledge for other in cases}) > 1:
            parts.append("one of what she may know")
        if len(scene.total) > 2:
            parts.append(f"the two likeliest of {len(scene.total)} values")
        if parts:
            yield f"Drawn: {'; '.join(parts)}."
        merged = sum(len(tile.databases) for tile in scene.tiles)
        if merged > len(scene.tiles):
            yield f"{merged} worlds are {len(scene.tiles)} tiles; those that nobody tells apart are one (×)."

    def drawing(self) -> Drawing:
        """The whole drawing."""
        tiles, y = self._tiles()
        seen, y = self._seen(y)
        return self._drawn([*tiles, *seen], y)

    def halves(self) -> tuple[Drawing, Drawing]:
        """The same as two drawings, for a projector: the worlds; what she may see and what she believes."""
        return self._drawn(*self._tiles()), self._drawn(*self._seen(0.0))

    def _drawn(self, marks: Sequence[Mark], height: float) -> Drawing:
        told = " ".join(f"{head}: {said}" for head, said in self.sentences())
        words = "; ".join(self.words(tile) for tile in self.scene.tiles)
        return Drawing(
            "worlds",
            "What can happen, what is published then, and what she believes. Frames: if you are another, the others "
            "move along (NP). Arrows: you alone are changed (CDP).",
            height + 14.0,
            f"The worlds of {cut_name(plain_text(self.scene.model.title), 64)}",
            f"{' '.join(self.legend)} Worlds: {words}. {told}",
            marks,
            painted=True,
        )

    def _tiles(self) -> tuple[list[Mark], float]:
        """The title, the legend, frames, tiles and arrows, and where they end."""
        title = plain_text(self.scene.model.title)
        marks = [word(EDGE, 22.0, cut_name(title, 56), more=" font-size='14' font-weight='700'")]
        marks += [word(EDGE, 40.0 + 16.0 * k, line) for k, line in enumerate(self.legend)]
        y = 40.0 + 16.0 * len(self.legend)
        keys = [(EDGE, ACTIVE.colour, "Frames (NP): if you are another, the others move along.")]
        if self.scene.case.secret.record is not None:
            keys.append((330.0, CAUSAL.colour, "Arrows (CDP): you alone change."))
        for x, colour, said in keys:
            marks += [
                _line(f"M{x + 1.5:.1f} {y - 9.0:.1f}v11", colour, 3.0),
                word(x + 8.0, y, said, more=" font-size='11'"),
            ]
        marks += self._worlds()
        y = self.layout.bottom + 24.0
        if not self.layout.is_scaled:
            marks.append(
                word(LEFT, y - 4.0, "The lower band is higher than it is likely.", more=f" font-size='{SMALL}'")
            )
        return marks, y

    def _seen(self, y: float) -> tuple[list[Mark], float]:
        """The bars, the beliefs and the sentences below `y`, and where they end."""
        marks: list[Mark] = []
        for part in (self._bars, self._beliefs):
            found, y = part(y + 14.0)
            marks += found
        for head, said in self.sentences():
            colour = ACTIVE.colour if head == "NP" else CAUSAL.colour
            marks.append(_line(f"M{EDGE - 5.0:.1f} {y + 8.0:.1f}v13", colour, 3.0))
            for line in wrap(f"{head}: {said}", ACROSS - 10):
                y += 18.0
                marks.append(word(EDGE, y, line, more=BOLD))
        return marks, y

    # --- the worlds -------------------------------------------------------------------------------------------------

    def words(self, tile: Tile) -> str:
        """A tile in words: its databases, how likely they are, what is published, whether she rules them out."""
        databases = " or ".join(database_text(d, self.scene.model.values) for d in tile.databases[:4])
        more = f" and {len(tile.databases) - 4} more" if len(tile.databases) > 4 else ""
        law = ", ".join(o.text if p == 1 else f"{o.text} with probability {exact_text(p)}" for o, p in tile.law.items())
        chance = f"probability {exact_text(tile.probability)}" if tile.probability else "never drawn"
        ruled = ""
        if tile.possible < tile.probability:
            ruled = (
                f", she thinks {exact_text(tile.possible)} of it possible" if tile.possible else ", she rules it out"
            )
        return f"{databases}{more}: {chance}{ruled}; published: {law}"

    def _worlds(self) -> Iterator[Mark]:
        layout, scene = self.layout, self.scene
        for value, band in layout.bands:
            name = cut_name(value.text, 9)
            said = f"you: {name}" if self.target == "you" else f"S = {name}"
            middle = band.y + band.height / 2
            yield word(LEFT - 12.0, middle + 1.0, said, anchor="end", more=BOLD)
            yield word(
                LEFT - 12.0, middle + 15.0, short(scene.total[value]), anchor="end", more=f" font-size='{SMALL}'"
            )
        for number, tile in enumerate(scene.tiles):
            parts: list[Mark] = []
            for places, possible in ((layout.places, True), (layout.grey, False)):
                if number in places:
                    parts += self._tile(places[number], tile, possible=possible)
            label = self.words(tile)
            yield Mark("g", "", "tabindex='0' role='img'", label=label, tooltip=label, inside=tuple(parts))
        for _, band in layout.bands:
            corner, wide = f"M{band.x - 4.0:.1f} {band.y - 4.0:.1f}", f"{band.width + 8.0:.1f}"
            yield _line(f"{corner}h{wide}v{band.height + 8.0:.1f}h-{wide}Z", ACTIVE.colour, 2.2)
        for number, tile in enumerate(scene.tiles):
            if tile.goes is not None and not (scene.tiles[tile.goes].goes == number and tile.goes < number):
                yield from self._arrow(number, tile.goes)

    def _tile(self, place: Place, tile: Tile, *, possible: bool) -> Iterator[Mark]:
        """Yield one tile: a layer for each output, the people, the probability."""
        drawn, top = tile.probability > 0, place.y
        coloured = possible or not drawn
        for output, p in tile.law.items():
            layer = Place(place.x, top, place.width, place.height * float(p))
            if coloured:
                yield from self._layer(layer, output)
                if layer.height >= 15.0 and place.width >= LETTER * len(output.text) + 8.0:
                    yield _ink(place.x + place.width - 4.0, top + layer.height - 4.0, output.text, "end", 600)
            top += layer.height
        if not coloured:
            yield Mark(
                "rect",
                "",
                place.box,
                "fill='currentColor' fill-opacity='.1' stroke='currentColor' stroke-opacity='.5'",
            )
        else:
            dash = "" if drawn else " stroke-dasharray='3 3'"
            yield _edge(place, dash)
        room = max((LETTER * len(o.text) + 6.0 for o in tile.law), default=0.0) if coloured else 0.0
        people = STEP * self.scene.model.size + 6.0
        if len(tile.databases) > 1:
            if place.width >= 30.0 and place.height >= 18.0:
                yield _ink(place.x + 5.0, place.y + 14.0, f"×{len(tile.databases)}", on=coloured)
        elif place.width >= people and place.height >= FIGURE + 4.0:
            yield from self._people(place.x + 5.0, place.y + 4.0, tile, coloured=coloured)
        said = short(tile.possible if possible else tile.probability - tile.possible) if drawn else "never"
        if place.height >= FIGURE + 20.0 and place.width >= 6.0 * len(said) + room + 6.0:
            yield _ink(place.x + 5.0, place.y + place.height - 5.0, said, size=SMALL, on=coloured)

    def _layer(self, place: Place, output: Label) -> Iterator[Mark]:
        """Yield a coloured box with the pattern of an output."""
        fill, pattern = self.looks[output]
        yield Mark("rect", "", place.box, f"fill='{fill}'")
        lines = place.pattern(pattern)
        if lines:
            yield Mark("path", "", f"d='{lines}'", f"fill='none' stroke='{INK}' stroke-opacity='.22'")

    def _people(self, x: float, y: float, tile: Tile, *, coloured: bool) -> Iterator[Mark]:
        """Yield a figure for each record: filled or not by its value, or with its first letter; you are underlined."""
        values, (database,) = self.scene.model.values, tile.databases
        ink = INK if coloured else "currentColor"
        faint = "" if coloured else " opacity='.5'"
        for i, v in enumerate(database):
            left = x + STEP * i
            at = f"transform='translate({left:.1f} {y:.1f})'"
            if i in self.scene.sure and coloured:
                yield _edge(
                    Place(left - 1.2, y - 1.5, 16.4, 18.5), " rx='3' stroke-opacity='.7' stroke-dasharray='2 2'"
                )
            solid = v > 0 if len(values) == 2 else False
            fill = ink if solid else ("#fff" if coloured else "none")
            look = f"fill='{fill}' stroke='{ink}' stroke-width='1.2'{faint}"
            if len(values) == 2:
                yield Mark("path", "", f"d='{PERSON}' {at}", look)
            else:
                letter = f" font-size='10' font-weight='600' fill='{ink}'{faint}"
                yield Mark("circle", "", f"cx='{left + 7.0:.1f}' cy='{y + 8.0:.1f}' r='7'", look)
                yield word(left + 7.0, y + 11.6, values[v].text[:1], anchor="middle", more=letter)
            if i == self.scene.case.secret.record:
                yield _line(f"M{left:.1f} {y + 18.2:.1f}h14", ink, 2.2, more=faint)

    def _arrow(self, start: int, end: int) -> Iterator[Mark]:
        """Yield CDP's arrow between two tiles: upright where they overlap; two heads where it leads back as well."""
        layout, tiles = self.layout, self.scene.tiles
        from_, to = layout.places[start], layout.places.get(end) or layout.grey[end]
        low, high = max(from_.x, to.x), min(from_.x + from_.width, to.x + to.width)
        x = y = (low + high) / 2
        if high - low < 6.0:
            y = to.middle
            x = min(max(y, from_.x + min(6.0, from_.width / 2)), from_.x + from_.width - min(6.0, from_.width / 2))
        down = to.y > from_.y
        begin = from_.y + from_.height + 6.0 if down else from_.y - 6.0
        framed = 6.0 if tiles[end].probability else 2.0
        finish = to.y - framed if down else to.y + to.height + framed
        if end not in layout.places:  # she rules it out; what would be published there
            chip = Place(y - 10.0, to.y if down else to.y + to.height - 11.0, 20.0, 11.0)
            top = chip.y
            for output, p in tiles[end].law.items():
                layer = Place(chip.x, top, chip.width, chip.height * float(p))
                yield from self._layer(layer, output)
                top += layer.height
            yield _edge(chip)
        yield _line(f"M{x:.1f} {begin:.1f}L{y:.1f} {finish:.1f}", CAUSAL.colour, 2.0)
        yield _head(x, begin, y, finish)
        if tiles[end].goes == start:
            yield _head(y, finish, x, begin)

    # --- what she sees and believes ---------------------------------------------------------------------------------

    def _bars(self, y: float) -> tuple[list[Mark], float]:
        """The law of the output in each case that is compared, in an order that has what is compared side by side."""
        scene, case = self.scene, self.scene.case
        possible = [value for value in scene.values if value in case.prior]
        rows: list[tuple[str, Chances]] = [
            (f"{self.target}: {cut_name(value.text, 9)}", case.law(value)) for value in possible
        ]
        changed = [(value, other) for value in possible if (other := scene.other(value)) is not None]
        if changed:
            moved = [(f"{cut_name(a.text, 5)} → {cut_name(b.text, 5)}", case.law(a, b)) for a, b in changed]
            rows = [moved[0], *rows, moved[1]]
        marks = [word(EDGE, y + 4.0, "What she may see", more=BOLD)]
        wide, start, y = WIDTH - LEFT - 62.0, LEFT, y + 12.0
        for number, (label, law) in enumerate(rows):
            top, x = y + 27.0 * number, start
            marks.append(word(start - 8.0, top + 15.0, label, anchor="end"))
            for output in scene.outputs:
                p = law.get(output, Fraction(0))
                if not p:
                    continue
                bar = Place(x, top, wide * float(p), 20.0)
                said = f"{output.text}: {short(p)}"
                room = next((text for text in (said, output.text) if LETTER * len(text) + 4.0 <= bar.width), "")
                inside = [*self._layer(bar, output), _edge(bar)]
                if room:
                    inside.append(_ink(bar.middle, top + 14.5, room, "middle"))
                marks.append(
                    Mark(
                        "g",
                        "",
                        "",
                        tooltip=f"{label}: {output.text} with probability {exactly(p)}",
                        inside=tuple(inside),
                    )
                )
                x += bar.width
        compared = ["CDP", "NP", "CDP"] if changed else ["NP"] if len(rows) > 1 else []
        for number, name in enumerate(compared):
            colour, top = ACTIVE.colour if name == "NP" else CAUSAL.colour, y + 10.0 + 27.0 * number
            marks.append(_line(f"M{start + wide + 6.0:.1f} {top + 2.0:.1f}h6v23h-6", colour, 2.0))
            marks.append(word(start + wide + 17.0, top + 18.0, name, more=BOLD))
        return marks, y + 27.0 * len(rows) + 8.0

    def _beliefs(self, y: float) -> tuple[list[Mark], float]:
        """What she believes of the last band's value, before and after each output; certainty is bold."""
        scene = self.scene
        value, rows = scene.values[-1], scene.beliefs()
        who = "you are" if self.target == "you" else "S is"
        marks = [word(EDGE, y + 4.0, f"What she believes: {who} {cut_name(value.text, 24)}", more=BOLD)]
        wide, y = 240.0, y + 12.0
        for number, (output, beliefs) in enumerate(rows[:MOST_BELIEFS]):
            top = y + 23.0 * number
            label = "before" if output is None else f"after {output.text}"
            if output is not None:
                chip = Place(EDGE, top + 2.0, 14.0, 14.0)
                marks += [*self._layer(chip, output), _edge(chip)]
            name = label if output is None else cut_name(output.text, 11)
            marks.append(word(EDGE + 20.0, top + 13.5, name))
            p = beliefs.get(value, Fraction(0))
            told = f"{label}: {value.text} with probability {exactly(p)}"
            frame, sure = Place(LEFT, top, wide, 18.0), Place(LEFT, top, wide * float(p), 18.0)
            inside = [Mark("rect", "", sure.box, "fill='currentColor' fill-opacity='.75'")] if p else []
            inside.append(Mark("rect", "", frame.box, "fill='none' stroke='currentColor'"))
            marks.append(Mark("g", "", "", tooltip=told, inside=tuple(inside)))
            weight = 700 if p in {0, 1} and output is not None else 400
            marks.append(word(LEFT + wide + 8.0, top + 13.5, short(p), more=f" font-weight='{weight}'"))
        left = len(rows) - MOST_BELIEFS
        bottom = y + 23.0 * min(len(rows), MOST_BELIEFS)
        if left > 0:
            marks.append(word(LEFT, bottom + 10.0, f"… and after {plural(left, 'more output')}"))
            bottom += 16.0
        return marks, bottom + 2.0

    def sentences(self) -> list[tuple[str, str]]:
        """What NP and CDP say here, in a sentence each, and where another case of the model needs more."""
        case, values = self.scene.case, self.scene.values
        everywhere = [other.losses for other in case.laws.cases]
        said = []
        for k, (name, worst) in enumerate((("NP", case.np(values)), ("CDP", case.cdp(values)))):
            if name == "CDP" and case.secret.record is None:
                continue
            possible = [value for value in values if value in case.prior]
            nothing = len(possible) < 2 or (name == "CDP" and not case.changes)
            is_one = f"{'you' if self.target == 'you' else 'S'} can only be {cut_name(possible[0].text, 24)}"
            line = f"nothing is compared, {is_one}." if nothing else _said(name, worst)
            highest = largest(losses[k] for losses in everywhere)
            if highest.rank > worst.rank:
                line += f" Elsewhere in this model: {_epsilon(highest)}."
            said.append((name, line))
        return said


@arguments.takes(
    distribution=arguments.optional(arguments.text),
    record=arguments.optional(arguments.number(0)),
    knowledge=arguments.optional(arguments.text),
)
def worlds(
    model: Model, *, distribution: str | None = None, record: int | None = None, knowledge: str | None = None
) -> Drawing:
    """Draw the worlds of a model: which there are, what is published in each, what the attacker believes then.

    Area is probability, frames are what NP compares, arrows what CDP compares. Of several distributions, protected
    records and values of the knowledge, those are drawn that lose most, or those that are named. The drawing shows
    itself in a notebook; `.save("worlds.svg")` writes it, `.svg` is its text.

    >>> from verifier.model import build
    >>> twins = {"table": [{"database": [0, 0], "probability": "1/2"}, {"database": [1, 1], "probability": "1/2"}]}
    >>> drawn = worlds(build(size=2, values=[0, 1], distribution=twins, mechanism={"kind": "parity", "value": 1}))
    >>> drawn, "“0” comes only if you stay 0: no ε is enough." in drawn.description
    (<Drawing worlds: .save(path) writes it>, True)

    Raises:
        InputError: for a name that no case of the model has.
        UnsupportedError: for a model without a distribution, or with more than 16 kinds of worlds.

    """
    need_model(model)
    return Worlds(scene_of(model, distribution=distribution, record=record, knowledge=knowledge)).drawing()


def shown_worlds(model: Model) -> Drawing | None:
    """Draw the worlds of a model where a page shows more of it; None where they are many or cannot be drawn."""
    if not model.thetas or model.sizes is not None or max(theta.count() for theta in model.thetas) > MOST_SHOWN:
        return None
    try:
        return worlds(model)
    except UnsupportedError:
        return None


def worlds_of(answer: Verdict) -> Drawing:
    """Draw the worlds that an answer is about: those of its witness, or of the comparison that comes closest."""
    return Worlds(_scene_of(answer)).drawing()


def bars_of(answer: Verdict) -> Drawing | None:
    """Draw the two laws that an answer compares, with δ at its ε hatched; None where it compares others than two."""
    found, definition = answer.witness or answer.tightest, find(answer.definition)
    if found is None or definition.aggregation.averages or definition.kind not in {"conditional", "counterfactual"}:
        return None
    case = _scene_of(answer).case
    a, b = found.a, found.b
    if a is None or b is None or not {a, b} <= case.prior.keys():
        return None
    causal = definition.kind == "counterfactual"
    laws = case.law(a), case.law(a, b) if causal else case.law(b)
    who = "you" if found.record is not None else "S"
    names = (f"{who}: {a}", f"{who}: {a} → {b}" if causal else f"{who}: {b}")
    outputs = in_order({*laws[0], *laws[1]})
    rows = [(o.text, laws[0].get(o, Fraction(0)), laws[1].get(o, Fraction(0))) for o in outputs]
    return mirrored_drawing(rows, names, answer.epsilon or ZERO) if len(rows) <= MOST_TILES else None


def _scene_of(answer: Verdict) -> Scene:
    """Return the scene of the comparison that an answer names; of the model where it names none."""
    found, names = answer.witness or answer.tightest, {theta.name for theta in answer.model.thetas}
    if found is None or found.distribution not in names:
        return scene_of(answer.model)
    known = None if found.knowledge is None else found.knowledge.text
    return scene_of(answer.model, distribution=found.distribution, record=found.record, knowledge=known)


def _said(name: str, worst: Worst) -> str:
    if worst.output is None:
        return f"the bars that {name} compares are equal, and nothing is told: ε = 0."
    output = cut_name(worst.output.text, 20)
    if worst.ratio is None:
        return f"“{output}” comes {worst.why}: no ε is enough."
    return f"“{output}” is {exact_text(worst.ratio, 24)} times as likely {worst.why}: {_epsilon(worst)}."


def _epsilon(worst: Worst) -> str:
    return "no ε is enough" if worst.ratio is None else f"ε = ln({exact_text(worst.ratio, 24)})"


def _edge(place: Place, more: str = "") -> Mark:
    return Mark("rect", "", place.box, f"fill='none' stroke='{INK}'{more}")


def _line(path: str, colour: str, width: float, more: str = "") -> Mark:
    return Mark("path", "", f"d='{path}'", f"fill='none' stroke='{colour}' stroke-width='{width}'{more}")


def _ink(
    x: float, y: float, text: str, anchor: str = "start", weight: int = 400, size: float = 12.0, *, on: bool = True
) -> Mark:
    """Return a text on a tile."""
    look = f" font-size='{size:g}' font-weight='{weight}'" + (f" fill='{INK}'" if on else " opacity='.8'")
    return word(x, y, text, anchor=anchor, more=look)


def _head(x: float, y: float, to_x: float, to_y: float) -> Mark:
    """Return the head of an arrow as a triangle."""
    dx, dy = to_x - x, to_y - y
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    dx, dy = 7.0 * dx / length, 7.0 * dy / length
    wings = (to_x - dx - dy * 0.6, to_y - dy + dx * 0.6), (to_x - dx + dy * 0.6, to_y - dy - dx * 0.6)
    (a, b), (c, d) = wings
    return Mark("path", "", f"d='M{to_x:.1f} {to_y:.1f}L{a:.1f} {b:.1f}L{c:.1f} {d:.1f}Z'", f"fill='{CAUSAL.colour}'")
