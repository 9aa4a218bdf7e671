"""Gives classes the displays that `verifier.show.notebook` draws, loaded when the first of them is shown.

A model, a verdict or a profile does not know how it is drawn: its room comes before this one. `import verifier` asks
for the displays on first use, and who only reads a model or decides never loads what draws.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from types import MethodType
from typing import Any

TYPESET = "_repr_html_"
"""The method by which notebooks ask a value for its HTML."""
DISPLAYS: dict[tuple[str, str], dict[str, str]] = {
    ("verifier.model.model", "Model"): {
        TYPESET: "verifier.show.notebook:model_html",
        "worlds": "verifier.show.worlds.drawings:worlds",
    },
    ("verifier.definitions.definition", "Definition"): {
        TYPESET: "verifier.show.cards:card_html",
        "card": "verifier.show.cards:card_text",
    },
    ("verifier.definitions.verdict", "Verdict"): {
        TYPESET: "verifier.show.notebook:verdict_html",
        "worlds": "verifier.show.worlds.drawings:worlds_of",
    },
    ("verifier.definitions.verdict", "Overview"): {TYPESET: "verifier.show.notebook:overview_html"},
    ("verifier.definitions.gain", "Gain"): {TYPESET: "verifier.show.gain:gain_html"},
    ("verifier.questions.pair", "RawPair"): {
        TYPESET: "verifier.show.pairs:pair_html",
        "bars": "verifier.show.pairs:mirrored",
        "tests": "verifier.show.pairs:trade_off_drawing",
    },
    ("verifier.questions.losses", "LossTable"): {TYPESET: "verifier.show.notebook:loss_html"},
    ("verifier.questions.rule", "RuleAnswer"): {TYPESET: "verifier.show.rules:rule_html"},
    ("verifier.questions.atlas", "AtlasAnswers"): {TYPESET: "verifier.show.notebook:atlas_html"},
    ("verifier.questions.normalization.acceptability", "Acceptability"): {
        TYPESET: "verifier.show.notebook:answer_html"
    },
    ("verifier.questions.normalization.acceptability", "Acceptabilities"): {
        TYPESET: "verifier.show.notebook:acceptable_html"
    },
    ("verifier.show.frame", "Drawing"): {TYPESET: "verifier.show.display:figure"},
    ("verifier.profile.profile", "Profile"): {
        TYPESET: "verifier.show.notebook:profile_html",
        "plot": "verifier.show.drawings:plot",
    },
    ("verifier.profile.steps", "Steps"): {
        TYPESET: "verifier.show.notebook:profile_html",
        "plot": "verifier.show.drawings:plot",
    },
}
"""The methods that this room gives, by the module and the name of a class, with their functions here."""


def give_displays() -> None:
    """Give each class of `DISPLAYS` whose module is loaded its methods.

    >>> from verifier.profile import Profile
    >>> give_displays()
    >>> Profile.plot.__name__
    'plot'
    """
    for (module, name), methods in DISPLAYS.items():
        if module in sys.modules:
            kind = getattr(sys.modules[module], name)
            for method, function in methods.items():
                if method not in vars(kind):
                    setattr(kind, method, OnDemand(function))


@dataclass(frozen=True)
class OnDemand:
    """A method that is a function of this room, whose file is loaded when somebody looks at the method."""

    name: str
    """The function, as `module:function`."""

    def __get__(self, value: object, kind: type | None = None) -> Callable[..., Any]:
        """Return the function, with its own signature and help, as a method of a value."""
        function: Callable[..., Any] = resolve_name(self.name)
        return function if value is None else MethodType(function, value)
