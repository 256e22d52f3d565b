import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import type * as Stayput from "../../src/index.ts";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import {
  type Mounts,
  STRICT_POLICY,
  type StrictServer,
  serveStrictly,
} from "../support/browsers/strict-server.ts";
import { openWatched } from "../support/browsers/watched-page.ts";
import { examplesIn } from "../support/docs.ts";
import { docx, pptx, xlsx } from "../support/fixtures/office/documents.ts";
import { Scratch } from "../support/native-tools.ts";

// Runs the code of docs/recipes/office-engine.md and docs/recipes/gotenberg.md in Chromium: with a stand-in for the office
// engine, which has 254 MB, and with the engine itself in `npm run test:office-engine`.

/** The folder of the package of the engine. */
const ENGINE = process.env.STAYPUT_OFFICE_ENGINE ?? "";
const hasEngine = existsSync(join(ENGINE, "wasm", "soffice.wasm"));
if (!hasEngine)
  process.stderr.write("SKIPPED: the office engine itself: STAYPUT_OFFICE_ENGINE is not its folder\n");

const ISOLATED = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};
const ENGINE_POLICY = "default-src 'self'; script-src 'self' 'unsafe-eval'";
const PDF = "%PDF-1.7\nmade by Gotenberg\n";
const RTF = "{\\rtf1 A letter\\par}";

declare global {
  // Set by the page.
  var createClient: typeof Stayput.createClient;
  var recipes: Readonly<Record<"officeEngine" | "gotenberg", Stayput.Converter>>;
}

/** How a conversion ended. */
interface Report {
  readonly name?: string;
  readonly text?: string;
  readonly pages?: number | undefined;
  readonly code?: string;
  readonly cause?: unknown;
}

const scratch = new Scratch();
const inFolder = (name: string) => join(scratch.directory, name);
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
  for (const name of ["office-engine", "gotenberg"]) {
    const file = `// ${name}.ts\n`;
    const example = examplesIn(`docs/recipes/${name}.md`).find(({ code }) => code.startsWith(file));
    writeFileSync(inFolder(`${name}.ts`), example?.code ?? "");
  }
  const entry = `import { createClient } from "stayput";
    import { gotenberg } from "./gotenberg.ts";
    import { officeEngine } from "./office-engine.ts";
    Object.assign(globalThis, { createClient, recipes: { gotenberg, officeEngine } });`;
  writeFileSync(inFolder("app.ts"), entry);
  await build({
    root: scratch.directory,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: inFolder("built"),
      rolldownOptions: { input: inFolder("app.ts"), output: { entryFileNames: "app.js" } },
    },
    plugins: [
      {
        name: "served-packages",
        enforce: "pre",
        resolveId: (source) => {
          if (source === "stayput") return { id: "/vendor/index.js", external: "absolute" };
          return source.startsWith("@matbee/") ? { id: "/engine/browser.js", external: "absolute" } : null;
        },
      },
    ],
  });
});
afterAll(async () => {
  await browser.close();
  scratch.remove();
});

/** The files of the engine, or of its stand-in, where the recipe puts them. */
function engineMounts(isReal: boolean): Mounts {
  // Its script evaluates text. A worker has the policy of its own response, so the page keeps a strict one.
  const headers = { ...ISOLATED, "Content-Security-Policy": isReal ? ENGINE_POLICY : STRICT_POLICY };
  if (isReal)
    return {
      "/engine/": { folder: join(ENGINE, "dist"), headers },
      "/office/wasm/": { folder: join(ENGINE, "wasm"), headers },
      "/office/": { folder: join(ENGINE, "dist"), headers },
    };
  const text = (name: string) => readFileSync(`${ROOT}test/e2e/apps/office/${name}`, "utf8");
  return {
    "/engine/browser.js": { text: text("stand-in-engine.js"), headers },
    "/office/browser.worker.global.js": { text: text("stand-in-worker.js"), headers },
  };
}

/** Opens a page with the recipes. */
async function open(
  mounts: Mounts = engineMounts(false),
  headers: Readonly<Record<string, string>> = ISOLATED,
) {
  const html = '<!doctype html><title>App</title><script type="module" src="./app.js"></script>';
  const server: StrictServer = await serveStrictly(
    {
      "/index.html": { text: html, headers },
      "/": { folder: inFolder("built"), headers },
      "/vendor/": { folder: `${ROOT}dist`, headers },
      ...mounts,
    },
    [],
    gotenberg,
  );
  const { page, complaints } = await openWatched(browser, `http://127.0.0.1:${server.port}/index.html`);
  onTestFinished(async () => {
    await page.context().close();
    await server.close();
  });
  await page.waitForFunction(() => "recipes" in globalThis);
  /** Converts a file to PDF by one of the recipes. */
  const convert = (
    recipe: keyof typeof recipes,
    content: string | Uint8Array,
    remote: "office" | "never" = "office",
  ) =>
    page.evaluate(
      async ([by, base64, mode]): Promise<Report> => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        const client = createClient({ remote: mode, converters: [recipes[by]] });
        try {
          const result = await client.convert({ file: new File([bytes], "paper"), output_format: "pdf" });
          const text = await client.blob(result).text();
          const pages = await client.inspect({ file: result }).then(
            (found) => found.pages,
            () => undefined,
          );
          return { name: result.file_name, text, pages };
        } catch (thrown) {
          const { code, details } = thrown as Stayput.ServiceError;
          return { code, cause: details.cause };
        } finally {
          client.close();
        }
      },
      [recipe, Buffer.from(content).toString("base64"), remote] as const,
    );
  return { page, complaints, convert, log: server.log };
}

/** A stand-in for the endpoint of Gotenberg that the recipe uses. It reads the form as far as the recipe says. */
async function gotenberg(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = Buffer.concat(chunks).toString("latin1");
  const isRight =
    request.method === "POST" &&
    request.url === "/gotenberg/forms/libreoffice/convert" &&
    /^multipart\/form-data/.test(request.headers["content-type"] ?? "") &&
    /name="files"; filename="paper\.\w+"/.test(form);
  const status = !isRight ? 400 : form.includes("slow") ? 503 : 200;
  const body = form.includes("odd") ? "<html>" : PDF;
  response.writeHead(status, { "Content-Type": status === 200 ? "application/pdf" : "text/plain" });
  response.end(status === 200 ? body : "The request cannot be done");
}

describe("the recipe for an office engine", () => {
  test("converts on the device, one file after another", async () => {
    const { page, convert, complaints, log } = await open();
    const [one, other] = await Promise.all([
      convert("officeEngine", RTF, "never"),
      convert("officeEngine", docx(["A"]), "never"),
    ]);
    expect(one).toMatchObject({ name: "paper.pdf", text: expect.stringContaining("% paper.rtf") });
    expect(other).toMatchObject({ name: "paper.pdf", text: expect.stringContaining("% paper.docx") });
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    expect(log.filter((line) => line.startsWith("POST"))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("goes on after a file that the engine cannot read", async () => {
    const { convert } = await open();
    const failure = { code: "converter_failed", cause: "Error: cannot load paper.rtf" };
    expect(await convert("officeEngine", "{\\rtf1 broken}")).toEqual(failure);
    expect(await convert("officeEngine", RTF)).toMatchObject({ name: "paper.pdf" });
  });

  test("says which headers are missing", async () => {
    const { convert } = await open(engineMounts(false), {});
    const { code, cause } = await convert("officeEngine", RTF);
    expect([code, cause]).toEqual(["converter_failed", expect.stringContaining("COOP and COEP")]);
  });

  describe.skipIf(!hasEngine)("with the engine itself", () => {
    test("converts documents, sheets and slides", async () => {
      const { convert } = await open(engineMounts(true));
      const files = [RTF, docx(["One", "\fTwo"]), xlsx([["A", "B"]]), pptx(["First", "Second", "Third"])];
      const pages: unknown[] = [];
      for (const file of files) pages.push((await convert("officeEngine", file, "never")).pages);
      expect(pages).toEqual([1, 2, 1, 3]);
    });
  });
});

describe("the recipe for Gotenberg", () => {
  test("sends the file under a name with its extension, and checks the answer", async () => {
    const { convert, complaints } = await open();
    expect(await convert("gotenberg", RTF)).toMatchObject({ name: "paper.pdf", text: PDF });
    expect(complaints).toEqual([]);
    expect(await convert("gotenberg", "{\\rtf1 odd}")).toEqual({
      code: "converter_failed",
      cause: undefined,
    });
    const { code, cause } = await convert("gotenberg", "{\\rtf1 slow}");
    expect([code, cause]).toEqual(["converter_failed", expect.stringContaining("status 503")]);
  });

  test('sends nothing under remote: "never"', async () => {
    const { convert, log } = await open();
    expect(await convert("gotenberg", RTF, "never")).toMatchObject({ code: "remote_refused" });
    expect(log.filter((line) => line.startsWith("POST"))).toEqual([]);
  });
});
