# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Notebook 8: from a claim in words to the smallest model that breaks it, and what it means if there is none."""

import marimo

app = marimo.App(width="medium", app_title="8 · Find counterexamples", css_file="course.css")


@app.cell(hide_code=True)
def _():
    from math import comb

    import verifier as pk
    from verifier import course as kit
    from verifier.checker.answers import checked
    from verifier.checker.numbers import Wrong
    from verifier.checker.reading import answers_in, read_json
    from verifier.questions.expect import compare
    from verifier.recheck.documents import document_text
    from verifier.show.answers import overview_sheet
    from verifier.show.sheet import law_text

    return (
        Wrong,
        answers_in,
        checked,
        comb,
        compare,
        document_text,
        kit,
        law_text,
        overview_sheet,
        pk,
        read_json,
    )


@app.cell(hide_code=True)
def _(kit):
    kit.opening(
        8,
        "Find counterexamples yourself",
        [
            "How to turn a claim in words into a statement that a machine can test.",
            "How to get the smallest model that breaks it, and how to read it.",
            "What “none in scope” means: checked, not proved.",
            "How to hand your finding to somebody who does not trust you.",
        ],
        able="write a claim as a statement, find the smallest model that breaks it, say what “none in scope” means, and hand over a certificate that others can check.",
        minutes=35,
        needs="after notebook 3; notebooks 6 and 7 help",
        hour="it ends with notebook 5; this one is for afterwards",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## The story

    You referee a paper. It says that its definition is at least as strong as another one, and proves it on three pages.
    Before you read the proof, you look for the smallest case in which the claim fails. If there is one, it has two or
    three rows, and you can check it with a pencil.

    ## 1 · From words to a statement
    """)
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(
        kit.grid(
            ["in words", "as a statement"],
            [
                ["every mechanism with ε-NP has ε-CDP", "np(e) => cdp(e)"],
                ["… at twice the price", "np(e) => cdp(2*e)"],
                ["… if the people are independent", "independent => np(e) => cdp(e)"],
                ["both are the same", "np(e) iff cdp(e)"],
            ],
        ),
        "`e` stands for every ε at once. `=>` is “implies”. Build a claim:",
    )
    return


@app.cell
def _(kit):
    notions = {"NP (noiseless privacy)": "np", "CDP (causal)": "cdp", "DP (differential privacy)": "dp"}
    hypotheses = {
        "nothing": "",
        "the people are independent": "independent => ",
        "the mechanism uses no coins": "deterministic => ",
        "the order of the people plays no part in θ": "exchangeable => ",
        "an acceptable normalization exists": "acceptable => ",
    }
    return hypotheses, notions


@app.cell
def _(hypotheses, kit, notions):
    assumed = kit.pick("assume", hypotheses, "nothing")
    strong = kit.pick("if the mechanism has", notions, "NP (noiseless privacy)")
    weak = kit.pick("then it has", notions, "CDP (causal)")
    price = kit.fraction("the price, times ε", 1, steps=[1, 2, 3])
    return assumed, price, strong, weak


@app.cell
def _(assumed, kit, pk, price, strong, weak):
    claim = f"{assumed.value}{strong.value}(e) => {weak.value}({price.value}*e)".replace("1*e", "e")
    told = pk.search(claim=claim)
    kit.show(kit.beside(assumed, strong), kit.beside(weak, price), f"The claim: `{claim}`")
    return claim, told


@app.cell(hide_code=True)
def _(claim, kit, law_text, told):
    def two_tables(found):
        """θ and M of a small model, row by row."""
        theta, released = found.thetas[0], found.mechanism
        happens = [
            [str(found.shown(world.database)), kit.number(f"{world.weight}/{theta.denominator}")]
            for world in theta.worlds()
        ]
        return happens, [[str(found.shown(one)), law_text(released.law(one))] for one in released.all_databases()]

    def told_in_words(found):
        """The same in one line."""
        happens, puts_out = two_tables(found)
        return (
            f"θ: {', '.join(f'{database} with {p}' for database, p in happens)}; "
            f"M: {', '.join(f'{database} → {law}' for database, law in puts_out)}"
        )

    def shown_model(found):
        """The same as two tables."""
        happens, puts_out = two_tables(found)
        return kit.beside(
            kit.grid(["database", "probability"], happens, title="θ: what happens"),
            kit.grid(["database", "output"], puts_out, title="M: what is put out"),
        )

    def shown_result(result):
        """What a search says, with the model in two tables and as a file."""
        if result.model is None:
            return kit.show(f"**None in scope.** {str(result).capitalize()}.")
        at = ", ".join(f"{name} = {value}" for name, value in result.to_json()["values"].items())
        return kit.show(
            f"**Broken{' at ' + at if at else ''}.** Found after looking at {result.hit.checked} models.",
            shown_model(result.model),
            kit.grid(
                ["statement", "verdict"],
                [[str(atom), verdict] for atom, verdict in result.separation.verdicts],
                title="Decided",
            ),
            kit.fold("The model file", kit.source(result.text)),
        )

    question_1 = kit.question(
        f"Is the claim `{claim}` broken by a model in the scope: {told.scope}?",
        {
            "not broken": "A small model breaks it. Think of two people who always give the same answer."
            if told.model
            else "No model in the scope breaks it. Section 3 explains what that proves.",
            "broken": "Here is the smallest model in the scope that does."
            if told.model
            else "The search looked at all of them, and found none.",
        },
        right="broken" if told.model else "not broken",
        answer=shown_result(told),
    )
    question_1
    return shown_model, shown_result, told_in_words, question_1


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 2 · Read it with a pencil

    The smallest models are small enough to see **why**. Here is the one that breaks `np(e) => cdp(e)`, in tables that
    you can edit. Change a probability or an output, and watch the two definitions.
    """)
    return


@app.cell
def _(kit):
    worlds = kit.table(
        [{"D(0)": a, "D(1)": b, "probability": p} for a, b, p in [(0, 0, "1/2"), (0, 1, 0), (1, 0, 0), (1, 1, "1/2")]],
        fixed=["D(0)", "D(1)"],
        title="θ: what happens",
    )
    outputs = kit.table(
        [{"D(0)": a, "D(1)": b, "output": o} for a, b, o in [(0, 0, "u"), (0, 1, "u"), (1, 0, "v"), (1, 1, "u")]],
        fixed=["D(0)", "D(1)"],
        title="M: what is put out",
    )
    return outputs, worlds


@app.cell
def _(kit, outputs, worlds):
    pencil_keys = {
        "title": "two copies",
        "size": 2,
        "values": [0, 1],
        "distribution": kit.worlds(worlds.value),
        "mechanism": kit.mechanism(outputs.value),
    }
    return (pencil_keys,)


@app.cell
def _(kit, outputs, pencil_keys, pk, worlds):
    pencil = kit.build(**pencil_keys)
    pencil_np, pencil_cdp = (pk.check(pencil, one) for one in ("np", "cdp"))
    kit.show(
        kit.beside(worlds, outputs),
        kit.beside(kit.verdict(pencil_np, conventions=False), kit.verdict(pencil_cdp, conventions=False)),
    )
    return pencil, pencil_cdp, pencil_np


@app.cell(hide_code=True)
def _(kit, pk):
    quiet = {
        row: pk.check(
            pk.build(
                size=2,
                values=[0, 1],
                distribution={"table": [{"database": [k, k], "probability": "1/2"} for k in (0, 1)]},
                mechanism={"table": [{"database": list(row), "output": "v"}], "otherwise": "u"},
            ),
            "np",
        ).tight_epsilon
        for row in [(0, 0), (0, 1), (1, 0), (1, 1)]
    }
    never_seen = [row for row, one in quiet.items() if one == pk.epsilon(0)]
    question_2 = kit.question(
        "θ says that both people always give the same answer. The output `v` stands on one database only. On which ones does "
        "it change nothing for NP?",
        {
            "on 0 0 and 1 1": "These happen. Then v names the answer.",
            "on 0 1 and 1 0": "These never happen, so nobody ever sees v.",
            "on none": "Which databases never happen? Put v there, in the table above, and watch NP.",
        },
        right="on 0 1 and 1 0" if never_seen == [(0, 1), (1, 0)] else "on 0 0 and 1 1",
        answer=kit.show(
            "NP compares what the attacker can really see. CDP asks what **would** be put out if one answer were another "
            "one, and so it looks at databases that never happen. That is the whole counterexample."
        ),
    )
    question_2
    return never_seen, quiet, question_2


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 3 · None in scope

    A search has a **scope**: so many people, values and outputs, and probabilities in steps, such as quarters. Take this
    claim: *if every database is possible, NP and CDP are the same.* It sounds right: now nothing “never happens”.
    """)
    return


@app.cell
def _(kit):
    parts = kit.fraction("probabilities of θ in steps of 1 over", 4, steps=[1, 2, 3, 4, 5, 6])
    return (parts,)


@app.cell
def _(comb, kit, parts, pk):
    full = "full-support => np(e) iff cdp(e)"
    in_parts = pk.search(claim=full, scope=pk.Scope(records=2, values=2, outputs=2, weights=int(parts.value)))
    in_quarters = pk.search(claim=full, weights=4)
    in_fifths = pk.search(claim=full, weights=5)
    full_laws = {n: comb(n - 1, 3) for n in (4, 5)}  # ways to give each of 4 databases a positive multiple of 1/n
    kit.show(
        parts,
        f"The claim: `{full}`",
        f"In these steps it is **{'broken' if in_parts.model else 'not broken'}**; {in_parts.hit.checked} models were looked at.",
    )
    return full, full_laws, in_fifths, in_parts, in_quarters


@app.cell(hide_code=True)
def _(full_laws, in_fifths, in_quarters, kit, shown_result):
    question_3 = kit.question(
        f"With steps of 1/4 the search says: none among {in_quarters.hit.checked} models. Is the claim true?",
        {
            "yes, it is proved": "A search proves nothing beyond its scope.",
            "yes, very likely": "How many of those models meet the condition at all?",
            "this does not tell": "Look into the scope before you trust it.",
        },
        right="this does not tell" if in_fifths.model and not in_quarters.model else "yes, very likely",
        answer=kit.show(
            f"In quarters there is {full_laws[4]} distribution in which all four databases are possible, the uniform one: and "
            f"there the people are independent. In fifths there are {full_laws[5]}, and the claim breaks:",
            shown_result(in_fifths),
        ),
    )
    question_3
    return (question_3,)


@app.cell(hide_code=True)
def _(in_quarters, kit):
    kit.note(
        "A tempting wrong conclusion: no counterexample found, so it is true",
        f"What you may write: *checked: no model among {in_quarters.hit.checked} ({in_quarters.scope}).* What you may not "
        "write: *true*. `pkdp claims` keeps the words apart: **proved**, **checked**, **refuted**, **undecided**.",
        "Go on by making the scope larger, by asking for finer grids (`pkdp search … --find finer`), and by a proof.",
        kind="trap",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 4 · A definition that forgets half

    Somebody writes down privacy like this: *no output is more than e^ε times as likely if the answer is 0 as if it is 1.*
    A few lines of Python find the largest factor:
    """)
    return


@app.cell
def _(kit, pk):
    def at_most(model, first, second):
        """How many times as likely an output can be with the answer `first` as with `second`."""
        rows = pk.loss(model, values=(first, second)).knowledge[0].rows
        ratios = [
            row.probability_a / row.probability_b if row.probability_b else "∞" for row in rows if row.probability_a
        ]
        return "∞" if "∞" in ratios else max(ratios)

    half_claim = pk.search(claim='np(e, reading="one-order") => np(e)', records=1)
    forgetful = half_claim.model
    one_way, other_way = at_most(forgetful, 0, 1), at_most(forgetful, 1, 0)
    return at_most, forgetful, half_claim, one_way, other_way


@app.cell(hide_code=True)
def _(at_most, forgetful, half_claim, kit, one_way, other_way, pk, shown_model):
    forgetful_np = {one: pk.check(forgetful, "np", reading=one) for one in ("one-order", "default")}
    kit.note(
        "A tempting wrong definition: one order is enough",
        kit.listing(at_most),
        shown_model(forgetful),
        kit.grid(
            ["definition", "largest ratio", "smallest ε"],
            [
                ["0 against 1 only", one_way, forgetful_np["one-order"].tight_epsilon],
                [
                    "both orders (np)",
                    f"{kit.said(one_way)}, and {kit.said(other_way)} the other way",
                    forgetful_np["default"].tight_epsilon,
                ],
            ],
            title="The smallest model that separates the two",
            notes=[f"Found after {half_claim.hit.checked} models, with one person."],
        ),
        "One output never comes from the answer 0. Whoever sees it knows the answer. **Always compare in both orders.**",
        kind="trap",
    )
    return (forgetful_np,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 5 · Hand it over

    Why should anybody believe your search? They need not. A **certificate** is a text file with the question, the answer
    and the model. A small program, which shares nothing with the search, decides it again. That is the
    **independent checker**. Forge the certificate, and see what the checker answers.
    """)
    return


@app.cell
def _(kit):
    forgery = kit.pick(
        "forge",
        {
            "nothing": ("", ""),
            "a probability": ('probability = \\"1/2\\"', 'probability = \\"1/3\\"'),
            "an output": ('output = \\"v\\"', 'output = \\"u\\"'),
            "the number of models": ('"models_in_scope": 2', '"models_in_scope": 3'),
            "the claim": ('"violates": "cdp(e)"', '"violates": "np(e)"'),
        },
        "an output",
    )
    return (forgery,)


@app.cell
def _(Wrong, answers_in, checked, document_text, forgery, kit, pk, read_json):
    finding = pk.search(claim="np(e) => cdp(e)")
    certificate = document_text(finding.to_json())

    def replayed(text):
        """What the checker says of a certificate."""
        (answer,) = answers_in(read_json(text))
        try:
            found = checked(answer, None)
        except Wrong as error:
            return f"rejected: {error}"
        return f"{'accepted' if found.word == 'confirmed' else found.word}: {found.text}"

    honest, forged = replayed(certificate), replayed(certificate.replace(*forgery.value, 1))
    kit.show(
        f"As it was written: **{honest}**",
        forgery,
        f"After your change: **{forged}**",
        kit.fold("The certificate", kit.source(certificate)),
    )
    return certificate, finding, forged, honest, replayed


@app.cell(hide_code=True)
def _(compare, finding, kit, overview_sheet, pk):
    again = pk.loads(finding.text)
    promises = compare(again)
    for_the_paper = overview_sheet(again, [pk.check(again, one) for one in ("np", "cdp")]).tex()
    kit.show(
        f"The model file carries its own answers: {sum(one.agrees for one in promises)} of {len(promises)} are found again "
        f"when it is read (`pkdp check mine.toml --expect`). And for the paper itself:",
        kit.fold("LaTeX to paste", kit.source(for_the_paper)),
        kit.fold(
            "The same in the terminal",
            kit.source(
                'pkdp search --claim "np(e) => cdp(e)" --output mine.toml --certificate mine.json\n'
                "pkdp check mine.toml --expect\n"
                "pkdp check mine.toml --format latex\n"
                "pkdp verify mine.json"
            ),
        ),
    )
    return again, for_the_paper, promises


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Your turn
    """)
    return


@app.cell(hide_code=True)
def _(kit):
    answer_words = kit.entry("statement", kind="a statement")
    answer_words_check = kit.check_button("From words to a statement")
    return answer_words, answer_words_check


@app.cell(hide_code=True)
def _(answer_words, answer_words_check, kit, pk, told_in_words):
    def check_words(text):
        meant = "deterministic => np(e) => cdp(e)"
        same = f"({pk.statement(text)}) iff ({meant})"
        # two people with finer steps of θ, then three people: each scope separates statements that the other does not
        scopes = ({}, {"weights": 5, "mechanism_weights": 1}, {"records": 3, "weights": 2, "mechanism_weights": 1})
        told_apart = next((found for scope in scopes if (found := pk.search(claim=same, **scope)).model), None)
        if told_apart is None:
            return ""
        ways = [pk.check(told_apart.model, one).tight_epsilon for one in ("np", "cdp")]
        return (
            f"Here is a model on which your statement and the sentence differ. {told_in_words(told_apart.model)}. "
            f"Its smallest ε is {kit.said(ways[0])} for np, and {kit.said(ways[1])} for cdp."
        )

    exercise_words = kit.exercise(
        "From words to a statement",
        "Write as a statement, with `e` for ε: *every mechanism without coins that has NP with ε has CDP with ε.* (The word "
        "for “without coins” is `deterministic`.)",
        answer_words,
        answer_words_check,
        check=check_words,
        hints=[
            "First the condition on the mechanism, then `=>`, then a claim like those of section 1.",
            "`A => B => C` means: if A, then B implies C.",
        ],
        solution="deterministic => np(e) => cdp(e)",
        why="The check does not compare words: it searches for a model on which your statement and the sentence "
        "differ, with up to three people. `deterministic and np(e) => cdp(e)` is right too.",
        tempting=["np(e) => cdp(e)", "deterministic => cdp(e) => np(e)", "np(e) => deterministic"],
    )
    exercise_words
    return (exercise_words,)


@app.cell(hide_code=True)
def _(kit):
    answer_scope = kit.entry("steps of 1 over", kind="a whole number")
    answer_scope_check = kit.check_button("A scope that is large enough")
    return answer_scope, answer_scope_check


@app.cell(hide_code=True)
def _(answer_scope, answer_scope_check, kit, pk):
    def check_scope(text):
        def looked(steps):
            return pk.search(claim="cdp(ln(2)) => np(ln(2))", mechanism_weights=steps)

        given = kit.whole_number(text, 1, 8)
        if looked(given).model is None:
            return f"None among {looked(given).hit.checked} models with these steps."
        if given > 1 and looked(given - 1).model is not None:
            return f"Broken in steps of 1/{given}, but larger steps break it as well."
        return ""

    exercise_scope = kit.exercise(
        "A scope that is large enough",
        "`cdp(ln(2)) => np(ln(2))` is not broken by two people, two values and two outputs if the **mechanism's** "
        "probabilities are multiples of 1/2. Find the smallest number n such that multiples of 1/n break it "
        "(`pk.search(claim=…, mechanism_weights=n)`).",
        answer_scope,
        answer_scope_check,
        check=check_scope,
        hints=[
            "Two votes that are always equal, and a mechanism whose outputs have the ratio 3 on 0 0 and 1 1, but 2 next to them.",
            "Which two probabilities that add up to 1 have the ratio 3? With which steps can you write them?",
        ],
        solution="4",
        why="So a scope has two sides: how large the models are, and how fine the probabilities. `--find finer` goes on to finer ones.",
        tempting=["2", "3", "5"],
    )
    exercise_scope
    return (exercise_scope,)


@app.cell(hide_code=True)
def _(kit):
    answer_repair = kit.pick(
        "assume",
        {
            "– choose –": None,
            "the mechanism uses no coins": "deterministic",
            "the order of the people plays no part": "exchangeable",
            "an acceptable normalization exists": "acceptable",
            "each person is independent of the others, given what she knows": "independent",
        },
        "– choose –",
    )
    answer_repair_check = kit.check_button("Repair the claim")
    return answer_repair, answer_repair_check


@app.cell(hide_code=True)
def _(answer_repair, answer_repair_check, kit, pk, told_in_words):
    def check_repair(condition):
        again = pk.search(claim=f"{condition} => np(e) => cdp(e)")
        if again.model is None:
            return ""
        ways = [pk.check(again.model, one).tight_epsilon for one in ("np", "cdp")]
        return (
            f"Still broken. {told_in_words(again.model)}. Its smallest ε is {kit.said(ways[0])} for np, and {kit.said(ways[1])} "
            f"for cdp."
        )

    exercise_repair = kit.exercise(
        "Repair the claim",
        "`np(e) => cdp(e)` is broken. Which condition in front of it leaves no counterexample in the default scope? DMKB20 "
        "names two of these (Propositions 2 and 4), and one of the two does not do.",
        answer_repair,
        answer_repair_check,
        check=check_repair,
        hints=["What made the counterexample work? One vote told the other.", "Exclude just that."],
        solution="independent",
        why="Checked here, and proved in proofs/relations.md (DMKB20, Proposition 2). Proposition 4 asks for an acceptable "
        "normalization, and is false as printed.",
        tempting=["deterministic", "exchangeable", "acceptable"],
    )
    exercise_repair
    return (exercise_repair,)


@app.cell
def _(kit):
    student = kit.student()
    return (student,)


@app.cell(hide_code=True)
def _(exercise_repair, exercise_scope, exercise_words, kit, pencil_keys, student):
    handed_in = kit.hand_in(8, student, [exercise_words, exercise_scope, exercise_repair], {"two copies": pencil_keys})
    handed_in
    return (handed_in,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What to read next

    - [The whole language of statements](guide:smallest-model.html), with δ, readings, `post(…)` and `twice(…)`.
    - [What implies what](guide:relations.html), with proofs and the models that refute.
    - [Search with a definition of your own](guide:own-definitions.html).
    - [Every numbered claim of the papers](guide:proofs/statements.html), with its verdict. Pick one that interests you, and try to break its
      repaired form. On the command line: `pkdp claims`.

    **Next:** this was the last notebook. [Open the twins in the explorer](explorer:example=DMKB20/example-4-repaired), change them, and make
    a model of your own.
    """)
    return


if __name__ == "__main__":
    app.run()
