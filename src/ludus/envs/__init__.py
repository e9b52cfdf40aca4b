"""The same games as environments of other libraries: `pettingzoo`, `gymnasium`, `torchrl`.

Each adapter is a module of its own, imported by name, since each needs its library.
"""
