import * as zlib from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32 } from "../../../../workers/io/crc32.ts";

test("agrees with zlib for all offsets and chunks", () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(bytes, fc.nat(16), fc.nat(300), (whole, start, cut) => {
      const moved = new Uint8Array(start + whole.length).subarray(start);
      moved.set(whole);
      const expected = zlib.crc32(whole);
      expect(crc32(moved)).toBe(expected);
      expect(crc32(moved.subarray(cut), crc32(moved.subarray(0, cut)))).toBe(expected);
    }),
  );
});
