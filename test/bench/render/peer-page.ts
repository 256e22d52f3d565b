import { chosenFile } from "../chosen-file.ts";

/** The page on which pdf.js draws a file that a user has chosen: in workers of which each takes every so-many-th page. */

const WORKER = "/test/bench/render/peers/pdfjs-worker.js";
const workers: Worker[] = [];

window.benchRender = async ({ dpi, quality, workers: count }) => {
  while (workers.length < count) workers.push(new Worker(WORKER, { type: "module" }));
  const file = chosenFile();
  const start = performance.now();
  const shares = workers.slice(0, count).map(
    (worker, first) =>
      new Promise<number>((resolve, reject) => {
        worker.onmessage = ({ data }: MessageEvent<{ pictures?: number; failure?: string }>) => {
          // pdf.js says something in between, to a page that would be its own.
          if (data.pictures !== undefined) resolve(data.pictures);
          else if (data.failure !== undefined) reject(new Error(data.failure));
        };
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage({ file, dpi, quality, first: first + 1, step: count });
      }),
  );
  const pictures = (await Promise.all(shares)).reduce((sum, share) => sum + share, 0);
  return { milliseconds: performance.now() - start, pictures };
};

document.title = "ready";
