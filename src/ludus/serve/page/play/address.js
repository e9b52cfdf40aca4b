/** The game in the address: `#/play/connect4:rows=5/3.3.4?first=you&second=level2`. */
import { history } from "./history.js";
import { readSeat, spellSeat } from "./seats.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {import("./seats.js").Seat} Seat */

/** @param {string} text */
const plain = (text) => encodeURIComponent(text).replace(/%(3A|3D|2C|2F|40)/g, decodeURIComponent);

/**
 * @param {History} line
 * @param {Seat[]} seats
 */
export function addressOf({ game, start, tokens, at }, seats = []) {
  const query = [];
  if (start !== null) query.push(`start=${encodeURIComponent(start)}`);
  if (at !== tokens.length) query.push(`at=${at}`);
  ["first", "second"].forEach((name, player) => {
    if (seats[player]) query.push(`${name}=${plain(spellSeat(seats[player]))}`);
  });
  const moves = tokens.length ? `/${tokens.join(".")}` : "";
  return `#/play/${plain(game).replace(/\//g, "%2F")}${moves}${query.length ? `?${query.join("&")}` : ""}`;
}

/**
 * @param {string[]} parts  of the path, after "play"
 * @param {URLSearchParams} query
 * @returns {{line: History, seats: (Seat | null)[]}}
 */
export function readAddress([game, moves = ""], query) {
  const tokens = moves.split(".").filter(Boolean).map((word) => {
    if (!/^\d{1,6}(~\d{1,6})?$/.test(word)) throw new Error(`no move ${word.slice(0, 20)} can be in an address`);
    return word.includes("~") ? word : Number(word);
  });
  const at = query.get("at");
  const line = history(game, query.get("start"), tokens, at === null ? tokens.length : Number(at) || 0);
  return { line, seats: [readSeat(query.get("first")), readSeat(query.get("second"))] };
}
