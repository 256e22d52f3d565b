import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/index.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

// Whether real engines say which file needs a password, and read the results of earlier calls.

test("a merge asks for the password of each locked file, and takes results", async () => {
  const client = createClient();
  onTestFinished(() => client.close());
  const plain = (name: string) => new File([makePdf({ pages: 2 })], name);
  const first = await client.protectPdf({ file: plain("first.pdf"), password: "1" });
  const second = await client.protectPdf({ file: plain("second.pdf"), password: "2" });
  const asked: string[] = [];
  const merged = await client.mergePdf({
    file: [first, plain("open.pdf"), second],
    password: (file, { attempt }) => {
      const { name } = file as File;
      asked.push(`${name} ${attempt}`);
      if (attempt === 1) return "wrong";
      return name === "protected-first.pdf" ? "1" : "2";
    },
  });
  expect(asked).toEqual([
    "protected-first.pdf 1",
    "protected-first.pdf 2",
    "protected-second.pdf 1",
    "protected-second.pdf 2",
  ]);
  expect(merged.file_name).toBe("merged-protected-first.pdf");
  const document = await PDFDocument.load(await client.blob(merged).arrayBuffer());
  expect(document.getPageCount()).toBe(6);
});

test("unlock, inspect and renderPages ask for the password of a locked file", async () => {
  const client = createClient();
  onTestFinished(() => client.close());
  const plain = new File([makePdf({ pages: 2 })], "report.pdf");
  const locked = await client.protectPdf({ file: plain, password: "key" });
  const attempts: number[] = [];
  const password = async (_: Blob, { attempt }: { readonly attempt: number }) => {
    attempts.push(attempt);
    return ["wrong", "key"][attempt - 1];
  };
  const unlocked = await client.unlockPdf({ file: locked, password });
  expect((await client.inspect({ file: locked, password })).pages).toBe(2);
  const pages: number[] = [];
  for await (const { page } of client.renderPages({ file: locked, password, width: 20 })) pages.push(page);
  expect(pages).toEqual([1, 2]);
  expect(attempts).toEqual([1, 2, 1, 2, 1, 2]);

  await expect(client.unlockPdf({ file: unlocked, password })).rejects.toMatchObject({
    code: "not_encrypted",
  });
  const givesUp = { file: locked, password: () => undefined };
  await expect(client.unlockPdf(givesUp)).rejects.toMatchObject({ code: "password_required" });
  await expect(client.inspect(givesUp)).rejects.toMatchObject({ code: "password_required" });
  unlocked[Symbol.dispose]();
  expect(() => client.blob(unlocked)).toThrow("released");
});
