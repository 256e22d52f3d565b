import { type Dict, isDict, isReference, type Value } from "./described-document.ts";
import { type Feature, type PagesOf, writtenOut } from "./feature.ts";

const DEPTH_LIMIT = 256;
/** The keys of an element's replacement texts. */
const SPOKEN = ["/Alt", "/ActualText", "/E"];

/** A piece of content. */
interface Leaf {
  /** The index of its page. Undefined when it is on none of the pages. */
  readonly position: number | undefined;
}

/** Goes through the structure tree from its root, as a reader does. */
class TagReader {
  readonly facts: string[] = [];
  readonly roles = new Set<string>();
  readonly #pages: PagesOf;
  readonly #parents: ReadonlyMap<number, Value>;
  readonly #seen = new Set<string>();

  constructor(pages: PagesOf, root: Dict) {
    this.#pages = pages;
    this.#parents = new Map(
      pages.document.pairs(root["/ParentTree"], "/Nums").map(([key, value]) => [Number(key), value]),
    );
    this.#kids(root["/K"], undefined, "", undefined, 0);
  }

  #kids(
    kids: Value | undefined,
    element: string | undefined,
    path: string,
    page: Value | undefined,
    depth: number,
  ): readonly Leaf[] {
    const { document } = this.#pages;
    const found = document.resolve(kids);
    const list = Array.isArray(found) ? found : [kids ?? null];
    return depth > DEPTH_LIMIT ? [] : list.flatMap((kid) => this.#kid(kid, element, path, page, depth));
  }

  #kid(
    kid: Value,
    element: string | undefined,
    path: string,
    page: Value | undefined,
    depth: number,
  ): readonly Leaf[] {
    const { document } = this.#pages;
    const found = document.resolve(kid);
    if (typeof found === "number") return [this.#leaf(`content ${found}`, found, element, path, page)];
    if (!isDict(found)) return [];
    const own = found["/Pg"] ?? page;
    if (found["/Type"] === "/MCR") {
      const mcid = Number(document.resolve(found["/MCID"]));
      return [this.#leaf(`content ${mcid}`, found["/Stm"] ? undefined : mcid, element, path, own)];
    }
    if (found["/Type"] === "/OBJR") {
      const { "/Subtype": subtype, "/Rect": rect } = document.dict(found["/Obj"]);
      // An annotation that its page does not list is invisible.
      const listed = document.list(document.dict(own)["/Annots"]);
      if (rect !== undefined && !listed.includes(found["/Obj"] ?? null)) return [];
      const what = `object ${writtenOut(this.#pages, [subtype ?? null, rect ?? null])}`;
      return [this.#leaf(what, undefined, element, path, own)];
    }
    if (isReference(kid)) {
      if (this.#seen.has(kid)) return [];
      this.#seen.add(kid);
    }
    const role = String(document.resolve(found["/S"]));
    const leaves = this.#kids(
      found["/K"],
      isReference(kid) ? kid : undefined,
      `${path}${role}`,
      own,
      depth + 1,
    );
    if (leaves.some(({ position }) => position !== undefined)) this.roles.add(role);
    const isWhole = leaves.length > 0 && leaves.every(({ position }) => position !== undefined);
    // Text about removed pages must be removed, too.
    if (this.#pages.isWhole && leaves.length > 0 && leaves.every(({ position }) => position === undefined))
      this.facts.push(`${path}${role} is of no page`);
    for (const key of isWhole ? SPOKEN : []) {
      if (found[key] !== undefined)
        this.facts.push(`${path}${role} ${key} ${writtenOut(this.#pages, found[key])}`);
    }
    return leaves;
  }

  #leaf(
    what: string,
    mcid: number | undefined,
    element: string | undefined,
    path: string,
    page: Value | undefined,
  ): Leaf {
    const position = this.#pages.positionOf(page);
    if (position === undefined) return { position };
    let fact = `page ${position} ${what} in ${path}`;
    if (mcid !== undefined && element !== undefined) {
      const key = this.#pages.document.resolve(this.#pages.document.dict(page)["/StructParents"]);
      const parents = this.#pages.document.list(this.#parents.get(Number(key)));
      fact += parents[mcid] === element ? ", and back" : "";
    }
    this.facts.push(fact);
    return { position };
  }
}

function rootOf({ document }: PagesOf): Dict {
  return document.dict(document.catalog["/StructTreeRoot"]);
}

const tags: Feature = {
  name: "tags",
  fate: "kept",
  facts: (pages) => new TagReader(pages, rootOf(pages)).facts,
};

const roles: Feature = {
  name: "role map",
  fate: "kept",
  facts(pages) {
    const root = rootOf(pages);
    const map = pages.document.dict(root["/RoleMap"]);
    const used = [...new TagReader(pages, root).roles].sort();
    return used.flatMap((role) =>
      map[role] === undefined ? [] : [`${role} is ${writtenOut(pages, map[role])}`],
    );
  },
};

/** What makes a document accessible. */
export const TAGS: readonly Feature[] = [tags, roles];
