import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Conversion } from "../../../../demo/state/conversion.ts";
import { screenPicture } from "../../../../demo/state/pictures.ts";
import type { TrayFile } from "../../../../demo/state/tray.ts";
import { type ConvertParams, ServiceError } from "../../../../src/index.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

/** A conversion that a test ends. */
interface Call {
  readonly params: ConvertParams;
  readonly signal: AbortSignal;
  end(size: number): Promise<void>;
  fail(error: unknown): Promise<void>;
}

const conversions: Call[] = vi.hoisted(() => []);

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

function conversion(index: number): Call {
  const found = conversions[index];
  if (found === undefined) throw new Error(`There are ${conversions.length} conversions`);
  return found;
}

test("shows the result of the first options at once", async () => {
  const shown = new Conversion(trayFile());
  void shown.start({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  expect(shown.isRunning.value).toBe(true);
  await conversion(0).end(40);
  expect(shown.result.value).toMatchObject({ size: 40 });
  expect(shown.isRunning.value).toBe(false);
});

test("converts once when the options change several times", async () => {
  const shown = new Conversion(trayFile());
  void shown.start({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  await conversion(0).end(40);
  for (const quality of [0.1, 0.2, 0.3]) {
    void shown.start({ output_format: "webp", quality });
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(conversions).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(SETTLED);
  expect(conversions.map(({ params }) => params.quality)).toEqual([undefined, 0.3]);
});

test("aborts a conversion when the options change, and ignores its late result", async () => {
  const shown = new Conversion(trayFile());
  void shown.start({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  void shown.start({ output_format: "avif" });
  expect(conversion(0).signal.aborted).toBe(true);
  await conversion(0).end(40);
  expect(shown.result.value).toBeUndefined();
  expect(shown.isRunning.value).toBe(true);
  await vi.advanceTimersByTimeAsync(SETTLED);
  // Until then, the result is that of the earlier options.
  expect(shown.result.value).toBeUndefined();
  await conversion(1).end(30);
  expect(shown.result.value).toMatchObject({ size: 30, format: "avif" });
});

test("keeps no picture after it is closed", async () => {
  const shown = new Conversion(trayFile("heic"));
  void shown.start({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  shown.close();
  for (const { signal, end } of [...conversions]) {
    expect(signal.aborted).toBe(true);
    await end(40);
  }
  expect(shown.result.value).toBeUndefined();
  expect(urls).toEqual(new Set());
});

test("frees the results of earlier options, and the last one in the end", async () => {
  const shown = new Conversion(trayFile());
  void shown.start({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  await conversion(0).end(40);
  void shown.start({ output_format: "avif" });
  await vi.advanceTimersByTimeAsync(SETTLED);
  await conversion(1).end(30);
  expect(urls.size).toBe(1);
  shown.close();
  expect(urls.size).toBe(0);
});

test("shows a PNG for a HEIC", async () => {
  const picture = screenPicture(trayFile("heic"), new AbortController().signal);
  await vi.advanceTimersByTimeAsync(0);
  expect(conversion(0).params.output_format).toBe("png");
  await conversion(0).end(900);
  expect(await picture).toMatchObject({ size: 900 });
});

test("compares the first picture of a file with several", async () => {
  void new Conversion(trayFile("jpg", 3)).start({ output_format: "png" });
  await vi.advanceTimersByTimeAsync(0);
  expect(conversion(0).params.pages).toBe("1");
});

test("keeps the pictures when a conversion fails, and forgets the error with the next result", async () => {
  const shown = new Conversion(trayFile());
  void shown.start({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(0);
  await conversion(0).end(40);
  void shown.start({ output_format: "webp", max_bytes: 1 });
  await vi.advanceTimersByTimeAsync(SETTLED);
  const error = new ServiceError("unsupported_conversion", "too small");
  await conversion(1).fail(error);
  expect(shown.error.value).toBe(error);
  expect(shown.result.value).toMatchObject({ size: 40 });
  void shown.start({ output_format: "webp" });
  await vi.advanceTimersByTimeAsync(SETTLED);
  await conversion(2).end(40);
  expect(shown.error.value).toBeUndefined();
});
