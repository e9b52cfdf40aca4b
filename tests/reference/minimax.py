"""Plain minimax and expectiminimax to a depth: every line of play, nothing clever."""

WIN, PLY = 2.0, 1 / 1024


def minimax(state, depth, judge, ply=0, *, quiet=lambda state: True):
    """The score for the player to move, on alpha-beta's scale: faster wins are better."""
    if state.outcome is not None:
        return state.outcome * (WIN - ply * PLY)
    if depth == 0 and quiet(state):
        return judge(state)
    best = -WIN
    for action in state.legal():
        child = state.play(action)
        score = minimax(child, max(0, depth - 1), judge, ply + 1, quiet=quiet)
        best = max(best, score if child.player == state.player else -score)
    return best


def expectiminimax(state, depth, judge):
    """The expected score for the player to move: a win is 1, however far away."""
    if state.outcome is not None:
        return state.outcome
    if depth == 0:
        return judge(state)
    return max(expected(state, action, depth, judge) for action in state.legal())


def expected(state, action, depth, judge):
    """The expected score of an action."""
    total = 0.0
    for result, probability in state.chances(action):
        child = state.play(action, chance=result)
        score = expectiminimax(child, depth - 1, judge)
        total += probability * (score if child.player == state.player else -score)
    return total
