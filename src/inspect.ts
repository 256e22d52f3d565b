import type { FileInput } from "./downloads.ts";
import { file, flag, optional, readFields, required, text } from "./fields.ts";
import { detectFormat } from "./shared/format-detection.ts";
import { FORMATS } from "./shared/formats.ts";
import type { Inspection, Job } from "./shared/protocol.ts";

/** The parameters of `inspect`. */
export interface InspectParams {
  readonly file: FileInput;
  /** The password of a protected PDF. It is used only if the file does not open without one. */
  readonly password?: string | undefined;
  /**
   * Whether to read the outline of a PDF. All pages are looked up for it, which takes longer in a document of thousands
   * of pages. Default: false.
   */
  readonly outline?: boolean | undefined;
}

const FIELDS = { file: required(file), password: optional(text), outline: optional(flag) };

/**
 * Reads the properties of a file without converting it. The properties of an office file are its format and its size,
 * which need no worker.
 *
 * @param run runs a job in the pool
 * @throws {ServiceError} `unsupported_input`, `wrong_password`, `unsupported_encryption`, `damaged_file`
 */
export async function inspect(
  params: InspectParams,
  run: (job: Job<"pdf/inspect" | "image/inspect">) => Promise<Inspection>,
): Promise<Inspection> {
  const { file, ...options } = readFields(FIELDS, params);
  const format = await detectFormat(file);
  switch (FORMATS[format].kind) {
    case "pdf":
      return run({ engine: "pdf/inspect", file, ...options });
    case "image":
      return run({ engine: "image/inspect", file, from: format });
    default:
      return { format, size: file.size };
  }
}
