import { signal } from "@preact/signals";

/** What the page says about working without a network. */
export type OfflineState =
  | { readonly kind: "unknown" }
  | { readonly kind: "kept" }
  | { readonly kind: "newer" }
  | { readonly kind: "not-kept"; readonly reason: string };

export const offline = signal<OfflineState>({ kind: "unknown" });

/**
 * Registers the service worker that stores the app for use without a network. Only in the built app, because the files
 * of the dev server change.
 */
export async function keepForOffline(): Promise<void> {
  // Browsers offer service workers on secure origins only.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register("./service-worker.js");
    const { active, installing } = registration;
    registration.addEventListener("updatefound", () => tellWhenThere(registration));
    if (!active && installing) await installation(installing);
    offline.value = { kind: active && registration.waiting ? "newer" : "kept" };
  } catch (error) {
    offline.value = { kind: "not-kept", reason: String(error) };
  }
}

/**
 * Waits until a service worker is active.
 *
 * @throws {Error} when the browser could not load or store the files
 */
function installation(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("not all files could be loaded"));
    });
  });
}

/** Announces a newer build when the browser has all its files. After a failure, the browser tries again at the next visit. */
function tellWhenThere({ active, installing }: ServiceWorkerRegistration): void {
  if (!active) return;
  installing?.addEventListener("statechange", () => {
    if (installing.state === "installed") offline.value = { kind: "newer" };
  });
}
