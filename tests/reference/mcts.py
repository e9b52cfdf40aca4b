"""UCT as the textbooks have it, on any state: slow, plain, without proofs."""

import math


class Node:
    def __init__(self, state):
        self.state = state
        self.children = {}  # action -> Node
        self.visits = 0
        self.total = 0.0  # for player 0


def uct(state, simulations, c, rng, fpu=math.inf):
    """Visits by action. A leaf is evaluated on its first visit and expanded on its second.

    With first-play urgency an action that was not tried scores its parent's mean plus that.
    """
    root = Node(state)
    for _ in range(simulations):
        path = [root]
        while path[-1].state.outcome is None and (path[-1].visits or path[-1] is root):
            path.append(child_of(path[-1], c, rng, fpu))
        result = rollout(path[-1].state, rng)
        for node in path:
            node.visits += 1
            node.total += result
    return {action: child.visits for action, child in root.children.items()}


def child_of(node, c, rng, fpu):
    untried = [action for action in node.state.legal() if action not in node.children]
    sign = 1 if node.state.player == 0 else -1

    def bound(child):
        curiosity = math.sqrt(math.log(node.visits) / child.visits)
        return sign * child.total / child.visits + c * curiosity

    if untried:
        urgency = fpu + sign * node.total / max(1, node.visits)
        if not node.children or urgency >= max(map(bound, node.children.values())):
            action = rng.choice(untried)
            node.children[action] = Node(node.state.play(action))
            return node.children[action]
    return max(node.children.values(), key=bound)


def rollout(state, rng):
    """The result of random play for player 0."""
    while state.outcome is None:
        state = state.play(rng.choice(state.legal()), rng)
    return state.returns[0]
