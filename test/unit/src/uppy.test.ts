import Uppy from "@uppy/core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ServiceError } from "../../../src/index.ts";
import type { ConvertParams } from "../../../src/operation-params.ts";
import { StayputConverter, type StayputConverterOptions } from "../../../src/uppy.ts";
import { type Convert, converterClient, converts, hangingConvert } from "../../support/fake-converter.ts";
import { refusal } from "../../support/refusal.ts";

const MESSAGE = "The HEIC file is damaged. Try another copy of it.";

async function fails(): Promise<never> {
  throw new ServiceError("damaged_file", MESSAGE, { part: "iloc" });
}

function setUp(convert: Convert = converts, options: Partial<StayputConverterOptions> = {}) {
  const client = converterClient(convert);
  const uppy = new Uppy({ logger: { debug() {}, warn() {}, error() {} } });
  uppy.use(StayputConverter, { client, ...options });
  // It succeeds or fails at once.
  const uploader = { uploaded: [] as string[], isBroken: false };
  uppy.addUploader(async (ids) => {
    for (const file of uppy.getFilesByIds([...ids]).filter(({ error }) => !error)) {
      uploader.uploaded.push(file.name);
      if (uploader.isBroken) uppy.emit("upload-error", file, new Error("no network"));
      else uppy.emit("upload-success", file, { status: 200 });
    }
  });
  onTestFinished(() => uppy.destroy());
  const add = (name: string, type = "", meta = {}) =>
    uppy.addFile({ name, type, data: new File(["content"], name, { type }), meta });
  return { uppy, client, uploader, add };
}

test("replaces the data, the name, the type and the size of a HEIC", async () => {
  const { uppy, add, client } = setUp();
  const id = add("IMG_1.HEIC", "image/heic", { relativePath: "trip/IMG_1.HEIC", caption: "sea" });
  await uppy.upload();
  const file = uppy.getFile(id);
  expect(file).toMatchObject({ name: "IMG_1.jpg", extension: "jpg", type: "image/jpeg", size: 4 });
  expect(file.meta).toMatchObject({
    name: "IMG_1.jpg",
    type: "image/jpeg",
    relativePath: "trip/IMG_1.jpg",
    caption: "sea",
  });
  expect(await (file.data as File).text()).toBe("made");
  expect(client.release).toHaveBeenCalledOnce();
});

test("compresses a PDF, which keeps its name and path", async () => {
  const { uppy, add, client } = setUp(converts, { compressPdf: { max_bytes: 9 } });
  const id = add("a.b.pdf", "application/pdf", { relativePath: "files/a.b.pdf" });
  await uppy.upload();
  const file = uppy.getFile(id);
  expect(file).toMatchObject({ name: "a.b.pdf", extension: "pdf", type: "application/pdf", size: 5 });
  expect(file.meta).toMatchObject({ name: "a.b.pdf", relativePath: "files/a.b.pdf" });
  expect(client.compressPdf.mock.calls[0]?.[0]).toMatchObject({ max_bytes: 9 });
  expect(client.convert).not.toHaveBeenCalled();
});

test("keeps a name that the user has given", async () => {
  const { uppy, add } = setUp();
  const id = add("IMG_1.HEIC");
  uppy.setFileMeta(id, { name: "Our boat.HEIC" });
  await uppy.upload();
  expect(uppy.getFile(id)).toMatchObject({ name: "IMG_1.jpg", meta: { name: "Our boat.jpg" } });
});

test("passes fields to the client, and none of Uppy's own options", async () => {
  const { uppy, add, client } = setUp(converts, {
    id: "Mine",
    to: "webp",
    quality: 0.5,
    max_bytes: 9,
    locale: { strings: {} },
  });
  const id = add("a.heic");
  await uppy.upload();
  const [fields] = client.convert.mock.calls[0] ?? [];
  const { file: _, ...others } = fields ?? ({} as ConvertParams);
  expect(others).toEqual({ output_format: "webp", quality: 0.5, max_bytes: 9, pages: "primary" });
  expect(uppy.getFile(id).name).toBe("a.webp");
});

test("shows progress for all files until all are done", async () => {
  const { uppy, add } = setUp();
  const events: string[] = [];
  uppy.on("preprocess-progress", (file, { mode, message }) =>
    events.push(`${file?.name} ${mode} ${message}`),
  );
  uppy.on("preprocess-complete", (file) => events.push(`${file?.name} done`));
  const ids = [add("a.heic"), add("b.txt", "text/plain")];
  await uppy.upload();
  expect(events).toEqual([
    "a.heic indeterminate Converting images…",
    "b.txt indeterminate Converting images…",
    "a.jpg done",
    "b.txt done",
  ]);
  expect(ids.map((id) => uppy.getFile(id).progress.preprocess)).toEqual([undefined, undefined]);
});

describe("an image that cannot be converted", () => {
  test("gets the message of the error, and the others are uploaded", async () => {
    const { uppy, add, uploader } = setUp(fails);
    const id = add("a.heic");
    add("b.txt", "text/plain");
    const result = await uppy.upload();
    // Without "[object Object]", which Uppy would make of the details.
    expect(uppy.getFile(id).error).toBe(MESSAGE);
    expect(uppy.getFile(id).progress.preprocess).toBeUndefined();
    expect(result?.failed?.map(({ name }) => name)).toEqual(["a.heic"]);
    expect(uploader.uploaded).toEqual(["b.txt"]);
  });

  test("is tried again with a retry", async () => {
    const { uppy, add, client, uploader } = setUp(fails);
    const id = add("a.heic");
    await uppy.upload();
    client.convert.mockImplementation(converts);
    await uppy.retryUpload(id);
    expect(uploader.uploaded).toEqual(["a.jpg"]);
    expect(uppy.getFile(id).error).toBeNull();
  });

  test("gets the error of a condition that throws", async () => {
    const when = () => {
      throw new Error("no idea");
    };
    const { uppy, add } = setUp(converts, { when });
    const id = add("a.heic");
    await uppy.upload();
    expect(uppy.getFile(id).error).toBe("no idea");
  });
});

test("converts once when the upload is repeated", async () => {
  const { uppy, add, client, uploader } = setUp(converts, { when: () => true });
  const id = add("a.jpg", "image/jpeg");
  uploader.isBroken = true;
  await uppy.upload();
  uploader.isBroken = false;
  await uppy.retryUpload(id);
  expect(client.convert).toHaveBeenCalledOnce();
});

describe("a file that is removed while it is converted", () => {
  test.each(["removeFile", "cancelAll"] as const)("by %s is aborted", async (how) => {
    const { convert, signals } = hangingConvert();
    const { uppy, add, uploader } = setUp(convert);
    const id = add("a.heic");
    const errors = vi.fn();
    uppy.on("upload-error", errors);
    const upload = uppy.upload();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    if (how === "removeFile") uppy.removeFile(id);
    else uppy.cancelAll();
    expect((await upload)?.successful).toEqual([]);
    expect(signals[0]?.aborted).toBe(true);
    expect(errors).not.toHaveBeenCalled();
    expect(uploader.uploaded).toEqual([]);
  });
});

test("does nothing after it is removed from Uppy", async () => {
  const { uppy, add, client } = setUp();
  add("a.heic");
  const plugin = uppy.getPlugin("StayputConverter");
  if (plugin) uppy.removePlugin(plugin);
  await uppy.upload();
  expect(client.convert).not.toHaveBeenCalled();
});

describe("a wrong option", () => {
  test.each([
    [{}, "client", '"client"'],
    [{ client: converterClient(converts), qualty: 0.5 }, "qualty", 'Did you mean "quality"?'],
    [{ client: converterClient(converts), output_format: "jpg" }, "output_format", "is not known"],
  ])("%j is refused by use and by setOptions", (options, parameter, message) => {
    const refused = refusal("invalid_parameter", { parameter }, message);
    expect(() => new Uppy().use(StayputConverter, options as never)).toThrow(refused);
    const { uppy } = setUp();
    const plugin = uppy.getPlugin("StayputConverter");
    expect(() => plugin?.setOptions({ client: undefined, ...options } as never)).toThrow(refused);
  });

  test("is none of Uppy's own, which every plugin gets with a new locale", async () => {
    const { uppy, add, client } = setUp();
    uppy.setOptions({ debug: true, autoProceed: false, locale: { strings: { converting: "…" } } });
    add("a.heic");
    await uppy.upload();
    expect(Object.keys(client.convert.mock.calls[0]?.[0] ?? {})).not.toContain("debug");
  });
});
