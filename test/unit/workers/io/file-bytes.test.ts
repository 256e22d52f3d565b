import { expect, test } from "vitest";
import { bytesOf, headOf, partOf } from "../../../../workers/io/file-bytes.ts";

/** A file that has lost its second half since it was chosen, as Firefox reads it. */
class ShorterFile extends Blob {
  readonly #left: Blob;

  constructor(bytes: Uint8Array<ArrayBuffer>, left: Blob = new Blob([bytes.subarray(0, bytes.length >> 1)])) {
    super([bytes]);
    this.#left = left;
  }

  override slice(start = 0, end = this.size): Blob {
    return new ShorterFile(new Uint8Array(end - start), this.#left.slice(start, end));
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#left.arrayBuffer();
  }
}

test.each([
  ["all", bytesOf],
  ["the head", headOf],
  ["a part", (file: Blob) => partOf(file, 400, 600)],
])("%s of a file that has become shorter is not what is left of it", async (_, read) => {
  await expect(read(new ShorterFile(new Uint8Array(1000)))).rejects.toMatchObject({ code: "damaged_file" });
});

test("reads the rest of a file that has become shorter", async () => {
  expect(await partOf(new ShorterFile(new Uint8Array(1000)), 100, 500)).toHaveLength(400);
});
