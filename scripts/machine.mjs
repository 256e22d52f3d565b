// Finds and installs what the tests need: Chromium, other browsers, and native tools to compare with.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { findOffice, isExecutable, onPath } from "../service/office/find-office.mjs";
import { commandScript, ROOT } from "./dependencies.mjs";
import { browserEnvironment } from "./environment.mjs";

const CHROMIUM_COMMANDS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** The native tools that tests compare with, and their Debian packages. */
const NATIVE_TOOLS = {
  qpdf: "qpdf",
  pdftotext: "poppler-utils",
  pdftoppm: "poppler-utils",
  mutool: "mupdf-tools",
  unzip: "unzip",
  vips: "libvips-tools",
  tiffcp: "libtiff-tools",
  cwebp: "webp",
  "heif-convert": "libheif-examples",
  cjxl: "libjxl-tools",
  "libde265-dec265": "libde265-examples",
  soffice: "libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-draw-nogui",
};

/** Playwright's own limit of 30 s is too short on a busy machine. */
const CHROMIUM_START_LIMIT_MS = 300_000;

const FIREFOX_COMMANDS = ["firefox-esr", "firefox"];

/**
 * Finds Chromium: the variable `CHROMIUM`, then `PATH`, then Playwright's download.
 *
 * @returns {string | undefined}
 */
export function findChromium() {
  const named = process.env.CHROMIUM;
  if (named) return named;
  for (const command of CHROMIUM_COMMANDS) {
    const found = onPath(command);
    if (found) return found;
  }
  const { chromium } = createRequire(import.meta.url)("playwright-core");
  const own = chromium.executablePath();
  return own && existsSync(own) ? own : undefined;
}

/**
 * Finds Firefox: the variable `FIREFOX`, then `PATH`.
 *
 * @returns {string | undefined}
 */
export function findFirefox() {
  return process.env.FIREFOX || FIREFOX_COMMANDS.map(onPath).find((found) => found !== undefined);
}

/**
 * Finds WebKitGTK's MiniBrowser, its WebDriver, and the X server that shows it.
 *
 * @returns {{ driver: string, browser: string, screen: string } | undefined}
 */
export function findWebKit() {
  const driver = onPath("WebKitWebDriver");
  const screen = onPath("Xvfb");
  const browser = process.env.WEBKIT_MINIBROWSER || findMiniBrowser();
  return driver && screen && browser ? { driver, browser, screen } : undefined;
}

/** MiniBrowser is beside WebKitGTK's libraries: /usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser. */
function findMiniBrowser() {
  const folders = ["/usr/lib", "/usr/libexec", "/usr/lib64"].filter(existsSync);
  const candidates = folders.flatMap((folder) =>
    [folder, ...foldersIn(folder).filter((name) => name.includes("-linux-"))].flatMap((place) =>
      foldersIn(place).filter((name) => /\/webkit(2)?gtk-[\d.]+$/.test(name)),
    ),
  );
  return candidates.map((folder) => join(folder, "MiniBrowser")).find(isExecutable);
}

/** @param {string} folder */
function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name));
}

/**
 * Features of Chromium that the tests do without. Chromium obeys the last such list alone, so this one has the names of
 * Playwright's, too. The popups of the address bar are pages: each new window loads them, though no test looks at them, and that
 * takes as long as a usual test of the app (1.7 s of the processor with them, 0.9 s without).
 */
const DISABLED_FEATURES = [
  ...["AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"],
  ...["DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay"],
  ...["MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch"],
  ...["ThirdPartyStoragePartitioning", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup"],
];

/** Returns the launch options with which Playwright starts Chromium. */
export function chromiumLaunch() {
  const executablePath = findChromium();
  return {
    ...(executablePath ? { executablePath } : {}),
    env: browserEnvironment(),
    timeout: CHROMIUM_START_LIMIT_MS,
    args: [
      // Chromium's sandbox does not run as root, and CI machines and containers often run as root.
      ...(isRoot() ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--disable-features=${DISABLED_FEATURES.join()}`,
    ],
  };
}

/**
 * What the tests need and this machine lacks.
 *
 * @typedef {object} Missing
 * @property {string} name of the program
 * @property {string} packages of Debian and Ubuntu that bring it, with spaces between them
 * @property {string} consequence what the tests do without it
 */

/**
 * Returns the browsers and native tools that the tests need and this machine lacks.
 *
 * @returns {Missing[]}
 */
export function missingForTests() {
  const browsers = [
    { name: "Chromium", found: findChromium(), packages: "chromium", consequence: "most tests fail" },
    { name: "Firefox", found: findFirefox(), packages: "firefox-esr", consequence: "its tests are skipped" },
    {
      name: "WebKitGTK with its driver",
      found: findWebKit(),
      packages: "webkit2gtk-driver xvfb",
      consequence: "its tests are skipped",
    },
  ];
  const tools = Object.entries(NATIVE_TOOLS).map(([command, packages]) => ({
    name: command,
    found: command === "soffice" ? findOffice() : onPath(command),
    packages,
    consequence: "tests that compare with it are skipped",
  }));
  return [...browsers, ...tools].filter(({ found }) => !found);
}

/** Runs `npm run setup` if something is missing that it may install. */
export function setUpMachine() {
  if (missingForTests().length === 0) return;
  run(process.execPath, [join(ROOT, "scripts", "setup.mjs")]);
}

/** Installs what is missing, with apt-get or by Playwright, and says so. Prints what is still missing. */
export function installMissing() {
  const missing = missingForTests();
  if (missing.length === 0) {
    console.log("All browsers and native tools for the tests are here.");
    return;
  }
  const packages = [...new Set(missing.flatMap((one) => one.packages.split(" ")))];
  console.log(`For the tests, this machine lacks ${missing.map(({ name }) => name).join(", ")}.`);
  if (mayUseApt()) {
    console.log(`Installing with apt-get: ${packages.join(" ")}`);
    aptInstall(packages);
  } else {
    console.log(`Only root on Debian or Ubuntu can install them here: apt-get install ${packages.join(" ")}`);
  }
  if (!findChromium()) {
    console.log("Installing Playwright's Chromium into its cache folder.");
    run(process.execPath, [commandScript("playwright-core"), "install", "chromium"]);
  }
  for (const { name, consequence } of missingForTests()) console.error(`MISSING: ${name}: ${consequence}.`);
}

/** @param {readonly string[]} packages */
function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  run("apt-get", ["update", "-qq"], env);
  run("apt-get", ["install", "-qq", "-y", "--no-install-recommends", ...packages], env);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", env });
  if (status !== 0) console.error(`${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ""}`);
}

function mayUseApt() {
  return isRoot() && onPath("apt-get") !== undefined;
}

function isRoot() {
  return process.getuid?.() === 0;
}
