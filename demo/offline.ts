import { element } from "./elements.ts";
import { TAKE_OVER } from "./take-over.ts";

/**
 * Has the browser keep the app, so that it opens and works without a network, and says when that is so. Only as it is
 * built: what the development server serves changes all the time.
 */
export async function keepForOffline(): Promise<void> {
  // Browsers have it on secure origins only.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // The files of the build that this page is from go when another takes over, which only happens to a page that has
  // just been loaded.
  if (serviceWorker.controller) serviceWorker.addEventListener("controllerchange", () => location.reload());
  try {
    const registration = await serviceWorker.register("./service-worker.js");
    registration.waiting?.postMessage(TAKE_OVER);
    await firstInstallation(registration);
    say("Kept on this device: it opens and works without a network, too.");
  } catch (error) {
    say(`It needs a network each time: this browser did not keep it (${String(error)}).`);
  }
}

/** @throws {Error} when the browser could not get or store the files */
async function firstInstallation({ active, installing }: ServiceWorkerRegistration): Promise<void> {
  if (active || !installing) return;
  await new Promise<void>((resolve, reject) => {
    installing.addEventListener("statechange", () => {
      if (installing.state === "activated") resolve();
      if (installing.state === "redundant") reject(new Error("not all of its files could be had"));
    });
  });
}

function say(text: string): void {
  const place = element(document, "#offline", HTMLParagraphElement);
  place.textContent = text;
  place.hidden = false;
}
