import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Contestant, Measurement } from "./contest.ts";

const ENGINE = fileURLToPath(new URL("./engine-process.ts", import.meta.url));

/** Our engine in Node, from file to file; a fresh process each time, whose start is not counted. */
export const nodeEngine: Contestant = {
  name: "Node",

  run: (task) =>
    new Promise<Measurement>((resolve, reject) => {
      const child = fork(ENGINE, [], { execArgv: ["--import", "tsx"], serialization: "advanced" });
      child.on("message", (measurement: Measurement) => resolve(measurement));
      child.on("error", reject);
      child.on("exit", (code) => reject(new Error(`the engine's process ended with ${code}`)));
      child.send(task);
    }),

  async close() {},
};
