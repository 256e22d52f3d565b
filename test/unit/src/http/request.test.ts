import { describe, expect, test } from "vitest";
import { readCall } from "../../../../src/http/request.ts";
import { formOf, multipart, pdf } from "../../../support/fake-fetch.ts";
import { refusal } from "../../../support/refusal.ts";

describe("the form of a navigation", () => {
  const { headers, text } = multipart();
  const read = (password: string, mode: RequestMode) => {
    const body = Buffer.from(text.replace("key", password), "latin1");
    const request = new Request("https://app.example/api/protect-pdf", { method: "POST", headers, body });
    Object.defineProperty(request, "mode", { value: mode });
    return readCall(request, "/api/protect-pdf");
  };

  test.each([
    ["bytes that are no UTF-8", "Z\xfcrich"],
    ["what browsers put for a character that the encoding of the page lacks", "&#28246;"],
  ])("is refused for a password with %s", async (_, password) => {
    await expect(read(password, "navigate")).rejects.toEqual(
      refusal("invalid_parameter", { parameter: "password" }),
    );
  });

  test("is the only one whose page may have another encoding", async () => {
    expect(await read("&#28246;", "cors")).toMatchObject({ params: { password: "&#28246;" } });
  });
});

describe("a form with more than 10,000 files", () => {
  const PART =
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF\r\n';
  const tooMany = refusal("invalid_parameter", { parameter: "file" }, "10000 files");
  const read = (body: ReadableStream | string) => {
    const { headers } = multipart();
    const init = { method: "POST", headers, body, duplex: "half" };
    return readCall(new Request("https://app.example/api/merge-pdf", init), "/api/merge-pdf");
  };

  test("is refused before it is read to its end", async () => {
    // The form never ends. The pieces cut its headers everywhere.
    const bytes = new TextEncoder().encode(PART.repeat(97));
    let at = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = bytes.subarray(at, at + 97);
        at = at + 97 < bytes.length ? at + 97 : 0;
        controller.enqueue(piece.slice());
      },
    });
    await expect(read(endless)).rejects.toEqual(tooMany);
  });

  test("is refused as a FormData", async () => {
    const form = formOf({ file: Array.from({ length: 10_001 }, () => pdf) });
    const request = new Request("https://app.example/api/merge-pdf", { method: "POST" });
    await expect(readCall(request, "/api/merge-pdf", form)).rejects.toEqual(tooMany);
  });

  test("is told from a form whose file contains such parts", async () => {
    const inner = PART.replaceAll("--edge", "--inner").repeat(10_001);
    const { params } = await read(`${PART.replace("%PDF", () => inner)}--edge--\r\n`);
    expect(params).toEqual({ file: expect.objectContaining({ name: "a.pdf", size: inner.length }) });
  });
});

describe("one form for several operations", () => {
  const read = (fields: Record<string, string>) => {
    const request = new Request("https://app.example/api/protect-pdf", { method: "POST" });
    return readCall(request, "/api/protect-pdf", formOf({ file: pdf, password: "key", ...fields }));
  };

  test("may leave the fields of the others empty", async () => {
    const { params } = await read({ pages: "", output_format: "", csrf: "4711" });
    expect(Object.keys(params)).toEqual(["file", "password"]);
  });

  test.each([{ pages: "1" }, { permisions: "" }])("is refused with %j", async (fields) => {
    await expect(read(fields)).rejects.toEqual(
      refusal("invalid_parameter", { parameter: Object.keys(fields)[0] ?? "" }),
    );
  });
});
