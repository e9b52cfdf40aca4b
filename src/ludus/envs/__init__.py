"""The same games through other libraries' doors: `pettingzoo`, `gymnasium`, `torchrl`.

Each door is a module of its own, imported by name, since each needs its library.
"""
