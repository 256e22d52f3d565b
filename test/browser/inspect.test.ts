import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, type InspectParams, ServiceError } from "../../src/index.ts";
import { makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { drawing, QUARTERS, quarters } from "./pictures.ts";

function newClient() {
  const client = createClient();
  onTestFinished(() => client.close());
  return client;
}

const shared = createClient();
const inspect = (params: InspectParams) => shared.inspect(params);
const A4 = { width: 595, height: 842 };

describe("inspect, in a real tab with real workers", () => {
  test("a PDF", async () => {
    const file = new File([makePdf({ pages: 2 })], "report.pdf");
    expect(await inspect({ file })).toEqual({
      ...{ format: "pdf", size: file.size, pages: 2, page_sizes: [A4, A4], encrypted: false },
      ...{ has_outline: false, has_form: false, is_signed: false },
    });
  });

  test("a protected PDF, without its password, with it and with a wrong one", async () => {
    const client = newClient();
    const file = new Blob([makePdf({ pages: 1 })]);
    const locked = client.blob(
      await client.protectPdf({ file, password: "secret", permissions: ["copy", "print_low"] }),
    );
    const known = { encrypted: true, opens_with_empty_password: false, permissions: ["print_low", "copy"] };
    expect(await client.inspect({ file: locked })).toMatchObject(known);
    expect(await client.inspect({ file: locked, password: "secret" })).toMatchObject({ ...known, pages: 1 });
    const wrong = client.inspect({ file: locked, password: "wrong" });
    await expect(wrong).rejects.toBeInstanceOf(ServiceError);
    await expect(wrong).rejects.toMatchObject({ code: "wrong_password" });
    // The worker goes on.
    expect(await client.inspect({ file })).toMatchObject({ pages: 1 });
  });

  test("images: sizes as shown", async () => {
    const photo = jpegWith(await drawing("image/jpeg", 64, 32, quarters), { exif: makeExif(6) });
    expect(await inspect({ file: new Blob([photo]) })).toEqual({
      ...{ format: "jpg", size: photo.length, images: 1, page_sizes: [{ width: 32, height: 64 }] },
    });
    const gif = makeGif(20, 10, QUARTERS, () => 0);
    expect(await inspect({ file: new Blob([gif]) })).toMatchObject({
      ...{ format: "gif", images: 1, page_sizes: [{ width: 20, height: 10 }] },
    });
  });

  test("a damaged image is damaged_file", async () => {
    const cut = new Blob([makeGif(20, 10, QUARTERS, () => 0).slice(0, 20)]);
    await expect(inspect({ file: cut })).rejects.toMatchObject({ code: "damaged_file" });
  });
});
