"""How the definitions relate: what implies what, under which condition, and what does not, with evidence for each."""
