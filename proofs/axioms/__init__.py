"""Derivations about axioms: facts about parts, and second derivations of the cells of DP22's Table 3 that clash."""
