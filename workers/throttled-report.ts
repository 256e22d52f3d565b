import type { Report } from "./pdf/job.ts";
import type { Progress } from "./protocol.ts";

/** Four times a second: a progress bar needs no more, and every message costs the page something. */
const INTERVAL_MS = 250;

/** A report that an engine may call as often as it likes; every change of phase gets through. */
export function throttledReport(tell: (progress: Progress) => void, now = () => performance.now()): Report {
  let toldPhase: Progress["phase"] = "queued";
  let toldAt = 0;
  return (phase, done, total) => {
    const time = now();
    if (phase === toldPhase && time - toldAt < INTERVAL_MS) return;
    toldPhase = phase;
    toldAt = time;
    tell({ phase, done, total });
  };
}
