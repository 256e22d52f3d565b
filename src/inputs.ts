import { type Files, isBlob } from "./fields.ts";
import { ServiceError } from "./shared/errors.ts";
import { aboutFile } from "./shared/failure.ts";
import { detectFormat } from "./shared/format-detection.ts";
import type { Input } from "./shared/protocol.ts";

/** The files of a call, in order. */
export type Inputs = readonly [Input, ...Input[]];

/**
 * Detects the formats of the files of a call.
 *
 * @throws {ServiceError} what `detectFormat` throws. For several files, the message names the file, and
 *   `details.file_index` counts from 0
 */
export async function readInputs(given: Blob | Files): Promise<Inputs> {
  const files: Files = isBlob(given) ? [given] : given;
  const read = async (file: Blob, index: number): Promise<Input> => {
    const name = baseName(file);
    try {
      return { file, name, format: await detectFormat(file) };
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
 * Returns the name of a file without folder and extension: `C:\report.final.pdf` becomes `report.final`. A Blob without
 * a name is called `blob`, as in FormData.
 */
export function baseName(file: Blob): string {
  const name = "name" in file && typeof file.name === "string" ? file.name : "blob";
  const last = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const printable = last.replace(/\p{Cc}/gu, "");
  const dot = printable.lastIndexOf(".");
  return (dot > 0 ? printable.slice(0, dot) : printable) || "file";
}
