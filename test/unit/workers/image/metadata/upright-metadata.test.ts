import { describe, expect, test } from "vitest";
import { uprightMetadata } from "../../../../../workers/image/metadata/upright-metadata.ts";
import { concatBytes, latin1 } from "../../../../support/fixtures/image/bytes.ts";
import { makeExif, makeXmp } from "../../../../support/fixtures/image/metadata.ts";

const SIZE = { width: 64, height: 32 };

describe("metadata of a picture that is stored upright", () => {
  test.each([1, 3, 6, 8])("says so, whatever it said before: %i", (orientation) => {
    const { exif, xmp, icc } = uprightMetadata(
      { exif: makeExif(orientation), xmp: makeXmp(orientation) },
      SIZE,
    );
    expect(exif).toEqual(makeExif(1));
    expect(xmp).toEqual(makeXmp(1));
    expect(icc).toBeUndefined();
  });

  test("is without what JPEG puts in front of EXIF", () => {
    const { exif } = uprightMetadata({ exif: concatBytes([latin1("Exif\0\0"), makeExif(6)]) }, SIZE);
    expect(exif).toEqual(makeExif(1));
  });

  test("of nonsense is nonsense", () => {
    for (const length of [0, 4, 9, 30]) {
      const exif = makeExif(6).slice(0, length);
      expect(uprightMetadata({ exif }, SIZE).exif?.length).toBe(length);
    }
  });
});
