import { describe, expect, expectTypeOf, test, vi } from "vitest";
import type { createClient } from "../../../src/client.ts";
import { OPERATION_NAMES } from "../../../src/http/path.ts";
import { ServiceError } from "../../../src/shared/errors.ts";
import { createMockClient } from "../../../src/testing.ts";

const file = new File(["%PDF-1.7\n"], "report.pdf");
const photo = new File([], "photo.heic");

/** The fields of each operation that it needs. */
const NEEDED = {
  convert: { file, output_format: "jpg" },
  protectPdf: { file, password: "a" },
  unlockPdf: { file, password: "a" },
  splitPdf: { file, pages: "1" },
  mergePdf: { file: [file, photo] },
  compressPdf: { file },
  cleanPdf: { file },
} as const;

test("is a client", () => {
  expectTypeOf(createMockClient()).toExtend<ReturnType<typeof createClient>>();
});

describe("an answer that no test has set", () => {
  test.each([
    ["convert", "report.jpg", "image/jpeg"],
    ["protectPdf", "protected-report.pdf", "application/pdf"],
    ["unlockPdf", "unlocked-report.pdf", "application/pdf"],
    ["splitPdf", "split-report.zip", "application/zip"],
    ["mergePdf", "merged-report.pdf", "application/pdf"],
    ["compressPdf", "compressed-report.pdf", "application/pdf"],
    ["cleanPdf", "cleaned-report.pdf", "application/pdf"],
  ] as const)("of %s has the name and the type of the service", async (method, name, type) => {
    const client = createMockClient();
    const result = await client[method](NEEDED[method] as never);
    expect(result).toEqual({ success: true, download_url: "blob:stayput-test/1", file_name: name });
    expect(client.blob(result)).toMatchObject({ name, type });
    expect(await client.receipt(result)).toMatchObject({ operation: method, place: "device" });
  });

  test("exists for every operation", () => {
    expect(Object.keys(NEEDED).toSorted()).toEqual([...OPERATION_NAMES].toSorted());
  });

  test.each([
    [file, { format: "pdf", pages: 1, encrypted: false }],
    [photo, { format: "heic", images: 1 }],
    [new File([], "a.docx"), { format: "docx", size: 0 }],
    [new Blob([]), { format: "pdf" }],
  ])("of inspect follows the name of the file", async (given, expected) => {
    expect(await createMockClient().inspect({ file: given })).toMatchObject(expected);
  });

  test("of the loops is one page", async () => {
    const client = createMockClient();
    expect(await listOf(client.renderPages({ file }))).toMatchObject([{ page: 1 }]);
    expect(await listOf(client.readText({ file }))).toMatchObject([{ page: 1, unknown: false }]);
    const [part, ...others] = await listOf(client.splitParts({ file, every: 1 }));
    expect(others).toEqual([]);
    expect(part).toMatchObject({ pages: [1], file: { name: "report-1.pdf" } });
  });

  test("of can is that of a client without a service", async () => {
    const client = createMockClient();
    expect([await client.can("heic", "jpg"), await client.can("docx", "pdf")]).toEqual(["device", undefined]);
  });
});

describe("an answer of a test", () => {
  const wrong = new ServiceError("wrong_password", "Wrong.");

  test("is the file of the result", async () => {
    const client = createMockClient({ protectPdf: new Blob(["x"], { type: "application/pdf" }) });
    const result = await client.protectPdf(NEEDED.protectPdf);
    expect(await client.blob(result).text()).toBe("x");
  });

  test("is an error of any method", async () => {
    const client = createMockClient({ unlockPdf: wrong, inspect: wrong, renderPages: wrong });
    await expect(client.unlockPdf(NEEDED.unlockPdf)).rejects.toBe(wrong);
    await expect(client.inspect({ file })).rejects.toBe(wrong);
    await expect(listOf(client.renderPages({ file }))).rejects.toBe(wrong);
  });

  test("may change, and be a function of the call", async () => {
    const client = createMockClient();
    client.answer("inspect", ({ file }) => ({ pages: (file as Blob).size }));
    expect(await client.inspect({ file })).toMatchObject({ format: "pdf", pages: file.size });
    client.answer("inspect", undefined);
    expect(await client.inspect({ file })).toMatchObject({ pages: 1 });
  });

  test("of a function that asks for a password comes after the question", async () => {
    const client = createMockClient({
      cleanPdf: ({ password }) => (password === "b" ? new Blob([]) : wrong),
    });
    const password = vi.fn((_: Blob, { attempt }: { attempt: number }) => (attempt === 1 ? "a" : "b"));
    await client.cleanPdf({ file, password });
    expect(password).toHaveBeenCalledTimes(2);
  });

  test("of a merge may ask for passwords", async () => {
    const mergePdf = vi.fn(() => new Blob([]));
    await createMockClient({ mergePdf }).mergePdf({ ...NEEDED.mergePdf, password: () => "a" });
    expect(mergePdf).toHaveBeenCalledOnce();
  });

  test("that never comes ends with an abort and with the client", async () => {
    const client = createMockClient({ compressPdf: () => new Promise(() => {}) });
    const controller = new AbortController();
    const call = client.compressPdf({ file }, { signal: controller.signal });
    controller.abort(new Error("stop"));
    await expect(call).rejects.toThrow("stop");
    const other = client.compressPdf({ file });
    client.close();
    await expect(other).rejects.toMatchObject({ code: "client_closed" });
    await expect(client.inspect({ file })).rejects.toMatchObject({ code: "client_closed" });
  });
});

test("records calls, with results in place of files as they were given", async () => {
  const client = createMockClient();
  const onProgress = vi.fn();
  const merged = await client.mergePdf(NEEDED.mergePdf);
  await client.protectPdf({ file: merged, password: "a" }, { onProgress });
  expect(client.calls).toEqual([
    { method: "mergePdf", params: NEEDED.mergePdf, options: {} },
    { method: "protectPdf", params: { file: merged, password: "a" }, options: { onProgress } },
  ]);
  expect(onProgress).toHaveBeenCalledExactlyOnceWith({ phase: "working", done: 1, total: 1 });
  client.release(merged);
  expect(() => client.blob(merged)).toThrow(expect.objectContaining({ code: "invalid_parameter" }));
});

test.each([
  ["protectPdf", { file, pasword: "a" }, "invalid_parameter"],
  ["protectPdf", { file }, "missing_parameter"],
  ["protectPdf", { file, password: "" }, "invalid_parameter"],
  ["mergePdf", { file: [file] }, "invalid_parameter"],
  ["splitPdf", { file }, "missing_parameter"],
  ["splitPdf", { file, pages: "1", every: 1 }, "invalid_parameter"],
  ["inspect", {}, "missing_parameter"],
  ["inspect", { file, pasword: "a" }, "invalid_parameter"],
] as const)("%s refuses %o as the client does", async (method, params, code) => {
  await expect(createMockClient()[method](params as never)).rejects.toMatchObject({ code });
});

test.each([
  ["renderPages", { file, format: "gif" }, "invalid_parameter"],
  ["renderPages", { file, width: 10, dpi: 10 }, "invalid_parameter"],
  ["readText", {}, "missing_parameter"],
  ["readText", { file, pages: "first" }, "invalid_page_selection"],
  ["splitParts", { file }, "missing_parameter"],
] as const)("the loop of %s refuses %o as the client does", async (method, params, code) => {
  const items: AsyncIterable<unknown> = createMockClient()[method](params as never);
  await expect(listOf(items)).rejects.toMatchObject({ code });
});

describe("a call with an unknown option is refused as by the client, by", () => {
  const refusal = { code: "invalid_parameter", details: { parameter: "onprogress" } };

  test.each([...OPERATION_NAMES, "inspect"] as const)("%s", async (method) => {
    const params = method === "inspect" ? { file } : NEEDED[method];
    const call = createMockClient()[method](params as never, { onprogress: () => {} } as never);
    await expect(call).rejects.toMatchObject(refusal);
  });

  test.each(["renderPages", "readText", "splitParts"] as const)("the loop of %s", async (method) => {
    const items: AsyncIterable<unknown> = createMockClient()[method](
      { file, pages: "1" } as never,
      { onprogress: () => {} } as never,
    );
    await expect(listOf(items)).rejects.toMatchObject(refusal);
  });
});

describe("fetch", () => {
  const form = new FormData();
  form.append("file", file);
  form.append("pages", "1");

  test("answers the paths of the service with its status", async () => {
    const client = createMockClient();
    const url = "https://service.example/api/split-pdf";
    const response = await client.fetch(url, { method: "POST", body: form });
    expect(await response.json()).toMatchObject({ success: true, file_name: "split-report.zip" });
    expect(client.calls[0]?.method).toBe("splitPdf");
    client.answer("splitPdf", new ServiceError("damaged_file", "Damaged."));
    const failed = await client.fetch("/api/split-pdf", { method: "POST", body: form });
    expect(failed.status).toBe(422);
  });

  test("passes on other requests", async () => {
    const response = await createMockClient().fetch("data:text/plain,other");
    expect(await response.text()).toBe("other");
  });
});

/** Returns all items of a loop. */
async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}
