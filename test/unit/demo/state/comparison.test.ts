import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Comparison } from "../../../../demo/state/comparison.ts";
import type { TrayFile } from "../../../../demo/state/tray.ts";
import { type ConvertParams, ServiceError } from "../../../../src/index.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

/** A conversion that a test ends. */
interface Conversion {
  readonly params: ConvertParams;
  readonly signal: AbortSignal;
  end(size: number): Promise<void>;
  fail(error: unknown): Promise<void>;
}

const conversions: Conversion[] = vi.hoisted(() => []);

vi.mock("../../../../demo/state/client.ts", () => ({
  client: {
    convert: (params: ConvertParams, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const end = async (size: number) => {
          resolve({ size });
          await vi.advanceTimersByTimeAsync(0);
        };
        const fail = async (error: unknown) => {
          reject(error);
          await vi.advanceTimersByTimeAsync(0);
        };
        conversions.push({ params, signal, end, fail });
      }),
    blob: ({ size }: { size: number }) => new File([new Uint8Array(size)], "result"),
    release: () => {},
  },
}));

const SETTLED = 300;

let urls: Set<string>;

beforeEach(() => {
  vi.useFakeTimers();
  conversions.length = 0;
  urls = new Set();
  let last = 0;
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
    const url = `blob:${++last}`;
    urls.add(url);
    return url;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void urls.delete(url));
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function trayFile(format: "jpg" | "heic" = "jpg", images = 1): TrayFile {
  return inspectedFile({ format, size: 100, images }, new File([new Uint8Array(100)], "photo"));
}

function conversion(index: number): Conversion {
  const found = conversions[index];
  if (found === undefined) throw new Error(`There are ${conversions.length} conversions`);
  return found;
}

test("shows the file and the result of the first options at once", async () => {
  const comparison = new Comparison(trayFile());
  void comparison.show({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  expect(comparison.before.value).toMatchObject({ size: 100 });
  expect(comparison.isConverting.value).toBe(true);
  await conversion(0).end(40);
  expect(comparison.after.value).toMatchObject({ size: 40 });
  expect(comparison.isConverting.value).toBe(false);
});

test("converts once when the options change several times", async () => {
  const comparison = new Comparison(trayFile());
  void comparison.show({ output_format: "webp" });
  await conversion(0).end(40);
  for (const quality of [0.1, 0.2, 0.3]) {
    void comparison.show({ output_format: "webp", quality });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(conversions).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(SETTLED);
  expect(conversions.map(({ params }) => params.quality)).toEqual([undefined, 0.3]);
});

test("aborts a conversion when the options change, and ignores its late result", async () => {
  const comparison = new Comparison(trayFile());
  void comparison.show({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  void comparison.show({ output_format: "avif" });
  expect(conversion(0).signal.aborted).toBe(true);
  await conversion(0).end(40);
  expect(comparison.after.value).toBeUndefined();
  expect(comparison.isConverting.value).toBe(true);
  await vi.advanceTimersByTimeAsync(SETTLED);
  // Until then, the result is that of the earlier options.
  expect(comparison.after.value).toBeUndefined();
  await conversion(1).end(30);
  expect(comparison.after.value).toMatchObject({ size: 30, format: "avif" });
});

test("keeps no picture and starts nothing after it is closed", async () => {
  const comparison = new Comparison(trayFile("heic"));
  void comparison.show({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  comparison.close();
  for (const { signal, end } of [...conversions]) {
    expect(signal.aborted).toBe(true);
    await end(40);
  }
  await comparison.show({ output_format: "avif" });
  await vi.advanceTimersByTimeAsync(SETTLED);
  expect(conversions).toHaveLength(2);
  expect([comparison.before.value, comparison.after.value]).toEqual([undefined, undefined]);
  expect(urls).toEqual(new Set());
});

test("frees the results of earlier options, and both pictures in the end", async () => {
  const comparison = new Comparison(trayFile());
  void comparison.show({ output_format: "webp" });
  await conversion(0).end(40);
  void comparison.show({ output_format: "avif" });
  await vi.advanceTimersByTimeAsync(SETTLED);
  await conversion(1).end(30);
  expect(urls.size).toBe(2);
  comparison.close();
  expect(urls.size).toBe(0);
});

test("shows a PNG for a HEIC, with the size of the HEIC", async () => {
  const comparison = new Comparison(trayFile("heic"));
  void comparison.show({ output_format: "jpg" });
  await vi.advanceTimersByTimeAsync(0);
  expect(conversions.map(({ params }) => params.output_format)).toEqual(["png", "jpg"]);
  await conversion(0).end(900);
  expect(comparison.before.value).toMatchObject({ size: 100 });
});

test("compares the first picture of a file with several", async () => {
  void new Comparison(trayFile("jpg", 3)).show({ output_format: "png" });
  await vi.advanceTimersByTimeAsync(0);
  expect(conversion(0).params.pages).toBe("1");
});

test("keeps the pictures when a conversion fails, and forgets the error with the next result", async () => {
  const comparison = new Comparison(trayFile());
  void comparison.show({ output_format: "webp" });
  await conversion(0).end(40);
  void comparison.show({ output_format: "webp", max_bytes: 1 });
  await vi.advanceTimersByTimeAsync(SETTLED);
  const error = new ServiceError("unsupported_conversion", "too small");
  await conversion(1).fail(error);
  expect(comparison.error.value).toBe(error);
  expect(comparison.after.value).toMatchObject({ size: 40 });
  void comparison.show({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(SETTLED);
  await conversion(2).end(40);
  expect(comparison.error.value).toBeUndefined();
});
