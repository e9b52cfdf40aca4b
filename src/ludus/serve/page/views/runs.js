/** Trainings, tournaments and reports of the folder that the server was given. */
import { api } from "../api.js";
import { el, fill } from "../dom.js";

/**
 * @param {import("../main.js").House} house
 * @returns {import("../router.js").View}
 */
export function runsView({ main }) {
  return async () => {
    const { runs, tournaments, reports } = await api.runs();
    const nothing = !runs.length && !tournaments.length && !reports.length;
    fill(main, el("section", { class: "shelf" }, el("h1", {}, "Runs"),
      nothing && el("p", { class: "empty" }, "There is no training here yet. Begin one with ", el("code", {}, "ludus train ppo connect4"), ", and watch it here."),
      runs.length > 0 && el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Trainings" }, el("table", { class: "list" },
        el("thead", {}, el("tr", {}, ...["Run", "Game", "Method", "Steps", ""].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...runs.map((run) => el("tr", {},
          el("th", { scope: "row" }, run.damage ? run.name : el("a", { href: `#/runs/${encodeURIComponent(run.id)}` }, run.name)),
          ...(run.damage
            ? [el("td", { colspan: 4 }, run.damage)]
            : [el("td", {}, run.game), el("td", {}, run.algorithm), el("td", { class: "number" }, run.steps.toLocaleString("en")),
              el("td", {}, run.live && el("span", { class: "live" }, "at work"))])))))),
      tournaments.length > 0 && el("h2", {}, "Tournaments"),
      tournaments.length > 0 && el("ul", { class: "plain" }, ...tournaments.map(({ id, name, game, agents }) =>
        el("li", {}, el("a", { href: `#/tournament/${encodeURIComponent(id)}` }, name), ` ${game}, ${agents.length} agents`))),
      reports.length > 0 && el("h2", {}, "Reports"),
      reports.length > 0 && el("ul", { class: "plain" }, ...reports.map(({ id, name }) =>
        el("li", {}, el("a", { href: `/api/reports/${encodeURIComponent(id)}`, target: "_blank", rel: "noopener" }, name))))));
  };
}
