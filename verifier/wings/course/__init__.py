"""The course: the toolkit of its notebooks, the command that opens them, and the sheets that students hand in."""
