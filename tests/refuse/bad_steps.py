"""Bad steps: what may not stand in `then`."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import Bad, mechanism

JUST_OVER = "500000001/1000000000"
JUST_UNDER = "499999999/1000000000"

STEPS = (
    Bad(
        "then that is a table",
        mechanism('kind = "sum"\nthen = { kind = "geometric-noise", p = "1/2" }'),
        r'FILE: \[mechanism\], then: given \{ kind = "geometric-noise", p = "1/2" \}; wanted a list of steps\.',
    ),
    Bad(
        "then rows without an input",
        mechanism('kind = "sum"\nthen = [ { rows = [ { input = 0, output = "few" } ] } ]'),
        r'FILE: \[mechanism\], then, step 1: the step has no row for the input 1; wanted a row for every output of the mechanism before it\. Tip: add the row, or `otherwise = "…"`\.',
    ),
    Bad(
        "then rows with an input twice",
        mechanism('kind = "sum"\nthen = [ { rows = [ { input = 0, output = "a" }, { input = "0", output = "b" } ] } ]'),
        r"FILE: \[mechanism\], then, step 1, row 2: given the input 0 twice; wanted one row an input\.",
    ),
    Bad(
        "then rows that sum to more than 1",
        mechanism(
            f'kind = "sum"\nthen = [ {{ rows = [ {{ input = 0, outputs = {{ a = "{JUST_OVER}", b = "1/2" }} }} ], otherwise = "c" }} ]'
        ),
        r"FILE: \[mechanism\], then, step 1, row 1, outputs: given probabilities that sum to 1000000001/1000000000; wanted the sum 1 exactly\. Tip: the sum is more than 1 by 1/1000000000; nothing is ever normalised\.",
    ),
    Bad(
        "then rows that sum to less than 1",
        mechanism(
            f'kind = "sum"\nthen = [ {{ rows = [ {{ input = 0, outputs = {{ a = "{JUST_UNDER}", b = "1/2" }} }} ], otherwise = "c" }} ]'
        ),
        r"FILE: \[mechanism\], then, step 1, row 1, outputs: given probabilities that sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.",
    ),
    Bad(
        "then input that is a decimal",
        mechanism('kind = "sum"\nthen = [ { rows = [ { input = 0.0, output = "few" } ], otherwise = "c" } ]'),
        r'FILE: \[mechanism\], then, step 1, row 1, input: given the decimal 0\.0; wanted an integer, a string or a boolean as a label\. Tip: write "0\.0" in quotes if it is a name\.',
    ),
    Bad(
        "then rows that are a number",
        mechanism('kind = "sum"\nthen = [ { rows = 1 } ]'),
        r"FILE: \[mechanism\], then, step 1, rows: given 1; wanted a list of rows\.",
    ),
    Bad(
        "then rows that are a number, after noise",
        mechanism('kind = "sum"\nthen = [ { kind = "geometric-noise", p = "1/2" }, { rows = 1 } ]'),
        r"FILE: \[mechanism\], then, step 2, rows: given 1; wanted a list of rows\.",
    ),
    Bad(
        "geometric noise with p = 0",
        mechanism('kind = "sum"\nthen = [ { kind = "geometric-noise", p = 0 } ]'),
        r"FILE: \[mechanism\], then, step 1, p: given p = 0; wanted 0 < p < 1 \(DMKB20, Definition 19\)\.",
    ),
    Bad(
        "geometric noise with p = 1",
        mechanism('kind = "sum"\nthen = [ { kind = "geometric-noise", p = "1" } ]'),
        r"FILE: \[mechanism\], then, step 1, p: given p = 1; wanted 0 < p < 1 \(DMKB20, Definition 19\)\.",
    ),
    Bad(
        "geometric noise with p = 2",
        mechanism('kind = "sum"\nthen = [ { kind = "geometric-noise", p = 2 } ]'),
        r"FILE: \[mechanism\], then, step 1, p: given p = 2; wanted 0 < p < 1 \(DMKB20, Definition 19\)\.",
    ),
    Bad(
        "geometric noise without p",
        mechanism('kind = "sum"\nthen = [ { kind = "geometric-noise" } ]'),
        r"FILE: \[mechanism\], then, step 1: the key `p` is missing; wanted `p = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "geometric noise on fractions",
        mechanism('kind = "mean"\nthen = [ { kind = "geometric-noise", p = "1/2" } ]'),
        r'FILE: \[mechanism\], then, step 1: kind = "geometric-noise" was given the output 1/2; wanted integers \(and "⊥", which passes through\)\. Tip: put it after a count or a sum of integers; noise after noise is not supported\.',
    ),
    Bad(
        "geometric noise on lists",
        mechanism('kind = "identity"\nthen = [ { kind = "geometric-noise", p = "1/2" } ]'),
        r'FILE: \[mechanism\], then, step 1: kind = "geometric-noise" was given the output \[0,0\]; wanted integers \(and "⊥", which passes through\)\. Tip: put it after a count or a sum of integers; noise after noise is not supported\.',
    ),
    Bad(
        "geometric noise twice",
        mechanism(
            'kind = "sum"\nthen = [ { kind = "geometric-noise", p = "1/2" }, { kind = "geometric-noise", p = "1/2" } ]'
        ),
        r'FILE: \[mechanism\], then, step 2: kind = "geometric-noise" was given the output < 0; wanted integers \(and "⊥", which passes through\)\. Tip: put it after a count or a sum of integers; noise after noise is not supported\.',
    ),
    Bad(
        "geometric noise over a wide range",
        mechanism(
            'kind = "sum"\nthen = [ { kind = "geometric-noise", p = "1/2" } ]',
            "size = 2\nvalues = [0, 1, 4000000000]\n",
        ),
        r"FILE: \[mechanism\], then, step 1: geometric noise on 6 integers from 0 to 8000000000 is too wide; wanted laws of at most 2,147,483,648 bits together\. Tip: use fewer records, smaller integers or a shorter p\.",
        status=3,
    ),
    Bad(
        "geometric noise on an integer of 5,000 digits",
        lambda: mechanism(
            'kind = "sum"\nthen = [ { kind = "geometric-noise", p = "1/2" } ]',
            f'size = 2\nvalues = [0, 1, "{"9" * 5000}"]\n',
        ),
        r"FILE: \[mechanism\]: given a number of 5,000 characters; wanted at most 4,300\. Tip: shorten it; larger numbers can be built by the mechanism or the distribution\.",
        status=3,
    ),
    Bad(
        "randomized response after a count",
        mechanism('kind = "count"\nvalue = 1\nthen = [ { kind = "randomized-response", keep = "1/2" } ]'),
        r'FILE: \[mechanism\], then, step 1: kind = "randomized-response" was given the output 2; wanted one of `values`, or a list of them\. Tip: put it after `identity`, `records`, `maximum`, `minimum` or `mode`\.',
    ),
    Bad(
        "step without kind or rows",
        mechanism('kind = "sum"\nthen = [ {} ]'),
        r"FILE: \[mechanism\], then, step 1: given none of the keys; wanted exactly one of rows, table, kind\. Tip: a step is a list of rows or a kind\.",
    ),
    Bad(
        "step that is text",
        mechanism('kind = "sum"\nthen = ["round"]'),
        r'FILE: \[mechanism\], then, step 1: given "round"; wanted a step\.',
    ),
    Bad(
        "step with an unknown key",
        mechanism('kind = "sum"\nthen = [ { rows = [], otherwise = 1, els = 2 } ]'),
        r"FILE: \[mechanism\], then, step 1: the key `els` is unknown; wanted one of rows, table, kind, otherwise\.",
    ),
)

ENTRIES = STEPS
