import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Deflater } from "../../../../workers/io/deflater.ts";

async function deflated(rows: Iterable<Uint8Array>): Promise<Uint8Array> {
  const deflater = new Deflater();
  for (const row of rows) {
    deflater.next(row.length).set(row);
    await deflater.ready;
  }
  return deflater.end();
}

describe("Deflater", () => {
  it("writes a zlib stream that inflates to the rows", async () => {
    const rows = fc.array(fc.uint8Array({ maxLength: 100_000, size: "medium" }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rows, async (taken) => {
        expect(Buffer.compare(inflateSync(await deflated(taken)), Buffer.concat(taken))).toBe(0);
      }),
      { numRuns: 10 },
    );
  });

  it("takes rows that are longer than its chunk", async () => {
    const row = Uint8Array.from({ length: 1_000_001 }, (_, at) => at * at);
    expect(Buffer.compare(inflateSync(await deflated([row, row])), Buffer.concat([row, row]))).toBe(0);
  });

  it("finds repetitions across chunks", async () => {
    const row = crypto.getRandomValues(new Uint8Array(30_000));
    const packed = await deflated(Array.from({ length: 40 }, () => row));
    expect(packed.length).toBeLessThan(row.length + 40 * 1000);
  });

  it("is ready without waiting until a chunk is full", () => {
    const deflater = new Deflater();
    deflater.next(1000).fill(1);
    expect(deflater.ready).toBeUndefined();
    deflater.next(1_000_000).fill(1);
    expect(deflater.ready).toBeInstanceOf(Promise);
  });
});
