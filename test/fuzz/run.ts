import { existsSync } from "node:fs";
import { join } from "node:path";
import { number, oneOf, POSITIVE, readOptions, wholeNumber } from "../../scripts/options.mjs";
import { Tally } from "./tally.ts";
import { TARGET_NAMES, TARGETS, type TargetName } from "./targets.ts";

const CASES_PER_PROGRESS = 1000;

const { values, positionals } = readOptions(
  "npm run fuzz -- [DIR]",
  {
    target: {
      type: "string",
      value: "NAME",
      takes: oneOf(TARGET_NAMES),
      about: `${TARGET_NAMES.map((name) => `${name}: ${TARGETS[name].about}`).join("; ")}. All of them when absent`,
    },
    runs: {
      type: "string",
      value: "N",
      takes: wholeNumber(1),
      default: "4000",
      about: "how many runs of an operation each target makes",
    },
    seconds: {
      type: "string",
      value: "N",
      takes: POSITIVE,
      about: "how long all targets run together, in place of --runs",
    },
    seed: {
      type: "string",
      value: "N",
      takes: wholeNumber(0),
      about: "makes the same cases again; another each time when absent",
    },
    only: { type: "string", value: "N", takes: wholeNumber(0), about: "makes this case alone" },
    check: {
      type: "string",
      value: "SHARE",
      takes: number(0, 1),
      default: "0.01",
      about: "the share of cases whose outputs native tools judge, from 0 to 1",
    },
  },
  true,
);

const defaultFolder = join(import.meta.dirname, "../../../shared/corpus");
const folder = positionals[0] ?? (existsSync(defaultFolder) ? defaultFolder : undefined);
const seedNumber = Number(values.seed ?? Date.now() % 1e9);
const only = values.only === undefined ? undefined : Number(values.only);
const checked = only === undefined ? Number(values.check) : 1;
const targets =
  values.target === undefined ? TARGET_NAMES : TARGET_NAMES.filter((one) => one === values.target);
const seconds = values.seconds === undefined ? undefined : Number(values.seconds) / targets.length;

/** Runs cases of a target until its time or its number of runs is over. */
async function fuzz(name: TargetName): Promise<Tally> {
  const tally = new Tally(name, seedNumber);
  const target = await TARGETS[name].start({ folder, seedNumber, checked, tally });
  console.log(`${name}: ${target.seeds} seeds; seed number ${seedNumber}`);
  // The time for the seeds, and for the start of a browser, does not count.
  const deadline = seconds === undefined ? Infinity : performance.now() + seconds * 1000;
  const runs = seconds === undefined ? Number(values.runs) : Infinity;
  for (let index = only ?? 0; tally.runs < runs && performance.now() < deadline; index++) {
    const log = await target.examine(index);
    if (only !== undefined) {
      console.log(log.join("\n"));
      break;
    }
    if (index > 0 && index % CASES_PER_PROGRESS === 0)
      console.log(`${name}: ${tally.runs} runs, ${tally.failed} failed`);
  }
  await target.close();
  tally.print();
  return tally;
}

let [runs, failed] = [0, 0];
for (const name of targets) {
  const tally = await fuzz(name);
  runs += tally.runs;
  failed += tally.failed;
}
console.log(`\n${Math.max(0, runs - failed)} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
