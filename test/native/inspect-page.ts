// A page that inspects the files that the test has chosen.
import { createClient, type Inspection } from "../../src/index.ts";

/** What a call found, and how long it took in milliseconds. */
export interface TimedInspection {
  readonly found: Inspection;
  readonly milliseconds: number;
}

declare global {
  interface Window {
    /** Inspects each chosen file several times. Returns the calls of each file, in order. */
    inspectChosen(calls: number): Promise<readonly (readonly TimedInspection[])[]>;
  }
}

const client = createClient();

window.inspectChosen = async (calls) => {
  const all: TimedInspection[][] = [];
  for (const file of document.querySelector("input")?.files ?? []) {
    const timed: TimedInspection[] = [];
    for (let call = 0; call < calls; call++) {
      const start = performance.now();
      const found = await client.inspect({ file });
      timed.push({ found, milliseconds: performance.now() - start });
    }
    all.push(timed);
  }
  return all;
};

document.title = "ready";
