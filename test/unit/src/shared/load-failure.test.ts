import { afterEach, describe, expect, test, vi } from "vitest";
import { notLoaded } from "../../../../src/shared/load-failure.ts";

const url = "https://app.example/stayput/image.js";
const DOCS = /See https:\/\/github\.com\/stayput\/stayput\/\S+bundlers\.md#[\w-]+$/;

/** Stubs the page at https://app.example, and what its server answers. */
function stubServer(answer: () => Response | Promise<never>): void {
  vi.stubGlobal("origin", "https://app.example");
  vi.stubGlobal("fetch", async () => answer());
}

const sent = (type: string, status = 200) => new Response("x", { status, headers: { "Content-Type": type } });
const refused = () => Promise.reject(new TypeError("Failed to fetch"));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a part that could not be loaded", () => {
  test.each([
    [
      "was not copied",
      () => sent("text/plain", 404),
      /status 404\. Copy the files .*npx stayput copy.*assetUrl/,
    ],
    ["is answered with the page of an app", () => sent("text/html"), /HTML page\. Copy the files/],
    ["is sent with a wrong type", () => sent("text/plain"), /"text\/plain": send text\/javascript/],
    [
      "is forbidden by a policy",
      () => sent("text/javascript"),
      /is there\. .*Content-Security-Policy .*script-src/,
    ],
    ["cannot be requested", refused, /cannot be requested\. .*Content-Security-Policy/],
  ])("because it %s", async (_, answer, advice) => {
    stubServer(answer);
    const error = await notLoaded({ part: "The file image.js of Stayput", url, reason: "TypeError: failed" });
    expect(error.code).toBe("internal_error");
    expect(error.message).toBe("A part of this app could not be loaded. Reload or restart the app.");
    const { cause } = error.details;
    expect(cause).toContain(
      `The file image.js of Stayput could not be loaded from ${url} (TypeError: failed). `,
    );
    expect(cause).toMatch(advice);
    expect(cause).toMatch(DOCS);
  });

  test("from another origin names CORS and the directives for a Blob", async () => {
    stubServer(refused);
    const foreign = "https://cdn.example/worker.js";
    const { details } = await notLoaded({ part: "The worker", url: foreign, throughBlob: true });
    expect(details.cause).toMatch(/\(CORS\)\. .*"blob:" and https:\/\/cdn\.example in worker-src/);
  });

  test.each([url, undefined])("while the device is offline is offline (%s)", async (address) => {
    stubServer(refused);
    vi.stubGlobal("navigator", { onLine: false });
    const error = await notLoaded({ part: "The worker", url: address });
    expect(error.code).toBe("offline");
    expect(error.message).toBe("The device is offline. Connect and try again.");
  });

  test("from an unknown place has no URL", async () => {
    const { details } = await notLoaded({ part: "The worker" });
    expect(details.cause).toMatch(/^The worker could not be loaded\. /);
  });
});
