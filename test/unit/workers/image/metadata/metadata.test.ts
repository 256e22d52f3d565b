import { describe, expect, test } from "vitest";
import { uprightMetadata } from "../../../../../workers/image/metadata/metadata.ts";
import { concatBytes, latin1 } from "../../../../support/fixtures/image/bytes.ts";
import { makeExif, makeXmp } from "../../../../support/fixtures/image/metadata.ts";

const SIZE = { width: 64, height: 32 };

describe("metadata of a picture that is stored upright", () => {
  test.each([1, 3, 6, 8])("has the orientation 1 instead of %i", (orientation) => {
    const { exif, xmp, icc } = uprightMetadata(
      { exif: makeExif(orientation), xmp: makeXmp(orientation) },
      SIZE,
    );
    expect(exif).toEqual(makeExif(1));
    expect(xmp).toEqual(makeXmp(1));
    expect(icc).toBeUndefined();
  });

  test("has no Exif header of JPEG", () => {
    const { exif } = uprightMetadata({ exif: concatBytes([latin1("Exif\0\0"), makeExif(6)]) }, SIZE);
    expect(exif).toEqual(makeExif(1));
  });

  test("stays if it cannot be read", () => {
    for (const length of [0, 4, 9, 30]) {
      const exif = makeExif(6).slice(0, length);
      expect(uprightMetadata({ exif }, SIZE).exif?.length).toBe(length);
    }
  });
});
