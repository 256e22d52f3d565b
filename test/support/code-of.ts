import { ServiceError } from "../../src/shared/errors.ts";

/** Returns the code of the error that a call ends with, or `none`. An error without a code is thrown. */
export async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return "none";
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown.code;
    throw thrown;
  }
}
