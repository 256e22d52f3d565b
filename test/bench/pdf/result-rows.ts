import { median } from "../contest.ts";
import type { InputName } from "./bench-inputs.ts";
import { limitFor, RENDERER_GROWTH_LIMIT_BYTES, type Warmth } from "./targets.ts";
import type { BenchOperation, Contestant, ContestantName, DoneRun, ProcessMemory, Run } from "./task.ts";

export type Verdict = "within" | "OVER";

/** What one contestant did in one operation on one input: a row of the table, and of the JSON file. */
export type ResultRow = {
  readonly input: InputName;
  readonly operation: BenchOperation;
  readonly by: ContestantName;
  readonly warmth: Warmth;
} & (
  | {
      readonly kind: "done";
      /** The median, and what it is the median of. */
      readonly milliseconds: number;
      readonly rounds: readonly number[];
      /** To native qpdf's median; undefined without it. */
      readonly ratio: number | undefined;
      readonly time?: { readonly limit: string; readonly verdict: Verdict };
      /** The highest of all rounds. */
      readonly memory: readonly ProcessMemory[];
      readonly memoryVerdict?: Verdict;
      /** Medians. */
      readonly readBackMilliseconds: number | undefined;
      readonly outputBytes: number;
    }
  | { readonly kind: "failed"; readonly why: string }
);

/**
 * The rows of what all did in one operation. The cold call has one of its own where a limit is set for it, and what the
 * browser takes by itself where it was measured.
 */
export function resultRows(
  input: InputName,
  operation: BenchOperation,
  measured: ReadonlyMap<Contestant, readonly Run[]>,
): readonly ResultRow[] {
  const native = [...measured].find(([{ name }]) => name === "native");
  const nativeTimes = native === undefined ? [] : doneIn(native[1]).map((run) => run.milliseconds);
  const nativeMedian = nativeTimes.length === 0 ? undefined : median(nativeTimes);
  return [...measured].flatMap(([{ name }, runs]): readonly ResultRow[] => {
    const failure = runs.find((run) => run.kind === "failed");
    const about = { input, operation, by: name } as const;
    if (failure !== undefined) return [{ ...about, warmth: "warm", ...failure }];
    const warm = row({ ...about, warmth: "warm" }, doneIn(runs), nativeMedian);
    const others = (["cold", "idle"] as const).filter((warmth) =>
      warmth === "cold"
        ? limitFor(input, operation, name, warmth)
        : runs.some((run) => run.kind === "done" && run.idleMilliseconds !== undefined),
    );
    return [warm, ...others.map((warmth) => row({ ...about, warmth }, doneIn(runs), nativeMedian))];
  });
}

function row(
  about: Pick<ResultRow, "input" | "operation" | "by" | "warmth">,
  runs: readonly DoneRun[],
  nativeMedian: number | undefined,
): ResultRow {
  const rounds = runs.map((run) => timeOf(run, about.warmth));
  const milliseconds = median(rounds);
  const ratio = nativeMedian === undefined ? undefined : milliseconds / nativeMedian;
  // It is watched over all calls of a client, and told once.
  const memory = about.warmth === "warm" ? highest(runs) : [];
  const readBack = runs.flatMap((run) => run.readBackMilliseconds ?? []);
  const memoryVerdict = verdictOnMemory(memory);
  return {
    ...about,
    kind: "done",
    milliseconds,
    rounds,
    ratio,
    ...verdictOnTime(about, milliseconds, ratio),
    memory,
    ...(memoryVerdict !== undefined && { memoryVerdict }),
    readBackMilliseconds: readBack.length === 0 ? undefined : median(readBack),
    outputBytes: median(runs.map((run) => run.outputBytes)),
  };
}

function timeOf(run: DoneRun, warmth: Warmth): number {
  if (warmth === "warm") return run.milliseconds;
  return (warmth === "cold" ? run.coldMilliseconds : run.idleMilliseconds) ?? Number.NaN;
}

function verdictOnTime(
  { input, operation, by, warmth }: Pick<ResultRow, "input" | "operation" | "by" | "warmth">,
  milliseconds: number,
  ratio: number | undefined,
) {
  const limit = limitFor(input, operation, by, warmth);
  if (limit === undefined) return {};
  if ("milliseconds" in limit) {
    return {
      time: { limit: `${limit.milliseconds} ms`, verdict: verdict(milliseconds <= limit.milliseconds) },
    };
  }
  if (ratio === undefined) return {};
  return { time: { limit: limit.ratio.toFixed(2), verdict: verdict(ratio <= limit.ratio) } };
}

function verdictOnMemory(memory: readonly ProcessMemory[]): Verdict | undefined {
  const renderer = memory.find(({ process }) => process === "renderer");
  return renderer && verdict(renderer.peakBytes - renderer.idleBytes < RENDERER_GROWTH_LIMIT_BYTES);
}

function verdict(isWithin: boolean): Verdict {
  return isWithin ? "within" : "OVER";
}

/** Of each process, the round in which it grew most. */
function highest(runs: readonly DoneRun[]): readonly ProcessMemory[] {
  const growth = ({ idleBytes, peakBytes }: ProcessMemory) => peakBytes - idleBytes;
  const names = new Set(runs.flatMap(({ memory }) => memory.map(({ process }) => process)));
  return [...names].flatMap((name) => {
    const all = runs.flatMap(({ memory }) => memory.filter(({ process }) => process === name));
    return all.sort((one, other) => growth(other) - growth(one)).slice(0, 1);
  });
}

function doneIn(runs: readonly Run[]): readonly DoneRun[] {
  return runs.flatMap((run) => (run.kind === "done" ? [run] : []));
}
