import { afterAll, describe, expect, test } from "vitest";
import { protectBytes, unlockBytes } from "../support/engine.ts";
import { makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { catalogOf, packedPdfOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, qpdfObject, qpdfRewrite } from "../support/oracles.ts";
import { fromDisk, onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("what is protected and unlocked of odd documents", ["qpdf", "pdftotext"]);

describe.skipIf(missing.length > 0)(
  "an unusual document, protected and unlocked, as native tools read it",
  () => {
    const scratch = new Scratch();
    afterAll(() => scratch.remove());
    const font = { num: 5, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" };
    const text = { num: 4, body: "<<>>", stream: "BT /F 20 Tf 20 50 Td (NEEDED) Tj ET" };
    const textPage = pageOf(3, "/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R");
    const password = "x";

    const isSound = async (output: string, opening?: string) =>
      expect(await qpdfCheck(output, opening)).toMatchObject({ verdict: "ok", pageCount: 1 });

    /** Protects a document and writes it to disk. */
    async function locked(input: Uint8Array): Promise<string> {
      const output = onDisk(scratch, await protectBytes(input, { password }));
      await isSound(output, password);
      return output;
    }

    async function unlocked(input: Uint8Array): Promise<string> {
      const output = onDisk(scratch, await unlockBytes(input, password));
      await isSound(output);
      return output;
    }

    test("keeps the objects of an object stream that an update has freed", async () => {
      const freed = (file: Uint8Array, num: number) => {
        const whole = Buffer.from(file).toString("latin1");
        const last = /startxref\n(\d+)\n%%EOF\n$/.exec(whole)?.[1];
        const section = `xref\n${num} 1\n0000000000 00001 f \n`;
        const own = /\/Encrypt \d+ 0 R|\/ID ?\[<[^\]]+\]/g;
        const trailer = `trailer\n<</Size 9/Root 1 0 R/Prev ${last}${whole.match(own)?.join("") ?? ""}>>\n`;
        const update = `${section}${trailer}startxref\n${whole.length}\n%%EOF\n`;
        return Uint8Array.from(Buffer.from(whole + update, "latin1"));
      };
      const input = packedPdfOf([...catalogOf("3 0 R"), textPage, text], [font]);
      expect((await popplerText(await locked(freed(input, 6)), password)).toString()).toContain("NEEDED");
      const encrypted = freed(await protectBytes(input, { password }), 6);
      expect((await popplerText(await unlocked(encrypted))).toString()).toContain("NEEDED");
    });

    describe("dangling references", () => {
      const dangling = [7, 8, 9, 10, 12, 13, 4_000_000, 8_388_607];
      const pages = [
        ...catalogOf("3 0 R", `/X[${dangling.map((num) => `${num} 0 R`).join(" ")}]`),
        pageOf(3),
      ];
      // No object has these numbers.
      const content = { num: 4, body: "<</X[15 0 R 11 0 R]>>", stream: "0 0 m 9 9 l S" };
      const entries = "/Root 1 0 R/Y[<</Z 6 0 R>>]";

      test.each([
        ["as written", pdfOf([...pages, content], `${entries}/Info 5 0 R`)],
        ["with an Info in the trailer", pdfOf([...pages, content], `${entries}/Info<</A(b)>>`)],
        ["in object streams", packedPdfOf([content], pages, `${entries}/Info 14 0 R`)],
      ])("stay dangling: %s", async (_, input) => {
        const output = await locked(input);
        const plain = await unlocked(fromDisk(output));
        // They dangle, or they are null, as ISO 32000-2, 7.3.10 equates.
        for (const [path, opening] of [[output, password], [plain]] as const) {
          const shown = async (num: number | "trailer") => await qpdfObject(path, num, opening);
          const listed = async (list = "") => {
            const items = list.match(/null|\d+ 0 R/g) ?? [];
            for (const item of items.filter((item) => item !== "null")) {
              expect(await shown(Number.parseInt(item, 10))).toBe("null");
            }
            return items.length;
          };
          const [, ofCatalog] = /\/X \[ ([^\]]*) \]/.exec(await shown(1)) ?? [];
          expect(await listed(ofCatalog)).toBe(dangling.length);
          const [, list, num] = /\/X (?:(\[.*?\])|(\d+) 0 R)/.exec(await shown(4)) ?? [];
          expect(await listed(list ?? (await shown(Number(num))))).toBe(2);
          const trailer = await shown("trailer");
          const [, ofTrailer] = /\/Y (\d+) 0 R/.exec(trailer) ?? [];
          expect(ofTrailer === undefined ? trailer : await shown(Number(ofTrailer))).toMatch(
            /\[ << (\/Z (null|\d+ 0 R) )?>> \]/,
          );
          const [, info] = /\/Info (\d+) 0 R/.exec(trailer) ?? [];
          if (info) expect(await shown(Number(info))).toMatch(/^null$|\/A/);
        }
      });

      test("do not raise object numbers with each protect and unlock", async () => {
        let file: Uint8Array = packedPdfOf([content], pages);
        const sizes = new Set<string | undefined>();
        for (let round = 0; round < 3; round++) {
          file = await unlockBytes(await protectBytes(file, { password }), password);
          sizes.add(/\/Size (\d+)/.exec(Buffer.from(file).toString("latin1"))?.[1]);
        }
        expect(sizes.size).toBe(1);
      });
    });

    test("keeps an object that a linearization dictionary wrongly calls the hint stream", async () => {
      const linearized = (target: string, length: (whole: string) => number) => {
        const first = { num: 7, body: "<</Linearized 1/L LENGTH/H[OFFSET 9]/O 3/E 9/N 1/T 9>>" };
        const pdf = pdfOf([first, ...catalogOf("3 0 R"), textPage, text, font]);
        const whole = Buffer.from(pdf).toString("latin1");
        const offset = String(whole.indexOf(target)).padStart(6, "0");
        const filled = whole.replace("OFFSET", offset);
        return Uint8Array.from(
          Buffer.from(filled.replace("LENGTH", String(length(whole)).padStart(6, "0")), "latin1"),
        );
      };
      for (const target of ["3 0 obj", "4 0 obj", "5 0 obj"]) {
        for (const length of [({ length }: string) => length, () => 999]) {
          const output = await locked(linearized(target, length));
          expect((await popplerText(output, password)).toString()).toContain("NEEDED");
        }
      }
    });

    test("drops the hint stream, also of an updated file", async () => {
      const linearized = scratch.path("linearized.pdf");
      await qpdfRewrite(onDisk(scratch, makeMarkedPdf()), linearized, ["--linearize"]);
      const hintStream = /\/S \d+.{0,40}\nstream\n/;
      const input = fromDisk(linearized);
      const whole = Buffer.from(input).toString("latin1");
      expect(whole).toMatch(hintStream);
      const size = Number(/\/Size (\d+)/.exec(whole)?.[1]);
      const root = /\/Root \d+ 0 R/.exec(whole)?.[0];
      const last = /startxref\n(\d+)\n%%EOF\n$/.exec(whole)?.[1];
      const added = `${size} 0 obj\n<<>>\nendobj\n`;
      const section = `xref\n${size} 1\n${String(whole.length).padStart(10, "0")} 00000 n \n`;
      const trailer = `trailer\n<</Size ${size + 1}${root}/Prev ${last}>>\n`;
      const update = `${added}${section}${trailer}startxref\n${whole.length + added.length}\n%%EOF\n`;
      for (const file of [input, Uint8Array.from(Buffer.from(whole + update, "latin1"))]) {
        const output = await protectBytes(file, { password });
        expect(Buffer.from(output).toString("latin1")).not.toMatch(hintStream);
        expect(await qpdfCheck(onDisk(scratch, output), password)).toMatchObject({ verdict: "ok" });
      }
    });
  },
);
