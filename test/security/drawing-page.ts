// A page that runs calls on hostile PDFs, and watches how long it cannot react.
import { createClient, type RenderedPage, ServiceError } from "../../src/index.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** The calls that a hostile file is tried with. */
export type DrawingCall =
  | "png"
  | "jpg"
  | "webp"
  | "avif"
  | "pdf"
  | "smaller"
  | "txt"
  | "split"
  | "inspect"
  | "renderPages"
  | "merge";

/** The outcome and the cost of a call. */
export interface DrawingOutcome {
  /** `done` with the number of pages or files, or the code and the limit of the error. */
  readonly outcome: string;
  readonly seconds: number;
  /** The longest time that the page could not react, in seconds. */
  readonly stillSeconds: number;
  /** Whether the next call of the same client returned a result. */
  readonly nextCallWorks: boolean;
}

declare global {
  interface Window {
    /** Runs a call on the file at a URL, and then another one on a sound file. */
    callOn(url: string, call: DrawingCall): Promise<DrawingOutcome>;
  }
}

const TICK_MS = 20;
const client = createClient();

const calls: Readonly<Record<DrawingCall, (file: File) => Promise<unknown>>> = {
  png: (file) => client.convert({ file, output_format: "png" }),
  jpg: (file) => client.convert({ file, output_format: "jpg" }),
  webp: (file) => client.convert({ file, output_format: "webp" }),
  avif: (file) => client.convert({ file, output_format: "avif" }),
  pdf: (file) => client.convert({ file, output_format: "pdf" }),
  smaller: (file) => client.convert({ file, output_format: "png", max_width: 1000 }),
  txt: (file) => client.convert({ file, output_format: "txt" }),
  split: (file) => client.splitPdf({ file, pages: "all" }),
  inspect: (file) => client.inspect({ file, outline: true }),
  merge: (file) => client.mergePdf({ file: [file, file] }),
  renderPages: async (file) => {
    const pages: RenderedPage[] = [];
    for await (const page of client.renderPages({ file, width: 300 })) pages.push(page);
    return pages.length;
  },
};

window.callOn = async (url, call) => {
  const file = new File([await (await fetch(url)).arrayBuffer()], "hostile.pdf");
  let stillMs = 0;
  let last = performance.now();
  const ticks = setInterval(() => {
    const now = performance.now();
    stillMs = Math.max(stillMs, now - last - TICK_MS);
    last = now;
  }, TICK_MS);
  const start = performance.now();
  const outcome = await calls[call](file).then(
    () => "done",
    (thrown: unknown) =>
      thrown instanceof ServiceError ? `${thrown.code} ${thrown.details.limit ?? ""}`.trim() : String(thrown),
  );
  const seconds = (performance.now() - start) / 1000;
  clearInterval(ticks);
  const next = client.convert({ file: new File([makePdf({ pages: 1 })], "sound.pdf"), output_format: "png" });
  const nextCallWorks = await next.then(
    () => true,
    () => false,
  );
  return { outcome, seconds, stillSeconds: stillMs / 1000, nextCallWorks };
};

document.title = "ready";
