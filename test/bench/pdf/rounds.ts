import { checkOutput } from "./check-output.ts";
import { emptyFolder } from "./output-folder.ts";
import { type Contestant, failed, type Run, type Task } from "./task.ts";

/** The folders that it takes, which are emptied as it goes. */
export interface RoundFolders {
  readonly output: string;
  readonly unpacked: string;
}

/**
 * Has everyone do the same work several times. Rounds go by turns, so that whatever else the machine does falls on
 * all alike. The first output of each is looked at.
 */
export async function takeTurns(
  work: Omit<Task, "output" | "isChecked">,
  field: readonly Contestant[],
  rounds: number,
  { output, unpacked }: RoundFolders,
): Promise<ReadonlyMap<Contestant, readonly Run[]>> {
  const measured = new Map(field.map((contestant) => [contestant, [] as Run[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [contestant, runs] of measured) {
      // Who has failed once does not get better by trying again, and may take minutes each time.
      if (runs.some(({ kind }) => kind === "failed")) continue;
      const task: Task = { ...work, output, isChecked: round === 0 };
      emptyFolder(output);
      let run = await contestant.run(task);
      if (run.kind === "done" && task.isChecked) {
        try {
          await checkOutput(task, unpacked);
        } catch (error) {
          run = failed(error);
        }
      }
      runs.push(run);
    }
  }
  emptyFolder(output);
  emptyFolder(unpacked);
  return measured;
}
