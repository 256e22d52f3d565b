/** What was not done, with the first line of why. */
export interface Failed {
  readonly kind: "failed";
  readonly why: string;
}

export function failed(error: unknown): Failed {
  const text = error instanceof Error ? error.message : String(error);
  return { kind: "failed", why: (text.split("\n")[0] ?? "").slice(0, 200) };
}

/** The middle one; of an even number, the lower of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/**
 * Has everyone do the same work several times. Rounds go by turns, so that whatever else the machine does falls on
 * all alike. One that has failed is not asked again: it may take minutes each time.
 */
export async function inTurns<Contestant, Run extends { readonly kind: string }>(
  field: readonly Contestant[],
  rounds: number,
  work: (contestant: Contestant, round: number) => Promise<Run>,
): Promise<ReadonlyMap<Contestant, readonly Run[]>> {
  const measured = new Map(field.map((contestant) => [contestant, [] as Run[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [contestant, runs] of measured) {
      if (!runs.some(({ kind }) => kind === "failed")) runs.push(await work(contestant, round));
    }
  }
  return measured;
}

/** What the work gives, or a rejection when it takes longer; nothing stops the work itself. */
export function withinTime<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => reject(new Error(`no answer in ${limitMs / 1000} s`)), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}
