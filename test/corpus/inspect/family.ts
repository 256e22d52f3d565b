import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ServiceError } from "../../../src/shared/errors.ts";
import type { Inspection } from "../../../src/shared/protocol.ts";
import { bufferSource } from "../../../workers/io/source.ts";
import { inspectPdf } from "../../../workers/pdf/inspect.ts";
import { differenceOf, inspectNatively } from "../../support/native-inspection.ts";
import { announceMissing } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import type { CorpusFamily, Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { EXPLAINED } from "./explained.ts";

/** PDFs again: what `inspect` finds, compared with `pdfinfo` and `qpdf --json`. */
export const inspectFamily: CorpusFamily = {
  name: "inspect",
  accepts: (entry) => entry.qpdfCheck !== undefined || entry.file.toLowerCase().endsWith(".pdf"),

  async examine(entries, settings, onRow) {
    if (settings.reference || announceMissing("inspecting", ["qpdf", "pdfinfo", "mutool"]).length > 0) return;
    const queue = entries.values();
    const examineQueue = async () => {
      for (const entry of queue) onRow(await examine(entry, settings.directory));
    };
    await Promise.all(Array.from({ length: availableParallelism() }, examineQueue));
  },
};

async function examine({ file, password }: ManifestEntry, directory: string): Promise<Row> {
  const path = join(directory, file);
  const source = bufferSource(new Uint8Array(await readFile(path)));
  const start = performance.now();
  let found: Inspection | undefined;
  let thrown: unknown;
  try {
    found = (await inspectPdf({ source }, { password, outline: true })).value;
  } catch (error) {
    thrown = error;
  }
  const milliseconds = performance.now() - start;
  const why = await complaint(path, password, found ?? String(thrown));
  const isUntyped = thrown !== undefined && !(thrown instanceof ServiceError);
  const isExplained = why !== "" && EXPLAINED.has(file);
  return {
    subject: "node",
    operation: isExplained ? "inspect, unlike the natives and explained" : "inspect",
    file,
    passed: (why === "" || isExplained) && !isUntyped,
    why: isUntyped ? String(thrown) : isExplained ? "" : why,
    disaster: isUntyped ? "untyped error" : undefined,
    milliseconds,
  };
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
