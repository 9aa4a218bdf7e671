"""Bad mechanisms."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import HEAD, IID, SUM, Bad, mechanism

JUST_OVER = "500000001/1000000000"

JUST_UNDER = "499999999/1000000000"

NAMES = 'size = 2\nvalues = ["a", "b"]\n'

NEGATIVE = "size = 2\nvalues = [-1, 1]\n"

AB = '[[distribution]]\nname = "x"\niid = { a = 1 }\n'

MINUS = '[[distribution]]\nname = "x"\niid = { 1 = 1 }\n'

TABLES = (
    Bad(
        "no mechanism",
        HEAD + IID,
        r"FILE: the key `mechanism` is missing; wanted `mechanism = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "mechanism that is text",
        f'{HEAD}mechanism = "sum"\n{IID}',
        r'FILE: \[mechanism\]: given "sum"; wanted a table with `kind` or `table` for the mechanism\.',
    ),
    Bad(
        "mechanism without kind or rows",
        mechanism(""),
        r"FILE: \[mechanism\]: given none of the keys; wanted exactly one of kind, table, rows\. Tip: name a kind, or list the rows\.",
    ),
    Bad(
        "mechanism with a kind and rows",
        mechanism('kind = "sum"\nrows = []'),
        r"FILE: \[mechanism\]: given `kind` and `rows`; wanted exactly one of kind, table, rows\. Tip: name a kind, or list the rows\.",
    ),
    Bad(
        "unknown kind",
        mechanism('kind = "median"'),
        r'FILE: \[mechanism\], kind: given kind = "median"; wanted one of 24 names, the closest: .*\. Tip: is `mean` meant\?',
    ),
    Bad(
        "unknown kind like no other",
        mechanism('kind = "at-least"'),
        r'FILE: \[mechanism\], kind: given kind = "at-least"; wanted one of 24 names, the closest: .*\. Tip: pkdp guide format says what each does; `table` can be any mechanism\.',
    ),
    Bad(
        "a table as a kind",
        mechanism('kind = "table"'),
        r'FILE: \[mechanism\], kind: given kind = "table"; wanted one of 24 names, the closest: .*\. Tip: leave `kind` out, and list the rows: table = \[{ database = \[…\], output = … }, …\]\.',
    ),
    Bad(
        "a kind by another name",
        mechanism('kind = "average"'),
        r'FILE: \[mechanism\], kind: given kind = "average"; wanted one of 24 names, the closest: .*\. Tip: is `mean` meant\?',
    ),
    Bad(
        "misspelt kind",
        mechanism('kind = "cuont"\nvalue = 1'),
        r'FILE: \[mechanism\], kind: given kind = "cuont"; wanted one of 24 names, the closest: .*\. Tip: is `count` meant\?',
    ),
    Bad(
        "a kind that is drawn",
        mechanism('kind = "coin"'),
        r'FILE: \[mechanism\], kind: given kind = "coin"; .*\. Tip: leave `kind` out; .*: rows = \[\{ database = .*\]\.',
    ),
    Bad(
        "kind that is a number",
        mechanism("kind = 1"),
        r"FILE: \[mechanism\], kind: given 1; wanted the name of a kind as a string\.",
    ),
    Bad(
        "step used as a mechanism",
        mechanism('kind = "geometric-noise"\np = "1/2"'),
        r'FILE: \[mechanism\], kind: given kind = "geometric-noise"; wanted one of 24 names, the closest: .*\. Tip: this is a step: put it into `then`\.',
    ),
    Bad(
        "noise on real numbers as a step",
        mechanism('kind = "sum"\nthen = [ { kind = "Laplace-noise", scale = 1 } ]'),
        r'FILE: \[mechanism\], then, step 1, kind: given kind = "Laplace-noise" as a step; wanted rows, or one of randomized-response, geometric-noise\. Tip: its outputs are real numbers; geometric-noise is the two-sided one on integers\.',
    ),
    Bad(
        "unknown step",
        mechanism('kind = "sum"\nthen = [ { kind = "lie", p = "1/10" } ]'),
        r'FILE: \[mechanism\], then, step 1, kind: given kind = "lie" as a step; .* Tip: pkdp guide format says what each does; `rows` can be any channel\.',
    ),
    Bad(
        "mechanism used as a step",
        mechanism('kind = "sum"\nthen = [ { kind = "count", value = 1 } ]'),
        r'FILE: \[mechanism\], then, step 1, kind: given kind = "count" as a step; wanted rows, or one of randomized-response, geometric-noise\. Tip: this is a mechanism: it stands before `then`\.',
    ),
    Bad(
        "mechanism table that is empty",
        mechanism("rows = []"),
        r"FILE: \[mechanism\], rows: given an empty table; wanted rows, or `otherwise`\.",
    ),
    Bad(
        "mechanism outputs that sum to more than 1",
        mechanism(f'rows = [ {{ database = [0, 0], outputs = {{ a = "{JUST_OVER}", b = "1/2" }} }} ]'),
        r"FILE: \[mechanism\], rows, row 1, outputs: given probabilities that sum to 1000000001/1000000000; wanted the sum 1 exactly\. Tip: the sum is more than 1 by 1/1000000000; nothing is ever normalised\.",
    ),
    Bad(
        "mechanism outputs that sum to less than 1",
        mechanism(
            f'rows = [ {{ database = [0, 0], output = 1 }}, {{ database = [0, 1], outputs = {{ a = "{JUST_UNDER}", b = "1/2" }} }} ]'
        ),
        r"FILE: \[mechanism\], rows, row 2, outputs: given probabilities that sum to 999999999/1000000000; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/1000000000; nothing is ever normalised\.",
    ),
    Bad(
        "otherwise that sums to less than 1",
        mechanism('rows = []\notherwise = { a = "1/2" }'),
        r"FILE: \[mechanism\], otherwise: given probabilities that sum to 1/2; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/2; nothing is ever normalised\.",
    ),
    Bad(
        "mechanism row twice",
        mechanism('rows = [ { database = [0, 0], output = 1 }, { database = ["0", "0"], output = 2 } ]'),
        r"FILE: \[mechanism\], rows, row 2: given the same database twice; wanted one row a database\.",
    ),
    Bad(
        "mechanism row with output and outputs",
        mechanism("rows = [ { database = [0, 0], output = 1, outputs = { a = 1 } } ]"),
        r"FILE: \[mechanism\], rows, row 1: given `output` and `outputs`; wanted exactly one of output, outputs\. Tip: `output` is one label, `outputs` a table of probabilities\.",
    ),
    Bad(
        "mechanism row without output",
        mechanism("rows = [ { database = [0, 0] } ]"),
        r"FILE: \[mechanism\], rows, row 1: given none of the keys; wanted exactly one of output, outputs\. Tip: `output` is one label, `outputs` a table of probabilities\.",
    ),
    Bad(
        "mechanism row with a decimal output",
        mechanism("rows = [ { database = [0, 0], output = 0.5 } ]"),
        r'FILE: \[mechanism\], rows, row 1, output: given the decimal 0\.5; wanted an integer, a string or a boolean as a label\. Tip: write "0\.5" in quotes if it is a name\.',
    ),
    Bad(
        "mechanism row with a date output",
        mechanism("rows = [ { database = [0, 0], output = 1979-05-27T07:32:00Z } ]"),
        r"FILE: \[mechanism\], rows, row 1, output: given the datetime 1979-05-27 07:32:00\+00:00; wanted an integer, a string or a boolean as a label\.",
    ),
    Bad(
        "mechanism row with a table as output",
        mechanism('rows = [ { database = [0, 0], output = { a = "1/2" } } ]'),
        r'FILE: \[mechanism\], rows, row 1, output: given \{ a = "1/2" \}; wanted an integer, a string or a boolean as a label\.',
    ),
    Bad(
        "mechanism row with a value outside T",
        mechanism("rows = [ { database = [0, 7], output = 1 } ]"),
        r"FILE: \[mechanism\], rows, row 1, database, record 1: given the value 7; wanted one of `values`: 0, 1\.",
    ),
    Bad(
        "misspelt key in a mechanism row",
        mechanism("rows = [ { databse = [0, 0], output = 1 } ]"),
        r"FILE: \[mechanism\], rows, row 1: the key `database` is missing; wanted `database = …`\. Tip: is `databse` meant to be `database`\?",
    ),
    Bad(
        "misspelt key of the mechanism",
        mechanism('kind = "sum"\nthn = []'),
        r"FILE: \[mechanism\]: the key `thn` is unknown; wanted one of kind, table, rows, sample, then\. Tip: is `then` meant\?",
    ),
    Bad(
        "key of another kind",
        mechanism('kind = "sum"\nvalue = 1'),
        r"FILE: \[mechanism\]: the key `value` is unknown; wanted one of kind, table, rows, sample, then\.",
    ),
)

KINDS = (
    Bad(
        "constant without output",
        mechanism('kind = "constant"'),
        r"FILE: \[mechanism\]: the key `output` is missing; wanted `output = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "count without value",
        mechanism('kind = "count"'),
        r"FILE: \[mechanism\]: given none of the keys; wanted exactly one of value, values\. Tip: `value = 1` or `values = \[1, 2\]`\.",
    ),
    Bad(
        "count with value and values",
        mechanism('kind = "count"\nvalue = 1\nvalues = [1]'),
        r"FILE: \[mechanism\]: given `value` and `values`; wanted exactly one of value, values\. Tip: `value = 1` or `values = \[1, 2\]`\.",
    ),
    Bad(
        "count of a value outside T",
        mechanism('kind = "count"\nvalue = 2'),
        r"FILE: \[mechanism\], value: given the value 2; wanted one of `values`: 0, 1\.",
    ),
    Bad(
        "count of a value twice",
        mechanism('kind = "count"\nvalues = [1, "1"]'),
        r'FILE: \[mechanism\], values: given \[1, "1"\]; wanted distinct values, at least one\.',
    ),
    Bad(
        "count of no value",
        mechanism('kind = "count"\nvalues = []'),
        r"FILE: \[mechanism\], values: given \[\]; wanted distinct values, at least one\.",
    ),
    Bad(
        "threshold without above",
        mechanism('kind = "threshold-count"\nvalue = 1'),
        r"FILE: \[mechanism\]: the key `above` is missing; wanted `above = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "threshold above as text",
        mechanism('kind = "threshold-count"\nvalue = 1\nabove = "2"'),
        r'FILE: \[mechanism\], above: given "2"; wanted the threshold as an integer\.',
    ),
    Bad(
        "threshold above as a decimal",
        mechanism('kind = "threshold-count"\nvalue = 1\nabove = 2.0'),
        r"FILE: \[mechanism\], above: given 2\.0; wanted the threshold as an integer\.",
    ),
    Bad(
        "threshold above as a boolean",
        mechanism('kind = "threshold-count"\nvalue = 1\nabove = true'),
        r"FILE: \[mechanism\], above: given true; wanted the threshold as an integer\.",
    ),
    Bad(
        "linear weights of the wrong length",
        mechanism('kind = "linear"\nweights = [1]'),
        r"FILE: \[mechanism\], weights: given 1 weight; wanted 2, one a record\.",
    ),
    Bad(
        "linear weight that is no number",
        mechanism('kind = "linear"\nweights = [1, "two"]'),
        r'FILE: \[mechanism\], weights, weight 1: given "two"; wanted a weight such as "1/3", 0\.25 or 1\. Tip: a number is a fraction p/q of integers or a finite decimal\.',
    ),
    Bad(
        "linear weights that are a number",
        mechanism('kind = "linear"\nweights = 1'),
        r"FILE: \[mechanism\], weights: given 1; wanted a list of 2 weights\.",
    ),
    Bad(
        "sum over names",
        f'{NAMES}{AB}[mechanism]\nkind = "sum"\n',
        r'FILE: \[mechanism\]: given kind = "sum" with the value "a"; wanted values that are numbers\. Tip: integers, or strings such as "1/2"\.',
    ),
    Bad(
        "sum over booleans",
        'size = 2\nvalues = [true, false]\n[[distribution]]\nname = "x"\niid = { true = 1 }\n' + SUM,
        r'FILE: \[mechanism\]: given kind = "sum" with the value true; wanted values that are numbers\. Tip: integers, or strings such as "1/2"\.',
    ),
    Bad(
        "mean over names",
        f'{NAMES}{AB}[mechanism]\nkind = "mean"\n',
        r'FILE: \[mechanism\]: given kind = "mean" with the value "a"; wanted values that are numbers\. Tip: integers, or strings such as "1/2"\.',
    ),
    Bad(
        "geometric mean with a negative value",
        f'{NEGATIVE}{MINUS}[mechanism]\nkind = "geometric-mean"\n',
        r'FILE: \[mechanism\]: given kind = "geometric-mean" with the value -1; wanted positive values \(DMKB20, Proposition 6\)\.',
    ),
    Bad(
        "harmonic mean with the value 0",
        mechanism('kind = "harmonic-mean"'),
        r'FILE: \[mechanism\]: given kind = "harmonic-mean" with the value 0; wanted positive values \(DMKB20, Proposition 6\)\.',
    ),
    Bad(
        "mode with other ties",
        mechanism('kind = "mode"\nties = "last"'),
        r'FILE: \[mechanism\], ties: given ties = "last"; wanted "first"\.',
    ),
    Bad(
        "k as a decimal",
        mechanism('kind = "k-anonymous-histogram"\nk = 1.5'),
        r"FILE: \[mechanism\], k: given 1\.5; wanted k as an integer\.",
    ),
    Bad(
        "negative k",
        mechanism('kind = "k-anonymous-histogram"\nk = -1'),
        r"FILE: \[mechanism\], k: given -1; wanted k, at least 1\.",
    ),
    Bad(
        "k = 0",
        mechanism('kind = "k-anonymous-histogram"\nk = 0'),
        r"FILE: \[mechanism\], k: given 0; wanted k, at least 1\.",
    ),
    Bad(
        "keep of the k-anonymous histogram",
        mechanism('kind = "k-anonymous-histogram"\nk = 1\nkeep = "<"'),
        r'FILE: \[mechanism\], keep: given keep = "<"; wanted ">=" or ">"\.',
    ),
    Bad(
        "keep that is a list",
        mechanism('kind = "k-anonymous-histogram"\nk = 1\nkeep = [">"]'),
        r'FILE: \[mechanism\], keep: given keep = \[">"\]; wanted ">=" or ">"\.',
    ),
    Bad(
        "randomized response without keep",
        mechanism('kind = "randomized-response"'),
        r"FILE: \[mechanism\]: the key `keep` is missing; wanted `keep = …`\. Tip: pkdp guide format lists the keys\.",
    ),
    Bad(
        "randomized response with keep above 1",
        mechanism('kind = "randomized-response"\nkeep = "3/2"'),
        r"FILE: \[mechanism\], keep: given 3/2, which is more than 1; wanted a probability in \[0, 1\]\.",
    ),
    Bad(
        "all of nothing",
        mechanism('kind = "all"\nof = []'),
        r"FILE: \[mechanism\], of: given no mechanism; wanted at least one\.",
    ),
    Bad(
        "all with a bad part",
        mechanism('kind = "all"\nof = [ { kind = "sum" }, { kind = "summ" } ]'),
        r'FILE: \[mechanism\], of, part 2, kind: given kind = "summ"; wanted one of 24 names, the closest: .*\. Tip: is `sum` meant\?',
    ),
    Bad(
        "records out of range",
        mechanism('kind = "records"\nrecords = [2]'),
        r"FILE: \[mechanism\], records: given the record 2; wanted 0 to 1\. Tip: indices count from 0\.",
    ),
    Bad(
        "sample of a mean",
        mechanism('kind = "mean"\nsample = "1/2"'),
        r"FILE: \[mechanism\], sample: given `sample` with mean of the records; wanted a kind that is defined on any number of records\. Tip: constant, count, threshold-count, sum, parity, histogram, k-anonymous-histogram and apply can be sampled\.",
    ),
    Bad(
        "sample of the identity",
        mechanism('kind = "identity"\nsample = "1/2"'),
        r"FILE: \[mechanism\], sample: given `sample` with the whole database; wanted a kind that is defined on any number of records\. Tip: constant, count, threshold-count, sum, parity, histogram, k-anonymous-histogram and apply can be sampled\.",
    ),
    Bad(
        "sample of a table",
        mechanism('rows = []\notherwise = 1\nsample = "1/2"'),
        r"FILE: \[mechanism\], sample: given `sample` with mechanism table; wanted a kind that is defined on any number of records\. Tip: constant, count, threshold-count, sum, parity, histogram, k-anonymous-histogram and apply can be sampled\.",
    ),
    Bad(
        "sample at a rate above 1",
        mechanism('kind = "sum"\nsample = 2'),
        r"FILE: \[mechanism\], sample: given 2, which is more than 1; wanted a probability in \[0, 1\]\.",
    ),
)

ENTRIES = (*TABLES, *KINDS)
