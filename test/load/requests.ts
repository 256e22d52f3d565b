import { makePdf } from "../support/fixtures/pdf.ts";
import { COPY_KEY } from "../support/service-copy.ts";

/** A request of the load, and its answer. */
export interface LoadRequest {
  /** The name in the summary. */
  readonly title: string;
  /** The path of an operation. */
  readonly path: string;
  /** The fields of the form. A list is a field that is sent several times. */
  readonly fields: Readonly<Record<string, string | File | readonly File[]>>;
  /** Sent without the key. */
  readonly isAnonymous?: boolean;
  /** `success`, or the code of the error. */
  readonly expects: string;
}

/** The files that the requests send. */
interface Inputs {
  readonly pdf: File;
  readonly locked: File;
  readonly jpg: File;
  readonly png: File;
}

/**
 * Makes the requests of the load. The service makes their images and the file with a password.
 *
 * @param url of a copy
 */
export async function loadRequests(url: string): Promise<readonly LoadRequest[]> {
  const pdf = new File([makePdf({ pages: 12, ballastPerPage: 20_000 })], "report.pdf");
  const make = (path: string, fields: LoadRequest["fields"], name: string) =>
    madeFile(url, path, fields, name);
  const drawn = { file: pdf, pages: "1", dpi: "72" };
  return requestsOf({
    pdf,
    locked: await make("/api/protect-pdf", { file: pdf, password: "sesame" }, "locked.pdf"),
    jpg: await make("/api/convert", { ...drawn, output_format: "jpg" }, "photo.jpg"),
    png: await make("/api/convert", { ...drawn, output_format: "png" }, "drawing.png"),
  });
}

function requestsOf({ pdf, locked, jpg, png }: Inputs): readonly LoadRequest[] {
  const success = { expects: "success" };
  const convert = { path: "/api/convert" };
  const unlock = { path: "/api/unlock-pdf" };
  const split = { path: "/api/split-pdf" };
  const text = new File(["no picture"], "photo.jpg");
  return [
    { title: "protect", path: "/api/protect-pdf", fields: { file: pdf, password: "sesame" }, ...success },
    { title: "unlock", ...unlock, fields: { file: locked, password: "sesame" }, ...success },
    { title: "split", ...split, fields: { file: pdf, pages: "1-3,7,12" }, ...success },
    { title: "merge", path: "/api/merge-pdf", fields: { file: [pdf, pdf] }, ...success },
    { title: "jpg to webp", ...convert, fields: { file: jpg, output_format: "webp" }, ...success },
    { title: "png to jpg", ...convert, fields: { file: png, output_format: "jpg" }, ...success },
    { title: "jpg to pdf", ...convert, fields: { file: jpg, output_format: "pdf" }, ...success },
    {
      title: "pdf to png",
      ...convert,
      fields: { file: pdf, output_format: "png", pages: "2", dpi: "72" },
      ...success,
    },
    {
      title: "wrong password",
      ...unlock,
      fields: { file: locked, password: "no" },
      expects: "wrong_password",
    },
    {
      title: "wrong page",
      ...split,
      fields: { file: pdf, pages: "99" },
      expects: "invalid_page_selection",
    },
    {
      title: "no picture",
      ...convert,
      fields: { file: text, output_format: "png" },
      expects: "unsupported_input",
    },
    { title: "no field", ...split, fields: { file: pdf }, expects: "missing_parameter" },
    { title: "no path", path: "/api/none", fields: { file: png }, expects: "not_found" },
    {
      title: "no key",
      ...split,
      fields: { file: pdf, pages: "1" },
      isAnonymous: true,
      expects: "unauthorized",
    },
  ];
}

/** Sends a request. Rejects when the connection breaks. */
export function send(url: string, { path, fields, isAnonymous = false }: LoadRequest): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) body.append(name, each);
  }
  const headers = isAnonymous ? {} : { Authorization: `Bearer ${COPY_KEY}` };
  return fetch(url + path, { method: "POST", headers, body });
}

async function madeFile(
  url: string,
  path: string,
  fields: LoadRequest["fields"],
  name: string,
): Promise<File> {
  const response = await send(url, { title: name, path, fields, expects: "success" });
  const { download_url } = await response.json();
  if (download_url === undefined) throw new Error(`the service made no ${name}: ${response.status}`);
  const result = await fetch(download_url);
  return new File([await result.arrayBuffer()], name);
}
