import { expect, test } from "vitest";
import { encodeToSize } from "../../../../workers/image/encode-to-size.ts";
import type { Encoder } from "../../../../workers/image/formats/codec.ts";

const SIZE = { width: 1, height: 1 };
const picture = { layout: "rgba", ...SIZE, pixels: new Uint8ClampedArray(4), hasAlpha: false } as const;
const copied = new Uint8Array(100);

/** An encoder of files of 60 bytes, or of 80 at the highest quality if it is lossy. */
function encoder(lossy: boolean): Encoder {
  return {
    ...{ lossy, alpha: true, metadata: false },
    accepts: () => ({ planes: false, fidelity: "exact" }),
    encode: async (_, quality) => new Uint8Array(lossy && quality !== 0 ? 80 : 60),
  };
}

test.each([
  ["stays within the limit", false, 100, 100],
  ["of a lossless format is encoded again beyond the limit", false, 60, 60],
  ["of a lossy format is encoded again beyond the limit", true, 99, 80],
])("coded data %s", async (_, lossy, maxBytes, expected) => {
  const options = { quality: undefined, maxBytes, copied };
  expect(await encodeToSize(encoder(lossy), picture, options)).toHaveLength(expected);
});

test.each([false, true])("says how small a file can be, lossy: %s", async (lossy) => {
  const made = encodeToSize(encoder(lossy), picture, { quality: undefined, maxBytes: 59, copied });
  await expect(made).rejects.toMatchObject({ code: "invalid_parameter", details: { smallest: 60 } });
});
