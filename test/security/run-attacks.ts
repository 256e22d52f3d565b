import { join } from "node:path";
import { listOf, oneOf, POSITIVE, readOptions } from "../../scripts/options.mjs";
import { ATTACK_CASES, attackFiles, PDF_OPERATIONS } from "./attack-table.ts";
import { AttackedTab, type AttackOperation } from "./attacked-tab.ts";
import { IMAGE_ATTACKS } from "./image-attacks.ts";

/** Prints a table of the costs of attacks on a tab of Chromium. Build the package first. */

const { values } = readOptions("node scripts/run.mjs test/security/run-attacks.ts", {
  dist: {
    type: "string",
    value: "DIR",
    default: join(import.meta.dirname, "../../dist"),
    about: "the built package",
  },
  quick: { type: "boolean", default: false, about: "those cases alone that CI runs" },
  only: { type: "string", value: "TEXT", default: "", about: "a part of the names of the cases" },
  operations: {
    type: "string",
    value: "LIST",
    takes: listOf(oneOf([...PDF_OPERATIONS.map(([operation]) => operation), "png", "jpg"])),
    about: "the operations, all of them when absent",
  },
  seconds: {
    type: "string",
    value: "N",
    takes: POSITIVE,
    default: "120",
    about: "ends a call after so long",
  },
  megabytes: {
    type: "string",
    value: "N",
    takes: POSITIVE,
    default: "4096",
    about: "ends a tab that has more in memory",
  },
  above: {
    type: "string",
    value: "N",
    takes: POSITIVE,
    about: "prints what takes more seconds than this only",
  },
});

const operations = values.operations?.split(",");
const isWanted = (operation: AttackOperation) => operations?.includes(operation) ?? true;
const limits = { seconds: Number(values.seconds), megabytes: Number(values.megabytes) };
const tab = await AttackedTab.start(values.dist, limits);
console.log("| case | operation | file, kB | seconds | CPU s | MB | outcome | next call |");
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");

async function attack(name: string, operation: AttackOperation, input: Uint8Array): Promise<void> {
  await tab.renew();
  const { outcome, seconds, cpuSeconds, megabytes, nextCallWorks } = await tab.suffer({ input, operation });
  if (seconds < Number(values.above ?? 0) && nextCallWorks) return;
  const figures = [Math.round(input.length / 1000), seconds.toFixed(1), cpuSeconds.toFixed(1)];
  const ending = [Math.round(megabytes), outcome, nextCallWorks ? "works" : "FAILS"];
  console.log(`| ${[name, operation, ...figures, ...ending].join(" | ")} |`);
}

for (const attackCase of ATTACK_CASES) {
  if (!attackCase.name.includes(values.only) || (values.quick && attackCase.runs === "before a release"))
    continue;
  await tab.renew();
  for (const { operation, input } of attackFiles(attackCase, isWanted)) {
    await attack(attackCase.name, operation, input);
  }
}
for (const { name, input, operations: own } of IMAGE_ATTACKS) {
  if (!name.includes(values.only) || !own.some(isWanted)) continue;
  await tab.renew();
  const file = input();
  for (const operation of own.filter(isWanted)) await attack(name, operation, file);
}
await tab.close();
