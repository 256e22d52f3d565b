import type { Helper } from "../../workers/crew.ts";

/** A helper that does as a test says, and what it was asked for. */
export function scriptedHelper(
  answer: (task: number) => Promise<string | undefined>,
  release: () => void = () => {},
): Helper<number, string> & { readonly asked: number[] } {
  const asked: number[] = [];
  let hasProvedItself = false;
  return {
    asked,
    get hasProvedItself() {
      return hasProvedItself;
    },
    async ask(task) {
      asked.push(task);
      const given = await answer(task);
      hasProvedItself ||= given !== undefined;
      return given;
    },
    release,
  };
}
