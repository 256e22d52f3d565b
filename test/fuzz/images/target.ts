import { writeFileSync } from "node:fs";
import { announceMissing, runTool, Scratch, type Tool } from "../../support/native-tools.ts";
import type { PageOutcome } from "../browser/fuzz-page.ts";
import { FuzzTab } from "../browser/fuzz-tab.ts";
import { Random } from "../random.ts";
import type { Run, Settings, StartedTarget } from "../target.ts";
import { type ImageCase, makeImageCase } from "./image-case.ts";
import { type ImageSeed, imageSeeds } from "./seeds.ts";

/** SECURITY.md: what small files take in all processes of Chromium. */
const GROWTH_LIMIT = 1500 * 1024 ** 2;
/** Twice what SECURITY.md says, for a busy machine. */
const TIME_LIMIT_MS = 60_000;
const NATIVE_LIMIT_MS = 60_000;

/** The native tools that read each kind of output as a whole. */
const WITNESSES: Readonly<Record<string, readonly [tool: Tool, ...args: string[]]>> = {
  "image/png": ["vips", "avg"],
  "image/jpeg": ["vips", "avg"],
  "image/webp": ["vips", "avg"],
  "image/avif": ["vips", "avg"],
  "application/pdf": ["qpdf", "--check"],
  "application/zip": ["unzip", "-tq"],
};

/**
 * Starts the fuzzer of images: each case is one call in a tab, with all decoders of Stayput and of the browser. Some calls
 * run again, in the same worker, after a red picture and after a green one. The outputs must be equal: then they hold
 * nothing of the other pictures.
 */
export async function startImages(settings: Settings): Promise<StartedTarget> {
  // All jobs run in one worker, so that a case meets what the one before has left.
  const tab = await FuzzTab.start({ timeLimitMs: TIME_LIMIT_MS, maxWorkers: 1 });
  const encode = async (file: Uint8Array, fields: ImageCase["call"]["fields"]) => {
    const { outcome } = await tab.run(file, { method: "convert", fields }, true);
    if (outcome.kind !== "files") throw new Error(`no seed: ${outcome.message}`);
    return Uint8Array.from(Buffer.from(outcome.output, "base64"));
  };
  const seeds = await imageSeeds(encode, settings.folder);
  const missing = announceMissing("the judgement of outputs", ["vips", "qpdf", "unzip"]);
  const checked = missing.length > 0 ? 0 : settings.checked;
  return new ImageFuzzer({ ...settings, checked }, tab, seeds);
}

class ImageFuzzer implements StartedTarget {
  readonly #settings: Settings;
  readonly #tab: FuzzTab;
  readonly #seeds: readonly ImageSeed[];
  readonly #scratch = new Scratch();

  constructor(settings: Settings, tab: FuzzTab, seeds: readonly ImageSeed[]) {
    this.#settings = settings;
    this.#tab = tab;
    this.#seeds = seeds;
  }

  get seeds(): number {
    return this.#seeds.length;
  }

  async examine(index: number): Promise<readonly string[]> {
    const { seedNumber, checked, tally } = this.#settings;
    const imageCase = makeImageCase(this.#seeds, seedNumber, index);
    const isChecked = new Random(index, 1).chance(checked);
    const { outcome } = await this.#run(imageCase, isChecked);
    if (isChecked && outcome.kind === "files") {
      const complaint = await this.#complaint(outcome);
      if (complaint !== "") tally.fail(imageCase, nameOf(imageCase), "unsound output", complaint);
    }
    if (imageCase.isCompared) await this.#compare(imageCase);
    return imageCase.log;
  }

  async #run(imageCase: ImageCase, wantsOutput = false): Promise<Run<PageOutcome>> {
    const run = await this.#tab.run(imageCase.input, imageCase.call, wantsOutput);
    this.#settings.tally.count(imageCase, nameOf(imageCase), run, GROWTH_LIMIT);
    return run;
  }

  /** Compares the outcome after a red picture with that after a green one. */
  async #compare(imageCase: ImageCase): Promise<void> {
    const { call, plain } = imageCase;
    await this.#tab.run(plain.red, call);
    const afterRed = endOf(await this.#run(imageCase));
    await this.#tab.run(plain.green, call);
    const afterGreen = endOf(await this.#run(imageCase));
    if (afterRed === afterGreen) return;
    const message = `after a red picture: ${afterRed}, after a green one: ${afterGreen}`;
    this.#settings.tally.fail(imageCase, nameOf(imageCase), "different output", message);
  }

  /** What a native tool says of an output; nothing if it can read it. */
  async #complaint({ output, mime }: Extract<PageOutcome, { kind: "files" }>): Promise<string> {
    const [tool, ...args] = WITNESSES[mime] ?? [];
    // An inspection makes no file.
    if (tool === undefined) return mime === "" ? "" : `an output of the type ${mime}`;
    const path = this.#scratch.path(`output.${mime.replace(/^.*\//, "")}`);
    writeFileSync(path, Buffer.from(output, "base64"));
    const { code, stderr, timedOut } = await runTool(tool, [...args, path], NATIVE_LIMIT_MS);
    return code === 0 || timedOut ? "" : `${tool} ended with ${code}: ${stderr.slice(0, 300)}`;
  }

  async close(): Promise<void> {
    await this.#tab.close();
    this.#scratch.remove();
  }
}

function nameOf({ call: { method, fields } }: ImageCase): string {
  return method === "convert" ? `to ${fields.output_format}` : method;
}

/** How a call ended, in one text: the hash of its output, or its error. */
function endOf({ outcome }: Run<PageOutcome>): string {
  if (outcome.kind === "files") return outcome.digest;
  return outcome.kind === "typed error" ? `${outcome.code}: ${outcome.message}` : outcome.kind;
}
