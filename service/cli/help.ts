import { COMMANDS, type Command, fieldsOf, PROGRAM, takesAllFiles } from "./commands.ts";
import { EXIT_CODES, type ExitCode, errorsOf } from "./exit-codes.ts";
import { type Option, optionsOf } from "./options.ts";
import { isSecret, SECRET_VARIABLES } from "./secrets.ts";

/** Returns the help of the program: its commands and exit codes. */
export function programHelp(): string {
  const exits = Object.entries(EXIT_CODES).map(([code, about]) => {
    const errors = errorsOf(Number(code) as ExitCode);
    return [code, Number(code) > 1 && errors.length > 0 ? `${about} (${errors.join(", ")})` : about] as const;
  });
  return [
    `Usage: ${PROGRAM} <command> file… [options]`,
    `       ${PROGRAM} [serve] [options]`,
    "",
    "Commands:",
    ...columns(COMMANDS.map(({ name, about }) => [name, about])),
    ...columns([["serve", "starts the HTTP service. Also without a command"]], 8),
    "",
    `${PROGRAM} <command> --help prints the options of a command, --version the version.`,
    "",
    "Exit codes. After several files, the first failure decides, and the others are tried:",
    ...columns(exits),
    "",
  ].join("\n");
}

/** Returns the help of a command: its fields, other options, and an example. */
export function commandHelp(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const rows = (kind: "field" | "other") =>
    options
      .filter(([, { target }]) => (target.kind === "setting") === (kind === "other"))
      .map(([name, option]) => [callOf(name, option), option.about + necessity(command, option)] as const);
  const all = [...rows("field"), ...rows("other")];
  const width = Math.max(...all.map(([call]) => call.length));
  const secrets = Object.keys(fieldsOf(command)).filter(isSecret);
  const variables = secrets.map((name) => SECRET_VARIABLES[name]).join(" or ");
  return [
    `Usage: ${PROGRAM} ${command.name} file… [options]`,
    "",
    `${sentence(command.about)} ${takesAllFiles(command) ? "All files become one." : "Each file is a call of its own."}`,
    "",
    ...(rows("field").length > 0 ? ["Fields:", ...columns(rows("field"), width), ""] : []),
    "Options:",
    ...columns(rows("other"), width),
    "",
    `Passwords also come from ${variables}. Else a terminal asks, if a file needs one.`,
    "",
    `Example: ${PROGRAM} ${command.example}`,
    "",
  ].join("\n");
}

function callOf(name: string, { value, short }: Option): string {
  return `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
}

/** Says whether a field must be given. Passwords may be asked for. */
function necessity(command: Command, { target }: Option): string {
  return target.kind === "field" && fieldsOf(command)[target.name]?.required ? ". Required" : "";
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function columns(
  rows: readonly (readonly [name: string, about: string])[],
  width = Math.max(...rows.map(([name]) => name.length)),
): string[] {
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
}
