import { element } from "./elements.ts";

/**
 * Registers the service worker that stores the app for use without a network, and shows the state on the page. Only in the
 * built demo, because the files of the dev server change.
 */
export async function keepForOffline(): Promise<void> {
  // Browsers offer service workers on secure origins only.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    const registration = await navigator.serviceWorker.register("./service-worker.js");
    const { active, installing } = registration;
    registration.addEventListener("updatefound", () => tellWhenThere(registration));
    if (!active && installing) await installation(installing);
    if (active && registration.waiting) tellOfNewer();
    else say("Kept on this device: it opens and works without a network, too.");
  } catch (error) {
    say(`It needs a network each time: this browser did not keep it (${String(error)}).`);
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
    if (installing.state === "installed") tellOfNewer();
  });
}

function tellOfNewer(): void {
  say("A newer version is here: close all windows of this page and open it again to have it.");
}

function say(text: string): void {
  const place = element(document, "#offline", HTMLParagraphElement);
  place.textContent = text;
  place.hidden = false;
}
