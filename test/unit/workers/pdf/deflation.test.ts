import { randomBytes } from "node:crypto";
import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { protectBytes, repairBytes, splitBytes, unlockBytes } from "../../../support/engine.ts";
import { catalogOf, pageOf, pdfOf } from "../../../support/fixtures/pdf-objects.ts";
import { textOf } from "../../../support/made-texts.ts";

/** A document of one page with one more stream. */
const documentWith = (stream: string, entries = "") =>
  pdfOf([
    ...catalogOf("3 0 R"),
    pageOf(3, "/Extra 4 0 R"),
    { num: 4, body: `<</Extra true${entries}>>`, stream },
  ]);

/** The stream as a file has it. */
function extraIn(file: Uint8Array): { readonly entries: string; readonly data: string } {
  const text = textOf(file);
  const [whole = "", entries = "", length = "0"] =
    /<<([^\n]*\/Extra true[^\n]*\/Length (\d+))>>\nstream\n/.exec(text) ?? [];
  const start = text.indexOf(whole) + whole.length;
  return { entries, data: text.slice(start, start + Number(length)) };
}

async function split(input: Uint8Array): Promise<Uint8Array> {
  const [file] = await splitBytes(input, { pages: "1" });
  return file?.bytes ?? new Uint8Array();
}

const REPETITIVE = "so that there is something to deflate ".repeat(100);

describe("an uncompressed stream", () => {
  it.each([
    ["split", split],
    ["repair", repairBytes],
  ])("is deflated by %s", async (_, write) => {
    const { entries, data } = extraIn(await write(documentWith(REPETITIVE)));
    expect(entries).toContain("/Filter /FlateDecode");
    expect(inflateSync(Buffer.from(data, "latin1")).toString("latin1")).toBe(REPETITIVE);
    expect(data.length).toBeLessThan(REPETITIVE.length / 10);
  });

  it.each([
    ["gets no smaller", textOf(randomBytes(4000)), ""],
    ["is larger than a megabyte", "a".repeat(1_100_000), ""],
    ["has a filter already", REPETITIVE, "/Filter/DCTDecode"],
    ["has its data in another file", REPETITIVE, "/F(elsewhere)"],
  ])("stays as it is when it %s", async (_, stream, entries) => {
    const found = extraIn(await split(documentWith(stream, entries)));
    expect(found.data).toBe(stream);
    expect(found.entries).not.toContain("FlateDecode");
  });

  it("is copied unchanged when it is metadata", async () => {
    const { entries, data } = extraIn(await repairBytes(documentWith(REPETITIVE, "/Type/Metadata")));
    expect(entries).not.toContain("/Filter");
    expect(data).toBe(REPETITIVE);
  });

  it("is copied unchanged by protect and unlock", async () => {
    const locked = await protectBytes(documentWith(REPETITIVE), { password: "secret" });
    const { entries, data } = extraIn(await unlockBytes(locked, "secret"));
    expect(entries).not.toContain("/Filter");
    expect(data).toBe(REPETITIVE);
  });
});
