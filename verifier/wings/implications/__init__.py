"""What follows from what: the matrix of definitions, the papers' own table, axioms, and composition of mechanisms."""
