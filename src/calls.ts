import { askForPasswords, isAskPassword } from "./ask-password.ts";
import { type ConversionSettings, type Place, placeOf } from "./choose-converter.ts";
import type { ConverterJob } from "./converter/convert-by-app.ts";
import type { ClientResult, Downloads, Origin } from "./downloads.ts";
import type { Fetch } from "./fetch/fetch.ts";
import { readFields, text } from "./fields.ts";
import { OPERATION_PATHS, type OperationName } from "./http/path.ts";
import type { ServiceCallOptions } from "./http/request.ts";
import { readInputs } from "./inputs.ts";
import { fieldPolicy, OPERATIONS, type Operation, type OperationFields } from "./operations.ts";
import type { Pool } from "./pool/pool.ts";
import type { CheckedOptions } from "./remote/options.ts";
import type { RemoteJob } from "./remote/remote.ts";
import { importChunk, outOfMemory } from "./shared/failure.ts";
import { formatNamed } from "./shared/formats.ts";
import type { FileEngine, Job } from "./shared/protocol.ts";
import { isStored } from "./shared/read-blob.ts";

/** How often a job runs when the browser cannot store its file. */
const ATTEMPTS = 2;

/** The parts of a client that its calls use. */
export interface CallHost {
  readonly options: CheckedOptions & ConversionSettings & { readonly sealed?: boolean | undefined };
  readonly downloads: Downloads;
  /** Aborted when the client is closed. */
  readonly closing: AbortSignal;
  readonly platformFetch: Fetch;
  openPool(): Promise<Pool>;
}

/**
 * Runs one operation: checks its fields, and runs its job in a worker or by the remote service. The page loads this code,
 * and the table of operations, with the first call.
 *
 * @throws {ServiceError} the error of the call. An aborted call rejects with the reason of its signal
 */
export async function runOperation(
  host: CallHost,
  name: OperationName,
  params: object,
  callOptions: ServiceCallOptions,
): Promise<ClientResult> {
  throwIfEnded(host, callOptions);
  const operation: Operation<OperationFields> = OPERATIONS[name];
  const values = readFields(operation.fields, params, fieldPolicy(name, "refused"));
  const inputs = await readInputs(values.file, operation.accepts);
  const files = inputs.map(({ file }) => file);
  const runWith = async (password: unknown) => {
    throwIfEnded(host, callOptions);
    const given = { ...values, password };
    const job = operation.job(given, inputs, host.options);
    const fileName = (type: string) => operation.fileName(inputs[0].name, given, type);
    const result = await runJob(host, job, { ...callOptions, path: OPERATION_PATHS[name], fileName });
    host.downloads.setOrigin(result, {
      operation: name,
      place: placeOfJob(job, host.options),
      inputs: files,
    });
    return result;
  };
  const { password } = values;
  if (!isAskPassword(password)) return runWith(password);
  return askForPasswords(password, files, [host.closing, callOptions.signal], (known) =>
    runWith(operation.hasPasswords ? known.map((one) => one ?? "") : known[0]),
  );
}

/**
 * Returns where a pair of formats is converted, or undefined for a pair that `convert` refuses.
 *
 * @throws {ServiceError} `invalid_parameter` for a name that is no text
 */
export async function placeOfPair(
  from: string,
  to: string,
  settings: ConversionSettings,
): Promise<Place | undefined> {
  const input = formatNamed(text(from, "from"));
  const output = formatNamed(text(to, "to"));
  return input && output && placeOf(input, output, settings);
}

function placeOfJob({ engine }: AnyJob, { sealed }: CallHost["options"]): Origin["place"] {
  if (engine === "remote" || engine === "converter") return engine;
  return sealed ? "sealed" : "device";
}

/** A job of an operation. */
type AnyJob = Job<FileEngine> | ConverterJob | RemoteJob;

/** What a job needs to know of its call. */
interface JobCall extends ServiceCallOptions {
  /** The path of the operation. */
  readonly path: string;
  /** Returns the name of the result, by its MIME type. */
  fileName(type: string): string;
}

/** Runs a job in a worker, by a converter of the app, or by the remote service. */
async function runJob(host: CallHost, job: AnyJob, call: JobCall): Promise<ClientResult> {
  const { options, downloads, closing, platformFetch } = host;
  const { apiKey, path, fileName } = call;
  if (job.engine === "remote") {
    const { convertRemotely } = await importChunk(import("./remote/remote.ts"));
    return convertRemotely(job, call, {
      ...options,
      ...(apiKey !== undefined && { apiKey }),
      url: options.baseUrl + path,
      platformFetch,
      closing,
      downloads,
      fileName,
    });
  }
  if (job.engine === "converter") {
    const { convertByApp } = await importChunk(import("./converter/convert-by-app.ts"));
    return convertByApp(job, call, { closing, downloads, fileName });
  }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const result = await tryInWorker(host, job, call);
    if (result !== undefined) return result;
  }
  throw outOfMemory();
}

/** Runs a job in a worker. Returns undefined if the browser could not store its file. */
async function tryInWorker(
  host: CallHost,
  job: Job<FileEngine>,
  call: JobCall,
): Promise<ClientResult | undefined> {
  const { downloads, openPool } = host;
  const pool = await openPool();
  throwIfEnded(host, call);
  const file = await pool.run(job, call);
  call.onProgress?.({ phase: "writing", done: 0, total: file.size });
  throwIfEnded(host, call);
  const storing = isStored(file);
  // Do not wait for the check: the browser stores the file while the URL is made.
  const result = downloads.createResult(file, call.fileName(file.type));
  if (await storing) return result;
  downloads.release(result);
  return undefined;
}

function throwIfEnded({ closing }: CallHost, { signal }: ServiceCallOptions): void {
  closing.throwIfAborted();
  signal?.throwIfAborted();
}
