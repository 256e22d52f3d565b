import { three, unchosen, ZIP } from "./request-files.ts";
import { request, type ServiceRequest } from "./service-request.ts";

/** Requests that no call of a method can be like. */
export const FORM_REQUESTS: readonly ServiceRequest[] = [
  request(
    "fields of the app",
    "splitPdf",
    { file: three, pages: "1,2-3", csrf_token: "4711", submit: "Split" },
    { fileName: 'split-Prüfung "1".v2.zip', begins: ZIP },
  ),
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
