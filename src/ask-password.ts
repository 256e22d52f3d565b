import { abortable } from "./abortable.ts";
import { type ErrorCode, ServiceError } from "./shared/errors.ts";
import { invalidParameter } from "./shared/failure.ts";

/** The circumstances of a question for a password. */
export interface PasswordRequest {
  /** How often the call has asked for the password of this file, with this question: 1, then 2 after a wrong password. */
  readonly attempt: number;
  /** Aborted when the call ends, so that a dialog can be closed. */
  readonly signal: AbortSignal;
}

/**
 * Returns the password of a file. Returns undefined to give up: the call then rejects with `password_required` or
 * `wrong_password`. The call rejects with an error that it throws.
 */
export type AskPassword = (
  file: Blob,
  request: PasswordRequest,
) => string | undefined | Promise<string | undefined>;

/** The errors after which the app is asked. */
const ASKED_AFTER: readonly ErrorCode[] = ["password_required", "wrong_password"];

/** Returns whether a field that was read is a function that asks for a password. */
export function isAskPassword(given: unknown): given is AskPassword {
  return typeof given === "function";
}

/**
 * Runs a job without passwords. As long as a file of it needs another password, asks the app for the password of that file
 * and runs the job again. Only the app ends this, by returning undefined or by aborting the call.
 *
 * @param files the files of the call. For one of several, `details.file_index` of the error names it
 * @param signals end the wait for an answer
 * @param run runs the job with a password for each file, or undefined
 * @throws {ServiceError} `invalid_parameter` for an answer that is no text, and what `run` throws. Throws what `ask` throws,
 *   and the reason of a signal
 */
export async function askForPasswords<Result>(
  ask: AskPassword,
  files: readonly Blob[],
  signals: readonly (AbortSignal | undefined)[],
  run: (passwords: readonly (string | undefined)[]) => Promise<Result>,
): Promise<Result> {
  const known = files.map((file) => ({ file, attempt: 0, password: undefined as string | undefined }));
  const ending = new AbortController();
  const { signal } = ending;
  try {
    for (;;) {
      try {
        return await run(known.map(({ password }) => password));
      } catch (thrown) {
        const refused = known[refusedIndex(thrown)];
        if (refused === undefined) throw thrown;
        for (const one of signals) one?.throwIfAborted();
        refused.attempt++;
        const { file, attempt } = refused;
        const asking = Promise.resolve().then(() => ask(file, { attempt, signal }));
        // An untyped app may return null, as `prompt` does.
        const answer: unknown = (await abortable(asking, signals)) ?? undefined;
        if (answer === undefined) throw thrown;
        if (typeof answer !== "string") throw noText();
        refused.password = answer;
      }
    }
  } catch (thrown) {
    ending.abort(thrown);
    throw thrown;
  } finally {
    ending.abort();
  }
}

/** Returns the index of the file whose password is missing or wrong, or -1 after any other error. */
function refusedIndex(thrown: unknown): number {
  if (!(thrown instanceof ServiceError) || !ASKED_AFTER.includes(thrown.code)) return -1;
  const { file_index: index = 0 } = thrown.details;
  return Number(index);
}

function noText(): ServiceError {
  return invalidParameter("password", 'The function "password" must return a text, or undefined to give up.');
}
