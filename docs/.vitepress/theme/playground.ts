// The operations that the playground offers, and the code that it shows for each.
import type { Client, ServiceResult } from "../../../src/index.ts";

/** A field that the reader sets. */
export interface Setting {
  readonly name: string;
  readonly label: string;
  readonly initial: string;
  /** The values to choose from. Any text when absent. */
  readonly choices?: readonly string[];
  readonly hint?: string;
}

export interface Operation {
  readonly title: string;
  /** The method of the client. */
  readonly method:
    | "compressPdf"
    | "cleanPdf"
    | "convert"
    | "mergePdf"
    | "protectPdf"
    | "splitPdf"
    | "unlockPdf";
  readonly accept: string;
  readonly settings: readonly Setting[];
}

const PASSWORD: Setting = { name: "password", label: "Password", initial: "open sesame" };
const PAGES_HINT = "1,3-5,last: each item is a part";

export const PROTECT: Operation = {
  title: "Protect a PDF",
  method: "protectPdf",
  accept: ".pdf",
  settings: [PASSWORD],
};

export const OPERATIONS: readonly Operation[] = [
  PROTECT,
  { title: "Unlock a PDF", method: "unlockPdf", accept: ".pdf", settings: [PASSWORD] },
  {
    title: "Split a PDF",
    method: "splitPdf",
    accept: ".pdf",
    settings: [{ name: "pages", label: "Pages", initial: "1,2-", hint: PAGES_HINT }],
  },
  {
    title: "Compress a PDF",
    method: "compressPdf",
    accept: ".pdf",
    settings: [
      { name: "dpi", label: "Dots per inch", initial: "150" },
      { name: "quality", label: "Quality", initial: "0.75", hint: "0 to 1" },
    ],
  },
  {
    title: "Clean a PDF",
    method: "cleanPdf",
    accept: ".pdf",
    settings: [
      { name: "flatten", label: "Draw forms into pages", initial: "false", choices: ["false", "true"] },
    ],
  },
  {
    title: "Put pages into another order",
    method: "mergePdf",
    accept: ".pdf",
    settings: [
      {
        name: "sequence",
        label: "Pages",
        initial: '[{ "file": 0, "page": 2, "rotate": 90 }, { "file": 0, "page": 1 }]',
        hint: "a list of pages, as JSON",
      },
    ],
  },
  {
    title: "PDF pages to images",
    method: "convert",
    accept: ".pdf",
    settings: [
      { name: "output_format", label: "Format", initial: "png", choices: ["png", "jpg", "webp", "avif"] },
      { name: "pages", label: "Pages", initial: "1" },
      { name: "dpi", label: "Dots per inch", initial: "96" },
    ],
  },
  {
    title: "Convert an image",
    method: "convert",
    accept: "image/*,.heic,.heif",
    settings: [
      {
        name: "output_format",
        label: "Format",
        initial: "jpg",
        choices: ["jpg", "png", "webp", "avif", "pdf"],
      },
      { name: "quality", label: "Quality", initial: "0.85", hint: "0 to 1" },
    ],
  },
];

type Values = Readonly<Record<string, string>>;

/** Returns the code of a call, as an app writes it. */
export function codeOf({ method, settings }: Operation, values: Values): string {
  const fields = settings.map(({ name }) => `  ${name}: ${literal(name, values[name] ?? "")},\n`).join("");
  return `import { createClient } from "stayput";

const client = createClient();
const result = await client.${method}({
  file,
${fields}});
link.href = result.download_url;
link.download = result.file_name;`;
}

/** Makes the call that {@link codeOf} shows. */
export function run(
  client: Client,
  { method }: Operation,
  file: Blob,
  values: Values,
): Promise<ServiceResult> {
  const call = client[method] as (fields: object) => Promise<ServiceResult>;
  return call({ file, ...values });
}

/** Makes a PDF of three pages, for readers without one at hand. */
export function examplePdf(): File {
  const pages = [1, 2, 3];
  const kids = pages.map((page) => `${2 * page + 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count 3 /MediaBox [0 0 420 297] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((page) => {
      const text = `BT /F 32 Tf 48 140 Td (Page ${page} of an example) Tj ET`;
      const resources = "<< /Font << /F 3 0 R >> >>";
      return [
        `<< /Type /Page /Parent 2 0 R /Resources ${resources} /Contents ${2 * page + 3} 0 R >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ];
    }),
  ];
  let body = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const xref = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return new File([body + xref + trailer], "example.pdf", { type: "application/pdf" });
}

/** Passwords and pages are text, also when they have digits only. */
function literal(name: string, value: string): string {
  return ["dpi", "quality", "sequence"].includes(name) ? value : JSON.stringify(value);
}
