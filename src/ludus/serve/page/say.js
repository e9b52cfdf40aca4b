/** What a screen reader says. */

/** @param {string} words */
export function say(words) {
  const region = document.getElementById("said");
  if (!region) return;
  // The same words twice are said twice.
  region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}
