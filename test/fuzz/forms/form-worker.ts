import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { respond } from "../../../src/http/response.ts";
import { createClient } from "../../../src/index.ts";
import { ERROR_STATUS } from "../../../src/shared/errors.ts";
import { done, FakeWorker } from "../../support/fake-worker.ts";
import type { ThreadAnswer } from "../fuzz-thread.ts";

/** The thread in which both façades meet hostile forms. The engines do nothing: each job returns the same file. */

export interface FormRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /** The sizes of the pieces in which the body arrives. 0: at once. */
  readonly pieces: number;
  /** `navigation`: the form of a page, as the service worker gets it. */
  readonly facade: "client.fetch" | "service worker" | "navigation";
  /** A password that no answer may contain. */
  readonly secret: string | undefined;
}

/** How a request ended. `unreadable output`: the answer breaks the contract. */
export type FormOutcome =
  | { readonly kind: "files" }
  | { readonly kind: "typed error"; readonly code: string; readonly message: string }
  | { readonly kind: "untyped error" | "unreadable output"; readonly message: string };

const BASE = "https://service.example/pdf";
const LONGEST_MESSAGE = 2000;

const port = parentPort;
if (!port) throw new Error("this module runs in a worker thread");

let network = 0;
globalThis.fetch = async () => {
  network++;
  return new Response("from the network");
};

const client = createClient({
  baseUrl: BASE,
  remote: "never",
  createWorker: () => new FakeWorker(({ finish }) => finish(done("made"))),
});

port.on("message", (request: FormRequest) => {
  void outcomeOf(request).then((outcome) => {
    const answer: ThreadAnswer<FormOutcome> = {
      outcome,
      heap: getHeapStatistics().used_heap_size,
      blocks: [],
    };
    port.postMessage(answer);
  });
});
port.postMessage("ready");

async function outcomeOf(given: FormRequest): Promise<FormOutcome> {
  const request = requestOf(given);
  if (request === undefined) return { kind: "typed error", code: "refused by the platform", message: "" };
  network = 0;
  let response: Response;
  try {
    response = given.facade === "client.fetch" ? await client.fetch(request) : await byServiceWorker(request);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "untyped error", message };
  }
  if (network > 0) return { kind: "unreadable output", message: "the form went to the network" };
  return judge(request.method, response, given.secret);
}

/** Returns undefined if the platform refuses to make such a request. */
function requestOf({ path, method, headers, body, pieces, facade }: FormRequest): Request | undefined {
  const hasBody = method !== "GET" && method !== "HEAD";
  const content = pieces === 0 ? body : streamOf(body, pieces);
  let request: Request;
  try {
    request = new Request(BASE + path, {
      ...{ method, headers },
      ...(hasBody && { body: content, duplex: "half" }),
    } as RequestInit);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  if (facade === "navigation") Object.defineProperty(request, "mode", { value: "navigate" });
  return request;
}

function streamOf(body: Uint8Array<ArrayBuffer>, pieces: number): ReadableStream {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= body.length) return controller.close();
      controller.enqueue(body.slice(at, at + pieces));
      at += pieces;
    },
  });
}

/** Answers as the service worker does, but for its check of the sender, and with a page in the same thread. */
function byServiceWorker(request: Request): Promise<Response> {
  const path = request.url.slice(BASE.length).replace(/[?#].*$/, "");
  // The operations check the fields.
  return respond(request, path, ({ operation, params }) => client[operation](params as never));
}

/** Checks that an answer has the shape of the contract: a result, or an error with a code of the table. */
async function judge(method: string, response: Response, secret: string | undefined): Promise<FormOutcome> {
  const wrong = (message: string): FormOutcome => ({ kind: "unreadable output", message });
  if (!(response instanceof Response)) return wrong("the answer is no Response");
  const { status, headers } = response;
  const text = await response.text();
  if (status === 204 && method === "OPTIONS") return { kind: "files" };
  if (headers.get("content-type") !== "application/json")
    return wrong(`the type is ${headers.get("content-type")}`);
  if (method === "HEAD") return { kind: "typed error", code: `status ${status}`, message: "" };
  if (headers.get("content-length") !== String(Buffer.byteLength(text))) return wrong("the length is wrong");
  if (secret !== undefined && text.includes(secret)) return wrong(`the password is in the answer: ${text}`);
  const body = JSON.parse(text);
  return body.success === true ? judgeResult(status, body) : judgeError(status, body);
}

function judgeResult(status: number, body: Record<string, unknown>): FormOutcome {
  const { download_url: url, file_name: name } = body;
  const shape = Object.keys(body).join();
  const isRight = status === 200 && shape === "success,download_url,file_name";
  if (!isRight || typeof url !== "string" || typeof name !== "string" || !url.startsWith("blob:"))
    return { kind: "unreadable output", message: `status ${status}: ${JSON.stringify(body)}` };
  client.release({ download_url: url });
  const isPlain =
    !/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name) && /.\.(pdf|zip|jpg|png|webp|avif|txt)$/.test(name);
  if (!isPlain) return { kind: "unreadable output", message: `the name is ${JSON.stringify(name)}` };
  return { kind: "files" };
}

function judgeError(status: number, body: Record<string, unknown>): FormOutcome {
  const { code, message, details } = (body.error ?? {}) as Record<string, unknown>;
  const isKnown = typeof code === "string" && Object.hasOwn(ERROR_STATUS, code);
  const hasStatus = isKnown && ERROR_STATUS[code as keyof typeof ERROR_STATUS] === status;
  const isShort = typeof message === "string" && message !== "" && message.length <= LONGEST_MESSAGE;
  if (hasStatus && isShort && typeof details === "object") return { kind: "typed error", code, message };
  return { kind: "unreadable output", message: `status ${status}: ${JSON.stringify(body).slice(0, 3000)}` };
}
