import { withBase } from "vitepress";
import { computed, onUnmounted, ref, shallowRef, watch } from "vue";
import type * as Stayput from "../../../src/index.ts";
import { codeOf, type Outcome, run } from "./calls.ts";
import type { Operation } from "./operations.ts";

let loaded: Promise<Stayput.Client> | undefined;

/** Loads the built package, which the site serves as it is. One client serves the whole site. */
export function stayput(): Promise<Stayput.Client> {
  loaded ??= (async () => {
    const url = new URL(withBase("/stayput/index.js"), location.href).href;
    const { createClient }: typeof Stayput = await import(/* @vite-ignore */ url);
    return createClient({ remote: "never" });
  })();
  return loaded;
}

/** The state of a form that runs an operation on files of the reader. */
export function useOperation(initial: Operation) {
  const operation = shallowRef(initial);
  const values = ref<Record<string, string>>({});
  const files = shallowRef<readonly File[]>([]);
  const isBusy = ref(false);
  const message = ref("");
  const outcome = shallowRef<Outcome>();
  const code = computed(() => codeOf(operation.value, values.value));

  watch(
    operation,
    ({ settings }) => {
      values.value = Object.fromEntries(settings.map(({ name, initial }) => [name, initial]));
      files.value = [];
      forget();
    },
    // A file that is dropped may choose the operation, and is set after it.
    { immediate: true, flush: "sync" },
  );
  onUnmounted(forget);

  function forget() {
    outcome.value?.free();
    outcome.value = undefined;
    message.value = "";
  }

  function choose(chosen: Iterable<File> | null | undefined) {
    files.value = [...(chosen ?? [])];
    forget();
  }

  /** Runs the operation on the chosen files. */
  async function start() {
    const chosen = files.value;
    await attempt(async (client) => run(client, operation.value, chosen, values.value));
  }

  /** Makes the files of the example, and runs the operation on them. */
  async function startExample() {
    await attempt(async (client) => {
      files.value = await operation.value.example(client);
      return run(client, operation.value, files.value, values.value);
    });
  }

  async function attempt(work: (client: Stayput.Client) => Promise<Outcome>) {
    if (isBusy.value) return;
    forget();
    const started = operation.value;
    isBusy.value = true;
    try {
      const made = await work(await stayput());
      if (operation.value === started) outcome.value = made;
      else made.free();
    } catch (error) {
      if (operation.value === started) message.value = error instanceof Error ? error.message : String(error);
    } finally {
      isBusy.value = false;
    }
  }

  return { operation, values, files, isBusy, message, outcome, code, choose, start, startExample };
}

/** Returns a length of bytes for people. */
export function sizeOf(bytes: number): string {
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, "kB"] : [bytes / 1e6, "MB"];
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 })} ${unit}`;
}
