import { decodeNatively } from "./canvas.ts";

/** A PNG of two rows, the second with a filter that does not exist. */
const DAMAGED =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAADElEQVR42mNo4GwAAAIWAQrcy/ETAAAAAElFTkSuQmCC";
let overlooks: Promise<boolean> | undefined;

/** Whether the browser makes a picture of what it could read of a damaged PNG, and says nothing. */
export function overlooksDamage(): Promise<boolean> {
  const bytes = Uint8Array.from(atob(DAMAGED), (character) => character.charCodeAt(0));
  overlooks ??= decodeNatively(new Blob([bytes]), "image/png").then(
    (bitmap) => {
      bitmap.close();
      return true;
    },
    () => false,
  );
  return overlooks;
}
