// What every unit of the bindings reads first, read once for all of them.
#pragma once

#include "batched_opponents.hpp"
#include "kernels.hpp"
#include "search_alphabeta.hpp"
#include "selfplay.hpp"
#include "versus.hpp"
