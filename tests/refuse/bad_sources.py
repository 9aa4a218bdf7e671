"""Bad places of models: names that are none, standard input twice, Python code; and bad answers to `pkdp new`."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, Bad, own

BUILD = 'pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/2", 1: "1/2"}}, mechanism=%s)'


def name(title: str, argument: str, message: str) -> Bad:
    """A name of a bundled model that is none."""
    return Bad(title, None, message, ("check", argument))


def answers(title: str, message: str, *given: str) -> Bad:
    """Answers to the questions of `pkdp new`; the others are the defaults."""
    every = (*given, *[""] * (5 - len(given)))
    return Bad(title, None, message, ("new", "-", *(part for one in every for part in ("--answer", one))))


NONE = "there is no such file and no such bundled model; wanted the path of a model file, or the name of a bundled model \\(pkdp examples\\)"
NAMES = (
    name(
        "misspelt name",
        "exampl-7-five-voter",
        rf"exampl-7-five-voter: {NONE}\. Tip: is `example-7-five-voters` meant\?",
    ),
    name(
        "part of a name",
        "example-7",
        rf"example-7: {NONE}\. Tip: example-7-five-voters, example-7-thousand-voters, example-7-twelve-voters, example-7-twelve-voters-zero have it in their names\.",
    ),
    name("name like nothing", "zzzz", rf"zzzz: {NONE}\. Tip: pkdp examples lists the bundled models\."),
    name(
        "name of two models",
        "randomized-response",
        r"randomized-response: 3 bundled models have this name; wanted one of DP22/randomized-response, family/randomized-response, relations/randomized-response\.",
    ),
    name(
        "name with an ending",
        "nowhere/../models/DMKB20/example-7-five-voters.toml",
        r"nowhere/\.\./models/DMKB20/example-7-five-voters\.toml: the file cannot be read \(No such file or directory\); wanted a model file\. Tip: pkdp new MODEL\.toml makes one, pkdp examples lists the bundled ones\.",
    ),
    name(
        "bundled file that is not here",
        "example-7-five-voters.toml",
        r"example-7-five-voters\.toml: there is no such file; wanted a model file\. Tip: example-7-five-voters, without \.toml, is a model that comes with the program\.",
    ),
    Bad(
        "standard input twice",
        None,
        r"standard input: given - more than once; wanted it once: it can be read only once\.",
        ("check", "-", "-"),
    ),
    Bad(
        "standard input twice to compare",
        None,
        r"standard input: given - more than once; wanted it once: it can be read only once\.",
        ("stronger", "-", "-"),
    ),
)
PYTHON = (
    Bad(
        "missing Python file",
        None,
        r"nowhere/own\.py: the file cannot be read \(No such file or directory\); wanted a Python file that makes a model\. Tip: write model = verifier\.build\(…\) at the top level of the file\.",
        ("check", "nowhere/own.py"),
    ),
    own(
        "Python code that is none",
        "def model(:",
        r"FILE: line 2: the code is not valid Python: .+; wanted a Python file\.",
    ),
    own(
        "Python code that raises",
        "def third(n):\n    return n // 0\nthird(1)",
        r"FILE: line 3: the code raised ZeroDivisionError: integer division or modulo by zero; wanted code that makes a model\.",
    ),
    own(
        "Python code that ends the program well",
        "import sys\nsys.exit(0)",
        r"FILE: line 3: the code ended the program: sys\.exit\(0\); wanted code that makes a model\.",
    ),
    own(
        "Python code that makes a wrong model",
        'model = pk.build(size=1, values=[0, 1], distribution={"iid": {0: "1/3"}}, mechanism={"kind": "sum"})',
        r'FILE: line 2: model: \[\[distribution\]\] "#1", iid: given probabilities that sum to 1/3; wanted the sum 1 exactly\. Tip: .+',
    ),
    own(
        "Python code that makes no model",
        "x = 1",
        r"FILE: the file makes no model; wanted a model at its top level\. Tip: write model = verifier\.build\(…\) at the top level of the file\.",
    ),
    own(
        "Python code whose model is a table",
        'model = {"size": 1}',
        r"FILE: `model` is of the type dict; wanted a model at its top level\. Tip: write model = .+",
    ),
    own(
        "Python code that makes two models",
        f"one = {BUILD % 'sum'}\ntwo = {BUILD % 'max'}",
        r"FILE: the file makes 2 models: one, two; wanted one, or one of the name `model`\. Tip: FILE:one names one\.",
    ),
    own(
        "Python code without the model that is named",
        f"vote = {BUILD % 'sum'}",
        r"FILE:vots: the file makes no `vots`; wanted a model: vote\. Tip: is `vote` meant\?",
        ":vots",
    ),
    own(
        "Python function that raises",
        f"def odd(database):\n    raise KeyError('k')\nmodel = {BUILD % 'odd'}",
        r"FILE: model: \[mechanism\]: the function raised KeyError on the database \[0\]: 'k' \(own\.py, line 3\); wanted an answer on every database that is reached\.",
    ),
    own(
        "Python function that ends the program well",
        f"import sys\ndef end(database):\n    sys.exit(0)\nmodel = {BUILD % 'end'}",
        r"FILE: model: \[mechanism\]: the function raised SystemExit on the database \[0\]: 0 \(own\.py, line 4\); wanted an answer on every database that is reached\.",
    ),
    own(
        "Python function without an end",
        f"def deep(database):\n    return deep(database)\nmodel = {BUILD % 'deep'}",
        r"FILE: model: \[mechanism\]: the function raised RecursionError on the database \[0\]: .+ \(own\.py, line 3\); wanted .+",
    ),
    Bad(
        "Python code for the explorer",
        None,
        r"own\.py: given Python code; wanted a model file: the explorer edits its text\.",
        ("explore", "own.py", "--no-open"),
    ),
)
ASKED = (
    answers("values given twice", r"answer 1: values: given .+", "no, no"),
    answers(
        "size that is no number",
        r"answer 2: size: given .+",
        "no, yes",
        "some",
    ),
    answers(
        "probabilities of another number",
        r"answer 3: given 3 for 2 values; wanted one probability for each value\. Tip: .+",
        "no, yes",
        "4",
        "1/3, 1/3, 1/3",
    ),
    answers(
        "probabilities that do not sum to 1",
        r'answer 3: \[\[distribution\]\] "alike", iid: given probabilities that sum to 2/3; wanted the sum 1 exactly\. Tip: .+',
        "no, yes",
        "4",
        "1/3, 1/3",
    ),
    answers(
        "knowledge of a record that is not there",
        r"answer 4: \[knowledge\], records: given the record 7; wanted 0 to 3\. Tip: indices count from 0\.",
        "no, yes",
        "4",
        "1/2, 1/2",
        "7",
    ),
    answers(
        "all but a record that is not there",
        r'answer 4: given "all but 4"; wanted a record from 0 to 3, of at most 1,000\. Tip: .+',
        "no, yes",
        "4",
        "1/2, 1/2",
        "all but 4",
    ),
    answers(
        "published without a value",
        r'answer 5: given "count"; wanted count VALUE\. Tip: .+',
        "no, yes",
        "4",
        "1/2, 1/2",
        "nothing",
        "count",
    ),
    answers(
        "published of a kind that is none",
        r'answer 5: given "magic"; wanted something that can be published\. Tip: answer one of: count VALUE, .+',
        "no, yes",
        "4",
        "1/2, 1/2",
        "nothing",
        "magic",
    ),
    Bad(
        "too few answers",
        None,
        r"--answer: given 1; wanted 5 answers; an empty one is the default\. Tip: 1\. What can .+",
        ("new", "-", "--answer", "no, yes"),
    ),
    Bad(
        "new file that is there",
        GOOD,
        r"FILE: FILE is there already; wanted a free name\. Tip: --overwrite replaces it\.",
        ("new", "{file}"),
    ),
    Bad(
        "new file that would be run",
        None,
        r"FILE: given own\.py; wanted a name that ends in \.toml, or - for standard output\.",
        ("new", "own.py"),
    ),
    Bad("copy of nothing", None, rf"zzzz: {NONE}\. Tip: .+", ("examples", "--copy", "zzzz")),
    Bad(
        "place of no copy",
        None,
        r"--to: given without --copy; wanted --copy NAME --to DIR\.",
        ("examples", "--to", "."),
    ),
    Bad(
        "words that no example has",
        None,
        r"TEXT: no bundled model has zzzz in its name, title, source or notes; wanted fewer words, or others\. Tip: pkdp examples --all lists all\.",
        ("examples", "zzzz"),
    ),
)
ENTRIES = (*NAMES, *PYTHON, *ASKED)
