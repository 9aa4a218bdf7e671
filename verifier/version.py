"""The version, in one place: the build, the answers and the pages read it here."""

VERSION = "0.2.0"
