import { writeFileSync } from "node:fs";
import type { Size } from "../../workers/image/picture/size.ts";
import { makeBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makeOutlinedPdf } from "../support/fixtures/outlined-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import type { Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

export const PASSWORD = "key";

/** One call of the client. */
export type MatrixJob =
  | { readonly operation: "protect" | "unlock"; readonly password: string }
  | { readonly operation: "split"; readonly by: SplitWay }
  /** The same image several times, as one PDF. */
  | { readonly operation: "join"; readonly count: number }
  | { readonly operation: "merge" }
  | { readonly operation: "clean" }
  | { readonly operation: "render" }
  | { readonly operation: "convert"; readonly to: OutputFormat; readonly max_width?: number };

/** The fields that say how to split. */
type SplitWay =
  | { readonly pages: string }
  | { readonly every: number }
  | { readonly by: "outline" }
  | { readonly max_bytes: number };

/** A row of the table. */
export interface MatrixRow {
  readonly name: string;
  readonly job: MatrixJob;
  readonly input: string;
  readonly output: OutputFormat | "zip";
  /** The size of the picture, if it is another than that of the input. */
  readonly size?: Size;
}

const IMAGES = ["jpg", "png", "webp", "heic", "avif", "gif", "bmp", "tiff", "jxl"] as const;
const OUTPUTS = ["jpg", "png", "webp", "avif", "pdf"] as const;
type OutputFormat = (typeof OUTPUTS)[number] | "txt";

const SPLITS: readonly (readonly [name: string, by: SplitWay])[] = [
  ["split pages", { pages: "1,2-3" }],
  ["split every", { every: 2 }],
  ["split outline", { by: "outline" }],
  ["split size", { max_bytes: 1000 }],
];

const GIF_PALETTE = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
];
/** The size of the pictures, in pixels. */
export const SIZE: Size = { width: 96, height: 64 };
const HALF: Size = { width: 48, height: 32 };

/** Makes the input files, and returns all rows: each operation, and each pair of formats that needs no remote service. */
export async function matrixRows(scratch: Scratch): Promise<readonly MatrixRow[]> {
  const inputs = await makeInputs(scratch);
  const pathOf = (format: string) => inputs.get(format) ?? "";
  const pdf = { input: pathOf("pdf"), output: "pdf" } as const;
  const operations: readonly MatrixRow[] = [
    { ...pdf, name: "protect pdf", job: { operation: "protect", password: PASSWORD } },
    {
      ...pdf,
      name: "unlock pdf",
      input: pathOf("protected"),
      job: { operation: "unlock", password: PASSWORD },
    },
    { ...pdf, name: "join heic", input: pathOf("heic"), job: { operation: "join", count: 2 } },
    ...(["jpg", "heic", "png"] as const).map(
      (from): MatrixRow => ({
        name: `smaller ${from}`,
        input: pathOf(from),
        output: from === "heic" ? "jpg" : from,
        job: { operation: "convert", to: from === "heic" ? "jpg" : from, max_width: HALF.width },
        size: HALF,
      }),
    ),
    ...SPLITS.map(
      ([name, by]): MatrixRow => ({
        name,
        input: pathOf("outlined"),
        output: "zip",
        job: { operation: "split", by },
      }),
    ),
    { ...pdf, name: "merge pdf", job: { operation: "merge" } },
    { ...pdf, name: "clean pdf", job: { operation: "clean" } },
  ];
  const conversions = [...IMAGES, "page"].flatMap((from) =>
    OUTPUTS.map(
      (to): MatrixRow => ({
        name: `${from === "page" ? "pdf" : from} → ${to}`,
        job: { operation: "convert", to },
        input: pathOf(from),
        output: to,
      }),
    ),
  );
  const text: MatrixRow = {
    name: "pdf → txt",
    job: { operation: "convert", to: "txt" },
    input: pathOf("pdf"),
    output: "txt",
  };
  const page: MatrixRow = {
    name: "pdf page → png",
    job: { operation: "render" },
    input: pathOf("pdf"),
    output: "png",
  };
  return [...operations, ...conversions, text, page];
}

async function makeInputs(scratch: Scratch): Promise<ReadonlyMap<string, string>> {
  const inputs = new Map<string, string>();
  const { width, height } = SIZE;
  const add = (format: string, bytes?: Uint8Array) => {
    const path = scratch.path(`input.${format}`);
    if (bytes) writeFileSync(path, bytes);
    inputs.set(format, path);
    return path;
  };
  const sample = (x: number, y: number) => [2 * x, 3 * y, 128];
  const png = add("png", makePng({ ...SIZE, colorType: 2, bitDepth: 8, sample }));
  add(
    "gif",
    makeGif(width, height, GIF_PALETTE, (x, y) => (x + y) % 4),
  );
  add(
    "bmp",
    makeBmp(width, height, (x, y) => [2 * x, 3 * y, 128]),
  );
  for (const format of ["jpg", "webp", "avif", "tiff"]) await mustRun("vips", ["copy", png, add(format)]);
  await mustRun("cjxl", [png, add("jxl"), "-d", "0", "--quiet"]);
  await mustRun("heif-enc", [png, "-o", add("heic")]);
  const pdf = add("pdf", makePdf({ pages: 3 }));
  add("page", makePdf({ pages: 1 }));
  add(
    "outlined",
    makeOutlinedPdf(3, [
      ["(Start)", 1],
      ["(End)", 3],
    ]),
  );
  await mustRun("qpdf", ["--encrypt", PASSWORD, PASSWORD, "256", "--", pdf, add("protected")]);
  return inputs;
}
