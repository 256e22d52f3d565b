import { ServiceError } from "../errors.ts";
import { MIME_TYPES } from "../formats/mime-types.ts";
import { detectFormat, FORMATS, type FormatId, ZIP } from "../formats.ts";
import { counting } from "./upload.ts";

/**
 * Reads the result, and makes sure that it can be what was asked for: services have error pages.
 *
 * @param arrived told how many bytes there are so far, of how many (0 when unknown)
 * @throws {ServiceError} `remote_failed`
 */
export async function readResult(
  { body, headers, status }: Response,
  to: FormatId,
  arrived: (bytes: number, total: number) => void,
): Promise<Blob> {
  // Of a compressed answer it is another length than that of what arrives.
  const length = Number(headers.get("Content-Length")) || 0;
  const tell = (bytes: number) => arrived(bytes, bytes > length ? 0 : length);
  tell(0);
  const file = await new Response(body?.pipeThrough(counting(tell)) ?? null).blob().catch(() => {
    throw new ServiceError("remote_failed", "The remote service's result broke off.", { status });
  });
  const type = await resultType(file, to);
  if (type !== undefined) return file.slice(0, file.size, type);
  throw new ServiceError(
    "remote_failed",
    `What the remote service gave as its result is no ${to.toUpperCase()}.`,
    { status },
  );
}

/** The type of a result by its content, whatever the service calls it: a page must not open it as HTML. */
async function resultType(file: Blob, to: FormatId): Promise<string | undefined> {
  const { kind } = FORMATS[to];
  const mime = MIME_TYPES[to];
  if ((await detectFormat(file).catch(() => undefined)) === to) return mime;
  const head = [...new Uint8Array(await file.slice(0, 4).arrayBuffer())].join();
  const isZip = head === "80,75,3,4";
  if (kind !== "office") return isZip ? ZIP : undefined;
  // Packages and compound files of office programs are of many kinds.
  return isZip || head === "208,207,17,224" ? mime : undefined;
}
