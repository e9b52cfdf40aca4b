/** Which action a thought comes to. */

/** @typedef {import("../types.js").Thought} Thought */

/**
 * The agent's own choice if the server says it; else drawn from the policy for agents that draw,
 * and the likeliest for all others.
 *
 * @param {Thought} thought
 * @param {string} agent
 * @returns {number}
 */
export function choiceOf(thought, agent) {
  if (typeof thought.action === "number") return thought.action;
  if (/^random\b|[:,](epsilon|temperature)=/.test(agent)) return drawn(thought);
  return likeliest(thought);
}

/** @param {Thought} thought */
export function likeliest({ moves }) {
  return moves.reduce((best, one) => (one.policy > best.policy ? one : best)).action;
}

/** @param {Thought} thought */
function drawn({ moves }) {
  let left = Math.random() * moves.reduce((sum, { policy }) => sum + policy, 0);
  for (const { action, policy } of moves) {
    left -= policy;
    if (left <= 0) return action;
  }
  return moves[moves.length - 1].action;
}
