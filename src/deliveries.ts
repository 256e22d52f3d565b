import { abortable } from "./abortable.ts";
import type { CallHost } from "./calls.ts";
import type { CallOptions } from "./pool/worker-slot.ts";
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

/**
 * Runs a job and yields what its engine delivers, in order. The worker waits while the loop is busy. Leaving the loop ends
 * the job.
 *
 * @param preparing the job. Its errors are those of the loop
 * @throws {ServiceError} the error of the job. An aborted call throws `signal.reason`
 */
export async function* deliveries<Each extends Job<DeliveringEngine>>(
  preparing: Promise<Each>,
  { signal, onProgress }: CallOptions,
  { closing, openPool }: DeliveryHost,
): AsyncGenerator<Delivery<Each["engine"]>, void, undefined> {
  const job = await abortable(preparing, [closing, signal]);
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
