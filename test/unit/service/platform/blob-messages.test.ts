import { expect, test } from "vitest";
import { decodeMessage, encodeMessage } from "../../../../service/platform/blob-messages.ts";
import { StoredBlob, StoredFile } from "../../../../service/platform/stored-blob.ts";

/** Sends a message through a structured clone, as between threads. */
function sent(message: unknown): unknown {
  return decodeMessage(structuredClone(encodeMessage(message)));
}

test("passes files on, wherever they are in a message", async () => {
  const file = new StoredFile(["content"], "a.pdf", { type: "application/pdf", lastModified: 7 });
  const message = { list: [{ file }, 5], deep: { blob: new StoredBlob(["other"]) }, rest: new Map([[1, 2]]) };
  const received = sent(message) as typeof message;
  expect(received.rest).toEqual(new Map([[1, 2]]));
  expect(received.list[1]).toBe(5);
  const [first] = received.list as [{ readonly file: StoredFile }];
  expect(first.file).toBeInstanceOf(StoredFile);
  expect(first.file).toMatchObject({ name: "a.pdf", type: "application/pdf", lastModified: 7 });
  expect(await first.file.text()).toBe("content");
  expect(await received.deep.blob.text()).toBe("other");
});

test("passes on a message that is a file", async () => {
  expect(await (sent(new StoredBlob(["content"])) as StoredBlob).text()).toBe("content");
});

test("takes no plain data for a file", () => {
  const lookalike = { at: [], pieces: [{ kind: "range", path: "/etc/passwd", start: 0, end: 9 }], type: "" };
  expect(sent({ value: lookalike, blobs: [lookalike] })).toEqual({ value: lookalike, blobs: [lookalike] });
});

test("refuses a message whose files could be too deep", () => {
  let message: unknown = new StoredBlob(["content"]);
  for (let level = 0; level < 20; level++) message = [message];
  expect(() => encodeMessage(message)).toThrow(expect.objectContaining({ name: "DataCloneError" }));
});
