import type { ErrorCode, ErrorDetails } from "../../../src/shared/errors.ts";
import { protectBytes } from "../engine.ts";
import { makePng } from "../fixtures/image/png.ts";
import { docx } from "../fixtures/office/documents.ts";
import { makeOutlinedPdf } from "../fixtures/outlined-pdf.ts";
import { makePdf } from "../fixtures/pdf.ts";
import type { OperationName } from "./contract.ts";

/** A file in a form. */
export interface FormFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/** The value of one entry of a form. */
export type FormValue = string | FormFile;

/** What a request carries: a form, or what is none. */
export type RequestBody =
  | { readonly form: readonly (readonly [name: string, value: FormValue])[] }
  | { readonly text: string; readonly type: string };

/** One request to the service, and what it is answered, whoever answers it. */
export interface ServiceRequest {
  readonly title: string;
  readonly operation: OperationName;
  /** POST when absent. */
  readonly method?: "GET" | "PUT";
  readonly body?: RequestBody;
  readonly answer: Done | Failed;
}

export interface Done {
  readonly fileName: string;
  /** How the file begins, one character for each byte. */
  readonly begins: string;
}

export interface Failed {
  readonly code: ErrorCode;
  /** Some of them. */
  readonly details?: ErrorDetails;
}

const PDF = "%PDF-";
const ZIP = "PK\x03\x04";
const JPG = "\xff\xd8\xff";
const PNG = "\x89PNG";

const three: FormFile = { name: 'Prüfung "1".v2.pdf', content: makePdf({ pages: 3 }) };
const locked: FormFile = {
  name: "locked.pdf",
  content: await protectBytes(three.content, { password: "key" }),
};
const outlined: FormFile = {
  name: "outlined.pdf",
  content: makeOutlinedPdf(3, [
    ["(Start)", 1],
    ["(End)", 3],
  ]),
};
const letter: FormFile = { name: "letter.docx", content: docx(["Dear reader"]) };
const text: FormFile = { name: "report.pdf", content: new TextEncoder().encode("just text") };
const note: FormFile = {
  name: "note.txt",
  content: new TextEncoder().encode("A note of two lines.\nThe end.\n"),
};
const picture: FormFile = {
  name: "picture.jpeg",
  content: makePng({
    ...{ width: 40, height: 30, colorType: 6, bitDepth: 8 },
    sample: (x, y) => [6 * x, 8 * y, 100, 255 - x],
  }),
};
const unchosen: FormFile = { name: "", content: new Uint8Array() };

function request(
  title: string,
  operation: OperationName,
  /** A list repeats its field. */
  fields: Readonly<Record<string, FormValue | readonly FormValue[]>>,
  answer: Done | Failed,
): ServiceRequest {
  const form = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, FormValue] => [name, each]),
  );
  return { title, operation, body: { form }, answer };
}

/** Answered on the device. */
export const LOCAL_REQUESTS: readonly ServiceRequest[] = [
  request(
    "a PDF to PDF",
    "convert",
    { file: three, output_format: "PDF", pages: "2-" },
    { fileName: 'Prüfung "1".v2.pdf', begins: PDF },
  ),
  request(
    "an image to JPG, by what it is and not by its name",
    "convert",
    { file: picture, output_format: "jpeg", quality: "0.5", background: "red", keep_metadata: "false" },
    { fileName: "picture.jpg", begins: JPG },
  ),
  request(
    "an image to a smaller one",
    "convert",
    { file: picture, output_format: "png", max_width: "20", max_height: "20" },
    { fileName: "picture.png", begins: PNG },
  ),
  request(
    "a width that is none",
    "convert",
    { file: picture, output_format: "png", max_width: "wide" },
    { code: "invalid_parameter", details: { parameter: "max_width" } },
  ),
  request(
    "a width for a PDF",
    "convert",
    { file: picture, output_format: "pdf", max_width: "20" },
    { code: "invalid_parameter", details: { parameter: "max_width" } },
  ),
  request(
    "an image to PNG",
    "convert",
    { file: picture, output_format: "png" },
    { fileName: "picture.png", begins: PNG },
  ),
  request(
    "an image to PDF",
    "convert",
    { file: picture, output_format: "pdf", page_size: "a4" },
    { fileName: "picture.pdf", begins: PDF },
  ),
  request(
    "several images to one PDF",
    "convert",
    { file: [picture, { ...picture, name: "second.png" }], output_format: "pdf" },
    { fileName: "picture.pdf", begins: PDF },
  ),
  request(
    "an image and a PDF to one PDF",
    "convert",
    { file: [picture, three], output_format: "pdf" },
    { code: "unsupported_conversion" },
  ),
  request(
    "pages of several images",
    "convert",
    { file: [picture, picture], output_format: "pdf", pages: "1" },
    { code: "invalid_parameter", details: { parameter: "pages" } },
  ),
  request(
    "several files, one of them unknown",
    "convert",
    { file: [picture, text], output_format: "pdf" },
    { code: "unsupported_input", details: { file_index: 1 } },
  ),
  request(
    "a page of a PDF to an image",
    "convert",
    { file: three, output_format: "png", pages: "2", dpi: "36" },
    { fileName: 'Prüfung "1".v2.png', begins: PNG },
  ),
  request(
    "the pages of a PDF to images",
    "convert",
    { file: three, output_format: "jpg", dpi: "36" },
    { fileName: 'Prüfung "1".v2.zip', begins: ZIP },
  ),
  request(
    "the text of a PDF",
    "convert",
    { file: three, output_format: "txt", pages: "2-" },
    { fileName: 'Prüfung "1".v2.txt', begins: "This is " },
  ),
  request(
    "a text that is no input",
    "convert",
    { file: note, output_format: "pdf" },
    { code: "unsupported_input" },
  ),
  request(
    "an image to text",
    "convert",
    { file: picture, output_format: "txt" },
    { code: "unsupported_conversion", details: { from: "png", to: "txt" } },
  ),
  request(
    "protecting",
    "protectPdf",
    { file: three, password: "key", owner_password: "more", permissions: "print,copy" },
    { fileName: 'protected-Prüfung "1".v2.pdf', begins: PDF },
  ),
  request(
    "restricting a file that opens for everyone",
    "protectPdf",
    { file: three, password: "", owner_password: "more", permissions: "print_low" },
    { fileName: 'protected-Prüfung "1".v2.pdf', begins: PDF },
  ),
  request(
    "an owner password alone",
    "protectPdf",
    { file: three, password: "", owner_password: "more" },
    { fileName: 'protected-Prüfung "1".v2.pdf', begins: PDF },
  ),
  request(
    "unlocking",
    "unlockPdf",
    { file: locked, password: "key" },
    { fileName: "unlocked-locked.pdf", begins: PDF },
  ),
  request(
    "splitting",
    "splitPdf",
    { file: three, pages: "1,2-3", token: "of the app" },
    { fileName: 'split-Prüfung "1".v2.zip', begins: ZIP },
  ),
  request(
    "splitting every so many pages",
    "splitPdf",
    { file: three, every: "2" },
    { fileName: 'split-Prüfung "1".v2.zip', begins: ZIP },
  ),
  request(
    "splitting by the outline",
    "splitPdf",
    { file: outlined, by: "outline" },
    { fileName: "split-outlined.zip", begins: ZIP },
  ),
  request(
    "splitting by size",
    "splitPdf",
    { file: three, max_bytes: "1000" },
    { fileName: 'split-Prüfung "1".v2.zip', begins: ZIP },
  ),
  request(
    "splitting what is protected",
    "splitPdf",
    { file: locked, pages: "odd", password: "key" },
    { fileName: "split-locked.zip", begins: ZIP },
  ),
  request(
    "merging a PDF, an image and a protected PDF",
    "mergePdf",
    { file: [three, picture, locked], pages: ["3,1", "", "2-"], password: ["", "", "key"] },
    { fileName: 'merged-Prüfung "1".v2.pdf', begins: PDF },
  ),
  request(
    "a single file to merge",
    "mergePdf",
    { file: three },
    { code: "invalid_parameter", details: { parameter: "file" } },
  ),
  request(
    "pages for one of two files",
    "mergePdf",
    { file: [three, picture], pages: "1" },
    { code: "invalid_parameter", details: { parameter: "pages" } },
  ),
  request(
    "a page that the second file does not have",
    "mergePdf",
    { file: [three, three], pages: ["", "1,4"] },
    { code: "invalid_page_selection", details: { position: 2, page_count: 3, file_index: 1 } },
  ),
  request(
    "an office document to merge",
    "mergePdf",
    { file: [three, letter] },
    { code: "unsupported_input", details: { file_index: 1 } },
  ),
  request(
    "no file",
    "splitPdf",
    { pages: "1" },
    { code: "missing_parameter", details: { parameter: "file" } },
  ),
  request(
    "no way to split",
    "splitPdf",
    { file: three },
    { code: "missing_parameter", details: { parameter: "pages" } },
  ),
  request(
    "two ways to split",
    "splitPdf",
    { file: three, pages: "1", every: "2" },
    { code: "invalid_parameter", details: { parameter: "pages" } },
  ),
  request(
    "half a page in each part",
    "splitPdf",
    { file: three, every: "0.5" },
    { code: "invalid_parameter", details: { parameter: "every" } },
  ),
  request(
    "a way to split that there is not",
    "splitPdf",
    { file: three, by: "chapters" },
    { code: "invalid_parameter", details: { parameter: "by" } },
  ),
  request(
    "a size that is none",
    "splitPdf",
    { file: three, max_bytes: "5 MB" },
    { code: "invalid_parameter", details: { parameter: "max_bytes" } },
  ),
  request(
    "splitting by an outline that there is not",
    "splitPdf",
    { file: three, by: "outline" },
    { code: "invalid_parameter", details: { parameter: "by" } },
  ),
  request(
    "a file that is a text",
    "splitPdf",
    { file: "report.pdf", pages: "1" },
    { code: "invalid_parameter", details: { parameter: "file" } },
  ),
  request(
    "two files for an operation that takes one",
    "splitPdf",
    { file: [three, three], pages: "1" },
    { code: "invalid_parameter", details: { parameter: "file" } },
  ),
  request(
    "no password",
    "unlockPdf",
    { file: locked },
    { code: "missing_parameter", details: { parameter: "password" } },
  ),
  request(
    "an empty password to protect with",
    "protectPdf",
    { file: three, password: "" },
    { code: "invalid_parameter", details: { parameter: "password" } },
  ),
  request(
    "two empty passwords to protect with",
    "protectPdf",
    { file: three, password: "", owner_password: "", permissions: "print" },
    { code: "invalid_parameter", details: { parameter: "password" } },
  ),
  request(
    "a password that is the owner password, too",
    "protectPdf",
    { file: three, password: "key", owner_password: "key", permissions: "print" },
    { code: "invalid_parameter", details: { parameter: "owner_password" } },
  ),
  request(
    "a permission that there is not",
    "protectPdf",
    { file: three, password: "key", permissions: "print,fly" },
    { code: "invalid_parameter", details: { parameter: "permissions" } },
  ),
  request(
    "a quality out of range",
    "convert",
    { file: picture, output_format: "jpg", quality: "80" },
    { code: "invalid_parameter", details: { parameter: "quality" } },
  ),
  request(
    "a color that is none",
    "convert",
    { file: picture, output_format: "jpg", background: "no color" },
    { code: "invalid_parameter", details: { parameter: "background" } },
  ),
  request(
    "pages that are none",
    "splitPdf",
    { file: three, pages: "1,x" },
    { code: "invalid_page_selection", details: { position: 2 } },
  ),
  request(
    "a page that is not there",
    "splitPdf",
    { file: three, pages: "1,4" },
    { code: "invalid_page_selection", details: { position: 2, page_count: 3 } },
  ),
  request(
    "the primary page of a PDF",
    "convert",
    { file: three, output_format: "png", pages: "primary" },
    { code: "invalid_page_selection", details: { position: 0, page_count: 3 } },
  ),
  request(
    "the primary image of a file with one",
    "convert",
    { file: picture, output_format: "png", pages: "primary" },
    { fileName: "picture.png", begins: PNG },
  ),
  request("what is no PDF", "splitPdf", { file: text, pages: "1" }, { code: "unsupported_input" }),
  request("an image to split", "splitPdf", { file: picture, pages: "1" }, { code: "unsupported_input" }),
  request(
    "a format that there is not",
    "convert",
    { file: three, output_format: "banana" },
    { code: "unsupported_conversion" },
  ),
  request("a wrong password", "unlockPdf", { file: locked, password: "no" }, { code: "wrong_password" }),
  request("a password too few", "splitPdf", { file: locked, pages: "1" }, { code: "password_required" }),
  request("unlocking what is open", "unlockPdf", { file: three, password: "a" }, { code: "not_encrypted" }),
  request(
    "protecting what is protected",
    "protectPdf",
    { file: locked, password: "a" },
    { code: "already_encrypted" },
  ),
  request(
    "an office format without a service",
    "convert",
    { file: letter, output_format: "pdf" },
    { code: "remote_not_configured" },
  ),
];

/** Refused before anybody looks at a file: what only a request can be, and no call of a method. */
export const REFUSED_REQUESTS: readonly ServiceRequest[] = [
  { title: "GET", operation: "convert", method: "GET", answer: { code: "method_not_allowed" } },
  {
    title: "PUT",
    operation: "convert",
    method: "PUT",
    body: { form: [["file", three]] },
    answer: { code: "method_not_allowed" },
  },
  request(
    "a file that nobody chose",
    "convert",
    { file: unchosen, output_format: "pdf" },
    { code: "missing_parameter", details: { parameter: "file" } },
  ),
  { title: "no body", operation: "convert", answer: { code: "unsupported_input" } },
  {
    title: "JSON",
    operation: "convert",
    body: { text: '{"output_format":"pdf"}', type: "application/json" },
    answer: { code: "unsupported_input" },
  },
  {
    title: "a URL-encoded form",
    operation: "convert",
    body: { text: "output_format=pdf", type: "application/x-www-form-urlencoded" },
    answer: { code: "unsupported_input" },
  },
  {
    title: "a form without a boundary",
    operation: "convert",
    body: { text: "--a--", type: "multipart/form-data" },
    answer: { code: "unsupported_input" },
  },
  {
    title: "a form that is cut off",
    operation: "convert",
    body: {
      text: '--edge\r\nContent-Disposition: form-data; name="output_format"\r\n\r\npd',
      type: "multipart/form-data; boundary=edge",
    },
    answer: { code: "invalid_parameter", details: { parameter: "body" } },
  },
];

/** Answered by the remote service, at the end. */
export const OFFICE_REQUESTS: readonly ServiceRequest[] = [
  request(
    "an office document to PDF",
    "convert",
    { file: letter, output_format: "pdf" },
    { fileName: "letter.pdf", begins: PDF },
  ),
  request(
    "an office document to an image",
    "convert",
    { file: letter, output_format: "png" },
    { fileName: "letter.png", begins: PNG },
  ),
  request(
    "a PDF to an office document",
    "convert",
    { file: { ...three, name: "Prüfung.v2.pdf" }, output_format: "docx" },
    { fileName: "Prüfung.v2.docx", begins: ZIP },
  ),
  request(
    "a pair that nobody offers",
    "convert",
    { file: letter, output_format: "xlsx" },
    { code: "unsupported_conversion" },
  ),
  request(
    "no format",
    "convert",
    { file: letter },
    { code: "missing_parameter", details: { parameter: "output_format" } },
  ),
  request(
    "no file",
    "convert",
    { output_format: "pdf" },
    { code: "missing_parameter", details: { parameter: "file" } },
  ),
  request(
    "what is no document",
    "convert",
    { file: text, output_format: "docx" },
    { code: "unsupported_input" },
  ),
];
