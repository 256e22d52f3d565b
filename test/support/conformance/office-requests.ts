import { letter, PDF, PNG, text, three, ZIP } from "./request-files.ts";
import { request, type ServiceRequest } from "./service-request.ts";

/** Requests that the remote service answers. */
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
