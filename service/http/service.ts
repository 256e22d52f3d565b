import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { ServiceResult } from "../../src/downloads.ts";
import { type OperationName, operationAt } from "../../src/http/path.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { makeWorkingFolder, removeFolder } from "../platform/working-folder.ts";
import {
  allowMethods,
  allowPages,
  errorOf,
  isItsTurn,
  pathOf,
  STOPPING,
  sendError,
  sendJson,
  tryLater,
} from "./answers.ts";
import { Calls } from "./calls.ts";
import { type Contract, contractAt, readContract } from "./contract.ts";
import { drain } from "./drain.ts";
import { checkKey } from "./key.ts";
import { RequestRecord } from "./request-log.ts";
import { sendResult, shortName } from "./send-result.ts";
import { type ServiceOptions, type SettledOptions, settled } from "./service-options.ts";
import { StoredResults } from "./stored-results.ts";
import { STALLED } from "./uploads.ts";

export type { ServiceOptions };

/** Where the service listens. */
export interface Address {
  /** Default: the loopback, which other machines cannot reach. */
  readonly host?: string | undefined;
  /** Default: any free port. */
  readonly port?: number | undefined;
}

/** What a service is made of. */
interface Parts {
  readonly server: Server;
  readonly folder: string;
  readonly results: StoredResults;
  readonly contract: Contract;
}

const RESULT_PATH = /^\/download\/([\w-]{1,40})\/[^/]+$/;
/** A refused upload is read up to this multiple of the limit, so that its sender can read the answer. */
const REFUSED_UPLOAD_FACTOR = 4;
const READ_METHODS = ["GET", "HEAD"];

/**
 * All operations of Stayput over the HTTP of the contract: by the engines of the package, and by LibreOffice for office
 * formats.
 *
 * @example
 * const service = await Service.start({ soffice: "soffice", key: "secret" });
 * const client = createClient({ baseUrl: service.url, apiKey: "secret" });
 */
export class Service {
  readonly url: string;
  /** The folder of the uploads and the calls. */
  readonly folder: string;
  readonly #server: Server;
  readonly #options: SettledOptions;
  readonly #contract: Contract;
  readonly #calls: Calls;
  readonly #results: StoredResults;
  readonly #answers = new Set<Promise<void>>();
  /** Requests whose body comes only when the service has accepted it (`Expect: 100-continue`). */
  readonly #expectant = new WeakSet<IncomingMessage>();
  #isStopping = false;

  private constructor({ server, folder, results, contract }: Parts, options: SettledOptions) {
    this.url = urlOf(server);
    this.folder = folder;
    this.#server = server;
    this.#options = options;
    this.#contract = contract;
    this.#results = results;
    this.#calls = new Calls(folder, options);
    const take = (request: IncomingMessage, response: ServerResponse) => {
      const answer = this.#answer(request, response)
        .catch(options.onFailure)
        .finally(() => this.#answers.delete(answer));
      this.#answers.add(answer);
    };
    server.on("request", take);
    server.on("checkContinue", (request, response) => {
      this.#expectant.add(request);
      take(request, response);
    });
  }

  /** @throws {Error} for a wrong key, and the errors of the file system and of the network */
  static async start(
    options: ServiceOptions,
    { host = "127.0.0.1", port = 0 }: Address = {},
  ): Promise<Service> {
    const all = settled(options);
    const contract = await readContract();
    const folder = makeWorkingFolder();
    const server = createServer();
    let results: StoredResults | undefined;
    try {
      const limits = { lifetimeMs: all.keepFor, most: all.mostResults };
      results = await StoredResults.open(all.results ?? join(folder, "results"), limits, all.onFailure);
      // Errors before it listens are thrown here.
      await once(server.listen(port, host), "listening");
      server.on("error", all.onFailure);
    } catch (thrown) {
      results?.close();
      removeFolder(folder);
      throw thrown;
    }
    return new Service({ server, folder, results, contract }, all);
  }

  /**
   * Ends gracefully: refuses new calls, waits for the running ones, then closes. Uploads that make no progress end soon.
   *
   * @param limitMs how long to wait, in milliseconds
   */
  async stop(limitMs: number): Promise<void> {
    this.#isStopping = true;
    this.#server.close();
    this.#server.closeIdleConnections();
    this.#calls.endStalledUploads();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#allAnswered(), late]);
    clearTimeout(timer);
    await this.close();
  }

  /** Ends all calls. Deletes the results, unless they are in a folder of the options. */
  async close(): Promise<void> {
    this.#isStopping = true;
    this.#calls.endAll();
    this.#results.close();
    await new Promise<void>((closed) => {
      this.#server.close(() => closed());
      this.#server.closeAllConnections();
    });
    // A request may still be writing into the folder.
    await this.#allAnswered();
    this.removeFolder();
  }

  /** Deletes the folder, also when the process ends immediately. */
  removeFolder(): void {
    removeFolder(this.folder);
  }

  async #allAnswered(): Promise<void> {
    while (this.#answers.size > 0) await Promise.all(this.#answers);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record = new RequestRecord(request, response, this.#options.onRequest);
    allowPages(response);
    response.setHeader("X-Request-Id", record.id);
    if (!(await isItsTurn(request, response))) {
      record.end();
      return;
    }
    record.begin();
    try {
      if (request.method === "OPTIONS") response.writeHead(204).end();
      else await this.#route(request, response, record);
    } catch (thrown) {
      if (response.headersSent && !isDisconnection(thrown)) this.#options.onFailure(thrown);
      if (response.destroyed || response.headersSent) {
        response.destroy();
        return;
      }
      const error = errorOf(thrown, this.#options.onFailure);
      record.code = error.code;
      await this.#refuse(request, response, error);
    }
  }

  async #refuse(request: IncomingMessage, response: ServerResponse, error: ServiceError): Promise<void> {
    const { uploadLimit, refusedUploadTime } = this.#options;
    const isSending = !this.#expectant.has(request) && error !== STALLED;
    const isRead =
      isSending && (await drain(request, uploadLimit * REFUSED_UPLOAD_FACTOR, refusedUploadTime));
    if (!isRead || this.#isStopping) response.setHeader("Connection", "close");
    sendError(response, error);
  }

  async #route(request: IncomingMessage, response: ServerResponse, record: RequestRecord): Promise<void> {
    const path = pathOf(request);
    const operation = operationAt(path);
    const id = RESULT_PATH.exec(path)?.[1];
    if (operation !== undefined) {
      record.operation = path;
      allowMethods(request, response, ["POST"]);
      checkKey(request, this.#options.key);
      sendJson(response, 200, await this.#call(operation, request, response));
      return;
    }
    if (id === undefined && path !== "/openapi.json" && path !== "/healthz")
      throw new ServiceError("not_found", "There is nothing at this path. Operations are at /api/….");
    allowMethods(request, response, READ_METHODS);
    if (id !== undefined) {
      record.operation = "download";
      const result = await this.#results.get(id);
      await sendResult(id, result, request, response, this.#options.stalledDownloadTime);
    } else if (path === "/healthz") {
      record.operation = "health";
      const status = await this.#health();
      sendJson(response, status === "ok" ? 200 : 503, { status });
    } else {
      record.operation = "openapi";
      sendJson(response, 200, contractAt(this.#contract, this.#publicUrl(request)));
    }
  }

  async #health(): Promise<"ok" | "stopping" | "no results folder"> {
    if (this.#isStopping) return "stopping";
    return (await this.#results.isWritable()) ? "ok" : "no results folder";
  }

  async #call(
    operation: OperationName,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<ServiceResult> {
    if (this.#isStopping) throw tryLater(STOPPING);
    const accept = () => {
      if (this.#expectant.delete(request)) response.writeContinue();
    };
    return this.#calls.run(operation, { request, response, accept }, async (made, ending) => {
      const id = await this.#results.add(made, ending);
      const path = `/download/${id}/${encodeURIComponent(shortName(made.fileName))}`;
      return { success: true, download_url: this.#publicUrl(request) + path, file_name: made.fileName };
    });
  }

  /** Returns the URL under the caller's name for this host. Another name would be another origin for a page. */
  #publicUrl({ headers }: IncomingMessage): string {
    if (this.#options.publicUrl !== undefined) return this.#options.publicUrl.replace(/\/+$/, "");
    const host = headers.host ?? "";
    return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host) ? `http://${host}` : this.url;
  }
}

/** Returns whether a caller has gone while a result was sent. */
function isDisconnection(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ERR_STREAM_PREMATURE_CLOSE";
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
