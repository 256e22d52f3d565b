import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import { ServiceError } from "../../src/shared/errors.ts";
import { listenOnLoopback } from "./loopback.ts";

const RETRY_AFTER_SECONDS = 1;

/**
 * A proxy before copies of the service, with the rules of `service/deploy/Caddyfile`: copies take turns, a request goes to
 * another copy only if the first accepts no connection, and a broken one is answered in the form of the contract.
 */
export class RoundRobin {
  readonly url: string;
  /** The URLs of the copies. They may change. */
  readonly targets: string[];
  readonly #server: Server;
  #turn = 0;

  private constructor(server: Server, port: number, targets: readonly string[]) {
    this.#server = server;
    this.targets = [...targets];
    this.url = `http://127.0.0.1:${port}`;
    // Otherwise a caller might send its next request while an idle connection closes.
    server.keepAliveTimeout = 0;
    server.on("request", (request, response) => void this.#answer(request, response));
  }

  static async start(targets: readonly string[]): Promise<RoundRobin> {
    const server = createServer();
    return new RoundRobin(server, await listenOnLoopback(server), targets);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const socket = await this.#connect();
      const answer = await forward(request, response, socket);
      response.writeHead(answer.statusCode ?? 0, withoutConnection(answer.headers));
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      refuse(request, response);
    }
  }

  /** @throws {Error} when no copy accepts a connection */
  async #connect(): Promise<Socket> {
    const first = this.#turn++;
    let last = new Error("there are no copies");
    for (let index = 0; index < this.targets.length; index++) {
      const target = this.targets[(first + index) % this.targets.length] ?? "";
      try {
        return await connected(target);
      } catch (thrown) {
        if (!(thrown instanceof Error)) throw thrown;
        last = thrown;
      }
    }
    throw last;
  }
}

function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

/** Sends a request over a connection, and returns the answer. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  socket: Socket,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { method, url, headers } = request;
    const sent = httpRequest({ createConnection: () => socket, method, path: url, headers });
    sent.on("response", resolve);
    sent.on("error", reject);
    response.on("close", () => sent.destroy());
    request.pipe(sent);
  });
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  // The caller reads the answer after it has sent everything.
  request.unpipe();
  request.resume();
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = new ServiceError("rate_limited", "The service was interrupted. Try again in a moment.", {
    retry_after: RETRY_AFTER_SECONDS,
  });
  response.writeHead(error.status, {
    "Content-Type": "application/json",
    "Retry-After": String(RETRY_AFTER_SECONDS),
  });
  response.end(JSON.stringify({ success: false, error: error.toWire() }));
}

function withoutConnection({ connection: _, "keep-alive": __, ...headers }: IncomingHttpHeaders) {
  return headers;
}
