// What the home page says beside the text of docs/README.md.
import type { IconName } from "../../../demo/views/icon-paths.ts";

/** A figure of another page of the docs. */
export interface Figure {
  readonly value: string;
  readonly meaning: string;
  readonly link: string;
  /** The page in the repository, and the text in it that has the figure. A test looks it up. */
  readonly source: string;
  readonly quote: string;
}

export const FIGURES: readonly Figure[] = [
  {
    value: "6 kB",
    meaning: "gzip at most for the entry. Engines load on demand.",
    link: "decisions/packaging",
    source: "docs/decisions/packaging.md",
    quote: "the entry has more than 6 kB gzip",
  },
  {
    value: "14 ms",
    meaning: "to protect a PDF of 20 pages, in Chromium.",
    link: "performance",
    source: "docs/performance.md",
    quote: "| 14 ms ",
  },
  {
    value: "200 ms",
    meaning: "from HEIC to JPG, for a photo of 12 megapixels.",
    link: "performance#images",
    source: "docs/performance.md",
    quote: "| 200 ms ",
  },
  {
    value: "45 of 45",
    meaning: "tagged PDFs keep their tags when they are split.",
    link: "performance#features-of-split-files",
    source: "docs/performance.md",
    quote: "| 45 / 45 ",
  },
];

/** The apps to copy. */
export const EXAMPLES: readonly { readonly title: string; readonly link: string }[] = [
  { title: "A plain page", link: "examples/plain/" },
  { title: "React", link: "examples/react/" },
  { title: "Uppy", link: "examples/uppy/" },
  { title: "Offline", link: "examples/offline/" },
];

/** The tasks of the app, with the guide of each. */
export const TASKS: readonly {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly link: string;
}[] = [
  { icon: "protect", title: "Protect", text: "A password, and AES-256", link: "guides/protect" },
  { icon: "unlock", title: "Unlock", text: "Remove a password that you know", link: "guides/unlock" },
  {
    icon: "organize",
    title: "Organize",
    text: "Any pages, in any order",
    link: "guides/merge#pages-in-any-order",
  },
  { icon: "split", title: "Split", text: "By pages, by chapters, by size", link: "guides/split" },
  { icon: "merge", title: "Merge", text: "PDFs and images, forms and tags", link: "guides/merge" },
  { icon: "shrink", title: "Compress", text: "Small enough for e-mail", link: "guides/compress" },
  { icon: "clean", title: "Clean", text: "Metadata, scripts, comments", link: "guides/clean" },
  { icon: "convert", title: "Convert", text: "HEIC to JPG, pages to images", link: "guides/images" },
];

export const FACTS: readonly { readonly title: string; readonly text: string; readonly link: string }[] = [
  {
    title: "Private",
    text: "Work in the tab sends no request with a file. No telemetry, nothing from another origin.",
    link: "privacy",
  },
  {
    title: "A drop-in",
    text: "Answers in the shape of an online PDF service. An app that calls one changes one line.",
    link: "guides/switch-an-app",
  },
  {
    title: "Thorough",
    text: "Keeps forms, tags and attachments. Repairs damaged files. A part holds nothing of other pages.",
    link: "guides/split#what-a-part-contains",
  },
];
