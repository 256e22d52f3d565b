import type { Phase, Progress } from "./protocol.ts";

/** Four times a second: a progress bar needs no more, and every message costs the page something. */
const INTERVAL_MS = 250;

/** A report that an engine may call as often as it likes; every change of phase and every missing font get through. */
export function throttledReport(
  tell: (progress: Progress) => void,
  now = () => performance.now(),
): (phase: Phase, done: number, total: number, missingFonts?: readonly string[]) => void {
  let toldPhase: Phase = "queued";
  let toldAt = 0;
  return (phase, done, total, missingFonts) => {
    const time = now();
    if (missingFonts === undefined && phase === toldPhase && time - toldAt < INTERVAL_MS) return;
    toldPhase = phase;
    toldAt = time;
    tell({ phase, done, total, ...(missingFonts !== undefined && { missingFonts }) });
  };
}
