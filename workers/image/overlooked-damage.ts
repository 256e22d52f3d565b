import { fromBase64 } from "./base64.ts";
import { decodeNatively } from "./canvas.ts";

/** A PNG of two rows, the second with a filter that does not exist. */
const DAMAGED =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAAAAAC86un7AAAADElEQVR42mNo4GwAAAIWAQrcy/ETAAAAAElFTkSuQmCC";
let overlooks: Promise<boolean> | undefined;

/** Whether the browser makes a picture of what it could read of a damaged PNG, and says nothing. */
export function overlooksDamage(): Promise<boolean> {
  overlooks ??= decodeNatively(new Blob([fromBase64(DAMAGED)]), "image/png").then(
    (bitmap) => {
      bitmap.close();
      return true;
    },
    () => false,
  );
  return overlooks;
}
