"""The plug-in, by pytest's own tester: the fixture, the marker, files of claims, and what a failure shows."""

import os
from importlib.metadata import entry_points

import pytest
from documents import blocks, commands_of

from verifier.cli.main import run as pkdp

PLUGIN = "verifier.wings.claim.pytest_plugin"
RESPONSE = """
def response(db, rng):
    return db[0] if rng.flip("3/4") or rng.flip("3/4") else 1 - db[0]
"""
CLAIMS = """
[[claim]]
name = "boolean response"
mechanism = "response.py:response"
values = [0, 1]
epsilon = "ln(3)"
expect = "violated"
truth = { epsilon = "ln(15)", delta = "3/4" }

[[claim]]
name = "a wrong promise"
mechanism = "response.py:response"
values = [0, 1]
epsilon = "ln(3)"

[[claim]]
name = "real noise"
program = "def m(db, rng): return db[0] + rng.laplace(0, 1)"
values = [0, 1]
epsilon = "1"
"""


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """A pytest of its own, in a process of its own; the plug-in is named where the installation does not."""
    installed = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
    named = [] if installed else ["-p", PLUGIN]
    root = os.fspath(pytest.importorskip("verifier").__path__[0]).rpartition("/")[0]
    pytester.makeini("[pytest]\naddopts = --strict-markers\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", root)
        patch.setenv("COLUMNS", "120")
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest", *named, *arguments)


def test_a_claim_in_a_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        RESPONSE
        + """
import pkdp
import pytest

pytestmark = pytest.mark.pkdp(values=[0, 1], size=1)

def test_holds(claim):
    assert claim(response, "dp", epsilon="ln(15)", tight=True).verdict == "holds, tight"

def test_violated(claim):
    claim(response, "dp", epsilon="ln(3)")

@pytest.mark.xfail(raises=pkdp.ClaimViolated, strict=True)
def test_known_bug():
    pkdp.claim(response, "dp", epsilon="ln(3)", values=[0, 1])

@pytest.mark.pkdp(relation="ADD_OR_REMOVE_ONE", size=[0, 1])
def test_the_innermost_word_counts(claim):
    assert "added or removed" in str(claim(lambda db, rng: rng.flip("1/2"), epsilon=0))

@pytest.mark.xfail(raises=AssertionError, strict=True)
def test_undecided_is_no_failed_assertion(claim):
    claim(lambda db, rng: rng.laplace(0, 1), epsilon=1)
"""
    )
    result = run(pytester)
    result.assert_outcomes(passed=2, failed=2, xfailed=1)
    result.stdout.fnmatch_lines([
        '>       claim(response, "dp", epsilon="ln(3)")',
        "E       pkdp.ClaimViolated: claim violated: response: dp at ε = ln(3), δ = 0, when one record is replaced",
        "E         truth     smallest δ at this ε: 3/4; smallest ε at this δ: ln(15) (2.70805; 1.09861 is claimed)",
    ])  # fmt: skip
    result.stdout.fnmatch_lines(["FAILED *::test_violated - pkdp.ClaimViolated: claim violated*"])
    result.stdout.fnmatch_lines(
        ["E       pkdp.ClaimUndecided: claim undecided: <lambda>: line 25, `rng.laplace(0, 1)` *"]
    )
    result.stdout.no_fnmatch_line("*wings/claim*")


def test_a_file_of_claims(pytester: pytest.Pytester) -> None:
    pytester.makefile(".py", response=RESPONSE)
    pytester.makefile(".toml", claims=CLAIMS)
    result = run(pytester, "--pkdp-claims", "claims.toml", "-v")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines([
        "claims.toml::boolean response PASSED*",
        "claims.toml::a wrong promise FAILED*",
        "claims.toml::real noise FAILED*",
        "FAIL a wrong promise: violated, smallest ε ln(15), smallest δ 3/4; expected holds",
        "claim violated: a wrong promise: dp at ε = ln(3), δ = 0, when one record is replaced",
        "claim undecided: real noise: *",
    ])  # fmt: skip
    chosen = run(pytester, "--pkdp-claims", "claims.toml", "-k", "boolean", "-m", "pkdp")
    chosen.assert_outcomes(passed=1, deselected=2)


def test_a_wrong_file_stops_before_any_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_one(): pass")
    pytester.makefile(".toml", claims='[[claim]]\nmechanism = "gone.py:m"\nvalues = [0]\n')
    result = run(pytester, "--pkdp-claims", "claims.toml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *claims.toml: *mechanism: there is no file *gone.py*"])


def test_the_page_of_the_guide(pytester: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    """Its test, its list of claims, and their outputs."""
    page = "docs/claims-in-tests.md"
    (code,), (claims,), (failure, listed) = blocks(page, "python"), blocks(page, "toml"), blocks(page, "")
    pytester.makepyfile(test_response=code)
    pytester.makefile(".toml", claims=claims)
    result = run(pytester)
    result.assert_outcomes(failed=1)
    assert failure.strip() in result.stdout.str()
    ((arguments, output, status),) = commands_of(listed)
    with pytest.raises(SystemExit) as stop:
        pkdp(arguments)
    assert stop.value.code == status
    assert capsys.readouterr().out.splitlines()[-2:] == output
    run(pytester, "--pkdp-claims", "claims.toml").assert_outcomes(passed=2, failed=1)
