import { mkdir, rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { OPERATION_PATHS, type OperationName } from "../../src/http/path.ts";
import { checkEncoding, readCall, type ServiceCall } from "../../src/http/request.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { requestGc } from "../../src/shared/request-gc.ts";
import { perform } from "../perform.ts";
import type { MadeFile } from "../platform/run-call.ts";
import { JobQueue } from "./job-queue.ts";
import type { SettledOptions } from "./service-options.ts";
import { type FormEntry, receiveUpload } from "./upload.ts";
import { Uploads } from "./uploads.ts";

/**
 * Where V8 puts new objects. With its own 48 MB, the service takes 20 MB more for a large file. With 4 MB, a split of 200,000
 * objects takes 1.3 times as long.
 */
const YOUNG_GENERATION_MB = 8;

/** The request of a call. */
interface Caller {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Lets a caller that waits for it send the body. */
  readonly accept: () => void;
}

/** Runs the calls of a service: receives their files, waits for their turn, and does the work. Each has a folder of its own. */
export class Calls {
  readonly #folder: string;
  readonly #options: SettledOptions;
  readonly #uploads: Uploads;
  readonly #queue: JobQueue;
  readonly #running = new Set<AbortController>();
  #count = 0;

  /** @param folder an existing one, for the folders of the calls */
  constructor(folder: string, options: SettledOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#uploads = new Uploads(options.uploads, options.uploadTimeLimit);
    this.#queue = new JobQueue(options.concurrency, options.waiting);
  }

  /**
   * Runs one call. It ends when its caller goes.
   *
   * @param keep takes the file that was made. It is gone afterwards
   * @returns what `keep` returns
   * @throws {ServiceError} the error of the upload or of the call, `rate_limited`, `timeout`
   */
  async run<Kept>(
    operation: OperationName,
    caller: Caller,
    keep: (made: MadeFile, ending: AbortSignal) => Promise<Kept>,
  ): Promise<Kept> {
    const { response } = caller;
    this.#queue.check();
    const folder = join(this.#folder, `job-${++this.#count}`);
    const ending = new AbortController();
    const leave = () => ending.abort(new Error("the caller is gone"));
    this.#running.add(ending);
    response.on("close", leave);
    try {
      await mkdir(folder, { mode: 0o700 });
      const call = await callOf(operation, await this.#receive(caller, folder));
      return await keep(await this.#work(call, folder, ending), ending.signal);
    } finally {
      this.#running.delete(ending);
      response.off("close", leave);
      // The call has its own outcome.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(this.#options.onFailure);
    }
  }

  /** Ends all calls. */
  endAll(): void {
    // Not by a signal of the service: in Node 20, it would hold all signals that were made of it.
    for (const ending of this.#running) ending.abort(new Error("the service is closed"));
  }

  /** Ends uploads that make no progress, so that the service can stop. */
  endStalledUploads(): void {
    this.#uploads.endStalled(this.#options.stalledUploadTime);
  }

  async #receive({ request, accept }: Caller, folder: string): Promise<readonly FormEntry[]> {
    const { socket } = request;
    const before = socket.bytesRead;
    const upload = this.#uploads.begin(() => socket.bytesRead - before);
    try {
      const { signal } = upload;
      const limitBytes = this.#options.uploadLimit;
      return await receiveUpload(request, { folder, limitBytes, accept, signal });
    } finally {
      upload.end();
      // The buffers of the upload would stay while the thread works.
      requestGc();
    }
  }

  /** Waits for its turn, then does the work. */
  async #work(call: ServiceCall, folder: string, ending: AbortController): Promise<MadeFile> {
    const { timeLimit, soffice, packageUrl, fontUrl, threads, heapLimit } = this.#options;
    const job = this.#queue.add();
    let timer: NodeJS.Timeout | undefined;
    try {
      await job.start(ending.signal);
      timer = setTimeout(() => ending.abort(tooSlow(timeLimit)), timeLimit);
      const resourceLimits = {
        maxOldGenerationSizeMb: heapLimit,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      };
      const engines = { packageUrl, fontUrl, folder, threads, resourceLimits };
      return await perform(call, { engines, soffice, signal: ending.signal });
    } finally {
      clearTimeout(timer);
      job.end();
    }
  }
}

/** Reads a form as the other façades do. */
async function callOf(operation: OperationName, form: readonly FormEntry[]): Promise<ServiceCall> {
  const path = OPERATION_PATHS[operation];
  const request = new Request(`http://service${path}`, { method: "POST" });
  const call = await readCall(request, path, form as unknown as Iterable<[string, FormDataEntryValue]>);
  checkEncoding(call.params);
  return call;
}

function tooSlow(timeLimit: number): ServiceError {
  return new ServiceError("timeout", `The call took longer than ${timeLimit / 1_000} seconds.`, {
    timeout: timeLimit,
  });
}
