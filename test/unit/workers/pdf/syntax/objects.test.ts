import { describe, expect, it } from "vitest";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { PdfDocument } from "../../../../../workers/pdf/file/document.ts";
import {
  arrayOf,
  dictOf,
  integerOf,
  nameOf,
  numberOf,
  PdfDict,
  PdfName,
  PdfRef,
  resolved,
  streamOf,
  stringOf,
} from "../../../../../workers/pdf/syntax/objects.ts";
import { boundTo } from "../../../../../workers/pdf/syntax/parts.ts";
import {
  catalogOf,
  type PlainObject,
  packedPdfOf,
  pageOf,
  pdfOf,
} from "../../../../support/fixtures/pdf-objects.ts";

const VALUES = {
  name: "/Sig",
  integer: "7",
  real: "7.5",
  whole: "7.0",
  string: "(text)",
  array: "[1 5 0 R]",
};
const DICT = "/Dict<</Key 1>>";

/** A document whose object 4 has an entry of each type, direct and as a reference. */
function documentOf(pack: typeof pdfOf | typeof packedPdfOf): PdfDocument {
  const indirect: PlainObject[] = Object.values(VALUES).map((body, index) => ({ num: 10 + index, body }));
  indirect.push({ num: 20, body: `<<${DICT}>>` });
  const direct = Object.entries(VALUES).map(
    ([key, value]) => `/${key}${value.startsWith("7") ? " " : ""}${value}`,
  );
  const refs = Object.keys(VALUES).map((key, index) => `/${key}Ref ${10 + index} 0 R`);
  const entries = `${direct.join("")}${refs.join("")}${DICT}/DictRef 20 0 R/stream 21 0 R/dangling 99 0 R`;
  const plain = [...catalogOf("3 0 R", "/Test 4 0 R"), pageOf(3)];
  const stream = { num: 21, body: "<</Of 20 0 R>>", stream: "data" };
  const others = [{ num: 4, body: `<<${entries}>>` }, { num: 5, body: "/Item" }, ...indirect];
  const bytes =
    pack === pdfOf ? pdfOf([...plain, ...others, stream]) : packedPdfOf([...plain, stream], others);
  return PdfDocument.open(bufferSource(bytes));
}

describe.each([
  { kind: "in the file", pack: pdfOf },
  { kind: "in object streams", pack: packedPdfOf },
])("the readers of dictionaries $kind", ({ pack }) => {
  const dict = documentOf(pack).catalog?.dict("Test") ?? new PdfDict();

  it.each(["", "Ref"])("read every type from an entry with the suffix %j", (suffix) => {
    expect(dict.name(`name${suffix}`)).toBe("Sig");
    expect(dict.is(`name${suffix}`, "Sig")).toBe(true);
    expect(dict.integer(`integer${suffix}`)).toBe(7);
    expect(dict.integer(`whole${suffix}`)).toBe(7);
    expect(dict.integer(`real${suffix}`)).toBeUndefined();
    expect(dict.number(`real${suffix}`)).toBe(7.5);
    expect(dict.string(`string${suffix}`)?.bytes).toEqual(new TextEncoder().encode("text"));
    expect(dict.array(`array${suffix}`)[0]).toBe(1);
    expect(nameOf(dict.array(`array${suffix}`)[1])).toBe("Item");
    expect(dict.dict(suffix ? "DictRef" : "Dict")?.size).toBe(1);
    expect(dict.value(`name${suffix}`)).toEqual(PdfName.of("Sig"));
  });

  it("return undefined, or no items, for another type, a missing object and a missing entry", () => {
    for (const key of ["dangling", "absent", "DictRef"]) {
      expect(dict.name(key)).toBeUndefined();
      expect(dict.integer(key)).toBeUndefined();
      expect(dict.number(key)).toBeUndefined();
      expect(dict.string(key)).toBeUndefined();
      expect(dict.array(key)).toEqual([]);
      expect(dict.stream(key)).toBeUndefined();
    }
    expect(dict.dict("nameRef")).toBeUndefined();
    expect(dict.value("dangling")).toBeNull();
    expect(dict.value("absent")).toBeNull();
  });

  it("read streams, and follow the references of their dictionaries", () => {
    expect(dict.stream("stream")?.dict.dict("Of")?.dict("Dict")?.integer("Key")).toBe(1);
    expect(dict.dict("stream")?.has("Of")).toBe(true);
  });

  it("return a reference without following it", () => {
    expect(dict.reference("nameRef")).toMatchObject({ num: 10, gen: 0 });
    expect(dict.reference("name")).toBeUndefined();
    expect(dict.get("nameRef")).toBeInstanceOf(PdfRef);
  });

  it("work in a copy", () => {
    const copy = dict.clone();
    copy.delete("name");
    expect(copy.name("nameRef")).toBe("Sig");
  });
});

it("a reference of a new file leads nowhere", () => {
  const ref = new PdfRef(1, 0);
  for (const read of [nameOf, integerOf, numberOf, stringOf, dictOf, streamOf])
    expect(read(ref)).toBeUndefined();
  expect(resolved(ref)).toBeNull();
  expect(arrayOf(ref)).toEqual([]);
});

it("boundTo makes the references of an object lead to a file", () => {
  const trailer = PdfDict.from([["List", [PdfDict.from([["Root", new PdfRef(1, 0)]])]]]);
  const [bound] = boundTo(documentOf(pdfOf), trailer).array("List");
  expect(dictOf(bound)?.dict("Root")?.name("Type")).toBe("Catalog");
});

describe("a dictionary from a file charges for", () => {
  const charged = (body: string, read: (dict: PdfDict) => unknown) => {
    const document = PdfDocument.open(
      bufferSource(pdfOf([...catalogOf("3 0 R", "/Test 4 0 R"), pageOf(3), { num: 4, body }])),
    );
    const dict = document.catalog?.dict("Test") ?? new PdfDict();
    const entries: number[] = [];
    const charge = document.budget.charge.bind(document.budget);
    document.budget.charge = (kind, count = 1) => {
      if (kind === "entry") entries.push(count);
      charge(kind, count);
    };
    read(dict);
    return entries;
  };

  it("the items of arrays, with those of the arrays in them", () => {
    expect(charged("<</A[1[2 3]4]>>", (dict) => dict.array("A"))).toEqual([3, 2]);
    expect(charged("<</A[1[2 3]4]>>", (dict) => dict.clone().array("A"))).toEqual([1, 3, 2]);
  });

  it("the entries of a walk", () => {
    expect(charged("<</A 1/B 2>>", (dict) => [...dict.entries()])).toEqual([2]);
    expect(charged("<</A 1/B 2>>", (dict) => [...dict.values()])).toEqual([2]);
  });
});
