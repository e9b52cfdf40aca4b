"""Arrays that native code uses are held: they are not freed, and do not shrink, while it does."""

import array
import weakref

import pytest

import ludus
from ludus import _core
from tests import natives

np = pytest.importorskip("numpy", reason="the core needs numpy")

ROWS = 4


class Lent:
    """Arrays that nobody else has, made as native code asks for them."""

    def __init__(self):
        self.made, self.lost = [], 0

    def array(self, like):
        return Fresh(self, like)

    def look(self):
        self.lost += sum(ref() is None for ref in self.made)


class Fresh:
    """Gives a new array away, and looks after those that were given before in the same call."""

    def __init__(self, lent, like):
        self.lent, self.like = lent, like

    def __len__(self):
        return len(self.like)

    def __dlpack__(self, **_):
        self.lent.look()
        fresh = self.like.copy()
        self.lent.made.append(weakref.ref(fresh))
        return fresh.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


def zeros(kind, *shape):
    return np.zeros(shape, kind)


def arrays_for(made, **more):
    """What batches and versus are asked for, as arrays of the right size."""
    return {
        "features": zeros(np.float32, ROWS, *made.shape),
        "masks": zeros(np.bool_, ROWS, made.num_actions),
        "players": zeros(np.int8, ROWS),
        **more,
    }


def batch_look(lend):
    batch = natives.batch("connect4")
    batch.look(**{name: lend(one) for name, one in arrays_for(batch).items()})


def batch_step(lend):
    batch = natives.batch("connect4")
    more = {"outcomes": zeros(np.float32, ROWS), "signals": zeros(np.float32, ROWS, 2)}
    out = arrays_for(batch, **more)
    batch.step(lend(zeros(np.int32, ROWS)), **{name: lend(one) for name, one in out.items()})


def versus_look(lend):
    versus = natives.versus()
    out = arrays_for(versus, sides=zeros(np.int8, ROWS))
    versus.look(**{name: lend(one) for name, one in out.items()})


def versus_restart(lend):
    versus = natives.versus()
    out = arrays_for(versus, sides=zeros(np.int8, ROWS), chosen=np.ones(ROWS, np.bool_))
    versus.restart(**{name: lend(one) for name, one in out.items()})


def versus_step(lend):
    versus = natives.versus()
    more = {name: zeros(np.float32, ROWS) for name in ("rewards", "shaping")}
    out = arrays_for(versus, sides=zeros(np.int8, ROWS), dones=zeros(np.bool_, ROWS), **more)
    versus.step(lend(zeros(np.int32, ROWS)), **{name: lend(one) for name, one in out.items()})


def forest_gather(lend):
    forest = _core.forest(natives.start("connect4"), ROWS)
    masks = zeros(np.bool_, ROWS, forest.num_actions)
    forest.gather(lend(zeros(np.float32, ROWS, *forest.shape)), lend(masks))


def forest_scatter(lend):
    forest = _core.forest(natives.start("connect4"), ROWS)
    masks = zeros(np.bool_, ROWS, forest.num_actions)
    rows = forest.gather(zeros(np.float32, ROWS, *forest.shape), masks)
    forest.scatter(lend(np.ones((rows, 7), np.float32)), lend(zeros(np.float32, rows)))


def selfplay_scatter(lend):
    pool = _core.selfplay(natives.start("connect4"), ROWS, simulations=4)
    rows = pool.gather(zeros(np.float32, ROWS, *pool.shape))
    pool.scatter(lend(zeros(np.float32, rows, 7)), lend(zeros(np.float32, rows)))


def think_uct(lend):
    batch = natives.batch("connect4")
    seeds, policies = zeros(np.uint64, ROWS), zeros(np.float64, ROWS, 7)
    _core.think_uct(batch, np.arange(ROWS), lend(seeds), lend(policies), 1, 5, "")


def draw(lend):
    logits, masks = zeros(np.float32, ROWS, 7), np.ones((ROWS, 7), np.bool_)
    chances, actions = zeros(np.float64, ROWS), zeros(np.int32, ROWS)
    logs = lend(zeros(np.float32, ROWS))
    _core.draw(lend(logits), lend(masks), lend(chances), lend(actions), logs)


CALLS = [batch_look, batch_step, versus_look, versus_restart, versus_step, think_uct, draw]
CALLS += [forest_gather, forest_scatter, selfplay_scatter]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.__name__)
def test_no_array_is_freed_before_the_call_ends(call):
    call(lambda one: one)
    lent = Lent()
    call(lent.array)
    assert len(lent.made) >= 2
    assert lent.lost == 0
    assert all(ref() is None for ref in lent.made)  # and then each of them is given back


def test_an_array_is_held_while_states_are_looked_up():
    oracle, lent = natives.endgame_oracle(), Lent()

    class States(list):
        def __getitem__(self, index):
            lent.look()
            return super().__getitem__(index)

    states = States([natives.start(natives.PLACES[0])] * 3)
    oracle.values(states, lent.array(np.zeros(3)))
    assert len(lent.made) == 1
    assert lent.lost == 0


def endgame_solver(table):
    return natives.endgames()[0].solver(table)


def endgame_oracle(table):
    return natives.endgames()[0].oracle(table)


def row_solver(table):
    return _core.row_solver(natives.start(natives.PLACES[2]), table)


def row_table(table):
    solver = _core.row_solver(natives.start(natives.PLACES[2]))
    return _core.row_table(natives.start(natives.PLACES[2]), solver.buffers()["values"], table)


@pytest.mark.parametrize("keep", [endgame_solver, endgame_oracle, row_solver, row_table])
def test_a_table_does_not_shrink_while_it_is_solved_or_looked_up(keep):
    rows = keep in (row_solver, row_table)
    sizes = _core.row_sizes(natives.start(natives.PLACES[2]))
    table = array.array("B", bytes(sizes["distances"] if rows else natives.endgames()[0].size))
    made = keep(table)
    with pytest.raises(BufferError):
        del table[:]
    if hasattr(made, "work"):
        made.work(60.0, 1)
    del made
    del table[:]


def test_an_array_at_an_odd_address_is_refused():
    batch = ludus.batch(ludus.game("connect4"), ROWS)
    odd = np.frombuffer(bytearray(4 * ROWS + 1), np.int32, offset=1)
    with pytest.raises(ValueError, match="actions begins at an odd address"):
        batch.sample(odd)
