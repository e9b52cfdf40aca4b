/** Elements made in one line; text is always text, never markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * @param {Element} element
 * @param {Record<string, unknown>} properties
 */
function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") element.textContent = String(value);
    else if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An HTML element: `el("button", { class: "quiet", onclick: f }, "New game")`.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, properties);
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(asNode(child));
  }
  return element;
}

/**
 * @param {Node | string | number} child
 * @returns {Node | string}
 */
function asNode(child) {
  return typeof child === "number" ? String(child) : child;
}

/**
 * A shape of SVG.
 *
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function shape(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  dress(element, properties);
  element.append(...children);
  return element;
}

/**
 * The picture that the server has drawn; read as XML, in which no script runs when adopted.
 *
 * @param {string} text
 * @returns {SVGSVGElement}
 */
export function picture(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("the picture of this position is damaged");
  root.querySelectorAll("script, foreignObject").forEach((found) => found.remove());
  return /** @type {any} */ (document.importNode(root, true));
}

/**
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  const kept = children.filter((child) => child !== null && child !== undefined && child !== false);
  parent.replaceChildren(...kept.map((child) => asNode(/** @type {Node | string} */ (child))));
}

/**
 * A symbol of our own set in index.html, and words for those who do not see it.
 *
 * @param {string} name
 */
export function icon(name) {
  const drawn = shape("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" });
  drawn.append(shape("use", { href: `#icon-${name}` }));
  return drawn;
}

/**
 * A button with a symbol; its name is read aloud and shown on hover.
 *
 * @param {string} symbol
 * @param {string} name
 * @param {() => void} act
 * @param {string} [key]
 */
export function tool(symbol, name, act, key) {
  const title = key ? `${name} (${key})` : name;
  return el("button", { type: "button", class: "tool", "aria-label": name, title, onclick: act }, icon(symbol));
}
