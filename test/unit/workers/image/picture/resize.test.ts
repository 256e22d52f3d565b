import { expect, test, vi } from "vitest";
import { resizePicture } from "../../../../../workers/image/picture/resize.ts";

test("fails with advice without WebAssembly SIMD, and closes the frame", async () => {
  vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
  const close = vi.fn();
  const frame = { close } as unknown as VideoFrame;
  const picture = { layout: "frame", frame, width: 8, height: 8, hasAlpha: false } as const;
  await expect(resizePicture(picture, { width: 4, height: 4 }, false)).rejects.toMatchObject({
    code: "unsupported_conversion",
    message: expect.stringContaining("keep the size of the picture"),
  });
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce());
});
