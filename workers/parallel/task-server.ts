/** The answer to one task. `result` is undefined if the helper cannot do the task. */
export interface Answer<Result> {
  readonly result: Result | undefined;
}

/** Announces that the helper enters code that may never return (true), or that it has returned (false). */
export interface HangNotice {
  readonly mayHang: boolean;
}

/** A message to a helper: a task, or null at the end of the lease. */
export type Assignment<Task> = { readonly task: Task } | null;

/** Does one task. Calls `mayHang` before and after code that may never return. */
export type ServeTask<Task, Result> = (
  task: Task,
  mayHang: (may: boolean) => void,
) => Result | Promise<Result>;

/**
 * Runs in a helper: does the tasks that arrive over a port, one after the other, until the lease ends.
 *
 * @param transfer returns the parts of a result that are transferred instead of copied
 * @throws the first error of `serve`. Its task is answered without a result.
 */
export function taskServer<Task, Result>(
  port: MessagePort,
  serve: ServeTask<Task, Result>,
  transfer: (result: Result) => Transferable[] = () => [],
): Promise<void> {
  let previous = Promise.resolve();
  const mayHang = (may: boolean) => port.postMessage({ mayHang: may } satisfies HangNotice);
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }: MessageEvent<Assignment<Task>>) => {
      if (data === null) {
        port.onmessage = null;
        previous.then(resolve);
        return;
      }
      previous = previous
        .then(() => serve(data.task, mayHang))
        .then((result) => port.postMessage({ result } satisfies Answer<Result>, transfer(result)))
        .catch((thrown) => {
          port.postMessage({ result: undefined } satisfies Answer<Result>);
          reject(thrown);
        });
    };
  });
}
