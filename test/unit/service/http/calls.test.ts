import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { Calls } from "../../../../service/http/calls.ts";
import { settled } from "../../../../service/http/service-options.ts";

vi.mock(import("node:fs/promises"), async (original) => ({
  ...(await original()),
  mkdir: vi.fn(),
  rm: vi.fn(),
}));

test("a folder that cannot be deleted is reported, and the call keeps its own outcome", async () => {
  const failure = new Error("EIO: i/o error, rm");
  vi.mocked(rm).mockRejectedValue(failure);
  const onFailure = vi.fn();
  const calls = new Calls(
    join(tmpdir(), "calls"),
    settled({ key: "key", packageUrl: "file:///", onFailure }),
  );
  const request = Object.assign(new PassThrough(), { headers: {}, socket: { bytesRead: 0 } });
  const caller = {
    request: request as unknown as IncomingMessage,
    response: new PassThrough() as unknown as ServerResponse,
    accept: () => {},
    closing: new AbortController().signal,
  };
  await expect(calls.run("compressPdf", caller, vi.fn())).rejects.toMatchObject({
    code: "unsupported_input",
  });
  expect(onFailure.mock.calls).toEqual([[failure]]);
});
