/** A form as `multipart/form-data` (RFC 7578), and the request that carries it. */
export interface FormModel {
  path: string;
  method: string;
  parts: Part[];
  boundary: string;
  /** The content type, if it is not that of the boundary. */
  contentType?: string;
  /** The characters between lines. */
  lineBreak: string;
  /** The bytes behind the last part, in place of the end of the form. */
  end?: string;
  authorization?: string;
}

/** One field of a form. */
export interface Part {
  name: string;
  /** Present for a file. */
  fileName?: string;
  content: Uint8Array;
  /** The header of the part, in place of the one that follows from its name. */
  header?: string;
}

/** Returns a copy that can be changed without changing the form. */
export function copyOf(form: FormModel): FormModel {
  return { ...form, parts: form.parts.map((part) => ({ ...part })) };
}

/** Writes the body of a form. */
export function writeForm({
  parts,
  boundary,
  lineBreak,
  end = `--${boundary}--${"\r\n"}`,
}: FormModel): Uint8Array {
  const pieces = parts.flatMap((part) => [
    Buffer.from(`--${boundary}${lineBreak}${headerOf(part, lineBreak)}${lineBreak}${lineBreak}`),
    part.content,
    Buffer.from(lineBreak),
  ]);
  return Buffer.concat([...pieces, Buffer.from(end)]);
}

/** The header that browsers write (HTML, "multipart/form-data"). */
function headerOf({ name, fileName, header }: Part, lineBreak: string): string {
  if (header !== undefined) return header;
  const disposition = `Content-Disposition: form-data; name="${escaped(name)}"`;
  if (fileName === undefined) return disposition;
  return `${disposition}; filename="${escaped(fileName)}"${lineBreak}Content-Type: application/octet-stream`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\n": "%0A", "\r": "%0D", '"': "%22" };

const escaped = (name: string) => name.replace(/[\n\r"]/g, (character) => ESCAPES[character] ?? "");
