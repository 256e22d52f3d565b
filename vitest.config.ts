import { availableParallelism } from "node:os";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { setTestEnvironment } from "./scripts/environment.mjs";
import { withFonts } from "./scripts/fonts.mjs";
import { chromiumLaunch } from "./scripts/machine.mjs";
import { makeWasm } from "./scripts/make-wasm.mjs";

await makeWasm();
setTestEnvironment();

const MINUTE_MS = 60_000;

/** How many files run side by side. Each has a browser or a native program of its own, which takes a core. */
const BESIDE = 2;

/** Files that run for long start first, so that none of them runs alone at the end. */
const LONG_FILES = [
  ...["native/render.test.ts", "hostile/pdf.test.ts", "e2e/app-tasks.test.ts"],
  ...["hostile/shared-lists.rest.test.ts", "security/bounded-work-in-the-tab.rest.test.ts"],
  ...["native/service.rest.test.ts", "e2e/offline.rest.test.ts"],
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG_FILES.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Files for `npm run test:all`. CONTRIBUTING.md says what belongs there. */
const REST = "**/*.rest.test.ts";
/** Files that measure time or memory by the clock or of whole processes. They run at the end, one at a time. */
const ALONE = "**/*.alone.test.ts";

/** The tier that scripts/test.mjs runs. All files when absent, so that `npx vitest run FILE` runs each. */
const tier = process.env.STAYPUT_TESTS ?? "all";

/** Which files of some folders run beside others. */
function filesOf(...folders: readonly string[]) {
  return {
    include: folders.map((folder) =>
      tier === "rest" ? `test/${folder}/${REST}` : `test/${folder}/**/*.test.ts`,
    ),
    exclude: [ALONE, ...(tier === "test" ? [REST] : [])],
  };
}

/** What tests of whole files, built pages and real browsers have in common. */
const LONG = {
  // Longer than the hang limit of a job or a page, so that its own error is reported.
  testTimeout: 15 * MINUTE_MS,
  hookTimeout: 15 * MINUTE_MS,
  maxWorkers: BESIDE,
};
const SHARED_BROWSER = "test/support/shared-browser.ts";
const BUILT_DEMOS = "test/support/built-demos.ts";

export default defineConfig({
  test: {
    allowOnly: false,
    passWithNoTests: true,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: "unit",
          ...filesOf("unit"),
          testTimeout: 2 * MINUTE_MS,
          // Threads start faster than processes.
          pool: "threads",
          maxWorkers: availableParallelism(),
        },
      },
      // Unit tests that go to the limits. They take too long for every change.
      { test: { name: "hostile", ...filesOf("hostile"), ...LONG, sequence: { groupOrder: 1 } } },
      // Compares our output with native programs, in all browsers.
      {
        test: {
          name: "native",
          ...filesOf("native"),
          ...LONG,
          sequence: { groupOrder: 1 },
          globalSetup: SHARED_BROWSER,
        },
      },
      // Attacks on the promises of SECURITY.md, and the built package and demo in real browsers.
      ...["security", "e2e"].map((name) => ({
        test: {
          name,
          // One process runs many files of e2e, and loads Playwright once. Those of security measure their process.
          isolate: name === "security",
          ...filesOf(name),
          ...LONG,
          sequence: { groupOrder: 1 },
          globalSetup: [SHARED_BROWSER, BUILT_DEMOS],
        },
      })),
      {
        // Finds all imported packages before the start. Vite reloads the page in the middle of a test when it finds one
        // later. `force` ignores what an older run has stored.
        optimizeDeps: { entries: ["src/index.ts", "workers/worker.ts", "test/browser/*.ts"], force: true },
        plugins: [withFonts("fonts/")],
        test: {
          name: "browser",
          ...filesOf("browser"),
          testTimeout: 5 * MINUTE_MS,
          maxWorkers: BESIDE,
          sequence: { groupOrder: 1 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunch() }),
            instances: [{ browser: "chromium" as const }],
          },
        },
      },
      {
        test: {
          name: "alone",
          include: tier === "rest" ? [] : [`test/${ALONE}`],
          ...LONG,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          globalSetup: BUILT_DEMOS,
        },
      },
    ],
  },
});
