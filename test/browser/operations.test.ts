import { PDFDocument } from "@cantoo/pdf-lib";
import JSZip from "jszip";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, type Progress, type ServiceResult } from "../../src/index.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

const PDF = "application/pdf";

function newClient() {
  const client = createClient();
  onTestFinished(() => client.close());
  return client;
}

function pdfFile(pages: number, name = "report.pdf"): File {
  return new File([makePdf({ pages })], name, { type: PDF });
}

async function blobOf({ download_url }: Pick<ServiceResult, "download_url">): Promise<Blob> {
  return (await fetch(download_url)).blob();
}

/** How many pages an independent library finds. */
async function pageCount(file: Blob, password?: string): Promise<number> {
  const document = await PDFDocument.load(
    await file.arrayBuffer(),
    password === undefined ? {} : { password },
  );
  return document.getPageCount();
}

describe("the operations, in a real tab with real workers", () => {
  test("protect and unlock", async () => {
    const client = newClient();
    const locked = await client.protectPdf({ file: pdfFile(4), password: "Zürich 湖" });
    expect(Object.keys(locked).sort()).toEqual(["download_url", "file_name", "success"]);
    expect(locked).toMatchObject({ success: true, file_name: "protected-report.pdf" });
    expect(locked.download_url).toMatch(/^blob:/);
    const lockedFile = await blobOf(locked);
    expect(lockedFile.type).toBe(PDF);
    expect(await pageCount(lockedFile, "Zürich 湖")).toBe(4);
    await expect(pageCount(lockedFile)).rejects.toThrow(/encrypted/i);

    const unlocked = await client.unlockPdf({
      file: new File([lockedFile], "in.pdf"),
      password: "Zürich 湖",
    });
    expect(unlocked.file_name).toBe("unlocked-in.pdf");
    expect(await pageCount(await blobOf(unlocked))).toBe(4);
  });

  test("split", async () => {
    const result = await newClient().splitPdf({ file: pdfFile(12), pages: "1,3-5,11-,odd" });
    expect(result.file_name).toBe("split-report.zip");
    const archive = await blobOf(result);
    expect(archive.type).toBe("application/zip");
    const zip = await JSZip.loadAsync(await archive.arrayBuffer(), { checkCRC32: true });
    const names = ["report-01.pdf", "report-03-05.pdf", "report-11-12.pdf", "report-odd.pdf"];
    expect(Object.keys(zip.files)).toEqual(names);
    const counts = await Promise.all(
      names.map(async (name) => pageCount((await zip.file(name)?.async("blob")) ?? new Blob())),
    );
    expect(counts).toEqual([1, 3, 2, 6]);
  });

  test("merge", async () => {
    const canvas = new OffscreenCanvas(40, 30);
    canvas.getContext("2d")?.fillRect(0, 0, 20, 30);
    const photo = new File([await canvas.convertToBlob({ type: "image/jpeg" })], "photo.jpg");
    const locked = await newClient().protectPdf({ file: pdfFile(3, "b.pdf"), password: "key" });
    const result = await newClient().mergePdf({
      file: [pdfFile(4), photo, await blobOf(locked)],
      pages: ["3,1", "", "2-"],
      password: ["", "", "key"],
    });
    expect(result.file_name).toBe("merged-report.pdf");
    expect(await pageCount(await blobOf(result))).toBe(5);
  });

  test("clean", async () => {
    const result = await newClient().cleanPdf({ file: pdfFile(5), keep: ["comments"], flatten: true });
    expect(result.file_name).toBe("cleaned-report.pdf");
    expect(await pageCount(await blobOf(result))).toBe(5);
  });

  test("convert from PDF to PDF", async () => {
    const result = await newClient().convert({ file: pdfFile(5), output_format: "PDF", pages: "5,1-2" });
    expect(result.file_name).toBe("report.pdf");
    expect(await pageCount(await blobOf(result))).toBe(3);
  });

  test("uses the name blob for a Blob without a name", async () => {
    const client = newClient();
    const file = new Blob([makePdf({ pages: 2 })]);
    expect((await client.protectPdf({ file, password: "x" })).file_name).toBe("protected-blob.pdf");
    expect((await client.splitPdf({ file, pages: "2" })).file_name).toBe("split-blob.zip");
  });

  test("takes the result of one operation as the input of the next without reading it", async () => {
    const client = newClient();
    const once = await blobOf(await client.protectPdf({ file: pdfFile(3), password: "one" }));
    const plain = await blobOf(await client.unlockPdf({ file: once, password: "one" }));
    const twice = await blobOf(await client.protectPdf({ file: plain, password: "two" }));
    expect(await pageCount(twice, "two")).toBe(3);
  });

  test("runs many operations at once", async () => {
    const client = newClient();
    const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const results = await Promise.all(
      sizes.map((size) => client.protectPdf({ file: pdfFile(size), password: String(size) })),
    );
    const counts = await Promise.all(
      results.map(async (result, index) => pageCount(await blobOf(result), String(sizes[index]))),
    );
    expect(counts).toEqual(sizes);
  });

  test("processes a file of a closed frame", async () => {
    const frame = document.createElement("iframe");
    document.body.append(frame);
    const { File: FramesFile } = frame.contentWindow as Window & typeof globalThis;
    const file = new FramesFile([makePdf({ pages: 2 })], "chosen.pdf");
    frame.remove();
    const client = newClient();
    const result = await client.protectPdf({ file, password: "x" });
    expect(await pageCount(await blobOf(result), "x")).toBe(2);
    const form = new FormData();
    form.append("file", file);
    form.append("pages", "2");
    const response = await client.fetch("/api/split-pdf", { method: "POST", body: form });
    expect(await response.json()).toMatchObject({ file_name: "split-chosen.zip" });
  });

  test("returns an error for a file that has changed on the disk", async () => {
    const folder = await navigator.storage.getDirectory();
    const handle = await folder.getFileHandle("vanishing.pdf", { create: true });
    const writable = await handle.createWritable();
    await writable.write(makePdf({ pages: 2 }));
    await writable.close();
    const file = await handle.getFile();
    await folder.removeEntry("vanishing.pdf");
    await expect(newClient().protectPdf({ file, password: "x" })).rejects.toMatchObject({
      name: "ServiceError",
    });
  });
});

test("progress never decreases in a phase and never exceeds its total", async () => {
  const told: Progress[] = [];
  await newClient().protectPdf(
    { file: new File([makePdf({ pages: 3000 })], "long.pdf"), password: "x" },
    { onProgress: (progress) => told.push(progress) },
  );
  expect(told[0]).toEqual({ phase: "queued", done: 0, total: 0 });
  expect(told.length).toBeGreaterThan(1);
  for (const [index, { phase, done, total }] of told.entries()) {
    expect(["queued", "reading", "working", "writing"]).toContain(phase);
    if (total > 0) expect(done).toBeLessThanOrEqual(total);
    const before = told[index - 1];
    if (before?.phase === phase) expect(done).toBeGreaterThanOrEqual(before.done);
  }
});

test("an abort stops the engine, and the client still works", async () => {
  const client = newClient();
  const controller = new AbortController();
  const long = new File([makePdf({ pages: 20_000 })], "long.pdf");
  const call = client.splitPdf(
    { file: long, pages: "all" },
    {
      signal: controller.signal,
      onProgress: ({ phase }) => {
        if (phase !== "queued") controller.abort();
      },
    },
  );
  await expect(call).rejects.toMatchObject({ name: "AbortError" });
  expect((await client.splitPdf({ file: pdfFile(1), pages: "1" })).success).toBe(true);
});

describe("invalid input returns its code and a message that says what to do", () => {
  const good = pdfFile(3);
  const client = createClient();
  const encrypted = async () => blobOf(await client.protectPdf({ file: good, password: "secret" }));

  test.each([
    [
      "an empty file",
      () => client.protectPdf({ file: new File([], "a.pdf"), password: "x" }),
      "unsupported_input",
    ],
    [
      "a text file named .pdf",
      () => client.unlockPdf({ file: new File(["Dear Sir"], "a.pdf"), password: "x" }),
      "unsupported_input",
    ],
    [
      "an office conversion with no service",
      () => client.convert({ file: good, output_format: "docx" }),
      "remote_not_configured",
    ],
    [
      "an unknown format",
      () => client.convert({ file: good, output_format: "mp3" }),
      "unsupported_conversion",
    ],
    ["an empty password", () => client.protectPdf({ file: good, password: "" }), "invalid_parameter"],
    [
      "a password of 128 bytes",
      () => client.protectPdf({ file: good, password: "x".repeat(128) }),
      "invalid_parameter",
    ],
    ["unlocking a plain file", () => client.unlockPdf({ file: good, password: "x" }), "not_encrypted"],
    [
      "protecting a protected file",
      async () => client.protectPdf({ file: await encrypted(), password: "x" }),
      "already_encrypted",
    ],
    [
      "the wrong password",
      async () => client.unlockPdf({ file: await encrypted(), password: "guess" }),
      "wrong_password",
    ],
    [
      "splitting a protected file",
      async () => client.splitPdf({ file: await encrypted(), pages: "1" }),
      "password_required",
    ],
    ...["", "0", "-3", "1-2-3", "1,,2", "1-999", "abc", "4"].map(
      (pages) =>
        [`pages "${pages}"`, () => client.splitPdf({ file: good, pages }), "invalid_page_selection"] as const,
    ),
  ] as const)("%s", async (_, call, code) => {
    const failure: unknown = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "ServiceError", code });
    expect(failure).toHaveProperty("message", expect.stringMatching(/^\S.{15,}/s));
    expect(failure).not.toHaveProperty("message", expect.stringContaining("secret"));
  });

  test("a missing field", async () => {
    // As JavaScript callers can.
    const incomplete: object = { file: good };
    const call = Reflect.apply(client.unlockPdf, client, [incomplete]);
    await expect(call).rejects.toMatchObject({
      code: "missing_parameter",
      details: { parameter: "password" },
    });
  });
});
