import { extname, join } from "node:path";
import type { SessionAnswer } from "../../support/browsers/browser-session.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { type Row, rowOf } from "../family.ts";
import { disasterOf, isFault } from "../faults.ts";
import type { ManifestEntry } from "../manifest.ts";
import { different, SAME, type Verdict } from "./compare.ts";
import { type Conversion, judgePictures, judgeSoundness } from "./judge.ts";
import { type NativeView, nativeView, opensForCertain, pngTraits } from "./reference.ts";
import { REFUSED_FILES } from "./refused.ts";
import type { ImageSubject, ImageTarget } from "./subject.ts";

/** AVIF is encoded slowly, in WebAssembly. Only every eighth file may have a larger picture. */
const AVIF_PIXELS = 300_000;
const AVIF_LARGE_PIXELS = 3_000_000;
const AVIF_EVERY = 8;

/** An image to examine with a subject. */
export interface ImageExamination {
  readonly directory: string;
  readonly entry: ManifestEntry;
  /** The index of the file among those of the subject. */
  readonly place: number;
  readonly subject: ImageSubject;
  readonly targets: readonly ImageTarget[];
  readonly scratch: Scratch;
  readonly onRow: (row: Row) => void;
}

/** Converts the image to formats and judges each result. */
export async function examineImage(examination: ImageExamination): Promise<void> {
  const { directory, entry, place, subject, targets, scratch, onRow } = examination;
  const input = join(directory, entry.file);
  let native: NativeView = REFUSED_FILES.has(entry.file)
    ? { kind: "unopenable", why: "Stayput refuses it by design" }
    : await nativeView(input, scratch);
  const png = await pngTraits(input);
  const from = formatOf(entry.file);
  for (const to of targets) {
    if (to === "avif" && !isForAvif(native, place)) continue;
    const output = scratch.path(`made.${to}`);
    const start = performance.now();
    const answer = await subject.run({ to }, input, output);
    const milliseconds = answer.kind === "file" ? answer.milliseconds : performance.now() - start;
    if (
      native.kind === "pictures" &&
      answer.kind === "typed error" &&
      !(await opensForCertain(input, scratch))
    ) {
      native = { kind: "unopenable", why: "native programs see nothing in it, or only now and then" };
    }
    const { problem: why, isExcused } = await judge(answer, native, { from, to, output, png }, scratch);
    const disaster = disasterOf(answer);
    const kind = native.kind === "unopenable" ? ", native cannot" : "";
    // Counted in a line of their own, because these pictures are not close to the source.
    const operation = `${from} → ${to}${isExcused ? ", off by 3 or more as libvips is" : kind}`;
    onRow(rowOf({ subject: subject.name, operation, file: entry.file, why, disaster, milliseconds }));
  }
}

function formatOf(file: string): string {
  const extension = extname(file).slice(1).toLowerCase();
  return { jpeg: "jpg", heif: "heic" }[extension] ?? extension;
}

function isForAvif(native: NativeView, place: number): boolean {
  if (native.kind === "unopenable") return true;
  const pixels = native.pictures.reduce((sum, { shown }) => sum + shown.width * shown.height, 0);
  return pixels <= AVIF_PIXELS || (pixels <= AVIF_LARGE_PIXELS && place % AVIF_EVERY === 0);
}

async function judge(
  answer: SessionAnswer,
  native: NativeView,
  conversion: Omit<Conversion, "fileName">,
  scratch: Scratch,
): Promise<Verdict> {
  switch (answer.kind) {
    case "file": {
      const named = { ...conversion, fileName: answer.fileName };
      try {
        return native.kind === "pictures"
          ? await judgePictures(named, native.pictures, scratch)
          : await judgeSoundness(named, scratch);
      } catch (error) {
        if (error instanceof OracleFailure) {
          return different(`native programs do not open the result: ${error.message}`);
        }
        throw error;
      }
    }
    case "typed error": {
      const refusal = `refused with ${answer.code}: ${answer.message}`;
      return native.kind === "unopenable" && !isFault(answer.code) ? SAME : different(refusal);
    }
    default:
      return different(`${answer.kind}: ${answer.message}`);
  }
}
