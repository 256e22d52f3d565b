import type { Phase, Progress } from "./protocol.ts";

/** A progress bar needs four updates a second. Every message costs the page time. */
const INTERVAL_MS = 250;

/**
 * Reports the progress of a call: `done` of `total` bytes or pages.
 *
 * @param missingFonts fonts of the document that could not be drawn, when pages are drawn
 */
export type Report = (phase: Phase, done: number, total: number, missingFonts?: readonly string[]) => void;

/**
 * Limits how often progress is sent. A new phase and a missing font are always sent. Within a phase, progress never goes
 * back, although an engine may begin its work again.
 */
export function throttledReport(send: (progress: Progress) => void, now = () => performance.now()): Report {
  let last: Progress = { phase: "queued", done: 0, total: 0 };
  let lastTime = 0;
  return (phase, done, total, missingFonts) => {
    const time = now();
    if (phase !== last.phase) last = { phase, done, total };
    else if (missingFonts === undefined && time - lastTime < INTERVAL_MS) return;
    else if (done * last.total >= last.done * total) last = { phase, done, total };
    else if (missingFonts === undefined) return;
    lastTime = time;
    send(missingFonts === undefined ? last : { ...last, missingFonts });
  };
}
