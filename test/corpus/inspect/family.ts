import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ServiceError } from "../../../src/shared/errors.ts";
import type { Inspection } from "../../../src/shared/protocol.ts";
import { bufferSource } from "../../../workers/io/source.ts";
import { inspectPdf } from "../../../workers/pdf/inspect.ts";
import { contextOf } from "../../support/memory-context.ts";
import { differenceOf, inspectNatively } from "../../support/native-inspection.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { type CorpusFamily, isPdf, type Row, rowOf } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { EXPLAINED } from "./explained.ts";

/** PDFs again: what `inspect` finds, compared with `pdfinfo` and `qpdf --json`. */
export const inspectFamily: CorpusFamily = {
  name: "inspect",
  tools: ["qpdf", "pdfinfo", "mutool"],
  accepts: isPdf,

  async examine(entries, run) {
    await run.each(entries, async (entry) => run.onRow(await examine(entry, run.settings.directory)));
  },
};

async function examine({ file, password }: ManifestEntry, directory: string): Promise<Row> {
  const path = join(directory, file);
  const source = bufferSource(new Uint8Array(await readFile(path)));
  const start = performance.now();
  const found = await inspectPdf(contextOf(source), { password, outline: true }).then(
    ({ value }) => value,
    (thrown: unknown) => ({ thrown }),
  );
  const milliseconds = performance.now() - start;
  const row = { subject: "node", operation: "inspect", file, milliseconds };
  if ("thrown" in found && !(found.thrown instanceof ServiceError)) {
    return rowOf({ ...row, why: String(found.thrown), disaster: "untyped error" });
  }
  const why = await complaint(path, password, "thrown" in found ? String(found.thrown) : found);
  if (why === "" || !EXPLAINED.has(file)) return rowOf({ ...row, why });
  return rowOf({ ...row, operation: "inspect, unlike the natives and explained", why: "" });
}

/** Returns how a finding differs from that of native programs. Any finding is right where these cannot open the file. */
async function complaint(
  path: string,
  password: string | undefined,
  found: Inspection | string,
): Promise<string> {
  try {
    const expected = await inspectNatively(path, password);
    return typeof found === "string" ? found : differenceOf(found, expected);
  } catch (error) {
    if (error instanceof OracleFailure) return "";
    throw error;
  }
}
