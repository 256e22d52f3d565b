import { setTimeout as pause } from "node:timers/promises";
import { ERROR_STATUS, type ErrorCode } from "../../src/shared/errors.ts";
import { type LoadRequest, send } from "./requests.ts";
import type { Tally } from "./tally.ts";

/** The longest pause after `rate_limited`, in milliseconds. */
const LONGEST_PAUSE_MS = 5_000;

/** The answer of a copy or of the proxy, checked against the contract. */
type Answer =
  | { readonly kind: "success"; readonly downloadUrl: string }
  | { readonly kind: "error"; readonly code: ErrorCode; readonly retryAfter: number };

/** What a client works with. */
export interface ClientContext {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly tally: Tally;
  /** Ends the client after its current request. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request after the other, and downloads each result.
 *
 * @param first the index of the first request, so that clients differ
 */
export async function runClient(
  first: number,
  { url, requests, tally, signal }: ClientContext,
): Promise<void> {
  for (let index = first; !signal.aborted; index++) {
    const request = requests[index % requests.length];
    if (request === undefined) throw new Error("there are no requests");
    const answer = await answerTo(url, request, tally);
    if (answer?.kind === "success") await download(answer.downloadUrl, tally);
    else if (answer?.code === "rate_limited")
      await pause(Math.min(answer.retryAfter * 1_000, LONGEST_PAUSE_MS));
  }
}

async function answerTo(url: string, request: LoadRequest, tally: Tally): Promise<Answer | undefined> {
  const { title, expects } = request;
  const begin = performance.now();
  try {
    const response = await send(url, request);
    const answer = readAnswer(response.status, await response.json());
    const outcome = answer.kind === "success" ? "success" : answer.code;
    tally.count(title, `${response.status} ${outcome}`, performance.now() - begin);
    if (outcome !== expects && outcome !== "rate_limited") tally.fail(`${title}: ${outcome}, not ${expects}`);
    return answer;
  } catch (thrown) {
    tally.fail(`${title}: no answer of the contract: ${reasonOf(thrown)}`);
    return undefined;
  }
}

/** @throws {Error} for an answer that is not in the contract */
function readAnswer(status: number, body: Record<string, unknown>): Answer {
  const { success, download_url, file_name, error } = body;
  if (success === true && status === 200 && typeof download_url === "string" && typeof file_name === "string")
    return { kind: "success", downloadUrl: download_url };
  const { code, message, details } = (error ?? {}) as Record<string, unknown>;
  const isError = success === false && typeof message === "string" && typeof details === "object";
  if (!isError || ERROR_STATUS[code as ErrorCode] !== status)
    throw new Error(`${status} ${JSON.stringify(body)}`);
  const { retry_after = 0 } = details as { readonly retry_after?: number };
  return { kind: "error", code: code as ErrorCode, retryAfter: retry_after };
}

/** Downloads a result. Once more when the copy that sends it is killed: no proxy can answer after the first byte. */
async function download(url: string, tally: Tally): Promise<void> {
  for (const attempt of ["first", "second"] as const) {
    const begin = performance.now();
    try {
      const response = await fetch(url);
      const { byteLength } = await response.arrayBuffer();
      const isWhole = response.ok && byteLength === Number(response.headers.get("content-length"));
      tally.count("download", `${response.status} ${attempt}`, performance.now() - begin);
      if (isWhole && byteLength > 0) return;
      if (response.status !== ERROR_STATUS.rate_limited) tally.fail(`download: ${response.status}`);
    } catch (thrown) {
      if (attempt === "second") tally.fail(`download: ${reasonOf(thrown)}`);
    }
  }
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause === undefined ? thrown.message : `${thrown.message} (${thrown.cause})`;
}
