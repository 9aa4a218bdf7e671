# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Notebook 7: two releases that are each private, and what they tell together."""

import marimo

app = marimo.App(width="medium", app_title="7 · Composition", css_file="course.css")


@app.cell(hide_code=True)
def _():
    import verifier as pk
    from verifier import course as kit
    from verifier.model.library import models_folder

    return kit, models_folder, pk


@app.cell(hide_code=True)
def _(kit):
    kit.opening(
        7,
        "Composition: publishing twice",
        [
            "How two releases that are each private can give everything away together.",
            "Why fresh noise adds up, and uncertainty is used up.",
            "Which composition theorem holds for an attacker with partial knowledge, and what it costs.",
            "Why “the two outputs are independent” is not enough.",
        ],
        able="decide what two releases give away together, spend a privacy budget on them, and name the composition rule that holds for an attacker with partial knowledge.",
        minutes=30,
        needs="after notebook 6",
        hour="it ends with notebook 5; this one is for afterwards",
    )
    return


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## The story

    A club votes. On Monday it publishes how many members voted yes. On Tuesday somebody asks how many of the members
    **other than Tom** voted yes, and the club publishes that too. The numbers are exact, there is no noise. The attacker
    knows how popular the motion is, and is curious about Tom.
    """)
    return


@app.cell
def _(kit):
    members = kit.fraction("members", 6, steps=range(2, 11))
    popular = kit.fraction("chance of yes", "1/2", low="1/20", high="19/20")
    return members, popular


@app.cell
def _(kit, members, pk, popular):
    def club(size, chance, release, *, all_protected=False):
        """The members vote independently; Tom is the last one."""
        return kit.build(
            title="a club",
            size=size,
            values=[0, 1],
            distribution={"iid": {0: 1 - chance, 1: chance}},
            mechanism=release,
            **({} if all_protected else {"sensitive": {"records": [size - 1]}}),
        )

    def yes_of(size, *, without_tom=False):
        """How many voted yes."""
        return {"kind": "linear", "weights": [1] * (size - 1) + [0 if without_tom else 1]}

    size = int(members.value)
    monday, tuesday = yes_of(size), yes_of(size, without_tom=True)
    delta_monday, delta_tuesday = (
        pk.check(club(size, popular.value, one), "apkdp", epsilon="ln(2)").tight_delta for one in (monday, tuesday)
    )
    kit.show(
        kit.beside(members, popular),
        kit.grid(
            ["published", "smallest δ at ε = ln(2)"],
            [["Monday: all who voted yes", delta_monday], ["Tuesday: the others who voted yes", delta_tuesday]],
            title="What each number alone tells about Tom",
            notes=["apkdp; the attacker knows no vote."],
        ),
    )
    return club, delta_monday, delta_tuesday, monday, size, tuesday, yes_of


@app.cell(hide_code=True)
def _(club, delta_monday, delta_tuesday, kit, monday, pk, popular, size, tuesday):
    both_numbers = club(size, popular.value, pk.compose(monday, tuesday))
    delta_both = pk.check(both_numbers, "apkdp", epsilon="inf").tight_delta  # what is left however large ε is
    question_1 = kit.question(
        "She has read **both** numbers. What is δ for both together?",
        {
            "the larger of the two": "Then the second number would add nothing. What does she see when she subtracts?",
            "the sum of the two": "That is how it goes with noise. Is there any here?",
            "1": "She subtracts.",
        },
        right="1" if delta_both == 1 else "the sum of the two",
        answer=kit.show(
            f"Alone they have {kit.said(delta_monday)} and {kit.said(delta_tuesday)}. Together δ is **{kit.said(delta_both)}**, however "
            "large ε is: Monday's number minus Tuesday's is Tom's vote. This is Example 8 of DMKB20. Move the sliders: more members "
            "make Monday's number safer, and the pair stays hopeless.",
        ),
    )
    question_1
    return both_numbers, delta_both, question_1


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 1 · Uncertainty is used up

    What protected Tom on Monday? She did not know the other votes. After Monday she knows a lot about them. To see it,
    let **Monday's number be what she knows**, and ask about Tuesday's number alone.
    """)
    return


@app.cell
def _(kit, monday, pk, popular, size, tuesday):
    after_monday = kit.build(
        title="the club, after Monday",
        size=size,
        values=[0, 1],
        distribution={"iid": {0: 1 - popular.value, 1: popular.value}},
        knowledge=monday,
        sensitive={"records": [size - 1]},
        mechanism=tuesday,
    )
    tuesday_after_monday = pk.check(after_monday, "apkdp", epsilon="ln(2)")
    kit.show(
        f"Below, B is Monday's number, and Tom is D({size - 1}).", kit.verdict(tuesday_after_monday, conventions=False)
    )
    return after_monday, tuesday_after_monday


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    **Noise is different.** Let the club add fresh random noise to each number: ±1, ±2, … with chances that fall by a
    factor p at each step. Nobody learns Monday's noise on Tuesday. Now nobody's uncertainty is needed at all: we can
    ask for differential privacy (`dp`), where the attacker knows every other vote.
    """)
    return


@app.cell
def _(kit):
    decay = kit.fraction("p", "1/2", steps=["1/10", "1/4", "1/3", "1/2", "2/3", "3/4", "9/10"])
    return (decay,)


@app.cell
def _(club, decay, kit, pk, yes_of):
    def noisy(release, p):
        return {**release, "then": [{"kind": "geometric-noise", "p": str(p)}]}

    with_noise = pk.keeps_sequential(
        club(3, kit.number("1/2"), noisy(yes_of(3), decay.value), all_protected=True),
        "dp",
        noisy(yes_of(3, without_tom=True), decay.value),
    )
    noise_monday, noise_tuesday = (one.tight_epsilon for one in with_noise.premises)
    noise_both = with_noise.conclusion.tight_epsilon
    kit.show(
        decay,
        f"A club of three. Smallest ε at δ = 0 (`dp`, every member protected): Monday **{kit.said(noise_monday)}**, Tuesday "
        f"**{kit.said(noise_tuesday)}**.",
    )
    return noise_both, noise_monday, noise_tuesday, noisy, with_noise


@app.cell(hide_code=True)
def _(kit, noise_both, noise_monday, noise_tuesday, with_noise):
    question_2 = kit.question(
        "And both noisy numbers together?",
        {
            "the larger ε": "The second number is a second look.",
            "at most the sum": "Two looks, each with its own price.",
            "no finite ε": "The difference of the two numbers is noisy as well.",
        },
        right="at most the sum" if with_noise.kept else "no finite ε",
        answer=kit.show(
            f"Together ε is {kit.said(noise_both)}, and the two add up to {kit.said(with_noise.allowed)} (from "
            f"{kit.said(noise_monday)} and {kit.said(noise_tuesday)}). **For noise, ε adds up, and δ does too.** An attacker's "
            f"uncertainty gives no such rule.",
        ),
    )
    question_2
    return (question_2,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 2 · A tempting wrong definition
    """)
    return


@app.cell
def _(kit, pk):
    def is_private(votes, release):
        return pk.check(pk.with_mechanism(votes, release), "np").verdict == "holds"

    def each_is_private(votes, *releases):
        """The tempting definition: each release is."""
        return all(is_private(votes, one) for one in releases)

    def together_are_private(votes, *releases):
        """The right one: all of them are one mechanism."""
        return is_private(votes, pk.compose(*releases))

    two_votes = kit.build(
        title="two fair votes",
        size=2,
        values=[0, 1],
        distribution={"iid": {0: "1/2", 1: "1/2"}},
        sensitive={"records": [1]},
        mechanism={"kind": "sum"},
    )
    answers = {  # every question about two votes with two answers: what is said on 00, 01, 10, 11
        f"{n:04b}": {"table": [{"database": [k // 2, k % 2], "output": f"{n:04b}"[k]} for k in range(4)]}
        for n in range(16)
    }
    harmless = {name: one for name, one in answers.items() if each_is_private(two_votes, one)}
    leaks = [
        (one, two)
        for one in harmless
        for two in harmless
        if one < two and not together_are_private(two_votes, harmless[one], harmless[two])
    ]
    return answers, each_is_private, harmless, leaks, together_are_private, two_votes


@app.cell(hide_code=True)
def _(answers, each_is_private, harmless, kit, leaks, pk, together_are_private, two_votes):
    other_vote, differ = {"kind": "records", "records": [0]}, {"kind": "parity", "value": 1}
    alone_and_both = [
        pk.check(pk.with_mechanism(two_votes, one), "np")
        for one in (other_vote, differ, pk.compose(other_vote, differ))
    ]
    kit.note(
        "A tempting wrong definition: each release is private",
        kit.listing(each_is_private, together_are_private),
        f"Two fair votes; Tom's is D(1). Of all {len(answers)} questions with two answers, {len(harmless)} say nothing about "
        f"Tom's vote. Of the pairs of these, {len(leaks)} give it away. One of them:",
        kit.grid(
            ["published", "verdict", "smallest ε"],
            [
                [what, one.verdict, one.tight_epsilon]
                for what, one in zip(
                    ["the other vote, D(0)", "whether the votes differ", "both"], alone_and_both, strict=True
                )
            ],
            title="The smallest model that separates the two definitions",
            notes=["np; nothing is known beforehand."],
        ),
        "**Privacy is a property of everything that is published, as one mechanism.**",
        kind="trap",
    )
    return alone_and_both, differ, other_vote


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    It is not only a matter of clever pairs. Here one and the same release is run **twice**. Its own coins are fresh, but
    the other person's vote, which blurs it, is the same both times.
    """)
    return


@app.cell
def _(kit, models_folder, pk):
    once, twice = (
        pk.check(pk.read(models_folder() / "course" / f"{name}.toml"), "np") for name in ("noisy-once", "noisy-twice")
    )
    one_person = pk.search(claim="np(e) => twice(np(2*e))", records=1)
    kit.show(
        f"`models/course/noisy-once.toml`: smallest ε {kit.said(once.tight_epsilon)}. Run twice: {kit.said(twice.tight_epsilon)}.",
        kit.fold("What is released", once.model),
        "With one person nobody else can blur the answer; all protection is noise. And then the rule “twice costs 2ε” "
        + (
            f"was not broken by any of {one_person.hit.checked} models of a search ({one_person.scope})."
            if one_person.verdict == "none in scope"
            else "is broken as well."
        ),
    )
    return once, one_person, twice


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## 3 · What does hold

    Put an x for everyone who is counted on a day. Tom is the last person, number 5. All votes are fair.

    The table below sets two rules beside the truth. The *rule for noise* adds the two δ up. The *theorem* adds a number ν as
    well: how much more Tuesday's count tells once Monday's is known. What that is exactly comes after the table.
    """)
    return


@app.cell
def _(kit):
    counted_on = kit.table(
        [
            {
                "person": n,
                "Monday": "x" if n in {0, 1, 2, "Tom"} else "",
                "Tuesday": "x" if n in {2, 3, 4, "Tom"} else "",
            }
            for n in (0, 1, 2, 3, 4, "Tom")
        ],
        fixed=["person"],
        title="Who is counted",
    )
    return (counted_on,)


@app.cell
def _(club, counted_on, kit, pk):
    def two_counts(days):
        """Both counts as mechanisms, from the people that each of them counts."""
        return [{"kind": "linear", "weights": [int(n in day) for n in range(6)]} for day in days]

    def together(days):
        """δ of each count at ε = ln(2), of both at ln(4), and how much the second depends on the first."""
        half, first_and_second = kit.number("1/2"), two_counts(days)
        both = club(6, half, pk.compose(*first_and_second))
        alone = [pk.check(club(6, half, one), "apkdp", epsilon="ln(2)").tight_delta for one in first_and_second]
        exact = pk.check(both, "apkdp", epsilon="ln(4)").tight_delta
        dependency = pk.check(both, "dependency", epsilon="0", reading="equal-infinities").tight_delta
        return alone, exact, dependency

    days = [{n for n, row in enumerate(counted_on.value) if row[day].strip()} for day in ("Monday", "Tuesday")]
    (delta_1, delta_2), exact_both, nu = together(days)
    added = kit.number(delta_1.text()) + kit.number(delta_2.text())
    bound = min(added + kit.number(nu.text()), 1)
    kit.show(
        counted_on,
        kit.grid(
            ["which", "δ"],
            [
                ["Monday alone, at ε = ln(2)", delta_1],
                ["Tuesday alone, at ε = ln(2)", delta_2],
                ["added up: what the rule for noise would allow at ε = ln(4)", added],
                ["both together at ε = ln(4), exactly", exact_both],
                ["dependency ν of Tuesday on Monday, at μ = 0", nu],
                ["added up with ν: what the theorem below allows", bound],
            ],
            title="What both counts tell about Tom",
        ),
        f"The rule for noise is **{'kept' if exact_both <= added else 'broken'}** here. The theorem below is "
        f"{'kept' if exact_both <= bound else 'broken'}: {kit.said(exact_both)} against {kit.said(bound)}.",
    )
    return added, bound, days, exact_both, nu, together, two_counts


@app.cell(hide_code=True)
def _(kit):
    kit.show(
        "Try it: count everybody on Monday, and everybody but Tom on Tuesday. Then two groups that share nobody. Then let the "
        "second count leave out one more person.",
        "The **dependency** is how much more the second release tells once the first one is known. Write L₂(o₂) for the "
        "loss of the second output alone, and L₂(o₂ | o₁) for its loss when she already knows the first one:",
        kit.formula(r"\mathrm{Dep}(o_1, o_2) = L_2(o_2 \mid o_1) - L_2(o_2)"),
        "The two are (μ, ν)-bounded dependent if Dep is at most μ, except for a part ν. (What is beyond is added up as δ adds "
        "up what is beyond ε.) Then composition costs just this (DMKB20, Theorem 6, as its proof has it). Let one release be "
        "(ε₁, δ₁)-private and the other (ε₂, δ₂)-private. Both together are private with",
        kit.formula(r"(\varepsilon_1 + \varepsilon_2 + \mu,\ \delta_1 + \delta_2 + \nu)"),
        "Where an output is impossible, “infinite loss minus infinite loss” has to be given a meaning; above it is 0 (the "
        "reading `equal-infinities` of `pkdp definitions`).",
    )
    return


@app.cell
def _(kit, models_folder, pk):
    # A noisy vote and a noisy count, both with the output 1; a and b are Tom's two votes.
    noisy_pair = pk.read(models_folder() / "DMKB20" / "composition" / "theorem-6-two-dependencies.toml")
    rows = pk.loss(noisy_pair, values=(0, 1)).knowledge[0].rows
    pair = {row.output.text: (row.probability_a, row.probability_b) for row in rows}
    P, Q = pair["[[1],1]"]
    P1, Q1 = (pair["[[1],0]"][k] + pair["[[1],1]"][k] for k in (0, 1))  # the first output alone
    P2, Q2 = (pair["[[0],1]"][k] + pair["[[1],1]"][k] for k in (0, 1))  # the second output alone
    dep = ((P / P1) / (Q / Q1)) / (P2 / Q2)  # e to the power Dep, by its definition
    loss_1, loss_2, loss_both = P1 / Q1, P2 / Q2, P / Q
    kit.fold(
        "A misprint that you can find with four fractions",
        f"For the outputs (1, 1) of a small model, e to the power of each: the loss of both is {kit.said(loss_both)}; Dep "
        f"{kit.said(dep)}; the losses alone {kit.said(loss_1)} and {kit.said(loss_2)}.",
        f"Dep once: {dep} · {loss_1} · {loss_2} = {kit.said(dep * loss_1 * loss_2)}"
        f"{', which is it.' if dep * loss_1 * loss_2 == loss_both else ', which is another number.'} "
        f"Dep twice, as Theorem 6 is printed: {kit.said(dep**2 * loss_1 * loss_2)}"
        f"{', which is it.' if dep**2 * loss_1 * loss_2 == loss_both else ', which is another number.'}",
        "With 2μ in place of μ the bound is true for μ ≥ 0, and larger than needed (proofs/dependency.md).",
    )
    return dep, loss_1, loss_2, loss_both


@app.cell(hide_code=True)
def _(alone_and_both, differ, kit, other_vote, pk, two_votes):
    outputs_law = pk.with_mechanism(two_votes, pk.compose(other_vote, differ))
    outputs_seen = {outputs_law.mechanism.law(one).outcomes[0].text: kit.number("1/4") for one in outputs_law.support()}
    independent_outputs = len(outputs_seen) == 4
    nu_of_pair = pk.check(outputs_law, "dependency", epsilon="1", reading="equal-infinities").tight_delta
    question_3 = kit.question(
        "Two fair votes again: “D(0)” and “whether they differ”. All four pairs of answers are equally likely, so the two "
        "**outputs are independent of each other**. Are they also without dependency, ν = 0?",
        {
            "yes": "This is what Proposition 9 of DMKB20 says. Look at the table of section 2 again.",
            "no": "Independent before one knows Tom's vote is not independent after.",
        },
        right="yes" if nu_of_pair == 0 or not independent_outputs else "no",
        answer=kit.show(
            f"ν is {kit.said(nu_of_pair)} even at μ = 1, and both together {alone_and_both[2].verdict.replace('fails', 'fail')} for every ε. Given "
            f"Tom's vote, the first answer fixes the second. As printed, Proposition 9 asks for independence of the outputs "
            f"alone, and so is false. **What is enough: the outputs are independent given Tom's vote and what she knows.** "
            f"For instance: independent people, some of whose votes she knows, and releases about groups that share nobody.",
        ),
    )
    question_3
    return independent_outputs, nu_of_pair, question_3


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## Your turn
    """)
    return


@app.cell(hide_code=True)
def _(kit):
    answer_group = kit.entry("people counted on Tuesday", kind="numbers of people, with commas")
    answer_group_check = kit.check_button("A second count that costs nothing")
    return answer_group, answer_group_check


@app.cell(hide_code=True)
def _(answer_group, answer_group_check, club, kit, pk, two_counts):
    def check_group(text):
        group = {kit.whole_number(one, 0, 5) for one in kit.words(text)}
        if len(group) < 2:
            raise pk.InputError("one person is no group", wanted="at least two people, with commas")
        first, second = two_counts([{0, 1, 2, 5}, group])
        before, after = (
            pk.check(club(6, kit.number("1/2"), one), "apkdp") for one in (first, pk.compose(first, second))
        )
        bends = {*before.profile.breakpoints, *after.profile.breakpoints}
        at = [pk.epsilon("inf"), pk.epsilon("0"), *(pk.epsilon(f"ln({e})") for e in sorted(bends) if e > 1)]
        for one in at:
            alone, both = before.delta_at(one), after.delta_at(one)
            if alone < both:
                return f"At ε = {kit.said(one)} Monday alone has δ = {kit.said(alone)}, and both together {kit.said(both)}."
        return ""

    exercise_group = kit.exercise(
        "A second count that costs nothing",
        "Monday counts the people 0, 1, 2 and Tom (5); all votes are fair. Choose at least two people for Tuesday so that "
        "**both counts together** are as private as Monday's alone: the same δ, at every ε.",
        answer_group,
        answer_group_check,
        check=check_group,
        hints=[
            "Whose votes blur Monday's count? What if Tuesday tells about them?",
            "Choose people that Monday does not look at.",
        ],
        solution="3, 4",
        why="Independent people in groups that share nobody: the count of 3 and 4 says nothing about Tom, nor about those whose "
        "votes hide his. (To count Monday's four again, alone or with others, costs nothing either: nothing new is told about "
        "them.)",
        tempting=["0, 1, 2", "2, 3", "3, 4, 5"],
    )
    exercise_group
    return (exercise_group,)


@app.cell(hide_code=True)
def _(kit):
    answer_noise = kit.entry("p", kind="a fraction")
    answer_noise_check = kit.check_button("A budget for two days")
    return answer_noise, answer_noise_check


@app.cell(hide_code=True)
def _(answer_noise, answer_noise_check, club, kit, noisy, pk, yes_of):
    def check_noise(text):
        p, budget = kit.number(text), pk.epsilon("ln(9/4)")
        if not 0 < p < 1:
            raise pk.InputError(f"p = {p} is no factor of noise", wanted="a number between 0 and 1")
        three = [noisy(yes_of(3), p), noisy(yes_of(3, without_tom=True), p)]
        both = club(3, kit.number("1/2"), pk.compose(*three), all_protected=True)
        needed = pk.check(both, "dp").tight_epsilon
        if budget < needed:
            return f"With p = {p}, both numbers together have ε = {kit.said(needed)}: more than {kit.said(budget)}."
        if needed < budget:
            return f"With p = {p}, ε is {kit.said(needed)}: private enough, but noisier than needed."
        return ""

    exercise_noise = kit.exercise(
        "A budget for two days",
        "Both numbers get noise with the same p. The club allows ε = ln(9/4) **for both together** (`dp`, δ = 0, everybody "
        "protected). Which p uses the budget exactly? A larger p is more noise.",
        answer_noise,
        answer_noise_check,
        check=check_noise,
        hints=[
            "Look at the slider in section 1: what is ε of one number for p = 1/2?",
            "One number has ε = ln(1/p). Two of them have to add up to ln(9/4).",
        ],
        solution="2/3",
        why="ln(1/p) twice is ln(1/p²), so 1/p² = 9/4.",
        tempting=["4/9", "1/2", "3/4"],
    )
    exercise_noise
    return (exercise_noise,)


@app.cell(hide_code=True)
def _(kit):
    answer_rule = kit.pick(
        "the rule",
        {
            "– choose –": None,
            "A: if the two outputs are independent of each other, their ε add up": "outputs",
            "B: running the same private release twice costs at most 2ε": "twice",
            "C: independent people, some known, two groups that share nobody: the worse of the two": "groups",
        },
        "– choose –",
    )
    answer_rule_check = kit.check_button("Which rule is a theorem?")
    return answer_rule, answer_rule_check


@app.cell(hide_code=True)
def _(alone_and_both, answer_rule, answer_rule_check, kit, once, pk, twice):
    def check_rule(rule):
        if rule == "outputs":
            return (
                f"The two votes of section 2 break it: alone ε is {kit.said(alone_and_both[0].tight_epsilon)} and "
                f"{kit.said(alone_and_both[1].tight_epsilon)}, together {kit.said(alone_and_both[2].tight_epsilon)}."
            )
        if rule == "twice":
            return f"`noisy-once.toml` breaks it: once ε is {kit.said(once.tight_epsilon)}, twice {kit.said(twice.tight_epsilon)}."
        if rule != "groups":
            raise pk.InputError(f"the rule {rule} is unknown", where="the rule", wanted="one of A, B and C")
        everybody = pk.build(
            size=4, values=[0, 1], distribution={"iid": {0: "3/4", 1: "1/4"}}, mechanism={"kind": "sum"}
        )
        tried = pk.keeps_parallel(everybody, "apkdp", [([0, 1, 2], {"kind": "sum"}), ([3], coin)])
        return "" if tried.kept else f"Broken here: {tried}."

    coin = {"kind": "randomized-response", "keep": "1/2"}
    exercise_rule = kit.exercise(
        "Which rule is a theorem?",
        "For an attacker with partial knowledge (`np`), two of these are broken by a model in this notebook. Which one is not?",
        answer_rule,
        answer_rule_check,
        check=check_rule,
        hints=["Look for the rule that speaks about people, not about outputs.", "Section 3, the last question."],
        solution="groups",
        why="This is parallel composition. The check tried it on a model of four people, at every ε. It holds always: such "
        "releases have no dependency (proofs/dependency.md), and one of the two says nothing about the person. If what she "
        "knows ties people of both groups together, it may fail.",
        tempting=["outputs", "twice"],
    )
    exercise_rule
    return (exercise_rule,)


@app.cell
def _(kit):
    student = kit.student()
    return (student,)


@app.cell(hide_code=True)
def _(exercise_group, exercise_noise, exercise_rule, kit, student):
    handed_in = kit.hand_in(7, student, [exercise_group, exercise_noise, exercise_rule])
    handed_in
    return (handed_in,)


@app.cell(hide_code=True)
def _(kit):
    kit.show(r"""
    ## What to read next

    - In the explorer: [a release that runs once](explorer:example=course/noisy-once), and [twice](explorer:example=course/noisy-twice).
      [Three days](explorer:example=DMKB20/composition/example-9-three-days) of which any two are harmless together, and all three are not.
    - [A second question that depends on the first answer](explorer:example=composition/adaptive).
    - Section 5.1 of DMKB20: Example 8, bounded dependency, Theorem 6, Proposition 9.
      [What holds of it](guide:proofs/dependency.html), and with which repairs.
    - On the command line `pkdp relations --axioms sequential MODEL --with FILE` tests composition on your own model.

    **Next:** [notebook 8, find counterexamples yourself](8.html).
    """)
    return


if __name__ == "__main__":
    app.run()
