"""The machine around the program: files, processes."""
