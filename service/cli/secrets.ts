import { createReadStream } from "node:fs";
import type { ServiceError } from "../../src/shared/errors.ts";
import { invalidParameter } from "../../src/shared/failure.ts";
import { systemCode } from "../platform/system-error.ts";
import { fileError } from "./file-errors.ts";

/** The fields that never stand on a command line, and the environment variable of each. */
export const SECRET_VARIABLES = {
  password: "STAYPUT_PASSWORD",
  owner_password: "STAYPUT_OWNER_PASSWORD",
} as const;

/** The name of a field that is secret. */
export type SecretName = keyof typeof SECRET_VARIABLES;

/** The longest first line that is read. A password has at most 127 bytes. */
const LONGEST_LINE = 4096;

export function isSecret(field: string): field is SecretName {
  return Object.hasOwn(SECRET_VARIABLES, field);
}

/** Returns the name of the option for the file that holds a secret. */
export function secretOption(name: SecretName): string {
  return `${name.replace("_", "-")}-file`;
}

/** Returns the error for a secret on the command line. It does not repeat the secret. */
export function secretRefused(name: SecretName): ServiceError {
  const option = name.replace("_", "-");
  return invalidParameter(
    `--${option}`,
    `--${option} is not an option: other users of this machine can read command lines. Name a file that holds ` +
      `the password with --${secretOption(name)}, or set the variable ${SECRET_VARIABLES[name]}.`,
  );
}

/**
 * Returns the secrets of the environment, and removes them from it. An empty variable counts as absent.
 *
 * @param environment `process.env`
 */
export function takeVariables(environment: NodeJS.ProcessEnv): ReadonlyMap<SecretName, string> {
  const found = new Map<SecretName, string>();
  for (const name of Object.keys(SECRET_VARIABLES).filter(isSecret)) {
    const value = environment[SECRET_VARIABLES[name]];
    delete environment[SECRET_VARIABLES[name]];
    if (value) found.set(name, value);
  }
  return found;
}

/**
 * Reads the first line of a file, without its line break.
 *
 * @param path `-` is the standard input
 * @param option the option that names the file, for messages
 * @throws {ServiceError} `not_found` or `forbidden` for a file that cannot be read, `invalid_parameter` for a
 *   folder, and for a line that is not in UTF-8, or too long to be a password
 */
export async function readFirstLine(path: string, option: string): Promise<string> {
  const source = path === "-" ? process.stdin : createReadStream(path);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of source) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      length += bytes.length;
      if (bytes.includes("\n") || length > LONGEST_LINE) break;
    }
  } catch (thrown) {
    if (systemCode(thrown) === "EISDIR")
      throw invalidParameter(option, `"${path}" is a folder. Name a file that holds the password.`);
    throw fileError(thrown, path, "read");
  }
  const all = Buffer.concat(chunks);
  const end = all.indexOf("\n");
  const line = end === -1 ? all : all.subarray(0, end);
  if (line.length > LONGEST_LINE)
    throw invalidParameter(option, `The first line of the file of ${option} is too long to be a password.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line).replace(/\r$/, "");
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw invalidParameter(option, `The file of ${option} is not in UTF-8. Save it in UTF-8.`);
  }
}
