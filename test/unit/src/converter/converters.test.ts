import { describe, expect, test, vi } from "vitest";
import type { Converter, Place, Progress } from "../../../../src/index.ts";
import { setUp } from "../../../support/fake-client.ts";
import { refusal } from "../../../support/refusal.ts";

const letter = new File(["{\\rtf1}"], "C:\\letter.final.doc", { type: "application/msword" });
const pdf = () => new Blob(["%PDF-1.7\n"], { type: "text/html" });
const from = "rtf";

/** Makes a client with one converter. Its service must not be asked. */
function clientWith(convert: Converter["convert"], to: Converter["to"] = "pdf") {
  const service = vi.fn(async () => Response.error());
  const { client, factory } = setUp({
    baseUrl: "https://service.example",
    fetch: service,
    converters: [{ from, to, convert }],
  });
  return { client, factory, service };
}

describe("a converter of the app", () => {
  test("gets the file with a fitting name and type, and makes the result", async () => {
    const convert = vi.fn(async (_: File) => pdf());
    const { client, factory, service } = clientWith(convert);
    const result = await client.convert({ file: letter, output_format: "PDF", quality: 0.5 });
    expect(result.file_name).toBe("letter.final.pdf");
    const made = client.blob(result);
    expect([made.type, await made.text()]).toEqual(["application/pdf", "%PDF-1.7\n"]);
    const [[file, request] = []] = convert.mock.calls as unknown as Parameters<Converter["convert"]>[];
    expect(file).toMatchObject({ name: "letter.final.rtf", type: "application/rtf", size: 7 });
    expect(Object.keys(request ?? {})).toEqual(["to", "signal", "report"]);
    expect(request?.to).toBe("pdf");
    expect([factory.workers.length, service.mock.calls.length]).toEqual([0, 0]);
  });

  test("is called as a method of its row", async () => {
    const row = {
      from,
      to: "pdf",
      made: pdf(),
      convert: async function (this: { made: Blob }) {
        return this.made;
      },
    } as const;
    const { made: _, ...own } = row;
    const withPrototype = Object.assign(Object.create({ made: row.made }), own) as Converter;
    const { client } = setUp({ converters: [withPrototype] });
    expect(await client.convert({ file: letter, output_format: "pdf" })).toMatchObject({ success: true });
  });

  test("reports its progress", async () => {
    const { client } = clientWith(async (_, { report }) => {
      report(0, 3);
      return pdf();
    });
    const told: Progress[] = [];
    await client.convert({ file: letter, output_format: "pdf" }, { onProgress: (one) => told.push(one) });
    expect(told[0]).toEqual({ phase: "queued", done: 0, total: 0 });
    expect(told.slice(1).map(({ phase }) => phase)).toContain("working");
  });

  test("makes an archive of several images, or a text", async () => {
    const archive = clientWith(async () => new Blob(["PK\x03\x04"]), "jpg").client;
    expect((await archive.convert({ file: letter, output_format: "jpg" })).file_name).toBe(
      "letter.final.zip",
    );
    const { client } = clientWith(async () => new Blob(["€"]), "txt");
    const text = client.blob(await client.convert({ file: letter, output_format: "txt" }));
    expect([text.name, text.type]).toEqual(["letter.final.txt", "text/plain;charset=utf-8"]);
  });

  const failures: readonly (readonly [
    string,
    Converter["to"],
    (...given: Parameters<Converter["convert"]>) => unknown,
  ])[] = [
    [
      "throws",
      "pdf",
      () => {
        throw new RangeError("no engine");
      },
    ],
    ["rejects", "pdf", () => Promise.reject("no engine")],
    ["makes no Blob", "pdf", () => "%PDF-1.7"],
    ["makes an empty file", "pdf", () => new Blob()],
    ["makes a page of HTML", "pdf", () => new Blob(["<html>"], { type: "application/pdf" })],
    ["makes a zip in place of a PDF", "pdf", () => new Blob(["PK\x03\x04"])],
    ["makes a PDF in place of an image", "jpg", pdf],
    ["makes a PDF in place of a document", "docx", pdf],
    ["makes a text of bytes", "txt", () => new Blob([Uint8Array.of(0xff, 0xfe)])],
    ["reports no numbers", "pdf", (_, { report }) => report(Number.NaN, 1)],
  ];
  test.each(failures)("that %s is converter_failed, and the service is not asked", async (_, to, convert) => {
    const { client, service } = clientWith(convert as never, to);
    const call = client.convert({ file: letter, output_format: `${to}` });
    await expect(call).rejects.toMatchObject({
      code: "converter_failed",
      status: 502,
      details: { from, to },
    });
    expect(service).not.toHaveBeenCalled();
  });

  test("that throws is quoted in details.cause", async () => {
    const { client } = clientWith(() => Promise.reject(new RangeError("no engine")));
    await expect(client.convert({ file: letter, output_format: "pdf" })).rejects.toThrow(
      refusal("converter_failed", { from, to: "pdf", cause: "RangeError: no engine" }, "Try again"),
    );
  });

  test.each(["abort", "close", "onProgress"] as const)("is ended by %s", async (way) => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { client } = clientWith((_, { signal }) => {
      if (way === "abort") controller.abort(reason);
      if (way === "close") client.close();
      return new Promise((__, reject) => {
        const end = () => reject(signal.reason);
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
      });
    });
    const onProgress = ({ phase }: Progress) => {
      if (way === "onProgress" && phase === "working") throw reason;
    };
    const call = client.convert(
      { file: letter, output_format: "pdf" },
      { signal: controller.signal, onProgress },
    );
    const expected = way === "close" ? expect.objectContaining({ code: "client_closed" }) : reason;
    expect(await call.catch((thrown: unknown) => thrown)).toEqual(expected);
  });

  test("whose output comes after an abort leaves no result", async () => {
    const controller = new AbortController();
    const made = vi.spyOn(URL, "createObjectURL");
    const revoked = vi.spyOn(URL, "revokeObjectURL");
    let finish: (output: Blob) => void = () => {};
    const { client } = clientWith(() => {
      controller.abort("enough");
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    const options = { signal: controller.signal };
    const call = client.convert({ file: letter, output_format: "pdf" }, options);
    await expect(call).rejects.toBe("enough");
    finish(pdf());
    await vi.waitFor(() => expect(revoked).toHaveBeenCalledTimes(1));
    expect(made).toHaveBeenCalledTimes(1);
  });

  test.each(["pages", "rotate", "password", "max_bytes", "max_width", "max_height"])(
    "refuses the field %s, which it does not get",
    async (parameter) => {
      const value = { pages: "1", rotate: 90, password: "a" }[parameter] ?? 9;
      const { client } = clientWith(async () => pdf(), ["jpg"]);
      const call = client.convert({ file: letter, output_format: "jpg", [parameter]: value });
      await expect(call).rejects.toThrow(refusal("invalid_parameter", { parameter }, "has no effect"));
    },
  );

  test("answers client.fetch", async () => {
    const { client } = clientWith(() => Promise.reject(new Error("no engine")));
    const form = new FormData();
    form.append("file", letter);
    form.append("output_format", "pdf");
    const url = "https://service.example/api/convert";
    const response = await client.fetch(url, { method: "POST", body: form });
    expect([response.status, (await response.json()).error.code]).toEqual([502, "converter_failed"]);
  });
});

describe("client.can", () => {
  test("says where a pair is converted", async () => {
    const { client } = clientWith(async () => pdf());
    const pairs: readonly (readonly [Parameters<typeof client.can>[0], string, Place | undefined])[] = [
      ["heic", "JPEG", "device"],
      ["rtf", "pdf", "converter"],
      ["docx", "pdf", "remote"],
      ["pdf", "gif", undefined],
      ["pdf", "exe", undefined],
    ];
    for (const [one, other, place] of pairs) expect(await client.can(one, other)).toBe(place);
  });

  test("rejects for names that are no texts, and after close()", async () => {
    const { client } = setUp();
    await expect(client.can(undefined as never, "pdf")).rejects.toThrow(
      refusal("invalid_parameter", { parameter: "from" }),
    );
    client.close();
    await expect(client.can("pdf", "jpg")).rejects.toMatchObject({ code: "client_closed" });
  });
});
