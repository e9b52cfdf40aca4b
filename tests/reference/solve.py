"""Backward analysis in plain Python: every state that can be reached, sweep after sweep."""


def turns(state):
    """The states at the ends of the turns that begin here."""
    for action in state.legal():
        after = state.play(action)
        if after.player == state.player and after.outcome is None:
            yield from turns(after)
        else:
            yield after


def solve(states, bare=lambda state: state):
    """Value and distance in turns of every state to which these lead; draws are (0, None).

    `bare` takes the history off a state, where draws depend on it.
    """
    successors, known = {}, {}
    todo = list(states)
    while todo:
        state = bare(todo.pop())
        name = str(state)
        if name in successors:
            continue
        if state.outcome is not None:
            successors[name] = []
            known[name] = (state.outcome, 0)
            continue
        after = list(turns(state))
        successors[name] = [str(child) for child in after]
        todo += after
    distance = 0
    fresh = True
    while fresh:
        distance += 1
        fresh = {}
        for name, after in successors.items():
            if name in known:
                continue
            found = [known.get(child) for child in after]
            if (-1, distance - 1) in found:
                fresh[name] = (1, distance)
            elif None not in found and all(value == 1 for value, _ in found):
                fresh[name] = (-1, distance)
        known |= fresh
    return {name: known.get(name, (0, None)) for name in successors}


def wins_within(state, turns_left):
    """The fewest turns in which the mover can force a win, or None; every line is tried."""
    for distance in range(1, turns_left + 1, 2):
        if forces(state, distance):
            return distance
    return None


def forces(state, turns_left):
    if state.outcome is not None or turns_left <= 0:
        return False
    return any(is_lost(after, turns_left - 1) for after in turns(state))


def is_lost(state, turns_left):
    if state.outcome is not None:
        return state.outcome == -1
    return turns_left > 0 and all(forces(after, turns_left - 1) for after in turns(state))
