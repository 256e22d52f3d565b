import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "../../src/shared/errors.ts";

/** What is logged of a request: no names and no contents of files, no passwords, no keys. */
export interface RequestLog {
  /** When it came (ISO 8601). */
  readonly time: string;
  /** Also in the header `X-Request-Id` of the answer. */
  readonly id: string;
  readonly method: string;
  /** The path of an operation, or `download`, `openapi`, `health` or `other`. */
  readonly operation: string;
  /** Absent when the caller has gone before the answer. */
  readonly status?: number;
  readonly code?: ErrorCode;
  readonly milliseconds: number;
  readonly bytes_in: number;
  readonly bytes_out: number;
}

/**
 * The bytes that a connection had received when its last request was logged. The count of the next request begins there, because
 * Node reports a request after its first bytes.
 */
const bytesRead = new WeakMap<Socket, number>();

/** Collects what is logged of one request, and logs it once: when the answer has been sent or its caller has gone. */
export class RequestRecord {
  operation = "other";
  code: ErrorCode | undefined;
  readonly id = randomBytes(9).toString("base64url");
  readonly #time = new Date();
  readonly #start = performance.now();
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #log: (entry: RequestLog) => void;
  /** The bytes of the connection when the turn of the request came. Absent before. */
  #before: { readonly read: number; readonly written: number } | undefined;
  #isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse, log: (entry: RequestLog) => void) {
    this.#request = request;
    this.#response = response;
    this.#log = log;
    // "close" may come when the next request of the connection has begun.
    response.once("finish", () => this.end());
    response.once("close", () => this.end());
  }

  /** Begins to count bytes. Until the turn of a pipelined request, those of its connection belong to earlier ones. */
  begin(): void {
    const { socket } = this.#request;
    this.#before = { read: bytesRead.get(socket) ?? 0, written: socket.bytesWritten };
  }

  /** Logs the request. Node does not report the end of a response without a turn. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#log(this.#entry());
  }

  #entry(): RequestLog {
    const { method = "", socket } = this.#request;
    const { read, written } = this.#before ?? { read: socket.bytesRead, written: socket.bytesWritten };
    bytesRead.set(socket, socket.bytesRead);
    return {
      time: this.#time.toISOString(),
      id: this.id,
      method: /^[A-Z]{1,10}$/.test(method) ? method : "other",
      operation: this.operation,
      ...(this.#response.headersSent && { status: this.#response.statusCode }),
      ...(this.code !== undefined && { code: this.code }),
      milliseconds: Math.round(performance.now() - this.#start),
      bytes_in: socket.bytesRead - read,
      bytes_out: socket.bytesWritten - written,
    };
  }
}
