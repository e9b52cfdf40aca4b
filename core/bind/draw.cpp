// Drawing from policies, as Python sees it.
#include "../play/draw.hpp"

#include "kernels.hpp"

namespace ludus {

namespace {

using Flags = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::size_t draw_actions(Numbers logits, Flags masks, nb::handle chances, nb::handle actions,
                         nb::handle logs) {
    require(logits.shape(0) == masks.shape(0) && logits.shape(1) == masks.shape(1),
            "logits and masks have the same shape");
    const std::size_t count = masks.shape(0);
    HeldArrays held;
    const auto chosen = held.rows<double>(chances, count, "chances", "float64");
    const auto out = held.rows<std::int32_t>(actions, count, "actions", "int32");
    const auto told = held.rows<float>(logs, count, "logs", "float32");
    require(chosen.size() == count && out.size() == count && told.size() == count,
            "chances, actions and logs are arrays, not None");
    for (const double chance : chosen) require(chance >= 0 && chance < 1, "chances are in [0, 1)");
    return draw({{logits.data(), logits.size()}, {masks.data(), masks.size()}, chosen}, out, told);
}

}  // namespace

void bind_draw(nb::module_& module) {
    module.def("draw", &draw_actions, nb::arg("logits").noconvert(), nb::arg("masks").noconvert(),
               nb::arg("chances"), nb::arg("actions"), nb::arg("logs"));
}

}  // namespace ludus
