import { signal } from "@preact/signals";

/** What the page says about working without a network. */
export type OfflineState =
  | { readonly kind: "unknown" }
  /** Nothing is stored, because the user saves data. */
  | { readonly kind: "nothing"; readonly missing: number }
  /** The page is stored. `missing` is the size of the engines that are not stored, in bytes. */
  | { readonly kind: "partly"; readonly missing: number; readonly hasFailed?: boolean }
  | { readonly kind: "keeping"; readonly missing: number }
  | { readonly kind: "kept" }
  | { readonly kind: "newer" }
  | { readonly kind: "not-kept" };

/** A file that tasks need and the page does not. The build lists them (scripts/offline.mjs). */
interface EngineFile {
  readonly path: string;
  readonly bytes: number;
}

export const offline = signal<OfflineState>({ kind: "unknown" });

/** Whether the user has asked the browser to load little. */
export function savesData(): boolean {
  return "connection" in navigator && Reflect.get(Object(navigator.connection), "saveData") === true;
}

/**
 * Registers the service worker that stores the page for use without a network, unless the user saves data. Only in the
 * built app, because the files of the dev server change.
 */
export async function keepForOffline(): Promise<void> {
  // Browsers offer service workers on secure origins only.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  await attemptToKeep(async () => {
    if (savesData() && (await navigator.serviceWorker.getRegistration()) === undefined)
      offline.value = { kind: "nothing", missing: sizeOf(await missingEngines()) };
    else await register();
  });
}

/** Stores all engines, too: now, and those of newer builds. */
export async function keepEverything(): Promise<void> {
  await attemptToKeep(async () => {
    const { scope } = (await navigator.serviceWorker.getRegistration()) ?? (await register());
    // The service worker of a newer build looks for this cache.
    await caches.open(`keep-${scope}`);
    // Otherwise the browser may delete the files when the disk is full. Some builds of WebKit cannot promise it.
    if ("storage" in navigator) void navigator.storage.persist();
    await loadAll(await missingEngines());
  });
}

/** Loads engines, so that the service worker stores them. Ends at the first one that cannot be loaded. */
async function loadAll(engines: readonly EngineFile[]): Promise<void> {
  for (const [index, { path }] of engines.entries()) {
    const missing = sizeOf(engines.slice(index));
    offline.value = { kind: "keeping", missing };
    if (!(await canLoad(path))) {
      offline.value = { kind: "partly", missing, hasFailed: true };
      return;
    }
  }
  await updateOfflineState();
}

/** Loads a file. Returns whether that was possible: it is not without a network. */
async function canLoad(path: string): Promise<boolean> {
  try {
    return (await fetch(path)).ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Looks which engines are stored, and whether a newer build waits. */
export async function updateOfflineState(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration?.active && registration.waiting) {
    offline.value = { kind: "newer" };
    return;
  }
  const missing = sizeOf(await missingEngines());
  offline.value = missing === 0 ? { kind: "kept" } : { kind: "partly", missing };
}

/** Registers the service worker, and waits until the page is stored. */
async function register(): Promise<ServiceWorkerRegistration> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register("./service-worker.js");
  const { active, installing } = registration;
  registration.addEventListener("updatefound", () => announceNewerBuild(registration));
  if (!active && installing) {
    await installation(installing);
    // It then takes over the requests of this page.
    if (!serviceWorker.controller)
      await new Promise((resolve) => {
        serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      });
  }
  await updateOfflineState();
  return registration;
}

async function attemptToKeep(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // The browser stores nothing, or a file could not be loaded.
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    offline.value = { kind: "not-kept" };
  }
}

async function missingEngines(): Promise<readonly EngineFile[]> {
  const engines: readonly EngineFile[] = await (await fetch("./engines.json")).json();
  const kept = await Promise.all(engines.map(({ path }) => caches.match(path, { ignoreSearch: true })));
  return engines.filter((_, index) => kept[index] === undefined);
}

function sizeOf(engines: readonly EngineFile[]): number {
  return engines.reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Waits until a service worker is active.
 *
 * @throws {DOMException} `NetworkError` when the browser could not load or store the files
 */
function installation(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant")
        reject(new DOMException("Some files were not stored.", "NetworkError"));
    });
  });
}

/** Announces a newer build when the browser has all its files. After a failure, the browser tries again at the next visit. */
function announceNewerBuild({ active, installing }: ServiceWorkerRegistration): void {
  if (!active) return;
  installing?.addEventListener("statechange", () => {
    if (installing.state === "installed") offline.value = { kind: "newer" };
  });
}
