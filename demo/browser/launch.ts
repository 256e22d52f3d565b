import { takeFiles } from "../state/inspect.ts";
import { attempt, notice } from "../state/notice.ts";

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

/** Takes the files that another app has shared with the installed app, from the service worker (demo/shared-files.ts). */
export async function takeSharedFiles(): Promise<void> {
  if (location.search !== "?shared") return;
  // A reload does not ask for them again.
  history.replaceState(null, "", location.pathname + location.hash);
  const files = await sharedFiles();
  // The browser may have ended the service worker in between, and the files with it.
  if (files.length === 0) notice.value = { message: "notice.notRead" };
  else takeFiles(files);
}

async function sharedFiles(): Promise<readonly File[]> {
  // Browsers offer service workers on secure origins only.
  const controller = "serviceWorker" in navigator ? navigator.serviceWorker.controller : null;
  if (controller === null) return [];
  const { port1, port2 } = new MessageChannel();
  controller.postMessage("shared files", [port2]);
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<readonly File[]>) => resolve(data);
  });
}

async function open(handles: readonly FileSystemFileHandle[]): Promise<void> {
  takeFiles(await Promise.all(handles.map((handle) => handle.getFile())));
}
