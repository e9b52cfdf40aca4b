// Games by their spellings, with every parameter spelled out, for the native test programs.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>

#include "all_games.hpp"

namespace ludus {

inline void hold(bool condition, const char* law, const std::string& text = "") {
    if (condition) return;
    std::fprintf(stderr, "broken: %s %s\n", law, text.c_str());
    std::exit(1);
}

template <class Number>
Number number(const std::string& text) {
    std::istringstream in(text);
    Number value;
    hold(static_cast<bool>(in >> value), "not a number:", text);
    return value;
}

inline void assign(bool& field, const std::string& text) {
    field = text == "True";
}
inline void assign(int& field, const std::string& text) {
    field = number<int>(text);
}
inline void assign(double& field, const std::string& text) {
    field = number<double>(text);
}
inline void assign(std::optional<int>& field, const std::string& text) {
    field = text == "None" ? std::nullopt : std::optional(number<int>(text));
}
template <class Enum>
    requires std::is_enum_v<Enum>
void assign(Enum& field, const std::string& text) {
    for (int i = 0; const char* name : names(Enum{})) {
        if (text == name) field = static_cast<Enum>(i);
        ++i;
    }
}

template <class Parameters>
Parameters read(const std::string& spelled) {
    Parameters parameters;
    std::istringstream in(spelled);
    for (std::string part; std::getline(in, part, ',');) {
        const auto equals = part.find('=');
        parameters.visit([&](const char* name, auto& field) {
            if (part.substr(0, equals) == name) assign(field, part.substr(equals + 1));
        });
    }
    return parameters;
}

// Calls `work` for the game that is named, with its parameters as they are spelled.
void with_spelled(const std::string& spelling, auto work) {
    const std::string name = spelling.substr(0, spelling.find(':'));
    const std::string rest = spelling.size() > name.size() ? spelling.substr(name.size() + 1) : "";
#define GAME(game) \
    if (name == #game) return work.template operator()<game>(rest);
#include "games.inc"
#undef GAME
    hold(false, "no game", name);
}

}  // namespace ludus
