import { Scratch } from "../../support/native-tools.ts";

/** A scratch folder that goes with this process, whatever ends it early: it holds gigabytes. */
export function runScratch(): Scratch {
  const scratch = new Scratch();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(1));
  process.once("exit", () => scratch.remove());
  return scratch;
}
