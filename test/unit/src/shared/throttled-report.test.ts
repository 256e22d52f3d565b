import { expect, test } from "vitest";
import type { Progress } from "../../../../src/shared/protocol.ts";
import { throttledReport } from "../../../../src/shared/throttled-report.ts";

test("reports the start of a phase at once, the rest a few times a second", () => {
  let time = 5;
  const told: Progress[] = [];
  const report = throttledReport(
    (progress) => told.push(progress),
    () => time,
  );
  for (const phase of ["reading", "working"] as const) {
    for (let done = 0; done < 1000; done++) {
      report(phase, done, 1000);
      time++;
    }
  }
  expect(told.map(({ phase, done, total }) => `${phase} ${done}/${total}`)).toEqual([
    "reading 0/1000",
    "reading 250/1000",
    "reading 500/1000",
    "reading 750/1000",
    "working 0/1000",
    "working 250/1000",
    "working 500/1000",
    "working 750/1000",
  ]);
});
