import { describe, expect, test } from "vitest";
import { readJpeg } from "../../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { checkScans, readScans } from "../../../../../../workers/image/formats/jpg/scans.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { manyScanJpeg } from "../../../../../support/fixtures/image/progressive-jpeg.ts";

function check(plan: Parameters<typeof manyScanJpeg>[0]): void {
  const source = bufferSource(manyScanJpeg(plan));
  const jpeg = readJpeg(source);
  checkScans(jpeg, readScans(source, jpeg));
}

describe("a progressive JPEG", () => {
  test.each([
    [16_000, 32],
    [4000, 32],
    [1000, 500],
  ])("of %i pixels square may have %i scans", (side, most) => {
    const size = { width: side, height: side };
    expect(() => check({ ...size, scans: most })).not.toThrow();
    expect(() => check({ ...size, scans: most + 1 })).toThrow(
      expect.objectContaining({
        code: "input_too_large",
        message: expect.stringContaining(`it has ${most + 1} scans, and at its size it may have ${most}.`),
        details: { scans: most + 1, largest_scans: most },
      }),
    );
  });
});
