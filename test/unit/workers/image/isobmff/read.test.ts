import { describe, expect, test } from "vitest";
import { heifMetadata } from "../../../../../workers/image/isobmff/read.ts";
import { ispe, makeHeif } from "../../../../support/fixtures/heif.ts";
import { picture } from "../../../../support/made-heif.ts";

describe("the metadata of a picture", () => {
  test.each([
    [16 * 2 ** 20, undefined],
    [16 * 2 ** 20 + 1, true],
  ])("of %i bytes: too long is %s", async (length, isTooLong) => {
    const exif = { id: 2, type: "Exif", hidden: true, data: new Uint8Array(length) };
    const plan = { primary: 1, items: [picture(1, ispe(4, 4)), exif] };
    const file = new Blob([makeHeif({ ...plan, references: [{ type: "cdsc", from: 2, to: [1] }] })]);
    expect((await heifMetadata(file)).isTooLong).toBe(isTooLong);
  });
});
