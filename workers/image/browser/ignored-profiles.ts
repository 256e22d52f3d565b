import { memoizeAsync } from "../../io/memoize-async.ts";
import { calibratedProfile } from "../color/calibrated-profile.ts";
import { planColor } from "../color/color-description.ts";
import { toSrgb } from "../color/to-srgb.ts";
import { withWebpMetadata } from "../formats/webp/read-webp.ts";
import type { Color } from "../isobmff/properties.ts";
import type { BitmapPicture, Picture } from "../picture/picture.ts";
import { fromBase64 } from "./base64.ts";
import { firstValue, pixelPicture, pixelsOf, release } from "./canvas.ts";

/**
 * What some browsers take no notice of: WebKit without Apple's libraries, of the profiles of gray pictures, WebP and
 * AVIF, and of a PNG's and an AVIF's code points.
 */
export type Unfollowed = "gray" | "webp" | "avif" | "avifCodePoints" | "cicp";

/** The value of the one pixel of each of these, in which values are light itself: shown, it is much brighter. */
const VALUE = 128;
const GRAY_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAAf2lDQ1BnAAB42mNgYHRhAAImAQaG3LySIvcgx8iIyCgFBiSQmFxcwIAXfLvGwAii" +
  "L+sykA5YUlKLk4H0FiBOSC4oKmFgYBQBsnnKSwpAbJBbRLJDgpyBbBMgWwCqHgRY04tSKxmoDEpSK0pAdF5+XioiLBB+TC4tKoMqZQQJAQBhaB2j" +
  "LrrksQAAAApJREFUeNpjaAAAAIIAgdpFCDsAAAAASUVORK5CYII=";
const WEBP = "UklGRh4AAABXRUJQVlA4TBEAAAAvAAAAAAdQwAIWsP+BiOh/AAA=";
const AVIF =
  "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAhttZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAA" +
  "AAABAAAAImlsb2MAAAAAREAAAQABAAAAAAI/AAEAAAAAAAAAEwAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEAAGF2MDEAAAABm2lwcnAAAAF8" +
  "aXBjbwAAAURjb2xycHJvZgAAATgAAAAAAhAAAG1udHJSR0IgWFlaIAAAAAAAAAAAAAAAAGFjc3AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
  "AAD21gABAAAAANMtAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB3d0cHQAAADYAAAAFHJYWVoAAADs" +
  "AAAAFGdYWVoAAAEAAAAAFGJYWVoAAAEUAAAAFHJUUkMAAAEoAAAADmdUUkMAAAEoAAAADmJUUkMAAAEoAAAADlhZWiAAAAAAAAD21gABAAAAANMt" +
  "WFlaIAAAAAAAAG+iAAA49QAAA5BYWVogAAAAAAAAYpkAALeFAAAY2lhZWiAAAAAAAAAkoAAAD4QAALbPY3VydgAAAAAAAAABAQAAAAAAAAxhdjFD" +
  "gQAMAAAAABRpc3BlAAAAAAAAAAEAAAABAAAAEHBpeGkAAAAAAwgICAAAABdpcG1hAAAAAAAAAAEAAQSBggOEAAAAG21kYXQSAAoIGAAGCBAQNCAy" +
  "BRAAAASA";
const AVIF_OF_CODE_POINTS =
  "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADn" +
  "BpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAABQAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAA" +
  "AABLaXBjbwAAABRpc3BlAAAAAAAAAAEAAAABAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAAgABoAAAAAXaXBtYQAAAAAAAA" +
  "ABAAEEAQKDBAAAABxtZGF0EgAKBzgABhAQgGkyBxCAAABABVA=";
const CICP_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAABGNJQ1ABCAABmqL52QAAAAxJREFUeNpjaGhoAAADBAGBdS4BvAAAAABJRU5ErkJg" +
  "gg==";
const shownValues: Readonly<Record<Unfollowed, () => Promise<number>>> = {
  gray: shownValueOf(() => new Blob([fromBase64(GRAY_PNG)], { type: "image/png" })),
  webp: shownValueOf(() => withWebpMetadata(fromBase64(WEBP), { icc: calibratedProfile({ gamma: 1 }) })),
  avif: shownValueOf(() => new Blob([fromBase64(AVIF)], { type: "image/avif" })),
  avifCodePoints: shownValueOf(() => new Blob([fromBase64(AVIF_OF_CODE_POINTS)], { type: "image/avif" })),
  cicp: shownValueOf(() => new Blob([fromBase64(CICP_PNG)], { type: "image/png" })),
};

/**
 * A picture in sRGB as the browser has decoded it: converted here, where the browser took no notice of what its colors
 * are. A profile that works by tables is not followed here either.
 *
 * Ends the picture that is given where it gives another.
 */
export async function shownInSrgb(kind: Unfollowed, picture: BitmapPicture, color: Color): Promise<Picture> {
  return (await isFollowed(kind)) ? picture : convertedToSrgb(picture, color);
}

/** A picture in sRGB of one whose values are those of its file. Ends that where it gives another. */
export function convertedToSrgb(picture: BitmapPicture, color: Color): Picture {
  if (planColor(color) === "none") return picture;
  const pixels = pixelsOf(picture);
  release(picture);
  toSrgb(color)(pixels);
  return pixelPicture(pixels, picture.width, picture.height);
}

function shownValueOf(probe: () => Blob): () => Promise<number> {
  return memoizeAsync(async () => {
    const file = probe();
    return firstValue(file, file.type);
  });
}

function isFollowed(kind: Unfollowed): Promise<boolean> {
  return shownValues[kind]().then(
    (value) => value > VALUE + 1,
    // Nothing is known of it, and this job trusts the browser, as most may be.
    () => true,
  );
}
