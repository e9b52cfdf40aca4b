"""What is so: exact solvers and their tables, the perfect player and the adversary."""
