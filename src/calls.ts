import type { RemoteSettings } from "./conversions.ts";
import type { Downloads, ServiceResult } from "./downloads.ts";
import type { Fetch } from "./fetch/fetch.ts";
import { isBlob, readFields } from "./fields.ts";
import { readInputs } from "./inputs.ts";
import { OPERATIONS, type Operation, type OperationFields } from "./operations.ts";
import type { Pool } from "./pool/pool.ts";
import type { RemoteOptions } from "./remote/options.ts";
import { OPERATION_PATHS, type OperationName } from "./service/path.ts";
import type { ServiceCallOptions } from "./service/request.ts";
import { importChunk, outOfMemory } from "./shared/failure.ts";
import type { FileEngine, Job } from "./shared/protocol.ts";
import { isStored, readBytes } from "./shared/read-blob.ts";

/** The parts of a client that its calls use. */
export interface CallHost {
  readonly options: RemoteOptions;
  readonly settings: RemoteSettings;
  readonly downloads: Downloads;
  /** Aborted when the client is closed. */
  readonly closing: AbortSignal;
  readonly platformFetch: Fetch;
  openPool(): Promise<Pool>;
}

/** Reading a whole file of this size takes hardly longer than reading the parts that show its format. */
const SMALL_FILE = 2 * 1024 * 1024;
/** With more calls at the same time, some wait for a worker, and their files would wait in memory. */
const MOST_CALLS_READ = 4;

/** The calls of a client. The page loads this code, and the table of operations, with the first call. */
export class Calls {
  readonly #host: CallHost;
  #running = 0;

  constructor(host: CallHost) {
    this.#host = host;
  }

  /**
   * Runs one operation: checks its fields, and runs its job in a worker or by the remote service.
   *
   * @throws {ServiceError} the error of the call. An aborted call rejects with the reason of its signal
   */
  async run(name: OperationName, params: object, callOptions: ServiceCallOptions): Promise<ServiceResult> {
    this.#running++;
    try {
      return await this.#run(name, params, callOptions);
    } finally {
      this.#running--;
    }
  }

  async #run(
    operationName: OperationName,
    params: object,
    callOptions: ServiceCallOptions,
  ): Promise<ServiceResult> {
    const { options, settings, downloads, closing, platformFetch } = this.#host;
    this.#throwIfEnded(callOptions);
    const operation: Operation<OperationFields> = OPERATIONS[operationName];
    const values = readFields(operation.fields, params);
    const { file } = values;
    const isSmall = isBlob(file) && file.size <= SMALL_FILE;
    const readsNow = operation.readsFirst && isSmall && this.#running <= MOST_CALLS_READ;
    const content = readsNow ? await readBytes(file) : undefined;
    const inputs = await readInputs(file, content);
    this.#throwIfEnded(callOptions);
    const fileName = (type: string) => operation.fileName(inputs[0].name, values, type);
    const job = operation.job(values, inputs, settings);
    if (job.engine === "remote") {
      const { convertRemotely } = await importChunk(import("./remote/remote.ts"));
      return convertRemotely(job, callOptions, {
        ...options,
        ...(callOptions.apiKey !== undefined && { apiKey: callOptions.apiKey }),
        url: settings.baseUrl + OPERATION_PATHS[operationName],
        platformFetch,
        closing,
        downloads,
        fileName,
      });
    }
    // The content is transferred to the worker, so the second attempt reads the file.
    const result =
      (await this.#tryInWorker({ ...job, content }, fileName, callOptions)) ??
      (await this.#tryInWorker(job, fileName, callOptions));
    if (result === undefined) throw outOfMemory();
    return result;
  }

  /** Runs a job in a worker. Returns undefined if the browser could not store its file. */
  async #tryInWorker(
    job: Job<FileEngine>,
    fileName: (type: string) => string,
    callOptions: ServiceCallOptions,
  ): Promise<ServiceResult | undefined> {
    const { downloads, openPool } = this.#host;
    const pool = await openPool();
    this.#throwIfEnded(callOptions);
    const made = await pool.run(job, callOptions);
    callOptions.onProgress?.({ phase: "writing", done: 0, total: made.size });
    this.#throwIfEnded(callOptions);
    const storing = isStored(made);
    // Do not wait for the check: the browser stores the file while the URL is made.
    const result = downloads.createResult(made, fileName(made.type));
    if (await storing) return result;
    downloads.release(result);
    return undefined;
  }

  #throwIfEnded({ signal }: ServiceCallOptions): void {
    this.#host.closing.throwIfAborted();
    signal?.throwIfAborted();
  }
}
