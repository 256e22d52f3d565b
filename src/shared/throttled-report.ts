import type { Phase, Progress } from "./protocol.ts";

/** A progress bar needs four updates a second. Every message costs the page time. */
const INTERVAL_MS = 250;

/**
 * Reports the progress of a call: `done` of `total` bytes or pages.
 *
 * @param missingFonts fonts of the document that could not be drawn, when pages are drawn
 */
export type Report = (phase: Phase, done: number, total: number, missingFonts?: readonly string[]) => void;

/** Limits how often progress is sent. A new phase and a missing font are always sent. */
export function throttledReport(send: (progress: Progress) => void, now = () => performance.now()): Report {
  let lastPhase: Phase = "queued";
  let lastTime = 0;
  return (phase, done, total, missingFonts) => {
    const time = now();
    if (missingFonts === undefined && phase === lastPhase && time - lastTime < INTERVAL_MS) return;
    lastPhase = phase;
    lastTime = time;
    send({ phase, done, total, ...(missingFonts !== undefined && { missingFonts }) });
  };
}
