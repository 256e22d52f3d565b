import { describe, expect, test } from "vitest";
import { operationsIn, stateBalance } from "../../../../../workers/pdf/clean/content-operations.ts";
import { visibleContent } from "../../../../../workers/pdf/clean/visible-content.ts";
import { refusal } from "../../../../support/refusal.ts";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** Returns content without the sections of the layer `H` and the object `X`, with single spaces. */
function visible(content: string): string {
  const { bytes } = visibleContent(bytesOf(content), {
    hidesSection: (name) => name === "H",
    hidesXObject: (name) => name === "X",
    hidesPartOf: () => false,
    listsOf: () => [],
  });
  return Buffer.from(bytes).toString("latin1").replace(/\s+/g, " ").trim();
}

describe("content without its hidden sections", () => {
  test.each([
    ["what is shown", "q /OC /S BDC 0 0 m 9 9 l S EMC Q", "q /OC /S BDC 0 0 m 9 9 l S EMC Q"],
    ["drawing", "/OC/H BDC /I Do /P sh BI /W 1 ID \xff EI EMC 1 w", "1 w"],
    ["a path", "/OC/H BDC 0 0 m 9 9 l S 0 0 5 5 re f* EMC f", "n n f"],
    ["a path that clips what follows", "/OC/H BDC 0 0 5 5 re W f EMC 1 w", "0 0 5 5 re W n 1 w"],
    ["the graphics state that holds for what follows", "/OC/H BDC q 2 w 1 0 0 rg EMC", "q 2 w 1 0 0 rg"],
    ["text", "BT /OC/H BDC 5 0 Td (a) Tj [(b)] TJ EMC 9 0 Td (c) Tj ET", "BT 5 0 Td 9 0 Td (c) Tj ET"],
    ["the lines of text", `BT /OC/H BDC (a) ' 1 2.5 (b) " EMC (c) ' ET`, "BT T* 1 Tw 2.5 Tc T* (c) ' ET"],
    [
      "sections in it",
      "/OC/H BDC /P <</MCID 4>> BDC /A BMC f EMC EMC /T MP EMC /P BMC f EMC",
      "n /P BMC f EMC",
    ],
    ["text after text that clips", "q 7 Tr Q BT /OC/H BDC (a) Tj EMC ET", "q 7 Tr Q BT ET"],
    ["a path with sections in it", "/OC/H BDC 0 0 9 9 re /P BMC EMC f EMC", "n"],
    ["an object", "/X Do /Y Do", "/Y Do"],
    ["an object with too many operands", "/Y /X Do /Y Do", "/Y Do"],
    ["a section that does not end", "1 w /OC/H BDC /I Do", "1 w"],
    ["nothing at the end of a section that began nowhere", "EMC 1 w", "EMC 1 w"],
  ])("loses %s", (_, content, expected) => expect(visible(content)).toBe(expected));

  test("has lost the identifiers of the marked content in it", () => {
    const content = bytesOf("/P<</MCID 1>>BDC EMC /OC/H BDC /P<</MCID 2>>BDC EMC EMC");
    const { removedIds } = visibleContent(content, {
      hidesSection: () => true,
      hidesXObject: () => false,
      hidesPartOf: () => false,
      listsOf: () => [],
    });
    expect([...removedIds]).toEqual([2]);
  });

  test.each([
    ["text that decides the place of visible text", "BT /OC/H BDC (a) Tj EMC (b) Tj ET"],
    ["text that clips what follows", "q BT 7 Tr /OC/H BDC (a) Tj EMC ET 0 0 9 9 re f Q"],
    ["text that clips after a state is restored", "5 Tr q 0 Tr Q BT /OC/H BDC (a) Tj EMC ET"],
    ["a path that clips what follows", "/OC/H BDC 0 0 9 9 re W EMC n"],
    ["a path that is drawn after it", "/OC/H BDC /P BMC 0 0 9 9 re EMC EMC f"],
    ["content of a section with too many operands", "/P /OC/H BDC (a) Tj EMC"],
    ["content of a section with very many operands", `${"1 ".repeat(99)}/OC/H BDC (a) Tj EMC`],
    [
      "content of a section with very many operands after its layer",
      `/OC/H${"(b)".repeat(64)}BDC (a) Tj EMC`,
    ],
  ])("is refused for hidden %s", (_, content) => {
    const details = { parameter: "keep", kind: "hidden_text" };
    expect(() => visible(content)).toThrow(refusal("unsupported_conversion", details, '"layers"'));
  });
});

describe("the operations of content", () => {
  test.each([
    ["BI /W 1 ID \x00EI\xff EI Q", ["BI", "Q"]],
    ["BI /W 1 ID a EI b\xff EI\nQ", ["BI", "Q"]],
    ["BI/W 1/H 1/BPC 8/CS/G ID xEI\nBT(\xe9)Tj", ["BI", "BT", "Tj"]],
    ["BI/W 4/H 1/BPC 8/CS[/I/G 1<00ff>]ID\r\n EI EI q", ["BI", "q"]],
    ["BI/W 9/H 2/IM true ID 1234 EI BT(\xe9)Tj", ["BI", "BT", "Tj"]],
    ["BI/F/A85 ID > EI ,l~>EI\nq", ["BI", "q"]],
    ["BI/F[/AHx/Fl]ID 00>EI BT(\xe9)Tj", ["BI", "BT", "Tj"]],
    ["BI/F/Fl ID xEI/OC/H BDC(\xe9)Tj EMC", ["BI", "BDC", "Tj", "EMC"]],
    ["BI/F/Fl ID x EI\xff", ["BI"]],
    ["1 w[(a)2]0 d/F 12Tf", ["w", "d", "Tf"]],
    ["/P <</A [<</B 1>>]>> BDC % q\nq", ["BDC", "q"]],
  ])("%j", (content, expected) => {
    expect([...operationsIn(bytesOf(content))].map(({ operator }) => operator)).toEqual(expected);
  });

  test("are refused where it is not clear which EI ends a picture", () => {
    const content = bytesOf("BI/F/Fl ID x EI q unheard(\xe9)Tj");
    const error = refusal("unsupported_conversion", { kind: "inline_image" });
    expect(() => [...operationsIn(content)]).toThrow(error);
  });

  test.each([
    ["q Q", { missing: 0, left: 0 }],
    ["q q Q", { missing: 0, left: 1 }],
    ["Q Q q", { missing: 2, left: 1 }],
    ["(q) Tj BI ID q EI q", { missing: 0, left: 1 }],
  ])("%j leave a balance of states", (content, expected) => {
    expect(stateBalance(bytesOf(content))).toEqual(expected);
  });
});
