import type { AskPassword } from "../../src/ask-password.ts";
import { invalidParameter } from "../../src/shared/failure.ts";
import type { Arguments } from "./arguments.ts";
import { type Command, fieldsOf } from "./commands.ts";
import { printable } from "./printable.ts";
import { isSecret, readFirstLine, type SecretName, secretOption } from "./secrets.ts";
import { askSecret, type Terminal } from "./terminal.ts";

/** How often a terminal asks for the password of a file. */
const MOST_ATTEMPTS = 3;

/** Where the secrets of a command come from. */
export interface SecretSources {
  readonly files: Arguments["secretFiles"];
  /** Those of the environment. A file goes first. */
  readonly variables: ReadonlyMap<SecretName, string>;
  readonly terminal: Terminal | undefined;
}

/** The secret fields of a call. A function asks at the terminal, when the file needs a password. */
export type Secrets = Readonly<Partial<Record<SecretName, string | AskPassword>>>;

/**
 * Returns the secrets of a command: from files, else from the environment, else, at a terminal, by asking.
 *
 * @param beforeAsking is called before each question
 * @throws {ServiceError} what `readFirstLine` throws, and `invalid_parameter` for two new passwords that differ, and for
 *   two files that both are the standard input
 */
export async function secretsOf(
  command: Command,
  { files, variables, terminal }: SecretSources,
  beforeAsking: () => void,
): Promise<Secrets> {
  const secrets = new Map<SecretName, string | AskPassword>();
  const names = Object.keys(fieldsOf(command)).filter(isSecret);
  const fromInput = names.filter((name) => files.get(name) === "-").map(secretOption);
  if (fromInput.length > 1)
    throw invalidParameter(`--${fromInput[1]}`, "Only one password can come from the standard input.");
  for (const name of names) {
    const path = files.get(name);
    const secret =
      path === undefined ? variables.get(name) : await readFirstLine(path, `--${secretOption(name)}`);
    if (secret !== undefined) secrets.set(name, secret);
  }
  if (!secrets.has("password") && terminal !== undefined) {
    const isNew = command.call === "protectPdf";
    const asked = isNew ? await newPassword(terminal) : askAt(terminal, beforeAsking);
    if (asked !== undefined) secrets.set("password", asked);
  }
  return Object.fromEntries(secrets);
}

async function newPassword(terminal: Terminal): Promise<string | undefined> {
  const password = await askSecret("New password: ", terminal);
  if (password === undefined) return undefined;
  if ((await askSecret("The same again: ", terminal)) === password) return password;
  throw invalidParameter("password", "The two passwords differ. Try again.");
}

function askAt(terminal: Terminal, beforeAsking: () => void): AskPassword {
  return (file, { attempt }) => {
    if (attempt > MOST_ATTEMPTS) return undefined;
    beforeAsking();
    const name = "name" in file ? printable(String(file.name)) : "the file";
    return askSecret(`${attempt > 1 ? "Wrong. " : ""}Password of ${name}: `, terminal);
  };
}
