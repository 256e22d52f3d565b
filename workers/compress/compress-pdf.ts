import { ServiceError } from "../../src/shared/errors.ts";
import type { CompressOptions } from "../../src/shared/protocol.ts";
import { CallBudget } from "../call-budget.ts";
import { BlobSink } from "../io/blob-sink.ts";
import type { JobContext } from "../job-context.ts";
import { copyInFileOrder } from "../pdf/copy-in-file-order.ts";
import { PdfDocument } from "../pdf/file/document.ts";
import { decryptForReading, withRebuild } from "../pdf/open.ts";
import { readPages } from "../pdf/pages/page-tree.ts";
import { isEncrypted } from "../pdf/security/encryption-dictionary.ts";
import type { ImageSettings } from "./document-images.ts";
import { drawnSizes } from "./drawn-sizes.ts";
import { UnusedResources } from "./unused-resources.ts";
import { writeCompressed } from "./write-compressed.ts";

const DEFAULTS: ImageSettings = { dpi: 150, quality: 0.75 };
/** What a search for `max_bytes` goes down to. */
const FLOOR: ImageSettings = { dpi: 72, quality: 0.4 };
/** How often the document is written in a search. */
const MOST_PASSES = 4;

/** Writes the document once. Returns the output. */
type Pass = (settings: ImageSettings) => Promise<BlobSink>;

/**
 * Makes a PDF smaller: images are scaled down and encoded again, streams are deflated, objects are packed. The output is never
 * larger than the input. A locked document becomes unlocked.
 *
 * @throws {ServiceError} `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`, `input_too_large`;
 *   `invalid_parameter` with `details.smallest` when it cannot have as few bytes as `maxBytes` says
 */
export async function compressPdf(context: JobContext, options: CompressOptions): Promise<void> {
  const { source, sink, file, helpers, report } = context;
  const { dpi = DEFAULTS.dpi, quality = DEFAULTS.quality, maxBytes = Infinity, password } = options;
  const output = await withRebuild(PdfDocument.open(source), async (document) => {
    await decryptForReading(document, password);
    const pages = readPages(document);
    const sizes = drawnSizes(document, pages);
    const unused = new UnusedResources(document, pages);
    const pass: Pass = async (settings) => {
      const made = new BlobSink();
      // All work is done again.
      document.budget.renew();
      const budget = CallBudget.forDecoding([file]);
      const work = { document, sizes, unused, settings, file, helpers, budget, report };
      await writeCompressed({ ...work, sink: made });
      if (made.length >= source.size) await copyUncompressed(document, made);
      return made;
    };
    return smallEnough(pass, { dpi, quality }, maxBytes);
  });
  sink.restart();
  sink.append(output);
}

/** Writes the input as it is, or unlocked. */
async function copyUncompressed(document: PdfDocument, sink: BlobSink): Promise<void> {
  const { source, version } = document;
  if (isEncrypted(document)) {
    await copyInFileOrder({ document, sink, version, report: () => {} });
  } else {
    sink.restart();
    sink.copy(source, 0, source.size);
  }
}

/**
 * Returns the output of the best settings that make it small enough: those that are asked for, or else lower ones. The
 * second pass is the lowest one. The others take a step that suits the sizes of those before.
 */
async function smallEnough(pass: Pass, asked: ImageSettings, maxBytes: number): Promise<BlobSink> {
  const first = await pass(asked);
  if (first.length <= maxBytes) return first;
  const lowest = {
    dpi: Math.min(asked.dpi, FLOOR.dpi),
    quality: Math.min(asked.quality, FLOOR.quality),
  };
  const isLowest = lowest.dpi === asked.dpi && lowest.quality === asked.quality;
  if (isLowest) throw tooFewBytes(maxBytes, first.length);
  let best = await pass(lowest);
  if (best.length > maxBytes) throw tooFewBytes(maxBytes, Math.min(first.length, best.length));
  /** How far down from what is asked for, and the bytes there. */
  let [high, low] = [
    { step: 0, length: first.length },
    { step: 1, length: best.length },
  ];
  for (let count = 2; count < MOST_PASSES; count++) {
    const step = stepBetween(high, low, maxBytes);
    const made = await pass(settingsAt(step, asked, lowest));
    if (made.length <= maxBytes) {
      best = made;
      low = { step, length: made.length };
    } else high = { step, length: made.length };
  }
  return best;
}

interface Step {
  readonly step: number;
  readonly length: number;
}

/** A step aims at somewhat fewer bytes, because a step that misses is lost. */
const AIM = 0.97;

/** Returns the step at which the output should have nearly as many bytes as it may have. */
function stepBetween(high: Step, low: Step, maxBytes: number): number {
  const aim = Math.max(low.length, AIM * maxBytes);
  const share = Math.log(high.length / aim) / Math.log(high.length / low.length);
  const inside = Number.isFinite(share) ? Math.min(0.95, Math.max(0.05, share)) : 0.5;
  return high.step + (low.step - high.step) * inside;
}

/** Returns settings between two, with equal ratios of `dpi`. */
function settingsAt(step: number, from: ImageSettings, to: ImageSettings): ImageSettings {
  return {
    dpi: from.dpi * (to.dpi / from.dpi) ** step,
    quality: from.quality + (to.quality - from.quality) * step,
  };
}

function tooFewBytes(maxBytes: number, smallest: number): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The PDF cannot be made as small as ${maxBytes} bytes: its smallest size is ${smallest}. Allow at least so many, or split it.`,
    { parameter: "max_bytes", smallest },
  );
}
