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
  /** Counts what makes an outcome wrong: another file, field or operation. */
  let changes = 0;

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
  watch(values, forget, { deep: true, flush: "sync" });
  onUnmounted(forget);

  /** Frees the outcome. One that is still being made is not shown. */
  function forget() {
    changes++;
    isBusy.value = false;
    outcome.value?.free();
    outcome.value = undefined;
    message.value = "";
  }

  function choose(chosen: Iterable<File> | null | undefined) {
    const list = [...(chosen ?? [])];
    files.value = operation.value.takesSeveral ? list : list.slice(0, 1);
    forget();
  }

  /** Takes the files of an input. Without files, it fires a change for the same file again. */
  function chooseIn(input: HTMLInputElement) {
    choose(input.files);
    input.value = "";
  }

  /** Runs the operation on the chosen files. */
  async function start() {
    await attempt(async () => files.value);
  }

  /** Makes the files of the example, and runs the operation on them. */
  async function startExample() {
    await attempt(operation.value.example);
  }

  async function attempt(filesOf: (client: Stayput.Client) => Promise<readonly File[]>) {
    forget();
    const started = changes;
    const [chosen, set] = [operation.value, { ...values.value }];
    isBusy.value = true;
    try {
      const client = await stayput();
      const taken = await filesOf(client);
      if (changes !== started) return;
      files.value = taken;
      const made = await run(client, chosen, taken, set);
      if (changes === started) outcome.value = made;
      else made.free();
    } catch (error) {
      if (changes === started) message.value = error instanceof Error ? error.message : String(error);
    } finally {
      if (changes === started) isBusy.value = false;
    }
  }

  return { operation, values, files, isBusy, message, outcome, code, choose, chooseIn, start, startExample };
}

/** Returns a length of bytes for people. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, "kB"] : [bytes / 1e6, "MB"];
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 100 ? 1 : 0 })} ${unit}`;
}
