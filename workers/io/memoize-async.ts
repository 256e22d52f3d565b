/**
 * Something about the browser that is found out when it is first wanted, and then known. Where finding out fails, perhaps
 * for want of memory, who waits for it learns so, and the next one finds out anew.
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
