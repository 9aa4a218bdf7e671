"""The relations between the definitions that the papers compare: arrows that are proved, and models that refute."""
