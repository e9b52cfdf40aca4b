/** The evaluation as a bar beside the board; its place is kept while it is empty. */
import { el } from "../dom.js";
import { signed } from "../words.js";

/** @param {import("../play/review.js").Review} review */
export function bar(review) {
  const { session, analysis } = review;
  const level = el("span", { class: "level" });
  const number = el("span", { class: "figure" });
  const whole = el("div", { class: "bar", role: "img", "aria-label": "Evaluation" }, level, number);
  const draw = () => {
    const { on, about, thought, truth } = analysis.insight.value;
    const { scene, history } = session.table.value;
    const known = review.graph.value.marks[history.at]?.value ?? null;
    const current = about === scene ? (truth?.known ? truth.value : thought?.value) : null;
    const mine = current === null || current === undefined ? known : scene?.player === 0 ? current : -current;
    whole.classList.toggle("off", !on || mine === null);
    if (mine === null) return;
    level.style.height = `${50 + 50 * mine}%`;
    number.textContent = signed(mine);
    whole.setAttribute("aria-label", `Evaluation ${signed(mine)} for the first player`);
  };
  analysis.insight.watch(draw);
  review.graph.watch(draw);
  session.table.watch(draw);
  return whole;
}
