/** The game out of here and into here: its address, its moves, its record, its position. */
import { api } from "../api.js";
import { el } from "../dom.js";
import { addressOf } from "../play/address.js";
import { lineAt } from "../play/history.js";
import { nameSeat } from "../play/seats.js";
import { say } from "../say.js";

/** @param {import("../play/session.js").Session} session */
export function share(session) {
  const text = el("textarea", { id: "exchange", rows: 5, spellcheck: "false", placeholder: "Moves, a record or a position" });
  const told = el("p", { class: "told", role: "status" });
  const line = () => session.table.value.history;
  const names = () => session.table.value.seats.map((seat) => nameSeat(seat, session.offer));

  /** @param {() => Promise<string>} act */
  const guarded = (act) => async () => {
    try {
      told.textContent = await act();
    } catch (error) {
      told.textContent = /** @type {Error} */ (error).message;
    }
  };
  /** @param {"text" | "record"} form */
  const written = async (form) => {
    const found = await api.record(lineAt(line(), line().tokens.length), names(), session.table.value.resigned);
    const text = found[form];
    if (text === null) throw new Error(found.why);
    return text;
  };
  const copy = guarded(async () => {
    await navigator.clipboard.writeText(`${location.origin}/${addressOf(line())}`);
    return "The address is copied.";
  });
  const save = guarded(async () => {
    const file = new Blob([await written("record")], { type: "application/json" });
    const link = el("a", { href: URL.createObjectURL(file), download: `${session.offer.name}.jsonl` });
    link.click();
    URL.revokeObjectURL(link.href);
    return "The record is saved.";
  });
  const take = guarded(async () => {
    const { line: found } = await api.parse(given(text.value.trim(), line()));
    location.hash = addressOf({ ...found, at: found.tokens.length }, session.table.value.seats);
    say("The game is read.");
    return "";
  });
  const button = (/** @type {string} */ name, /** @type {() => void} */ act) => el("button", { type: "button", class: "quiet", onclick: act }, name);
  return el("section", { class: "share" },
    el("div", { class: "trio" }, button("Copy the address", copy),
      button("Show the moves", guarded(async () => { text.value = await written("text"); return ""; })),
      button("Show the position", () => { text.value = session.table.value.scene?.text ?? ""; })),
    el("label", { for: "exchange", class: "unseen" }, "Moves, a record or a position"), text,
    el("div", { class: "trio" }, button("Read it", take),
      button("Show the record", guarded(async () => { text.value = await written("record"); return ""; })),
      button("Save the record", save)),
    told);
}

/**
 * What a text is: a record is JSON; moves go on from the start; anything else is a position.
 *
 * @param {string} text
 * @param {import("../types.js").Line} line
 */
function given(text, { game }) {
  if (!text) throw new Error("There is nothing to read.");
  if (text.startsWith("{")) return { record: text };
  const position = /[/:]|\.\./.test(text) && !/^[a-h]\d\//.test(text);
  return position ? { game, position: text } : { game, moves: text };
}
