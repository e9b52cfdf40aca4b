/** Who plays: a person, a level, or an agent with a budget; as text in the address. */

/** @typedef {import("../types.js").GameOffer} GameOffer */
/**
 * @typedef {{kind: "person"}} Person
 * @typedef {{kind: "level", level: number}} AtLevel
 * @typedef {{kind: "agent", spelling: string, simulations?: number, seconds?: number}} ByName
 * @typedef {Person | AtLevel | ByName} Seat
 */

/** @type {Person} */
export const person = { kind: "person" };

/**
 * @param {Seat} seat
 * @returns {string}
 */
export function spellSeat(seat) {
  if (seat.kind === "person") return "you";
  if (seat.kind === "level") return `level${seat.level}`;
  if (seat.simulations) return `${seat.spelling}|n${seat.simulations}`;
  return seat.seconds ? `${seat.spelling}|s${seat.seconds}` : seat.spelling;
}

/**
 * @param {string | null} text
 * @returns {Seat | null}
 */
export function readSeat(text) {
  if (!text) return null;
  if (text === "you") return person;
  const level = /^level(\d{1,2})$/.exec(text);
  if (level) return { kind: "level", level: Number(level[1]) };
  const [, spelling, unit, amount] = /^([^|]{1,200})(?:\|([ns])([\d.]{1,9}))?$/.exec(text) ?? [];
  if (!spelling) return null;
  if (!unit) return { kind: "agent", spelling };
  return { kind: "agent", spelling, [unit === "n" ? "simulations" : "seconds"]: Number(amount) };
}

/**
 * What the server is asked for this seat.
 *
 * @param {AtLevel | ByName} seat
 * @param {GameOffer} offer
 * @returns {{agent: string, simulations?: number, seconds?: number}}
 */
export function wishOf(seat, offer) {
  if (seat.kind === "level") return { agent: levelOf(seat.level, offer)?.agent ?? "random" };
  const { spelling: agent, simulations, seconds } = seat;
  return { agent, ...(simulations && { simulations }), ...(seconds && { seconds }) };
}

/**
 * @param {Seat} seat
 * @param {GameOffer} offer
 */
export function nameSeat(seat, offer) {
  if (seat.kind === "person") return "You";
  if (seat.kind === "level") {
    const level = levelOf(seat.level, offer);
    return level ? `Level ${level.level}, ${level.name}` : `Level ${seat.level}`;
  }
  const title = offer.agents.find(({ spelling }) => spelling === seat.spelling)?.title;
  const budget = seat.simulations
    ? `, ${seat.simulations.toLocaleString("en")} simulations`
    : seat.seconds ? `, ${seat.seconds} s` : "";
  return (title ?? seat.spelling) + budget;
}

/**
 * @param {number} number
 * @param {GameOffer} offer
 */
export function levelOf(number, offer) {
  return offer.levels.find(({ level }) => level === number) ?? offer.levels[0];
}

/**
 * The opponent of a first visitor: beatable, but awake.
 *
 * @param {GameOffer} offer
 * @returns {Seat}
 */
export function usualOpponent(offer) {
  const { levels, agents } = offer;
  if (levels.length) return { kind: "level", level: levels[Math.min(1, levels.length - 1)].level };
  return { kind: "agent", spelling: agents[0]?.spelling ?? "random" };
}

/**
 * @param {Seat} seat
 * @returns {seat is AtLevel | ByName}
 */
export function isAgent(seat) {
  return seat.kind !== "person";
}
