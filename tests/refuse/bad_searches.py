"""Bad searches: statements that are none, scopes that are none or too large, options that do not fit."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

import re

from .entry import Bad

STATEMENT = r"wanted a definition \(pkdp definitions\) or a property: acceptable, independent, .*full-outputs"
SCALED = r"wanted a variable times a positive rational, such as 2\*e or e/3\."
EPSILON = r'wanted "ln\(p/q\)", "r\*ln\(p/q\)", a rational, or "inf"\. Tip: '

STATEMENTS = tuple(
    Bad(f"statement {number}: {text[:24]}", None, rf"--claim: {message}", ("search", "--claim", text))
    for number, (text, message) in enumerate((
        ("", rf"given nothing; {STATEMENT}\. Tip: np\(e\) => cdp\(2\*e\)\."),
        ("(", rf'"\(" ends too early; {STATEMENT}\.'),
        ("np(", r'"np\(" ends too early; wanted a number or a variable\.'),
        ("np(e", r'"np\(e" ends too early; wanted `,` or `\)` after an argument\.'),
        ("(np(e)", r'"\(np\(e\)" ends too early; wanted `\)` after what stands in parentheses\.'),
        ("np(e f)", r'given f at character 6 of "np\(e f\)"; wanted one variable in an argument\.'),
        ("np(e))", r'given \) at character 6 of "np\(e\)\)"; wanted `and`, `or`, `=>`, `iff`, or the end\.'),
        ("np cdp", r'given cdp at character 4 of "np cdp"; wanted `and`, `or`, `=>`, `iff`, or the end\.'),
        ("np(e) => accceptable", rf'given accceptable at character 10 of "np\(e\) => accceptable"; {STATEMENT}\. Tip: did you mean acceptable\?'),
        ("ppkpd(e)", rf'given ppkpd at character 1 of "ppkpd\(e\)"; {STATEMENT}\. Tip: did you mean ppkdp\?'),
        ("e", rf'given e at character 1 of "e"; {STATEMENT}\.'),
        ('__import__("os")', rf"given __import__ at character 1 of .*; {STATEMENT}\."),
        ("np & cdp", r'given "&" at character 4 of "np & cdp"; wanted names, numbers, parentheses, commas and =>\. Tip: write `and`\.'),
        ("np -> cdp", r'given ">" at character 5 of "np -> cdp"; wanted names.* Tip: an implication is written =>\.'),
        ("np ⇒ cdp", r'given "⇒" at character 4 of "np ⇒ cdp"; wanted names.* Tip: write =>\.'),
        ("not", rf'"not" ends too early; {STATEMENT}\.'),
        ("np iff cdp iff dp", r'given iff at character 12 of "np iff cdp iff dp"; wanted one `iff`\. Tip: put one of the two in parentheses\.'),
        ("np(e, d, f)", r'given f at character 10 of "np\(e, d, f\)"; wanted epsilon=…, delta=… or reading=…\. Tip: at most ε, δ and a reading\.'),
        ("np(epsilon=e, epsilon=1)", r"given epsilon at character 15 of .*; wanted epsilon once\."),
        ("np(eps=1)", r"given eps at character 4 of .*; wanted epsilon=…, delta=… or reading=…\."),
        ("cdp(reading=all-values)", r'given all-values at character 13 of .*; wanted a reading in quotes, such as "all-values"\. Tip: pkdp definitions lists them\.'),
        ('np(0, reading="mine")', r'given the reading "mine" of np at character 1; wanted one of default, one-order\.'),
        ("np(log(2))", rf'epsilon at character 4: given ε = "log\(2\)"; {EPSILON}log has several bases; the natural logarithm is written ln\.'),
        ("np(-1)", r"epsilon at character 4: given ε = -1; wanted ε ≥ 0\."),
        ("np(1, 3/2)", r"delta at character 7: given 3/2, which is more than 1; wanted δ in \[0, 1\]\."),
        ("np(1 2)", rf'epsilon at character 4: given ε = "1 2"; {EPSILON}for example ln\(2\), 2/5\*ln\(3\), 1/10\.'),
        ("np(1, -d)", rf"given - at character 7 of .*; {SCALED}"),
        ("np(e + 1)", r"given \+ at character 6 of .*; wanted a variable times a rational\. Tip: a sum is read for δ alone\."),
        ("np(e*e)", r"given e at character 6 of .*; wanted one variable in an argument\."),
        ("np(0*e)", r"given 0 at character 4 of .*; wanted a variable times a positive rational\."),
        ("np(e/0)", rf"given 0 at character 6 of .*; {SCALED}"),
        ("np(2/e)", rf"given e at character 6 of .*; {SCALED}"),
        ("np(ln(e))", rf"given \( at character 6 of .*; {SCALED}"),
        ("np(1, d*)", r"given \) at character 9 of .*; wanted a number or a variable\."),
        ("np(cdp)", r"given cdp at character 4 of .*; wanted a variable, which no definition, property or word of the language is called\. Tip: e, d, x\."),
        ("np(e-1)", r"given e-1 at character 4 of .*; wanted a variable times .* Tip: names of variables have no hyphen\."),
        ("post(acceptable)", r"given acceptable at character 6 of .*; wanted a definition \(pkdp definitions\)\. Tip: post\(…\) takes one definition: post\(np\(e\)\)\."),
        ("post np", r"given np at character 6 of .*; wanted `\(` and a definition after post\."),
        ("twice(twice(twice(np)))", r"given twice at character 13 of .*; wanted at most 2 of post, twice inside of each other\."),
        ("acceptable(1)", r"given \( at character 11 of .*; wanted no arguments\. Tip: acceptable is a property of the model\."),
        ("np(e) => cdp(0, e)", r"given e as delta at character 17 of .*, before as epsilon; wanted one name for each\. Tip: np\(e, d\)\."),
        ("(" * 500 + "np" + ")" * 500, r"given \( at character 61 of .*; wanted at most 60 parts inside of each other\."),
        ("not " * 500 + "np", r"given not at character 241 of .*; wanted at most 60 parts inside of each other\."),
        ("np or " * 5000 + "np", r"given 30,002 characters; wanted at most 10,000\."),
    ))
)  # fmt: skip

FINE = ("search", "--claim", "np(e) => cdp(e)")
QUESTIONS = (
    Bad("a search for nothing", None, r"search: given no statement; wanted --satisfies and --violates, or --claim\. Tip: such as --satisfies .*", ("search",)),
    Bad("a claim and a violated statement", None, r"search: given --claim and --violates; wanted one of the two\.", (*FINE, "--violates", "np")),
    Bad(
        "two epsilons with a delta",
        None,
        r"np\(e, d\) => cdp\(f, d\): given the variables e, f, d; wanted one ε with any number of δ, or several ε with constant δ\.",
        ("search", "--claim", "np(e, d) => cdp(f, d)"),
    ),
    Bad(
        "a variable that is ε in one statement and δ in another",
        None,
        r"np\(e\) => cdp\(0, e\): given e as an ε and as a δ; wanted one name for each\. Tip: np\(e, d\)\.",
        ("search", "--satisfies", "np(e)", "--violates", "cdp(0, e)"),
    ),
    Bad("an unknown finder", None, r"--find: given guess; wanted one of enumerate, z3, both\.", (*FINE, "--find", "guess")),
    Bad("an unknown format of a search", None, r"--format: given xml; wanted one of table, markdown, latex, csv\.", (*FINE, "--format", "xml")),
    Bad("a folder that is not there", None, r"--output: the folder nowhere is not there; wanted a file in a folder that exists\.", (*FINE, "--output", "nowhere/m.toml")),
    Bad("one value alone", None, r"--values: given 1; wanted an integer from 2 to 5\.", (*FINE, "--values", "1")),
    Bad("no records", None, r"--records: given 0; wanted an integer from 1 to 4\.", (*FINE, "--records", "0")),
    Bad("records that are no number", None, r"Invalid value for '--records': 'two' is not a valid int.* \(given two\)\. Tip: pkdp search --help\.", (*FINE, "--records", "two")),
    Bad("a file that is no checkpoint", "size = 2\n", r"FILE: this file is no checkpoint of a search .*", (*FINE, "--checkpoint", "{file}")),
    Bad("workers without a cluster", None, r".*(dask|workers).*", (*FINE, "--workers", "somewhere")),
)  # fmt: skip

TOO_LARGE = re.escape("at most 3 records, 3 values, 3 outputs, 2 knowledge values")
LIMITS = (
    Bad("too many records", None, r"--records: given 9; wanted at most 4\.", (*FINE, "--records", "9"), status=3),
    Bad(
        "a scope that is too large",
        None,
        rf"scope: the scope has about 10\^\d+ models \({TOO_LARGE}; .*\); wanted at most 10,000,000,000 \(--max-models\)\. Tip: ask for fewer records, values or outputs, or for a coarser grid of weights\.",
        (*FINE, "--records", "3", "--values", "3", "--outputs", "3", "--knowledge", "2"),
        status=3,
    ),
    Bad(
        "a scope above a limit of one's own",
        None,
        r"scope: the scope has 2,840 models .*; wanted at most 1,000 \(--max-models\)\. Tip: .*",
        (*FINE, "--max-models", "1000"),
        status=3,
    ),
)

ENTRIES = (*STATEMENTS, *QUESTIONS, *LIMITS)
