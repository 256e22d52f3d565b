import autocannon from "autocannon";
import { ERROR_STATUS, type ErrorCode } from "../../src/shared/errors.ts";
import type { LoadRequest } from "./requests.ts";
import type { Tally } from "./tally.ts";

/** Longer than any request takes. Only a connection that hangs reaches it. */
const TIMEOUT_SECONDS = 300;

/** Each connection begins so many requests after the one before it. */
const OFFSET = 3;

/** How long the load takes, and how many connections send it. */
export interface Extent {
  readonly seconds: number;
  readonly connections: number;
}

/** An answer of the contract. */
type Answer =
  | { readonly outcome: "success"; readonly downloadUrl: string }
  | { readonly outcome: ErrorCode; readonly downloadUrl?: never };

/**
 * Sends the requests again and again by autocannon, checks the answers, and downloads each result. At the end, autocannon
 * cuts off the request that each connection has under way.
 */
export async function sendLoad(
  url: string,
  requests: readonly LoadRequest[],
  tally: Tally,
  { seconds, connections }: Extent,
): Promise<void> {
  const downloads: Promise<void>[] = [];
  const sent = requests.map((request) => ({
    ...request,
    onResponse: (status: number, body: string) => {
      const downloadUrl = check(request, status, body, tally);
      if (downloadUrl !== undefined) downloads.push(download(downloadUrl, tally));
    },
  }));
  let first = 0;
  const setupClient = (client: autocannon.Client) => {
    client.setRequests([...sent.slice(first), ...sent.slice(0, first)]);
    first = (first + OFFSET) % sent.length;
  };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    timeout: TIMEOUT_SECONDS,
    setupClient,
  });
  await Promise.all(downloads);
  // The counts of errors of autocannon leave out a connection that is closed without an answer. It also takes the later answers
  // of that connection for those of other requests: only the first failure says what happened.
  const missing = result.requests.sent - result.requests.total - connections;
  if (missing !== 0) tally.fail(`${missing} requests got no answer. ${result.timeouts} timed out.`);
}

/** Counts an answer. Returns the URL of its result, if it has one. */
function check(
  { title, expects }: LoadRequest,
  status: number,
  body: string,
  tally: Tally,
): string | undefined {
  try {
    const { outcome, downloadUrl } = readAnswer(status, JSON.parse(body));
    tally.count(title, `${status} ${outcome}`);
    if (outcome !== expects && outcome !== "rate_limited") tally.fail(`${title}: ${outcome}, not ${expects}`);
    return downloadUrl;
  } catch (thrown) {
    tally.fail(`${title}: no answer of the contract: ${reasonOf(thrown)}`);
    return undefined;
  }
}

/** @throws {Error} for an answer that is not in the contract */
function readAnswer(status: number, body: Record<string, unknown>): Answer {
  const { success, download_url, file_name, error } = body;
  if (success === true && status === 200 && typeof download_url === "string" && typeof file_name === "string")
    return { outcome: "success", downloadUrl: download_url };
  const { code, message, details } = (error ?? {}) as Record<string, unknown>;
  const isError = success === false && typeof message === "string" && typeof details === "object";
  if (!isError || ERROR_STATUS[code as ErrorCode] !== status)
    throw new Error(`${status} ${JSON.stringify(body)}`);
  return { outcome: code as ErrorCode };
}

/**
 * Downloads a result. Once more when the copy that sends it is killed: no proxy can answer after the first byte. `fetch`
 * does it, because a connection of autocannon takes the next answer for the rest of a body that breaks off.
 */
async function download(url: string, tally: Tally): Promise<void> {
  for (const attempt of ["first", "second"] as const) {
    try {
      const response = await fetch(url);
      const { byteLength } = await response.arrayBuffer();
      const isWhole = response.ok && byteLength === Number(response.headers.get("content-length"));
      tally.count("download", `${response.status} ${attempt}`);
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
