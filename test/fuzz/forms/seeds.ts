import type { FormModel, Part } from "./form-model.ts";

/** A password that is in no other text. No answer may contain it. */
export const SECRET = "correct-horse-9371";

const PDF = Buffer.from("%PDF-1.7\n");
const PNG = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
const JPEG = Buffer.from("\xff\xd8\xff\xe0", "latin1");

const fileOf = (content: Uint8Array, fileName: string): Part => ({ name: "file", fileName, content });

const form = (path: string, files: readonly Part[], fields: Readonly<Record<string, string>>): FormModel => ({
  path,
  method: "POST",
  parts: [...files, ...Object.entries(fields).map(([name, text]) => ({ name, content: Buffer.from(text) }))],
  boundary: "----WebKitFormBoundary7MA4YWxkTrZu0gW",
  lineBreak: "\r\n",
  authorization: "Bearer key",
});

/** Forms that the service accepts: each operation, with all of its fields. */
export const FORM_SEEDS: readonly FormModel[] = [
  form("/api/protect-pdf", [fileOf(PDF, "report.pdf")], { password: SECRET, permissions: "print,copy" }),
  form("/api/protect-pdf", [fileOf(PDF, "Prüfbericht.pdf")], { password: SECRET, owner_password: "owner" }),
  form("/api/unlock-pdf", [fileOf(PDF, "C:\\files\\a.b.pdf")], { password: SECRET }),
  form("/api/split-pdf", [fileOf(PDF, "report.pdf")], { pages: "1,3-5,last", password: SECRET }),
  form("/api/split-pdf", [fileOf(PDF, "report.pdf")], { every: "2" }),
  form("/api/split-pdf", [fileOf(PDF, "report.pdf")], { by: "outline" }),
  form("/api/split-pdf", [fileOf(PDF, "report.pdf")], { max_bytes: "100000" }),
  form("/api/merge-pdf", [fileOf(PDF, "a.pdf"), fileOf(PNG, "b.png")], {}),
  form("/api/compress-pdf", [fileOf(PDF, "report.pdf")], {
    ...{ dpi: "100", quality: "0.6", max_bytes: "100000", password: SECRET },
  }),
  form("/api/clean-pdf", [fileOf(PDF, "report.pdf")], {
    keep: "comments,layers",
    flatten: "on",
    password: SECRET,
  }),
  form("/api/convert", [fileOf(PNG, "photo.png")], {
    ...{ output_format: "jpg", quality: "0.8", background: "white", keep_metadata: "true" },
    ...{ max_bytes: "50000", max_width: "800", max_height: "600" },
  }),
  form("/api/convert", [fileOf(JPEG, "a.jpg"), fileOf(PNG, "b.png")], {
    output_format: "pdf",
    page_size: "a4",
  }),
  form("/api/convert", [fileOf(PDF, "report.pdf")], {
    ...{ output_format: "png", dpi: "150", pages: "1-", password: SECRET },
  }),
];
