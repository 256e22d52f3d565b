import { wrap } from "comlink";
import type { HeicDecoder } from "./heic-worker.ts";

declare global {
  interface Window {
    /** The codec in a worker, as in production. */
    heic: HeicDecoder;
  }
}

const worker = new Worker(new URL("./heic-worker.ts", import.meta.url), { type: "module" });
window.heic = wrap<HeicDecoder>(worker);
document.title = "ready";
