// The operations that the playground offers. calls.ts writes and makes their calls.
import type { IconName } from "../../../demo/views/icon-paths.ts";
import {
  cutOff,
  locked,
  type MakeExample,
  photo,
  picture,
  pictures,
  report,
  reportAndPicture,
  scan,
  telling,
} from "./examples.ts";

/** A field that the reader sets. An empty text leaves it out. */
export interface Setting {
  readonly name: string;
  readonly label: string;
  readonly initial: string;
  /** How an app writes the value. */
  readonly type: "text" | "number" | "json";
  /** The values to choose from. Any text when absent. */
  readonly choices?: readonly string[];
  readonly hint?: string;
}

/** The calls, by what they answer. */
export type Method =
  | { readonly answers: "result"; readonly name: ResultMethod }
  | { readonly answers: "value"; readonly name: "inspect" }
  | { readonly answers: "parts"; readonly name: "splitParts" }
  | { readonly answers: "pictures"; readonly name: "renderPages" }
  | { readonly answers: "text"; readonly name: "readText" };

type ResultMethod =
  | "cleanPdf"
  | "compressPdf"
  | "convert"
  | "mergePdf"
  | "protectPdf"
  | "splitPdf"
  | "unlockPdf";

export interface Operation {
  /** The anchor in the address of the playground. */
  readonly id: string;
  readonly title: string;
  readonly icon: IconName;
  readonly method: Method;
  readonly accept: string;
  /** Whether the call takes a list of files. */
  readonly takesSeveral?: boolean;
  readonly settings: readonly Setting[];
  /** What the files of the example are. */
  readonly exampleName: string;
  readonly example: MakeExample;
  /** The page of the guide, as a path of the site. */
  readonly guide: string;
}

export interface OperationGroup {
  readonly title: string;
  readonly operations: readonly Operation[];
}

const PDF = ".pdf";
const IMAGES = "image/*,.heic,.heif";

const PASSWORD: Setting = { name: "password", label: "Password", initial: "open sesame", type: "text" };
const DPI: Setting = { name: "dpi", label: "Dots per inch", initial: "150", type: "number" };

const result = (name: ResultMethod): Method => ({ answers: "result", name });

function pagesSetting(initial: string, hint: string): Setting {
  return { name: "pages", label: "Pages", initial, type: "text", hint };
}

function format(...choices: string[]): Setting {
  return { name: "output_format", label: "Format", initial: choices[0] ?? "", type: "text", choices };
}

function quality(initial: string): Setting {
  return { name: "quality", label: "Quality", initial, type: "number", hint: "0 to 1" };
}

export const GROUPS: readonly OperationGroup[] = [
  {
    title: "PDFs",
    operations: [
      {
        id: "protect",
        title: "Protect a PDF",
        icon: "protect",
        method: result("protectPdf"),
        accept: PDF,
        settings: [PASSWORD],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/protect",
      },
      {
        id: "unlock",
        title: "Unlock a PDF",
        icon: "unlock",
        method: result("unlockPdf"),
        accept: PDF,
        settings: [PASSWORD],
        exampleName: "a protected PDF",
        example: locked,
        guide: "guides/unlock",
      },
      {
        id: "split",
        title: "Split a PDF",
        icon: "split",
        method: result("splitPdf"),
        accept: PDF,
        settings: [pagesSetting("1,2-", "1,3-5,last: each item is a PDF in a zip")],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/split",
      },
      {
        id: "split-parts",
        title: "Split without a zip",
        icon: "scissors",
        method: { answers: "parts", name: "splitParts" },
        accept: PDF,
        settings: [{ name: "every", label: "Pages in each part", initial: "2", type: "number" }],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/split#parts-without-a-zip",
      },
      {
        id: "extract",
        title: "Extract or delete pages",
        icon: "copy",
        method: result("convert"),
        accept: PDF,
        settings: [format("pdf"), pagesSetting("all,x2", "1,3: these pages; all,x2: all but page 2")],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/split#extract-or-delete-pages",
      },
      {
        id: "merge",
        title: "Merge PDFs and images",
        icon: "merge",
        method: result("mergePdf"),
        accept: `${PDF},${IMAGES}`,
        takesSeveral: true,
        settings: [{ name: "title", label: "Title", initial: "Report with a picture", type: "text" }],
        exampleName: "a PDF and a picture",
        example: reportAndPicture,
        guide: "guides/merge",
      },
      {
        id: "organize",
        title: "Put pages into order",
        icon: "organize",
        method: result("mergePdf"),
        accept: PDF,
        takesSeveral: true,
        settings: [
          {
            name: "sequence",
            label: "Pages",
            initial: '[{ "file": 0, "page": 2, "rotate": 90 }, { "file": 0, "page": 1 }]',
            type: "json",
            hint: "a list of pages, as JSON",
          },
        ],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/merge#pages-in-any-order",
      },
      {
        id: "rotate",
        title: "Rotate pages",
        icon: "turn-right",
        method: result("convert"),
        accept: PDF,
        settings: [
          format("pdf"),
          {
            name: "rotate",
            label: "Rotation",
            initial: "90:1,3;180:last",
            type: "text",
            hint: "90, -90 or 180",
          },
        ],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/rotate",
      },
      {
        id: "compress",
        title: "Compress a PDF",
        icon: "shrink",
        method: result("compressPdf"),
        accept: PDF,
        settings: [{ ...DPI, initial: "72" }, quality("0.6")],
        exampleName: "a scan",
        example: scan,
        guide: "guides/compress",
      },
      {
        id: "clean",
        title: "Clean a PDF",
        icon: "clean",
        method: result("cleanPdf"),
        accept: PDF,
        settings: [
          {
            name: "flatten",
            label: "Draw forms into pages",
            initial: "false",
            type: "json",
            choices: ["false", "true"],
          },
        ],
        exampleName: "a PDF with an author, a script and a comment",
        example: telling,
        guide: "guides/clean",
      },
      {
        id: "repair",
        title: "Repair a PDF",
        icon: "check",
        method: result("convert"),
        accept: PDF,
        settings: [format("pdf")],
        exampleName: "a PDF that is cut off",
        example: cutOff,
        guide: "guides/repair",
      },
      {
        id: "inspect",
        title: "Inspect a file",
        icon: "search",
        method: { answers: "value", name: "inspect" },
        accept: `${PDF},${IMAGES}`,
        settings: [
          {
            name: "hidden",
            label: "What it hides",
            initial: "true",
            type: "json",
            choices: ["true", "false"],
          },
        ],
        exampleName: "a PDF with an author, a script and a comment",
        example: telling,
        guide: "guides/inspect",
      },
    ],
  },
  {
    title: "Pages",
    operations: [
      {
        id: "pages-to-images",
        title: "PDF pages to images",
        icon: "convert",
        method: result("convert"),
        accept: PDF,
        settings: [
          format("png", "jpg", "webp", "avif"),
          pagesSetting("1", "several pages become a zip"),
          { ...DPI, initial: "96" },
        ],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/pdf-to-images",
      },
      {
        id: "show-pages",
        title: "Show pages one by one",
        icon: "organize",
        method: { answers: "pictures", name: "renderPages" },
        accept: PDF,
        settings: [{ name: "width", label: "Width in pixels", initial: "240", type: "number" }],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/pdf-to-images#show-pages-one-by-one",
      },
      {
        id: "text",
        title: "PDF to text",
        icon: "convert",
        method: result("convert"),
        accept: PDF,
        settings: [format("txt")],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/pdf-to-text",
      },
      {
        id: "read-text",
        title: "Read text and words",
        icon: "search",
        method: { answers: "text", name: "readText" },
        accept: PDF,
        settings: [pagesSetting("1-2", "1,3-5,last")],
        exampleName: "a PDF of four pages",
        example: report,
        guide: "guides/pdf-to-text#page-by-page-with-the-place-of-each-word",
      },
    ],
  },
  {
    title: "Images",
    operations: [
      {
        id: "heic",
        title: "HEIC to JPG",
        icon: "convert",
        method: result("convert"),
        accept: ".heic,.heif",
        settings: [format("jpg", "png", "webp"), quality("0.85")],
        exampleName: "a HEIC of tiles, as phones make them",
        example: photo,
        guide: "guides/photos",
      },
      {
        id: "image",
        title: "Convert an image",
        icon: "convert",
        method: result("convert"),
        accept: IMAGES,
        settings: [
          format("webp", "jpg", "png", "avif"),
          quality("0.8"),
          { name: "max_width", label: "Width at most", initial: "1200", type: "number" },
        ],
        exampleName: "a JPG",
        example: picture,
        guide: "guides/images",
      },
      {
        id: "images-to-pdf",
        title: "Images to PDF",
        icon: "merge",
        method: result("convert"),
        accept: IMAGES,
        takesSeveral: true,
        settings: [
          format("pdf"),
          { name: "page_size", label: "Page", initial: "a4", type: "text", choices: ["a4", "letter", "fit"] },
        ],
        exampleName: "two pictures",
        example: pictures,
        guide: "guides/images-to-pdf",
      },
    ],
  },
];

export const OPERATIONS: readonly Operation[] = GROUPS.flatMap(({ operations }) => operations);

/** Returns the operation of an anchor, or the first one. */
export function operationOf(id: string): Operation {
  const [first] = OPERATIONS;
  if (first === undefined) throw new Error("There are operations.");
  return OPERATIONS.find((operation) => operation.id === id) ?? first;
}
