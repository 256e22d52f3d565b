import { type Files, isBlob } from "./fields.ts";
import { withoutDirection } from "./shared/entry-name.ts";
import { type ErrorCode, ServiceError } from "./shared/errors.ts";
import { aboutFile } from "./shared/failure.ts";
import { detectFormat } from "./shared/format-detection.ts";
import { FORMATS, type Format, type FormatId } from "./shared/formats.ts";
import type { Input } from "./shared/protocol.ts";

/** The files of a call, in order. */
export type Inputs = readonly [Input, ...Input[]];

/** The files that an operation accepts: all, PDFs and images, or PDFs. */
export type Accepted = "all" | "PDFs and images" | "PDFs";

/** The kinds of formats that are accepted where not all are. */
const KINDS: Readonly<Record<Exclude<Accepted, "all">, readonly Format["kind"][]>> = {
  "PDFs and images": ["pdf", "image"],
  PDFs: ["pdf"],
};

/** The errors of `detectFormat` for a file that is neither a PDF nor an image. */
const OTHER_FORMAT: readonly ErrorCode[] = ["unsupported_input", "unsupported_encryption"];

/**
 * Detects the formats of the files of a call.
 *
 * @throws {ServiceError} what {@link formatOf} throws. For several files, the message names the file, and
 *   `details.file_index` counts from 0
 */
export async function readInputs(given: Blob | Files, accepted: Accepted = "all"): Promise<Inputs> {
  const files: Files = isBlob(given) ? [given] : given;
  const read = async (file: Blob, index: number): Promise<Input> => {
    const name = baseName(file);
    try {
      return { file, name, format: await formatOf(file, accepted) };
    } catch (thrown) {
      if (files.length === 1 || !(thrown instanceof ServiceError)) throw thrown;
      throw aboutFile(name, index, thrown);
    }
  };
  const [first, ...rest] = files;
  const inputs: [Input, ...Input[]] = [await read(first, 0)];
  for (const [index, file] of rest.entries()) inputs.push(await read(file, index + 1));
  return inputs;
}

/**
 * Returns the format of a file that is accepted.
 *
 * @throws {ServiceError} `unsupported_input` for another file. The message names no format that is not accepted. And what
 *   `detectFormat` throws
 */
export async function formatOf(file: Blob, accepted: Accepted): Promise<FormatId> {
  if (accepted === "all") return detectFormat(file);
  const format = await detectFormat(file).catch((thrown: unknown) => {
    // An empty file has an error of its own.
    const isOther = thrown instanceof ServiceError && OTHER_FORMAT.includes(thrown.code);
    if (isOther && file.size > 0) return undefined;
    throw thrown;
  });
  if (format !== undefined && KINDS[accepted].includes(FORMATS[format].kind)) return format;
  const content = format === undefined ? "" : ` The content of this file is ${format.toUpperCase()}.`;
  throw new ServiceError(
    "unsupported_input",
    `Only ${accepted} can be used here.${content} Choose another file.`,
  );
}

/**
 * Returns the name of a file without folder and extension: `C:\report.final.pdf` becomes `report.final`. Controls
 * and overrides of direction are removed. A Blob without a name is called `blob`, as in FormData.
 */
export function baseName(file: Blob): string {
  const name = "name" in file && typeof file.name === "string" ? file.name : "blob";
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const printable = withoutDirection(last.replace(/\p{Cc}/gu, ""));
  const dot = printable.lastIndexOf(".");
  return (dot > 0 ? printable.slice(0, dot) : printable) || "file";
}
