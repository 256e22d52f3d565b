import { type AskPassword, askForPasswords, isAskPassword } from "./ask-password.ts";
import type { CallOptions } from "./call-options.ts";
import type { CallHost } from "./calls.ts";
import type { FileInput } from "./downloads.ts";
import { file, flag, optional, orAsked, readFields, required, text } from "./fields.ts";
import { ServiceError } from "./shared/errors.ts";
import { detectFormat } from "./shared/format-detection.ts";
import { FORMATS } from "./shared/formats.ts";
import type { Inspection, Job } from "./shared/protocol.ts";

/** The parameters of `inspect`. */
export interface InspectParams {
  readonly file: FileInput;
  /**
   * The password of a protected PDF, or a function that returns it. It is used only if the file does not open without one.
   */
  readonly password?: string | AskPassword | undefined;
  /**
   * Whether to read the outline of a PDF. All pages are looked up for it, which takes longer in a document of thousands
   * of pages. Default: false.
   */
  readonly outline?: boolean | undefined;
  /**
   * Whether to count what `cleanPdf` would remove from a PDF. All of the document is read for it, except what pages draw. Default:
   * false.
   */
  readonly hidden?: boolean | undefined;
}

/** The fields of `inspect`. */
export const INSPECT_FIELDS = {
  file: required(file),
  password: optional(orAsked(text)),
  outline: optional(flag),
  hidden: optional(flag),
};

/**
 * Reads the properties of a file without converting it. The properties of an office file are its format and its size,
 * which need no worker.
 *
 * @throws {ServiceError} `unsupported_input`, `wrong_password`, `unsupported_encryption`, `damaged_file`. If `password` is a
 *   function that gives up, also `password_required`
 */
export async function inspect(
  params: InspectParams,
  callOptions: CallOptions,
  { closing, openPool }: Pick<CallHost, "closing" | "openPool">,
): Promise<Inspection> {
  const { file, password, ...options } = readFields(INSPECT_FIELDS, params);
  const format = await detectFormat(file);
  const run = async (job: Job<"pdf/inspect" | "image/inspect">) => (await openPool()).run(job, callOptions);
  const pdf = { engine: "pdf/inspect", file, ...options } as const;
  switch (FORMATS[format].kind) {
    case "pdf":
      if (!isAskPassword(password)) return run({ ...pdf, password });
      return askForPasswords(password, [file], [closing, callOptions.signal], async ([answer]) =>
        opened(await run({ ...pdf, password: answer }), answer),
      );
    case "image":
      return run({ engine: "image/inspect", file, from: format });
    default:
      return { format, size: file.size };
  }
}

/** @throws {ServiceError} `password_required` for what was found without a password that the file needs */
function opened(found: Inspection, password: string | undefined): Inspection {
  const isLocked = found.encrypted === true && found.opens_with_empty_password === false;
  if (!isLocked || password !== undefined) return found;
  throw new ServiceError("password_required", "The PDF is locked. Enter its password.", {
    parameter: "password",
  });
}
