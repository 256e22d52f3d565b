import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BrowserSubject } from "../corpus/pdf/browser-subject.ts";
import { madeFiles, type PdfOperation } from "../corpus/pdf/subject.ts";
import { announceBrowser } from "../support/browsers/browser-session.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { HANG_LIMIT_MS } from "../support/hang-limit.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { qpdfCanonical, qpdfCheck } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const PAGES = 20;
const PAGE_BYTES = 2_100_000;

const missing = announceMissing("protecting large files", ["qpdf"]);

/** All objects without the trailer: protecting adds a file identifier to it. */
const objectsOf = (canonical: string) => canonical.slice(0, canonical.lastIndexOf("\nxref\n"));

describe.each(["chromium", "firefox", "webkit"] as const)("a large file in %s", (browser) => {
  const absent = missing.length > 0 || !announceBrowser(browser, "the client");

  describe.skipIf(absent)("with long streams", () => {
    const scratch = new Scratch();
    let subject: BrowserSubject;
    beforeAll(async () => {
      subject = await BrowserSubject.start(browser, HANG_LIMIT_MS);
      await subject.prepare();
    });
    afterAll(async () => {
      await subject.close();
      scratch.remove();
    });

    const run = async (operation: PdfOperation, input: string) => {
      const directory = scratch.path("outputs");
      mkdirSync(directory);
      const [path] = madeFiles(await subject.run(operation, input, directory));
      if (path === undefined) throw new Error(`${operation.kind} gave no file`);
      return path;
    };

    test("gives every object back after protect and unlock", async () => {
      const input = onDisk(scratch, makePdf({ pages: PAGES, ballastPerPage: PAGE_BYTES }));
      const locked = await run({ kind: "protect", password: "key" }, input);
      expect(await qpdfCheck(locked, "key")).toMatchObject({
        ...{ verdict: "ok", encrypted: true, pageCount: PAGES },
      });
      const before = objectsOf(await qpdfCanonical(input));
      expect(before.length).toBeGreaterThan(PAGES * PAGE_BYTES);
      expect(objectsOf(await qpdfCanonical(locked, "key")) === before).toBe(true);
      // The same worker again: no result may keep the next one waiting.
      await run({ kind: "protect", password: "key" }, input);
      const open = await run({ kind: "unlock", password: "key" }, locked);
      expect(objectsOf(await qpdfCanonical(open)) === before).toBe(true);
    });
  });
});
