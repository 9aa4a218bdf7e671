"""The course: a small kit that its notebooks use, and the command that opens them."""
