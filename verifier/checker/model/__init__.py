"""A reader of model files, for the comparison of certificates with them."""
