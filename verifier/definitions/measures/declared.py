"""The declaration of a measure that entries may name: what is said of it, what it reads, and what makes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from verifier.errors import UnsupportedError

if TYPE_CHECKING:
    from verifier.definitions.builders.rows import Setting

Made = TypeVar("Made", covariant=True)


@dataclass(frozen=True)
class DeclaredMeasure(Generic[Made]):
    """A measure by its name in entries; P is the first distribution and Q the second.

    `title` is its name in a sentence, without an article. `words` completes "It bounds …", or where it begins with
    "whether" the sentence "It asks …"; without them it is called by its title. `made_finite` says how its sets, tests
    and orders become finite; empty where it is a sum over the outputs. `fields` of `[policy]` must be given, `optional`
    ones may be. `by_sets` says why a tail is not one output to it, where a set of outputs is more than its outputs.
    """

    key: str
    title: str
    formula: str
    source: str
    make: Callable[[Setting], Made]
    words: str = ""
    made_finite: str = ""
    fields: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    by_sets: str = ""
    has_delta: bool = False

    @property
    def said(self) -> str:
        """What completes the sentence about it."""
        return self.words or f"the {self.title}"

    def made(self, setting: Setting) -> Made:
        """The measure, with its parameters in the setting's `[policy]`.

        Raises:
            UnsupportedError: where the file does not give a parameter, or has lumped tails that are not one output.

        """
        if self.by_sets and setting.model.mechanism.tails:
            raise UnsupportedError(
                f"{setting.key} cannot take a tail of infinite noise as one output: {self.by_sets}",
                tip='clamp the noise by a step of rows behind it, such as { input = "> 3", output = 3 }',
            )
        return self.make(setting)
