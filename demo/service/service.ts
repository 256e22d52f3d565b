import { createHash, timingSafeEqual } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ServiceResult } from "../../src/downloads.ts";
import { readFields } from "../../src/fields.ts";
import { OPERATION_PATHS } from "../../src/http/path.ts";
import { attachment } from "../../src/http/response.ts";
import { OPERATIONS } from "../../src/operations.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { type ConvertValues, convert, type Made } from "./convert.ts";
import { JobQueue } from "./job-queue.ts";
import { StoredResults } from "./stored-results.ts";
import { receiveUpload } from "./upload.ts";
import { Uploads } from "./uploads.ts";

/** The options of the service. */
export interface ServiceOptions {
  /** LibreOffice's command. */
  readonly soffice: string;
  /** The key that callers must send. */
  readonly key: string;
  /** The largest file, in bytes. Default 50 MB. */
  readonly uploadLimit?: number | undefined;
  /** How many uploads run at a time. A further upload ends the slowest one. Default 16. */
  readonly uploads?: number | undefined;
  /** How many milliseconds an upload may take. Default 60,000. */
  readonly uploadTimeLimit?: number | undefined;
  /** For how many milliseconds the rest of a refused upload is read. Default 10,000. */
  readonly refusedUploadTime?: number | undefined;
  /** How many conversions run at a time. Default 2. */
  readonly concurrency?: number | undefined;
  /** How many further conversions may wait. Others are refused. Default 8. */
  readonly waiting?: number | undefined;
  /** How many milliseconds a conversion may take. Default 60,000. */
  readonly timeLimit?: number | undefined;
  /** How many milliseconds a result is stored. Default ten minutes. */
  readonly keepFor?: number | undefined;
  /** Called with errors of the service itself. */
  readonly onFailure?: ((thrown: unknown) => void) | undefined;
}

/** Where the service listens. */
export interface Address {
  /** Default: the loopback, which other machines cannot reach. */
  readonly host?: string | undefined;
  /** Default: any free port. */
  readonly port?: number | undefined;
}

const RESULT_PATH = /^\/download\/([\w-]{1,40})\/[^/]+$/;
/** A refused upload is read up to this multiple of the limit, so that its sender can read the answer. */
const REFUSED_UPLOAD_FACTOR = 4;
/** A refused upload is read for at most this time. Otherwise a slow sender would never get an answer. */
const REFUSED_UPLOAD_MS = 10_000;

/**
 * A stand-in for the remote service. Converts office files with LibreOffice, over the HTTP of the contract.
 *
 * @example
 * const service = await Service.start({ soffice: "soffice", key: "secret" });
 * const client = createClient({ baseUrl: service.url, apiKey: "secret" });
 */
export class Service {
  readonly url: string;
  readonly #server: Server;
  readonly #options: ServiceOptions;
  readonly #uploads: Uploads;
  readonly #queue: JobQueue;
  readonly #folder = mkdtempSync(join(tmpdir(), "stayput-service-"));
  readonly #results: StoredResults;
  readonly #closing = new AbortController();
  readonly #answers = new Set<Promise<void>>();
  #jobs = 0;

  private constructor(server: Server, options: ServiceOptions) {
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
    this.url = `http://${host}:${address.port}`;
    this.#server = server;
    this.#options = options;
    this.#uploads = new Uploads(options.uploads ?? 16, options.uploadTimeLimit ?? 60_000);
    this.#queue = new JobQueue(options.concurrency ?? 2, options.waiting ?? 8);
    this.#results = new StoredResults(this.#folder, options.keepFor ?? 600_000);
    server.on("request", (request, response) => {
      const answer = this.#answer(request, response).finally(() => this.#answers.delete(answer));
      this.#answers.add(answer);
    });
  }

  static async start(
    options: ServiceOptions,
    { host = "127.0.0.1", port = 0 }: Address = {},
  ): Promise<Service> {
    // A request without a key sends an empty one. A header cannot carry spaces or characters beyond ASCII in a key.
    if (!/^[\x21-\x7e]+$/.test(options.key))
      throw new Error("the key must have at least one character, only ASCII, and no spaces");
    const server = createServer();
    await new Promise<void>((listening, failed) => {
      server.once("error", failed);
      server.listen(port, host, listening);
    });
    return new Service(server, options);
  }

  /** The folder of the uploads and the results. */
  get folder(): string {
    return this.#folder;
  }

  /** Ends all conversions and deletes all results. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the service is closed"));
    this.#results.clear();
    await new Promise<void>((closed) => {
      this.#server.close(() => closed());
      this.#server.closeAllConnections();
    });
    // A request may still be writing into the folder.
    await Promise.all(this.#answers);
    this.removeFolder();
  }

  /** Deletes the folder, also when the process ends immediately. */
  removeFolder(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    allowPages(response);
    try {
      if (request.method === "OPTIONS") response.writeHead(204).end();
      else await this.#route(request, response);
    } catch (thrown) {
      if (response.destroyed || response.headersSent) {
        response.destroy();
        return;
      }
      const error = this.#errorOf(thrown);
      const { refusedUploadTime = REFUSED_UPLOAD_MS } = this.#options;
      if (!(await drain(request, this.#uploadLimit * REFUSED_UPLOAD_FACTOR, refusedUploadTime)))
        response.setHeader("Connection", "close");
      const seconds = error.details.retry_after;
      if (seconds !== undefined) response.setHeader("Retry-After", String(seconds));
      sendJson(response, error.status, { success: false, error: error.toWire() });
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pathname = pathOf(request);
    const id = RESULT_PATH.exec(pathname)?.[1];
    if (id !== undefined) {
      allowMethods(request, response, ["GET", "HEAD"]);
      await this.#sendResult(id, request, response);
    } else if (pathname === OPERATION_PATHS.convert) {
      allowMethods(request, response, ["POST"]);
      this.#checkKey(request);
      sendJson(response, 200, await this.#convert(request, response));
    } else {
      throw new ServiceError("not_found", "This service only converts: POST /api/convert.");
    }
  }

  async #convert(request: IncomingMessage, response: ServerResponse): Promise<ServiceResult> {
    this.#queue.check();
    const folder = join(this.#folder, `job-${++this.#jobs}`);
    const gone = new AbortController();
    const leave = () => gone.abort(new Error("the caller is gone"));
    response.on("close", leave);
    try {
      await mkdir(folder);
      const values = await this.#receive(request, folder);
      const ending = AbortSignal.any([gone.signal, this.#closing.signal]);
      const made = await this.#work(values, folder, ending);
      const path = `/download/${await this.#results.add(made)}/${encodeURIComponent(made.fileName)}`;
      return {
        success: true,
        download_url: this.#publicUrl(request) + path,
        file_name: made.fileName,
      };
    } finally {
      response.off("close", leave);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async #receive(request: IncomingMessage, folder: string): Promise<ConvertValues> {
    const { socket } = request;
    const before = socket.bytesRead;
    const upload = this.#uploads.begin(() => socket.bytesRead - before);
    try {
      const params = await receiveUpload(request, folder, this.#uploadLimit, upload.signal);
      const { password, ...values } = readFields(OPERATIONS.convert.fields, params);
      // A form has texts only.
      return { ...values, password: typeof password === "string" ? password : undefined };
    } finally {
      upload.end();
    }
  }

  /** Waits for its turn, then converts the received file. */
  async #work(values: ConvertValues, folder: string, ending: AbortSignal): Promise<Made> {
    const { timeLimit = 60_000, soffice } = this.#options;
    const job = this.#queue.add();
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      await job.start(ending);
      timer = setTimeout(() => late.abort(tooSlow(timeLimit)), timeLimit);
      return await convert(values, { soffice, folder, signal: AbortSignal.any([ending, late.signal]) });
    } finally {
      clearTimeout(timer);
      job.end();
    }
  }

  async #sendResult(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result = this.#results.get(id);
    const file = result && (await open(result.path).catch(() => undefined));
    if (result === undefined || file === undefined)
      throw new ServiceError("not_found", "This file has expired. Convert it again.");
    const { size } = await file.stat();
    response.writeHead(200, {
      "Content-Type": result.type,
      "Content-Length": size,
      "Content-Disposition": attachment(result.fileName),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
    if (request.method === "HEAD") {
      response.end();
      await file.close();
    } else await pipeline(file.createReadStream(), response);
  }

  /** Compares hashes, because a comparison in constant time needs equal lengths. */
  #checkKey({ headers }: IncomingMessage): void {
    const shown = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? "";
    const [one, other] = [shown, this.#options.key].map((text) => createHash("sha256").update(text).digest());
    if (one && other && timingSafeEqual(one, other)) return;
    throw new ServiceError("unauthorized", "The key is missing or wrong.");
  }

  /** Returns the URL under the caller's name for this host. Another name would be another origin for a page. */
  #publicUrl({ headers }: IncomingMessage): string {
    const host = headers.host ?? "";
    return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `http://${host}` : this.url;
  }

  #errorOf(thrown: unknown): ServiceError {
    if (thrown instanceof ServiceError) return thrown;
    this.#options.onFailure?.(thrown);
    return new ServiceError("internal_error", "The service failed to convert this file.");
  }

  get #uploadLimit(): number {
    return this.#options.uploadLimit ?? 50_000_000;
  }
}

/** Allows pages of all origins. A key is required, and cookies are ignored. */
function allowPages(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Methods", "GET, HEAD, POST");
  response.setHeader("Access-Control-Allow-Headers", "Authorization, Content-Type");
  response.setHeader("Access-Control-Expose-Headers", "Content-Disposition, Retry-After");
  response.setHeader("Access-Control-Max-Age", "600");
}

function allowMethods({ method = "" }: IncomingMessage, response: ServerResponse, allowed: string[]): void {
  if (allowed.includes(method)) return;
  response.setHeader("Allow", [...allowed, "OPTIONS"].join(", "));
  throw new ServiceError("method_not_allowed", `Use ${allowed.join(" or ")}, not ${method}.`);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": bytes.length });
  response.end(bytes);
}

/** Returns the path of a request, or nothing for an invalid URL, which only clients other than browsers send. */
function pathOf({ url = "/" }: IncomingMessage): string {
  const base = "http://service";
  return URL.canParse(url, base) ? new URL(url, base).pathname : "";
}

/**
 * Reads the rest of a refused upload. A sender that gets an answer before it has sent everything sees a broken
 * connection instead of the answer.
 *
 * @returns whether the upload was read to its end
 */
async function drain(request: IncomingMessage, limitBytes: number, timeLimitMs: number): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return true;
  let left = limitBytes;
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), timeLimitMs);
    const done = () => {
      clearTimeout(late);
      resolve(left >= 0);
    };
    request.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    });
    request.on("close", done);
    request.on("end", done);
    request.resume();
  });
}

function tooSlow(timeLimit: number): ServiceError {
  return new ServiceError("timeout", `The conversion took longer than ${timeLimit} ms.`, {
    timeout: timeLimit,
  });
}
