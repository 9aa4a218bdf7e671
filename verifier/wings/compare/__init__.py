"""Two mechanisms: whether they are the same, whether one is made of the other's outputs, and which is more private."""
