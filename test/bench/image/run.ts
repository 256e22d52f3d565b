import { resolve } from "node:path";
import { announceBrowser } from "../../support/browsers/browser-session.ts";
import { ServedClient } from "../../support/browsers/served-client.ts";
import { announceMissing, Scratch } from "../../support/native-tools.ts";
import { inTurns, median } from "../contest.ts";
import { nativeTools } from "./native.ts";
import { installPeers, PEERS } from "./peers.ts";
import { makePhotos } from "./pictures.ts";
import { clientContestant, crowdTime, peerContestant } from "./served-contestants.ts";
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
  /** The `dist` folder of another build to measure beside this one. */
  readonly against: string | undefined;
}

/**
 * `npm run bench -- --images`: every pair in Chromium, as ratios to native programs' time on the same file in the
 * same run, with `--peers` beside what a user would pick instead; then many photos over the pool.
 */
export async function benchImages(settings: ImageBenchSettings): Promise<void> {
  const { megapixels, rounds, only, peers, against } = settings;
  if (announceMissing(SUITE, ["vips", "heif-enc", "heif-convert", "mutool"]).length > 0) return;
  if (!announceBrowser("chromium", SUITE)) return;
  const scratch = new Scratch();
  const served = await ServedClient.start();
  const before = against === undefined ? undefined : await ServedClient.start(resolve(against));
  const field = [
    nativeTools,
    clientContestant(served, "stayput"),
    ...(before ? [clientContestant(before, "before")] : []),
    ...(peers && installPeers()
      ? [...PEERS].map(([name, offers]) => peerContestant(served, name, offers))
      : []),
  ];
  try {
    for (const [index, size] of megapixels.entries()) {
      const photos = await makePhotos(size, scratch);
      console.log(`\n${size} megapixels, medians of ${rounds} after a first time; ratios to native`);
      for (const task of tasksFor(photos, only, scratch)) await contest(task, field, rounds);
      if (index === 0) await crowds(served, photos, only);
    }
  } finally {
    for (const contestant of field) await contestant.close();
    await served.close();
    await before?.close();
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

/** The first time does not count: browsers load and compile what they need for it. */
async function contest(task: ImageTask, field: readonly ImageContestant[], rounds: number): Promise<void> {
  const able = field.filter((contestant) => contestant.offers(task));
  const measured = await inTurns(able, rounds + 1, (contestant) => contestant.run(task));
  const native = timeOf(measured.get(nativeTools)?.slice(1) ?? []);
  for (const [{ name }, runs] of measured) console.log(line(task, name, runs, native));
}

function doneIn(runs: readonly ImageMeasurement[]) {
  return runs.flatMap((run) => (run.kind === "done" ? [run] : []));
}

function timeOf(runs: readonly ImageMeasurement[]): number {
  return median(doneIn(runs).map(({ milliseconds }) => milliseconds));
}

function line(task: ImageTask, name: string, runs: readonly ImageMeasurement[], native: number): string {
  const start = `${titleOf(task).padEnd(36)}${name.padEnd(27)}`;
  const failure = runs.find((run) => run.kind === "failed");
  if (failure !== undefined) return `${start}failed: ${failure.why}`;
  const rounds = runs.slice(1);
  const milliseconds = timeOf(rounds);
  const ratio = milliseconds / native;
  const megabytes = (of: "peakBytes" | "outputBytes") =>
    `${(median(doneIn(rounds).map((run) => run[of])) / MEGABYTE).toFixed(1)} MB`;
  return [
    start,
    `${milliseconds.toFixed(0)} ms`.padStart(9),
    (Number.isNaN(ratio) ? "–" : ratio.toFixed(2)).padStart(7),
    `first ${timeOf(runs.slice(0, 1)).toFixed(0)} ms`.padStart(14),
    `peak ${megabytes("peakBytes")}`.padStart(16),
    `output ${megabytes("outputBytes")}`.padStart(17),
    name !== "stayput" || Number.isNaN(ratio) ? "" : verdictOf(ratio, targetRatio(task)),
  ].join("  ");
}

function verdictOf(ratio: number, target: number): string {
  return ratio <= target ? `within ${target}` : `OVER ${target}`;
}

async function crowds(
  served: ServedClient,
  photos: ReadonlyMap<ImageSource, string>,
  only: string,
): Promise<void> {
  for (const { from, to } of CROWD_TASKS) {
    const input = photos.get(from);
    if (input === undefined || !`${from} → ${to}`.includes(only)) continue;
    const timeWith = (workers: number) => crowdTime(served, { input, to }, CROWD, workers);
    const [one, two] = [await timeWith(1), await timeWith(2)];
    console.log(
      `${CROWD} photos, ${from} → ${to}: ${one.toFixed(0)} ms with one worker, ${two.toFixed(0)} ms with two ` +
        `(${(two / one).toFixed(2)})`,
    );
  }
}
