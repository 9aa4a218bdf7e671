"""The checker: a second mind that reads a model file, decides a question again, and compares the answer.

What must be believed for *one* PPKDP verdict, such as `ppkdp` at ε = ln 2 on models/DKM19/lemma-4-weights.toml:

1. Python, its integers and fractions, `tomllib` and `json`, and that this file's neighbours are the ones that you read.
2. `models.Model`, `Home`: the file's values, worlds and knowledge are read as models/FORMAT.md says.
3. `mechanisms.KINDS`, one line of it, and `Mechanism`: the law of the output on one database.
4. `numbers.Law`, `mixed`: a law is integers over their sum (a law that does not sum to 1 is refused); so is a mixture.
5. `of_worlds.given`: θ given B and D(i) = a against b, with the weight of each B given a (DMKB20, Definition 13).
6. `models.merged`: outputs whose probabilities are proportional on all databases may be joined, and share one ratio.
7. `laws.Laws.groups`: the outputs of two laws by their ratio P/Q; `laws.line`: those above e^ε are added up.
8. `laws.least_growth`: between two ratios δ(ε) is A - B·e^ε; `judge.Decision`: the worst comparison decides.
9. `numbers.Power`, and for an irrational e^ε `Log.sign` and `artanh`: on which side of e^ε a ratio lies.
10. `answers._checked`, `number_text.require_number`, `Witness`: verdict and numbers are compared; a witness names
    comparisons of 5, and is added up.
Besides, `definitions.DEFINITIONS["ppkdp"]` says what is compared, and `Laws.distinct` compares equal laws once.

Of these files 460 lines are run for such a verdict (models and mechanisms 170, numbers 77, comparisons 37, laws and
decision 176), 720 with the comparison of the whole answer and its witness (answers); more must be read.
A mechanism that is a program adds `program_text` (steps), `programs` (states, draws, sums over paths), `operations`,
`noise` and `program_laws`. `python -m verifier.checker ANSWERS` is the command.
"""
