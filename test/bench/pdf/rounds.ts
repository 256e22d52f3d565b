import { failed, inTurns } from "../contest.ts";
import { checkOutput } from "./check-output.ts";
import { emptyFolder } from "./output-folder.ts";
import type { Contestant, Run, Task } from "./task.ts";

/** The folders that it takes, which are emptied as it goes. */
export interface RoundFolders {
  readonly output: string;
  readonly unpacked: string;
}

/** Has everyone do the same work several times. The first output of each is looked at. */
export async function takeTurns(
  work: Omit<Task, "output" | "isChecked">,
  field: readonly Contestant[],
  rounds: number,
  { output, unpacked }: RoundFolders,
): Promise<ReadonlyMap<Contestant, readonly Run[]>> {
  const measured = await inTurns(field, rounds, async (contestant, round): Promise<Run> => {
    const task: Task = { ...work, output, isChecked: round === 0 };
    emptyFolder(output);
    const run = await contestant.run(task);
    try {
      if (run.kind === "done" && task.isChecked) await checkOutput(task, unpacked);
      return run;
    } catch (error) {
      return failed(error);
    }
  });
  emptyFolder(output);
  emptyFolder(unpacked);
  return measured;
}
