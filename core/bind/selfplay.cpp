// Self-play as Python sees it.
#include "selfplay.hpp"

namespace ludus {

namespace {

template <class Item>
nb::object array_of(const std::vector<Item>& items, std::size_t row = 1) {
    if (row == 1) return array_with(items, {items.size()}).object;
    return array_with(items, {items.size() / row, row}).object;
}

nb::dict arrays_of(const Records& records, std::size_t planes) {
    nb::dict found = new_dict();
    found["features"] = array_of(records.features, planes);
    found["counts"] = array_of(records.counts);
    found["actions"] = array_of(records.actions);
    found["weights"] = array_of(records.weights);
    found["values"] = array_of(records.values);
    found["chosen"] = array_of(records.chosen);
    found["outcomes"] = array_of(records.outcomes);
    found["players"] = array_of(records.players);
    found["full"] = array_of(records.full);
    found["surprises"] = array_of(records.surprises);
    found["games"] = array_of(records.games);
    found["plies"] = array_of(records.plies);
    found["lengths"] = array_of(records.lengths);
    found["letters"] = array_of(records.letters);
    return found;
}

template <class Item>
std::vector<Item> items_of(const nb::dict& arrays, const char* name, std::size_t size) {
    nb::ndarray<const Item, nb::c_contig, nb::device::cpu> items;
    require(
        arrays.contains(name) && nb::try_cast(arrays[name], items, false) && items.size() == size,
        std::string("the record's ") + name + " are no array of " + std::to_string(size) +
            " items of its kind");
    return {items.data(), items.data() + size};
}

Records records_of(const SelfPlayFace& pool, const nb::dict& arrays) {
    nb::ndarray<const std::uint32_t, nb::c_contig, nb::device::cpu> counts;
    require(arrays.contains("counts") && nb::try_cast(arrays["counts"], counts, false),
            "a record has counts of uint32");
    const std::size_t plies = counts.size();
    Records record{.counts = {counts.data(), counts.data() + plies}};
    std::size_t actions = 0;
    for (const std::uint32_t count : record.counts) actions += count;
    record.features =
        items_of<float>(arrays, "features", plies * static_cast<std::size_t>(pool.shape().size()));
    record.actions = items_of<std::uint16_t>(arrays, "actions", actions);
    for (const std::uint16_t action : record.actions) {
        require(action < pool.num_actions(), "the record's actions are below " +
                                                 std::to_string(pool.num_actions()) + ", not " +
                                                 std::to_string(action));
    }
    record.weights = items_of<float>(arrays, "weights", actions);
    record.values = items_of<float>(arrays, "values", plies);
    record.chosen = items_of<float>(arrays, "chosen", plies);
    record.outcomes = items_of<float>(arrays, "outcomes", plies);
    record.players = items_of<std::int8_t>(arrays, "players", plies);
    record.full = items_of<std::uint8_t>(arrays, "full", plies);
    record.surprises = items_of<float>(arrays, "surprises", plies);
    if (!arrays.contains("lengths")) return record;
    const nb::object lengths = arrays["lengths"];
    if (nb::len(lengths) == 0) return record;  // positions are not recorded
    record.plies = items_of<std::uint32_t>(arrays, "plies", plies);
    record.lengths = items_of<std::uint16_t>(arrays, "lengths", plies);
    std::size_t letters = 0;
    for (const std::uint16_t length : record.lengths) letters += length;
    record.letters = items_of<std::uint8_t>(arrays, "letters", letters);
    return record;
}

std::size_t row_of(const SelfPlayFace& pool, nb::handle row) {
    return static_cast<std::size_t>(
        integer_between(row, "a row", 0, static_cast<int>(pool.size()) - 1));
}

std::size_t gather(SelfPlayFace& pool, nb::handle features) {
    const Alone alone(pool.busy);
    require(pool.num_questions() == 0,
            "the positions of the last gather still wait for their scatter");
    const auto planes = pool.size() * static_cast<std::size_t>(pool.shape().size());
    HeldArrays held;
    const auto to = held.rows<float>(features, planes, "features", "float32");
    require(!to.empty(), "gather writes into features, not into None");
    return pool.gather(to);
}

void scatter(SelfPlayFace& pool, nb::handle logits, nb::handle values) {
    const Alone alone(pool.busy);
    HeldArrays held;
    const auto each = held.take<const float>(logits, pool.num_questions() * pool.num_actions(),
                                             "logits", "float32");
    const auto worth = held.take<const float>(values, pool.num_questions(), "values", "float32");
    const std::size_t bad = pool.first_bad(each, worth);
    require(bad == pool.num_questions(),
            "in row " + std::to_string(bad) +
                " the value or the logit of a legal action is not finite");
    pool.scatter(each, worth);
}

nb::dict counts_dict(const SelfPlayFace& pool) {
    const Alone alone(pool.busy);
    const SelfPlayCounts& counts = pool.counts();
    nb::dict found = new_dict();
    found["games"] = counts.games;
    found["first_wins"] = counts.first_wins;
    found["second_wins"] = counts.second_wins;
    found["plies"] = counts.plies;
    found["ended_plies"] = counts.ended_plies;
    found["simulations"] = counts.simulations;
    found["evaluations"] = counts.evaluations;
    found["hits"] = counts.hits;
    found["resigned"] = counts.resigned;
    found["checked"] = counts.checked;
    found["wrong"] = counts.wrong;
    return found;
}

}  // namespace

void bind_selfplay_face(nb::module_& module) {
    nb::class_<SelfPlayFace> cls(module, "SelfPlay", nb::is_final());
    cls.def("__len__", &SelfPlayFace::size);
    cls.def_prop_ro("num_actions", &SelfPlayFace::num_actions);
    cls.def_prop_ro("shape", [](const SelfPlayFace& pool) {
        const Shape shape = pool.shape();
        return std::tuple(shape.planes, shape.rows, shape.columns);
    });
    cls.def_prop_ro("finished", [](const SelfPlayFace& pool) {
        const Alone alone(pool.busy);
        return pool.finished().size();
    });
    cls.def_prop_ro("counts", &counts_dict);
    cls.def("gather", &gather, nb::arg("features").none());
    cls.def("scatter", &scatter, nb::arg("logits").none(), nb::arg("values").none());
    cls.def("pause", [](SelfPlayFace& pool) {
        const Alone alone(pool.busy);
        pool.pause();
    });
    cls.def(
        "begin_games",
        [](SelfPlayFace& pool, nb::handle games) {
            const Alone alone(pool.busy);
            const int count = integer_between(games, "games to begin", 0, 1'000'000'000);
            require(pool.num_questions() == 0, "positions wait for their scatter");
            pool.begin_games(static_cast<std::size_t>(count));
        },
        nb::arg("games"));
    cls.def_prop_ro("running", [](const SelfPlayFace& pool) {
        const Alone alone(pool.busy);
        return pool.running();
    });
    const auto planes = [](const SelfPlayFace& pool) {
        return static_cast<std::size_t>(pool.shape().size());
    };
    cls.def("take", [planes](SelfPlayFace& pool) {
        const Alone alone(pool.busy);
        nb::dict found = arrays_of(pool.finished(), planes(pool));
        pool.take();  // if memory failed before, they are still there
        return found;
    });
    cls.def(
        "row",
        [planes](SelfPlayFace& pool, nb::handle row) {
            const Alone alone(pool.busy);
            const std::size_t at = row_of(pool, row);
            return nb::make_tuple(pool.state(at), pool.random(at), pool.flags(at),
                                  arrays_of(pool.record(at), planes(pool)));
        },
        nb::arg("row"));
    cls.def(
        "put",
        [](SelfPlayFace& pool, nb::handle row, nb::handle state, std::uint64_t random,
           nb::handle flags, const nb::dict& record) {
            const Alone alone(pool.busy);
            require(pool.num_questions() == 0, "positions wait for their scatter");
            const std::size_t at = row_of(pool, row);
            const int marks = integer_between(flags, "the flags of a row", 0, 1 << 30);
            require((marks >> 2 & 3) < 3 && (marks >> 4 & 3) < 3, "such flags of a row are none");
            pool.put(at, state, random, marks, records_of(pool, record));
        },
        nb::arg("row"), nb::arg("state"), nb::arg("random"), nb::arg("flags"), nb::arg("record"));
}

void bind_python_selfplay(nb::module_& module) {
    bind_selfplay<PythonGame>(module);
}

}  // namespace ludus
