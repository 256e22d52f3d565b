// npm run screenshots: pictures of the app for README.md and the documentation, in docs/public/screenshots. Takes them in
// the built app, with files that it makes itself.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { build, preview } from "vite";
import { installDependencies, ROOT } from "./dependencies.mjs";
import { chromiumLaunch } from "./machine.mjs";

const PICTURES = join(ROOT, "docs", "public", "screenshots");
/** @type {import("playwright-core").BrowserContextOptions} */
const DESKTOP = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };
/** @type {import("playwright-core").BrowserContextOptions} */
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true };

/**
 * A picture of the app.
 *
 * @typedef {object} Shot
 * @property {string} name
 * @property {string} [task] the task of the deep link to open
 * @property {readonly string[]} [files] names of the files to choose
 * @property {import("playwright-core").BrowserContextOptions} [device] default: a desktop
 * @property {(page: import("playwright-core").Page) => Promise<unknown>} [before] what a person does before the picture
 */

/** @param {import("playwright-core").Page} page */
async function selectPages(page) {
  const toggle = page.getByRole("button", { name: "Options" });
  const isPhone = await toggle.isVisible();
  if (isPhone) await toggle.click();
  await page.getByRole("radio", { name: "Cut into several PDFs" }).check();
  await page.getByLabel("Pages", { exact: true }).fill("1,2-4,6-");
  if (isPhone) await toggle.click();
}

/** @param {import("playwright-core").Page} page */
async function compareInWebp(page) {
  await page.getByRole("radio", { name: "WebP" }).check({ force: true });
  await page.getByText("After WebP").waitFor();
}

/** @type {readonly Shot[]} */
const SHOTS = [
  { name: "empty" },
  { name: "split", task: "split", files: ["Annual report.pdf"], before: selectPages },
  { name: "merge", task: "merge", files: ["Annual report.pdf", "Lake.jpg", "Hills.jpg"] },
  { name: "compare", task: "convert", files: ["Lake.jpg"], before: compareInWebp },
  {
    name: "split-phone-dark",
    task: "split",
    files: ["Annual report.pdf"],
    device: PHONE,
    before: selectPages,
  },
];

installDependencies();
const configFile = join(ROOT, "vite.config.ts");
const outDir = join(ROOT, ".cache", "demo");
await build({ configFile, logLevel: "warn", build: { outDir } });
const server = await preview({ configFile, build: { outDir }, preview: { port: 0 } });
const url = server.resolvedUrls?.local[0] ?? "";
const folder = mkdtempSync(join(tmpdir(), "stayput-screenshots-"));
const browser = await chromium.launch({ ...chromiumLaunch(), headless: true });
try {
  await makeFiles();
  mkdirSync(PICTURES, { recursive: true });
  for (const shot of SHOTS) await take(shot);
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}

/** @param {Shot} shot */
async function take({ name, task = "", files = [], device = DESKTOP, before }) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  await page.goto(`${url}#${task}`);
  if (files.length > 0) {
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(files.map((file) => join(folder, file)));
    await page.waitForFunction(() => document.querySelectorAll("img").length > 0);
  }
  await before?.(page);
  // Pictures of pages come one by one.
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.waitForTimeout(2000);
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  await context.close();
  console.log(`docs/public/screenshots/${name}.png`);
}

/** Makes a report and two pictures, drawn by the browser. */
async function makeFiles() {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.setContent(report());
  await page.pdf({ path: join(folder, "Annual report.pdf"), format: "A4", printBackground: true });
  for (const [name, hues] of /** @type {const} */ ([
    ["Lake", [200, 190, 160]],
    ["Hills", [30, 95, 130]],
  ])) {
    await page.setContent(landscape(hues));
    writeFileSync(join(folder, `${name}.jpg`), await page.screenshot({ type: "jpeg", quality: 85 }));
  }
  await page.close();
}

function report() {
  const chapters = [
    "Annual report",
    "The year",
    "Members",
    "Projects",
    "Finances",
    "Donations",
    "Outlook",
    "Imprint",
  ];
  const paragraph = `<p>${"The association has grown again this year. ".repeat(9)}</p>`;
  const bars = [40, 65, 55, 80, 95].map((height) => `<i style="height:${height}%"></i>`).join("");
  const pages = chapters.map((title, index) =>
    index === 0
      ? `<section class="cover"><h1>${title}</h1><p>2026</p></section>`
      : `<section><h2>${title}</h2>${paragraph}<div>${bars}</div>${paragraph}${paragraph}</section>`,
  );
  return `<!doctype html><style>
    @page { size: A4; margin: 0 }
    body { margin: 0; font: 13pt/1.5 sans-serif; color: #222 }
    section { box-sizing: border-box; height: 297mm; padding: 30mm 25mm; break-after: page }
    .cover { background: #0b6b5d; color: white; padding-top: 100mm }
    h1 { font-size: 44pt; margin: 0 } h2 { font-size: 26pt; color: #0b6b5d }
    div { display: flex; align-items: end; gap: 8mm; height: 60mm; margin: 10mm 0 } i { flex: 1; background: #0b6b5d }
  </style>${pages.join("")}`;
}

/** @param {readonly [sky: number, far: number, near: number]} hues */
function landscape([sky, far, near]) {
  return `<!doctype html><style>body { margin: 0; background: hsl(${sky} 60% 85%) }</style>
    <svg viewBox="0 0 1200 800" width="1200" height="800">
      <circle cx="880" cy="210" r="80" fill="hsl(45 90% 75%)" />
      <path d="M0 480 L260 300 L470 440 L720 250 L1200 520 V800 H0Z" fill="hsl(${far} 30% 55%)" />
      <path d="M0 640 Q300 520 620 620 T1200 590 V800 H0Z" fill="hsl(${near} 35% 38%)" />
    </svg>`;
}
