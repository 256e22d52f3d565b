import { beforeAll, describe, expect, test } from "vitest";
import FIELDS from "../../docs/reference/fields.md?raw";
import { type ConvertParams, createClient, ServiceError } from "../../src/index.ts";
import { makeBmp } from "../support/fixtures/image/gif-and-bmp.ts";
import { jpegWith, makeExif, makeXmp } from "../support/fixtures/image/metadata.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { blobOf, bytesOf, drawing, QUARTERS, quarters, shared } from "./pictures.ts";

// Holds the table of docs/reference/fields.md against what each field does to a result.

/** What a field does: the words of the table. */
type Effect = "yes" | "" | "refused" | "sent";

const [, SECTION = ""] = /^## Fields with an effect$(.*?)^"sent"/ms.exec(FIELDS) ?? [];
const [HEAD = [], , ...ROWS] = SECTION.split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const NAMES = HEAD.slice(2, -1).map((cell) => cell.replaceAll("`", ""));

const VALUES: Readonly<Record<string, unknown>> = {
  pages: "2",
  rotate: 90,
  password: "key",
  quality: 0.2,
  dpi: 36,
  background: "red",
  page_size: "a4",
  keep_metadata: true,
  max_bytes: 200,
  max_width: 20,
  max_height: 20,
};

/** Files, by the words of the table. A field has an effect if it changes the result of one of them. */
let inputs: Readonly<Record<string, readonly ConvertParams["file"][]>>;

beforeAll(async () => {
  const pdf = new File([smallPdf()], "paper.pdf");
  const protection = await shared.protectPdf({ file: pdf, password: "key" });
  const photo = await drawing("image/jpeg", 64, 32, quarters);
  const half = await drawing("image/png", 64, 32, (context) => {
    context.fillStyle = "rgb(0 0 255 / 50%)";
    context.fillRect(0, 0, 40, 20);
  });
  const images = [
    new File([half], "transparent.png"),
    new File([makeBmp(64, 32, (x) => QUARTERS[x % 3] ?? [])], "opaque.bmp"),
    new File([jpegWith(photo, { exif: makeExif(1), xmp: makeXmp(1) })], "metadata.jpg"),
  ];
  inputs = {
    PDF: [pdf, shared.blob(protection)],
    image: images,
    images: images.map((image) => [image, image]),
    office: [new File(["{\\rtf1}"], "letter.rtf")],
  };
});

test("the table has every field of convert but the file and the format", () => {
  expect(NAMES).toEqual(Object.keys(VALUES));
  expect(ROWS.length).toBeGreaterThan(10);
});

const PAIRS = ROWS.flatMap(([, pair = "", ...cells]) => {
  const [from = "", to = ""] = pair.split(" → ");
  const effects = Object.fromEntries(NAMES.map((name, index) => [name, cells[index]]));
  return from
    .split(", ")
    .flatMap((one) => to.split(", ").map((other) => ({ from: one, to: other, effects })));
});

describe.each(PAIRS)("$from to $to", ({ from, to, effects }) => {
  test("has the effects of the table", async () => {
    const found: Record<string, Effect> = {};
    for (const name of NAMES) found[name] = await effectOf(name, inputs[from] ?? [], to);
    expect(found).toEqual(effects);
  });
});

async function effectOf(name: string, files: readonly ConvertParams["file"][], to: string): Promise<Effect> {
  for (const file of files) {
    const params = { file, output_format: to };
    const [without, withField] = [
      await outcomeOf(params),
      await outcomeOf({ ...params, [name]: VALUES[name] }),
    ];
    if (withField.startsWith(`refused ${name}`)) return "refused";
    if (withField.startsWith("sent")) return withField.includes(name) ? "sent" : "";
    if (withField !== without) return "yes";
  }
  return "";
}

/** Two small pages with text, which are drawn and encoded quickly. */
function smallPdf(): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder("latin1").decode(makePdf({ pages: 2 }));
  // Of the same length, so that the cross-reference table stays right.
  const small = text.replaceAll("595 842", "059 084").replaceAll("72 720 Td", "02 040 Td");
  return new TextEncoder().encode(small);
}

/** Converts a file, and returns its bytes, what was sent, or why it was not converted. */
async function outcomeOf(params: ConvertParams): Promise<string> {
  const sent: string[] = [];
  const client = createClient({
    baseUrl: "https://service.example",
    fetch: async (input, init) => {
      sent.push(...(await new Request(input, init).formData()).keys());
      return new Response("", { status: 400 });
    },
  });
  try {
    const bytes = await bytesOf(await blobOf(await shared.convert(params)));
    return new TextDecoder("latin1").decode(bytes);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "remote_not_configured") {
      await client.convert(params).catch(() => {});
      return `sent ${sent}`;
    }
    const { parameter, smallest } = error.details;
    const isRefused = error.code === "invalid_parameter" && smallest === undefined;
    return isRefused ? `refused ${parameter}` : error.code;
  } finally {
    client.close();
  }
}
