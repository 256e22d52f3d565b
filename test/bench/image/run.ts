import { announceBrowser } from "../../browsers/browser-seat.ts";
import { announceMissing, Scratch } from "../../native/tools.ts";
import { median } from "../contest.ts";
import { nativeTools } from "./native.ts";
import { installPeers, PEERS } from "./peers.ts";
import { makePhotos } from "./pictures.ts";
import { ServedContestants } from "./served-contestants.ts";
import {
  type ImageContestant,
  type ImageMeasurement,
  type ImageSource,
  type ImageTask,
  SOURCES,
  TARGETS,
  targetRatio,
} from "./task.ts";

const SUITE = "the images' benchmark";
const MEGABYTE = 1_000_000;
const CROWD = 20;
const CROWD_TASKS = [
  { from: "jpg", to: "webp" },
  { from: "heic", to: "jpg" },
] as const;

export interface ImageBenchSettings {
  readonly megapixels: readonly number[];
  readonly rounds: number;
  /** Substring of the pairs to run: `heic → `, `→ avif`; all when empty. */
  readonly only: string;
  readonly peers: boolean;
  /** A phone's own HEIC in place of the generated one. */
  readonly heic: string | undefined;
  /** A photograph's PNG in place of the generated one. */
  readonly png: string | undefined;
}

/**
 * `npm run bench -- --images`: every pair in Chromium, as ratios to native programs' time on the same file in the
 * same run, and beside what a user would pick instead; then many photos over the pool.
 */
export async function benchImages(settings: ImageBenchSettings): Promise<void> {
  if (announceMissing(SUITE, ["vips", "heif-enc", "heif-convert", "mutool"]).length > 0) return;
  if (!announceBrowser("chromium", SUITE)) return;
  const scratch = new Scratch();
  const served = await ServedContestants.start();
  const client = served.client();
  const idle = served.idle();
  const peers =
    settings.peers && installPeers() ? [...PEERS].map(([name, offers]) => served.peer(name, offers)) : [];
  try {
    const [smallest] = settings.megapixels;
    for (const megapixels of settings.megapixels) {
      const photos = new Map(await makePhotos(megapixels, scratch));
      for (const from of ["heic", "png"] as const) photos.set(from, settings[from] ?? photos.get(from) ?? "");
      console.log(`\n${megapixels} megapixels, medians of ${settings.rounds}; ratios to native`);
      for (const task of tasksFor(photos, settings.only, scratch)) {
        await contest(task, [nativeTools, client, idle, ...peers], settings.rounds);
      }
      if (megapixels === smallest) await crowds(served, photos, settings);
    }
  } finally {
    for (const contestant of [client, idle, ...peers]) await contestant.close();
    await served.close();
    scratch.remove();
  }
}

function tasksFor(
  photos: ReadonlyMap<ImageSource, string>,
  only: string,
  scratch: Scratch,
): readonly ImageTask[] {
  const all = SOURCES.flatMap((from) =>
    TARGETS.flatMap((to) => {
      const task: ImageTask = { from, to, input: photos.get(from) ?? "", output: scratch.path(`made.${to}`) };
      return keptAsStored(task) ? [task, { ...task, asStored: true }] : [task];
    }),
  );
  return all.filter((task) => titleOf(task).includes(only));
}

/** Whether the picture need not be encoded anew, unless a quality is asked for. */
function keptAsStored({ from, to }: ImageTask): boolean {
  return from === to && (from === "jpg" || from === "webp");
}

function titleOf({ from, to, asStored = false }: ImageTask): string {
  return `${from} → ${to}${asStored ? ", as stored" : ""}`;
}

/** Rounds go by turns, so that whatever else the machine does falls on all alike. */
async function contest(task: ImageTask, field: readonly ImageContestant[], rounds: number): Promise<void> {
  const taking = field.filter((contestant) => contestant.offers(task));
  const measured = new Map(taking.map((contestant) => [contestant, [] as ImageMeasurement[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of taking) {
      const runs = measured.get(contestant) ?? [];
      // Who has failed once does not get better by trying again, and may take minutes each time.
      if (runs.every(({ kind }) => kind === "done")) runs.push(await contestant.run(task));
    }
  }
  const native = timeOf(measured.get(nativeTools) ?? []);
  for (const [{ name }, runs] of measured) console.log(line(task, name, runs, native));
}

function doneIn(runs: readonly ImageMeasurement[]) {
  return runs.flatMap((run) => (run.kind === "done" ? [run] : []));
}

function timeOf(runs: readonly ImageMeasurement[]): number {
  return median(doneIn(runs).map(({ milliseconds }) => milliseconds));
}

function line(task: ImageTask, name: string, runs: readonly ImageMeasurement[], native: number): string {
  const start = `${titleOf(task).padEnd(24)}${name.padEnd(27)}`;
  const failure = runs.find((run) => run.kind === "failed");
  if (failure !== undefined) return `${start}failed: ${failure.why.slice(0, 200)}`;
  const done = doneIn(runs);
  const milliseconds = timeOf(runs);
  const ratio = milliseconds / native;
  const verdict = name !== "stayput" || Number.isNaN(ratio) ? "" : verdictOf(ratio, targetRatio(task));
  const megabytes = (bytes: readonly number[]) => `${(median(bytes) / MEGABYTE).toFixed(1)} MB`;
  return [
    start,
    `${milliseconds.toFixed(0)} ms`.padStart(9),
    (Number.isNaN(ratio) ? "–" : ratio.toFixed(2)).padStart(7),
    `peak ${megabytes(done.map(({ peakBytes }) => peakBytes))}`.padStart(16),
    `output ${megabytes(done.map(({ outputBytes }) => outputBytes))}`.padStart(17),
    verdict,
  ].join("  ");
}

function verdictOf(ratio: number, target: number): string {
  return ratio <= target ? `within ${target}` : `OVER ${target}`;
}

async function crowds(
  served: ServedContestants,
  photos: ReadonlyMap<ImageSource, string>,
  { only }: ImageBenchSettings,
): Promise<void> {
  for (const { from, to } of CROWD_TASKS) {
    const input = photos.get(from);
    if (input === undefined || !`${from} → ${to}`.includes(only)) continue;
    const [one, two] = [await served.crowd(input, to, CROWD, 1), await served.crowd(input, to, CROWD, 2)];
    console.log(
      `${CROWD} photos, ${from} → ${to}: ${one.toFixed(0)} ms with one worker, ${two.toFixed(0)} ms with two ` +
        `(${(two / one).toFixed(2)})`,
    );
  }
}
