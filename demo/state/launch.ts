import { takeFiles } from "./inspect.ts";
import { attempt } from "./notice.ts";

/** What the system asks the installed app to do. */
interface LaunchParams {
  /** The address of a shortcut, which names a task. */
  readonly targetURL?: string;
  readonly files: readonly FileSystemFileHandle[];
}

/** The Web App Launch Handler API, which some browsers have. */
interface Launcher {
  readonly launchQueue?: { setConsumer(consume: (params: LaunchParams) => void): void };
}

const launcher: Launcher & Window = window;

/** Takes the files that the user opens with the installed app, and the task that the user starts it with. */
export function takeLaunches(): void {
  launcher.launchQueue?.setConsumer(({ targetURL, files }) => {
    const task = targetURL && new URL(targetURL).hash;
    if (task) location.replace(task);
    void attempt(open(files), "notice.notRead");
  });
}

async function open(handles: readonly FileSystemFileHandle[]): Promise<void> {
  takeFiles(await Promise.all(handles.map((handle) => handle.getFile())));
}
