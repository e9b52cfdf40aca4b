/** The beginning: what the server offers, the address, the views. */
import { api, link } from "./api.js";
import { el, fill } from "./dom.js";
import { route } from "./router.js";
import { say } from "./say.js";
import { seenTheme, settings } from "./settings.js";
import { Thoughts } from "./socket.js";
import { homeView } from "./views/home.js";
import { learnView } from "./views/learn.js";
import { playView } from "./views/play.js";
import { puzzleView } from "./views/puzzle.js";
import { runView } from "./views/run.js";
import { runsView } from "./views/runs.js";
import { sorry } from "./views/sorry.js";
import { tournamentView } from "./views/tournament.js";

/**
 * @typedef {object} House  what every view is given
 * @property {import("./types.js").Catalogue} catalogue
 * @property {Thoughts} thoughts
 * @property {HTMLElement} main
 */

/** @param {string} id */
const find = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Errors that a view did not expect are shown, not lost. @param {House} house @param {import("./router.js").View} view @returns {import("./router.js").View} */
const guarded = (house, view) => async (place) => {
  try {
    return await view(place);
  } catch (error) {
    return sorry(house.main, error instanceof Error ? error.message : String(error));
  }
};

function header() {
  const [theme, sound] = [find("theme"), find("sound")];
  theme.onclick = () => settings.set({ theme: seenTheme() === "dark" ? "light" : "dark" });
  sound.onclick = () => settings.set({ sound: !settings.value.sound });
  settings.watch(() => {
    theme.setAttribute("aria-pressed", String(seenTheme() === "dark"));
    sound.setAttribute("aria-pressed", String(settings.value.sound));
  });
  link.watch(({ up }, before) => {
    find("lost").hidden = up;
    if (up !== before.up) say(up ? "The connection is back." : "The connection is lost; trying again.");
  });
}

async function begin() {
  header();
  const main = find("main");
  fill(main, el("p", { class: "waiting" }, "Asking what there is to play"));
  /** @type {House} */
  const house = { catalogue: await api.games(), thoughts: new Thoughts(), main };
  const runs = guarded(house, runsView(house));
  const run = guarded(house, runView(house));
  const views = {
    home: homeView(house),
    play: playView(house),
    learn: learnView(house),
    puzzle: puzzleView(house),
    tournament: tournamentView(house),
  };
  const safe = Object.fromEntries(Object.entries(views).map(([name, view]) => [name, guarded(house, view)]));
  await route({ ...safe, runs: (place) => (place.parts[0] ? run(place) : runs(place)) },
    () => sorry(main, "There is no such page."),
    (name) => {
      for (const one of document.querySelectorAll("header nav a")) {
        const current = /** @type {HTMLElement} */ (one).dataset.view === (name === "tournament" ? "runs" : name === "home" ? "play" : name);
        if (current) one.setAttribute("aria-current", "page");
        else one.removeAttribute("aria-current");
      }
      const title = main.querySelector("h1")?.textContent;
      document.title = title ? `${title} · ludus` : "ludus";
      scrollTo(0, 0);
    });
}

begin().catch((error) => sorry(find("main"), error instanceof Error ? error.message : String(error)));
