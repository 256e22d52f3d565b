import { deflateSync } from "node:zlib";
import type { Random } from "../../random.ts";
import { type Model, type ModelObject, plainLayout } from "../model.ts";

/** Small documents that ask for much: each a number of things, as many as the random source says. */
type Crowd = (count: number, random: Random) => Model;

const ITEMS = ["<<>>", "()", "<>", ". ", "1 ", "[]", "/a", "3 0 R ", "<</A()>>", "null ", "-", "((", "%\n"];

const CROWDS: readonly Crowd[] = [
  // One object of many parts, and many objects of them.
  (count, random) =>
    withExtra([{ text: `[${random.pick(ITEMS).repeat(count)}]`, packed: random.chance(0.7) }]),
  (count, random) => {
    const item = random.pick(ITEMS);
    const objects = Array.from({ length: random.between(2, 40) }, () => ({
      text: `[${item.repeat(count / 10)}]`,
      packed: random.chance(0.9),
    }));
    return withExtra(objects);
  },
  // The same page or tree, again and again.
  (count) => withPages(`${"3 0 R ".repeat(count)}`),
  (count) => withPages(`${"<</Type/Page>>".repeat(count / 10)}`),
  (count) => withPages("3 0 R", `/Annots[${"6 0 R ".repeat(count)}]`),
  (count) => withPages("3 0 R", `/Contents[${"5 0 R ".repeat(count)}]`),
  (count, random) => {
    const array = { text: `[${"6 0 R ".repeat(count)}]`, packed: true };
    return withPages("3 0 R ".repeat(random.between(1, 200)), "/Extra 7 0 R", [
      { text: "1", packed: true },
      array,
    ]);
  },
  // Trees and lists of what documents carry.
  (count) => inCatalog(`/Outlines<</First 6 0 R>>`, chainOf(count / 20, "/Next")),
  (count) => inCatalog(`/Outlines<</First 6 0 R>>`, chainOf(Math.min(count, 5000), "/First")),
  (count) => inCatalog(`/Names<</Dests<</Names[${"(a)[3 0 R/Fit]".repeat(count)}]>>>>`),
  (count) => inCatalog(`/Dests<<${namesUpTo(count, (name) => `/${name}[3 0 R/Fit]`)}>>`),
  (count) => inCatalog(`/PageLabels<</Nums[${namesUpTo(count, (_, index) => `${index}<</S/D>>`)}]>>`),
  (count) =>
    inCatalog(`/AcroForm<</Fields[${"6 0 R ".repeat(count)}]/CO[${"6 0 R ".repeat(count)}]>>`, [widget]),
  (count) =>
    inCatalog("/AcroForm<</Fields[6 0 R]>>", [
      { text: `<</Kids[${"6 0 R 7 0 R ".repeat(count)}]>>` },
      widget,
    ]),
  (count) =>
    inCatalog(`/OCProperties<</OCGs[${"6 0 R ".repeat(count)}]/D<</Order[${"6 0 R ".repeat(count)}]>>>>`),
  (count) =>
    inCatalog(
      `/StructTreeRoot<</K 6 0 R/ParentTree<</Nums[0[${"6 0 R ".repeat(count)}]]>>>>`,
      [{ text: `<</S/P/K[${"0 ".repeat(count)}]/Pg 3 0 R/ID(${"i".repeat(count)})>>` }],
      "/StructParents 0",
    ),
  (count) =>
    inCatalog(
      "/StructTreeRoot<</ParentTree<</Nums[0 6 0 R]>>>>",
      [{ text: "<</S/P>>" }],
      `/X[${namesUpTo(count, (_, index) => `<</StructParent ${index}>>`)}]`,
    ),
  (count) =>
    inCatalog("/Metadata 6 0 R", [
      { text: "<</Filter/FlateDecode>>", data: deflate("<xmp:Thumbnails>".repeat(count)) },
    ]),
  // Content that names many things, or long ones.
  (count, random) => withContent(namesUpTo(count, (name) => `/${name}${random.pick([" x ", " Do ", ""])}`)),
  (count) => withContent(`BI ID ${namesUpTo(count, (name) => `/${name}`)}`),
  (count) => withContent(`/${"N".repeat(count * 10)} Do`),
  (count) => withContent("q Q ".repeat(count)),
];

/** Some of the documents, of different sizes. */
export function crowdedDocuments(random: Random): Model[] {
  return CROWDS.flatMap((crowd) =>
    [100, 10_000, 100_000].map((most) => crowd(random.between(most / 2, most), random)),
  );
}

type Extra = Partial<ModelObject> & { readonly text: string };

const widget: Extra = {
  text: "<</Type/Annot/Subtype/Widget/FT/Tx/T(t)/Kids[6 0 R]/Parent 6 0 R>>",
  packed: true,
};
const deflate = (text: string) => deflateSync(Buffer.from(text, "latin1"));

const withExtra = (extra: readonly Extra[]) =>
  assemble("3 0 R", "", `/X[${extra.map((_, index) => `${6 + index} 0 R`).join(" ")}]`, "q Q", extra);
const withPages = (kids: string, page = "", extra: readonly Extra[] = []) =>
  assemble(kids, "", page, "q Q", extra);
const inCatalog = (catalog: string, extra: readonly Extra[] = [], page = "") =>
  assemble("3 0 R", catalog, page, "q Q", extra);
const withContent = (content: string) => assemble("3 0 R", "", "", content, []);

function assemble(
  kids: string,
  catalog: string,
  page: string,
  content: string,
  extra: readonly Extra[],
): Model {
  const object = (num: number, { text, data, packed = false }: Extra) => ({
    num,
    gen: 0,
    text,
    data,
    packed: packed && !data,
  });
  return {
    header: "%PDF-1.7\n",
    objects: [
      object(1, { text: `<</Type/Catalog/Pages 2 0 R${catalog}>>` }),
      object(2, { text: `<</Type/Pages/Count 1/Kids[${kids}]>>` }),
      object(3, {
        text: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources 4 0 R/Contents 5 0 R${page}>>`,
      }),
      object(4, { text: "<</Font<</F1 6 0 R>>/XObject<</X 5 0 R>>>>" }),
      object(5, { text: "<</Filter/FlateDecode>>", data: deflate(content) }),
      ...extra.map((own, index) => object(6 + index, own)),
    ],
    trailer: "/Root 1 0 R",
    layout: plainLayout("stream"),
  };
}

function chainOf(length: number, link: string): Extra[] {
  return Array.from({ length }, (_, index) => ({
    text: `<</Title(t)/Dest[3 0 R/Fit]${link} ${7 + index} 0 R>>`,
    packed: true,
  }));
}

const namesUpTo = (count: number, text: (name: string, index: number) => string) =>
  Array.from({ length: count }, (_, index) => text(`n${index}`, index)).join("");
