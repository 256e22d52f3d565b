import { listOf, oneOf, POSITIVE, readOptions, wholeNumber } from "../../scripts/options.mjs";
import { CONTESTANTS, type ContestantName } from "./pdf/task.ts";

/**
 * `npm run bench`: protect, unlock and split of generated PDFs, as ratios to native qpdf's time on the same files in
 * the same run. With `--growth`, how time and memory grow with the document; with `--images`, conversions of images
 * instead; with `--render`, pages of PDFs to JPEG.
 */

const { values: options } = readOptions("npm run bench --", {
  rounds: {
    type: "string",
    value: "N",
    takes: wholeNumber(1),
    default: "3",
    about: "how often each is measured",
  },
  only: {
    type: "string",
    default: "",
    about: "a part of the names of what is to run: `objects split`, `→ avif`; with --growth, `bytes`",
  },

  by: {
    type: "string",
    value: "NAMES",
    takes: listOf(oneOf(CONTESTANTS)),
    default: "native,node,chromium",
    about: "who is measured",
  },
  peers: {
    type: "boolean",
    default: false,
    about: "all that can be measured; with --images and --render, too",
  },
  browsers: { type: "boolean", default: false, about: "Chromium, Firefox and WebKit, and native qpdf" },
  huge: { type: "boolean", default: false, about: "a document of 2 GB, too" },
  growth: { type: "boolean", default: false, about: "how time and memory grow with the document, instead" },
  scale: {
    type: "string",
    value: "FACTOR",
    takes: POSITIVE,
    default: "1",
    about: "makes the documents smaller: 0.01 tries in seconds whether all works",
  },
  against: {
    type: "string",
    value: "DIR",
    about:
      "the dist folder of another build, measured in Chromium beside this one as `before`; with --images, too",
  },
  json: { type: "string", value: "FILE", about: "where the results are written, too" },

  images: { type: "boolean", default: false, about: "conversions of images, instead" },
  megapixels: {
    type: "string",
    value: "N,N",
    takes: listOf(POSITIVE),
    default: "12,48",
    about: "with --images: of what size",
  },

  render: { type: "boolean", default: false, about: "pages of PDFs to JPEG, instead" },
});

const BROWSERS: readonly ContestantName[] = ["native", "chromium", "firefox", "webkit"];

const { only, huge, json, peers, against } = options;
const rounds = Number(options.rounds);

async function runPdf(): Promise<void> {
  const scale = Number(options.scale);
  const { benchPdf } = await import("./pdf/run.ts");
  await benchPdf({ by: contestants(), rounds, scale, huge, only, against, json });
}

function contestants(): ReadonlySet<ContestantName> {
  if (peers) return new Set(CONTESTANTS);
  const names = new Set(options.browsers ? BROWSERS : options.by.split(","));
  if (against !== undefined) names.add("before");
  return new Set(CONTESTANTS.filter((name) => names.has(name)));
}

async function runGrowth(): Promise<void> {
  const { benchGrowth } = await import("./pdf/growth.ts");
  await benchGrowth({ rounds, only });
}

async function runImages(): Promise<void> {
  const megapixels = options.megapixels.split(",").map(Number);
  const { benchImages } = await import("./image/run.ts");
  await benchImages({ megapixels, rounds, only, peers, against });
}

async function runRender(): Promise<void> {
  const { benchRender } = await import("./render/run.ts");
  await benchRender({ rounds, peers });
}

if (options.images) await runImages();
else if (options.render) await runRender();
else if (options.growth) await runGrowth();
else await runPdf();
