// Reads the options of a command of this repository, and prints them for --help and after a wrong option. This file may
// import only Node's modules, because `npm start` runs on a fresh clone.
import { parseArgs } from "node:util";

/**
 * @typedef {object} Option
 * @property {"string" | "boolean"} type
 * @property {string} about what it does, in one line
 * @property {string} [value] the name of its value in the help: N, FILE
 * @property {Taken} [takes] the accepted values; any text when absent
 * @property {string | boolean} [default]
 */

/**
 * @typedef {object} Taken
 * @property {string} words the text after `--option takes`
 * @property {(text: string) => boolean} accepts
 */

/**
 * Accepts numbers from `least` to `most`.
 *
 * @param {number} least
 * @param {number} [most]
 * @returns {Taken}
 */
export function number(least, most = Number.POSITIVE_INFINITY) {
  return {
    words: `a number from ${least}${most === Number.POSITIVE_INFINITY ? "" : ` to ${most}`}`,
    accepts: (text) => text.trim() !== "" && Number(text) >= least && Number(text) <= most,
  };
}

/**
 * Accepts whole numbers from `least` to `most`.
 *
 * @param {number} least
 * @param {number} [most]
 * @returns {Taken}
 */
export function wholeNumber(least, most) {
  const { words, accepts } = number(least, most);
  return {
    words: words.replace("a number", "a whole number"),
    accepts: (text) => accepts(text) && Number.isSafeInteger(Number(text)),
  };
}

/**
 * Accepts numbers over 0.
 *
 * @type {Taken}
 */
export const POSITIVE = {
  words: "a number over 0",
  accepts: (text) => Number.isFinite(Number(text)) && Number(text) > 0,
};

/**
 * Accepts one of a few words.
 *
 * @param {readonly string[]} words
 * @returns {Taken}
 */
export function oneOf(words) {
  return { words: `one of ${words.join(", ")}`, accepts: (text) => words.includes(text) };
}

/**
 * Accepts one value, or several with commas between.
 *
 * @param {Taken} each
 * @returns {Taken}
 */
export function listOf(each) {
  return {
    words: `${each.words}, or several with commas between`,
    accepts: (text) => text.split(",").every(each.accepts),
  };
}

/**
 * Returns the options of the command line. With --help, prints all options and ends the process with 0. After a wrong
 * option, prints them and ends the process with 1.
 *
 * @template {Record<string, Option>} Options
 * @template {boolean} [Positionals=false]
 * @param {string} usage the command up to its options: `npm run fuzz -- [DIR]`
 * @param {Options} options
 * @param {Positionals} [allowPositionals] whether it takes arguments that are not options
 */
export function readOptions(usage, options, allowPositionals) {
  if (process.argv.slice(2).includes("--help")) {
    console.log(helpText(usage, options));
    process.exit(0);
  }
  /**
   * @param {string} complaint
   * @returns {never}
   */
  const refuse = (complaint) => {
    console.error(`${complaint}\n\n${helpText(usage, options)}`);
    process.exit(1);
  };
  const given = parse(options, allowPositionals, refuse);
  /** @type {Readonly<Record<string, unknown>>} */
  const values = given.values;
  for (const [name, { takes }] of Object.entries(options)) {
    const text = values[name];
    if (takes !== undefined && typeof text === "string" && !takes.accepts(text)) {
      refuse(`--${name} takes ${takes.words}, not "${text}"`);
    }
  }
  return given;
}

/**
 * @template {Record<string, Option>} Options
 * @template {boolean} [Positionals=false]
 * @param {Options} options
 * @param {Positionals | undefined} allowPositionals
 * @param {(complaint: string) => never} refuse
 */
function parse(options, allowPositionals, refuse) {
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node adds advice on arguments that begin with a dash, which does not apply here.
    return refuse(error.message.split(". To specify")[0] ?? "");
  }
}

/**
 * @param {string} usage
 * @param {Record<string, Option>} options
 */
function helpText(usage, options) {
  const rows = Object.entries(options).map(([name, option]) => ({
    call: `--${name}${option.type === "string" ? ` ${option.value ?? "TEXT"}` : ""}`,
    about: `${option.about}${option.default ? ` (${option.default} when absent)` : ""}`,
  }));
  const width = Math.max(...rows.map(({ call }) => call.length));
  return [
    `Usage: ${usage} [options]`,
    "",
    ...rows.map(({ call, about }) => `  ${call.padEnd(width)}  ${about}`),
  ].join("\n");
}
