# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Notebook 6: exact counts, thresholds and k-anonymity, and bounds that are set beside the truth."""

import marimo

app = marimo.App(width="medium", app_title="6 · Counting, thresholds, k-anonymity", css_file="course.css")


@app.cell(hide_code=True)
def _():
    import verifier as pk
    from verifier import course as kit
    from verifier.model.library import models_folder
    from verifier.wings.papers.bounds.assess import assess

    return assess, kit, models_folder, pk


@app.cell(hide_code=True)
def _(kit):
    kit.opening(
        6,
        "Counting, thresholds and k-anonymity",
        [
            "How an exact count can protect a person without any noise.",
            "What hiding small counts adds, and where it adds nothing.",
            "Why “every published row appears k times” is not privacy, and what to ask instead.",
            "That a bound in a paper is a claim, and how to set it beside the exact truth.",
        ],
        able="choose a threshold or a crowd for a count that is published, exactly, and show with a small table why k-anonymity does not protect by itself.",
        minutes=30,
        needs="after notebook 5",
        hour="it ends with notebook 5; this one is for afterwards",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## The story

    An office asks who was ill this winter, and publishes how many were. The attacker knows how common the illness is.
    She is curious about one colleague, and sees the published number.
    """)
    return


@app.cell
def _(kit):
    def office(people, chance, mechanism, known=0):
        """An office. The attacker knows the first `known` answers; the last person is the one she is curious about."""
        return kit.build(
            title="an office",
            size=people,
            values=["well", "ill"],
            distribution={"iid": {"well": 1 - chance, "ill": chance}},
            sensitive={"records": [people - 1]},
            mechanism=mechanism,
            **({"knowledge": {"records": list(range(known))}} if known else {}),
        )

    count = {"kind": "count", "value": "ill"}
    return count, office


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 1 · A count without noise

    Play with the chance of being ill, and watch how δ falls as the office grows. At ε = ln(2), factors of up to 2 are
    forgiven; δ is what is left to tell “ill” from “well”. 0 is perfect, 1 is hopeless.
    """)
    return


@app.cell
def _(kit):
    chance = kit.fraction("chance of being ill", "1/2", low="1/20", high="19/20")
    without_delta = kit.guess(
        "And without a δ: how large must the office be, so that some finite ε is enough?",
        "5 people",
        "40 people",
        "no office is large enough",
    )
    return chance, without_delta


@app.cell
def _(chance, count, office, pk):
    sizes = [2, 5, 10, 20, 40]
    counted = [pk.check(office(n, chance.value, count), "apkdp", epsilon="ln(2)") for n in sizes]
    return counted, sizes


@app.cell(hide_code=True)
def _(chance, counted, kit, sizes, without_delta):
    kit.show(
        chance,
        kit.grid(
            ["people", "smallest δ at ε = ln(2)"],
            [[n, one.tight_delta] for n, one in zip(sizes, counted, strict=True)],
            title="The exact count, published",
            notes=["apkdp: the attacker knows the chance, and no answer."],
        ),
        kit.guessed(
            without_delta,
            kit.grid(
                ["people", "smallest ε at δ = 0"],
                [[n, one.tight_epsilon] for n, one in zip(sizes, counted, strict=True)],
            ),
        ),
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    The colleague's answer moves the count by one. The others' answers move it too, and the attacker does not know them.
    **They are the noise.** The more people there are, the less one of them matters.
    """)
    return


@app.cell(hide_code=True)
def _(counted, kit, pk, sizes):
    largest = pk.check(counted[-1].model, "np")
    given_away = largest.witness
    question_1 = kit.question(
        f"Take the largest office, {sizes[-1]} people. Can it happen that the attacker becomes **certain**?",
        {
            "yes": "Some count is possible with one answer and impossible with the other.",
            "no": "Think of the most unusual count that can come out: all ill, or nobody.",
        },
        right="yes" if largest.tight_epsilon.is_infinite else "no",
        answer=kit.show(
            f"The count {given_away.event[0]} appears with probability {kit.said(given_away.probability_a)} if the colleague is "
            f"{given_away.a}, and with probability {kit.said(given_away.probability_b)} if the colleague is {given_away.b}. So no "
            f"ε is enough at δ = 0.",
            "That count is rare. This is what δ is for: it pays for rare events. **The exact count of independent "
            "answers is private with a small δ, never with δ = 0.**",
        ),
    )
    question_1
    return given_away, largest, question_1


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 2 · A bound is a claim

    Nobody wants to compute each δ. So papers prove bounds: *if everybody is ill with a chance between λ and 1 − λ, then
    δ is at most so and so*. Theorem 3 of DMKB20 is one. Below stands what it claims, and beside it the exact δ of the
    worst office that the theorem speaks of (or the limit of worse and worse ones, since λ itself is left out).
    """)
    return


@app.cell
def _(kit):
    staff = kit.fraction("people", 2, steps=[2, 3, 5, 10, 20, 40])
    rarest = kit.fraction("λ", "1/4", steps=["1/10", "1/5", "1/4", "2/5"])
    factor = kit.pick("ε", ["ln(2)", "1", "3/2", "2"], "2")
    covers = kit.guess("Is what Theorem 3 claims here, as printed, enough for every such office?", "yes", "no")
    return covers, factor, rarest, staff


@app.cell
def _(assess, factor, rarest, staff):
    def claimed_by_theorem_3(people, least, epsilon, reading):
        """What the theorem claims in this reading, beside the exact worst case."""
        return assess("theorem-3", {"n": str(people), "lambda": str(least), "epsilon": epsilon}, reading)[0]

    printed, repaired = (
        claimed_by_theorem_3(staff.value, rarest.value, factor.value, one) for one in ("printed", "repaired")
    )
    bound_marks = {"yes": "✓ enough", "no": "✗ too small"}
    return bound_marks, claimed_by_theorem_3, printed, repaired


@app.cell(hide_code=True)
def _(bound_marks, covers, factor, kit, printed, rarest, repaired, staff):
    kit.show(
        kit.beside(staff, rarest),
        factor,
        kit.guessed(
            covers,
            kit.grid(
                ["Theorem 3", "claimed δ", "exact worst δ", "the claim is"],
                [
                    ["as printed", printed.claimed.delta, printed.worst, bound_marks[printed.covers]],
                    ["repaired", repaired.claimed.delta, repaired.worst, bound_marks[repaired.covers]],
                ],
                title="Theorem 3 (numerical form) and the truth",
            ),
            f"As printed, the claim is {kit.said(printed.claimed.delta)}, and the truth {kit.said(printed.worst)}: "
            + ("it is safe here." if printed.covers == "yes" else "**a single office refutes it.**"),
        ),
    )
    return


@app.cell(hide_code=True)
def _(claimed_by_theorem_3, kit):
    smallest_case = claimed_by_theorem_3(2, "1/4", "2", "printed")
    question_2 = kit.question(
        f"Two people, λ = 1/4, ε = 2. The printed theorem claims δ = {kit.said(smallest_case.claimed.delta)}. You find an "
        f"office with a larger δ. What is wrong?",
        {
            "the office": "The office has two independent people with allowed chances. Nothing is wrong with it.",
            "the claim": "One exact counterexample is enough.",
            "neither": "The claim is about every such office, and this office breaks it. So one of them is wrong.",
        },
        right="the claim" if smallest_case.covers == "no" else "neither",
        answer=kit.show(
            f"If the colleague is well, the count is 0 whenever the other one is well too: with a chance of up to "
            f"{kit.said(smallest_case.worst)}. If the colleague is ill, it is never 0. So δ is at least that chance, at every ε. "
            f"The proof takes 2λ for a chance that is λ, and leaves out the colleague's own answer.",
            "The idea of the theorem survives: in the repaired form (proofs/bounds.md) it covers the truth. Move the "
            "sliders above and try to break it.",
        ),
    )
    question_2
    return smallest_case, question_2


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 3 · Hide small counts

    With a rare illness the others bring little noise. So many publishers hide small counts: the count is shown if it is
    **above a threshold T**, else ⊥, “no answer”. Twenty people, each ill with a chance of 1/20. Here we ask the
    strictest question, ε = 0: by how much can the chance of any event differ?
    """)
    return


@app.cell
def _(kit):
    threshold = kit.fraction("T", 2, steps=range(7))
    known = kit.fraction("answers that she knows", 3, steps=range(7))
    return known, threshold


@app.cell
def _(assess, bound_marks, kit, known, office, pk, threshold):
    def above(limit):
        return {"kind": "threshold-count", "value": "ill", "above": int(limit)}

    rare = kit.number("1/20")
    alone = office(20, rare, above(threshold.value))
    informed = office(20, rare, above(threshold.value), int(known.value))
    hidden_count = pk.check(alone, "apkdp", epsilon="0")
    passive, active = (pk.check(informed, one, epsilon="0") for one in ("ppkdp", "apkdp"))
    theorem_4 = assess("theorem-4", {"n": "20", "p": "1/20", "threshold": str(threshold.value)}, "product")[0]
    kit.show(
        kit.beside(threshold, known),
        kit.grid(
            ["the attacker", "smallest δ at ε = 0"],
            [
                ["knows nothing", hidden_count.tight_delta],
                [f"knows {known.value} answers, and watches (passive)", passive.tight_delta],
                [f"chooses {known.value} answers herself (active)", active.tight_delta],
            ],
            title="Counts up to T are hidden",
        ),
        kit.grid(
            ["claimed ε", "claimed δ", "exact worst δ at that ε", "the claim is"],
            [[theorem_4.claimed.epsilon, theorem_4.claimed.delta, theorem_4.worst, bound_marks[theorem_4.covers]]],
            title="Theorem 4 of DMKB20: she knows nothing",
        )
        if theorem_4.covers in bound_marks
        else "Theorem 4 of DMKB20 says nothing here: T has to be larger than the number of ill people that one expects.",
    )
    return above, active, hidden_count, informed, passive, rare, theorem_4


@app.cell(hide_code=True)
def _(above, kit, office, pk):
    flooded = pk.check(office(20, kit.number("19/20"), above(5)), "apkdp", epsilon="0")
    seldom = pk.check(office(20, kit.number("1/20"), above(5)), "apkdp", epsilon="0")
    likely = pk.check(office(20, kit.number("19/20"), {"kind": "count", "value": "ill"}), "apkdp", epsilon="0")
    question_3 = kit.question(
        "T = 5. Now nearly **everybody** is ill: the chance is 19/20 in place of 1/20. Does the threshold still help?",
        {
            "yes": "What does it hide now?",
            "no": "It hides low counts, and the count is no longer low.",
        },
        right="yes" if flooded.tight_delta < likely.tight_delta else "no",
        answer=kit.show(
            f"With a chance of 1/20, δ is {kit.said(seldom.tight_delta)}. With 19/20 it is {kit.said(flooded.tight_delta)}, and "
            f"without any threshold {kit.said(likely.tight_delta)}. A threshold for low counts protects rare answers. "
            f"DMKB20 says in one place that very large chances are fine as well: only if high counts are hidden too.",
        ),
    )
    question_3
    return flooded, likely, seldom, question_3


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 4 · k-anonymity

    Now the office publishes rows, not a number. A rule that many know: a table is **k-anonymous** if every row in it
    appears at least k times. Then nobody stands out. Is the table private?
    """)
    return


@app.cell
def _(kit, pk):
    def nobody_stands_out(published, k=2):
        """The tempting definition."""
        return all(published.count(row) >= k for row in published)

    tables = [[], ["well"], ["ill"], ["well", "well"], ["ill", "ill"]]

    def publishes(if_well, if_ill):
        """One person; what is published in each case."""
        return kit.build(
            title="one person",
            size=1,
            values=["well", "ill"],
            distribution={"iid": {"well": "1/2", "ill": "1/2"}},
            mechanism=lambda answers: if_well if answers[0] == "well" else if_ill,
        )

    def tells_apart(if_well, if_ill):
        """Nobody stands out, and still no ε is enough."""
        return (
            nobody_stands_out(if_well)
            and nobody_stands_out(if_ill)
            and pk.check(publishes(if_well, if_ill), "np").verdict == "fails"
        )

    found_tables = [(one, two) for one in tables for two in tables if tells_apart(one, two)]
    copies = publishes(["well", "well"], ["ill", "ill"])
    return copies, found_tables, nobody_stands_out, publishes, tables


@app.cell(hide_code=True)
def _(copies, found_tables, kit, nobody_stands_out, pk, tables):
    anonymous = pk.k_anonymity(copies, 2)
    copies_np = pk.check(copies, "np")
    copies_delta = pk.check(copies, "apkdp", epsilon="inf").tight_delta
    kit.note(
        "A tempting wrong definition: nobody stands out",
        kit.listing(nobody_stands_out),
        f"Let one person's answer be published as nothing, as one row, or as two equal rows. Of these {len(tables) ** 2} "
        f"ways, {len(found_tables)} are 2-anonymous and give the answer away. The plainest: **publish the answer twice.** There is no smaller model: it has one "
        f"person with two answers.",
        kit.grid(
            ["question", "verdict", "how far"],
            [
                ["2-anonymous?", anonymous.verdict, f"largest k: {anonymous.largest}"],
                ["noiseless privacy for some ε?", copies_np.verdict, f"δ at every ε: {copies_delta}"],
            ],
            title="The answer, published twice",
        ),
        "k-anonymity looks at one output. Privacy compares: **how likely is this output if the answer is another one?** "
        "That is the right definition, and it is what `np` and `apkdp` ask.",
        kind="trap",
    )
    return anonymous, copies_delta, copies_np


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    A better publisher does not copy: she **drops** every row that appears fewer than k times. That is 2-anonymous, or
    3-anonymous, for an honest reason. Four people, each ill with a chance of 1/4.
    """)
    return


@app.cell
def _(kit, office, pk):
    def drop_small_groups(k):
        """Publish the rows, but none that appears fewer than k times."""
        return lambda answers: sorted(one for one in answers if answers.count(one) >= k)

    dropped = {k: office(4, kit.number("1/4"), drop_small_groups(k)) for k in (1, 2, 3)}
    dropped_deltas = {k: pk.check(model, "apkdp", epsilon="ln(2)").tight_delta for k, model in dropped.items()}
    dropped_sheet = kit.grid(
        ["k", "k-anonymous?", "smallest δ at ε = ln(2)"],
        [[k, pk.k_anonymity(model, k).verdict, dropped_deltas[k]] for k, model in dropped.items()],
        title="Small groups dropped",
    )
    return drop_small_groups, dropped, dropped_deltas, dropped_sheet


@app.cell(hide_code=True)
def _(dropped_deltas, dropped_sheet, kit):
    question_4 = kit.question(
        "From k = 1 (nothing is dropped) to k = 3: what happens to δ?",
        {
            "it falls": "So it would, if dropping hid anything from her. But she knows how many people there are.",
            "it stays": "She can work out what was dropped.",
            "it rises": "She never sees more than before.",
        },
        right="it stays" if dropped_deltas[1] == dropped_deltas[3] else "it falls",
        answer=kit.show(
            dropped_sheet,
            f"δ at k = 3 is {kit.said(dropped_deltas[3])}. The attacker knows that there are four people, and that there are "
            f"two answers. If one row is missing, she knows what it said: the other answer.",
        ),
    )
    question_4
    return (question_4,)


@app.cell
def _(kit, models_folder, pk):
    hidden = pk.read(models_folder() / "course" / "hidden-but-counted.toml")  # two people, counts below 2 are hidden
    plain = pk.with_mechanism(hidden, {"kind": "histogram"})  # the same two people, nothing is hidden
    hidden_delta, plain_delta = (pk.check(one, "apkdp", epsilon="ln(2)").tight_delta for one in (hidden, plain))
    kit.note(
        "The smallest model of it: two people",
        kit.grid(
            ["answers", "all counts", "counts below 2 hidden"],
            [
                [
                    ", ".join(hidden.shown(one)),
                    *(model.mechanism.law(one).outcomes[0].text for model in (plain, hidden)),
                ]
                for one in hidden.support()
            ],
            title="Counts of well and ill",
        ),
        f"Each line on the right can be translated back. δ at ε = ln(2) is {kit.said(plain_delta)} with all counts, and "
        f"{kit.said(hidden_delta)} with the small ones hidden.",
    )
    return hidden, hidden_delta, plain, plain_delta


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    What helps is an answer **whose count is never told**, so that nobody knows how many people are missing. Let half of
    the people be absent, 2 in 5 have the flu, 1 in 10 a rare disease; counts below 5 are hidden.
    """)
    return


@app.cell
def _(kit, pk):
    def clinic(patients, told):
        return kit.build(
            size=patients,
            values=["absent", "flu", "rare"],
            distribution={"iid": {"absent": "1/2", "flu": "2/5", "rare": "1/10"}},
            sensitive={"records": [0]},
            mechanism={"kind": "k-anonymous-histogram", "k": 5, "values": told},
        )

    clinic_deltas = {
        n: [
            pk.check(clinic(n, told), "apkdp", epsilon="ln(2)").tight_delta
            for told in (["absent", "flu", "rare"], ["flu", "rare"])
        ]
        for n in (6, 20, 40)
    }
    kit.grid(
        ["people", "the absent are counted", "the absent are not told"],
        [[n, *deltas] for n, deltas in clinic_deltas.items()],
        title="Smallest δ at ε = ln(2), counts below 5 hidden",
    )
    return clinic, clinic_deltas


@app.cell(hide_code=True)
def _(assess, kit):
    theorem_5 = assess(
        "theorem-5", {"n": "2", "k": "1", "lambda": "1/20", "p": "1/40,1/40", "delta": "9/10"}, "printed"
    )[0]
    kit.show(
        "So k-anonymity of a histogram **can** protect, from an attacker who is uncertain about the others: this is "
        "Theorem 5 of DMKB20. Its numbers are a claim again: "
        + (
            f"in an office of two people it claims δ = {kit.said(theorem_5.claimed.delta)}, and δ is "
            f'{kit.said(theorem_5.model)} there. `pkdp claims "Theorem 5"` says what holds instead.'
            if theorem_5.covers == "no"
            else "it covers the case that was tried here."
        ),
    )
    return (theorem_5,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Your turn
    """)
    return


@app.cell(hide_code=True)
def _(kit):
    answer_threshold = kit.entry("T", kind="a whole number")
    answer_threshold_check = kit.check_button("As little hidden as possible")
    return answer_threshold, answer_threshold_check


@app.cell(hide_code=True)
def _(above, answer_threshold, answer_threshold_check, kit, office, pk, rare):
    def check_threshold(text):
        def delta(limit):
            return pk.check(office(20, rare, above(limit)), "apkdp", epsilon="0").tight_delta

        given, allowed = kit.whole_number(text, 0, 20), kit.number("1/100")
        if delta(given) > allowed:
            return f"With T = {given}, δ is {kit.said(delta(given))}: still more than {allowed}."
        if given and delta(given - 1) <= allowed:
            return f"With T = {given}, δ is {kit.said(delta(given))}. A smaller T does as well, and hides less."
        return ""

    exercise_threshold = kit.exercise(
        "As little hidden as possible",
        "Twenty people, each ill with a chance of 1/20; the attacker knows nothing. Which is the **smallest T** for which "
        "δ is at most 1/100 at ε = 0?",
        answer_threshold,
        answer_threshold_check,
        check=check_threshold,
        hints=[
            "One ill person in twenty is expected. How unlikely is a count above T?",
            "The slider in section 3 shows δ for each T. Look at the first line of its table.",
        ],
        solution="5",
        why="Only outcomes above T are told, and the colleague matters only if T others are ill already. δ is the chance of "
        "exactly that: proofs/bounds.md shows it for every n.",
        tempting=["4", "6", "1"],
    )
    exercise_threshold
    return (exercise_threshold,)


@app.cell(hide_code=True)
def _(kit):
    answer_people = kit.entry("people", kind="a whole number")
    answer_people_check = kit.check_button("How many people make a count private?")
    return answer_people, answer_people_check


@app.cell(hide_code=True)
def _(answer_people, answer_people_check, count, kit, office, pk):
    def check_people(text):
        def delta(people):
            return pk.check(office(people, kit.number("1/2"), count), "apkdp", epsilon="ln(2)").tight_delta

        given, allowed = kit.whole_number(text, 2, 100), kit.number("1/100")
        if delta(given) > allowed:
            return f"With {given} people, δ is {kit.said(delta(given))}: still more than {allowed}."
        if given > 2 and delta(given - 1) <= allowed:
            return f"With {given} people, δ is {kit.said(delta(given))}. Fewer people are enough as well."
        return ""

    exercise_people = kit.exercise(
        "How many people make a count private?",
        "Everybody is ill with a chance of 1/2, and the exact count is published. What is the **smallest** number of "
        "people for which δ is at most 1/100 at ε = ln(2)?",
        answer_people,
        answer_people_check,
        check=check_people,
        hints=[
            "Section 1 has a table for the chance 1/2. Between which two lines does δ pass 1/100?",
            "Halve the interval, and try. The box tells you δ for what you try.",
        ],
        solution="27",
        why="No formula was needed: the verifier computes δ exactly for each size.",
        tempting=["26", "40", "10"],
    )
    exercise_people
    return (exercise_people,)


@app.cell(hide_code=True)
def _(kit):
    answer_tables = kit.table(
        [
            {"D(0)": "well", "D(1)": "well", "published rows": "well, well"},
            {"D(0)": "well", "D(1)": "ill", "published rows": ""},
            {"D(0)": "ill", "D(1)": "well", "published rows": ""},
            {"D(0)": "ill", "D(1)": "ill", "published rows": "ill, ill"},
        ],
        fixed=["D(0)", "D(1)"],
        title="What is published on each database",
    )
    answer_tables_check = kit.check_button("2-anonymous, and person 0 is always found out")
    return answer_tables, answer_tables_check


@app.cell(hide_code=True)
def _(answer_tables, answer_tables_check, kit, pk):
    def tables_model(rows):
        """The keys of the model that the table makes."""
        table = [{"database": [row["D(0)"], row["D(1)"]], "output": kit.words(row["published rows"])} for row in rows]
        return {
            "title": "What is published on each database",
            "size": 2,
            "values": ["well", "ill"],
            "distribution": {"iid": {"well": "1/2", "ill": "1/2"}},
            "sensitive": {"records": [0]},
            "mechanism": {"table": table},
        }

    def check_tables(rows):
        wrong = [one for row in rows for one in kit.words(row["published rows"]) if one not in {"well", "ill"}]
        if wrong:
            raise pk.InputError(f"the row “{wrong[0]}” is unknown", wanted="rows that are “well” or “ill”, with commas")
        model = pk.build(**tables_model(rows))
        anonymity = pk.k_anonymity(model, 2)
        if anonymity.verdict == "vacuous":
            return "Nothing is published at all. That is private, and no use to anybody."
        if anonymity.verdict != "holds":
            return f"This is not 2-anonymous: {anonymity.witness}."
        left = pk.check(model, "apkdp", epsilon="inf").tight_delta
        return (
            "" if left == 1 else f"2-anonymous it is. δ at ε = ∞ is {kit.said(left)}, and always certain means δ = 1."
        )

    exercise_tables = kit.exercise(
        "2-anonymous, and person 0 is always found out",
        "Two people with fair answers. Now small groups are dropped. Change what is published so that the table stays "
        "**2-anonymous**, and the attacker **always** learns the answer of person 0.",
        answer_tables,
        answer_tables_check,
        check=check_tables,
        hints=[
            "Nothing forces you to publish person 1.",
            "Every row has to appear twice. It need not come from two people.",
        ],
        solution=[
            {"D(0)": a, "D(1)": b, "published rows": f"{a}, {a}"} for a in ("well", "ill") for b in ("well", "ill")
        ],
        model=tables_model,
        why="k-anonymity is a property of what the output looks like. It does not ask where the rows came from.",
        tempting=[
            [{"D(0)": a, "D(1)": b, "published rows": f"{a}, {b}"} for a in ("well", "ill") for b in ("well", "ill")],
            [{"D(0)": a, "D(1)": b, "published rows": ""} for a in ("well", "ill") for b in ("well", "ill")],
        ],
    )
    exercise_tables
    return (exercise_tables,)


@app.cell
def _(kit):
    student = kit.student()
    return (student,)


@app.cell(hide_code=True)
def _(exercise_people, exercise_tables, exercise_threshold, kit, student):
    handed_in = kit.hand_in(6, student, [exercise_threshold, exercise_people, exercise_tables])
    handed_in
    return (handed_in,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What to read next

    - In the explorer: [an answer, published twice](explorer:example=course/published-twice), and
      [hidden counts of two people](explorer:example=course/hidden-but-counted).
    - Sections 4.1 to 4.3 of DMKB20: counting, thresholding, k-anonymity. [Which bounds hold as printed](guide:proofs/bounds.html), which
      do not, and what holds instead.
    - Section 3.1 of LQS12: why k-anonymity of the output alone is weak.
    - On the command line: `pkdp claims --bound theorem-4 --n 1000 --p 1/200 --threshold 30` sets a claim beside the truth, and
      `pkdp property anonymity` asks for k-anonymity.

    **Next:** [notebook 7, publishing twice](7.html). What if the office publishes twice?
    """)
    return


if __name__ == "__main__":
    app.run()
