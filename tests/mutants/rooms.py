"""Which modules are changed wrongly, and which tests must notice: those of a room, in at most twenty seconds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FROZEN = "tests/test_frozen.py::test_some_answers_are_as_they_were_frozen[{}]"


@dataclass(frozen=True)
class Room:
    """A folder of the package, the modules of it that are left out, and what `pytest` is given: its tests.

    Where properties look at large models, they look at fewer of them (`--few`), so that there is time for more of them.
    """

    folder: str
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()

    def modules(self) -> list[str]:
        """The files of the room, from the root."""
        files = sorted((ROOT / "verifier" / self.folder).rglob("*.py"))
        return [file.relative_to(ROOT).as_posix() for file in files if file.stem not in {"__init__", *self.left_out}]


ROOMS = {
    "definitions": Room(
        "definitions",
        (
            "--few=3",
            *(
                FROZEN.format(kind)
                for kind in ("apkdp", "ppkdp", "cdp", "ibcdp", "tail-ppkdp", "tail-cdp", "dependency", "safe")
            ),
            *(f"tests/definitions/test_{name}.py" for name in ("rows", "sizes", "own")),
            "tests/definitions/test_definitions.py",
            *(
                f"tests/engine/test_adjacent.py::test_columns_answer_as_the_listed_pairs[{case}-{definition}-{word}]"
                for case in ("(2, 3, 3, 99, 3, 0)", "(2, 2, 3, 1073741824, 0, 0)")
                for definition, word in product(("dp", "tail-dp"), (62, 30))
            ),
            *(
                f"tests/engine/test_balls.py::test_{name}"
                for name in (
                    "balls_contain_the_exact_answers",
                    "few_unknown_and_many_known",
                    "tails_and_edges_by_hand",
                    "the_event_of_a_witness_has_its_masses",
                    "a_bound_inside_every_ball_is_undecided",
                    "everything_lumped_has_mass_one",
                    "the_comparisons_of_sums_are_counted_and_named",
                )
            ),
            "tests/questions/test_language.py",
            "tests/simulators/test_posteriors.py::test_the_smallest_epsilon_of_a_simulator_that_knows_nothing",
            "tests/simulators/test_posteriors.py::test_what_the_mechanism_excludes",
            "tests/simulators/test_posteriors.py::test_the_inference_form_is_decided_without_delta",
            "tests/simulators/test_simulators.py::test_honest_evidence_is_accepted",
            "tests/simulators/test_simulators.py::test_the_answer_in_words_and_json",
            "verifier/definitions",
        ),
        ("conventions",),
    ),
    "profile": Room("profile", ("tests/profile", "verifier/profile")),
    "normalization": Room(
        "questions/normalization",
        (
            FROZEN.format("acceptable"),
            "tests/questions/test_normalization_reasons.py",
            "tests/questions/test_normalization_given.py",
            "tests/questions/test_acceptability.py",
            "verifier/questions/normalization",
        ),
    ),
    "simulators": Room(
        "simulators",
        (
            "--few=10",
            FROZEN.format("ddp"),
            "tests/simulators",
            "tests/engine/test_centre.py",
            "verifier/simulators",
            "--deselect=tests/simulators/test_posteriors.py::test_the_smallest_epsilon_lies_between_its_ends",
            "--deselect=tests/simulators/test_simulators.py::test_the_smallest_delta_is_that_of_a_plain_program",
            "--deselect=tests/simulators/test_simulators.py::test_the_smallest_epsilon_is_enough_and_no_smaller_one",
        ),
    ),
    "replay": Room(
        "replay",
        (
            "--few=6",
            *(f"tests/replay/test_replay_{name}.py" for name in ("kinds", "labels", "laws", "products", "scopes")),
            "tests/replay/test_replay_files.py",
            "--deselect=tests/replay/test_replay_files.py::test_every_number_and_label_counts",
            "--deselect=tests/replay/test_replay_files.py::test_nothing_can_be_left_out",
            "--deselect=tests/replay/test_replay_files.py::test_the_checker_imports_the_standard_library_its_parts_and_balls",
            "tests/replay/test_replay_parts.py",
            *(FROZEN.format(kind) for kind in ("replay", "dependency", "ibcdp", "dps", "safe", "tail-ppkdp")),
            *(
                f"tests/simulators/test_simulators.py::test_{name}"
                for name in (
                    "one_context",
                    "honest_evidence_is_accepted",
                    "what_leaves_nothing_to_answer_needs_no_test",
                    "a_limit_that_is_not_attained",
                    "a_least_probability_that_excludes_too_much",
                )
            ),
            "tests/replay/test_replay_random.py",
            "tests/replay/test_replay_worst.py",
            "tests/replay/test_replay_sums.py::test_what_the_table_answers_is_accepted",
            "tests/replay/test_replay_sizes.py",
            "verifier/replay",
        ),
    ),
}
"""The rooms whose answers everything rests on; the tests of each in the order in which they are run."""
