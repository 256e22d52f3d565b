import { type Remote, transfer, wrap } from "comlink";
import { afterActiveTime } from "../../src/shared/active-time.ts";

/** A worker beside this one that does tasks of one kind for it. */
export interface Helper<Task, Answer> {
  /** Whether it has done a task, and has not been doubted since: else nobody knows whether it ever will. */
  readonly isResponsive: boolean;
  /**
   * Has it do one task; nothing when it cannot.
   *
   * @param transferred what of the task is handed over, not copied
   * @throws {HelperStuck} when it is given up, over this task
   */
  ask(task: Task, transferred?: readonly Transferable[]): Promise<Answer | undefined>;
  /** Says that it has been waited for in vain. When it is let go before it has proved itself again, it ends. */
  suspect(): void;
  /** Lets it go, to be called again for other work. What it was asked for comes to nothing. */
  release(): void;
}

/** A helper has worked on one task for too long, and has been ended. */
export class HelperStuck extends Error {
  override readonly name = "HelperStuck";
}

/** What every worker does for another, by the kind of the work: see worker.ts. */
type HelperApi<Kind extends string, Request> = Readonly<
  Record<Kind, (request: Request, port: MessagePort) => Promise<void>>
>;

/** How a helper answers a task over its port; without an answer when it cannot do it. */
interface Reply<Answer> {
  readonly answer: Answer | undefined;
}

/** What a helper says in between: it begins something that may never end, or has ended it. */
interface Notice {
  readonly mayHang: boolean;
}

interface Waiting<Answer> {
  answer(answer: Answer | undefined): void;
  giveUp(reason: HelperStuck): void;
}

interface Colleague {
  readonly worker: Worker;
  readonly api: Remote<HelperApi<string, unknown>>;
}

/** Those that wait for their next work. They end with this worker. */
const idle: Colleague[] = [];

/**
 * Calls helpers: workers of the same script as this one, started when there are too few.
 *
 * @param kind which of a worker's entries does the work; that calls {@link serveTasks}
 * @param patience how many milliseconds a helper may take for what it says may never end
 */
export function callHelpers<Task, Answer, Request>(
  count: number,
  kind: string,
  request: Request,
  patience = 0,
): Helper<Task, Answer>[] {
  return Array.from({ length: count }, () => idle.pop() ?? startColleague()).flatMap((colleague) =>
    colleague ? [helper<Task, Answer>(colleague, kind, request, patience)] : [],
  );
}

/** Nothing where the browser or the page's policy refuses. */
function startColleague(): Colleague | undefined {
  try {
    const worker = new Worker(self.location.href, isClassic() ? {} : { type: "module" });
    return { worker, api: wrap(worker) };
  } catch {
    return undefined;
  }
}

/**
 * Whether a bundler has made this worker a classic script, which need not work as a module. That is refused to import
 * scripts whatever they are, with a `TypeError`, and a classic one only such as have no address (HTML, importScripts()).
 * Firefox lets modules import no scripts at all.
 */
function isClassic(): boolean {
  try {
    (self as typeof self & { importScripts(address: string): void }).importScripts("//[");
    return true;
  } catch (thrown) {
    return !(thrown instanceof TypeError);
  }
}

function helper<Task, Answer>(
  colleague: Colleague,
  kind: string,
  request: unknown,
  patience: number,
): Helper<Task, Answer> {
  const { worker, api } = colleague;
  const { port1: port, port2 } = new MessageChannel();
  /** For whom it works, and who is next. */
  const waiting: Waiting<Answer>[] = [];
  let standing: "unknown" | "proved" | "suspected" = "unknown";
  let isOver = false;
  let stopClock: (() => void) | undefined;
  const stop = () => {
    isOver = true;
    stopClock?.();
    port.onmessage = null;
    for (const { answer } of waiting.splice(0)) answer(undefined);
  };
  const watch = ({ mayHang }: Notice) => {
    stopClock?.();
    stopClock = undefined;
    if (!mayHang) return;
    stopClock = afterActiveTime(patience, () => {
      waiting.shift()?.giveUp(new HelperStuck());
      fail();
    });
  };
  const fail = () => {
    const index = idle.indexOf(colleague);
    // Called again meanwhile, for other work: whoever has it now sees what it does.
    if (isOver && index < 0) return;
    if (index >= 0) idle.splice(index, 1);
    if (!isOver) stop();
    worker.terminate();
  };
  port.onmessage = ({ data }: MessageEvent<Reply<Answer> | Notice>) => {
    if ("mayHang" in data) {
      watch(data);
      return;
    }
    if (data.answer !== undefined) standing = "proved";
    waiting.shift()?.answer(data.answer);
  };
  worker.onerror = (event) => {
    // Or the page would take it for this worker's own end.
    event.preventDefault();
    fail();
  };
  const begin = api[kind];
  if (begin === undefined) throw new Error(`workers do not help with ${kind}`);
  begin(request, transfer(port2, [port2])).catch(fail);
  return {
    get isResponsive() {
      return standing === "proved";
    },
    ask(task, transferred = []) {
      if (isOver) return Promise.resolve(undefined);
      return new Promise((answer, giveUp) => {
        // What cannot be sent is not answered.
        port.postMessage({ task }, [...transferred]);
        waiting.push({ answer, giveUp });
      });
    },
    suspect() {
      if (waiting.length > 0) standing = "suspected";
    },
    release() {
      if (isOver) return;
      if (stopClock !== undefined || standing === "suspected") {
        // Nobody will wait for what it is at.
        fail();
        return;
      }
      stop();
      port.postMessage(null);
      idle.push(colleague);
    },
  };
}

/**
 * Does the tasks that come over a helper's port, one after the other, until the other worker needs no more.
 *
 * @param work does a task, and says when it begins something that may never end, and when that has ended
 * @param transferred says what of an answer is handed over, not copied
 * @throws what `work` throws; the task is then answered with nothing
 */
export function serveTasks<Task, Answer>(
  port: MessagePort,
  work: (task: Task, mayHang: (is: boolean) => void) => Answer | Promise<Answer>,
  transferred: (answer: Answer) => Transferable[] = () => [],
): Promise<void> {
  let before = Promise.resolve();
  const notice = (mayHang: boolean) => port.postMessage({ mayHang } satisfies Notice);
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }: MessageEvent<{ readonly task: Task } | null>) => {
      if (data === null) {
        port.onmessage = null;
        before.then(resolve);
        return;
      }
      before = before
        .then(() => work(data.task, notice))
        .then((answer) => port.postMessage({ answer } satisfies Reply<Answer>, transferred(answer)))
        .catch((thrown) => {
          port.postMessage({ answer: undefined } satisfies Reply<Answer>);
          reject(thrown);
        });
    };
  });
}
