import type { RemoteSettings } from "./conversions.ts";
import type { ClientResult, Downloads } from "./downloads.ts";
import type { Fetch } from "./fetch/fetch.ts";
import { readFields } from "./fields.ts";
import { OPERATION_PATHS, type OperationName } from "./http/path.ts";
import type { ServiceCallOptions } from "./http/request.ts";
import { readInputs } from "./inputs.ts";
import { fieldPolicy, OPERATIONS, type Operation, type OperationFields } from "./operations.ts";
import type { Pool } from "./pool/pool.ts";
import type { CheckedOptions } from "./remote/options.ts";
import { importChunk, outOfMemory } from "./shared/failure.ts";
import type { FileEngine, Job } from "./shared/protocol.ts";
import { isStored } from "./shared/read-blob.ts";

/** How often a job runs when the browser cannot store its file. */
const ATTEMPTS = 2;

/** The parts of a client that its calls use. */
export interface CallHost {
  readonly options: CheckedOptions & RemoteSettings;
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
  const { options, downloads, closing, platformFetch } = host;
  throwIfEnded(host, callOptions);
  const operation: Operation<OperationFields> = OPERATIONS[name];
  const values = readFields(operation.fields, params, fieldPolicy(name, "refused"));
  const inputs = await readInputs(values.file, operation.accepts);
  throwIfEnded(host, callOptions);
  const fileName = (type: string) => operation.fileName(inputs[0].name, values, type);
  const job = operation.job(values, inputs, options);
  if (job.engine === "remote") {
    const { convertRemotely } = await importChunk(import("./remote/remote.ts"));
    return convertRemotely(job, callOptions, {
      ...options,
      ...(callOptions.apiKey !== undefined && { apiKey: callOptions.apiKey }),
      url: options.baseUrl + OPERATION_PATHS[name],
      platformFetch,
      closing,
      downloads,
      fileName,
    });
  }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const result = await tryInWorker(host, job, fileName, callOptions);
    if (result !== undefined) return result;
  }
  throw outOfMemory();
}

/** Runs a job in a worker. Returns undefined if the browser could not store its file. */
async function tryInWorker(
  host: CallHost,
  job: Job<FileEngine>,
  fileName: (type: string) => string,
  callOptions: ServiceCallOptions,
): Promise<ClientResult | undefined> {
  const { downloads, openPool } = host;
  const pool = await openPool();
  throwIfEnded(host, callOptions);
  const file = await pool.run(job, callOptions);
  callOptions.onProgress?.({ phase: "writing", done: 0, total: file.size });
  throwIfEnded(host, callOptions);
  const storing = isStored(file);
  // Do not wait for the check: the browser stores the file while the URL is made.
  const result = downloads.createResult(file, fileName(file.type));
  if (await storing) return result;
  downloads.release(result);
  return undefined;
}

function throwIfEnded({ closing }: CallHost, { signal }: ServiceCallOptions): void {
  closing.throwIfAborted();
  signal?.throwIfAborted();
}
