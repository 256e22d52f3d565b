import { availableParallelism } from "node:os";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { assemble } from "./scripts/assemble.mjs";
import { withFonts } from "./scripts/fonts.mjs";
import { chromiumLaunch } from "./scripts/machine.mjs";

await assemble();

export default defineConfig({
  test: {
    allowOnly: false,
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          testTimeout: 60_000,
          // For every change: on all cores, in threads, which begin sooner than processes.
          pool: "threads",
          maxWorkers: availableParallelism(),
        },
      },
      // Of the unit tests, those that go to the limits, which takes too long for every change.
      { test: { name: "hostile", include: ["test/hostile/**/*.test.ts"], testTimeout: 120_000 } },
      // Attacks on what SECURITY.md promises: the engines in Node, the built package in real browsers.
      {
        test: {
          name: "security",
          include: ["test/security/**/*.test.ts"],
          globalSetup: "test/support/build.ts",
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      // Each test starts several native programs, which take their time on a busy machine.
      {
        test: {
          name: "native",
          include: ["test/native/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
      {
        // Every package that the page and the workers import, found before the start, whatever an older run left
        // behind: Vite reloads the page, in the middle of a test, when it meets one later.
        optimizeDeps: { entries: ["src/index.ts", "workers/worker.ts", "test/browser/*.ts"], force: true },
        plugins: [withFonts("fonts/")],
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 60_000,
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
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
