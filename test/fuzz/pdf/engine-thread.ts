import { FuzzThread } from "../fuzz-thread.ts";
import type { EngineOutcome, EngineRequest } from "./engine-worker.ts";

/** The PDF engine in a thread. */
export class EngineThread extends FuzzThread<EngineRequest, EngineOutcome> {
  /** @param cpuLimitMs a run that takes more processor time counts as a hang */
  constructor(cpuLimitMs?: number) {
    super(new URL("./engine-worker.ts", import.meta.url), cpuLimitMs);
  }
}
