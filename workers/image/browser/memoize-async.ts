/**
 * Returns a function that calls `ask` once and returns its answer to all callers. After a rejection, perhaps for lack of
 * memory, the next call asks again.
 */
export function memoizeAsync<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  return () => {
    answer ??= ask().catch((thrown: unknown) => {
      answer = undefined;
      throw thrown;
    });
    return answer;
  };
}
