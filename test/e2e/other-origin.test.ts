import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import type { Client } from "../../src/index.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { examplesIn } from "../support/docs.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

// docs/recipes/cdn.md: a page with the policy of the recipe, and the files on another origin with its header.

declare global {
  // Set by the page under test.
  var client: Client;
}

const EXAMPLES = examplesIn("docs/recipes/cdn.md").map(({ code }) => code);
/** The folder of the recipe, and that of jsDelivr. */
const FOLDERS = ["/stayput/", "/npm/stayput@0.1.0/dist/"];
const STARTS = {
  "imports the package from there": exampleWith("import { createClient }"),
  "names the folder": `import { createClient } from "/own/index.js"; ${exampleWith("assetUrl")}`,
};
const INPUTS = {
  pdf: [...makePdf({ pages: 2 })],
  png: [...makePng({ width: 8, height: 8, colorType: 2, bitDepth: 8, sample: () => [200, 100, 50] })],
};

let browser: Browser;
const servers: StrictServer[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  for (const server of servers) await server.close();
});

for (const folder of FOLDERS)
  test.each(Object.entries(STARTS))(
    `with the files in ${folder}, a page that %s runs jobs`,
    async (_, start) => {
      const headers: Record<string, string> = {};
      const other = await serve({ [folder]: { folder: `${ROOT}dist`, headers } });
      const onOther = (text: string) =>
        text
          .replaceAll("https://files.example/stayput/", other + folder)
          .replaceAll("https://files.example", other);
      const policy = { "Content-Security-Policy": onOther(headerOf("Content-Security-Policy")) };
      const page = await serve({
        "/index.html": {
          text: '<!doctype html><script type="module" src="app.js"></script>',
          headers: policy,
        },
        "/app.js": { text: `${onOther(start)} globalThis.client = client;`, headers: policy },
        "/own/": { folder: `${ROOT}dist`, headers: policy },
      });
      headers["Access-Control-Allow-Origin"] = headerOf("Access-Control-Allow-Origin").replace(
        "https://app.example",
        page,
      );

      const { page: opened, requests, complaints } = await openWatched(browser, `${page}/index.html`);
      await opened.waitForFunction(() => "client" in globalThis);
      const names = await opened.evaluate(async (inputs) => {
        const [pdf, png] = [inputs.pdf, inputs.png].map((bytes) => new Blob([new Uint8Array(bytes)]));
        const { client } = globalThis;
        if (pdf === undefined || png === undefined) return [];
        const results = [
          await client.protectPdf({ file: pdf, password: "secret" }),
          await client.convert({ file: png, output_format: "jpg" }),
          await client.convert({ file: pdf, output_format: "png", pages: "1" }),
        ];
        return results.map(({ file_name }) => file_name);
      }, INPUTS);
      expect(names).toEqual(["protected-blob.pdf", "blob.jpg", "blob.png"]);
      expect(complaints).toEqual([]);
      const loaded = ["worker.js", "jpeg-encoder.wasm", "pdfium.wasm"].map(
        (name) => `GET ${other}${folder}${name}`,
      );
      expect(requests).toEqual(expect.arrayContaining(loaded));
      await opened.context().close();
    },
  );

/** Starts a server, and returns its origin. */
async function serve(mounts: Parameters<typeof serveStrictly>[0]): Promise<string> {
  const server = await serveStrictly(mounts);
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

function exampleWith(text: string): string {
  return EXAMPLES.find((code) => code.includes(text)) ?? "";
}

/** Returns the value of a header that the recipe shows. */
function headerOf(name: string): string {
  return new RegExp(`^${name}: (.*)$`, "m").exec(exampleWith(`${name}: `))?.[1] ?? "";
}
