import { serveTasks } from "../crew.ts";
import type { Run } from "./run.ts";
import { RunMaker } from "./run-maker.ts";

/** An output of which others make runs, too. */
export interface RunsRequest {
  readonly file: Blob;
  readonly key: CryptoKey;
}

/** Makes runs for another worker. */
export async function helpWithRuns({ file, key }: RunsRequest, port: MessagePort): Promise<void> {
  const maker = new RunMaker(file, key);
  try {
    await serveTasks<Run, Blob>(port, (run) => maker.make(run));
  } finally {
    port.close();
  }
}
