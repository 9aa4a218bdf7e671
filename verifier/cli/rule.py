"""`pkdp rule`: what an attacker learns from counts that are published under a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from verifier.cli.common import Reply, print_lines, write_file
from verifier.cli.options import Rule
from verifier.errors import InCommand, InputError, PkdpError
from verifier.model.rules import named_rules
from verifier.model.table_files import rule_step
from verifier.numbers import DIGITS, plural, shorten
from verifier.questions.design import design_table
from verifier.questions.rule import (
    ASKED,
    FEW,
    AskedRule,
    People,
    RuleAnswer,
    read_noise,
    read_people,
    read_question,
    read_rule,
    read_table_keys,
)
from verifier.recheck import RejectedError, already_shown, text_of
from verifier.show.rules import design_sheet, recheck_note, rule_drawing, rule_sheets, rules_sheet, sweep_sheet

EXAMPLE = 'pkdp rule "hide 0 to 9" --people 1000 --known 100 --probability "1/20"'
LEFT_OUT = "it was left out (--no-replay)"
MOST_POINTS = 200
"""Most questions of one sweep."""
PLOTTED = 25
"""Questions of a drawing without --sweep: so many numbers of known people, evenly from 0 to all others."""
OPTIONS = {
    "people",
    "known",
    "probability",
    "epsilon",
    "delta",
    "overlap",
    "known_in_overlap",
    "total",
    "secondary",
    "noise",
    "max_noise",
    "variance",
    "never_1_to",
}
"""The arguments of the questions that are options here."""
DESIGN = 'pkdp rule --design --max-noise 5 --variance 3 --never-1-to 2 --epsilon "ln(2)"'
OF_DESIGN = ("max_noise", "variance", "exact_variance", "never_1_to")
OF_PEOPLE = (
    "rule",
    "people",
    "known",
    "probability",
    "delta",
    "overlap",
    "known_in_overlap",
    "noise",
    "table",
    "areas",
    "total",
    "secondary",
    "sweep",
    "plot",
    "model",
)
"""The options of --design alone, and those that it does not have."""
_SWEEP = re.compile(r"(?P<varied>known|people)=(?:(?P<low>\d+)\.\.(?P<high>\d+)|(?P<listed>\d+(?:,\d+)*))")


def rule(typed: Rule) -> Reply:
    """Answer what was typed; errors name its options."""
    try:
        return _answer(typed)
    except PkdpError as error:
        if error.where not in OPTIONS:
            raise
        raise error.but(where=f"--{error.where.replace('_', '-')}") from None


def _answer(typed: Rule) -> Reply:
    if typed.listed:
        rules = list(named_rules().values())
        return Reply(
            lambda: [{"key": one.key, "title": one.title, "words": one.words or one.write or None} for one in rules],
            lambda: [rules_sheet(rules)],
        )
    if typed.design:
        return _design(typed)
    if stray := [name for name in OF_DESIGN if getattr(typed, name)]:
        option = f"--{stray[0].replace('_', '-')}"
        raise InputError(
            f"{option} is given without --design", where=InCommand("pkdp rule"), wanted="both, or neither", tip=DESIGN
        )
    people = _people(typed)
    asked = _asked(typed, people)
    noise = read_noise(typed.noise)
    epsilon, delta = read_question(typed.epsilon, typed.delta)
    varied, points = _sweep(typed, people)
    answers = [asked.answer(point, noise, epsilon, delta) for point in points]
    answer = None if typed.sweep else asked.answer(people, noise, epsilon, delta)
    if typed.model is not None and answer is not None:
        write_file(typed.model, text_of(answer.model)[0], "the model")
    if typed.plot is not None:
        write_file(typed.plot, rule_drawing(answers, varied).alone, "the drawing")
    return _reply(typed, answer, answers, varied, asked.key)


def _design(typed: Rule) -> Reply:
    """The p-table that leaks least; the other options ask about people, whom it does not need."""
    fields = Rule.__dataclass_fields__
    stray = [name for name in OF_PEOPLE if getattr(typed, name) != fields[name].default]
    if stray:
        option = "a rule" if stray[0] == "rule" else f"--{stray[0].replace('_', '-')}"
        raise InputError(
            f"{option} is given with --design", where=InCommand("pkdp rule"), wanted="one of them", tip=DESIGN
        )
    if typed.max_noise is None or typed.variance is None:
        option = "--max-noise" if typed.max_noise is None else "--variance"
        raise InputError(
            f"{option} is missing", where="--design", wanted="the largest noise and its variance", tip=DESIGN
        )
    designed = design_table(
        max_noise=typed.max_noise,
        variance=typed.variance,
        epsilon=typed.epsilon or ASKED,
        never_1_to=typed.never_1_to,
        exact_variance=typed.exact_variance,
    )
    digits = typed.digits or DIGITS
    return Reply(lambda: designed.to_json(typed.max_digits, digits), lambda: [design_sheet(designed, digits)])


def _reply(typed: Rule, answer: RuleAnswer | None, answers: Sequence[RuleAnswer], varied: str, key: str) -> Reply:
    in_json, in_tables = typed.digits or DIGITS, typed.digits or FEW
    if answer is None:
        return Reply(
            lambda: (one.to_json(typed.max_digits, in_json) for one in answers),
            lambda: [sweep_sheet(answers, varied, in_tables)],
        )

    def as_json() -> Any:
        if typed.replay:
            return answer.rechecked().to_json(typed.max_digits, in_json)
        return {**answer.to_json(typed.max_digits, in_json), "replay": "left out"}

    return Reply(
        as_json, lambda: rule_sheets(answer, key, in_tables), after=lambda: _said_after(answer, replay=typed.replay)
    )


def _said_after(answer: RuleAnswer, *, replay: bool) -> str:
    """The word of the checker on numbers that are printed already."""
    if not replay:
        return recheck_note(replace(answer, unchecked=LEFT_OUT))
    try:
        return recheck_note(answer.rechecked())
    except RejectedError as error:
        print_lines(["REJECTED by the independent checker: do not rely on what is printed above."])
        raise already_shown(error.reason) from None


def _people(typed: Rule) -> People:
    """Who is counted, as the options say it."""
    given = [text for text in (typed.people, typed.areas) if text is not None]
    missing = {
        "the rule": ("a rule, or --table FILE.csv", typed.rule is None and typed.table is None),
        "the number of people": ("--people 1000, or --areas 8,8,8", not given),
        "the probability that a person is counted": ("--probability 1/20", typed.probability is None),
    }
    if left := {name: wanted for name, (wanted, lacks) in missing.items() if lacks}:
        problem = f"{' and '.join(left)} {'is' if len(left) == 1 else 'are'} missing"
        raise InputError(problem, where=InCommand("pkdp rule"), wanted=" and ".join(left.values()), tip=EXAMPLE)
    if len(given) > 1:
        problem = "--people and --areas are given, and the areas have all people"
        raise InputError(problem, where=InCommand("pkdp rule"), wanted="one of them", tip=f"--areas {typed.areas}")
    option = "--areas" if typed.areas else "--people"
    areas, known = _integers(given[0], option), _integers(typed.known, "--known")
    if len(areas) > 1 and typed.people:
        raise InputError(f"--people {typed.people} is a list", where="--people", wanted="a number, or --areas")
    return read_people(areas, known, typed.probability, 1 if typed.areas else typed.overlap, typed.known_in_overlap)


def _integers(text: str, option: str) -> list[int]:
    if not re.fullmatch(r"\d{1,9}(,\d{1,9})*", text):
        raise InputError(f"{shorten(text)} is not a number of people", where=option, wanted="1000, or 8,8,8 with areas")
    return [int(part) for part in text.split(",")]


def _asked(typed: Rule, people: People) -> AskedRule:
    """The rule: of the table, then of the words."""
    keys = read_table_keys(people, typed.total, typed.secondary)
    asked = read_rule([] if typed.rule is None else typed.rule, keys)
    if typed.table is None:
        return asked
    return replace(asked, given=None, steps=[rule_step(typed.table), *asked.steps])


def _sweep(typed: Rule, people: People) -> tuple[str, list[People]]:
    """What is varied, and who is counted and known each time; nothing without --sweep and --plot."""
    if typed.sweep is None and typed.plot is None:
        return "known", []
    if len(people.areas) > 1:
        option = "--sweep" if typed.sweep else "--plot"
        raise InputError("areas are not varied", where=option, wanted="--people")
    if typed.sweep is None:
        most = people.size - max(people.overlap, 1) + people.known_in_overlap
        numbers = sorted({people.known_in_overlap, *(most * k // (PLOTTED - 1) for k in range(PLOTTED))})
        varied, points = "known", [number for number in numbers if number >= people.known_in_overlap]
    else:
        found = _SWEEP.fullmatch(typed.sweep.replace(" ", ""))
        if found is None:
            wanted = "known=0..99, known=0,10,20, or people=100..120"
            raise InputError(f"{shorten(typed.sweep)} is not a sweep", where="--sweep", wanted=wanted)
        varied, low, high, listed = found.group("varied", "low", "high", "listed")
        points = [int(part) for part in listed.split(",")] if listed else list(range(int(low), int(high) + 1))
    if not 1 <= len(points) <= MOST_POINTS:
        problem = f"the sweep has {plural(len(points), 'question')}"
        raise InputError(problem, where="--sweep", wanted=f"1 to {MOST_POINTS}", tip=f"{varied}=0,50,100")
    group = people.overlap, people.known_in_overlap
    if varied == "known":
        return varied, [read_people(people.size, number, people.probability, *group) for number in points]
    return varied, [read_people(number, people.known[0], people.probability, *group) for number in points]
