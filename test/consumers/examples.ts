import type { Browser, Page } from "playwright-core";
import { openWatched } from "../support/browsers/watched-page.ts";
import type { ServedApp } from "./installed-app.ts";
import type { Job } from "./jobs.ts";
import { messageOf } from "./page-jobs.ts";
import { type JobRow, secondsSince } from "./report.ts";
import type { ExampleSetUp } from "./set-ups.ts";

/** A folder of `examples/`. */
export type ExampleName = "plain" | "react" | "uppy" | "offline";

/** A file for the input of a page. */
interface Upload {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

interface Trial {
  readonly page: Page;
  readonly pdf: Upload;
  readonly heic: Upload;
  /** Ends the server of the example. */
  stopServer(): Promise<void>;
}

/** Uses each example as its README says. Waiting for a result fails when there is none. */
const TRIALS: Readonly<Record<ExampleName, (trial: Trial) => Promise<void>>> = {
  async plain({ page, pdf, heic }) {
    await page.locator("input").setInputFiles([pdf, heic]);
    await page.getByRole("link", { name: "merged-report.pdf" }).waitFor();
  },
  async react({ page, heic }) {
    await page.locator("input").setInputFiles(heic);
    await page.locator('a[download="photo.jpg"] img').waitFor();
  },
  async uppy({ page, heic }) {
    await page.locator("input.uppy-Dashboard-input").first().setInputFiles(heic);
    await page.getByRole("button", { name: /^Upload/ }).click();
    await page
      .getByRole("listitem")
      .filter({ hasText: /^photo\.jpg: \d+ bytes$/ })
      .waitFor();
  },
  async offline({ page, pdf, stopServer }) {
    await page.getByText("Ready.").waitFor();
    await stopServer();
    await page.reload();
    await page.locator("[name=password]").fill("open sesame");
    await page.locator("[name=file]").setInputFiles(pdf);
    await page.getByRole("button", { name: "Protect" }).click();
    await page.getByRole("link", { name: "protected-report.pdf" }).waitFor();
  },
};

/** Opens the page of an example and uses it. Fails when the page complains or requests something from another origin. */
export async function tryExample(
  browser: Browser,
  { url, origins, close }: ServedApp,
  { example }: ExampleSetUp,
  jobs: readonly Job[],
): Promise<JobRow> {
  const start = performance.now();
  const { page, requests, complaints } = await openWatched(browser, url);
  try {
    const [pdf, heic] = [uploadOf(jobs, "protect"), uploadOf(jobs, "heic-to-jpg")];
    await TRIALS[example]({ page, pdf, heic, stopServer: close });
    const foreign = requests
      .filter((request) => !origins.some((origin) => request.includes(` ${origin}/`)))
      .map((request) => `another origin is asked: ${request}`);
    const found = [...complaints, ...foreign];
    const row = { name: "example", seconds: secondsSince(start) };
    return found.length > 0 ? { ...row, complaint: found.join("; ") } : row;
  } catch (error) {
    return { name: "example", seconds: secondsSince(start), complaint: messageOf(error) };
  } finally {
    await page.context().close();
  }
}

/** Returns the input of a job as a file. */
function uploadOf(jobs: readonly Job[], name: Job["name"]): Upload {
  const job = jobs.find((job) => job.name === name);
  if (job === undefined) throw new Error(`there is no job ${name}`);
  return { name: job.input.name, mimeType: "", buffer: Buffer.from(job.input.bytes) };
}
