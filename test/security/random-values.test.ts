import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { protectBytes } from "../support/engine.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

// The promise: keys, salts and initialization vectors come from crypto.getRandomValues, and from nothing else.

const pdf = makePdf({ pages: 2 });

/** Replaces the random bytes of the platform by copies of one byte. Returns how many are asked for. */
function fixedBytes(value: number) {
  let count = 0;
  const spy = vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    count += bytes.fill(value).length;
    return array;
  });
  onTestFinished(() => spy.mockRestore());
  return () => count;
}

beforeEach(() => {
  const noSource = () => {
    throw new Error("this is no source of random values");
  };
  for (const spy of [vi.spyOn(Math, "random"), vi.spyOn(crypto, "randomUUID")]) {
    spy.mockImplementation(noSource);
    onTestFinished(() => spy.mockRestore());
  }
});

describe("a protected file", () => {
  const options = { password: "secret", ownerPassword: "owner", permissions: ["print"] } as const;

  test("is the same for the same random values, and another for others", async () => {
    const asked = fixedBytes(1);
    const one = await protectBytes(pdf, options);
    // A key of 32 bytes, four salts of 8, and an initialization vector of 16 for each string and stream.
    expect(asked()).toBeGreaterThan(32 + 32 + 2 * 16);
    expect(Buffer.from(await protectBytes(pdf, options)).equals(one)).toBe(true);
    fixedBytes(2);
    expect(Buffer.from(await protectBytes(pdf, options)).equals(one)).toBe(false);
  });

  test("differs each time", async () => {
    expect(Buffer.from(await protectBytes(pdf, options)).equals(await protectBytes(pdf, options))).toBe(
      false,
    );
  });
});
