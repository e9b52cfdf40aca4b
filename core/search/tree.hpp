// A search tree. It hands out leaves and takes back evaluations; it never calls anyone.
//
// Nodes hold no positions: a descent takes a copy of the root's state and plays along, so draws by
// repetition, clock and length are exact on every path. An action whose result chance decides
// leads to a chance node, whose children are the results.
#pragma once

#include <cassert>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../state.hpp"
#include "buffer.hpp"

namespace ludus {

// What is certain of a node, for the player who chose it.
enum class Proof : std::uint8_t { Unknown, Loss, Draw, Win };

constexpr Proof proof_of(Score score) {
    return score > 0 ? Proof::Win : score < 0 ? Proof::Loss : Proof::Draw;
}
constexpr double value_of(Proof proof) {
    return static_cast<int>(proof) - static_cast<int>(Proof::Draw);
}
constexpr Proof for_opponent(Proof proof) {
    if (proof == Proof::Win) return Proof::Loss;
    return proof == Proof::Loss ? Proof::Win : proof;
}

struct Node {
    double total = 0;  // of all evaluations below, for the mover
    std::uint32_t visits = 0;
    std::uint32_t first = 0;     // of its children, which lie side by side
    float prior = 0;             // a network's; with RAVE the total of its other statistic
    float raw = 0;               // a network's value for the player to move; with RAVE a count
    std::uint16_t children = 0;  // none until it is expanded
    std::uint16_t tried = 0;     // so many of the first children were visited; kept by UCT
    Action action = 0;           // that leads here, or the rank of a result of chance
    std::uint8_t mover : 1 = 0;  // who chose it; at the root, who is to move
    std::uint8_t chance : 1 = 0;
    std::uint8_t safe : 1 = 0;  // a child is a proven draw, so no other has to be put up with
    Proof proof = Proof::Unknown;

    double value() const {
        if (proof != Proof::Unknown) return value_of(proof);
        return visits ? total / visits : 0;
    }
};
static_assert(sizeof(Node) == 32);

// When a node gets its children: on its second visit, or when the evaluation of its first one,
// which brings their priors, is taken back.
enum class Growth { SecondVisit, WithPriors };

class Tree {
  public:
    static constexpr std::uint32_t Root = 0, None = 0xffff'ffff;
    static constexpr std::uint32_t MostVisits = 4'000'000'000;  // then the counters would be full

    // With `proofs` what is certain is passed up; else only finished games are known.
    Tree(Growth growth, std::uint32_t max_nodes, bool proofs)
        : growth_(growth), max_nodes_(max_nodes), proofs_(proofs) {}

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
    std::span<const Node> children(std::uint32_t index) const {
        return {nodes_.data() + nodes_[index].first, nodes_[index].children};
    }

    // Before a descent: every visit is one of the root's, so no other node can have more.
    void require_room() const {
        if (root().visits >= MostVisits) {
            throw std::invalid_argument("a tree counts up to " + std::to_string(MostVisits) +
                                        " simulations; begin a new search");
        }
    }

    // The nodes of the last descent, from the root to the leaf.
    std::span<const std::uint32_t> path() const { return path_; }

    // Takes the root's state to a leaf that needs an evaluation; false if the end of the path is
    // known, and then it has been backed up. `choose(tree, node, random)` picks a child.
    template <Game G, class Choose>
    bool descend(State<G>& at, Random& random, Choose&& choose) {
        path_.assign(1, Root);
        while (true) {
            const std::uint32_t here = path_.back();
            if (nodes_[here].proof != Proof::Unknown) return back_up_proof();
            if (nodes_[here].children == 0) {
                if (nodes_[here].visits == 0) {
                    const auto score = at.outcome();
                    if (!score) return true;
                    const Proof proof = proof_of(*score);
                    const bool own = at.player() == nodes_[here].mover;
                    nodes_[here].proof = own ? proof : for_opponent(proof);
                    return back_up_proof();
                }
                if (growth_ == Growth::WithPriors || !expand(here, at)) return true;
            }
            const std::uint32_t child = choose(*this, here, random);
            path_.push_back(child);
            if constexpr (Chancy<G>) {
                if (nodes_[child].chance) {
                    if (draw(child, at, random)) continue;
                    const auto score = at.outcome();
                    if (!score) return true;
                    back_up(*score, at.player());
                    return false;
                }
            }
            at.apply(nodes_[child].action);
        }
    }

    // Takes back what the leaf is worth to a player.
    void back_up(double value, int player) { ascend(value, player, false); }

    // Whether the leaf is a node of its own, not just one of the results of a chance node.
    bool leaf_is_node() const { return !nodes_[path_.back()].chance; }

    // Gives a node a child for each legal action, unless the tree is full; the root gets them
    // in any case.
    template <Game G>
    bool expand(std::uint32_t index, const State<G>& at) {
        const auto legal = at.legal();
        const int player = at.player();
        const bool chancy = at.chancy();
        if (!grow(index, std::ranges::size(legal))) return false;
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
            const auto first = static_cast<std::uint32_t>(kept.size());
            std::copy_n(&nodes_[kept[i].first], kept[i].children, kept.append(kept[i].children));
            kept[i].first = first;
        }
        Node& root = kept[Root];
        if (root.mover == player) return kept;
        root.mover = player & 1;
        root.total = -root.total;
        root.proof = for_opponent(root.proof);
        return kept;
    }

    // Takes these for its nodes, and forgets its own.
    void adopt(Buffer<Node> nodes) noexcept { nodes_ = std::move(nodes); }

  private:
    // Lets chance decide; false if the result it drew has no node.
    template <Chancy G>
    bool draw(std::uint32_t index, State<G>& at, Random& random) {
        const Action action = nodes_[index].action;
        const auto chances = at.position().chances(action);
        const auto results = static_cast<std::size_t>(std::ranges::size(chances));
        double uniform = random.uniform();
        std::size_t rank = 0;
        while (rank + 1 < results && uniform >= chances[rank].probability) {
            uniform -= chances[rank++].probability;
        }
        const int result = chances[rank].result;
        if (nodes_[index].children == 0) {
            const bool early = growth_ == Growth::SecondVisit && nodes_[index].visits == 0;
            if (early || !grow(index, results)) {
                at.apply(action, result);
                return false;
            }
            for (std::size_t i = 0; i < results; ++i) {
                Node& child = nodes_[nodes_[index].first + i];
                child.action = static_cast<Action>(i);
                child.mover = nodes_[index].mover;
            }
        }
        if (results != nodes_[index].children) {  // only a game written in Python can do that
            throw std::invalid_argument("chances(action) are other ones than before");
        }
        at.apply(action, result);
        path_.push_back(nodes_[index].first + static_cast<std::uint32_t>(rank));
        return true;
    }

    bool grow(std::uint32_t index, std::size_t count) {
        assert(count > 0 && count < 65536);
        if (index != Root && nodes_.size() + count > max_nodes_) return false;
        const auto first = static_cast<std::uint32_t>(nodes_.size());
        nodes_.append(count);  // may fail, and then the node has no children yet
        nodes_[index].first = first;
        nodes_[index].children = static_cast<std::uint16_t>(count);
        return true;
    }

    bool back_up_proof() {
        const Node& leaf = nodes_[path_.back()];
        ascend(value_of(leaf.proof), leaf.mover, proofs_);
        return false;
    }

    // From the leaf to the root. While `proving`, the node just left is certain; a node that
    // becomes certain by it counts as what it is from there on. A safe node need not count a child
    // that looks worse than a draw.
    void ascend(double value, int player, bool proving) {
        for (std::size_t i = path_.size(); i-- > 0;) {
            Node& node = nodes_[path_[i]];
            proving = proving && (i + 1 == path_.size() || conclude(node));
            if (proving) {
                value = value_of(node.proof);
                player = node.mover;
            } else if (node.safe && nodes_[path_[i + 1]].value() < 0) {
                value = 0;
            }
            ++node.visits;
            node.total += node.mover == player ? value : -value;
        }
    }

    // Whether the children say for certain what the node is.
    bool conclude(Node& node) {
        Proof best = Proof::Loss, worst = Proof::Win;
        bool safe = false;
        const std::span<const Node> children(nodes_.data() + node.first, node.children);
        for (const Node& child : children) {
            best = std::max(best, child.proof);
            worst = std::min(worst, child.proof);
            safe |= child.proof == Proof::Draw;
        }
        node.safe = safe && !node.chance;
        const bool certain = node.chance ? best == worst && worst != Proof::Unknown
                                         : best == Proof::Win || worst != Proof::Unknown;
        if (certain) {
            node.proof = children.front().mover == node.mover ? best : for_opponent(best);
        }
        return certain;
    }

    Growth growth_;
    std::uint32_t max_nodes_;
    bool proofs_;
    Buffer<Node> nodes_;
    std::vector<std::uint32_t> path_;
};

}  // namespace ludus
