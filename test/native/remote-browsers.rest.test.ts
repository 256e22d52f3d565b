import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { announceBrowser, BrowserSession, type SessionAnswer } from "../support/browsers/browser-session.ts";
import { cutOff, json, ScriptedService, text } from "../support/fixtures/office/scripted-service.ts";
import { Scratch } from "../support/native-tools.ts";
import type { RemotePageJob } from "./remote-page.ts";

const CONVERT = "/api/convert";
const RESULT = "/download/1/corpus.pdf";
const PDF = "%PDF-1.7\nmade by the service\n";

describe.each(["firefox", "webkit"] as const)("a remote service called from %s", (browser) => {
  describe.skipIf(!announceBrowser(browser, "the remote service"))("on a page of another origin:", () => {
    const scratch = new Scratch();
    const input = scratch.path("input.rtf");
    let session: BrowserSession;
    let service: ScriptedService;

    beforeAll(async () => {
      writeFileSync(input, "{\\rtf1 }");
      session = await BrowserSession.start(browser, "test/native/remote-page.ts");
      await session.prepare();
    });
    afterAll(async () => {
      await session.close();
      scratch.remove();
    });
    beforeEach(async () => {
      service = await ScriptedService.start();
      service.allowsPages = true;
      const download_url = service.url + RESULT;
      service
        .at(CONVERT, json(200, { success: true, download_url, file_name: "corpus.pdf" }))
        .at(RESULT, text(200, PDF));
    });
    afterEach(() => service.close());

    function convert(output = scratch.path("output")): Promise<SessionAnswer> {
      const job: RemotePageJob = { baseUrl: service.url, to: "pdf" };
      return session.run(job, input, output);
    }

    test("converts the file", async () => {
      const output = scratch.path("output.pdf");
      expect(await convert(output)).toMatchObject({ kind: "file", fileName: "corpus.pdf" });
      expect(readFileSync(output, "utf8")).toBe(PDF);
      const [upload] = service.requests.filter(({ method }) => method === "POST");
      expect(upload?.headers.authorization).toBe("Bearer key");
      expect(upload?.form?.get("file")).toMatchObject({ name: "corpus.rtf", size: 8 });
      expect(service.paths).toEqual([CONVERT, RESULT]);
    });

    test("cannot redirect the upload to another server", async () => {
      const elsewhere = await ScriptedService.start();
      onTestFinished(() => elsewhere.close());
      elsewhere.allowsPages = true;
      service.at(CONVERT, text(307, "", { Location: elsewhere.url + CONVERT }));
      expect(await convert()).toMatchObject({
        code: "remote_failed",
        message: expect.stringContaining("redirects"),
      });
      expect([service.paths, elsewhere.requests]).toEqual([[CONVERT], []]);
    });

    test("gets no file when CORS does not allow the page", async () => {
      service.allowsPages = false;
      expect(await convert()).toMatchObject({ code: "remote_failed" });
      expect(service.paths).toEqual([]);
    });

    test("returns remote_failed when the download breaks off", async () => {
      service.at(RESULT, cutOff(PDF));
      expect(await convert()).toMatchObject({ code: "remote_failed" });
    });
  });
});
