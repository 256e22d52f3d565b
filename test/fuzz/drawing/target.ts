import { FEATURES } from "../../support/fixtures/drawn-features.ts";
import { makeMarkedPdf } from "../../support/fixtures/pdf-marked.ts";
import type { PageCall } from "../browser/fuzz-page.ts";
import { FuzzTab } from "../browser/fuzz-tab.ts";
import { mutateBytes } from "../mutate-bytes.ts";
import { mutateModel } from "../pdf/fuzz-case.ts";
import { copyOf } from "../pdf/model.ts";
import { corpusSeeds, type Seed, seedOf } from "../pdf/seeds.ts";
import { writeModel } from "../pdf/write-model.ts";
import { Random } from "../random.ts";
import type { MutatedInput, Settings, StartedTarget } from "../target.ts";
import { CONTENT_MUTATIONS } from "./content.ts";

/** Two instances of PDFium with 768 MB each, because browsers free the memory of an old one late; and the rest of a tab. */
const GROWTH_LIMIT = 1800 * 1024 ** 2;
/** PDFium opens the file for the plan, opens it again, and draws a page. A worker that does not return is ended after 55 s. */
const TIME_LIMIT_MS = 180_000;
const SIZE_LIMIT = 1024 * 1024;
/** Fixtures are rich and few: they come up as often as several files of a folder. */
const COPIES = 6;

/** A mutated PDF and the call on it. */
interface DrawingCase extends MutatedInput {
  readonly call: PageCall;
}

/** Starts the fuzzer of drawing: each case is one call in a tab, by a worker and its helper. */
export async function startDrawing({ folder, seedNumber, tally }: Settings): Promise<StartedTarget> {
  const tab = await FuzzTab.start({ timeLimitMs: TIME_LIMIT_MS, maxWorkers: 2 });
  const seeds = drawingSeeds(folder);
  return {
    seeds: seeds.length,
    async examine(index) {
      const drawingCase = makeDrawingCase(seeds, seedNumber, index);
      const { input, call, log } = drawingCase;
      tally.count(drawingCase, nameOf(call), await tab.run(input, call), GROWTH_LIMIT);
      return log;
    },
    close: () => tab.close(),
  };
}

function drawingSeeds(folder: string | undefined): readonly Seed[] {
  const fixtures = [...FEATURES, ["marked", makeMarkedPdf()] as const];
  const seeds = fixtures.map(([name, bytes]) => seedOf(name, bytes, undefined));
  const repeated = Array.from({ length: COPIES }, () => seeds).flat();
  return folder === undefined ? repeated : [...repeated, ...corpusSeeds(folder)];
}

/** Returns the case that a seed number and an index determine. */
function makeDrawingCase(seeds: readonly Seed[], seedNumber: number, index: number): DrawingCase {
  const random = new Random(seedNumber, index);
  const seed = random.pick(seeds);
  const log = [seed.name];
  let input = seed.bytes;
  if (seed.model) {
    const model = copyOf(seed.model);
    for (let count = random.between(0, 3); count > 0; count--) {
      const description = random.pick(CONTENT_MUTATIONS)(model, random);
      if (description !== undefined) log.push(description);
    }
    if (log.length === 1 || random.chance(0.4)) mutateModel(model, random, log);
    input = writeModel(model);
  }
  if (log.length === 1 || random.chance(0.1)) {
    const changed = mutateBytes(input, random);
    input = changed.bytes;
    log.push(...changed.log);
  }
  const call = callBy(random, seed.password);
  return { index, input: input.subarray(0, SIZE_LIMIT), log: [...log, JSON.stringify(call)], call };
}

function callBy(random: Random, password: string | undefined): PageCall {
  const opening = password === undefined ? {} : { password };
  if (random.chance(0.2)) return { method: "renderPages", fields: { ...opening, pages: "1" } };
  const to = random.pick(["png", "png", "jpg", "webp", "txt", "txt"]);
  const pages = random.pick(["1", "1", "last", "1,last"]);
  const dpi = to === "txt" ? {} : { dpi: random.pick([20, 72, 150]) };
  return { method: "convert", fields: { output_format: to, pages, ...opening, ...dpi } };
}

function nameOf({ method, fields }: PageCall): string {
  return method === "convert" ? `to ${fields.output_format}` : method;
}
