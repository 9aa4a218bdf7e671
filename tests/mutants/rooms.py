"""Which modules are changed wrongly, and which tests must notice: those of a room that reach what is changed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FROZEN = "tests/test_frozen.py::test_some_answers_are_as_they_were_frozen[{}]"


SCHEME = (
    "scheme", "relations", "rows", "events", "posteriors", "random_pairs", "views",
    "losses", "supremum", "concentrated", "conditions", "centre",
)  # fmt: skip
"""The modules of `definitions` that the definitions of DP22 are made of; they have tests of their own."""


@dataclass(frozen=True)
class Room:
    """A folder or file of the package, what of a folder is left out, and what `pytest` is given: the room's tests.

    Where properties look at large models, they look at fewer of them (`--few`), so that there is time for more of them.
    """

    folder: str
    tests: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def modules(self) -> list[str]:
        """The files of the room, from the root."""
        folder = ROOT / "verifier" / self.folder
        if folder.suffix:
            return [folder.relative_to(ROOT).as_posix()]
        files = [file.relative_to(folder) for file in sorted(folder.rglob("*.py")) if file.stem != "__init__"]
        kept = [file for file in files if not {*file.with_suffix("").parts} & {*self.left_out}]
        kept = [file for file in kept if not self.only or file.stem in self.only]
        return [(folder / file).relative_to(ROOT).as_posix() for file in kept]


ROOMS = {
    "definitions": Room(
        "definitions",
        (
            "--few=8",
            *(
                FROZEN.format(kind)
                for kind in ("apkdp", "ppkdp", "cdp", "ibcdp", "tail-ppkdp", "tail-cdp", "dependency", "safe")
            ),
            *(
                f"tests/definitions/test_{name}.py"
                for name in (
                    *("rows", "sizes", "own", "comparison", "divergence", "ring", "dependency", "gain"),
                    *("absence", "equal", "leaks", "neighbours", "no_part", "subjects", "tails"),
                )
            ),
            "tests/test_cases.py",
            "tests/questions/test_pair.py",
            "tests/questions/test_root_epsilon.py",
            "tests/questions/test_loss_mass.py",
            "tests/simulators/test_smallest.py",
            "--deselect=tests/definitions/test_divergence.py::test_what_is_too_long_is_refused",
            "tests/definitions/test_definitions.py",
            "tests/definitions/test_scheme_measures.py",
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
                    "a_smallest_epsilon_far_below_the_precision",
                    "three_hundred_digits_of_the_smallest_epsilon",
                    "without_delta_no_finite_epsilon_is_enough_where_an_output_is_impossible",
                    "the_comparisons_of_sums_are_counted_and_named",
                )
            ),
            "tests/engine/test_adjacent.py::test_an_output_that_is_nearly_above_epsilon_hides_no_smaller_tail",
            *(
                f"tests/definitions/test_own_schemes.py::test_{name}"
                for name in (
                    "the_parts_of_an_average_at_a_delta",
                    "the_events_of_a_curve_of_which_a_share_is_left_out",
                    "pairs_that_are_allowed_different_multiples_have_no_profile",
                )
            ),
            "tests/questions/test_language.py",
            "tests/engine/test_centre.py::test_an_enclosure_of_the_smallest_epsilon_decides_outside_of_it_alone",
            *(
                f"tests/simulators/test_posteriors.py::test_{name}"
                for name in (
                    "the_smallest_epsilon_of_a_simulator_that_knows_nothing",
                    "the_ends_of_the_smallest_epsilon_agree_to_24_bits_of_its_power",
                    "a_large_epsilon_is_found_in_few_steps",
                    "a_simulator_is_found_also_beyond_2_to_the_64",
                    "a_value_without_a_context_that_may_answer",
                    "what_the_mechanism_excludes",
                    "the_inference_form_is_decided_without_delta",
                )
            ),
            "tests/simulators/test_unattained.py",
            *(
                f"tests/simulators/test_simulators.py::test_{name}"
                for name in (
                    "example_2_the_simulator_reads_the_duplicate",
                    "the_answer_in_words_and_json",
                    "an_epsilon_just_below_the_smallest_one_is_beaten",
                )
            ),
            "tests/test_printed.py",
            "verifier/definitions",
        ),
        ("conventions", *SCHEME),
    ),
    "scheme": Room(
        "definitions",
        (
            "--few=8",
            *(
                f"tests/definitions/test_scheme_{name}.py"
                for name in (
                    "measures",
                    "suprema",
                    "answers",
                    "limits",
                )
            ),
            *(
                f"tests/definitions/test_{name}.py"
                for name in ("schemes", "concentrated", "supremum", "separations", "kept_rows")
            ),
            "tests/test_cases.py",
            "tests/questions/test_pair_losses.py",
            "tests/definitions/test_own_schemes.py::test_each_record_that_differs_keeps_all_attributes_but_one",
            "tests/wings/families/test_families_atlas.py::test_every_field_of_the_policy[dnpr]",
            "tests/checker/test_planted_entries.py::test_planted_defects_are_refused",
            "tests/checker/test_side_by_side.py",
            "tests/definitions/test_attack.py",
            "verifier/definitions",
        ),
        only=SCHEME,
    ),
    "reals": Room(
        "numbers/reals.py",
        (
            "tests/numbers/test_reals.py",
            "tests/definitions/test_scheme_suprema.py",
            "tests/definitions/test_supremum.py",
            "tests/definitions/test_concentrated.py",
            "verifier/numbers/reals.py",
        ),
    ),
    "profile": Room(
        "profile",
        (
            "tests/profile",
            *(
                f"tests/questions/test_pair.py::test_{name}"
                for name in (
                    "every_event_is_looked_at",
                    "true_positives_are_the_best_randomized_tests",
                    "runs_are_the_table_of_all_lists",
                )
            ),
            "tests/wings/implications/test_all_runs.py::test_different_mechanisms_are_the_table_of_all_their_outputs",
            "verifier/profile",
        ),
    ),
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
        ),
    ),
    "checker": Room(
        "checker",
        (
            "--few=6",
            *(f"tests/checker/test_{name}.py" for name in ("traps", "answers", "by_hand", "laws_of_numbers")),
            "tests/attack/test_forgeries.py",
            *(f"tests/checker/test_{name}.py" for name in ("answers_with_proofs", "multipliers")),
            "tests/simulators/test_unattained.py",
            "tests/definitions/test_attack.py",
            "tests/model/test_kinds.py::test_laws_by_hand",
            *(
                f"tests/definitions/test_{name}"
                for name in (
                    "dependency.py::test_infinite_losses_by_hand",
                    "absence.py::test_the_answer_that_the_other_meaning_would_give_is_refused",
                    "planted.py",
                )
            ),
            "tests/checker/test_side_by_side.py",
            "tests/checker/test_planted_entries.py",
            "verifier/checker",
        ),
    ),
}
"""The rooms whose answers everything rests on; the tests of each in the order in which they are run."""
