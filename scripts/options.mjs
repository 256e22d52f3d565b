// What a command of this repository takes, stated once: read by Node's own parseArgs, told by --help, and told too
// where an option is not known. Nothing outside Node may be imported here: `npm start` runs on a fresh clone.
import { parseArgs } from "node:util";

/**
 * @typedef {object} Option
 * @property {"string" | "boolean"} type
 * @property {string} about what it does, in a line
 * @property {string} [value] what stands behind it in the help: N, FILE
 * @property {string | boolean} [default]
 */

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
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // What Node adds, about arguments that begin with a dash, does not help here.
    console.error(`${error.message.split(". To specify")[0]}\n\n${helpText(usage, options)}`);
    process.exit(1);
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
