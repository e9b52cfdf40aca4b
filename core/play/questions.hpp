// What a network is asked about positions: about each once, and about symmetric ones together.
#pragma once

#include <cmath>
#include <limits>
#include <unordered_map>

#include "evaluations.hpp"

namespace ludus {

// Priors are of the image that was asked about; `Ticket::symmetry` leads there.
struct Answer {
    std::span<const Prior> priors;
    float value;
};

struct Ticket {
    std::size_t question = 0;
    int symmetry = 0;
};

template <Game G>
class Questions {
  public:
    // Priors are made flatter by a temperature above 1.
    Questions(std::size_t cache, bool symmetric, double temperature)
        : remembers_(cache > 0),
          symmetric_(symmetric),
          sharpness_(static_cast<float>(1 / temperature)),
          known_(std::max<std::size_t>(cache, 1)) {}

    std::size_t size() const { return asked_.size(); }
    const G& position(std::size_t question) const { return asked_[question].position; }

    // True if what the network says is known already; else the position is among the questions,
    // and the ticket says where.
    bool find_answer(const G& position, Ticket& ticket, Answer& answer) {
        const auto [key, symmetry] = image(position);
        ticket.symmetry = symmetry;
        if (remembers_) {
            answer.priors = known_.find(key, answer.value);
            if (!answer.priors.empty()) return true;
        }
        G asked = symmetry ? position.transformed(symmetry) : position;
        // A class written in Python may give one hash to many positions.
        const auto at = index_.find(key);
        if (at != index_.end() && asked_[at->second].position == asked) {
            ticket.question = at->second;
            return false;
        }
        asked_.push_back({key, std::move(asked)});
        ticket.question = asked_.size() - 1;
        index_.emplace(key, ticket.question);
        return false;
    }

    // The first question whose answer has a number that is none; size() if all are good.
    std::size_t first_bad(std::span<const float> logits, std::span<const float> values,
                          std::size_t actions) const {
        for (std::size_t i = 0; i < asked_.size(); ++i) {
            bool good = std::isfinite(values[i]);
            const G& position = asked_[i].position;
            for (const Action a : position.legal()) {
                good = good && std::isfinite(logits[i * actions + position.seen(a)]);
            }
            if (!good) return i;
        }
        return asked_.size();
    }

    // Takes logits over actions, of which only the legal ones count, and values.
    void take(std::span<const float> logits, std::span<const float> values, std::size_t actions) {
        for (std::size_t i = 0; i < asked_.size(); ++i) {
            Asked& asked = asked_[i];
            softmax(asked, logits.subspan(i * actions, actions));
            asked.value = std::clamp(values[i], -1.0f, 1.0f);
            if (remembers_) known_.put(asked.key, asked.priors, asked.value);
        }
    }

    Answer answer(const Ticket& ticket) const {
        const Asked& asked = asked_[ticket.question];
        return {asked.priors, asked.value};
    }

    // The questions were answered.
    void clear() {
        asked_.clear();
        index_.clear();
    }

    // The network is another one.
    void forget() {
        known_.clear();
        clear();
    }

  private:
    struct Asked {
        std::uint64_t key;
        G position;
        std::vector<Prior> priors{};
        float value = 0;
    };

    // Of all symmetric positions the one with the lowest key, and how to get there.
    std::pair<std::uint64_t, int> image(const G& position) const {
        std::pair<std::uint64_t, int> lowest{position.key(), 0};
        if (!symmetric_) return lowest;
        for (int s = 1; s < position.num_symmetries(); ++s) {
            lowest = std::min(lowest, {position.transformed(s).key(), s});
        }
        return lowest;
    }

    void softmax(Asked& asked, std::span<const float> logits) const {
        asked.priors.clear();
        float highest = -std::numeric_limits<float>::infinity();
        for (const Action a : asked.position.legal()) {
            asked.priors.push_back({a, logits[asked.position.seen(a)] * sharpness_});
            highest = std::max(highest, asked.priors.back().share);
        }
        float sum = 0;
        for (Prior& prior : asked.priors) sum += prior.share = std::exp(prior.share - highest);
        for (Prior& prior : asked.priors) prior.share /= sum;
    }

    bool remembers_, symmetric_;
    float sharpness_;
    Evaluations known_;
    std::vector<Asked> asked_;
    std::unordered_map<std::uint64_t, std::size_t> index_;  // of keys among those asked
};

}  // namespace ludus
