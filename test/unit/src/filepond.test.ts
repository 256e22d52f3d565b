import { describe, expect, test, vi } from "vitest";
import { StayputConvert } from "../../../src/filepond.ts";
import { ServiceError } from "../../../src/index.ts";
import type { ConvertParams } from "../../../src/operation-params.ts";
import { type Convert, converterClient, converts, hangingConvert } from "../../support/fake-converter.ts";

type Filters = {
  DID_CREATE_ITEM: (item: {
    source: unknown;
    archived: boolean;
    on(event: string, listener: () => void): void;
  }) => void;
  LOAD_FILE: (file: File, utils: { query: (name: string) => unknown }) => Promise<File>;
};

const Type = {
  BOOLEAN: "boolean",
  FUNCTION: "function",
  INT: "int",
  NUMBER: "number",
  OBJECT: "object",
  STRING: "string",
};

/** Registers the plugin, as FilePond does, and loads files into a pond with these options. */
function setUp(convert: Convert = converts, settings: Readonly<Record<string, unknown>> = {}) {
  const client = converterClient(convert);
  const filters = {} as Filters;
  const addFilter = ((name: keyof Filters, filter: never) => {
    filters[name] = filter;
  }) as Parameters<typeof StayputConvert>[0]["addFilter"];
  const { options } = StayputConvert({ addFilter, utils: { Type } });
  const set: Record<string, unknown> = { stayputClient: client, ...settings };
  const values = Object.entries(options).map(([name, [byDefault]]) => {
    // FilePond's name of the query.
    const query = `GET_${name.replaceAll(/(?=[A-Z])/g, "_").toUpperCase()}`;
    return [query, set[name] ?? byDefault] as const;
  });
  const query = (name: string) => new Map(values).get(name) ?? null;

  function add(source: unknown, file = source as File) {
    const item = { source, archived: false, on: (_: string, listener: () => void) => listener() };
    filters.DID_CREATE_ITEM(item);
    return { item, load: () => filters.LOAD_FILE(file, { query }) };
  }
  return { client, options, add };
}

test("declares its options in FilePond's spelling", () => {
  expect(setUp().options).toEqual({
    stayputClient: [null, "object"],
    stayputCompressPdf: [null, "object"],
    stayputTo: [null, "string"],
    stayputWhen: [null, "function"],
    stayputQuality: [null, "number"],
    stayputMaxBytes: [null, "int"],
    stayputMaxWidth: [null, "int"],
    stayputMaxHeight: [null, "int"],
    stayputBackground: [null, "string"],
    stayputKeepMetadata: [null, "boolean"],
    stayputPages: [null, "string"],
    stayputRotate: [null, "string"],
    labelStayputFailed: ["Could not be converted", "string"],
  });
});

test("converts a HEIC with the options of the pond", async () => {
  const settings = { stayputTo: "webp", stayputQuality: 0.5, stayputMaxBytes: 9, stayputMaxWidth: 800 };
  const { client, add } = setUp(converts, settings);
  const made = await add(new File(["x"], "a.heic")).load();
  expect(made.name).toBe("a.webp");
  expect(await made.text()).toBe("made");
  const { file: _, ...fields } = client.convert.mock.calls[0]?.[0] ?? ({} as ConvertParams);
  expect(fields).toEqual({
    output_format: "webp",
    quality: 0.5,
    max_bytes: 9,
    max_width: 800,
    pages: "primary",
  });
  expect(client.release).toHaveBeenCalledOnce();
});

test("compresses a PDF, which keeps its name, with the options of the pond", async () => {
  const file = new File(["x"], "a.PDF", { type: "application/pdf" });
  expect(await setUp().add(file).load()).toBe(file);
  const { client, add } = setUp(converts, { stayputCompressPdf: { dpi: 100 } });
  const made = await add(file).load();
  expect([made.name, await made.text()]).toEqual(["a.PDF", "small"]);
  expect(client.compressPdf.mock.calls[0]?.[0]).toEqual({ dpi: 100, file });
});

test("converts a file that was added as a URL", async () => {
  const { add } = setUp();
  expect((await add("https://example.org/a", new File(["x"], "a.heic")).load()).name).toBe("a.jpg");
});

test("keeps the path of a file from a dropped folder", async () => {
  const file = Object.assign(new File(["x"], "a.heic"), { _relativePath: "/trip/a.heic" });
  expect(await setUp().add(file).load()).toMatchObject({ _relativePath: "/trip/a.jpg" });
});

test.each([
  ["a text", "notes.txt", {}],
  ["a HEIC in a pond without a client", "a.heic", { stayputClient: undefined }],
  ["an image that the condition excludes", "a.heic", { stayputWhen: () => false }],
])("loads %s as it is", async (_, name, settings) => {
  const file = new File(["x"], name);
  const { client, add } = setUp(converts, settings);
  if ("stayputClient" in settings) client.convert.mockRejectedValue("called");
  expect(await add(file).load().catch(String)).toBe(file);
});

describe("a failure", () => {
  test("has the properties that FilePond shows", async () => {
    const convert = async () => {
      throw new ServiceError("damaged_file", "The HEIC file is damaged.");
    };
    const { add } = setUp(convert, { labelStayputFailed: "Nicht lesbar" });
    await expect(add(new File(["x"], "a.heic")).load()).rejects.toEqual({
      status: {
        main: "Nicht lesbar",
        sub: "The HEIC file is damaged.",
        type: "error",
        code: 422,
        body: "The HEIC file is damaged.",
      },
    });
  });

  test("names the wrong option", async () => {
    const { add } = setUp(converts, { stayputTo: "gif" });
    const message = 'The option "stayputTo" must be jpg, png, webp or avif.';
    await expect(add(new File(["x"], "a.heic")).load()).rejects.toMatchObject({
      status: { main: "Could not be converted", sub: message, code: 400 },
    });
  });
});

test("aborts the conversion of the file that is removed, also when it was added twice", async () => {
  const { convert, signals } = hangingConvert();
  const { add } = setUp(convert);
  const file = new File(["x"], "a.heic");
  const [first, second] = [add(file), add(file)];
  const settled = vi.fn();
  first.load().then(settled, settled);
  second.load().then(settled, settled);
  await vi.waitFor(() => expect(signals).toHaveLength(2));
  second.item.archived = true;
  await vi.waitFor(() => expect(signals[1]?.aborted).toBe(true));
  expect(signals[0]?.aborted).toBe(false);
  expect(settled).not.toHaveBeenCalled();
  first.item.archived = true;
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
});

test("drops the result for a file that was removed just before", async () => {
  const { client, add } = setUp();
  const { item, load } = add(new File(["x"], "a.heic"));
  const settled = vi.fn();
  load().then(settled, settled);
  item.archived = true;
  await vi.waitFor(() => expect(client.release).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve));
  expect(settled).not.toHaveBeenCalled();
});
