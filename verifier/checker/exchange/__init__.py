"""What a definition says of every mechanism that satisfies another one, proved by multipliers."""
