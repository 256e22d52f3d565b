import { readFile, writeFile } from "node:fs/promises";
import { ServiceError } from "../../../src/shared/errors.ts";
import { mergeBytes } from "../../support/engine.ts";
import { answerRequests } from "../forked-program.ts";
import { outcomeOfError } from "../pdf/subject.ts";

/** The child process in which our engine merges documents of the corpus. */

export interface MergeRequest {
  readonly documents: readonly {
    readonly path: string;
    readonly title: string;
    readonly password?: string;
    readonly pages?: string;
  }[];
  readonly output: string;
}

async function merge({ documents, output }: MergeRequest): Promise<readonly string[]> {
  const inputs = documents.map(async ({ path, ...options }) => ({ bytes: await readFile(path), ...options }));
  await writeFile(output, await mergeBytes(await Promise.all(inputs)));
  return [output];
}

answerRequests(merge, (error) => {
  if (error instanceof ServiceError) return outcomeOfError(error.code, error.message);
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: "untyped error", message };
});
