import type { OutlineEntry, Value } from "./described-document.ts";
import { type Feature, type PagesOf, writtenOut } from "./feature.ts";

/** Where a destination, explicit or named, leads. */
type Target =
  | { readonly kind: "page"; readonly position: number }
  | { readonly kind: "gone" | "name" | "none" };

function named(pages: PagesOf, name: string): Value {
  const { document } = pages;
  const { catalog } = document;
  if (name.startsWith("/")) return document.dict(catalog["/Dests"])[name] ?? null;
  const tree = document.dict(catalog["/Names"])["/Dests"];
  return document.pairs(tree, "/Names").find(([key]) => key === name)?.[1] ?? null;
}

function targetOf(pages: PagesOf, destination: Value | undefined): Target {
  const { document } = pages;
  let found = document.resolve(destination);
  if (typeof found === "string") {
    found = document.resolve(named(pages, found));
    if (found === null) return { kind: "name" };
  }
  const [page] = document.list(Array.isArray(found) ? found : document.dict(found)["/D"]);
  if (page === undefined) return { kind: "none" };
  const position = pages.positionOf(page);
  return position === undefined ? { kind: "gone" } : { kind: "page", position };
}

/** In words: what a document that was split off still names explicitly though it is not there dangles. */
function described(pages: PagesOf, target: Target): string {
  if (target.kind === "page") return `page ${target.position}`;
  return target.kind === "gone" && pages.isWhole ? "dangling" : "nowhere";
}

const pageLabels: Feature = {
  name: "page labels",
  fate: "kept",
  facts(pages) {
    const { document } = pages;
    if (document.pageLabels.length === 0) return [];
    return pages.pages.map((page) => {
      const index = document.pages.indexOf(page);
      const run = document.pageLabels.filter((entry) => Number(entry.index) <= index).at(-1);
      const label = document.dict(run?.label);
      const number = Number(label["/St"] ?? 1) + index - Number(run?.index ?? 0);
      const prefix = String(label["/P"] ?? "u:");
      const style = run ? label["/S"] : "/D";
      return style === undefined || style === null ? prefix : `${prefix} ${style} ${number}`;
    });
  },
};

function outlineFacts(pages: PagesOf, entries: readonly OutlineEntry[], depth: number): string[] {
  return entries.flatMap(({ title, dest, open, kids }) => {
    const below = outlineFacts(pages, kids, depth + 1);
    const target = targetOf(pages, dest);
    if (!pages.isWhole && target.kind !== "page" && below.length === 0) return [];
    const state = below.length === 0 ? "" : open ? " (open)" : " (closed)";
    return [`${depth} ${title}${state} → ${described(pages, target)}`, ...below];
  });
}

const outlines: Feature = {
  name: "outlines",
  fate: "kept",
  facts: (pages) => outlineFacts(pages, pages.outlines, 0),
};

const namedDestinations: Feature = {
  name: "named destinations",
  fate: "kept",
  facts(pages) {
    const { document } = pages;
    const { catalog } = document;
    const tree = document.dict(catalog["/Names"])["/Dests"];
    const entries: (readonly [Value, Value])[] = [
      ...document.pairs(tree, "/Names"),
      ...Object.entries(document.dict(catalog["/Dests"])),
    ];
    return [...new Map(entries.map(([name, destination]) => [String(name), destination]))]
      .flatMap(([name, destination]) => {
        const target = targetOf(pages, destination);
        if (target.kind !== "page" && !pages.isWhole) return [];
        return [`${name} → ${described(pages, target)} ${writtenOut(pages, destination)}`];
      })
      .sort();
  },
};

/** The address of a link, whole when its document has a base of relative addresses: a merge has none. */
function wholeAddress({ document }: PagesOf, address: Value | undefined): Value {
  const base = document.dict(document.catalog["/URI"])["/Base"];
  if (typeof base !== "string" || typeof address !== "string") return address ?? null;
  const [from, to] = [base, address].map((text) => text.replace(/^u:/, ""));
  return to !== undefined && URL.canParse(to, from) ? `u:${new URL(to, from).href}` : address;
}

const links: Feature = {
  name: "links",
  fate: "kept",
  facts(pages) {
    const { document } = pages;
    return pages.pages.flatMap((page, position) =>
      document.list(document.dict(page)["/Annots"]).flatMap((annotation) => {
        const link = document.dict(annotation);
        if (link["/Subtype"] !== "/Link") return [];
        const action = document.dict(link["/A"]);
        const destination = link["/Dest"] ?? (action["/S"] === "/GoTo" ? action["/D"] : undefined);
        const other = action["/S"] !== undefined && action["/S"] !== "/GoTo";
        const where = other
          ? writtenOut(pages, { ...action, "/URI": wholeAddress(pages, action["/URI"]) })
          : destination === undefined
            ? "nowhere"
            : described(pages, targetOf(pages, destination));
        return [`page ${position} ${writtenOut(pages, link["/Rect"])} → ${where}`];
      }),
    );
  },
};

/** What leads from place to place. */
export const NAVIGATION: readonly Feature[] = [pageLabels, outlines, namedDestinations, links];
