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

test("never goes back within a phase, even if the work begins again with another total", () => {
  let time = 0;
  const sent: Progress[] = [];
  const report = throttledReport(
    (progress) => sent.push(progress),
    () => (time += 1000),
  );
  report("reading", 9, 9);
  for (const done of [1, 2, 3]) report("working", done, 4);
  report("working", 1, 5);
  report("working", 2, 5, ["Frutiger"]);
  for (const done of [3, 4, 5]) report("working", done, 5);
  expect(sent.map(({ phase, done, total }) => `${phase} ${done}/${total}`)).toEqual([
    "reading 9/9",
    "working 1/4",
    "working 2/4",
    "working 3/4",
    "working 3/4",
    "working 4/5",
    "working 5/5",
  ]);
  expect(sent[4]?.missingFonts).toEqual(["Frutiger"]);
});
