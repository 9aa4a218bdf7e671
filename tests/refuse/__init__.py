"""Bad input: the registry, and the test that each entry is refused with one clear message."""
