import { abortable } from "./abortable.ts";
import { type AskPassword, askForPasswords, isAskPassword } from "./ask-password.ts";
import type { CallOptions } from "./call-options.ts";
import type { CallHost } from "./calls.ts";
import type { DeliveringEngine, Delivery, Job } from "./shared/protocol.ts";

/**
 * How many milliseconds the worker has to end its page when the loop is left. It then stays for the next call. Otherwise,
 * it is ended.
 */
const END_MS = 500;

/** The parts of a client that a loop over deliveries uses. */
export type DeliveryHost = Pick<CallHost, "closing" | "openPool">;

/** An item that waits for the loop. */
interface Offer<Item> {
  readonly item: Item;
  /** Tells the worker whether the loop wants more items. */
  answer(goesOn: boolean): void;
}

/** A job of a loop, which may ask the app for the password of its file. */
export interface LoopJob<Each extends Job<DeliveringEngine>> {
  readonly file: Blob;
  readonly password: string | AskPassword | undefined;
  /** Returns the job with the password. */
  with(password: string | undefined): Each;
}

/**
 * Runs a job and yields what its engine delivers, in order. The worker waits while the loop is busy. Leaving the loop ends
 * the job.
 *
 * @param preparing the job. Its errors are those of the loop
 * @throws {ServiceError} the error of the job. An aborted call throws `signal.reason`
 */
export async function* deliveries<Each extends Job<DeliveringEngine>>(
  preparing: Promise<LoopJob<Each>>,
  callOptions: CallOptions,
  host: DeliveryHost,
): AsyncGenerator<Delivery<Each["engine"]>, void, undefined> {
  const signals = [host.closing, callOptions.signal];
  const job = await abortable(preparing, signals);
  const { file, password } = job;
  if (!isAskPassword(password)) return yield* deliveriesOf(job.with(password), callOptions, host);
  // A wrong password is known before the first item.
  const { first, items } = await askForPasswords(password, [file], signals, async ([answer]) => {
    const items = deliveriesOf(job.with(answer), callOptions, host);
    return { first: await items.next(), items };
  });
  try {
    if (!first.done) yield first.value;
    yield* items;
  } finally {
    await items.return();
  }
}

/** Runs a job, and yields what its engine delivers. */
async function* deliveriesOf<Each extends Job<DeliveringEngine>>(
  job: Each,
  { signal, onProgress }: CallOptions,
  { closing, openPool }: DeliveryHost,
): AsyncGenerator<Delivery<Each["engine"]>, void, undefined> {
  const pool = await openPool();
  signal?.throwIfAborted();

  const offers: Offer<Delivery<Each["engine"]>>[] = [];
  let wake = () => {};
  let isOver = false;
  let isLeft = false;
  const onDelivery = (item: Delivery<Each["engine"]>) =>
    new Promise<boolean>((answer) => {
      if (isLeft) return answer(false);
      offers.push({ item, answer });
      wake();
    });
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  const work = pool.run(job, { signal: ending.signal, onProgress, onDelivery }).finally(() => {
    isOver = true;
    wake();
  });
  // The loop throws the error when it asks for the next item.
  work.catch(() => {});
  try {
    for (;;) {
      closing.throwIfAborted();
      signal?.throwIfAborted();
      const offer = offers.shift();
      if (offer !== undefined) {
        offer.answer(true);
        yield offer.item;
      } else if (isOver) {
        await work;
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    isLeft = true;
    for (const { answer } of offers) answer(false);
    signal?.removeEventListener("abort", abort);
    const timer = setTimeout(() => ending.abort(), END_MS);
    // The error is that of the loop, or comes from ending the worker.
    await work.catch(() => {});
    clearTimeout(timer);
  }
}
