import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { keyIn } from "../../src/http/request.ts";
import { ServiceError } from "../../src/shared/errors.ts";

/** The name of the environment variable for the key. */
export const KEY_VARIABLE = "STAYPUT_SERVICE_KEY";

/** The error message for a key on the command line. It does not repeat the key. */
export const KEY_OPTION_REFUSED =
  "--key is not an option: other users of this machine can read command lines. " +
  `Set the variable ${KEY_VARIABLE}, or name a file that holds the key with --key-file.`;

/** The key that the service requires. */
export interface ServiceKey {
  readonly text: string;
  /** Whether the key was generated. The service then prints it, because no client has it yet. */
  readonly isNew: boolean;
}

/** Returns whether a command line contains the option `--key`. */
export function hasKeyOption(args: readonly string[]): boolean {
  return args.some((arg) => arg === "--key" || arg.startsWith("--key="));
}

/**
 * Returns the key from a file, else from the environment, else a random key. Removes the key from the
 * environment, because programs that the service starts inherit the environment.
 *
 * @param path a file that contains the key; white space around the key is ignored
 * @throws the file system's error when the file cannot be read
 */
export function takeKey(path: string | undefined, environment: NodeJS.ProcessEnv): ServiceKey {
  const given = path === undefined ? environment[KEY_VARIABLE] : readFileSync(path, "utf8").trim();
  delete environment[KEY_VARIABLE];
  // An empty file gives an empty key, which the service refuses. The file is a mistake of the caller.
  if (given !== undefined && (given !== "" || path !== undefined)) return { text: given, isNew: false };
  return { text: randomBytes(16).toString("base64url"), isNew: true };
}

/**
 * Checks the key of a request. Compares hashes, because a comparison in constant time needs equal lengths.
 *
 * @throws {ServiceError} `unauthorized`
 */
export function checkKey({ headers }: Pick<IncomingMessage, "headers">, key: string): void {
  const shown = keyIn(headers.authorization) ?? "";
  const [one, other] = [shown, key].map((text) => createHash("sha256").update(text).digest());
  if (one && other && timingSafeEqual(one, other)) return;
  throw new ServiceError("unauthorized", "The key is missing or wrong.");
}
