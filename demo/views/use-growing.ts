import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** How many more rows a task of the page makes at most. */
const STEP = 40;

/** Returns how many of some rows there are by now, so that 200 of them are not one long task. */
export function useGrowing(total: number): number {
  const count = useSignal(STEP);
  const made = count.value;
  useEffect(() => {
    if (made >= total) return undefined;
    const timer = setTimeout(() => {
      count.value = made + STEP;
    });
    return () => clearTimeout(timer);
  }, [count, made, total]);
  return made;
}
