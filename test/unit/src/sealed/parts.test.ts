import { expect, test, vi } from "vitest";
import { Parts } from "../../../../src/sealed/parts.ts";
import { FACES } from "../../../../src/shared/font-faces.ts";
import type { PartAnswer } from "../../../../src/shared/sealing.ts";

const FOLDERS = { assetUrl: "https://app.example/stayput/", fontUrl: "https://fonts.example/" };

/** Returns parts whose requests a function answers. */
function partsOf(answer: () => Response) {
  const fetch = vi.fn(async (_address: unknown, _init?: RequestInit) => answer());
  const parts = new Parts(FOLDERS, fetch);
  parts.allow(["worker.js", "pdfium.wasm"]);
  return { parts, fetch };
}

/** Asks as a worker does. */
function ask(port: MessagePort, request: string): Promise<PartAnswer> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    port.postMessage(request, [port2]);
  });
}

test("requests a part once, with its type", async () => {
  const { parts, fetch } = partsOf(
    () => new Response("code", { headers: { "Content-Type": "application/wasm" } }),
  );
  const address = `${FOLDERS.assetUrl}pdfium.wasm`;
  const [one, other] = await Promise.all([parts.get(address), parts.get(address)]);
  expect(one).toBe(other);
  expect(one).toMatchObject({ status: 200, type: "application/wasm" });
  expect(fetch.mock.calls).toEqual([[address, {}]]);
});

test("requests fonts by their known names, without redirects", async () => {
  const { parts, fetch } = partsOf(() => new Response("font"));
  const address = FOLDERS.fontUrl + FACES.latin.bold;
  expect(await parts.get(address)).toMatchObject({ status: 200 });
  expect(fetch.mock.calls).toEqual([[address, { redirect: "error" }]]);
});

test.each([
  `${FOLDERS.assetUrl}pdfium.wasm?the-secret`,
  `${FOLDERS.assetUrl}pdfium.wasm#the-secret`,
  `${FOLDERS.assetUrl}x/../pdfium.wasm`,
  `${FOLDERS.assetUrl}the-secret.wasm`,
  `${FOLDERS.assetUrl}toString`,
  `${FOLDERS.fontUrl}pdfium.wasm`,
  "https://evil.example/pdfium.wasm",
  "",
])("refuses %s without a request", async (address) => {
  const { parts, fetch } = partsOf(() => new Response());
  expect(await parts.get(address)).toHaveProperty("failure");
  expect(fetch).not.toHaveBeenCalled();
});

test("requests a part that failed only again for a worker that the page starts", async () => {
  const { parts, fetch } = partsOf(() => new Response("", { status: 404 }));
  const address = `${FOLDERS.assetUrl}worker.js`;
  expect(await parts.get(address)).toMatchObject({ status: 404 });
  expect(await parts.get(address)).toMatchObject({ status: 404 });
  expect(fetch).toHaveBeenCalledTimes(1);
  parts.retryFailed();
  expect(await parts.get(address)).toMatchObject({ status: 404 });
  expect(fetch).toHaveBeenCalledTimes(2);
});

test("answers a failed request with its reason", async () => {
  const { parts } = partsOf(() => {
    throw new TypeError("Failed to fetch");
  });
  expect(await parts.get(`${FOLDERS.assetUrl}worker.js`)).toEqual({ failure: "TypeError: Failed to fetch" });
});

test("answers workers over their ports, and their helpers over ports of these", async () => {
  const { parts } = partsOf(() => new Response("code"));
  const worker = new MessageChannel();
  const helper = new MessageChannel();
  parts.serve(worker.port1);
  worker.port2.postMessage(null, [helper.port1]);
  expect(await ask(helper.port2, `${FOLDERS.assetUrl}worker.js`)).toMatchObject({ status: 200 });
  expect(await ask(worker.port2, "https://evil.example/")).toHaveProperty("failure");
  for (const port of [worker.port2, helper.port2]) port.close();
});
