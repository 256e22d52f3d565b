// The worker of that page, and its helper.
import { expose } from "comlink";
import { callHelpers, serveTasks } from "../../workers/parallel/helper-pool.ts";

export const asking = {
  async ask(task: number): Promise<number | undefined> {
    const [helper] = callHelpers<number, number, null>(1, "double", null);
    return helper?.ask(task);
  },
  double: (_: null, port: MessagePort) => serveTasks<number, number>(port, (task) => 2 * task),
};

expose(asking);
