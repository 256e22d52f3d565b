import { describe, expect, test, vi } from "vitest";
import type { ConvertParams } from "../../../../src/client.ts";
import { Downloads, type ServiceResult } from "../../../../src/downloads.ts";
import {
  checkOptions,
  convertedName,
  convertUpload,
  extensionOf,
  withExtension,
} from "../../../../src/upload/convert-upload.ts";

const client = { convert: vi.fn(), blob: vi.fn(), release: vi.fn() };
const SIZE = 1000;

describe("the files that are converted by default", () => {
  test.each([
    ["photo.heic", "image/heic", "photo.jpg"],
    ["photo.HEIC", "", "photo.jpg"],
    ["photo.heif", "image/heif", "photo.jpg"],
    ["photo", "image/heic-sequence", "photo.jpg"],
    ["my.photo.heic", "application/octet-stream", "my.photo.jpg"],
    [".heic", "image/heic", ".heic.jpg"],
    ["ünïcode 写真.heic", "", "ünïcode 写真.jpg"],
    // The client looks at the content.
    ["photo.heic", "image/jpeg", "photo.jpg"],
    ["photo.2", "image/heic", "photo.jpg"],
  ])("%s of type %j becomes %s", (name, type, expected) => {
    expect(convertedName({ name, type, size: SIZE }, {})).toBe(expected);
  });

  test.each([
    ["photo.jpg", "image/jpeg"],
    ["photo.png", "image/png"],
    ["notes.txt", "text/plain"],
    ["heic", ""],
    ["heic.txt", "text/plain"],
    ["report.pdf", "application/pdf"],
    ["report.docx", "image/heic"],
    ["", ""],
  ])("not %s of type %j", (name, type) => {
    expect(convertedName({ name, type, size: SIZE }, {})).toBeUndefined();
  });
});

describe("a condition", () => {
  test("decides on images by format and size, and gets no other file", () => {
    const when = vi.fn(({ format, size }) => format === "heic" || size > SIZE);
    const file = (name: string, size: number) => ({ name, type: "", size });
    expect(convertedName(file("a.heic", 1), { when, to: "webp" })).toBe("a.webp");
    expect(convertedName(file("a.jpeg", SIZE + 1), { when, to: "jpg" })).toBe("a.jpg");
    expect(convertedName(file("a.png", SIZE), { when })).toBeUndefined();
    expect(convertedName(file("a.txt", SIZE + 1), { when })).toBeUndefined();
    expect(when.mock.calls.map(([{ format }]) => format)).toEqual(["heic", "jpg", "png"]);
  });
});

test("the extension of jpeg is jpg", () => {
  expect([undefined, "jpg", "jpeg", "png", "webp", "avif"].map((to) => extensionOf(to as "jpg"))).toEqual([
    "jpg",
    "jpg",
    "jpg",
    "png",
    "webp",
    "avif",
  ]);
});

test("a path keeps its folders", () => {
  expect(withExtension("trip.2024/photo.HEIC", "png")).toBe("trip.2024/photo.png");
  expect(withExtension("trip.2024/photo", "png")).toBe("trip.2024/photo.png");
});

describe("a wrong option", () => {
  test.each([
    [{}, 'The option "client" must be a client of createClient().'],
    [{ client: null }, 'The option "client" must be a client of createClient().'],
    [{ client, to: "gif" }, 'The option "to" must be jpg, png, webp or avif.'],
    [{ client, to: "pdf" }, 'The option "to" must be jpg, png, webp or avif.'],
    [{ client, when: "heic" }, 'The option "when" must be a function.'],
  ])("%j is a TypeError", (options, message) => {
    expect(() => checkOptions(options)).toThrow(new TypeError(message));
  });

  test("has the name that the uploader gives it", () => {
    expect(() => checkOptions({ client, to: "gif" }, (option) => `data-${option}`)).toThrow('"data-to"');
  });

  test("is not found among valid options", () => {
    expect(() => checkOptions({ client, to: "jpeg", when: () => true, quality: 2 })).not.toThrow();
    expect(() => checkOptions({ client, to: undefined, when: undefined })).not.toThrow();
  });
});

describe("a conversion", () => {
  const { signal } = new AbortController();

  /** A client whose result is what it was called with, as JSON. */
  function echoClient() {
    const downloads = new Downloads();
    const release = vi.fn((result: ServiceResult) => downloads.release(result));
    const convert = vi.fn(async ({ file: _, ...fields }: ConvertParams) => {
      const made = new Blob([JSON.stringify(fields)], { type: "image/jpeg" });
      return downloads.createResult(made, "blob.jpg");
    });
    return { convert, release, blob: (result: ServiceResult) => downloads.fileOf(result) };
  }

  test("passes all fields to the client, makes a file and releases the result", async () => {
    const client = echoClient();
    const file = new File(["x"], "a.heic");
    const options = { client, when: () => true, quality: 0.5, max_bytes: 9, background: "red", unknown: 1 };
    const made = await convertUpload(file, "b.jpg", options, signal);
    expect(made).toMatchObject({ name: "b.jpg", type: "image/jpeg" });
    expect(JSON.parse(await made.text())).toEqual({
      output_format: "jpg",
      pages: "primary",
      quality: 0.5,
      max_bytes: 9,
      background: "red",
      unknown: 1,
    });
    expect(client.convert.mock.calls[0]?.[0].file).toBe(file);
    expect(client.release).toHaveBeenCalledOnce();
  });

  test("takes the primary image unless the options choose another", async () => {
    const fields = async (pages: string | undefined) => {
      const made = await convertUpload(new File([], "a"), "b", { client: echoClient(), pages }, signal);
      return JSON.parse(await made.text()).pages;
    };
    expect(await fields(undefined)).toBe("primary");
    expect(await fields("2")).toBe("2");
  });

  test("that is aborted rejects with the reason and releases it", async () => {
    const client = echoClient();
    const controller = new AbortController();
    const abortThenConvert: typeof client.convert = vi.fn((params) => {
      controller.abort("never mind");
      return client.convert(params);
    });
    const options = { client: { ...client, convert: abortThenConvert } };
    const work = convertUpload(new File([], "a.heic"), "a.jpg", options, controller.signal);
    await expect(work).rejects.toBe("never mind");
    expect(client.release).toHaveBeenCalledOnce();
  });
});
