import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflated } from "../../../../../workers/pdf/deflate/deflate.ts";
import { HuffmanCode } from "../../../../../workers/pdf/deflate/huffman.ts";

const inflated = (bytes: Uint8Array) => Uint8Array.from(inflateSync(bytes));

/** As text in PDF files repeats itself: words out of a few, and numbers. */
const text = fc
  .array(fc.oneof(fc.constantFrom("/Type /Annot ", "<< ", ">> ", "0 R "), fc.nat().map(String)), {
    maxLength: 2000,
  })
  .map((words) => Uint8Array.from(Buffer.from(words.join(""), "latin1")));

describe("what is deflated", () => {
  it("is inflated to the same by zlib, text and noise, one after the other", () => {
    const data = fc.oneof(text, fc.uint8Array({ maxLength: 5000 }));
    fc.assert(
      fc.property(data, (bytes) => {
        expect(inflated(deflated(bytes))).toEqual(bytes);
      }),
    );
  });

  it.each([
    ["nothing", new Uint8Array(0)],
    ["one byte", Uint8Array.of(7)],
    ["three bytes", Uint8Array.of(1, 1, 1)],
    ["every byte once", Uint8Array.from({ length: 256 }, (_, index) => index)],
    ["one byte again and again", new Uint8Array(65_535).fill(65)],
    ["what comes again after the longest distance", repeatedAfter(32_768)],
    ["what comes again after more than that", repeatedAfter(32_769)],
    ["more than is done at once", new Uint8Array(70_000).fill(66)],
    ["counts that would make codes too long", fibonacci()],
  ])("is inflated to the same: %s", (_, bytes) => {
    expect(inflated(deflated(bytes))).toEqual(bytes);
  });

  it("takes little more room than it would as it is, and mostly far less", () => {
    const noise = crypto.getRandomValues(new Uint8Array(65_535));
    expect(deflated(noise).length).toBeLessThanOrEqual(noise.length + 16);
    const words = Uint8Array.from(Buffer.from("to be or not to be, that is the question. ".repeat(200)));
    expect(deflated(words).length).toBeLessThan(words.length / 50);
  });
});

describe("HuffmanCode", () => {
  it("has codes that are never too long and use all there is room for", () => {
    const counts = fc.array(fc.nat({ max: 60_000 }), { minLength: 19, maxLength: 19 });
    fc.assert(
      fc.property(counts, (many) => {
        const code = new HuffmanCode(19, 7);
        code.counts.set(many);
        code.make();
        expect(Math.max(...code.lengths)).toBeLessThanOrEqual(7);
        const room = code.lengths.reduce((sum, length) => sum + (length > 0 ? 2 ** -length : 0), 0);
        expect(room).toBe(1);
        for (const [symbol, count] of many.entries()) if (count > 0) expect(code.lengths[symbol]).not.toBe(0);
      }),
    );
  });
});

function repeatedAfter(distance: number): Uint8Array {
  const bytes = crypto.getRandomValues(new Uint8Array(distance + 100));
  bytes.copyWithin(distance, 0, 100);
  return bytes;
}

/** Each byte as often as the two before it together, in no order that would make matches. */
function fibonacci(): Uint8Array {
  const bytes: number[] = [];
  let [one, other] = [1, 1];
  for (let byte = 0; bytes.length + other < 60_000; byte++) {
    for (let count = 0; count < one; count++) bytes.push(byte);
    [one, other] = [other, one + other];
  }
  let state = 1;
  for (let at = bytes.length - 1; at > 0; at--) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const from = state % (at + 1);
    [bytes[at], bytes[from]] = [bytes[from] ?? 0, bytes[at] ?? 0];
  }
  return Uint8Array.from(bytes);
}
