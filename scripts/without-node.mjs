import { isBuiltin } from "node:module";

const EMPTY = "\0only-in-node";

/** The folder of a module, where a package looks for its files in Node. */
const FOLDER = /new URL\((["'])\.\/\1,\s*import\.meta\.url\)/g;

/**
 * Returns a plugin for rolldown and for Vite that removes what packages use in Node only. They find out where they run, so
 * browsers never reach that code, but bundlers warn about it.
 */
export function withoutNode() {
  return {
    name: "without-node",
    // Before Vite, which replaces the modules of Node itself and warns.
    enforce: /** @type {const} */ ("pre"),
    /** @param {string} source */
    resolveId: (source) => (isBuiltin(source) ? EMPTY : null),
    /** @param {string} id */
    load: (id) => (id === EMPTY ? "export default undefined;" : null),
    /** @type {(code: string, id: string) => { code: string, map: null } | null} */
    transform(code, id) {
      const rest = id.includes("node_modules") ? code.replaceAll(FOLDER, '""') : code;
      return rest === code ? null : { code: rest, map: null };
    },
  };
}
