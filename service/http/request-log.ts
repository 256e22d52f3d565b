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

/** Collects what is logged of one request. */
export class RequestRecord {
  operation = "other";
  code: ErrorCode | undefined;
  readonly id = randomBytes(9).toString("base64url");
  readonly #time = new Date();
  readonly #begin = performance.now();
  readonly #request: IncomingMessage;
  readonly #writtenBefore: number;

  constructor(request: IncomingMessage) {
    this.#request = request;
    this.#writtenBefore = request.socket.bytesWritten;
  }

  /** Calls back once, when the answer has been sent or its caller has gone. */
  onEnd(response: ServerResponse, log: (entry: RequestLog) => void): void {
    let isOver = false;
    const end = () => {
      if (!isOver) log(this.#entry(response));
      isOver = true;
    };
    // "close" may come when the next request of the connection has begun.
    response.once("finish", end);
    response.once("close", end);
  }

  #entry(response: ServerResponse): RequestLog {
    const { method = "", socket } = this.#request;
    const readBefore = bytesRead.get(socket) ?? 0;
    bytesRead.set(socket, socket.bytesRead);
    return {
      time: this.#time.toISOString(),
      id: this.id,
      method: /^[A-Z]{1,10}$/.test(method) ? method : "other",
      operation: this.operation,
      ...(response.headersSent && { status: response.statusCode }),
      ...(this.code !== undefined && { code: this.code }),
      milliseconds: Math.round(performance.now() - this.#begin),
      bytes_in: socket.bytesRead - readBefore,
      bytes_out: socket.bytesWritten - this.#writtenBefore,
    };
  }
}
