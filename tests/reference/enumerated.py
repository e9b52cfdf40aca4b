"""All lines of play against fixed replies, enumerated plainly: what proofs are held against."""

WINS, UNBEATEN, BEATEN = "always wins", "cannot be beaten", "beaten"


def moves_of(state, side, reply):
    """The one move of the side, or all of the other."""
    return [reply(state)] if state.player == side else state.legal()


def by_lines(game, side, reply):
    """Every line under all the rules, its past included: the verdict, and plies of the shortest
    loss. Where replies go by the position alone, `reply` must too."""
    found, shortest = set(), None
    lines = [(game.start(), 0)]
    while lines:
        state, plies = lines.pop()
        if state.outcome is not None:
            result = 0 if state.winner is None else 1 if state.winner == side else -1
            found.add(result)
            if result < 0 and (shortest is None or plies < shortest):
                shortest = plies
            continue
        lines += [(state.play(a), plies + 1) for a in moves_of(state, side, reply)]
    if -1 in found:
        return BEATEN, shortest
    return (UNBEATEN if 0 in found else WINS), None


def by_positions(game, side, reply):
    """The same by positions, for games that can go round in a circle: a win is what is reached
    against every reply in so many moves, found by going over all positions again and again."""
    start = game.start()
    after, known, rows = {}, {str(start): start}, [start]
    while rows:
        state = rows.pop()
        after[str(state)] = []
        for action in moves_of(state, side, reply) if state.outcome is None else []:
            child = game.state(str(state.play(action)))  # its past forgotten
            after[str(state)].append(str(child))
            if str(child) not in known:
                known[str(child)] = child
                rows.append(child)
    ended = {name for name, state in known.items() if state.outcome is not None}
    lost = {name for name in ended if known[name].winner == 1 - side}
    won = {name for name in ended if known[name].winner == side}
    while True:
        more = {
            name
            for name, children in after.items()
            if name not in won and name not in ended and all(child in won for child in children)
        }
        if not more:
            break
        won |= more
    if lost:
        return BEATEN, shortest_to(lost, after, str(start))
    return (WINS if str(start) in won else UNBEATEN), None


def shortest_to(goals, after, start):
    """Plies of the shortest line to one of these."""
    plies, row, seen = 0, {start}, {start}
    while not row & goals:
        row = {child for name in row for child in after[name]} - seen
        seen |= row
        plies += 1
    return plies
