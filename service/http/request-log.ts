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

/** The bytes of earlier requests of a connection. The first ones of a request arrive before Node reports it. */
const logged = new WeakMap<Socket, { readonly read: number; readonly written: number }>();

/** Collects what is logged of one request. */
export class RequestRecord {
  operation = "other";
  code: ErrorCode | undefined;
  readonly id = randomBytes(9).toString("base64url");
  readonly #time = new Date();
  readonly #begin = performance.now();
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    this.#request = request;
  }

  /** Returns the entry at the end of a request. */
  entry(response: ServerResponse): RequestLog {
    const { method = "", socket } = this.#request;
    const { read, written } = logged.get(socket) ?? { read: 0, written: 0 };
    logged.set(socket, { read: socket.bytesRead, written: socket.bytesWritten });
    return {
      time: this.#time.toISOString(),
      id: this.id,
      method: /^[A-Z]{1,10}$/.test(method) ? method : "other",
      operation: this.operation,
      ...(response.headersSent && { status: response.statusCode }),
      ...(this.code !== undefined && { code: this.code }),
      milliseconds: Math.round(performance.now() - this.#begin),
      bytes_in: socket.bytesRead - read,
      bytes_out: socket.bytesWritten - written,
    };
  }
}
