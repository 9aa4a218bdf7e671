"""Bad families of knowledge, and bad mechanisms that are made of mechanisms."""

# ruff: noqa: E501 - a message stands in one line, however long

from __future__ import annotations

from .entry import GOOD, HEAD, SUM, Bad, mechanism

ONE = '{ kind = "sum" }'
NOISE = '{ kind = "sum", then = [ { kind = "geometric-noise", p = "1/2" } ] }'


def _family(body: str, name: str = "x") -> str:
    return f'{HEAD}[[distribution]]\nname = "{name}"\niid = {{ 0 = 1 }}\n{body}\n{SUM}'


def _choice(*choices: str, more: str = "") -> str:
    return mechanism(f'kind = "choice"\nof = [ {", ".join(choices)} ]\n{more}')


FAMILIES = (
    Bad(
        "a family of knowledge that is empty",
        f"knowledge = []\n{GOOD}",
        r"FILE: \[knowledge\]: given no \[\[knowledge\]\]; wanted at least one, or no key `knowledge`\.",
    ),
    Bad(
        "a family of knowledge with a name twice",
        _family('[[knowledge]]\nname = "a"\nrecords = [0]\n[[knowledge]]\nname = "a"\nrecords = [1]'),
        r'FILE: \[\[knowledge\]\] "a": given the name "a" twice; wanted distinct names\.',
    ),
    Bad(
        "a family of knowledge with the name of one that is left out",
        _family('[[knowledge]]\nname = "#2"\nrecords = [0]\n[[knowledge]]\nrecords = [1]'),
        r'FILE: \[\[knowledge\]\] 2: given the name "#2" twice; wanted distinct names\.',
    ),
    Bad(
        "a family of knowledge with a name that is a number",
        _family("[[knowledge]]\nname = 1\nrecords = [0]"),
        r"FILE: \[\[knowledge\]\] 1, name: given 1; wanted a name as a string\.",
    ),
    Bad(
        "a family of knowledge with an unknown key",
        _family('[[knowledge]]\nname = "a"\nrecords = [0]\nrecord = 1'),
        r'FILE: \[\[knowledge\]\] "a": the key `record` is unknown; wanted one of .*\. Tip: is `records` meant\?',
    ),
    Bad(
        "one knowledge with a name",
        _family('[knowledge]\nname = "a"\nrecords = [0]'),
        r"FILE: \[knowledge\]: the key `name` is unknown; wanted one of .*",
    ),
    Bad(
        "a family of knowledge beside a column",
        f'{HEAD}[[distribution]]\ntable = [ {{ database = [0, 0], knowledge = "k", probability = 1 }} ]\n'
        f"[[knowledge]]\nrecords = [0]\n{SUM}",
        r"FILE: \[knowledge\]: given \[knowledge\] although the rows of the table carry `knowledge`; wanted one of the two\.",
    ),
    Bad(
        "pairs of one name",
        f'{HEAD}[[distribution]]\nname = "a"\niid = {{ 0 = 1 }}\n[[distribution]]\nname = "a / b"\niid = {{ 1 = 1 }}\n'
        f'[[knowledge]]\nname = "b / c"\nrecords = []\n[[knowledge]]\nname = "c"\nrecords = [0]\n{SUM}',
        r'FILE: two pairs of a distribution and a knowledge have the name "a / b / c"; wanted names that tell the pairs apart\. Tip: leave " / " out of the names\.',
    ),
    Bad(
        "a component in a family without a mixture",
        _family('[[knowledge]]\nrecords = []\n[[knowledge]]\nkind = "component"'),
        r'FILE: \[\[knowledge\]\] 2: given kind = "component"; wanted a `mixture` in every distribution\.',
    ),
)

COMPOSED = (
    Bad(
        "adaptive without a first mechanism",
        mechanism(f'kind = "adaptive"\notherwise = {ONE}'),
        r"FILE: \[mechanism\]: the key `first` is missing; wanted `first = …`\. .*",
    ),
    Bad(
        "adaptive without a next mechanism",
        mechanism(f'kind = "adaptive"\nfirst = {ONE}'),
        r"FILE: \[mechanism\], next: given no mechanism; wanted at least one, or `otherwise = \{ … \}`\.",
    ),
    Bad(
        "adaptive with an output that has no next",
        mechanism(f'kind = "adaptive"\nfirst = {ONE}\nnext = {{ 0 = {ONE}, 1 = {ONE} }}'),
        r"FILE: \[mechanism\]: `next` has no mechanism for the output 2 of the first; wanted one for every output that the first mechanism can have\. Tip: add it, or `otherwise = \{ … \}`\.",
    ),
    Bad(
        "adaptive with a next that never comes",
        mechanism(f'kind = "adaptive"\nfirst = {ONE}\nnext = {{ 3 = {ONE} }}\notherwise = {ONE}'),
        r"FILE: \[mechanism\], next, 3: given the input 3, which `first` never puts out; wanted an output of it: 0, 1, 2\.",
    ),
    Bad(
        "adaptive with a part of a tail",
        mechanism(f'kind = "adaptive"\nfirst = {NOISE}\nnext = {{ 7 = {ONE} }}\notherwise = {ONE}'),
        r"FILE: \[mechanism\]: `next` names 7, a part of the lumped tail > 2 of the noise; wanted outputs of the first mechanism; a tail as a whole\.",
    ),
    Bad(
        "adaptive with a bad next",
        mechanism(f'kind = "adaptive"\nfirst = {ONE}\nnext = {{ 0 = {{ kind = "som" }} }}\notherwise = {ONE}'),
        r'FILE: \[mechanism\], next, 0, kind: given kind = "som"; wanted one of .*',
    ),
    Bad(
        "adaptive with an unknown key",
        mechanism(f'kind = "adaptive"\nfirst = {ONE}\nelse = {ONE}\notherwise = {ONE}'),
        r"FILE: \[mechanism\]: the key `else` is unknown; wanted one of .*",
    ),
    Bad(
        "a part without records",
        mechanism(f'kind = "part"\nrecords = []\nof = {ONE}'),
        r'FILE: \[mechanism\], records: given no record; wanted at least one\. Tip: kind = "constant" sees none\.',
    ),
    Bad(
        "a part with a record twice",
        mechanism(f'kind = "part"\nrecords = [0, 0]\nof = {ONE}'),
        r"FILE: \[mechanism\], records: given \[0, 0\]; wanted each record at most once\.",
    ),
    Bad(
        "a part with a record of the whole inside",
        mechanism('kind = "part"\nrecords = [1]\nof = { kind = "records", records = [1] }'),
        r"FILE: \[mechanism\], of, records: given the record 1; wanted 0 to 0\. Tip: indices count from 0\.",
    ),
    Bad(
        "a part with a table for the whole database",
        mechanism('kind = "part"\nrecords = [1]\nof = { table = [ { database = [0, 0], output = "a" } ] }'),
        r"FILE: \[mechanism\], of, table, row 1, database: given a database of 2 records; wanted 1, the `size`\.",
    ),
    Bad(
        "a part without a possible database",
        mechanism('kind = "part"\nrecords = [1]\nof = { table = [ { database = [0], output = "a" } ] }'),
        r"FILE: \[mechanism\]: no row for the possible database \[0, 1\]; wanted a row for every possible database\. .*",
    ),
    Bad(
        "a part without a mechanism",
        mechanism('kind = "part"\nrecords = [1]'),
        r"FILE: \[mechanism\]: the key `of` is missing; wanted `of = …`\. .*",
    ),
    Bad(
        "a choice of nothing",
        _choice(),
        r"FILE: \[mechanism\], of: given no mechanism; wanted at least one\.",
    ),
    Bad(
        "a choice whose weights do not sum to 1",
        _choice(f'{{ weight = "1/2", mechanism = {ONE} }}', f'{{ weight = "1/3", mechanism = {ONE} }}'),
        r"FILE: \[mechanism\], of, weights: given probabilities that sum to 5/6; wanted the sum 1 exactly\. Tip: the sum is less than 1 by 1/6; nothing is ever normalised\.",
    ),
    Bad(
        "a choice with a negative weight",
        _choice(f'{{ weight = "3/2", mechanism = {ONE} }}', f'{{ weight = "-1/2", mechanism = {ONE} }}'),
        r"FILE: \[mechanism\], of, choice 1, weight: given .*",
    ),
    Bad(
        "a choice with a name twice",
        _choice(
            f'{{ name = "a", weight = "1/2", mechanism = {ONE} }}',
            f'{{ name = "a", weight = "1/2", mechanism = {ONE} }}',
        ),
        r'FILE: \[mechanism\], of, choice 2: given the name "a" twice; wanted distinct names\.',
    ),
    Bad(
        "a choice that is a mechanism",
        _choice(ONE),
        r"FILE: \[mechanism\], of, choice 1: the key `weight` is missing.*",
    ),
    Bad(
        "a choice whose mechanism stands beside its weight",
        _choice('{ weight = 1, kind = "count", value = 1 }'),
        r'FILE: \[mechanism\], of, choice 1: the mechanism of this choice stands beside its weight; wanted a table of its own for the mechanism\. Tip: \{ weight = "2/3", mechanism = \{ kind = … \} \}\.',
    ),
    Bad(
        "a choice that is shown by a text",
        _choice(f"{{ weight = 1, mechanism = {ONE} }}", more='shown = "yes"'),
        r'FILE: \[mechanism\], shown: given shown = "yes"; wanted true or false\.',
    ),
    Bad(
        "a choice between tails",
        _choice(f'{{ weight = "1/2", mechanism = {NOISE} }}', f'{{ weight = "1/2", mechanism = {ONE} }}'),
        r"FILE: \[mechanism\]: given a choice between mechanisms of which one ends in geometric noise; wanted a choice that is shown, .*\. Tip: `shown = true`, .*",
    ),
    Bad(
        "a step after a choice without a row",
        _choice(f"{{ weight = 1, mechanism = {ONE} }}", more='then = [ { rows = [ { input = 0, output = "a" } ] } ]'),
        r"FILE: \[mechanism\], then, step 1: the step has no row for the input 1; .*",
    ),
)


def _law(name: str, *more: str, beside: str = "{file}") -> tuple[str, ...]:
    return ("law", name, "{file}", "--with", beside, "--definition", "np", *more)


LAWS = (
    Bad(
        "a law that is none",
        GOOD,
        r"LAW: given honesty; wanted one of post-processing, convexity, sequential, parallel\.",
        _law("honesty"),
    ),
    Bad(
        "a law of an unknown definition",
        GOOD,
        r'--definition: given the definition "xdp"; wanted one of .*',
        _law("convexity", "--definition", "xdp"),
    ),
    Bad(
        "a law beside a file that is not there",
        GOOD,
        r"nowhere\.toml: the file cannot be read \(No such file or directory\); wanted a TOML file\.",
        _law("convexity", beside="nowhere.toml"),
    ),
    Bad(
        "a law beside a file that says something else",
        GOOD,
        r"FILE: the key `parts` is missing; wanted parts = .*",
        _law("parallel"),
    ),
    Bad(
        "parts that are a number",
        "parts = 3\n" + GOOD,
        r"FILE: the key `parts` is unknown; wanted one of .*",
        _law("parallel"),
    ),
    Bad(
        "a law at two ε",
        GOOD,
        r"--epsilon: given 2 times; wanted none, or one\.",
        _law("convexity", "--epsilon", "0", "--epsilon", "1"),
    ),
    Bad(
        "sequential composition at one ε",
        GOOD,
        r"--epsilon: given 1 times; wanted none, or two\.",
        _law("sequential", "--epsilon", "0"),
    ),
    Bad(
        "sequential composition at an ε without a form",
        GOOD,
        r"FILE with FILE: given ε₁ = ln\(2\) and ε₂ = 1/3; wanted two logarithms, or two rationals: their sum is an ε\.",
        _law("sequential", "--epsilon", "ln(2)", "--epsilon", "1/3"),
    ),
    Bad(
        "a weight for a law that has none",
        GOOD,
        r"--weight: given; wanted it with convexity only\.",
        _law("sequential", "--weight", "1/2"),
    ),
    Bad(
        "a weight above 1",
        GOOD,
        r"FILE with FILE: weight: given .*",
        _law("convexity", "--weight", "3/2"),
    ),
)

ENTRIES = (*FAMILIES, *COMPOSED, *LAWS)
