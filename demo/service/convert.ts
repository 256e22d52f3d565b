import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { baseName } from "../../src/inputs.ts";
import { type JobValues, OPERATIONS } from "../../src/operations.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { detectFormat } from "../../src/shared/format-detection.ts";
import { FORMATS, type FormatId } from "../../src/shared/formats.ts";
import type { RotatedPagesOptions } from "../../src/shared/protocol.ts";
import type { SyncReader } from "../../workers/io/blob-source.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { jobContext } from "../../workers/job-context.ts";
import { repair } from "../../workers/pdf/repair.ts";
import { exportByOffice, type OfficeContext } from "./office.ts";
import { drawPages } from "./page-images.ts";
import { pictureDocument } from "./picture-document.ts";
import { planOf } from "./plan.ts";

/** The checked fields of `convert`. */
export type ConvertValues = JobValues<typeof OPERATIONS.convert.fields>;

/** A result in memory. */
export interface Made {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly fileName: string;
}

const ZIP = "application/zip";

/** Node cannot read a Blob synchronously. All inputs are in memory. */
const NO_READER: SyncReader = {
  readAsArrayBuffer: () => {
    throw new TypeError("Node cannot read a Blob synchronously");
  },
};

/**
 * Converts one file.
 *
 * @throws {ServiceError} and `signal.reason` when aborted
 */
export async function convert(values: ConvertValues, context: OfficeContext): Promise<Made> {
  const { folder } = context;
  const { output_format: to } = values;
  // An upload has one file.
  const [file] = values.file;
  const from = await detectFormat(file);
  const plan = planOf(from, to);
  const { pages, rotate } = values;
  if (rotate !== undefined && FORMATS[to].kind === "office") throw idleRotation(to);
  const name = baseName(file);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const office = (input: string, target: FormatId) => exportByOffice(input, target, plan.export, context);
  const made = (content: Uint8Array, type: string): Made => ({
    bytes: content,
    type,
    fileName: OPERATIONS.convert.fileName(name, values, type),
  });

  switch (plan.by) {
    case "export": {
      // LibreOffice would ask for a password in a dialog, and cannot select pages of its input.
      const { password } = values;
      const source = from === "pdf" ? await openPdf(bytes, { pages, password }) : bytes;
      const result = await readFile(await office(await inputFile(folder, from, source), to));
      const isChanged = to === "pdf" && (pages !== undefined || rotate !== undefined);
      return made(isChanged ? await openPdf(result, { pages, rotate }) : result, FORMATS[to].mime);
    }
    case "page images": {
      const pdf = await office(await inputFile(folder, from, bytes), "pdf");
      if (rotate !== undefined) await writeFile(pdf, await openPdf(await readFile(pdf), { rotate }));
      const drawn = await drawPages(pdf, plan.image, values, name, context);
      return made(drawn.bytes, drawn.isArchive ? ZIP : FORMATS[to].mime);
    }
    case "picture": {
      const document = pictureDocument(bytes, from, plan.family);
      const input = await inputFile(folder, plan.family === "writer" ? "odt" : "odp", document);
      return made(await readFile(await office(input, to)), FORMATS[to].mime);
    }
  }
}

/** Writes the input under the extension of its content, because LibreOffice may trust the extension. */
async function inputFile(folder: string, format: FormatId, bytes: Uint8Array): Promise<string> {
  const path = join(folder, `input.${format}`);
  await writeFile(path, bytes);
  return path;
}

/** Returns the selected pages of a PDF, rotated and without encryption. */
async function openPdf(bytes: Uint8Array, options: RotatedPagesOptions): Promise<Uint8Array> {
  const context = jobContext(new Blob(), { reader: NO_READER, helpers: 0 });
  await repair({ ...context, source: bufferSource(bytes) }, options);
  return new Uint8Array(await context.sink.toBlob().arrayBuffer());
}

function idleRotation(to: FormatId): ServiceError {
  const message = `The field "rotate" has no effect when a file becomes ${to.toUpperCase()}. Leave it out.`;
  return new ServiceError("invalid_parameter", message, { parameter: "rotate" });
}
