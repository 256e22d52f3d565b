import type { Helper } from "./helper-pool.ts";
import { StallTimeout } from "./stall-timeout.ts";

interface Entry<Task, Answer> {
  readonly task: Task;
  readonly finish: (answer: Answer) => void;
  readonly fail: (reason: unknown) => void;
  isDone: boolean;
}

interface Member<Task, Answer> {
  readonly helper: Helper<Task, Answer>;
  /** What it is at. */
  entry: Entry<Task, Answer> | undefined;
}

/**
 * Has tasks done as they come in, here and by helpers: who is done with one takes the next. What a helper cannot do is
 * done here. So is, when nothing else is left, what one has taken that has not proved itself: one that starts late, or
 * never, costs nothing; and, after a while, what one has taken that has.
 */
export class TaskQueue<Task, Answer> {
  readonly #here: Member<Task, Answer>;
  readonly #patience = new StallTimeout();
  #members: readonly Member<Task, Answer>[];
  #callHelpers: (() => Promise<readonly Helper<Task, Answer>[]>) | undefined;
  #waiting: Entry<Task, Answer>[] = [];
  #listeners: (() => void)[] = [];
  #isComplete = false;
  #isClosed = false;

  /** @param callHelpers is called once there is work for more than one */
  constructor(
    workHere: (task: Task) => Promise<Answer>,
    callHelpers: () => Promise<readonly Helper<Task, Answer>[]>,
  ) {
    const ask = (task: Task) => this.#patience.timed(() => workHere(task));
    this.#here = memberOf({ isResponsive: true, ask, suspect() {}, release() {} });
    this.#members = [this.#here];
    this.#callHelpers = callHelpers;
  }

  /** How many tasks nobody is at. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Has one more task done.
   *
   * @throws what doing it here throws
   */
  add(task: Task): Promise<Answer> {
    const answer = new Promise<Answer>((finish, fail) => {
      this.#waiting.push({ task, finish, fail, isDone: false });
    });
    this.#handOut();
    if (this.#waiting.length > 0) this.#call();
    return answer;
  }

  /** Waits until no more than so many tasks wait. */
  async room(most: number): Promise<void> {
    while (this.#waiting.length > most) {
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Says that no more tasks come. */
  complete(): void {
    this.#isComplete = true;
    this.#handOut();
  }

  /** Drops what nobody is at: nobody waits for it any more. */
  clear(): void {
    this.#waiting = [];
    this.#tell();
  }

  /** Lets the helpers go. What is not done by then never will be. */
  close(): void {
    this.#isClosed = true;
    const members = this.#members;
    this.#members = [];
    for (const { helper } of members) helper.release();
    this.clear();
  }

  #call(): void {
    const callHelpers = this.#callHelpers;
    this.#callHelpers = undefined;
    callHelpers?.().then(
      (helpers) => {
        this.#members = [...this.#members, ...helpers.map(memberOf)];
        if (this.#isClosed) this.close();
        else this.#handOut();
      },
      // What keeps helpers from being called keeps nobody from working here.
      () => {},
    );
  }

  #handOut(): void {
    for (const member of this.#members) {
      if (member.entry) continue;
      const next = this.#waiting.shift() ?? (member === this.#here ? this.#late() : undefined);
      if (next) this.#give(member, next);
    }
    this.#tell();
    if (this.#isComplete && !this.#here.entry) this.#awaitHelpers();
  }

  /** Waits for what is left. */
  async #awaitHelpers(): Promise<void> {
    const awaited = this.#members.filter(({ entry }) => entry && !entry.isDone).map(({ helper }) => helper);
    if (awaited.length === 0) return;
    const news = new Promise<void>((resolve) => this.#listeners.push(resolve));
    if (await this.#patience.isLostOn(awaited, news)) this.#handOut();
  }

  /** What is left, when nothing else will come, of those who may not be there. */
  #late(): Entry<Task, Answer> | undefined {
    if (!this.#isComplete) return undefined;
    const late = this.#members.find(({ helper, entry }) => entry && !entry.isDone && !helper.isResponsive);
    return late?.entry;
  }

  async #give(member: Member<Task, Answer>, entry: Entry<Task, Answer>): Promise<void> {
    member.entry = entry;
    try {
      const answer = await member.helper.ask(entry.task);
      if (answer === undefined) this.#leaves(member, entry);
      else entry.finish(answer);
      entry.isDone ||= answer !== undefined;
    } catch (thrown) {
      if (member === this.#here) {
        entry.fail(thrown);
        entry.isDone = true;
      } else this.#leaves(member, entry);
    }
    member.entry = undefined;
    this.#handOut();
  }

  /** It would not do better with the next. */
  #leaves(leaver: Member<Task, Answer>, entry: Entry<Task, Answer>): void {
    this.#members = this.#members.filter((member) => member !== leaver);
    const isNeeded = !this.#isClosed && !entry.isDone && this.#here.entry !== entry;
    if (isNeeded) this.#waiting.unshift(entry);
  }

  #tell(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }
}

function memberOf<Task, Answer>(helper: Helper<Task, Answer>): Member<Task, Answer> {
  return { helper, entry: undefined };
}
