import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { protectBytes, unlockBytes } from "../../support/engine.ts";
import { type CorpusFamily, rowOf } from "../family.ts";
import { reachedObjects } from "./qpdf-objects.ts";

const PASSWORD = "round trip";
const OPERATION = "protect and unlock give every object back";

/**
 * Protected and unlocked again, a sound document is what it was: every object that its trailer reaches, compared one
 * by one as native qpdf reads them.
 */
export const roundTripFamily: CorpusFamily = {
  name: "round-trip",
  tools: ["qpdf"],
  accepts: (entry) => entry.qpdfCheck === "ok" && !entry.encrypted,

  async examine(entries, run) {
    await run.each(entries, async ({ file }, _, scratch) => {
      const start = performance.now();
      const why = await complaint(join(run.settings.directory, file), scratch.path("back.pdf")).catch(String);
      const milliseconds = performance.now() - start;
      run.onRow(rowOf({ subject: "node", operation: OPERATION, file, why, milliseconds }));
    });
  },
};

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
