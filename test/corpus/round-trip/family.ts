import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { protectBytes, unlockBytes } from "../../support/engine.ts";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import type { CorpusFamily, Row } from "../family.ts";
import type { ManifestEntry } from "../manifest.ts";
import { reachedObjects } from "./qpdf-objects.ts";

const PASSWORD = "round trip";

/**
 * Protected and unlocked again, a sound document is what it was: every object that its trailer reaches, compared one
 * by one as native qpdf reads them.
 */
export const roundTripFamily: CorpusFamily = {
  name: "round-trip",
  accepts: (entry) => entry.qpdfCheck === "ok" && !entry.encrypted,

  async examine(entries, settings, onRow) {
    if (settings.reference || announceMissing("round trips", ["qpdf"]).length > 0) return;
    const queue = entries.values();
    const examineQueue = async () => {
      for (const entry of queue) onRow(await examine(entry, settings.directory));
    };
    await Promise.all(Array.from({ length: availableParallelism() }, examineQueue));
  },
};

async function examine({ file }: ManifestEntry, directory: string): Promise<Row> {
  const scratch = new Scratch();
  const start = performance.now();
  let why: string;
  try {
    why = await complaint(join(directory, file), scratch.path("back.pdf"));
  } catch (error) {
    why = String(error);
  } finally {
    scratch.remove();
  }
  return {
    subject: "node",
    operation: "protect and unlock give every object back",
    file,
    passed: why === "",
    why,
    disaster: undefined,
    milliseconds: performance.now() - start,
  };
}

async function complaint(before: string, after: string): Promise<string> {
  const input = new Uint8Array(await readFile(before));
  await writeFile(after, await unlockBytes(await protectBytes(input, { password: PASSWORD }), PASSWORD));
  const [was, is] = [await reachedObjects(before), await reachedObjects(after)];
  const others = [...was].filter(([reference, object]) => is.get(reference) !== object);
  const [[reference, object] = []] = others;
  if (reference === undefined) return "";
  const now = is.get(reference)?.slice(0, 100) ?? "nothing";
  return `${others.length} of ${was.size} objects are others: ${reference} was ${object?.slice(0, 100)}, is ${now}`;
}
