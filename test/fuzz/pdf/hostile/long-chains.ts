import { deflateSync } from "node:zlib";
import { repeated } from "../mutations/bombs.ts";
import {
  CONTENT,
  contentPart,
  ENTRY,
  each,
  OWNER,
  ownerParts,
  PAGE,
  type Place,
  references,
} from "./shared-parts.ts";

const MEGABYTE = 1 << 20;

/** Objects of which each leads to the next by a key, from `first` on. The last leads to what `end` says. */
const chain = (length: number, text: (next: string) => string, first: number, end = "null") =>
  ownerParts(length, (index) => text(index + 1 < length ? `${first + index + 1} 0 R` : end), first);

/** Many owners that all lead to the start of one chain, which `text` makes link by link. */
const chained =
  (owner: (start: string) => string, text: (next: string) => string): Place =>
  ({ owners, entries }) => ({
    page: `/Annots[${references(owners)}]`,
    objects: [
      ...ownerParts(owners, () => owner(`${OWNER + owners} 0 R`)),
      ...chain(entries, text, OWNER + owners),
    ],
  });

/** Zeros, deflated again and again: hundreds of bytes that unpack to gigabytes. */
export function nestedBomb(megabytes: number, layers: number): Uint8Array {
  let data: Uint8Array = repeated(Buffer.alloc(MEGABYTE), megabytes);
  for (let layer = 1; layer < layers; layer++) data = deflateSync(data, { level: 9 });
  return data;
}

/** A file that begins with sections of its cross-reference, of as many rows each as there are entries. */
const manySections: Place = ({ owners, entries }) => {
  const data = deflateSync(Buffer.alloc(3 * entries), { level: 9 }).toString("latin1");
  let header = "%PDF-1.7\n";
  let previous = 0;
  for (let section = 0; section < owners; section++) {
    const start = header.length;
    const prev = section === 0 ? "" : `/Prev ${previous}`;
    header +=
      `9 0 obj\n<</Type/XRef/Size ${entries}/W[1 1 1]/Root 1 0 R${prev}/Filter/FlateDecode` +
      `/Length ${data.length}>>\nstream\n${data}\nendstream\nendobj\n`;
    previous = start;
  }
  return { header, objects: [], layout: { sectionEntries: new Map([["Prev", String(previous)]]) } };
};

/** Object streams that unpack to long lists of what is in them; the file needs one object of each. */
const containers =
  (extend: (index: number) => string): Place =>
  ({ owners, entries }) => {
    const head = `${OWNER} 0 `.repeat(entries);
    const data = deflateSync(Buffer.from(`${head}null`), { level: 9 });
    const text = `/Type/ObjStm/N ${entries}/First ${head.length}/Filter/FlateDecode`;
    return {
      page: `/X[${references(owners, OWNER + owners)}]`,
      objects: [
        ...ownerParts(owners, (index) => `<<${text}${extend(OWNER + index + 1)}>>`).map((part) => ({
          ...part,
          data,
        })),
        ...ownerParts(owners, () => "null", OWNER + owners),
      ],
      layout: {
        crossReference: "stream",
        packedLies: new Map(
          Array.from({ length: owners }, (_, index) => [OWNER + owners + index, [OWNER + index, 0]] as const),
        ),
      },
    };
  };

/** Pages that each have a content of their own, which unpacks to a megabyte or more. */
const bombs =
  (megabytes: number, layers: number): Place =>
  ({ owners }) => {
    const data = nestedBomb(megabytes, layers);
    const filters = "/FlateDecode".repeat(layers);
    return {
      kids: references(owners),
      objects: [
        ...ownerParts(
          owners,
          (index) =>
            `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</a ${CONTENT}>>>>` +
            `/Contents ${OWNER + owners + index} 0 R>>`,
        ),
        contentPart("q Q", "/Subtype/Form/BBox[0 0 1 1]"),
        ...ownerParts(owners, () => `<</Filter[${filters}]>>`, OWNER + owners).map((part) => ({
          ...part,
          data,
        })),
      ],
    };
  };

/** Long chains that many objects lead into, and data that unpacks to far more than it is. */
export const CHAINS: Readonly<Record<string, Place>> = {
  "chain: references to references": chained(
    (start) => `<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/Dest ${start}>>`,
    (next) => next,
  ),
  "chain: actions": chained(
    (start) => `<</Type/Annot/Subtype/Link/Rect[0 0 1 1]/A ${start}>>`,
    (next) => `<</S/GoTo/D[${PAGE}/Fit]/Next ${next}>>`,
  ),
  "chain: fields above widgets": chained(
    (start) => `<</Type/Annot/Subtype/Widget/FT/Tx/Rect[0 0 1 1]/Parent ${start}>>`,
    (next) => `<</T(t)/FT/Tx/Parent ${next}>>`,
  ),
  "chain: popups": chained(
    (start) => `<</Type/Annot/Subtype/Text/Rect[0 0 1 1]/Popup ${start}>>`,
    (next) => `<</Type/Annot/Subtype/Popup/Rect[0 0 1 1]/Parent ${next}>>`,
  ),
  "chain: layer expressions": chained(
    (start) => `<</Type/Annot/Subtype/Text/Rect[0 0 1 1]/OC<</Type/OCMD/VE ${start}>>>>`,
    (next) => `[/Not ${next}]`,
  ),
  "chain: unknown key": chained(
    (start) => `<</Type/Annot/Subtype/Text/Rect[0 0 1 1]/X ${start}>>`,
    (next) => `<</X ${next}>>`,
  ),
  "chain: elements above elements": ({ owners, entries }) => ({
    catalog: "/MarkInfo<</Marked true>>/StructTreeRoot 10 0 R",
    page: "/StructParents 0",
    objects: [
      { num: 10, text: `<</Type/StructTreeRoot/K ${OWNER + owners} 0 R/ParentTree<</Nums[0 11 0 R]>>>>` },
      { num: 11, text: `[${references(owners)}]` },
      ...ownerParts(owners, () => `<</Type/StructElem/S/P/P ${OWNER + owners} 0 R/Pg ${PAGE}/K 0>>`),
      ...chain(entries, (next) => `<</Type/StructElem/S/P/P ${next}/Pg ${PAGE}>>`, OWNER + owners, "10 0 R"),
    ],
  }),
  "chain: elements below elements": ({ entries }) => ({
    catalog: "/MarkInfo<</Marked true>>/StructTreeRoot 10 0 R",
    page: "/StructParents 0",
    objects: [
      { num: 10, text: `<</Type/StructTreeRoot/K ${OWNER} 0 R/ParentTree<</Nums[0 11 0 R]>>>>` },
      { num: 11, text: `[${references(entries)}]` },
      ...chain(entries, (next) => `<</Type/StructElem/S/P/P 10 0 R/Pg ${PAGE}/K ${next}>>`, OWNER, "0"),
    ],
  }),
  "chain: page-tree nodes": ({ owners, entries }) => ({
    kids: `${OWNER + owners} 0 R`,
    objects: [
      ...chain(
        entries,
        (next) => `<</Type/Pages/Parent 2 0 R/Kids[${next}]>>`,
        OWNER + owners,
        references(owners),
      ),
      ...ownerParts(owners, () => `<</Type/Page/Parent ${OWNER + owners} 0 R/MediaBox[0 0 9 9]>>`),
    ],
  }),
  "chain: nodes above the page": ({ owners, entries }) => ({
    kids: references(owners),
    objects: [
      ...ownerParts(owners, () => `<</Type/Page/Parent ${OWNER + owners} 0 R>>`),
      ...chain(
        entries,
        (next) => `<</Type/Pages/Parent ${next}/Kids[${OWNER} 0 R]>>`,
        OWNER + owners,
        "2 0 R",
      ),
    ],
  }),
  "chain: outline items, one after the other": ({ entries }) => ({
    catalog: `/Outlines<</First ${OWNER} 0 R>>`,
    objects: chain(entries, (next) => `<</Title(t)/Dest[${PAGE}/Fit]/Next ${next}>>`, OWNER),
  }),
  "chain: outline items, one below the other": ({ entries }) => ({
    catalog: `/Outlines<</First ${OWNER} 0 R>>`,
    objects: chain(entries, (next) => `<</Title(t)/Dest[${PAGE}/Fit]/First ${next}/Last ${next}>>`, OWNER),
  }),
  "chain: nodes of a name tree": ({ entries }) => ({
    catalog: `/Names<</Dests ${OWNER} 0 R>>`,
    objects: chain(entries, (next) => `<</Limits[(a)(z)]/Kids[${next}]>>`, OWNER),
  }),
  "chain: forms within forms": ({ entries }) => ({
    page: `/Resources<</XObject<</a ${OWNER} 0 R>>>>/Contents ${CONTENT}`,
    objects: [
      contentPart("/a Do"),
      ...chain(
        entries,
        (next) => `<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</a ${next}>>>>>>`,
        OWNER,
      ).map((part) => ({ ...part, data: Buffer.from("/a Do") })),
    ],
  }),
  "chain: destinations": ({ owners, entries }) => ({
    catalog: `/Dests<<${each(owners, (index) => `/n${index} ${OWNER} 0 R`)}>>`,
    objects: chain(entries, (next) => `<</D ${next}>>`, OWNER, `[${PAGE}/Fit]`),
  }),
  "sections: Prev": ({ owners }) => ({
    page: `/X[${references(owners)}]`,
    objects: ownerParts(owners, () => "<<>>"),
    layout: { sections: owners },
  }),
  "sections: Prev of many rows": manySections,
  "object streams: many that unpack to much": containers(() => ""),
  "object streams: Extends": containers((next) => `/Extends ${next} 0 R`),
  "bombs: contents of a megabyte": bombs(1, 1),
  "bombs: filter within filter": bombs(100, 3),
  "bombs: one content for many pages": ({ owners }) => ({
    kids: references(owners),
    objects: [
      ...ownerParts(
        owners,
        () =>
          "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</XObject<</a 6 0 R>>>>/Contents[6 0 R 7 0 R]>>",
      ),
      { num: 6, text: "<</Filter[/FlateDecode/FlateDecode]>>", data: nestedBomb(300, 2) },
      contentPart(`/a Do ${ENTRY}`),
    ],
  }),
};
