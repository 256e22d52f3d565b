import { describe, expect, test, vi } from "vitest";
import {
  checkOptions,
  convertedName,
  convertUpload,
  extensionOf,
  withExtension,
} from "../../../../src/upload/convert-upload.ts";
import { converterClient, converts } from "../../../support/fake-converter.ts";
import { refusal } from "../../../support/refusal.ts";

const client = converterClient();
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

test.each([
  [undefined, "jpg"],
  ["jpeg", "jpg"],
  ["webp", "webp"],
] as const)("the extension of %s is %s", (to, extension) => {
  expect(extensionOf(to)).toBe(extension);
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
    [
      { client, compressPdf: true },
      'The option "compressPdf" must be an object, such as { dpi: 100 } or {}.',
    ],
  ])("%j is invalid_parameter", (options, message) => {
    expect(() => checkOptions(options)).toThrow(refusal("invalid_parameter", undefined, message));
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

  test("passes all fields to the client, makes a file and releases the result", async () => {
    const client = converterClient();
    const file = new File(["x"], "a.heic");
    const fields = { quality: 0.5, max_bytes: 9, background: "red", unknown: 1 };
    const made = await convertUpload(file, "b.jpg", { client, when: () => true, ...fields }, signal);
    expect(made).toMatchObject({ name: "b.jpg", type: "image/jpeg" });
    expect(await made.text()).toBe("made");
    const call = { ...fields, file, output_format: "jpg", pages: "primary" };
    expect(client.convert).toHaveBeenCalledWith(call, { signal });
    expect(client.release).toHaveBeenCalledOnce();
  });

  test("takes the image that the options choose", async () => {
    const client = converterClient();
    await convertUpload(new File([], "a"), "b", { client, pages: "2" }, signal);
    expect(client.convert.mock.calls[0]?.[0].pages).toBe("2");
  });

  test("that is aborted rejects with the reason and releases it", async () => {
    const controller = new AbortController();
    const client = converterClient(() => {
      controller.abort("never mind");
      return converts();
    });
    const work = convertUpload(new File([], "a.heic"), "a.jpg", { client }, controller.signal);
    await expect(work).rejects.toBe("never mind");
    expect(client.release).toHaveBeenCalledOnce();
  });
});
