"""PUCT in games of chance, slowly: values are worked out anew from the whole tree when asked for.

A visit of a chance node goes to the result with the largest p (N + 1) - n, and the node is worth
the expectation over its results. Unknown results are worth what the evaluator said of the parent.
"""

import math

import numpy as np

OWN, VISITS, SCALE = 8, 50, 0.5  # the evaluator's weight, and mctx's constants of improved policies
C_PUCT, FPU_REDUCTION = np.float32(1.25), np.float32(0.25)


class Node:
    """A position; values and proofs are for its player to move."""

    def __init__(self, state):
        self.state, self.visits, self.raw, self.proof, self.safe = state, 0, 0.0, None, False
        self.chances = {}  # by action
        self.landings = {}  # by result where actions share them, else by action and result

    def value(self):
        if self.proof is not None:
            return self.proof
        visits = sum(chance.visits for chance in self.chances.values())
        most = max((chance.visits for chance in self.chances.values()), default=0)
        total = OWN * (self.visits - visits) * self.raw
        if visits:
            values = [self.raw if c.unseen() else c.value() for c in self.chances.values()]
            if self.safe:
                values = [
                    value if chance.unseen() else max(0, value)
                    for value, chance in zip(values, self.chances.values(), strict=True)
                ]
            shares = [
                chance.prior * math.exp((VISITS + most) * SCALE * (value - max(values)))
                for value, chance in zip(values, self.chances.values(), strict=True)
            ]
            improved = sum(s * v for s, v in zip(shares, values, strict=True)) / sum(shares)
            total += visits * improved
        return total / (OWN * (self.visits - visits) + visits)


class Chance:
    """An action; values and proofs are for who plays it."""

    def __init__(self, parent, action, prior, shared):
        self.parent, self.prior = parent, np.float32(prior)
        self.visits, self.proof, self.opened = 0, None, False
        self.results = []  # probability, visits, landing
        for result, probability in parent.state.chances(action):
            key = result if shared else (action, result)
            if key not in parent.landings:
                parent.landings[key] = Node(parent.state.play(action, chance=result))
            self.results.append([probability, 0, parent.landings[key]])

    def unseen(self):
        return self.visits == 0 and self.proof is None

    def value(self):
        if self.proof is not None:
            return self.proof
        seen = [(p, node) for p, _, node in self.results if node.visits]
        mass = sum(p for p, _ in seen)
        return sum(p * worth(node, self.parent) for p, node in seen) + (1 - mass) * self.parent.raw

    def next_result(self):
        def behind(result):
            probability, visits, node = result
            late = node.proof is not None
            return probability * (self.visits + 1) - visits - late * 2 * (self.visits + 1)

        return max(self.results, key=behind)

    def conclude(self):
        proofs = {proof_for(node, self.parent) for _, _, node in self.results}
        if len(proofs) == 1 and None not in proofs:
            (self.proof,) = proofs
        return self.proof is not None


def worth(node, parent):
    same = node.state.player == parent.state.player
    return node.value() if same else -node.value()


def proof_for(node, parent):
    if node.proof is None:
        return None
    return node.proof if node.state.player == parent.state.player else -node.proof


def conclude(node):
    proofs = [chance.proof for chance in node.chances.values()]
    node.safe = 0 in proofs
    known = [proof for proof in proofs if proof is not None]
    if 1 in known or len(known) == len(proofs):
        node.proof = max(known)
    return node.proof is not None


def choose(node):
    """The action of PUCT, in the precision that the native search has."""
    chances = node.chances.values()
    seen = np.float32(0)
    for chance in chances:
        if chance.visits:
            seen += chance.prior
    fresh = np.float32(node.value()) - FPU_REDUCTION * np.sqrt(seen)
    scale = C_PUCT * np.sqrt(np.float32(node.visits))

    def score(chance):
        if chance.proof is not None:
            return -math.inf
        value = np.float32(chance.value()) if chance.visits else fresh
        return value + scale * chance.prior / np.float32(1 + chance.visits)

    return max(chances, key=score)


def search(state, evaluate, simulations, shared):
    """The root after so many simulations; `evaluate(state)` gives priors by action and a value."""
    root = Node(state)
    expand(root, evaluate, shared)
    root.visits = 1
    for _ in range(simulations):
        if root.proof is not None:
            break
        simulate(root, evaluate, shared)
    return root


def expand(node, evaluate, shared):
    priors, node.raw = evaluate(node.state)
    for action in node.state.legal():
        node.chances[action] = Chance(node, action, priors[action], shared)


def simulate(root, evaluate, shared):
    path, node = [], root
    while node.chances and node.proof is None:
        chance = choose(node)
        result = chance.next_result()
        path.append((node, chance, result))
        node = result[2]
    if node.state.outcome is not None:
        node.proof = node.state.outcome
    elif node.proof is None:
        expand(node, evaluate, shared)
    proving = node.proof is not None
    node.visits += 1
    for parent, chance, result in reversed(path):
        result[1] += 1
        chance.visits += 1
        proving = proving and chance.conclude()
        parent.visits += 1
        proving = proving and conclude(parent)
