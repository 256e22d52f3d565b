import { afterEach, describe, expect, test, vi } from "vitest";
import { type ClientOptions, createClient } from "../../../src/client.ts";
import { file, setUp } from "../../support/fake-client.ts";
import { done } from "../../support/fake-worker.ts";
import { refusal } from "../../support/refusal.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("options", () => {
  test.each([
    [{ baseUrl: "" }, "baseUrl"],
    [{ baseUrl: "/service" }, "baseUrl"],
    [{ baseUrl: "ftp://service.example" }, "baseUrl"],
    [{ baseUrl: "https://me:key@service.example" }, "baseUrl"],
    [{ baseUrl: "https://service.example?a=b" }, "baseUrl"],
    [{ baseUrl: "https://service.example#top" }, "baseUrl"],
    [{ maxWorkers: 0 }, "maxWorkers"],
    [{ maxWorkers: 1.5 }, "maxWorkers"],
    [{ remote: "always" as never }, "remote"],
    [{ allowUploads: "https://files.example" as never }, "allowUploads"],
    [{ allowUploads: ["files.example"] }, "allowUploads"],
    [{ allowUploads: ["https://files.example", "https://files.example/path"] }, "allowUploads"],
    [{ allowUploads: ["https://me@files.example"] }, "allowUploads"],
    [{ allowUploads: [new URL("blob:https://files.example/1")] }, "allowUploads"],
    [{ allowUploads: ["*"] }, "allowUploads"],
    [{ maxWorkers: "2" as never }, "maxWorkers"],
    [{ createWorker: "worker.js" as never }, "createWorker"],
    [{ workerUrl: 7 as never }, "workerUrl"],
    [{ workerUrl: "" }, "workerUrl"],
    [{ workerUrl: "https://" }, "workerUrl"],
    [{ assetUrl: null as never }, "assetUrl"],
    [{ apiKey: 7 as never }, "apiKey"],
    [{ apiKey: "secret\nX-Other: 1" }, "apiKey"],
    [{ apiKey: "é" }, "apiKey"],
    [{ timeout: 0 }, "timeout"],
    [{ timeout: "1000" as never }, "timeout"],
    [{ remoteDownloads: "file" as never }, "remoteDownloads"],
    [{ downloadOrigins: "https://cdn.example" as never }, "downloadOrigins"],
    [{ downloadOrigins: ["https://cdn.example/files"] }, "downloadOrigins"],
    [{ downloadOrigins: ["*"] }, "downloadOrigins"],
    [{ downloadOrigins: ["null"] }, "downloadOrigins"],
    [{ downloadOrigins: ["ftp://cdn.example"] }, "downloadOrigins"],
    [{ maxResultBytes: 1.5 }, "maxResultBytes"],
    [{ maxResultBytes: 0 }, "maxResultBytes"],
    [{ fetch: true as never }, "fetch"],
    [{ onRemote: false as never }, "onRemote"],
    // Where there is a page.
    [{ fontUrl: "https://" }, "fontUrl"],
    [{ fontUrl: "https://app.example/fonts?version=1" }, "fontUrl"],
    [{ assetUrl: "https://app.example/assets#1" }, "assetUrl"],
  ])("refuses %j", (options, parameter) => {
    vi.stubGlobal("location", { href: "https://app.example/" });
    expect(() => createClient(options)).toThrow(refusal("invalid_parameter", { parameter }));
  });

  const convert = async (file: Blob) => file;

  test.each<[unknown, string, string]>([
    [{}, "converters", "a list of converters"],
    [[null], "converters[0]", "an object"],
    [[{ from: "docx", to: "pdf" }], "converters[0].convert", "a function"],
    [[{ from: "docx", to: "pdf", convert, upload: true }], "upload", 'Did you mean "uploads"?'],
    [[{ from: "docx", to: "pdf", convert, uploads: 1 }], "converters[0].uploads", "true or false"],
    [[{ from: "pages", to: "pdf", convert }], "converters[0].from", "the name of a format"],
    [[{ from: [], to: "pdf", convert }], "converters[0].from", "the name of a format"],
    [[{ from: "docx", to: ["pdf", "JPEG"], convert }], "converters[0].to", "the name of a format"],
    [
      [
        { from: "docx", to: "pdf", convert },
        { from: ["docx", "heic"], to: ["odt", "jpg"], convert },
      ],
      "converters[1]",
      "for pairs that the device does not convert itself. Leave out HEIC to JPG.",
    ],
  ])("refuses the converters %j", (converters, parameter, message) => {
    const wrong = refusal("invalid_parameter", { parameter }, message);
    expect(() => createClient({ converters: converters as never })).toThrow(wrong);
  });

  test("names the first wrong option, and an unknown one before all others", () => {
    const wrong = { fetch: 1, timeout: 0, maxWorkers: 0, apikey: "secret" } as never;
    const unknown = 'The option "apikey" is not known. Did you mean "apiKey"?';
    expect(() => createClient(wrong)).toThrow(refusal("invalid_parameter", { parameter: "apikey" }, unknown));
    const known = { fetch: 1, timeout: 0, maxWorkers: 0, apikey: undefined } as never;
    expect(() => createClient(known)).toThrow(refusal("invalid_parameter", { parameter: "fetch" }));
  });

  test("never quotes a wrong key", () => {
    expect(() => createClient({ apiKey: "hunter2\n" })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("hunter2") }),
    );
  });

  test.each<[ClientOptions, string]>([
    [{ sealed: true }, "assetUrl"],
    [{ sealed: true, assetUrl: "/stayput/", workerUrl: "worker.js" }, "workerUrl"],
    [{ sealed: true, assetUrl: "/stayput/", createWorker: () => new Worker("worker.js") }, "createWorker"],
  ])("refuses %j: sealed workers start from assetUrl", (options, parameter) => {
    expect(() => createClient(options)).toThrow(refusal("invalid_parameter", { parameter }));
  });

  test("a sealed client is sealed_unavailable where there is no document", async () => {
    const client = createClient({ sealed: true, assetUrl: "/stayput/" });
    const file = new File(["%PDF-1.7\n"], "a.pdf");
    await expect(client.unlockPdf({ file, password: "" })).rejects.toMatchObject({
      code: "sealed_unavailable",
      details: { cause: expect.stringContaining("no document") },
    });
  });

  test("accepts every right option, and undefined for each", () => {
    const all: Required<ClientOptions> = {
      baseUrl: "https://service.example",
      remote: "never",
      allowUploads: ["https://files.example", new URL("https://app.example/")],
      converters: [{ from: ["docx", "odt"], to: "pdf", uploads: true, convert: async (file) => file }],
      maxWorkers: 1,
      assetUrl: "/assets",
      workerUrl: { toJSON: () => "worker.js" },
      fontUrl: new URL("https://app.example/fonts"),
      createWorker: () => new Worker("worker.js"),
      sealed: false,
      apiKey: "",
      fetch,
      remoteDownloads: "link",
      downloadOrigins: ["https://cdn.example"],
      maxResultBytes: 1,
      timeout: Number.POSITIVE_INFINITY,
      onRemote: () => false,
    };
    expect(() => createClient(all)).not.toThrow();
    const absent = Object.fromEntries(Object.keys(all).map((name) => [name, undefined]));
    expect(() => createClient(absent)).not.toThrow();
  });

  test("are those at the creation: a later change has no effect", async () => {
    const sent = vi.fn(async () => new Response());
    const options = { baseUrl: "https://service.example", downloadOrigins: [] as string[], fetch: sent };
    const client = createClient(options);
    options.fetch = vi.fn();
    options.baseUrl = "https://other.example";
    const letter = new File(["{\\rtf1}"], "letter.rtf");
    await expect(client.convert({ file: letter, output_format: "pdf" })).rejects.toMatchObject({
      code: "remote_failed",
    });
    expect(sent).toHaveBeenCalled();
    expect(options.fetch).not.toHaveBeenCalled();
  });

  describe("fontUrl", () => {
    /** What an engine that draws is told. */
    async function toldFolder(
      place: { readonly baseURI?: string; readonly href: string } | undefined,
      fontUrl: string | URL,
    ): Promise<unknown> {
      vi.stubGlobal("location", place && { href: place.href });
      vi.stubGlobal("document", place?.baseURI && { baseURI: place.baseURI });
      const { client, factory } = setUp({ fontUrl });
      vi.stubGlobal("location", { href: "https://app.example/somewhere/else" });
      vi.stubGlobal("document", { baseURI: "https://app.example/somewhere/else" });
      const call = client.convert({ file, output_format: "jpg" });
      const { grant, finish } = await factory.job(0);
      finish(done("picture"));
      await call;
      return grant.fontUrl;
    }

    const base = "https://app.example/";
    const page = `${base}tools/42`;
    test.each([
      ["of a page", { href: page, baseURI: page }, `${base}tools/fonts/`],
      ["of a page with a base", { href: page, baseURI: base }, `${base}fonts/`],
      ["of a frame without an address", { href: "about:srcdoc", baseURI: page }, `${base}tools/fonts/`],
      ["of a worker", { href: `${base}js/worker.js` }, `${base}js/fonts/`],
      ["of a worker made of a Blob", { href: `blob:${base}1-2` }, `${base}fonts/`],
    ])("%s is resolved against the base when the client is created", async (_, place, folder) => {
      expect(await toldFolder(place, "fonts/")).toBe(folder);
      expect(await toldFolder(place, new URL("https://app.example/f/"))).toBe("https://app.example/f/");
    });

    test("without a base is invalid_parameter in a page", () => {
      vi.stubGlobal("location", { href: "about:blank" });
      vi.stubGlobal("document", { baseURI: "about:blank" });
      const refused = refusal("invalid_parameter", { parameter: "fontUrl" });
      expect(() => createClient({ fontUrl: "fonts/" })).toThrow(refused);
      expect(() => createClient({ fontUrl: "https://app.example/fonts/" })).not.toThrow();
      vi.unstubAllGlobals();
      expect(() => createClient({ fontUrl: "fonts/" })).not.toThrow();
    });

    test("is used without a base if it is absolute", async () => {
      expect(await toldFolder(undefined, new URL("file:///srv/fonts"))).toBe("file:///srv/fonts/");
    });
  });
});
