"""What pytest is told: the fixture `claim`, the marker `pkdp`, and `--pkdp-claims FILE`, whose claims are tests.

pytest loads this module wherever pkdp is installed, so that it loads nothing of pkdp until a test asks for it. A known
bug is `@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from verifier.wings.claim.files import FiledClaim

MARKER = "pkdp(**words): a claim about privacy; the fixture `claim` takes the words as they are given to pkdp.claim"
OPTION = "--pkdp-claims"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--pkdp-claims FILE`."""
    group = parser.getgroup("pkdp", "claims about privacy")
    group.addoption(OPTION, action="append", default=[], metavar="FILE", help="collect each claim of FILE as a test")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", MARKER)


@pytest.fixture
def claim(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """`pkdp.claim`, with the words of the test's marker `pkdp` where the call does not say them.

    The innermost marker counts: that of the test before that of its class and its module.
    """
    words: dict[str, Any] = {}
    for marker in request.node.iter_markers("pkdp"):
        words = {**marker.kwargs, **words}

    def claimed(*args: Any, **asked: Any) -> Any:
        __tracebackhide__ = True
        return import_module("verifier").claim(*args, **{**words, **asked})

    return claimed


@pytest.hookimpl(tryfirst=True)  # before -k and -m choose
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add each claim of the files that `--pkdp-claims` names; a wrong file stops the run before any test."""
    for name in config.getoption(OPTION):
        path = (config.invocation_params.dir / name).resolve()
        items.extend(ClaimsFile.from_parent(session, path=path).collect())


class ClaimsFile(pytest.File):
    """A file of claims."""

    def collect(self) -> Iterable[ClaimItem]:
        """Yield its claims, all of which are read first.

        Raises:
            UsageError: where the file is wrong.

        """
        try:
            claims = import_module("verifier.wings.claim.files").read_claims(self.path)
        except import_module("verifier").PkdpError as error:
            raise pytest.UsageError(str(error)) from None
        for number, one in enumerate(claims, start=1):
            yield ClaimItem.from_parent(self, name=one.question.name or f"claim {number}", claimed=one)


class ClaimItem(pytest.Item):
    """One claim as a test: it passes where the answer is as the file expects."""

    def __init__(self, *, claimed: FiledClaim, **words: Any) -> None:
        super().__init__(**words)
        self.claimed = claimed
        self.add_marker("pkdp")

    def runtest(self) -> None:
        """Ask the claim.

        Raises:
            ClaimUndecided: where nothing is decided.
            AssertionError: where the answer is another.

        """
        outcome = self.claimed.ask()
        if outcome.mark == "open":
            raise import_module("verifier").ClaimUndecided(outcome.answer.reason, answer=outcome.answer)
        if outcome.exit_status:
            raise AssertionError(f"{outcome}\n{outcome.answer}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the message of the answer, and no line of pkdp; what is no answer is shown with its lines."""
        if isinstance(excinfo.value, AssertionError | import_module("verifier").PkdpError):
            return str(excinfo.value).strip()
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Where the claim stands."""
        return self.path, None, f"claim: {self.name}"
