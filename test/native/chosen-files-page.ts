// A page with files that the test has chosen. The test may change them on disk while their calls wait.
import { createClient, type Inspection } from "../../src/index.ts";
import { drawnPdf } from "../support/fixtures/drawn-pdf.ts";

/** What a call found, and how long it took in milliseconds. */
export interface TimedInspection {
  readonly found: Inspection;
  readonly milliseconds: number;
}

declare global {
  interface Window {
    /** Inspects each chosen file several times. Returns the calls of each file, in order. */
    inspectChosen(calls: number): Promise<readonly (readonly TimedInspection[])[]>;
    /** Starts a call for each chosen file and format. Resolves when all calls wait. */
    beginConversions(wanted: readonly (readonly [name: string, format: string])[]): Promise<void>;
    /** Lets the calls continue and returns the name of each result, or its error. */
    conversions(): Promise<readonly string[]>;
  }
}

const client = createClient({ maxWorkers: 1 });
const gate = new AbortController();
let outcomes: readonly Promise<string>[] = [];

window.inspectChosen = async (calls) => {
  const all: TimedInspection[][] = [];
  for (const file of chosenFiles()) {
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

window.beginConversions = async (wanted) => {
  const files = new Map<string, File>();
  for (const file of chosenFiles()) files.set(file.name, file);
  await occupyWorker();
  await Promise.all(
    wanted.map(([name, output_format]) => {
      const file = files.get(name);
      if (file === undefined) throw new Error(`${name} was not chosen`);
      return new Promise<void>((waits) => {
        const outcome = client.convert({ file, output_format }, { onProgress: () => waits() });
        const told = outcome.then(
          ({ file_name }) => file_name,
          ({ code, message }) => `${code}: ${message}`,
        );
        outcomes = [...outcomes, told];
      });
    }),
  );
};

window.conversions = () => {
  gate.abort();
  return Promise.all(outcomes);
};

function chosenFiles(): readonly File[] {
  return [...(document.querySelector("input")?.files ?? [])];
}

/** Keeps the only worker busy with a page until the gate opens. */
function occupyWorker(): Promise<void> {
  const lines = Array.from({ length: 100_000 }, (_, index) => {
    return `${(index * 37) % 100} ${(index * 59) % 60} m ${(index * 83) % 100} ${(index * 71) % 60} l S`;
  });
  const file = new Blob([drawnPdf([{ content: lines.join("\n") }])]);
  return new Promise((resolve) => {
    const onProgress = ({ phase }: { phase: string }) => {
      if (phase === "working") resolve();
    };
    client
      .convert({ file, output_format: "png", dpi: 1200 }, { signal: gate.signal, onProgress })
      .catch(() => {});
  });
}

document.title = "ready";
