import { expect, test } from "vitest";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import { LayerStates } from "../../../../../../workers/pdf/features/layers/layer-states.ts";
import { PdfDocument } from "../../../../../../workers/pdf/file/document.ts";
import { catalogOf, type PlainObject, pageOf, pdfOf } from "../../../../../support/fixtures/pdf-objects.ts";

const ON = "4 0 R";
const OFF = "5 0 R";
/** Layers by what they are made for. */
const NOT_TO_VIEW = "6 0 R";
const TO_VIEW = "7 0 R";
const AUTOMATIC = `/AS[<</Event/View/Category[/View]/OCGs[${NOT_TO_VIEW} ${TO_VIEW}]>>]`;

/** Whether what has that for its `OC` is shown in a document of that configuration. */
function isShown(content: string, configuration = `/OFF[${OFF}]`, more: PlainObject[] = []) {
  const layers = `/OCProperties<</OCGs[${ON} ${OFF} ${NOT_TO_VIEW} ${TO_VIEW}]/D<<${configuration}>>>>`;
  const layer = (num: number, entries = "") => ({ num, body: `<</Type/OCG/Name(layer)${entries}>>` });
  const usage = (state: string) => `/Usage<</View<</ViewState/${state}>>>>`;
  const bytes = pdfOf([
    ...catalogOf("3 0 R", `${layers}/Asked ${content}`),
    pageOf(3),
    ...[layer(4), layer(5), layer(6, usage("OFF")), layer(7, usage("ON")), ...more],
  ]);
  const document = PdfDocument.open(bufferSource(bytes));
  return LayerStates.of(document)?.isShown(document.catalog?.get("Asked"));
}

test.each([
  ["what is on no layer", "null", true],
  ["a layer", ON, true],
  ["a layer that is off", OFF, false],
  ["what is no layer", "(text)", true],
  ["one of two that is on", `<</Type/OCMD/OCGs[${ON} ${OFF}]>>`, true],
  ["neither", `<</Type/OCMD/OCGs[${OFF} ${OFF}]>>`, false],
  ["a single one", `<</Type/OCMD/OCGs ${OFF}>>`, false],
  ["none", "<</Type/OCMD/OCGs[]>>", true],
  ["all on", `<</Type/OCMD/OCGs[${ON} ${OFF}]/P/AllOn>>`, false],
  ["any off", `<</Type/OCMD/OCGs[${ON} ${OFF}]/P/AnyOff>>`, true],
  ["all off", `<</Type/OCMD/OCGs[${ON} ${OFF}]/P/AllOff>>`, false],
  ["not", `<</Type/OCMD/OCGs ${ON}/VE[/Not ${ON}]>>`, false],
  ["and", `<</Type/OCMD/VE[/And ${ON}[/Not ${OFF}]]>>`, true],
  ["or", `<</Type/OCMD/VE[/Or ${OFF}[/Not ${ON}]]>>`, false],
  ["an expression that makes no sense", "<</Type/OCMD/VE[1 2]>>", true],
])("%s", (_, content, expected) => {
  expect(isShown(content)).toBe(expected);
});

test.each([
  ["all are on", ON, "", true],
  ["all are off", ON, "/BaseState/OFF", false],
  ["all but one are off", ON, `/BaseState/OFF/ON[${ON}]`, true],
  ["what is made for viewing does not count by itself", NOT_TO_VIEW, "", true],
  ["it counts where the document says so", NOT_TO_VIEW, AUTOMATIC, false],
  ["it counts where the layer is off otherwise", TO_VIEW, `/OFF[${TO_VIEW}]${AUTOMATIC}`, true],
  [
    "it does not count where the document asks for the zoom",
    NOT_TO_VIEW,
    AUTOMATIC.replace("/View]", "/Zoom]"),
    true,
  ],
  [
    "it counts for viewing, not for printing",
    NOT_TO_VIEW,
    AUTOMATIC.replace("Event/View", "Event/Print"),
    true,
  ],
])("%s", (_, content, configuration, expected) => {
  expect(isShown(content, configuration)).toBe(expected);
});

test("ends on a visibility expression that contains itself", () => {
  const loop = { num: 8, body: "[/And 8 0 R 8 0 R 8 0 R 8 0 R]" };
  expect(isShown("<</Type/OCMD/VE 8 0 R>>", "", [loop])).toBe(true);
});

test("returns undefined for a document without layers", () => {
  const document = PdfDocument.open(bufferSource(pdfOf([...catalogOf("3 0 R"), pageOf(3)])));
  expect(LayerStates.of(document)).toBeUndefined();
});
