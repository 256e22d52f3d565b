import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { type Mounts, type StrictServer, serveStrictly } from "../support/browsers/strict-server.ts";
import { openWatched, type WatchedPage } from "../support/browsers/watched-page.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, qpdfPageCount, unzipInto, unzipNames } from "../support/oracles.ts";
import { httpService } from "./apps/http-service.ts";

const NO_WITNESSES = announceMissing("apps", ["qpdf", "pdftotext", "unzip"]).length > 0;

/** One app, and the one line that switches it to Stayput. */
interface App {
  readonly name: string;
  readonly file: string;
  /** The line of that file after which the one line is put. */
  readonly after: string;
  readonly line: string;
  /** What it takes besides, as files of their own. */
  readonly files: Mounts;
  /** Sends the form, and gives the file that the user saves. */
  readonly use: (page: Page, operation: Operation) => Promise<Download>;
}

interface Operation {
  readonly button: "Split" | "Protect";
  readonly field: "Pages" | "Password";
  readonly value: string;
}

const SPLIT: Operation = { button: "Split", field: "Pages", value: "1,last" };
const PROTECT: Operation = { button: "Protect", field: "Password", value: "secret" };
const INPUT = { name: "report.pdf", mimeType: "application/pdf", buffer: Buffer.from(makePdf({ pages: 3 })) };

const SERVICE_WORKER =
  'import { createClient } from "/vendor/stayput/index.js"; ' +
  'navigator.serviceWorker.register("/sw.js", { type: "module" }); ' +
  'await createClient().answerServiceWorker(); document.documentElement.className = "ready";';
const SW_FILE = { text: 'import { serve } from "/vendor/stayput/service-worker.js"; serve();' };

const AXIOS = { text: readFileSync(`${ROOT}node_modules/axios/dist/esm/axios.min.js`, "utf8") };

/** Both libraries with our fetch for theirs; each gives the file's name, or the status of an error. */
const LIBRARIES = `
  import { createClient } from "/vendor/stayput/index.js";
  import ky from "/vendor/ky/index.js";
  import axios from "/vendor/axios.js";

  const baseUrl = "https://service.example/pdf";
  const { fetch } = createClient({ baseUrl });
  const url = baseUrl + "/api/split-pdf";
  const headers = { Authorization: "Bearer app-key" };
  const withAxios = axios.create({ adapter: "fetch", env: { fetch }, headers });
  const withKy = ky.create({ fetch, headers });
  globalThis.libraries = {
    ky: (body) => withKy.post(url, { body }).json().then(({ file_name }) => file_name, ({ response }) => response.status),
    axios: (form) => withAxios.postForm(url, form).then(({ data }) => data.file_name, ({ response }) => response.status),
  };
  document.documentElement.className = "ready";`;

const APPS: readonly App[] = [
  {
    name: "fetch",
    file: "app.js",
    after: "// An app for the service as anybody would write it, with fetch.",
    line:
      'import { createClient } from "/vendor/stayput/index.js"; document.documentElement.className = "ready"; ' +
      'globalThis.fetch = createClient({ baseUrl: new URL("/service", location.href).href }).fetch;',
    files: {},
    use: useScript,
  },
  {
    name: "axios",
    file: "app.js",
    after: 'import axios from "/vendor/axios.js";',
    line: SERVICE_WORKER,
    files: {
      "/sw.js": SW_FILE,
      "/vendor/axios.js": AXIOS,
    },
    use: useScript,
  },
  {
    name: "form",
    file: "index.html",
    after: '<meta charset="utf-8">',
    line: '<script type="module" src="/stayput.js"></script>',
    files: { "/sw.js": SW_FILE, "/stayput.js": { text: SERVICE_WORKER } },
    use: useForm,
  },
];

let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stayput-apps-"));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

describe.each(APPS)("the app with $name", (app) => {
  test.skipIf(NO_WITNESSES)("works with the service over the network", async () => {
    const service = httpService();
    const server = await serveStrictly({ ...app.files, "/": { folder: placeOf(app) } }, [], service.listener);
    const { page, complaints } = await openWatched(browser, `http://127.0.0.1:${server.port}/`);
    await judge(app, page, async () => {});
    expect(service.uploads()).toBe(2);
    expect(complaints).toEqual([]);
    await page.context().close();
    await server.close();
  });

  test.skipIf(NO_WITNESSES)(
    "works without the service after a change of one line, without requests",
    async () => {
      const server = await serveWithLine(app);
      const { page, complaints } = await open(server);
      await judge(app, page, () => untilReady(page));
      expect(server.log.filter((request) => /^POST|api|download/.test(request))).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
      await server.close();
    },
  );
});

test.each(["fetch", "axios"])("the app with %s shows the error", async (name) => {
  const app = APPS.find((one) => one.name === name);
  if (app === undefined) throw new Error(`no app ${name}`);
  const server = await serveWithLine(app);
  const { page } = await open(server);
  await fill(page, { ...SPLIT, value: "9" });
  await page.getByText("The service answered 400.").waitFor();
  await page.context().close();
  await server.close();
});

describe.each(["ky", "axios"])("%s over client.fetch", (name) => {
  test("gets the result, and the error in its usual form", async () => {
    const server = await serveStrictly({
      "/index.html": {
        text: '<!doctype html><title>App</title><script type="module" src="/app.js"></script>',
      },
      "/app.js": { text: LIBRARIES },
      "/vendor/ky/": { folder: `${ROOT}node_modules/ky/distribution` },
      "/vendor/axios.js": AXIOS,
      "/vendor/stayput/": { folder: `${ROOT}dist` },
    });
    const { page, complaints } = await open(server);
    const content = [...INPUT.buffer];
    const answers = await page.evaluate(
      async ({ name, content }) => {
        const post = Reflect.get(globalThis, "libraries")[name];
        const formWith = (pages: string) => {
          const form = new FormData();
          form.append("file", new File([Uint8Array.from(content)], "report.pdf"));
          form.append("pages", pages);
          return form;
        };
        return [await post(formWith("1,last")), await post(formWith("9"))];
      },
      { name, content },
    );
    expect(answers).toEqual(["split-report.zip", 400]);
    expect(complaints).toEqual([]);
    await page.context().close();
    await server.close();
  });
});

function placeOf({ name }: App): string {
  return `${ROOT}test/e2e/apps/${name}`;
}

/** The app with its one line. */
function serveWithLine(app: App): Promise<StrictServer> {
  const text = readFileSync(join(placeOf(app), app.file), "utf8");
  const withLine = text.replace(`${app.after}\n`, `${app.after}\n${app.line}\n`);
  expect(withLine.split("\n")).toHaveLength(text.split("\n").length + 1);
  return serveStrictly({
    ...app.files,
    "/": { folder: placeOf(app) },
    "/vendor/stayput/": { folder: `${ROOT}dist` },
    [`/${app.file}`]: { text: withLine },
  });
}

async function open(server: StrictServer): Promise<WatchedPage> {
  const watched = await openWatched(browser, `http://127.0.0.1:${server.port}/`);
  await untilReady(watched.page);
  return watched;
}

async function untilReady(page: Page): Promise<void> {
  await page.waitForSelector(".ready");
}

/** Splits and protects by an app, and has native tools look at the files that a user gets. */
async function judge({ name, use }: App, page: Page, untilReady: () => Promise<void>): Promise<void> {
  const split = await use(page, SPLIT);
  expect(split.suggestedFilename()).toBe("split-report.zip");
  const zip = join(folder, `${name}.zip`);
  await split.saveAs(zip);
  expect(await unzipNames(zip)).toEqual(["report-1.pdf", "report-3.pdf"]);
  const parts = mkdtempSync(join(folder, "parts-"));
  await unzipInto(zip, parts);
  expect(await qpdfPageCount(join(parts, "report-3.pdf"))).toBe(1);
  expect(String(await popplerText(join(parts, "report-3.pdf")))).toContain(pageText(3));

  await page.goto(new URL("/", page.url()).href);
  await untilReady();
  const locked = await use(page, PROTECT);
  expect(locked.suggestedFilename()).toBe("protected-report.pdf");
  const pdf = join(folder, `${name}.pdf`);
  await locked.saveAs(pdf);
  expect(await qpdfCheck(pdf, PROTECT.value)).toMatchObject({ verdict: "ok", encrypted: true, pageCount: 3 });
}

async function fill(page: Page, { button, field, value }: Operation): Promise<void> {
  const form = page.locator("form", { has: page.getByRole("button", { name: button }) });
  await form.getByLabel("File").setInputFiles(INPUT);
  await form.getByLabel(field).fill(value);
  await form.getByRole("button", { name: button }).click();
}

/** An app that shows a link. */
async function useScript(page: Page, operation: Operation): Promise<Download> {
  await fill(page, operation);
  const link = page.locator("output a");
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return download;
}

/** An app that is left for the service's answer, whose link the user follows. */
async function useForm(page: Page, operation: Operation): Promise<Download> {
  await Promise.all([page.waitForURL("**/api/**"), fill(page, operation)]);
  const { download_url } = JSON.parse(String(await page.textContent("body")));
  // It is a download, and no page to go to.
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.goto(download_url).catch(() => {}),
  ]);
  return download;
}
