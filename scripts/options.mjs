// What a command of this repository takes, stated once: read by Node's own parseArgs, told by --help, and told too
// where an option is not known. Nothing outside Node may be imported here: `npm start` runs on a fresh clone.
import { parseArgs } from "node:util";

/**
 * @typedef {object} Option
 * @property {"string" | "boolean"} type
 * @property {string} about what it does, in a line
 * @property {string} [value] what stands behind it in the help: N, FILE
 * @property {Taken} [takes] what it takes, where that is not any text
 * @property {string | boolean} [default]
 */

/**
 * @typedef {object} Taken
 * @property {string} words as they stand behind `--option takes`
 * @property {(text: string) => boolean} accepts
 */

/**
 * A number from `least` to `most`.
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
 * A whole number from `least` to `most`.
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
 * A number over 0.
 *
 * @type {Taken}
 */
export const POSITIVE = {
  words: "a number over 0",
  accepts: (text) => Number.isFinite(Number(text)) && Number(text) > 0,
};

/**
 * One of a few words.
 *
 * @param {readonly string[]} words
 * @returns {Taken}
 */
export function oneOf(words) {
  return { words: `one of ${words.join(", ")}`, accepts: (text) => words.includes(text) };
}

/**
 * One, or several with commas between.
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
 * The options that a command was given. Tells what there are, and ends the process, where that is asked for (0), or
 * where something else is given (1).
 *
 * @template {Record<string, Option>} Options
 * @template {boolean} [Positionals=false]
 * @param {string} usage how the command is called, up to its options: `npm run fuzz -- [DIR]`
 * @param {Options} options
 * @param {Positionals} [allowPositionals] whether it takes more than options
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
    // What Node adds, about arguments that begin with a dash, does not help here.
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
