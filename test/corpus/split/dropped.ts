import { isDict, type Value } from "./described-document.ts";
import type { Feature, PagesOf } from "./feature.ts";

function dropped(name: string, facts: (pages: PagesOf) => readonly string[]): Feature {
  return { name, fate: "dropped", facts };
}

const scripts = dropped("document scripts", ({ document }) => {
  const { catalog } = document;
  const runs = (action: Value | undefined) => document.dict(action)["/S"] === "/JavaScript";
  return [
    ...document
      .pairs(document.dict(catalog["/Names"])["/JavaScript"], "/Names")
      .map(([name]) => `script ${name}`),
    ...(runs(catalog["/OpenAction"]) ? ["script on opening"] : []),
    ...Object.entries(document.dict(catalog["/AA"])).flatMap(([event, action]) =>
      runs(action) ? [`script on ${event}`] : [],
    ),
  ];
});

const attachments = dropped("attachments", ({ document }) => [
  ...Object.keys(document.attachments),
  ...document.list(document.catalog["/AF"]).map(() => "associated file"),
]);

const signatures = dropped("signature values", ({ document }) =>
  [...document.values()].flatMap((value) => {
    const isSignature =
      isDict(value) && value["/ByteRange"] !== undefined && value["/Contents"] !== undefined;
    return isSignature ? ["signature"] : [];
  }),
);

const threads = dropped("article threads", ({ document, pages }) => [
  ...document.list(document.catalog["/Threads"]).map(() => "thread"),
  ...pages.flatMap((page) => document.list(document.dict(page)["/B"]).map(() => "bead")),
]);

/** What is the whole document's and must not come along with some of its pages. */
export const DROPPED: readonly Feature[] = [scripts, attachments, signatures, threads];
