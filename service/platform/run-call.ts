import type { CallOptions } from "../../src/call-options.ts";
import type { ServiceResult } from "../../src/downloads.ts";
import type { OperationName } from "../../src/http/path.ts";
import type { Client, ClientOptions } from "../../src/index.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { NodeWorker, type WorkerSetup } from "./node-worker.ts";
import { type StoredBlob, StoredFile } from "./stored-blob.ts";

/** How the workers of a call start. */
export interface EngineSetup extends WorkerSetup {
  /** The folder of the built package `stayput`, as a file URL with a slash at its end. It has the client and its worker. */
  readonly packageUrl: string | URL;
  /** How many threads a call may have, helpers included. Default 1. */
  readonly threads?: number | undefined;
}

/** A call of an operation. Its fields are not checked yet. */
export interface EngineCall extends CallOptions {
  readonly operation: OperationName;
  /** The fields of the operation. Files are a {@link StoredFile}, or a list of them. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** The file that a call has made. Its content may be in the folder of the call. */
export interface MadeFile {
  readonly file: StoredBlob;
  readonly fileName: string;
}

/**
 * Runs one operation in threads of its own, which end with it: nothing stays in memory between calls, and a codec that
 * has crashed takes nothing with it.
 *
 * @returns the result. It is readable as long as the folder of the setup and the input exist
 * @throws {ServiceError} the error of the call. An aborted call rejects with the reason of its signal
 *
 * @example
 * const file = StoredFile.at("/tmp/report.pdf", "report.pdf");
 * const made = await runCall({ operation: "protectPdf", params: { file, password } }, { packageUrl, folder });
 */
export async function runCall(
  { operation, params, ...options }: EngineCall,
  setup: EngineSetup,
): Promise<MadeFile> {
  return withClient(setup, async (client) => {
    const call = client[operation] as (params: object, options: CallOptions) => Promise<ServiceResult>;
    const result = await call(params, options);
    return { file: fileOf(client, result), fileName: result.file_name };
  });
}

/**
 * Runs `work` with a client of the built package, whose workers are threads. They end with it.
 *
 * @throws what `work` throws. Errors of the client become those of this code: see {@link ownError}
 */
export async function withClient<Result>(
  setup: EngineSetup,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(setup);
  try {
    return await work(client);
  } catch (thrown) {
    throw ownError(thrown);
  } finally {
    client.close();
  }
}

async function openClient({ packageUrl, threads = 1, ...setup }: EngineSetup): Promise<Client> {
  const { createClient }: PublicApi = await import(new URL("index.js", packageUrl).href);
  const workerUrl = new URL("worker.js", packageUrl);
  return createClient({
    createWorker: () => new NodeWorker(workerUrl, setup),
    remote: "never",
    maxWorkers: threads,
    fontUrl: setup.fontUrl,
  });
}

/** The part of the package that is used. Its version is that of its worker, which the sources cannot say of themselves. */
interface PublicApi {
  createClient(options: ClientOptions): Client;
}

/** Returns an error of a client of the built package as one of the class of this code. Other errors stay the same. */
function ownError(thrown: unknown): unknown {
  const isForeign =
    thrown instanceof Error && thrown.name === "ServiceError" && !(thrown instanceof ServiceError);
  return isForeign ? ServiceError.fromWire((thrown as ServiceError).toWire()) : thrown;
}

/**
 * Returns the file of a result. `client.blob` makes a `File` of the platform from it, and that of Node cannot hold a
 * `StoredBlob`: so the global is replaced for that one synchronous call.
 */
function fileOf(client: Client, result: ServiceResult): StoredBlob {
  const Native = globalThis.File;
  Object.assign(globalThis, { File: StoredFile });
  try {
    return client.blob(result) as StoredFile;
  } finally {
    globalThis.File = Native;
  }
}
