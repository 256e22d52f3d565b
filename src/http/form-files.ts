import { LONGEST_LIST } from "../fields.ts";
import type { ServiceError } from "../shared/errors.ts";
import { invalidParameter } from "../shared/failure.ts";
import { supportsStreams } from "../shared/request-streams.ts";

/** The longest boundary (RFC 2046, 5.1.1), the longest field name that is recognized, and the header around them. */
const LONGEST_HEADER = 70 + 200 + 80;

/**
 * Reads the form in the body of a request, up to the first file too many. Chromium takes about 0.4 ms to make a `File`, so
 * the form is counted while it arrives. Platforms that do not send streams cannot read a form from one: there, the form is
 * counted by {@link checkFileCount}, like every form.
 *
 * @throws {ServiceError} `invalid_parameter` for too many files. Throws the error of the platform for a malformed form
 */
export async function readFormData(request: Request): Promise<FormData> {
  const type = request.headers.get("content-type") ?? "";
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1]?.trim();
  if (!request.body || boundary === undefined || !supportsStreams()) return request.formData();
  let excess: ServiceError | undefined;
  const counted = request.body.pipeThrough(
    countingFiles(boundary, (files) => {
      if (files <= LONGEST_LIST) return;
      excess = tooManyFiles();
      // The error fails the stream.
      throw excess;
    }),
  );
  try {
    return await new Response(counted, { headers: { "content-type": type } }).formData();
  } catch (thrown) {
    // Platforms replace the error of a stream by one of their own.
    throw excess ?? thrown;
  }
}

/** @throws {ServiceError} `invalid_parameter` for too many files */
export function checkFileCount(form: readonly (readonly [string, FormDataEntryValue])[]): void {
  if (form.filter(([, value]) => typeof value !== "string").length > LONGEST_LIST) throw tooManyFiles();
}

/**
 * Passes a form on and calls `onFiles` with the number of its files so far. Recognizes the header that browsers write
 * (HTML, "multipart/form-data").
 */
function countingFiles(
  boundary: string,
  onFiles: (files: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const literal = boundary.replace(/[^\w]/g, "\\$&");
  const header = `\\r\\n--${literal}\\r\\nContent-Disposition: form-data; name="[^"\\r\\n]{0,200}"; filename=`;
  const decoder = new TextDecoder("latin1");
  let files = 0;
  // The end of the last chunk, which may be the beginning of a header. The first header has no line break before it.
  let rest = "\r\n";
  return new TransformStream({
    transform(chunk, controller) {
      const text = rest + decoder.decode(chunk);
      let end = 0;
      for (const match of text.matchAll(new RegExp(header, "g"))) {
        files++;
        end = match.index + match[0].length;
      }
      rest = text.slice(Math.max(end, text.length - LONGEST_HEADER));
      onFiles(files);
      controller.enqueue(chunk);
    },
  });
}

function tooManyFiles(): ServiceError {
  return invalidParameter(
    "file",
    `A form may have at most ${LONGEST_LIST} files. Send fewer files at a time.`,
  );
}
