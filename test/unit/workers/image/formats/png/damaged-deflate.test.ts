import { constants, createInflateRaw, deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inflateToDamage } from "../../../../../../workers/image/formats/png/damaged-deflate.ts";

const EVERYTHING = 1e6;
/** zlib gives its output in pieces: of the last one it may keep back all but a byte. */
const PIECE = 64;

const content = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  fc.array(fc.constantFrom(1, 1, 1, 2, 200), { maxLength: 3000 }).map((bytes) => Uint8Array.from(bytes)),
);
const { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY } = constants;
const way = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY),
});

/** What zlib makes of it, and how it ends. */
function byZlib(data: Uint8Array): Promise<{ bytes: Buffer; isComplete: boolean }> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    const end = (isComplete: boolean) => resolve({ bytes: Buffer.concat(parts), isComplete });
    const stream = createInflateRaw({ chunkSize: PIECE });
    stream.on("data", (part: Buffer) => parts.push(part));
    stream.on("error", () => end(false));
    stream.on("end", () => end(true));
    stream.end(data);
  });
}

describe("deflated data", () => {
  test("that is sound is unpacked, as much of it as is asked for", () => {
    fc.assert(
      fc.property(content, way, fc.nat(3000), (bytes, options, limit) => {
        const packed = deflateRawSync(bytes, options);
        expect(inflateToDamage(packed, EVERYTHING)).toEqual({ bytes, isComplete: true });
        expect(inflateToDamage(packed, limit).bytes).toEqual(bytes.subarray(0, limit));
      }),
    );
  });

  test("that is damaged is unpacked as far as zlib does", async () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(content, way, damage, fc.boolean(), async (bytes, options, changes, isCut) => {
        const packed = Uint8Array.from(deflateRawSync(bytes, options));
        for (const [at, value] of changes) packed[at % packed.length] = value;
        const damaged = isCut ? packed.subarray(0, packed.length >> 1) : packed;
        const expected = await byZlib(damaged);
        const found = inflateToDamage(damaged, EVERYTHING);
        expect(found.isComplete).toBe(expected.isComplete);
        expect(Buffer.from(found.bytes.subarray(0, expected.bytes.length))).toEqual(expected.bytes);
        expect(found.bytes.length - expected.bytes.length).toBeLessThanOrEqual(PIECE);
      }),
      { numRuns: 300 },
    );
  });
});
