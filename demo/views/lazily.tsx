import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

/** Returns a component whose code is loaded when it is first shown. Until then, nothing is in its place. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  let isLoading = false;
  const start = async () => {
    if (isLoading) return;
    isLoading = true;
    loaded.value = await load();
  };
  return function Lazy(props: Props) {
    useEffect(() => {
      void start();
    }, []);
    const View = loaded.value;
    return View === undefined ? null : <View {...props} />;
  };
}
