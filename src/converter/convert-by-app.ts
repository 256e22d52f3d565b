import type { CallOptions } from "../call-options.ts";
import type { AppConverter } from "../conversions.ts";
import type { ClientResult } from "../downloads.ts";
import { isBlob } from "../fields.ts";
import { outputType } from "../output-type.ts";
import { type PageCaller, type PageWork, runOnPage } from "../run-on-page.ts";
import { ServiceError } from "../shared/errors.ts";
import { invalidParameter, outOfMemory, withCause } from "../shared/failure.ts";
import { FORMATS, type FormatId } from "../shared/formats.ts";
import { isStored } from "../shared/read-blob.ts";

/** A conversion for a converter of the app. */
export interface ConverterJob {
  readonly engine: "converter";
  readonly converter: AppConverter;
  readonly file: Blob;
  /** The name of the file without its extension. */
  readonly name: string;
  readonly from: FormatId;
  readonly to: FormatId;
}

/** The parts of a client that a call of a converter uses. */
interface Caller extends PageCaller {
  /** Returns the name of the result, by its MIME type. */
  fileName(type: string): string;
}

/**
 * Runs a converter of the app on the page, and checks that its output has the format that it should have.
 *
 * @throws {ServiceError} `converter_failed`, `out_of_memory`. An aborted call rejects with `signal.reason`
 */
export function convertByApp(job: ConverterJob, options: CallOptions, caller: Caller): Promise<ClientResult> {
  const work = async ({ signal, report, throwIfEnded }: PageWork) => {
    report("working", 0, 0);
    // The callback may have ended the call.
    throwIfEnded();
    const output = await outputOf(job, signal, (done, total) => report("working", done, total));
    if (!(await isStored(output))) throw outOfMemory();
    return caller.downloads.createResult(output, caller.fileName(output.type));
  };
  return runOnPage(work, options, caller);
}

/** Returns the output of a converter, with the type of its content. */
async function outputOf(
  { converter, file, name, from, to }: ConverterJob,
  signal: AbortSignal,
  report: (done: number, total: number) => void,
): Promise<Blob> {
  const input = new File([file], `${name}.${from}`, { type: FORMATS[from].mime });
  const request = {
    to,
    signal,
    report: (done: number, total: number) => {
      if (![done, total].every((count) => Number.isFinite(count) && count >= 0))
        throw invalidParameter("report", '"report" needs two numbers of at least 0.');
      report(done, total);
    },
  };
  const pair = `${from.toUpperCase()} to ${to.toUpperCase()}`;
  const output: unknown = await Promise.resolve()
    .then(() => converter.convert(input, request))
    // Any error of the app's function.
    .catch((thrown: unknown) => {
      throw new ServiceError(
        "converter_failed",
        `The converter of this app failed to convert ${pair}. Try again, or choose another file.`,
        withCause(thrown, { from, to }),
      );
    });
  const type = isBlob(output) ? await outputType(output, to) : undefined;
  if (isBlob(output) && type !== undefined) return output.slice(0, output.size, type);
  throw new ServiceError(
    "converter_failed",
    `The converter of this app did not make a ${to.toUpperCase()} file. Try again, or choose another format.`,
    { from, to },
  );
}
