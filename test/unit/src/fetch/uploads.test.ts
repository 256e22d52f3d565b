import { describe, expect, test, vi } from "vitest";
import { errorOf, formOf, multipart, pdf, setUp } from "../../../support/fake-fetch.ts";

const ELSEWHERE = "https://other.example/upload";
const SERVICE = "https://service.example/api/split-pdf";
const withFile = () => formOf({ text: "a", any: pdf });
const post = (body: BodyInit | null) => ({ method: "POST", body, duplex: "half" });
const bytes = () => new TextEncoder().encode("%PDF-1.7");

/** A value with the class of another realm. */
function ofAnotherRealm(name: string, methods: object): BodyInit {
  return Object.defineProperty({ ...methods }, Symbol.toStringTag, { value: name }) as never;
}

describe('under remote: "never"', () => {
  test.each<[string, () => [RequestInfo | URL, RequestInit?]]>([
    ["a form with a file", () => [ELSEWHERE, post(withFile())]],
    ["a Blob", () => [new URL(ELSEWHERE), post(pdf)]],
    ["a Blob of another realm", () => [ELSEWHERE, post(ofAnotherRealm("Blob", {}))]],
    ["a buffer", () => [ELSEWHERE, post(bytes().buffer)]],
    ["a typed array", () => [ELSEWHERE, post(bytes())]],
    ["a stream", () => [ELSEWHERE, post(pdf.stream())]],
    ["a Request with a body", () => [new Request(ELSEWHERE, post("text"))]],
    ["a Request with another body", () => [new Request(ELSEWHERE), post(pdf)]],
    [
      "a form to a path beside that of the service",
      () => ["https://service.example/v1/protect-pdf", post(withFile())],
    ],
  ])("answers remote_refused to %s, and sends nothing", async (_, args) => {
    for (const baseUrl of [undefined, "https://service.example"]) {
      const { fetch, platform } = setUp({ remote: "never", baseUrl });
      const response = await fetch(...args());
      expect(response.url).toMatch(/^https:\/\/(other|service)\.example\//);
      expect(await errorOf(response)).toMatchObject({ status: 501, code: "remote_refused" });
      expect(platform).not.toHaveBeenCalled();
    }
  });

  test.each<[string, () => [RequestInfo | URL, RequestInit?]]>([
    ["no body", () => [ELSEWHERE]],
    ["a Request without a body", () => [new Request(ELSEWHERE, { method: "POST" }), {}]],
    ["a text", () => [ELSEWHERE, post("text")]],
    ["a text in place of the body of a Request", () => [new Request(ELSEWHERE, post(pdf)), post("text")]],
    ["a URL-encoded form", () => [ELSEWHERE, post(new URLSearchParams("a=b"))]],
    ["a form of texts", () => [ELSEWHERE, post(formOf({ a: ["b", "c"] }))]],
  ])("passes on %s at once", (_, args) => {
    const { fetch, platform } = setUp({ remote: "never" });
    const given = args();
    void fetch(...given);
    expect(platform.mock.calls).toEqual([given]);
  });

  test("reads a Request if the platform does not tell whether it has a body", async () => {
    const { fetch, platform } = setUp({ remote: "never" });
    const request = (body: string | null) =>
      Object.defineProperty(new Request(ELSEWHERE, post(body)), "body", { value: undefined });
    expect(await errorOf(await fetch(request("text")))).toMatchObject({ code: "remote_refused" });
    expect(platform).not.toHaveBeenCalled();
    const empty = request(null);
    expect(await (await fetch(empty)).text()).toBe("from the network");
    expect(platform.mock.calls).toEqual([[empty]]);
  });

  test("refuses the request of another client, which sends office files", async () => {
    const never = setUp({ remote: "never" });
    const transport = vi.fn<typeof fetch>((input, init) => never.fetch(input, init));
    const { client } = setUp({ baseUrl: "https://service.example", fetch: transport });
    const file = new File(["{\\rtf1 }"], "a.rtf");
    await expect(client.convert({ file, output_format: "pdf" })).rejects.toMatchObject({
      code: "remote_failed",
    });
    expect(transport).toHaveBeenCalledOnce();
    expect(never.platform).not.toHaveBeenCalled();
  });

  test("rejects with the reason of an aborted signal, like the platform", async () => {
    const reason = new Error("never mind");
    const { fetch } = setUp({ remote: "never" });
    const signal = AbortSignal.abort(reason);
    await expect(fetch(ELSEWHERE, { ...post(pdf), signal })).rejects.toBe(reason);
  });
});

describe("without baseUrl, a form with a file to an operation of another origin", () => {
  test.each([
    [SERVICE, "https://service.example"],
    ["https://service.example/pdf/api/convert?a=b", "https://service.example/pdf"],
    ["https://SERVICE.example//api//merge-pdf#top", "https://service.example"],
    ["https://service.example/API/%73plit-pdf/", "https://service.example"],
    ["https://service.example/api;a=b/unlock-pdf", "https://service.example"],
    ["https://service.example:8443/x/..\\api%5Cprotect-pdf", "https://service.example:8443"],
  ])("is remote_not_configured, and names the base: %s", async (url, base) => {
    for (const remote of ["office", "never"] as const) {
      const { fetch, platform } = setUp({ remote });
      const response = await fetch(url, post(withFile()));
      const { error } = await response.clone().json();
      expect(error.message).toContain(`Set the option "baseUrl" of the client to ${base}.`);
      expect(await errorOf(response)).toEqual({ status: 501, code: "remote_not_configured", details: {} });
      expect(platform).not.toHaveBeenCalled();
    }
  });

  test("is recognized as a Request and as bytes", async () => {
    const { fetch, platform } = setUp({});
    const { headers, text } = multipart();
    const body = new TextEncoder().encode(text);
    const notConfigured = { code: "remote_not_configured" };
    expect(await errorOf(await fetch(new Request(SERVICE, post(withFile()))))).toMatchObject(notConfigured);
    expect(await errorOf(await fetch(SERVICE, { method: "POST", headers, body }))).toMatchObject(
      notConfigured,
    );
    expect(platform).not.toHaveBeenCalled();
  });

  test("is not confused with other requests", async () => {
    const { fetch, platform } = setUp({});
    await fetch(SERVICE, post(formOf({ pages: "1" })));
    await fetch(new Request(SERVICE, post(formOf({ pages: "1" }))));
    await fetch(SERVICE, post(pdf));
    await fetch("https://service.example/api/users", post(withFile()));
    await fetch("https://service.example/api/split-pdf/1", post(withFile()));
    expect(platform).toHaveBeenCalledTimes(5);
  });
});

describe("allowUploads", () => {
  test("lets files go to its origins only", async () => {
    const { fetch, platform } = setUp({
      remote: "never",
      allowUploads: ["https://service.example/", new URL("https://files.example:443")],
    });
    await fetch(SERVICE, post(withFile()));
    await fetch(new Request("https://files.example/any", post(pdf)));
    expect(platform).toHaveBeenCalledTimes(2);
    for (const url of [ELSEWHERE, "http://files.example/", "https://files.example:8443/"])
      expect((await fetch(url, post(pdf))).status).toBe(501);
    expect(platform).toHaveBeenCalledTimes(2);
  });

  test("does not change what is answered here", async () => {
    const baseUrl = "https://service.example";
    const { fetch, platform } = setUp({ remote: "never", baseUrl, allowUploads: [baseUrl] });
    expect((await fetch(SERVICE, post(formOf({ pages: "1" })))).status).toBe(400);
    expect(platform).not.toHaveBeenCalled();
  });
});
