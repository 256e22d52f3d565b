import { parseArgs } from "node:util";

/** An option of the command line. */
export interface CommandOption {
  /** The name of its value in the help: N, FILE. */
  readonly value: string;
  /** What it does, in one line. */
  readonly about: string;
  /** The accepted numbers. Without them, any text is accepted. */
  readonly takes?: WholeNumber;
}

/** Whole numbers in a range. */
interface WholeNumber {
  readonly least: number;
  readonly most: number;
}

/** An error of the command line: what is wrong, and the help. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The options of a command, by their names. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/**
 * Reads the options of a command line. All have a value.
 *
 * @throws {UsageError} for an unknown option, and for a value that is not accepted
 */
export function readOptions<Options extends CommandOptions>(
  args: readonly string[],
  command: string,
  options: Options,
): Partial<Record<keyof Options, string>> {
  const refuse = (complaint: string) => new UsageError(`${complaint}\n\n${helpText(command, options)}`);
  const values = parse(args, options, refuse);
  for (const [name, { takes }] of Object.entries(options)) {
    const { [name]: given } = values;
    if (takes !== undefined && given !== undefined && !isTaken(given, takes))
      throw refuse(`--${name} takes a whole number from ${takes.least} to ${takes.most}, not "${given}"`);
  }
  return values;
}

/** Returns the help of a command. */
export function helpText(command: string, options: CommandOptions): string {
  const rows = Object.entries(options).map(([name, { value, about }]) => [`--${name} ${value}`, about]);
  const width = Math.max(...rows.map(([call = ""]) => call.length));
  const lines = rows.map(([call = "", about]) => `  ${call.padEnd(width)}  ${about}`);
  return [`Usage: ${command} [options]`, "", ...lines].join("\n");
}

function parse<Options extends CommandOptions>(
  args: readonly string[],
  options: Options,
  refuse: (complaint: string) => UsageError,
): Partial<Record<keyof Options, string>> {
  const types = Object.keys(options).map((name) => [name, { type: "string" as const }]);
  try {
    return parseArgs({ args: [...args], options: Object.fromEntries(types) }).values as Partial<
      Record<keyof Options, string>
    >;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    // Node adds advice on arguments that begin with a dash, which does not apply here.
    throw refuse(thrown.message.split(". To specify")[0] ?? "");
  }
}

function isTaken(text: string, { least, most }: WholeNumber): boolean {
  return /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most;
}
