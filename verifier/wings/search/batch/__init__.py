"""All models of a block at once: laws, verdicts and statements as columns of integers."""
