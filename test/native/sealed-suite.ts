import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { announceBrowser, type BrowserName, startBrowser } from "../support/browsers/browser-session.ts";
import type { DrivenBrowser, DrivenPage } from "../support/browsers/driven-browser.ts";
import { STRICT_POLICY, type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import { makeBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makeInkJpeg } from "../support/fixtures/ink-jpeg.ts";
import { lockedPdf } from "../support/fixtures/locked-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { writeTiledHeic } from "../support/fixtures/tiled-heic.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";

// Sealed workers do what others do: same results, same errors, in each browser.

const APP = `import { createClient } from "/stayput/index.js";
  const clients = new Map();
  const clientOf = (options) => {
    const key = JSON.stringify(options);
    if (!clients.has(key)) clients.set(key, createClient({ assetUrl: "/fixed/", maxWorkers: 3, ...options }));
    return clients.get(key);
  };
  const digest = async (blob) => {
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
    return blob.size + " " + blob.type + " " + [...bytes].map((byte) => byte.toString(16)).join(" ");
  };
  const errorOf = ({ name, code, message, details }) => ({ name, code, message, cause: details?.cause });
  const fileOf = async (path) => new File([await (await fetch(path)).arrayBuffer()], path, { lastModified: 1e12 });

  /** Runs a call, and returns a digest of all that came out. */
  window.run = async ({ options, method, path, fields = {} }) => {
    const client = clientOf(options);
    const file = await fileOf(path);
    try {
      if (method === "mergePdf") fields = { ...fields, file: [file, file] };
      const called = client[method]({ file, ...fields });
      if (method === "inspect") return await called;
      if (called[Symbol.asyncIterator]) {
        const items = [];
        for await (const { page, pages, blob, file, text, words } of called)
          items.push(JSON.stringify([page, pages, text, words]) + (blob ?? file ? await digest(blob ?? file) : ""));
        return items;
      }
      const result = await called;
      const made = [result.file_name, await digest(client.blob(result))];
      client.release(result);
      return made;
    } catch (error) {
      return errorOf(error);
    }
  };
  /** Protects a file and unlocks the result: what a worker has made goes into another one. */
  window.chain = async ({ options, path }) => {
    const client = clientOf(options);
    try {
      const locked = await client.protectPdf({ file: await fileOf(path), password: "secret" });
      const open = await client.unlockPdf({ file: locked, password: "secret" });
      return await digest(client.blob(open));
    } catch (error) {
      return errorOf(error);
    }
  };
  /** Splits a file, and protects each part: what a worker has delivered goes into another one. */
  window.chainParts = async ({ options, path }) => {
    const client = clientOf(options);
    const made = [];
    try {
      for await (const { file } of client.splitParts({ file: await fileOf(path), every: 1 }))
        made.push(await digest(client.blob(await client.protectPdf({ file, password: "secret" }))));
      return made;
    } catch (error) {
      return errorOf(error);
    }
  };
  window.abort = async ({ options, path }) => {
    const ending = new AbortController();
    const onProgress = ({ phase, done }) => phase === "working" && done > 0 && ending.abort("enough");
    return clientOf(options)
      .convert({ file: await fileOf(path), output_format: "png", dpi: 300 }, { signal: ending.signal, onProgress })
      .then(() => "it ended", (reason) => reason);
  };
  window.removeFrame = async ({ options, path }) => {
    const remove = ({ phase, done }) => phase === "working" && done > 0 && document.querySelector("iframe").remove();
    return clientOf(options)
      .convert({ file: await fileOf(path), output_format: "png", dpi: 300 }, { onProgress: remove })
      .then(() => "it ended", errorOf);
  };
  window.close = async ({ options }) => {
    clientOf(options).close();
    clients.delete(JSON.stringify(options));
    return document.querySelectorAll("iframe").length;
  };
  document.title = "ready";`;

/** Takes the place of the random bytes of a worker, so that outputs can be compared. */
const FIXED_RANDOM = `crypto.getRandomValues = (array) => {
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(7);
  return array;
};\n`;

/** Makes the frame fail when a worker asks it to encrypt. */
const WITHOUT_FRAME_AES = `globalThis.stayputAes = async () => { throw new Error("the frame was asked"); };\n`;

/** A worker that starts two helpers, and answers with their first messages. */
const STARTS_HELPERS = `postMessage("started");
  addEventListener("message", ({ data: { id, echo } }) => {
    if (echo !== undefined) return postMessage("got " + echo);
    const messages = [];
    for (const name of ["one", "two"]) {
      const helper = new Worker(self.location.href);
      helper.addEventListener("message", ({ data }) => {
        messages.push(name + " " + data);
        if (messages.length < 4) return;
        const error = { code: "internal_error", message: messages.toSorted().join(", "), details: {} };
        postMessage({ id, type: "RAW", value: { ok: false, error } });
      });
      helper.postMessage({ echo: name });
    }
  });`;

/** A worker that announces a deadline and hangs, unless the job is to inspect. */
const HANGS = `addEventListener("message", ({ data: { id, argumentList: [job, , page] } }) => {
    const answer = (code, message) => ({ code, message, details: {} });
    if (job.value.engine === "pdf/inspect")
      return postMessage({ id, type: "RAW", value: { ok: false, error: answer("internal_error", "another worker") } });
    page.value.onmessage = () => {
      for (;;);
    };
    page.value.postMessage({ deadline: { milliseconds: 50, error: answer("damaged_file", "It took too long.") } });
  });`;

/** Makes helpers hang at their first task. */
const HELPERS_HANG = `addEventListener("message", ({ data }) => {
    if (data?.path?.[0] === "help") for (;;);
  });\n`;

/** A call of a method of the client, with an input. */
type Call = readonly [method: string, input: string, fields?: Readonly<Record<string, unknown>> | undefined];

const CALLS: readonly Call[] = [
  ["protectPdf", "pages.pdf", { password: "secret" }],
  ["protectPdf", "long.pdf", { password: "secret" }],
  ["unlockPdf", "locked.pdf", { password: "user" }],
  ["unlockPdf", "locked.pdf", { password: "wrong" }],
  ["splitPdf", "features.pdf", { every: 2 }],
  ["mergePdf", "features.pdf"],
  ["compressPdf", "features.pdf"],
  ["cleanPdf", "features.pdf"],
  ["convert", "features.pdf", { output_format: "txt" }],
  ["convert", "pages.pdf", { output_format: "jpg" }],
  ["convert", "features.pdf", { output_format: "png" }],
  ["renderPages", "pages.pdf"],
  ["splitParts", "pages.pdf", { every: 7 }],
  ["readText", "pages.pdf"],
  ["inspect", "features.pdf"],
  ["inspect", "photo.jpg"],
  ...[
    "photo.jpg",
    "gray.jpg",
    "inks.jpg",
    "photo.webp",
    "photo.tif",
    "tiled.heic",
    "photo.jxl",
    "a.gif",
    "a.bmp",
  ].map((input): Call => ["convert", input, { output_format: "png" }]),
  ...["jpg", "webp", "avif", "pdf"].map((output_format): Call => ["convert", "photo.png", { output_format }]),
  ["convert", "tiled.heic", { output_format: "jpg" }],
  ["convert", "photo.png", { output_format: "jpg", max_bytes: 20_000 }],
  ["convert", "photo.jpg", { output_format: "pdf", rotate: 90 }],
  ["convert", "text.png", { output_format: "jpg" }],
];

const missing = announceMissing("sealed workers", ["vips", "heif-enc", "cjxl"]);

/** Tests sealed workers in a browser. */
export function describeSealed(name: BrowserName): void {
  const isThere = announceBrowser(name, "sealed workers") && missing.length === 0;
  describe.skipIf(!isThere)(`sealed workers in ${name}`, () => {
    const scratch = new Scratch();
    let app: StrictServer;
    let browser: DrivenBrowser;
    let page: DrivenPage;

    beforeAll(async () => {
      await makeInputs(scratch);
      const dist = { folder: `${ROOT}dist` };
      const built = (file: string) => readFileSync(`${ROOT}dist/${file}`, "utf8");
      const open = { "Content-Security-Policy": "" };
      const sealedPage = { text: built("sealed.html") };
      const script = `<!doctype html><title>…</title><script type="module" src="/app.js"></script>`;
      app = await serveStrictly({
        "/stayput/": dist,
        "/fixed/": dist,
        "/fixed/sealed.html": sealedPage,
        "/fixed/worker.js": { text: FIXED_RANDOM + built("worker.js") },
        "/helpers/sealed.html": sealedPage,
        "/helpers/worker.js": { text: STARTS_HELPERS },
        "/no-worker/sealed.html": sealedPage,
        "/hangs/sealed.html": sealedPage,
        "/hangs/worker.js": { text: HANGS },
        "/helpers-hang/": dist,
        "/helpers-hang/sealed.html": sealedPage,
        "/helpers-hang/worker.js": { text: HELPERS_HANG + built("worker.js") },
        "/no-aes/sealed.html": sealedPage,
        "/no-aes/worker.js": { text: WITHOUT_FRAME_AES + built("worker.js") },
        "/old/sealed.html": {
          text: built("sealed.html")
            .replace(/stayputFrame:`[^`]*`/, "stayputFrame:`0.0.1`")
            .replace(/'sha256-[^']*'/, "'unsafe-inline'"),
          headers: open,
        },
        "/loose/sealed.html": {
          text: built("sealed.html").replace(/<meta http-equiv[^>]*>/, ""),
          headers: open,
        },
        "/loose/worker.js": { text: STARTS_HELPERS },
        "/crash/sealed.html": sealedPage,
        "/crash/worker.js": { text: 'onmessage = () => setTimeout(() => { throw new Error("a bug"); });' },
        "/policy/": dist,
        "/policy/sealed.html": { ...sealedPage, headers: { "Content-Security-Policy": STRICT_POLICY } },
        "/as-text/": dist,
        "/as-text/sealed.html": { ...sealedPage, headers: { ...open, "Content-Type": "text/plain" } },
        "/index.html": { text: script },
        "/blocked.html": {
          text: script,
          headers: { "Content-Security-Policy": "frame-src 'none'" },
        },
        "/app.js": { text: APP },
        "/input/": { folder: `${scratch.directory}/`, headers: open },
      });
      browser = await startBrowser(name);
      page = await browser.open(`http://127.0.0.1:${app.port}/`);
    });
    afterAll(async () => {
      await page.close();
      await browser.close();
      await app.close();
      scratch.remove();
    });
    const run = (options: object, [method, input, fields]: Call, on = page) =>
      on.call<unknown>("run", { options, method, path: `/input/${input}`, fields });

    test.each(CALLS.map((call) => [call.map((part) => JSON.stringify(part)).join(" "), call] as const))(
      "%s gives what it gives unsealed",
      async (_, call) => {
        const unsealed = await run({}, call);
        expect(await run({ sealed: true }, call)).toEqual(unsealed);
      },
    );

    test("a long result can be the input of the next call", async () => {
      const call = { path: "/input/long.pdf" };
      const unsealed = await page.call<string>("chain", { ...call, options: {} });
      expect(unsealed).toContain("application/pdf");
      expect(await page.call("chain", { ...call, options: { sealed: true } })).toBe(unsealed);
    });

    test("long parts of a loop can be the inputs of other calls", async () => {
      const call = { path: "/input/parts.pdf" };
      const unsealed = await page.call<unknown>("chainParts", { ...call, options: {} });
      expect(unsealed).toHaveLength(2);
      expect(await page.call("chainParts", { ...call, options: { sealed: true } })).toEqual(unsealed);
    });

    test("an aborted call ends, and the next one works", async () => {
      const options = { sealed: true };
      const call = { options, path: "/input/pages.pdf" };
      expect(await page.call("abort", call)).toBe("enough");
      expect(await run(options, ["inspect", "pages.pdf"])).toMatchObject({ pages: 20 });
    });

    test("a call fails when the frame is removed, and the next one opens another", async () => {
      const options = { sealed: true };
      const answer = await page.call("removeFrame", { options, path: "/input/pages.pdf" });
      expect(answer).toMatchObject({ code: "internal_error", cause: expect.stringContaining("frame") });
      expect(await run(options, ["inspect", "pages.pdf"])).toMatchObject({ pages: 20 });
      expect(await page.call("close", { options })).toBe(0);
    });

    test("a worker that does not answer is ended at its deadline, and the next call starts another", async () => {
      const options = { sealed: true, assetUrl: "/hangs/", maxWorkers: 1 };
      const hung = await run(options, ["splitPdf", "pages.pdf", { pages: "1" }]);
      expect(hung).toMatchObject({ code: "damaged_file", message: "It took too long." });
      expect(await run(options, ["inspect", "pages.pdf"])).toMatchObject({ message: "another worker" });
    });

    test("pages that a helper does not answer for are drawn without it", async () => {
      const call: Call = ["convert", "pages.pdf", { output_format: "jpg" }];
      const unsealed = await run({}, call);
      expect(await run({ sealed: true, assetUrl: "/helpers-hang/" }, call)).toEqual(unsealed);
    });

    test("the frame encrypts long streams where the worker has no WebCrypto", async () => {
      const call: Call = ["protectPdf", "long.pdf", { password: "secret" }];
      const answer = await run({ sealed: true, assetUrl: "/no-aes/" }, call);
      if (name === "chromium")
        expect(answer).toMatchObject({ cause: expect.stringContaining("the frame was asked") });
      else expect(answer).toContain("protected-long.pdf");
    });

    test("helpers start, and their messages arrive", async () => {
      const answer = await run({ sealed: true, assetUrl: "/helpers/" }, ["inspect", "pages.pdf"]);
      expect(answer).toMatchObject({ message: "one got one, one started, two got two, two started" });
    });

    test.each([
      ["/nothing/", "sealed_unavailable", /status 404/],
      ["/policy/", "sealed_unavailable", /sends Content-Security-Policy with it/],
      ["/as-text/", "sealed_unavailable", /sends it as text\/plain/],
      ["/loose/", "sealed_unavailable", /policy of the frame does not hold/],
      ["/old/", "internal_error", /is of version 0\.0\.1/],
      ["/no-worker/", "internal_error", /worker\.js.*status 404/],
      ["/crash/", "internal_error", /a bug/],
    ])("with the files of %s, a call is %s", async (assetUrl, code, cause) => {
      const answer = await run({ sealed: true, assetUrl }, ["inspect", "pages.pdf"]);
      expect(answer).toMatchObject({ code, cause: expect.stringMatching(cause) });
    });

    test("a page that forbids the frame is sealed_unavailable", async () => {
      const blocked = await browser.open(`http://127.0.0.1:${app.port}/blocked.html`);
      try {
        const answer = await run({ sealed: true }, ["inspect", "pages.pdf"], blocked);
        expect(answer).toMatchObject({
          code: "sealed_unavailable",
          cause: expect.stringContaining("frame-src"),
        });
      } finally {
        await blocked.close();
      }
    });
  });
}

/** Makes a file of each family. */
async function makeInputs(scratch: Scratch): Promise<void> {
  const at = (name: string) => join(scratch.directory, name);
  const write = (name: string, bytes: Uint8Array) => writeFileSync(at(name), bytes);
  const [width, height] = [640, 480];
  const sample = (x: number, y: number) => [Math.floor(x / 3), Math.floor(y / 2), 90 + ((x * y) % 50)];
  write("photo.png", makePng({ width, height, colorType: 2, bitDepth: 8, sample }));
  write("pages.pdf", makePdf({ pages: 20 }));
  write("long.pdf", makePdf({ pages: 3, ballastPerPage: 700_000 }));
  write("parts.pdf", makePdf({ pages: 2, ballastPerPage: 1_500_000 }));
  write("features.pdf", makeFeaturedPdf());
  write("locked.pdf", lockedPdf("user"));
  write(
    "a.gif",
    makeGif(
      64,
      48,
      [
        [0, 0, 0],
        [255, 0, 0],
        [0, 255, 0],
        [9, 9, 255],
      ],
      (x, y) => ((x >> 3) + (y >> 3)) & 3,
    ),
  );
  write(
    "a.bmp",
    makeBmp(64, 48, (x, y) => [x, y, 90]),
  );
  write("text.png", Uint8Array.from(Buffer.from("text")));
  const photo = at("photo.png");
  for (const name of ["photo.jpg", "photo.webp", "photo.tif"])
    await mustRun("vips", ["copy", photo, at(name)]);
  await mustRun("vips", ["colourspace", photo, at("gray.jpg"), "b-w"]);
  copyFileSync((await makeInkJpeg(scratch, photo, { transform: 0 })).path, at("inks.jpg"));
  await mustRun("cjxl", [photo, at("photo.jxl")]);
  await writeTiledHeic(photo, { width: 1300, height: 700 }, at("tiled.heic"), scratch);
}
