import { announceBrowser } from "../../support/browsers/browser-session.ts";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
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
/** Of smaller pictures. Native vips decodes a JPEG of 12 megapixels whole for the first, and at half size for the second. */
const WIDTHS = [1600, 800] as const;
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
      console.log(
        `\n${megapixels} megapixels, medians of ${settings.rounds} after a first time; ratios to native`,
      );
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
      return [
        task,
        ...(keptAsStored(task) ? [{ ...task, asStored: true }] : []),
        ...(isScaled(task) ? WIDTHS.map((maxWidth) => ({ ...task, maxWidth })) : []),
      ];
    }),
  );
  return all.filter((task) => titleOf(task).includes(only));
}

/** Whether the picture need not be encoded anew, unless a quality is asked for. */
function keptAsStored({ from, to }: ImageTask): boolean {
  return from === to && (from === "jpg" || from === "webp");
}

/** Whether native vips reads the format and scales it in one step. */
function isScaled({ from, to }: ImageTask): boolean {
  return to === "jpg" && from !== "png with alpha";
}

function titleOf({ from, to, asStored = false, maxWidth }: ImageTask): string {
  return `${from} → ${to}${asStored ? ", as stored" : ""}${maxWidth ? `, ${maxWidth} wide` : ""}`;
}

/** What a contestant took for a task. */
interface Showing {
  /** The first time, when browsers load and compile what they need for it. */
  readonly first: ImageMeasurement;
  /** Since then. */
  readonly rounds: ImageMeasurement[];
}

/** Rounds go by turns, so that whatever else the machine does falls on all alike. */
async function contest(task: ImageTask, field: readonly ImageContestant[], rounds: number): Promise<void> {
  const showings = new Map<ImageContestant, Showing>();
  for (const contestant of field.filter((contestant) => contestant.offers(task))) {
    showings.set(contestant, { first: await contestant.run(task), rounds: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [contestant, showing] of showings) {
      // Who has failed once does not get better by trying again, and may take minutes each time.
      if (failureOf(showing) === undefined) showing.rounds.push(await contestant.run(task));
    }
  }
  const native = timeOf(showings.get(nativeTools)?.rounds ?? []);
  for (const [{ name }, showing] of showings) console.log(line(task, name, showing, native));
}

function failureOf({ first, rounds }: Showing) {
  return [first, ...rounds].find((run) => run.kind === "failed");
}

function doneIn(runs: readonly ImageMeasurement[]) {
  return runs.flatMap((run) => (run.kind === "done" ? [run] : []));
}

function timeOf(runs: readonly ImageMeasurement[]): number {
  return median(doneIn(runs).map(({ milliseconds }) => milliseconds));
}

function line(task: ImageTask, name: string, showing: Showing, native: number): string {
  const start = `${titleOf(task).padEnd(36)}${name.padEnd(27)}`;
  const failure = failureOf(showing);
  if (failure !== undefined) return `${start}failed: ${failure.why.slice(0, 200)}`;
  const done = doneIn(showing.rounds);
  const milliseconds = timeOf(showing.rounds);
  const first = timeOf([showing.first]);
  const ratio = milliseconds / native;
  const verdict = name !== "stayput" || Number.isNaN(ratio) ? "" : verdictOf(ratio, targetRatio(task));
  const megabytes = (bytes: readonly number[]) => `${(median(bytes) / MEGABYTE).toFixed(1)} MB`;
  return [
    start,
    `${milliseconds.toFixed(0)} ms`.padStart(9),
    (Number.isNaN(ratio) ? "–" : ratio.toFixed(2)).padStart(7),
    `first ${first.toFixed(0)} ms`.padStart(14),
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
