import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { type Contestant, type Measurement, PASSWORD, type Task } from "./contest.ts";
import { MemoryWatch } from "./memory.ts";

function argumentsFor({ operation, input, output, pages }: Task): readonly string[] {
  switch (operation) {
    case "protect":
      return ["--encrypt", PASSWORD, "owner", "256", "--", input, output];
    case "unlock":
      return [`--password=${PASSWORD}`, "--decrypt", input, output];
    case "split":
      return [input, "--pages", ".", pages, "--", output];
  }
}

/** Native qpdf: what the others are compared with. */
export const nativeQpdf: Contestant = {
  name: "native qpdf",

  run: (task) =>
    new Promise<Measurement>((resolve, reject) => {
      const start = performance.now();
      const child = spawn("qpdf", argumentsFor(task), { stdio: ["ignore", "ignore", "inherit"] });
      const memory = new MemoryWatch(child.pid === undefined ? [] : [child.pid]);
      child.on("error", reject);
      child.on("close", (code) => {
        const milliseconds = performance.now() - start;
        const peakBytes = memory.stop();
        if (code === 0) resolve({ milliseconds, peakBytes, outputBytes: statSync(task.output).size });
        else reject(new Error(`qpdf ended with ${code}`));
      });
    }),

  async close() {},
};
