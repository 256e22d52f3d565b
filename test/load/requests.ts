import { makePdf } from "../support/fixtures/pdf.ts";
import { COPY_KEY } from "../support/service-copy.ts";

/** A request of the load, as `fetch` and autocannon send it. */
export interface LoadRequest {
  /** The name in the summary. */
  readonly title: string;
  readonly path: string;
  readonly method: "POST";
  readonly headers: Record<string, string>;
  readonly body: Buffer<ArrayBuffer>;
  /** `success`, or the code of the error. */
  readonly expects: string;
}

/** The fields of a form. A list is a field that is sent several times. */
type Fields = Readonly<Record<string, string | File | readonly File[]>>;

const AUTHORIZED = { Authorization: `Bearer ${COPY_KEY}` };

/**
 * Makes the requests of the load. The service makes their images and the file with a password.
 *
 * @param url of a copy
 */
export async function loadRequests(url: string): Promise<readonly LoadRequest[]> {
  const pdf = new File([makePdf({ pages: 12, ballastPerPage: 20_000 })], "report.pdf");
  const drawn = { file: pdf, pages: "1", dpi: "72" };
  const locked = await madeFile(url, "locked.pdf", "/api/protect-pdf", { file: pdf, password: "sesame" });
  const jpg = await madeFile(url, "photo.jpg", "/api/convert", { ...drawn, output_format: "jpg" });
  const png = await madeFile(url, "drawing.png", "/api/convert", { ...drawn, output_format: "png" });
  const text = new File(["no picture"], "photo.jpg");
  return Promise.all([
    post("protect", "/api/protect-pdf", { file: pdf, password: "sesame" }),
    post("unlock", "/api/unlock-pdf", { file: locked, password: "sesame" }),
    post("split", "/api/split-pdf", { file: pdf, pages: "1-3,7,12" }),
    post("merge", "/api/merge-pdf", { file: [pdf, pdf] }),
    post("jpg to webp", "/api/convert", { file: jpg, output_format: "webp" }),
    post("png to jpg", "/api/convert", { file: png, output_format: "jpg" }),
    post("jpg to pdf", "/api/convert", { file: jpg, output_format: "pdf" }),
    post("pdf to png", "/api/convert", { file: pdf, output_format: "png", pages: "2", dpi: "72" }),
    post("wrong password", "/api/unlock-pdf", { file: locked, password: "no" }, "wrong_password"),
    post("wrong page", "/api/split-pdf", { file: pdf, pages: "99" }, "invalid_page_selection"),
    post("no picture", "/api/convert", { file: text, output_format: "png" }, "unsupported_input"),
    post("no field", "/api/split-pdf", { file: pdf }, "missing_parameter"),
    post("no path", "/api/none", { file: png }, "not_found"),
    post("no key", "/api/split-pdf", { file: pdf, pages: "1" }, "unauthorized", {}),
  ]);
}

/** Encodes a request. */
async function post(
  title: string,
  path: string,
  fields: Fields,
  expects = "success",
  authorization: Record<string, string> = AUTHORIZED,
): Promise<LoadRequest> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) form.append(name, each);
  }
  const encoded = new Response(form);
  const headers = { ...authorization, "Content-Type": encoded.headers.get("content-type") ?? "" };
  return { title, path, method: "POST", headers, body: Buffer.from(await encoded.arrayBuffer()), expects };
}

/** Sends a request without autocannon. */
export function send(url: string, { path, method, headers, body }: LoadRequest): Promise<Response> {
  return fetch(url + path, { method, headers, body });
}

async function madeFile(url: string, name: string, path: string, fields: Fields): Promise<File> {
  const response = await send(url, await post(name, path, fields));
  const { download_url } = await response.json();
  if (download_url === undefined) throw new Error(`the service made no ${name}: ${response.status}`);
  const result = await fetch(download_url);
  return new File([await result.arrayBuffer()], name);
}
