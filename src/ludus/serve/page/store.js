/** A value that tells when it changes. */

/**
 * @template {object} T
 * @typedef {object} Store
 * @property {T} value
 * @property {(patch: Partial<T>) => void} set
 * @property {(listener: (value: T, before: T) => void) => () => void} watch  returns how to stop
 */

/**
 * @template {object} T
 * @param {T} first
 * @returns {Store<T>}
 */
export function store(first) {
  let value = first;
  /** @type {Set<(value: T, before: T) => void>} */
  const listeners = new Set();
  return {
    get value() {
      return value;
    },
    set(patch) {
      const before = value;
      value = { ...value, ...patch };
      for (const listener of [...listeners]) listener(value, before);
    },
    watch(listener) {
      listeners.add(listener);
      listener(value, value);
      return () => listeners.delete(listener);
    },
  };
}
