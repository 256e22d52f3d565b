import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { latin1, latin1Bytes } from "../../../../../workers/pdf/syntax/characters.ts";
import { Keyword, Lexer } from "../../../../../workers/pdf/syntax/lexer.ts";
import {
  PdfDict,
  PdfName,
  type PdfObject,
  PdfReal,
  PdfRef,
  PdfString,
} from "../../../../../workers/pdf/syntax/objects.ts";
import { MalformedObject, parseObject } from "../../../../../workers/pdf/syntax/parser.ts";
import { ByteWriter, writeObject } from "../../../../../workers/pdf/syntax/serializer.ts";

const parse = (text: string) => parseObject(new Lexer(latin1Bytes(text)));
const bytes = (text: string, hex = false) => new PdfString(latin1Bytes(text), hex);
const dict = (entries: Record<string, PdfObject>) => PdfDict.from(Object.entries(entries));

describe("parseObject reads objects (ISO 32000-2, 7.3)", () => {
  const cases: [text: string, object: PdfObject][] = [
    ["null", null],
    ["true", true],
    ["17", 17],
    ["-98", -98],
    ["+17", 17],
    ["0005", 5],
    ["-0", 0],
    ["34.5", new PdfReal("34.5")],
    ["-.002", new PdfReal("-.002")],
    ["4.", new PdfReal("4.")],
    ["99999999999999999999", new PdfReal("99999999999999999999")],
    ["(a (nested) string)", bytes("a (nested) string")],
    ["(\\110\\53\\0532\\7)", bytes("H++2\x07")],
    ["(line\\\r\nbreak\rand\r\nnext)", bytes("linebreak\nand\nnext")],
    ["(\\n\\r\\t\\b\\f\\(\\)\\\\\\x)", bytes("\n\r\t\b\f()\\x")],
    ["<4E6f 76 7>", bytes("Novp", true)],
    ["<>", bytes("", true)],
    ["/Name1", PdfName.of("Name1")],
    ["/A#20B#23", PdfName.of("A B#")],
    ["/bad#zz", PdfName.of("bad#zz")],
    ["/", PdfName.of("")],
    ["[12 0]", [12, 0]],
    ["[1 2 R 3 0 R]", [new PdfRef(1, 2), new PdfRef(3, 0)]],
    ["[549 3.14 false(x)/N]", [549, new PdfReal("3.14"), false, bytes("x"), PdfName.of("N")]],
    ["<</A 1/B<</C[2]>>>>", dict({ A: 1, B: dict({ C: [2] }) })],
    ["<</A null/B 2>>", dict({ B: 2 })],
    ["% a comment\n<</A%another\r1>>", dict({ A: 1 })],
  ];
  it.each(cases)("%s", (text, object) => {
    expect(parse(text)).toEqual(object);
  });
});

describe("parseObject reads malformed input", () => {
  const cases: [text: string, object: PdfObject][] = [
    ["<</A 1 endobj", dict({ A: 1 })],
    ["<</A [1 2 >>", dict({ A: [1, 2] })],
    ["<</A 1 ] /B 2>>", dict({ A: 1, B: 2 })],
    ["<</A 1 junk /B 2>>", dict({ A: 1, B: 2 })],
    ["<</A /B", dict({ A: PdfName.of("B") })],
    ["[1 2", [1, 2]],
    ["(never closed", bytes("never closed")],
    ["<41zz42>", bytes("AB", true)],
    ["endobj", null],
    ["", null],
    ["]", null],
    ["[0 0 R]", [null]],
    ["12 0 R", 12],
  ];
  it.each(cases)("%s", (text, object) => {
    expect(parse(text)).toEqual(object);
  });

  it("throws MalformedObject for objects that nest too deep, in constant time", () => {
    expect(() => parse("[".repeat(1_000_000))).toThrow(MalformedObject);
    expect(() => parse("<</A".repeat(1_000_000))).toThrow(MalformedObject);
  });
});

describe("properties", () => {
  const name = fc.string({ unit: "binary-ascii", maxLength: 12 }).map((text) => PdfName.of(text));
  const key = fc.string({ unit: "binary-ascii", maxLength: 8 });
  const scalar: fc.Arbitrary<PdfObject> = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
      .map((value) => value.toFixed(5))
      .map((text) => new PdfReal(text)),
    name,
    fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.boolean()).map(([data, hex]) => new PdfString(data, hex)),
    fc
      .tuple(fc.integer({ min: 1, max: 8388607 }), fc.integer({ min: 0, max: 65535 }))
      .map(([num, gen]) => new PdfRef(num, gen)),
  );
  const { object } = fc.letrec<{ object: PdfObject }>((tie) => ({
    object: fc.oneof(
      { depthSize: "small" },
      scalar,
      fc.array(tie("object"), { maxLength: 5 }),
      fc
        .array(fc.tuple(key, tie("object")), { maxLength: 5 })
        .map((entries) => PdfDict.from(entries.filter(([, value]) => value !== null))),
    ),
  }));

  it("parseObject returns what writeObject wrote", () => {
    fc.assert(
      fc.property(object, (written) => {
        const out = new ByteWriter(1);
        writeObject(out, [written]);
        expect(parseObject(new Lexer(out.take()))).toEqual([written]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([0, 9, 10, 99, 100, 999, 1000, 2 ** 31 - 1, 2 ** 31, -1, -10, Number.MAX_SAFE_INTEGER])(
    "writes a number like JavaScript: %d",
    (number) => {
      const out = new ByteWriter(1);
      writeObject(out, number);
      expect(latin1(out.take())).toBe(String(number));
    },
  );

  it("PdfDict behaves like a Map, with few keys and with many", () => {
    const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ set: letter, value: fc.integer() }) },
      { weight: 1, arbitrary: fc.record({ delete: letter }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
        const map = new Map<string, PdfObject>();
        const dict = new PdfDict();
        for (const step of steps) {
          if ("set" in step) {
            map.set(step.set, step.value);
            dict.set(step.set, step.value);
          } else {
            map.delete(step.delete);
            dict.delete(step.delete);
          }
          expect(dict.size).toBe(map.size);
        }
        expect([...dict.entries()]).toEqual([...map]);
        expect([...dict.clone().values()]).toEqual([...map.values()]);
        for (const key of "abcdefghijklmnopqrstuvwxyz") {
          expect(dict.get(key)).toBe(map.get(key));
          expect(dict.has(key)).toBe(map.has(key));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("reads dictionaries with noise, nulls and repeated keys", () => {
    const item = fc.oneof(
      { weight: 6, arbitrary: fc.nat(40).map((number) => `/K${number} ${number}`) },
      { weight: 1, arbitrary: fc.nat(40).map((number) => `/K${number} null`) },
      { weight: 1, arbitrary: fc.nat(40).map((number) => `/K${number} /V`) },
      { weight: 1, arbitrary: fc.constantFrom("7", "(noise)", "[1 /K1]", "/K2") },
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60, size: "max" }), (items) => {
        const object = parse(`<<${items.join(" ")}>>`);
        const expected = new Map<string, unknown>();
        const tokens = items.join(" ").match(/\[.*?\]|\S+/g) ?? [];
        for (let at = 0; at < tokens.length; at++) {
          const [key, value] = [tokens[at], tokens[at + 1]];
          if (!key?.startsWith("/")) continue;
          if (value !== undefined && value !== "null") expected.set(key.slice(1), value);
          at++;
        }
        const out = new ByteWriter();
        const found = object instanceof PdfDict ? [...object.entries()] : [];
        const texts = found.map(([key, value]) => {
          writeObject(out, value);
          return [key, latin1(out.take())];
        });
        expect(texts).toEqual([...expected]);
      }),
      { numRuns: 300 },
    );
  });

  it("the lexer advances with every token and ends on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        const lexer = new Lexer(data);
        for (let tokens = 0; tokens <= data.length + 1; tokens++) {
          const before = lexer.at;
          const token = lexer.next();
          expect(lexer.at).toBeLessThanOrEqual(data.length);
          if (token instanceof Keyword && token.text === "") return;
          expect(lexer.at).toBeGreaterThan(before);
        }
        expect.fail("more tokens than bytes");
      }),
      { numRuns: 1000 },
    );
  });

  it("the parser ends on any sequence of tokens", () => {
    const token = fc.constantFrom(
      ..."<< >> [ ] ( ) < > / /A 1 -2 .5 R obj endobj stream true null { } % \n \\ #".split(" "),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
        const out = new ByteWriter();
        writeObject(out, parse(tokens.join(" ")));
        const again = new ByteWriter();
        const once = out.take();
        writeObject(again, parseObject(new Lexer(once)));
        expect(again.take()).toEqual(once);
      }),
      { numRuns: 1000 },
    );
  });
});
