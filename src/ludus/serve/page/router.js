/** Views by the address: `#/play/connect4` shows the view `play` with what follows. */

/**
 * @typedef {object} Place
 * @property {string[]} parts
 * @property {URLSearchParams} query
 */

/** @typedef {(place: Place) => (void | (() => void)) | Promise<void | (() => void)>} View  returns how to leave it */

/** @returns {{name: string, place: Place}} */
export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...parts] = path.split("/").map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  return { name: name || "home", place: { parts, query: new URLSearchParams(query) } };
}

/** Put an address in the bar without going there: it is where we are. @param {string} hash */
export function settle(hash) {
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

/**
 * @param {Record<string, View>} views
 * @param {View} otherwise
 * @param {(name: string) => void} shown
 */
export function route(views, otherwise, shown) {
  let leave = () => {};
  let visit = 0;
  const go = async () => {
    const { name, place } = here();
    visit += 1;
    const mine = visit;
    leave();
    leave = () => {};
    const left = await (views[name] ?? otherwise)(place);
    if (mine === visit) {
      leave = left ?? (() => {});
      shown(name);
    } else left?.();
  };
  addEventListener("hashchange", go);
  return go();
}
