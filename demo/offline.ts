import { element } from "./elements.ts";

/**
 * Has the browser keep the app, so that it opens and works without a network, and says when that is so. Only as it is
 * built: what the development server serves changes all the time.
 */
export async function keepForOffline(): Promise<void> {
  // Browsers have it on secure origins only.
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

/** @throws {Error} when the browser could not get or store the files */
function installation(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("not all of its files could be had"));
    });
  });
}

/** Of a newer build, once the browser has all of it; one that fails is tried again with the next visit. */
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
