"""The rows and the measures of DP22 that `definitions` lists."""
