import { afterEach, beforeEach, expect, test, vi } from "vitest";

// What is on a canvas comes back here, and is not what is asked.
vi.mock("../../../../../workers/image/browser/canvas-readback.ts", () => ({
  canvasReadback: async () => true,
}));

/** What the one pixel of each file is shown as, one decoding after the other; "failed" where the browser gives none. */
let shown: (number | "failed")[];
let decodes: number;

beforeEach(() => {
  vi.resetModules();
  decodes = 0;
  vi.stubGlobal("createImageBitmap", async () => {
    if (shown[decodes++] === "failed") {
      throw new DOMException("The source image could not be decoded.", "InvalidStateError");
    }
    return { width: 1, height: 1, close: () => undefined };
  });
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext() {
        const value = shown[decodes - 1];
        const data = Uint8ClampedArray.of(...Array<number>(3).fill(Number(value)), 255);
        return { drawImage: () => undefined, getImageData: () => ({ data }) };
      }
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test("probes the canvas again after a failure, and not after an answer", async () => {
  const { canKeepValues } = await import("../../../../../workers/image/browser/decode-natively.ts");
  shown = ["failed", 128];
  expect(await canKeepValues()).toBe(false);
  expect(await canKeepValues()).toBe(true);
  expect(await canKeepValues()).toBe(true);
  expect(decodes).toBe(2);
});

test("probes the colors again after a failure, and not after an answer", async () => {
  const [{ thisBrowser }, { SRGB_COLOR }] = await Promise.all([
    import("../../../../../workers/image/browser-traits.ts"),
    import("../../../../../workers/image/color/color.ts"),
  ]);
  // What says that values can be kept, and then what no red of Display P3 is.
  shown = [128, "failed", 90];
  expect(await thisBrowser(SRGB_COLOR)).toMatchObject({ canKeepValues: true, convertsToSrgb: true });
  expect(await thisBrowser(SRGB_COLOR)).toMatchObject({ canKeepValues: true, convertsToSrgb: false });
  expect(await thisBrowser(SRGB_COLOR)).toMatchObject({ canKeepValues: true, convertsToSrgb: false });
  expect(decodes).toBe(3);
});
