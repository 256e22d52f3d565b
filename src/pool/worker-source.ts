import { baseUrl } from "../client-options.ts";
import { createDefaultWorker } from "./default-worker.ts";

/** A URL that a policy of the app trusts (Trusted Types). TypeScript's own library does not declare it. */
export interface TrustedScriptURL {
  toJSON(): string;
}

/** Where the worker comes from: options of the client. The first that is present applies. */
export interface WorkerOptions {
  readonly createWorker?: (() => Worker) | undefined;
  readonly workerUrl?: string | URL | TrustedScriptURL | undefined;
  /** The folder of `worker.js`, as an absolute URL. */
  readonly assetUrl?: string | undefined;
}

/** Starts a worker. An error that it throws is reported as a worker that could not be loaded. */
export type WorkerSource = () => Worker;

/** The code of a worker. */
export interface WorkerScript {
  /** Absent until `new Worker` is called. */
  url?: string;
  /** Whether a Blob imports it, because it is on another origin. */
  throughBlob?: boolean;
}

/** Returns how workers start. */
export function workerSource({ createWorker, workerUrl, assetUrl }: WorkerOptions): WorkerSource {
  if (createWorker !== undefined) return createWorker;
  // Not converted to text: a trusted URL must stay an object.
  const url = (workerUrl ?? (assetUrl && `${assetUrl}worker.js`)) as string | undefined;
  return url === undefined ? createDefaultWorker : () => new Worker(url, { type: "module" });
}

/**
 * Starts a worker and finds out where its code is. Code on another origin is imported by a Blob, because browsers start
 * workers from the origin of the page only.
 *
 * Bundlers look for `new Worker(new URL("…", import.meta.url))` and put the final URL there, also that of another
 * origin. Only the constructor sees it. So the global `Worker` is replaced while the worker is created.
 *
 * @param script gets the URL, also when the start fails
 */
export function startWorker(source: WorkerSource, script: WorkerScript): Worker {
  const Native = globalThis.Worker;
  if (Native === undefined) return source();
  function RecordedWorker(url: string | URL, options?: globalThis.WorkerOptions): Worker {
    script.url = new URL(url, baseUrl()).href;
    script.throughBlob = isForeign(script.url);
    return new Native(script.throughBlob ? importer(script.url, options?.type) : url, options);
  }
  const isReplaced = Reflect.set(globalThis, "Worker", RecordedWorker);
  try {
    return source();
  } finally {
    if (isReplaced) globalThis.Worker = Native;
  }
}

function isForeign(url: string): boolean {
  return /^https?:/.test(url) && new URL(url).origin !== globalThis.origin;
}

/** URLs of Blobs that import a script. They stay: a worker starts its helpers from its own URL. */
const importers = new Map<string, string>();

function importer(url: string, type: WorkerType = "classic"): string {
  const known = importers.get(url);
  if (known !== undefined) return known;
  const quoted = JSON.stringify(url);
  const code = type === "module" ? `import ${quoted};` : `importScripts(${quoted});`;
  const made = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  importers.set(url, made);
  return made;
}
