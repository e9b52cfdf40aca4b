// VersusGames from Python: one face for those of all games.
#pragma once

#include "../play/versus.hpp"
#include "search_mcts.hpp"

namespace ludus {

// Many games against opponents, whatever the game.
struct VersusGamesFace {
    virtual ~VersusGamesFace() = default;
    virtual std::size_t size() const = 0;
    virtual Shape shape() const = 0;
    virtual int num_actions() const = 0;
    virtual std::size_t first_unknown(std::span<const std::int32_t> actions) const = 0;
    virtual void step(std::span<const std::int32_t> actions, const VersusArrays& out) = 0;
    virtual void restart(std::span<const std::uint8_t> chosen, const VersusArrays& out) = 0;
    virtual void look(const VersusArrays& out) const = 0;
    virtual void sample(std::span<std::int32_t> actions) = 0;
    virtual nb::object state(std::size_t row) const = 0;

    Busy busy;
};

// G is the game as Python has it, F the form of it that is played.
template <class G, class F>
class VersusGamesOf : public VersusGamesFace {
  public:
    template <class... Rest>
    explicit VersusGamesOf(const typename G::Parameters& parameters, Rest&&... rest)
        : parameters_(parameters), games_(std::forward<Rest>(rest)...) {}

    std::size_t size() const override { return games_.size(); }
    Shape shape() const override { return games_.shape(); }
    int num_actions() const override { return games_.num_actions(); }
    std::size_t first_unknown(std::span<const std::int32_t> actions) const override {
        return games_.first_unknown(actions);
    }
    void step(std::span<const std::int32_t> actions, const VersusArrays& out) override {
        const nb::gil_scoped_release free;
        games_.step(actions, out);
    }
    void restart(std::span<const std::uint8_t> chosen, const VersusArrays& out) override {
        const nb::gil_scoped_release free;
        games_.restart(chosen, out);
    }
    void look(const VersusArrays& out) const override {
        const nb::gil_scoped_release free;
        games_.look(out);
    }
    void sample(std::span<std::int32_t> actions) override { games_.sample(actions); }
    nb::object state(std::size_t row) const override {
        return new_object(seat_of<G>(games_.state(row), parameters_)).object;
    }

  private:
    typename G::Parameters parameters_;
    VersusGames<F> games_;
};

// Each row has a tree of its own, kept between moves as the agent keeps it.
template <class F>
Reply<F> uct_reply(std::size_t games, std::uint64_t simulations, const UctOptions& options) {
    auto trees = std::make_shared<std::vector<std::unique_ptr<UctTree<F>>>>(games);
    return [=](std::size_t row, const State<F>& state, Random& random) {
        std::unique_ptr<UctTree<F>>& tree = (*trees)[row];
        if (tree) {
            tree->seek(state);
        } else {
            tree = std::make_unique<UctTree<F>>(state, options, Random(random(), Stream::Tree));
        }
        tree->run(simulations, std::nullopt);
        const std::vector<Look> found = tree->result();
        const std::vector<double> policy = shares(found);
        const double top = std::ranges::max(policy);
        auto pick = random.below(static_cast<std::uint32_t>(std::ranges::count(policy, top)));
        std::size_t at = 0;
        while (policy[at] != top || pick-- > 0) ++at;  // ties are broken by the generator
        return found[at].action;
    };
}

template <class G>
int shaping_index(const std::string& asked, const char* game) {
    if (asked.empty()) return -1;
    std::string there;
    if constexpr (Shaped<G>) {
        for (int i = 0; const char* name : G::shapings()) {
            if (asked == name) return i;
            there += (i++ ? ", " : "") + std::string(name);
        }
    }
    throw std::invalid_argument("no shaping '" + asked + "' in " + game + "; there are " +
                                (there.empty() ? "none" : there));
}

// `opponent` is "" (whoever asks plays it too), "random" or "uct" with its options.
template <Native G>
void bind_versus(nb::module_& module, const char* name) {
    module.def(
        "versus",
        [name](const Seat<G>& seat, nb::handle games, std::uint64_t seed, std::string_view planes,
               std::tuple<bool, bool, double> learner_side, const std::string& shaping, int threads,
               const std::string& opponent, std::uint64_t simulations, const std::string& judge,
               nb::kwargs options) {
            const std::size_t count = games_in_step(games);
            require_between("threads", threads, 1, 1024);
            const auto [both, alternate, second] = learner_side;
            const VersusOptions plan{{both, alternate, second},
                                     read_planes(planes),
                                     shaping_index<G>(shaping, name),
                                     threads};
            const bool judged = wants_judge<G>(judge, name);
            const UctOptions uct = read_parameters<UctParameters>(options).checked(judged);
            return with_form<G>(seat, judged, [&](const auto& state) {
                using F = typename std::remove_cvref_t<decltype(state)>::Position;
                Reply<F> reply;
                if (opponent == "random") {
                    reply = [](std::size_t, const State<F>& at, Random& random) {
                        return VersusGames<F>::any(at, random);
                    };
                } else if (opponent == "uct") {
                    reply = uct_reply<F>(count, simulations, uct);
                }
                return new_object(
                    std::unique_ptr<VersusGamesFace>(std::make_unique<VersusGamesOf<G, F>>(
                        seat.parameters, going_on(state), count, seed, plan, std::move(reply))));
            });
        },
        nb::arg("state"), nb::arg("games"), nb::arg("seed"), nb::arg("planes"),
        nb::arg("learner_side"), nb::arg("shaping") = "", nb::arg("threads") = 1,
        nb::arg("opponent") = "", nb::arg("simulations") = 0, nb::arg("judge") = "",
        nb::arg("options"));
}

}  // namespace ludus
