// A search tree. It hands out leaves and takes back evaluations; it never calls anyone.
//
// Nodes hold no positions: a descent takes a copy of the root's state and plays along, so draws by
// repetition, clock and length are exact on every path. An action whose result chance decides
// leads to a chance node, whose children are the results; each result leads to a landing, a node of
// who moves next.
#pragma once

#include <cassert>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../state.hpp"
#include "backup.hpp"
#include "buffer.hpp"
#include "chance.hpp"
#include "node.hpp"

namespace ludus {

// When a node gets its children: on its second visit, or when the evaluation of its first one,
// which brings their priors, is taken back.
enum class Growth { SecondVisit, WithPriors };

// Where a descent ends: at a leaf that needs an evaluation; where the end of the path is known, and
// has been backed up; or at a leaf that waits for its evaluation already.
enum class Arrival { Leaf, Known, Waiting };

class Tree {
  public:
    static constexpr std::uint32_t Root = 0, None = 0xffff'ffff;
    static constexpr std::uint32_t MostVisits = 4'000'000'000;  // then the counters would be full

    // With `proofs` what is certain is passed up; else only finished games are known.
    Tree(Growth growth, std::uint32_t max_nodes, bool proofs, ChanceRule chance = {})
        : growth_(growth), max_nodes_(max_nodes), proofs_(proofs), chance_(chance) {}

    // Forgets everything but its memory.
    void reset(int player) {
        nodes_.clear();
        nodes_.append(1)->mover = player & 1;
    }

    bool proofs() const { return proofs_; }
    std::size_t size() const { return nodes_.size(); }
    std::size_t bytes() const { return nodes_.capacity() * sizeof(Node); }
    Node& operator[](std::uint32_t index) { return nodes_[index]; }
    const Node& operator[](std::uint32_t index) const { return nodes_[index]; }
    const Node& root() const { return nodes_[Root]; }
    std::span<Node> children(std::uint32_t index) {
        return {nodes_.data() + nodes_[index].first, nodes_[index].children};
    }
    std::span<const Node> children(std::uint32_t index) const { return children_of(nodes_[index]); }

    // Before a descent: every visit is one of the root's, so no other node can have more.
    void require_room() const {
        if (root().visits >= MostVisits) {
            throw std::invalid_argument("a tree counts up to " + std::to_string(MostVisits) +
                                        " simulations; begin a new search");
        }
    }

    // The nodes of the last descent, from the root to the leaf.
    std::span<const std::uint32_t> path() const { return path_; }

    // Takes the root's state to a leaf. `choose(tree, node, random)` picks a child.
    template <Game G, class Choose>
    Arrival descend(State<G>& at, Random& random, Choose&& choose) {
        path_.assign(1, Root);
        while (true) {
            const std::uint32_t here = path_.back();
            if (nodes_[here].waiting) return Arrival::Waiting;
            if (nodes_[here].proof != Proof::Unknown) return back_up_proof();
            if (nodes_[here].visits == 0 && nodes_[here].children == 0) {
                const auto score = at.outcome();
                if (!score) return Arrival::Leaf;
                const Proof proof = proof_of(*score);
                const bool own = at.player() == nodes_[here].mover;
                nodes_[here].proof = own ? proof : for_opponent(proof);
                return back_up_proof();
            }
            if (is_known_landing()) return back_up_again();
            if (nodes_[here].children == 0) {
                if (growth_ == Growth::WithPriors || !expand(here, at)) return Arrival::Leaf;
            }
            const std::uint32_t child = choose(*this, here, random);
            path_.push_back(child);
            if constexpr (Chancy<G>) {
                if (nodes_[child].chance) {
                    if (draw(child, at, random)) continue;
                    if (nodes_[child].waiting) return Arrival::Waiting;
                    const auto score = at.outcome();
                    if (!score) return Arrival::Leaf;
                    back_up(*score, at.player());
                    return Arrival::Known;
                }
            }
            at.apply(nodes_[child].action);
        }
    }

    // Takes back what the leaf is worth to a player.
    void back_up(double value, int player) { ascend(value, player, false); }

    // Whether the leaf is a node of its own: a chance node in a full tree has no results.
    bool leaf_is_node() const { return !nodes_[path_.back()].chance; }

    // The leaf of the last descent waits for its evaluation, and others are looked for meanwhile.
    void hold() noexcept {
        count_pending(path_, 1);
        nodes_[path_.back()].waiting = 1;
    }

    // Such a leaf waits no more.
    void release(std::span<const std::uint32_t> path) noexcept {
        count_pending(path, -1);
        nodes_[path.back()].waiting = 0;
    }

    // A descent that ended at a leaf that waits counts as a visit, too, until it is taken back.
    void count_pending(std::span<const std::uint32_t> path, int change) noexcept {
        for (const std::uint32_t index : path) {
            nodes_[index].pending = static_cast<std::uint16_t>(nodes_[index].pending + change);
        }
    }

    // Comes back to a leaf of a descent before the last.
    void return_to(std::span<const std::uint32_t> path) { path_.assign(path.begin(), path.end()); }

    // Gives a node a child for each legal action, unless the tree is full; the root gets them
    // in any case.
    template <Game G>
    bool expand(std::uint32_t index, const State<G>& at) {
        const auto legal = at.legal();
        const int player = at.player();
        const bool chancy = at.chancy();
        const std::size_t landings = chancy ? chance_.landings : 0;
        if (!grow(index, std::ranges::size(legal), landings)) return false;
        Node* child = nodes_.data() + nodes_[index].first;
        for (const Action a : legal) {
            child->action = a;
            child->mover = player & 1;
            child->chance = chancy;
            ++child;
        }
        return true;
    }

    // What is below a node, with this one as its root.
    Buffer<Node> below(std::uint32_t index, int player) const {
        Buffer<Node> kept;
        *kept.append(1) = nodes_[index];
        for (std::size_t i = 0; i < kept.size(); ++i) {
            if (!kept[i].children) continue;
            const std::size_t block = kept[i].children + num_landings(kept[i]);
            const auto first = static_cast<std::uint32_t>(kept.size());
            std::copy_n(&nodes_[kept[i].first], block, kept.append(block));
            kept[i].first = first;
        }
        Node& root = kept[Root];
        if (root.mover == player) return kept;
        root.mover = player & 1;
        root.total = -root.total;
        root.proof = for_opponent(root.proof);
        return kept;
    }

    // Where a result of a chance node below this parent leads to.
    std::uint32_t landing(std::uint32_t parent, const Node& chance, const Node& result) const {
        const Node& owner = chance_.landings ? nodes_[parent] : chance;
        return owner.first + owner.children + result.first;
    }

    // Takes these for its nodes, and forgets its own.
    void adopt(Buffer<Node> nodes) noexcept { nodes_ = std::move(nodes); }

  private:
    std::span<const Node> children_of(const Node& node) const {
        return {nodes_.data() + node.first, node.children};
    }

    // Lets chance decide; false if the result it drew has no node.
    template <Chancy G>
    bool draw(std::uint32_t index, State<G>& at, Random& random) {
        const Action action = nodes_[index].action;
        const auto chances = at.position().chances(action);
        const auto results = static_cast<std::size_t>(std::ranges::size(chances));
        // A random number is drawn before anything can fail, so that the next descent draws anew.
        std::size_t rank = chance_.sample ? sample(chances, random) : 0;
        if (nodes_[index].children == 0) {
            const bool early =
                chance_.sample && growth_ == Growth::SecondVisit && nodes_[index].visits == 0;
            if (early || !add_results<G>(index, chances)) {
                if (!chance_.sample) rank = sample(chances, random);
                at.apply(action, chances[rank].result);
                return false;
            }
        }
        if (results != nodes_[index].children) {  // only a game written in Python can do that
            throw std::invalid_argument("chances(action) are other ones than before");
        }
        if (!chance_.sample) rank = next_result(index);
        at.apply(action, chances[rank].result);
        const std::uint32_t result = nodes_[index].first + static_cast<std::uint32_t>(rank);
        const std::uint32_t parent = path_[path_.size() - 2];
        path_.push_back(result);
        path_.push_back(landing(parent, nodes_[index], nodes_[result]));
        return true;
    }

    // Gives a chance node its results; false if the tree is full.
    template <Chancy G>
    bool add_results(std::uint32_t index, const auto& chances) {
        const auto results = static_cast<std::size_t>(std::ranges::size(chances));
        if (!grow(index, results, chance_.landings ? 0 : results)) return false;
        const std::uint32_t parent = path_[path_.size() - 2];
        for (std::size_t i = 0; i < results; ++i) {
            Node& result = nodes_[nodes_[index].first + i];
            const Chance chance = chances[i];
            result.result = 1;
            result.action = static_cast<Action>(i);
            result.prior = static_cast<float>(chance.probability);
            result.first = static_cast<std::uint32_t>(chance_.landings ? chance.result : i);
            nodes_[landing(parent, nodes_[index], result)].mover = nodes_[index].mover;
        }
        return true;
    }

    // The result that is the furthest behind its share of the visits. One whose landing is proven,
    // or waits for an evaluation, comes last: nothing new would be heard.
    std::size_t next_result(std::uint32_t index) const {
        const Node& chance = nodes_[index];
        const std::uint32_t parent = path_[path_.size() - 2];
        const double visits = 1.0 + chance.visits + chance.pending;
        std::size_t best = 0;
        double most = -std::numeric_limits<double>::infinity();
        for (std::uint32_t i = 0; i < chance.children; ++i) {
            const Node& result = nodes_[chance.first + i];
            double behind = result.prior * visits - result.visits - result.pending;
            const Node& there = nodes_[landing(parent, chance, result)];
            if (there.waiting || there.proof != Proof::Unknown) behind -= 2 * visits;
            if (behind > most) {
                most = behind;
                best = i;
            }
        }
        return best;
    }

    // How many landings lie behind the children of a node.
    std::size_t num_landings(const Node& node) const {
        if (node.chance) return chance_.landings ? 0 : node.children;
        return nodes_[node.first].chance ? chance_.landings : 0;
    }

    // Whether the path ends at a landing that was evaluated and stays a leaf.
    bool is_known_landing() const {
        if (chance_.sample || growth_ != Growth::WithPriors) return false;
        if (path_.size() < 3 || !nodes_[path_[path_.size() - 2]].result) return false;
        return !nodes_[path_.back()].children;
    }

    // Nothing new is heard of the leaf.
    Arrival back_up_again() {
        const Node& leaf = nodes_[path_.back()];
        ascend(leaf.value(), leaf.mover, false);
        return Arrival::Known;
    }

    bool grow(std::uint32_t index, std::size_t count, std::size_t landings) {
        assert(count > 0 && count < 65536);
        if (index != Root && nodes_.size() + count + landings > max_nodes_) return false;
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        nodes_.append(count + landings);  // may fail, and then the node has no children yet
        nodes_[index].first = first;
        nodes_[index].children = static_cast<std::uint16_t>(count);
        return true;
    }

    Arrival back_up_proof() {
        const Node& leaf = nodes_[path_.back()];
        ascend(value_of(leaf.proof), leaf.mover, proofs_);
        return Arrival::Known;
    }

    // From the leaf to the root. While `proving`, the node just left is certain; a node that
    // becomes certain by it counts as what it is from there on. A safe node need not count a child
    // that looks worse than a draw. Unless chance is sampled, a chance node is worth an
    // expectation, and with priors a node above chance nodes is worth what these are worth now.
    void ascend(double value, int player, bool proving) {
        for (std::size_t i = path_.size(); i-- > 0;) {
            Node& node = nodes_[path_[i]];
            ++node.visits;
            if (node.result) continue;
            const bool expects = node.chance && node.children && !chance_.sample;
            if (expects) expect(path_[i - 1], node);
            proving = proving && (i + 1 == path_.size() || conclude(i));
            if (node.proof != Proof::Unknown) {
                value = value_of(node.proof);
                player = node.mover;
            } else if (expects) {
                value = node.value();
                player = node.mover;
                continue;
            } else if (is_improved(node)) {
                value = improved_value(node, children(path_[i]));
                player = nodes_[node.first].mover;
                node.total = (node.mover == player ? value : -value) * node.visits;
                continue;
            } else if (node.safe && nodes_[path_[i + 1]].value() < 0) {
                value = 0;
            }
            node.total += node.mover == player ? value : -value;
        }
    }

    bool is_improved(const Node& node) const {
        return growth_ == Growth::WithPriors && !chance_.sample && node.children &&
               nodes_[node.first].chance;
    }

    // Sets what a chance node is worth. Others below its parent share landings with it, and with
    // priors they hear of it at once; UCT visits them often, and has no time for that.
    void expect(std::uint32_t parent, Node& chance) {
        if (growth_ != Growth::WithPriors || !chance_.landings) {
            chance.total = expectation(parent, chance) * chance.visits;
            return;
        }
        for (Node& each : children(parent)) {
            if (!each.children || each.proof != Proof::Unknown) continue;
            each.total = expectation(parent, each) * each.visits;
        }
    }

    // What a chance node is worth to who chose it, by what was seen of its results. The others are
    // worth what the network says of the parent, or what these are.
    double expectation(std::uint32_t parent, const Node& chance) const {
        double sum = 0, mass = 0;
        for (const Node& result : children_of(chance)) {
            const Node& there = nodes_[landing(parent, chance, result)];
            if (!there.seen()) continue;
            sum += result.prior * there.value();
            mass += result.prior;
        }
        if (growth_ == Growth::WithPriors) return sum + (1 - mass) * nodes_[parent].raw;
        return mass > 0 ? sum / mass : 0;
    }

    // Whether the children say for certain what a node of the path is.
    bool conclude(std::size_t place) {
        Node& node = nodes_[path_[place]];
        Proof best = Proof::Loss, worst = Proof::Win;
        bool safe = false;
        const auto children = children_of(node);
        for (const Node& child : children) {
            const Proof proof =
                child.result ? nodes_[landing(path_[place - 1], node, child)].proof : child.proof;
            best = std::max(best, proof);
            worst = std::min(worst, proof);
            safe |= proof == Proof::Draw;
        }
        node.safe = safe && !node.chance;
        const bool certain = node.chance ? best == worst && worst != Proof::Unknown
                                         : best == Proof::Win || worst != Proof::Unknown;
        if (certain) {
            const bool own = node.chance || children.front().mover == node.mover;
            node.proof = own ? best : for_opponent(best);
        }
        return certain;
    }

    Growth growth_;
    std::uint32_t max_nodes_;
    bool proofs_;
    ChanceRule chance_;
    Buffer<Node> nodes_;
    std::vector<std::uint32_t> path_;
};

}  // namespace ludus
