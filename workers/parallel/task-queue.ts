import { type Helper, HelperStalled } from "./helper.ts";
import { StallTimeout } from "./stall-timeout.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

/**
 * How many tasks must be left for a helper to get its first, second and third open task. A helper may have three,
 * because this worker handles answers only between its own tasks. One of those may take longer than two tasks of a
 * helper. Near the end, a helper has fewer, so that this worker does not wait for it.
 */
const FEWEST_LEFT: readonly number[] = [1, 4, 8];

/** How a queue does its tasks. */
export interface TaskQueueOptions<Task, Result> {
  /** Does one task in this worker. */
  work(task: Task): Result | Promise<Result>;
  /** Helpers that are leased already. {@link TaskQueue.close} releases them. */
  readonly helpers?: readonly Helper<Task, Result>[];
  /** Returns the error of a task in which a helper hangs. The task is not tried again. */
  stallError?(task: Task): Error;
}

interface Entry<Task, Result> {
  /** The place in the order in which the tasks were added. */
  readonly order: number;
  readonly task: Task;
  resolve(result: Result): void;
  reject(reason: unknown): void;
  isSettled: boolean;
}

interface Member<Task, Result> {
  readonly helper: Helper<Task, Result>;
  readonly open: Set<Entry<Task, Result>>;
  /** Whether it has refused a task or crashed. It gets no more tasks. */
  isLost: boolean;
}

/**
 * Does tasks as they are added, in this worker and in helpers. Each worker takes the next task when it has done one.
 * README.md describes what happens when a helper is slow or lost.
 */
export class TaskQueue<Task, Result> {
  /** How many tasks the caller will add later. Helpers get tasks ahead as if those were already added. */
  toCome = 0;
  readonly #options: TaskQueueOptions<Task, Result>;
  readonly #stall = new StallTimeout();
  readonly #members: readonly Member<Task, Result>[];
  /** The tasks that no worker has, in order. */
  #waiting: Entry<Task, Result>[] = [];
  /** The task that this worker does. */
  #local: Entry<Task, Result> | undefined;
  #localWork: Promise<void> = Promise.resolve();
  #added = 0;
  /** How many calls of {@link wait} are pending. */
  #waits = 0;
  #isScheduled = false;
  #isClosed = false;

  constructor(options: TaskQueueOptions<Task, Result>) {
    this.#options = options;
    this.#members = (options.helpers ?? []).map(memberOf);
  }

  /** How many workers do tasks, this one included. */
  get workerCount(): number {
    return 1 + this.#members.length;
  }

  /**
   * Adds a task.
   *
   * @returns its result. It rejects with the error of `work` or `stallError`, and stays pending if the task is dropped.
   */
  add(task: Task): Promise<Result> {
    const result = new Promise<Result>((resolve, reject) => {
      this.#waiting.push({ order: this.#added++, task, resolve, reject, isSettled: false });
    });
    // Prevents an unhandled rejection when the caller awaits the result later.
    result.catch(() => {});
    this.#schedule();
    return result;
  }

  /** Waits for a result. When no other task is left, this worker does the tasks of helpers that may never answer. */
  async wait<Value>(result: Promise<Value>): Promise<Value> {
    this.#waits++;
    this.#schedule();
    try {
      return await result;
    } finally {
      this.#waits--;
      if (this.#waits === 0) this.#stall.stop();
    }
  }

  /** Drops all tasks and releases the helpers. Resolves when this worker has ended its task. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stall.stop();
    for (const { helper } of this.#members) helper.release();
    this.#waiting = [];
    await this.#localWork;
  }

  /** Hands out tasks in a microtask, so that the caller can add several at once. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      if (!this.#isClosed) this.#handOut();
    });
  }

  #handOut(): void {
    this.#startLocal();
    for (const member of this.#members) this.#fill(member);
    this.#watchHelpers();
  }

  #startLocal(): void {
    if (this.#local !== undefined) return;
    const entry = this.#waiting.shift() ?? (this.#waits > 0 ? this.#unansweredEntry() : undefined);
    if (entry === undefined) return;
    this.#local = entry;
    this.#localWork = this.#workOn(entry);
  }

  async #workOn(entry: Entry<Task, Result>): Promise<void> {
    // Lets the caller continue and helpers answer first.
    await yieldToEventLoop();
    if (!entry.isSettled && !this.#isClosed) {
      try {
        settle(entry, await this.#stall.measure(() => this.#options.work(entry.task)));
      } catch (thrown) {
        fail(entry, thrown);
      }
    }
    this.#local = undefined;
    this.#schedule();
  }

  /** The first task of a helper that may never answer. */
  #unansweredEntry(): Entry<Task, Result> | undefined {
    const silent = this.#members.filter(({ helper, isLost }) => isLost || !helper.isResponsive);
    const open = silent.flatMap((member) => [...member.open]).filter(({ isSettled }) => !isSettled);
    return open.sort(inOrder)[0];
  }

  #fill(member: Member<Task, Result>): void {
    const { helper, open } = member;
    while (!member.isLost) {
      const fewest = FEWEST_LEFT[open.size];
      if (fewest === undefined || this.#waiting.length + this.toCome < fewest) return;
      // A helper that may never answer gets the task that is needed last.
      const entry = helper.isResponsive ? this.#waiting.shift() : this.#waiting.pop();
      if (entry === undefined) return;
      open.add(entry);
      this.#ask(member, entry);
    }
  }

  async #ask(member: Member<Task, Result>, entry: Entry<Task, Result>): Promise<void> {
    let result: Result | undefined;
    try {
      result = await member.helper.ask(entry.task);
    } catch (thrown) {
      // The task might hang here, too. Any other error means that the task cannot be sent.
      if (thrown instanceof HelperStalled) fail(entry, this.#options.stallError?.(entry.task) ?? thrown);
    }
    member.open.delete(entry);
    if (result !== undefined) settle(entry, result);
    else this.#lose(member, entry);
    this.#schedule();
  }

  /** Marks a helper as lost, and gives its task to another worker. A helper is lost in no other way. */
  #lose(member: Member<Task, Result>, entry: Entry<Task, Result>): void {
    member.isLost = true;
    if (this.#isClosed || entry.isSettled || entry === this.#local) return;
    this.#waiting = [...this.#waiting, entry].sort(inOrder);
  }

  /** Starts the stall timeout when the caller waits and this worker has nothing to do. */
  #watchHelpers(): void {
    this.#stall.stop();
    if (this.#waits === 0 || this.#local !== undefined) return;
    const awaited = this.#members.filter(({ open }) => [...open].some(({ isSettled }) => !isSettled));
    if (awaited.length === 0) return;
    this.#stall.restart(() => {
      for (const { helper } of awaited) helper.suspect();
      this.#schedule();
    });
  }
}

function memberOf<Task, Result>(helper: Helper<Task, Result>): Member<Task, Result> {
  return { helper, open: new Set(), isLost: false };
}

function inOrder(one: { readonly order: number }, other: { readonly order: number }): number {
  return one.order - other.order;
}

function settle<Task, Result>(entry: Entry<Task, Result>, result: Result): void {
  entry.isSettled = true;
  entry.resolve(result);
}

function fail<Task, Result>(entry: Entry<Task, Result>, reason: unknown): void {
  entry.isSettled = true;
  entry.reject(reason);
}
