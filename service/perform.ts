import type { CallOptions } from "../src/call-options.ts";
import { readFields } from "../src/fields.ts";
import type { ServiceCall } from "../src/http/request.ts";
import { fieldPolicy, OPERATIONS } from "../src/operations.ts";
import { ServiceError } from "../src/shared/errors.ts";
import { detectFormat } from "../src/shared/format-detection.ts";
import { type FormatId, formatNamed } from "../src/shared/formats.ts";
import { convertOffice, isOfficePair, type OfficeConversion } from "./office/convert-office.ts";
import { type EngineSetup, type MadeFile, runCall } from "./platform/run-call.ts";
import { StoredFile } from "./platform/stored-blob.ts";

/** What a call works with. */
export interface CallContext {
  readonly engines: EngineSetup;
  /** LibreOffice's command, if it is installed. */
  readonly soffice: string | undefined;
  readonly signal: AbortSignal;
  /** Gets the progress of the engines. LibreOffice reports none. */
  readonly onProgress?: CallOptions["onProgress"];
}

/**
 * Runs a call, by the engines or by LibreOffice.
 *
 * @returns the result, in the folder of the engines
 * @throws {ServiceError} the error of the call. `signal.reason` when aborted
 */
export async function perform(
  { operation, params }: ServiceCall,
  { engines, soffice, signal, onProgress }: CallContext,
): Promise<MadeFile> {
  const office = operation === "convert" ? await officeConversion(params) : undefined;
  if (office === undefined) return runCall({ operation, params, signal, onProgress }, engines);
  if (soffice === undefined) throw withoutOffice(office.from, office.values.output_format);
  return convertOffice(office, { engines, soffice, folder: engines.folder, signal });
}

/** Returns a conversion from or to an office format, with its fields checked. Returns undefined for another call. */
async function officeConversion(params: ServiceCall["params"]): Promise<OfficeConversion | undefined> {
  const { file, output_format } = params;
  // The client refuses several files, wrong values and unknown files, with the errors of the contract.
  const to = typeof output_format === "string" ? formatNamed(output_format) : undefined;
  if (to === undefined || !(file instanceof StoredFile)) return undefined;
  const from = await formatOf(file);
  if (from === undefined || !isOfficePair(from, to)) return undefined;
  const { password, ...values } = readFields(
    OPERATIONS.convert.fields,
    params,
    fieldPolicy("convert", "refused"),
  );
  // A form has texts only.
  return { file, from, values: { ...values, password: typeof password === "string" ? password : undefined } };
}

async function formatOf(file: StoredFile): Promise<FormatId | undefined> {
  try {
    return await detectFormat(file);
  } catch (thrown) {
    if (thrown instanceof ServiceError) return undefined;
    throw thrown;
  }
}

function withoutOffice(from: FormatId, to: FormatId): ServiceError {
  const pair = `${from.toUpperCase()} to ${to.toUpperCase()}`;
  return new ServiceError(
    "unsupported_conversion",
    `${pair} needs LibreOffice, which is not installed here. Choose another format.`,
    { from, to },
  );
}
