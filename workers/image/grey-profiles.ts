import { bitmapPicture, decodeNatively, pixelPicture, pixelsOf, release } from "./canvas.ts";
import { toSrgb } from "./heif/to-srgb.ts";
import type { BitmapPicture, Picture } from "./picture.ts";

/** A PNG of one grey pixel, and a profile by which its values are light itself: shown, it is much brighter. */
const LINEAR_GREY = {
  value: 128,
  png: Uint8Array.from(
    atob(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAAf2lDQ1BnAAB42mNgYHRhAAImAQaG3LySIvcgx8iIyCgFBiSQmFxcwIAX" +
        "fLvGwAiiL+sykA5YUlKLk4H0FiBOSC4oKmFgYBQBsnnKSwpAbJBbRLJDgpyBbBMgWwCqHgRY04tSKxmoDEpSK0pAdF5+XioiLBB+TC4t" +
        "KoMqZQQJAQBhaB2jLrrksQAAAApJREFUeNpjaAAAAIIAgdpFCDsAAAAASUVORK5CYII=",
    ),
    (character) => character.charCodeAt(0),
  ),
};
let follows: Promise<boolean> | undefined;

/** Whether the browser looks at the profile of a picture in grey: WebKit without Apple's libraries does not. */
function followsGreyProfiles(): Promise<boolean> {
  follows ??= (async () => {
    const bitmap = await decodeNatively(new Blob([LINEAR_GREY.png]), "image/png");
    const [value = 0] = pixelsOf(bitmapPicture(bitmap, false));
    bitmap.close();
    return value > LINEAR_GREY.value + 1;
  })();
  return follows;
}

/**
 * A picture in grey as the browser has decoded it, in sRGB: by its profile, where the browser took no notice of that.
 * Ends the one that is given where it gives another.
 *
 * @param profile of grey
 */
export async function greyInSrgb(picture: BitmapPicture, profile: Uint8Array): Promise<Picture> {
  if (await followsGreyProfiles()) return picture;
  const pixels = pixelsOf(picture);
  release(picture);
  toSrgb({ kind: "icc", profile: Uint8Array.from(profile) })(pixels);
  return pixelPicture(pixels, picture.width, picture.height);
}
