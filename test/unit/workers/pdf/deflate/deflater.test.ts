import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Deflater } from "../../../../../workers/pdf/deflate/deflater.ts";
import { Matches } from "../../../../../workers/pdf/deflate/matches.ts";

const CHUNK = 256 * 1024;
const WINDOW = 32 * 1024;

function deflated(rows: Iterable<Uint8Array>): Buffer {
  const deflater = new Deflater();
  for (const row of rows) deflater.next(row.length).set(row);
  return Buffer.concat(deflater.end());
}

/** Data cut in rows of so many bytes. */
function* rowsOf(data: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < data.length; at += length) yield data.subarray(at, at + length);
}

/** zlib sees whether the check sum is right, too. */
function expectSame(packed: Uint8Array, data: Uint8Array): void {
  expect(Buffer.compare(inflateSync(packed), data)).toBe(0);
}

/** The same for everyone. */
function noise(length: number, highest = 255): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 24) & highest;
  });
}

/** A stretch of noise, of a few values, or of one, again and again. */
const stretch = fc
  .record({
    unit: fc.uint8Array({ minLength: 1, maxLength: 300 }),
    length: fc.integer({ min: 1, max: 200_000 }),
    isNoise: fc.boolean(),
  })
  .map(({ unit, length, isNoise }) =>
    isNoise ? noise(length, unit[0]) : Uint8Array.from({ length }, (_, at) => unit[at % unit.length] ?? 0),
  );

describe("rows that are deflated", () => {
  it("are inflated to the same by zlib, whatever they hold and however long they are", () => {
    const data = fc.array(stretch, { maxLength: 6 });
    fc.assert(
      fc.property(data, fc.integer({ min: 1, max: 400_000 }), (stretches, length) => {
        const bytes = Buffer.concat(stretches);
        expectSame(deflated(rowsOf(bytes, Math.max(length, bytes.length >> 12))), bytes);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ["none", new Uint8Array(0), 1],
    ["one of one byte", Uint8Array.of(7), 1],
    ["as much as is compressed at a time", noise(CHUNK + WINDOW), 4096],
    ["a byte more", noise(CHUNK + WINDOW + 1), 1 << 20],
    ["each longer than what is compressed at a time", noise(3_000_001, 15), 1_000_000],
    ["all ones, whose sums are largest", new Uint8Array(2_000_000).fill(255), 10_000],
    ["what comes again at the longest distance, over and over", repeated(WINDOW), 5000],
    ["what comes again farther away than that", repeated(WINDOW + 1), 5000],
  ])("are inflated to the same: %s", (_, bytes, length) => {
    expectSame(deflated(rowsOf(bytes, length)), bytes);
  });

  it("takes room in the same place for rows of no bytes", () => {
    const bytes = noise(1000);
    expectSame(deflated([new Uint8Array(0), bytes, new Uint8Array(0)]), bytes);
  });

  it("are told by those far above them, over the end of what is compressed at a time", () => {
    const row = noise(30_000);
    const rows = Array.from({ length: 40 }, () => row);
    expect(deflated(rows).length).toBeLessThan(row.length + 40 * 1000);
  });

  it("take hardly more room than they do as they are, and next to none where all is the same", () => {
    const bytes = crypto.getRandomValues(new Uint8Array(65_536));
    const many = Array.from({ length: 16 }, (_, index) => bytes.map((byte) => byte ^ (index * 37)));
    expect(deflated(many).length).toBeLessThan(16 * bytes.length * 1.001);
    expect(deflated([new Uint8Array(10_000_000)]).length).toBeLessThan(15_000);
  });

  it("keep their matches when positions begin anew", () => {
    const matches = new Matches();
    const text = Buffer.from("the same words, the same words");
    matches.find(text, 0, text.length);
    const { count } = matches;
    const runs = matches.runs.slice(0, count);
    expect(count).toBeGreaterThan(1);
    // As after a gigabyte: what was seen before is forgotten, and positions are small again.
    matches.dropFirst(0x3fffffff);
    matches.find(text, 0, text.length);
    expect(matches.runs.slice(0, matches.count)).toEqual(runs);
  });
});

function repeated(distance: number): Uint8Array {
  const unit = noise(distance);
  return Uint8Array.from({ length: 20 * distance }, (_, at) => unit[at % distance] ?? 0);
}
