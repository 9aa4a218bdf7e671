"""The questions that are asked of a model: definitions and overviews, losses, properties, acceptability, laws."""
