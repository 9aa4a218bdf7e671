"""The independent checker of certificates: the definitions once more, and nothing of the other rooms."""
