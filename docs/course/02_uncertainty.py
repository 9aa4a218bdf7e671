# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Notebook 2: uncertainty instead of noise, noiseless privacy."""

import marimo

app = marimo.App(width="medium", app_title="2 · Uncertainty", css_file="course.css")


@app.cell(hide_code=True)
def _():
    from itertools import pairwise

    import verifier as pk
    from verifier import course as kit

    return kit, pairwise, pk


@app.cell(hide_code=True)
def _(kit):
    kit.opening(
        2,
        "Uncertainty instead of noise",
        [
            "why an exact count is not differentially private, and why that is about what the attacker knows",
            "**noiseless privacy**: what the attacker does not know takes the place of noise",
            "how large a crowd must be to hide one vote, exactly",
            "two ways to get the attacker's uncertainty wrong, each with the model that shows it",
        ],
        able="say when an exact count protects a person without any noise, and compute how large a crowd must be for it. You can distinguish a definition that holds from one that had nothing to compare.",
        minutes=30,
        needs="after notebook 1",
        hour="down to “How large must the crowd be?” (10 minutes)",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## A vote in class

    Six students vote *yes* or *no* on moving the exam. The teacher writes the number of *yes* on the board: the exact number,
    no dice, no noise. The attacker wants to know how the last student voted. She may know how some of the others voted
    (`known` of them). About the rest she knows only how likely a *yes* is (`likely`).

    ε and δ mean what they meant in notebook 1: ε is how much one output may change her odds, δ is what goes beyond. Watch
    δ when you move the sliders.
    """)
    return


@app.cell
def _(kit):
    likely = kit.fraction("likely", "1/2", denominator=20, low="1/20", high="19/20")
    known = kit.fraction("known", 0, steps=range(6))
    return known, likely


@app.cell
def _(pk):
    def vote(size, likely, known, mechanism="count"):
        """`size` independent votes; the attacker knows the first `known` and wonders about the last."""
        knowledge = {"knowledge": {"records": list(range(int(known)))}} if known else {}
        return pk.build(
            title=f"{size} votes, {known} known",
            size=size,
            values=["no", "yes"],
            distribution={"iid": {"no": 1 - likely, "yes": likely}},
            sensitive={"records": [size - 1]},
            mechanism={"kind": mechanism, "value": "yes"},
            **knowledge,
        )

    return (vote,)


@app.cell
def _(kit, known, likely, pk, vote):
    np_answer = pk.check(vote(6, likely.value, known.value), "np", epsilon="ln(2)")
    np_half = pk.check(vote(6, kit.number("1/2"), 0), "np", epsilon="ln(2)")
    kit.show(
        likely,
        known,
        f"Each vote is *yes* with probability **{likely.value}**, and the attacker knows **{known.value}** of the five other "
        f"votes. At ε = ln(2), the smallest δ is **{np_answer.tight_delta}**.",
        kit.profile(
            pk.check(vote(6, likely.value, 0), "np"),
            pk.check(vote(6, likely.value, known.value), "np"),
            names=["she knows nothing", f"she knows {known.value} votes"],
            at="ln(2)",
        ),
    )
    return np_answer, np_half


@app.cell(hide_code=True)
def _(kit, np_half, pk, vote):
    dp_answer = pk.check(vote(6, kit.number("1/2"), 0), "dp")
    _right = "No, for no ε" if dp_answer.tight_epsilon == "inf" else "Yes"
    question_1 = kit.question(
        "Is the exact count differentially private, as in notebook 1?",
        {
            "Yes": "Change one vote and nothing else: the count on the board changes too, always.",
            "No, for no ε": "Change one vote and nothing else: the board shows it.",
            "It depends on how likely a yes is": "Differential privacy compares two databases. No probability of votes is in it.",
        },
        right=_right,
        answer=kit.show(
            kit.verdict(dp_answer),
            "Differential privacy compares two databases that differ in one record: it imagines an attacker who knows *all* "
            "the other votes. She only has to subtract. But who knows all the others? Take six votes that are *yes* with "
            f"probability 1/2. If she knows none of them, the smallest δ at ε = ln(2) is {np_half.tight_delta}.",
        ),
    )
    question_1
    return dp_answer, question_1


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Noiseless privacy

    Three letters more.

    - **θ** (theta) says how likely each database is, for the attacker. Here: independent votes, each *yes* with one probability.
    - **B** is what she knows of the database: here the first votes. $\hat B$ is one case of it, such as “no, yes”.
    - **i** is the record that we protect: here the last vote.

    Fix what she knows, $\hat B$. How likely is each output for her, if record $i$ is $a$? And if it is $b$?

    $$P[M(D) = o \mid \hat B,\; D(i) = a] \quad\text{and}\quad P[M(D) = o \mid \hat B,\; D(i) = b]$$

    **(ε, δ)-noiseless privacy** (NP) asks of these two lists of probabilities what differential privacy asks: the excesses
    beyond $e^ε$ sum to at most δ. The mechanism needs no dice of its own. The randomness is in the data, as the attacker
    sees it.

    The verdict `np` is about the worst case: of every θ that is given, every $\hat B$, every protected record, and every two
    values that are possible given $\hat B$.
    """)
    return


@app.cell(hide_code=True)
def _(kit, pairwise, pk, vote):
    _half = kit.number("1/2")
    by_known = [[k, pk.check(vote(6, _half, k), "np", epsilon="ln(2)").tight_delta] for k in range(6)]
    _growing = all(one[1] <= two[1] for one, two in pairwise(by_known))
    question_2 = kit.question(
        "She learns one vote more, then one more, up to all five. What happens to the smallest δ at ε = ln(2)? (A *yes* has "
        "probability 1/2.)",
        {
            "It does not fall, and ends at 1": "Fewer unknown votes hide the last one.",
            "It stays the same: the count is exact anyway": "What hides a vote is what she does not know about the others. "
            "Move the slider `known` at the top.",
            "It falls: she has less to learn": "She has less to learn about the others. But so they no longer hide the last one.",
        },
        right="It does not fall, and ends at 1" if _growing and by_known[-1][1] == 1 else "",
        answer=kit.show(
            kit.grid(["votes that she knows", "smallest δ at ε = ln(2)"], by_known),
            f"With all five known, δ is {by_known[-1][1]}, and we are back at differential privacy.",
        ),
    )
    question_2
    return by_known, question_2


@app.cell
def _(kit, pk, vote):
    crowds = []
    for _size in (2, 5, 10, 20, 50, 100):
        _answer = pk.check(vote(_size, kit.number("1/2"), 0), "np", epsilon="ln(2)")
        crowds.append([_size, _answer.tight_delta.decimal(6), len(_answer.tight_delta.text())])
    kit.show(
        "### How large must the crowd be?",
        "The same count among more voters, none of them known to the attacker. The exact δ is a fraction; here is its decimal, "
        "correctly rounded, and how many characters the fraction has.",
        kit.grid(["voters", "smallest δ at ε = ln(2)", "length of the exact form"], crowds),
    )
    return (crowds,)


@app.cell(hide_code=True)
def _(kit, pk, vote):
    parity_answer = pk.check(vote(6, kit.number("1/2"), 0, "parity"), "np")
    question_3 = kit.question(
        "Now the teacher writes only whether the number of *yes* is odd or even. Each vote is *yes* with probability 1/2. What "
        "is the smallest ε at δ = 0?",
        {
            "0": "One unknown fair vote is enough to hide the last one.",
            "ln(2)": "Think of the five other votes: is their number of *yes* more often odd or even?",
            "∞": "That would be certainty. But both *odd* and *even* are possible with either value of the last vote.",
        },
        right=parity_answer.tight_epsilon.text().replace("inf", "∞"),
        answer=kit.show(
            kit.verdict(parity_answer),
            "Nothing is learned about the last vote, and no noise was added. Of the ε, differential privacy still says "
            f"“{kit.least(pk.check(vote(6, kit.number('1/2'), 0, 'parity'), 'dp'))}”, since it grants her all the other votes.",
        ),
    )
    question_3
    return parity_answer, question_3


@app.cell(hide_code=True)
def _(kit, pk):
    knows_it = pk.build(
        title="She knows the vote",
        size=2,
        values=["no", "yes"],
        distribution={"iid": {"no": "1/2", "yes": "1/2"}},
        knowledge={"records": [1]},
        sensitive={"records": [1]},
        mechanism={"kind": "count", "value": "yes"},
    )
    vacuous_answer = pk.check(knows_it, "np")
    question_4 = kit.question(
        "Two votes; the attacker already knows the very vote that we protect. Does the count satisfy noiseless privacy?",
        {
            "holds": "The inequality is never broken; but was it ever tested?",
            "fails": "No inequality is broken: there is none.",
            "vacuous": "Given what she knows, only one value is possible: there are no two things to compare.",
        },
        right=vacuous_answer.verdict,
        answer=kit.show(
            kit.verdict(vacuous_answer),
            "Nothing is compared, so that nothing is promised. This program never counts such an answer as *holds*.",
        ),
    )
    question_4
    return knows_it, question_4, vacuous_answer


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Two tempting wrong definitions
    """)
    return


@app.cell
def _(kit, pk, vote):
    # The data are unknown to ME: so I take fair coins. The attacker knows the class: most are for yes.
    mine = pk.check(vote(6, kit.number("1/2"), 0, "parity"), "np")
    hers = pk.check(vote(6, kit.number("9/10"), 0, "parity"), "np")
    kit.note(
        "Wrong: “I do not know the data, so every value is equally likely”",
        f"The parity of six votes. If each vote is a fair coin, the smallest ε is **{mine.tight_epsilon}**. If the attacker "
        f"knows that a *yes* has probability 9/10, it is **{hers.tight_epsilon}** ({hers.tight_epsilon.decimal(6)}).",
        "What must be described is *her* uncertainty, not ours. If we are not sure what she thinks, we list several "
        "distributions θ. The list is called Θ, and the definition takes the worst of it. Whoever forgets one of them may "
        "promise what does not hold.",
        kind="trap",
    )
    return hers, mine


@app.cell
def _(pk):
    # Two fair votes. With probability 1/10 the attacker happens to see the first one.
    lucky = pk.build(
        title="Sometimes she sees the other vote",
        size=2,
        values=["no", "yes"],
        distribution={
            "table": [
                {"database": [first, second], "knowledge": seen, "probability": probability}
                for first in ("no", "yes")
                for second in ("no", "yes")
                for seen, probability in (("nothing seen", "9/40"), (f"first is {first}", "1/40"))
            ]
        },
        sensitive={"records": [1]},
        mechanism={"kind": "count", "value": "yes"},
    )

    def average_delta(model, factor):
        """Tempting: the excess for each thing that she may know, averaged over what she may know."""
        total = 0
        for one in pk.loss(model, record=1, values=("no", "yes")).knowledge:
            excess = sum(max(0, row.probability_a - factor * row.probability_b) for row in one.rows)
            total += one.probability * excess
        return total

    return average_delta, lucky


@app.cell(hide_code=True)
def _(average_delta, kit, lucky, pk):
    averaged = average_delta(lucky, 2)
    worst = pk.check(lucky, "np", epsilon="ln(2)")
    kit.note(
        "Wrong: “what she knows is random, so we average over it”",
        f"Two fair votes; with probability 1/10 the attacker happens to see the first one. Averaged over what she may know, the "
        f"excess at ε = ln(2) is **{averaged}**. Noiseless privacy takes the worst: **{worst.tight_delta}**.",
        kit.verdict(worst),
        "An attacker who has seen the vote knows that she has, and acts on it. The average is not nonsense. It is about "
        "someone who cannot choose what she knows: the *passive* attacker of notebook 5. But it is another promise than NP, "
        "and a weaker one here.",
        kind="trap",
    )
    return averaged, worst


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Exercises
    """)
    return


@app.cell
def _(kit):
    may_know = kit.fraction("known", 0, steps=range(10))
    may_know_check = kit.check_button("how much may she know?")
    return may_know, may_know_check


@app.cell(hide_code=True)
def _(kit, may_know, may_know_check, pk, vote):
    def check_1(known):
        half = kit.number("1/2")
        answer = pk.check(vote(10, half, known), "np", epsilon="ln(2)", delta="1/4")
        if answer.verdict != "holds":
            return f"If she knows {known} votes, the smallest δ at ε = ln(2) is {answer.tight_delta}: more than 1/4."
        if known < 9 and pk.check(vote(10, half, known + 1), "np", epsilon="ln(2)", delta="1/4").verdict == "holds":
            return (
                f"If she knows {known} votes, the promise holds (δ = {answer.tight_delta}). But she may know one more."
            )
        return ""

    exercise_1 = kit.exercise(
        "how much may she know?",
        "Ten fair votes, the exact count. How many of the others may the attacker know, so that (ln(2), 1/4)-noiseless privacy "
        "still holds for the last vote?",
        may_know,
        may_know_check,
        check=check_1,
        hints=[
            "Only the number of *unknown* other votes matters: the known ones can be subtracted.",
            "The table in this notebook is about six votes. With how many unknown ones is δ at most 1/4 there?",
        ],
        solution=kit.number(7),
        why="Two unknown votes beside the last one are enough, whatever the size of the class.",
        tempting=[kit.number(3), kit.number(9)],
    )
    exercise_1
    return (exercise_1,)


@app.cell
def _(kit):
    joint = kit.table(
        [
            {"D(0)": one, "D(1)": two, "probability": "1/4"}
            for one, two in (("no", "no"), ("no", "yes"), ("yes", "no"), ("yes", "yes"))
        ],
        fixed=["D(0)", "D(1)"],
        title="Two votes, perhaps not independent",
    )
    joint_check = kit.check_button("an exact count, ε finite, δ = 0")
    return joint, joint_check


@app.cell(hide_code=True)
def _(joint, joint_check, kit, pk):
    def joint_model(rows):
        """The keys of the model that the table makes."""
        return {
            "title": "Two votes, counted",
            "size": 2,
            "values": ["no", "yes"],
            "distribution": kit.worlds(rows),
            "sensitive": {"records": [1]},
            "mechanism": {"kind": "count", "value": "yes"},
        }

    def check_2(rows):
        model = pk.build(**joint_model(rows))
        answer = pk.check(model, "np")
        if answer.verdict == "vacuous":
            return "Now D(1) has only one possible value, so that nothing is compared. Both values must be possible."
        if answer.verdict != "holds":
            seen = answer.witness
            return (
                f"It fails: a count of {' or '.join(one.text for one in seen.event)} has probability "
                f"{seen.probability_a} if D(1) = {seen.a}, and {seen.probability_b} if D(1) = {seen.b}."
            )
        return ""

    exercise_2 = kit.exercise(
        "an exact count, ε finite, δ = 0",
        "The exact count of two votes is published, and the attacker knows nothing. Find probabilities for which noiseless "
        "privacy holds for D(1) with δ = 0 and some finite ε.",
        joint,
        joint_check,
        check=check_2,
        hints=[
            "A count of 2 is impossible if D(1) = no. So it must be impossible if D(1) = yes, too.",
            "Likewise a count of 0. Which two rows are left?",
        ],
        solution=[
            {"D(0)": "no", "D(1)": "no", "probability": "0"},
            {"D(0)": "no", "D(1)": "yes", "probability": "1/3"},
            {"D(0)": "yes", "D(1)": "no", "probability": "2/3"},
            {"D(0)": "yes", "D(1)": "yes", "probability": "0"},
        ],
        model=joint_model,
        why="The two always vote differently, so that the count is always 1 and says nothing. The votes are far from "
        "independent: what that does to definitions is the subject of notebook 3.",
        tempting=[
            [
                {"D(0)": "no", "D(1)": "no", "probability": "1/4"},
                {"D(0)": "no", "D(1)": "yes", "probability": "1/4"},
                {"D(0)": "yes", "D(1)": "no", "probability": "1/4"},
                {"D(0)": "yes", "D(1)": "yes", "probability": "1/4"},
            ],
            [
                {"D(0)": "no", "D(1)": "no", "probability": "1/2"},
                {"D(0)": "no", "D(1)": "yes", "probability": "0"},
                {"D(0)": "yes", "D(1)": "no", "probability": "1/2"},
                {"D(0)": "yes", "D(1)": "yes", "probability": "0"},
            ],
        ],
    )
    exercise_2
    return (exercise_2,)


@app.cell
def _(kit):
    chance = kit.entry("probability of a yes", kind="a fraction")
    chance_check = kit.check_button("a little more than nothing")
    return chance, chance_check


@app.cell(hide_code=True)
def _(chance, chance_check, kit, pk, vote):
    def check_3(text):
        given = kit.number(text, "the probability of a yes")
        if not 0 <= given <= 1:
            raise pk.InputError(f"{given} is not a probability", wanted="a probability from 0 to 1")
        fair = pk.check(vote(3, given, 0, "parity"), "np", epsilon="1/10")
        count = pk.check(vote(3, given, 0, "parity"), "np")
        if count.verdict == "vacuous":
            return f"With {given} every vote is known beforehand, so that nothing is compared."
        if fair.verdict != "holds":
            return f"With {given} the smallest ε is {count.tight_epsilon} ({count.tight_epsilon.decimal(6)}), more than 1/10."
        return f"With {given} the smallest ε is 0: nothing is learned about it." if count.tight_epsilon == 0 else ""

    exercise_3 = kit.exercise(
        "a little more than nothing",
        "Three votes, and only the parity of *yes* is published. Choose the probability of a *yes*, so that something can be "
        "learned about the last vote, but no more than ε = 1/10.",
        chance,
        chance_check,
        check=check_3,
        hints=["What is learned at 1/2? And at 9/10? Try something between.", "Stay close to 1/2, but not at it."],
        solution="3/5",
        why="The nearer to 1/2, the less the parity tells. ε falls with the square of the distance here.",
        tempting=["1/2", "9/10", "1"],
    )
    exercise_3
    return (exercise_3,)


@app.cell
def _(kit):
    student = kit.student()
    return (student,)


@app.cell(hide_code=True)
def _(exercise_1, exercise_2, exercise_3, kit, student):
    handed_in = kit.hand_in(2, student, [exercise_1, exercise_2, exercise_3])
    handed_in
    return (handed_in,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What to read next

    - [Five voters in the explorer](explorer:example=DMKB20/example-7-five-voters): change how likely a yes is, or what she knows.
    - [Noiseless privacy](guide:definitions/np.html), and [the conventions](guide:definitions/conventions.html), everything that a
      verdict depends on.
    - Bhaskar, Bhowmick, Goyal, Laxman, Thakurta, *Noiseless database privacy* (2011), where NP was defined; and
      Desfontaines, Mohammadi, Krahmer, Basin, *Differential privacy with partial knowledge*: Definition 3.
    - On the command line: `pkdp check models/DMKB20/example-7-five-voters.toml`.

    **Next:** [notebook 3, when records depend on each other](3.html). The votes need not be independent. What correlations do to NP and to
    two other definitions.
    """)
    return


if __name__ == "__main__":
    app.run()
