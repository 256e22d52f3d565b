import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { EmbeddedImage } from "../../../../../workers/image/to-pdf/embedded-image.ts";
import { ImageDocument } from "../../../../../workers/image/to-pdf/image-document.ts";
import type { ByteSink } from "../../../../../workers/io/sink.ts";
import { type ByteSource, bufferSource } from "../../../../../workers/io/source.ts";

setFlagsFromString("--expose-gc");
const requestGc: () => void = runInNewContext("gc");

/** An output that keeps nothing, as one that hands everything to the browser. */
class PassingSink implements ByteSink {
  length = 0;

  write(bytes: Uint8Array): void {
    this.length += bytes.length;
  }

  copy(_: ByteSource, start: number, end: number): void {
    this.length += end - start;
  }

  restart(): void {
    this.length = 0;
  }
}

test.each([1000, 1_000_000])("releases pages with images of %i bytes after writing them", async (size) => {
  const sink = new PassingSink();
  const document = new ImageDocument(sink, "fit");
  const images: WeakRef<Uint8Array>[] = [];
  const add = async () => {
    const bytes = new Uint8Array(size);
    images.push(new WeakRef(bytes));
    const image: EmbeddedImage = {
      ...({ width: 10, height: 10, orientation: 1, resolution: undefined } as const),
      colorSpace: { kind: "device", components: 3 },
      bitsPerComponent: 8,
      compression: { kind: "flate", filtered: true },
      data: [{ kind: "bytes", bytes }],
    };
    await document.addImage([image], bufferSource(new Uint8Array()));
  };
  for (let page = 0; page < 5; page++) await add();
  // What a WeakRef was asked for stays until the task ends.
  await new Promise((resolve) => setImmediate(resolve));
  requestGc();
  expect(images.filter((image) => image.deref() !== undefined)).toEqual([]);
  await document.end();
  expect(sink.length).toBeGreaterThan(5 * size);
});
