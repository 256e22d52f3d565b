import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

/** The variable that may hold the key. */
export const KEY_VARIABLE = "STAYPUT_SERVICE_KEY";

/** Why a key has no place among the options, and where it belongs. Does not repeat what was given. */
export const KEY_OPTION_REFUSED =
  "--key is not an option: other users of this machine can read command lines. " +
  `Set the variable ${KEY_VARIABLE}, or name a file that holds the key with --key-file.`;

/** The key that the service asks for. */
export interface ServiceKey {
  readonly text: string;
  /** Whether it is a random one, which is not known yet to anyone who is to use the service. */
  readonly isNew: boolean;
}

/** Whether a command line holds a key. */
export function hasKeyOption(args: readonly string[]): boolean {
  return args.some((arg) => arg === "--key" || arg.startsWith("--key="));
}

/**
 * The key from a file, else from the environment, else a random one. Takes it out of the environment, which the
 * programs that the service starts would inherit.
 *
 * @param path of a file whose text, without the space around it, is the key
 * @throws what keeps the file from being read
 */
export function takeKey(path: string | undefined, environment: NodeJS.ProcessEnv): ServiceKey {
  const given = path === undefined ? environment[KEY_VARIABLE] : readFileSync(path, "utf8").trim();
  delete environment[KEY_VARIABLE];
  // An empty file is a mistake, which the service refuses.
  if (given !== undefined && (given !== "" || path !== undefined)) return { text: given, isNew: false };
  return { text: randomBytes(16).toString("base64url"), isNew: true };
}
