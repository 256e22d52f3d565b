// The worker of helper-pool-page.ts, and its helper.
import { expose } from "comlink";
import { type HelperApi, helperPool } from "../../workers/parallel/helper-pool.ts";
import { taskServer } from "../../workers/parallel/task-server.ts";

export const api = {
  async ask(task: number): Promise<number | undefined> {
    const [helper] = helperPool.lease<number, number>({ count: 1, kind: "heic/tiles", request: null });
    return helper?.ask(task);
  },
  help: (_kind, _request, port) => taskServer<number, number>(port, (task) => 2 * task),
} satisfies HelperApi & { ask(task: number): Promise<number | undefined> };

expose(api);
