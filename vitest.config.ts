import { availableParallelism } from "node:os";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { assemble } from "./scripts/assemble.mjs";
import { withFonts } from "./scripts/fonts.mjs";
import { chromiumLaunch } from "./scripts/machine.mjs";

await assemble();

const MINUTE_MS = 60_000;

/** How many files run side by side. Each has a browser or a native program of its own, which takes a core. */
const BESIDE = 2;

/** Short files that run for minutes. They start first, so that none of them runs alone at the end. */
const SLOW_FILES = [
  "security/bounded-work-in-the-tab.test.ts",
  "hostile/shared-lists-in-splits.test.ts",
  "hostile/shared-lists-in-whole-files.test.ts",
  "native/service.test.ts",
  "native/large-protect.test.ts",
];

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => SLOW_FILES.some((name) => moduleId.endsWith(name));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    allowOnly: false,
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          testTimeout: 2 * MINUTE_MS,
          // Threads start faster than processes.
          pool: "threads",
          maxWorkers: availableParallelism(),
        },
      },
      // Unit tests that go to the limits. They take too long for every change.
      {
        test: {
          name: "hostile",
          include: ["test/hostile/**/*.test.ts"],
          testTimeout: 10 * MINUTE_MS,
          maxWorkers: BESIDE,
        },
      },
      // Attacks on the promises of SECURITY.md: the engines in Node, the built package in real browsers.
      {
        test: {
          name: "security",
          include: ["test/security/**/*.test.ts"],
          globalSetup: "test/support/build.ts",
          testTimeout: 10 * MINUTE_MS,
          hookTimeout: 15 * MINUTE_MS,
          maxWorkers: BESIDE,
        },
      },
      // Compares our output with native programs and other browsers.
      {
        test: {
          name: "native",
          include: ["test/native/**/*.test.ts"],
          // Longer than the hang limit of a job or a page, so that its own error is reported.
          testTimeout: 15 * MINUTE_MS,
          hookTimeout: 15 * MINUTE_MS,
          maxWorkers: BESIDE,
        },
      },
      {
        // Finds all imported packages before the start. Vite reloads the page in the middle of a test when it finds one
        // later. `force` ignores what an older run has stored.
        optimizeDeps: { entries: ["src/index.ts", "workers/worker.ts", "test/browser/*.ts"], force: true },
        plugins: [withFonts("fonts/")],
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 5 * MINUTE_MS,
          maxWorkers: BESIDE,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunch() }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: "test/support/build.ts",
          testTimeout: 10 * MINUTE_MS,
          hookTimeout: 15 * MINUTE_MS,
          maxWorkers: BESIDE,
        },
      },
    ],
  },
});
