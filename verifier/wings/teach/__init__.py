"""Questions that a lecturer asks in a link, answers as codes of one line, and the class's table."""
