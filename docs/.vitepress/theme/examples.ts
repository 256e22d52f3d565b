// Files for readers without one at hand, made in the tab.
import type { Client } from "../../../src/index.ts";

const PASSWORD = "open sesame";
const PICTURE = { width: 1600, height: 1000 };
const QUALITY = 0.95;
const FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>";

/** Makes the files of an example. Some are made by the client itself. */
export type MakeExample = (client: Client) => Promise<File[]>;

export const report: MakeExample = async () => [reportFile(4)];

/** Returns a PDF of so many pages. */
export function reportFile(pageCount: number): File {
  return pdfFile("report.pdf", pages(pageCount));
}

export const reportAndPicture: MakeExample = async () => [
  pdfFile("report.pdf", pages(2)),
  await pictureFile("hills.jpg"),
];

export const picture: MakeExample = async () => [await pictureFile("hills.jpg")];

export const pictures: MakeExample = async () => [
  await pictureFile("hills.jpg"),
  await pictureFile("dunes.jpg", ["#e9c9a0", "#d3a26b", "#a8703f"]),
];

export const photo: MakeExample = async () => [(await import("./heic-photo.ts")).heicPhoto(1, 1)];

export const locked: MakeExample = async (client) => {
  const result = await client.protectPdf({ file: pdfFile("report.pdf", pages(2)), password: PASSWORD });
  return [renamed(client, result, "locked.pdf")];
};

export const scan: MakeExample = async (client) => {
  const result = await client.convert({ file: await pictureFile("scan.jpg"), output_format: "pdf" });
  return [renamed(client, result, "scan.pdf")];
};

/** A PDF without the table at its end, as after a broken download. */
export const cutOff: MakeExample = async () => {
  const text = writePdf(pages(2));
  return [new File([text.slice(0, text.indexOf("xref"))], "cut-off.pdf", { type: "application/pdf" })];
};

/** A PDF with an author, a script and a comment. */
export const telling: MakeExample = async () => {
  const objects = pages(1);
  objects[0] = "<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\('Hello'\\))>>>>";
  objects[3] = (objects[3] ?? "").replace(
    "/MediaBox",
    "/Annots[<</Type/Annot/Subtype/Text/Rect[70 690 90 710]/Contents(Do not send this.)>>]/MediaBox",
  );
  objects.push("<</Author(A. Person)/Title(Offer, third draft)>>");
  return [pdfFile("offer.pdf", objects, `/Info ${objects.length} 0 R`)];
};

function renamed(client: Client, result: Awaited<ReturnType<Client["convert"]>>, name: string): File {
  const blob = client.blob(result);
  return new File([blob], name, { type: blob.type });
}

function pdfFile(name: string, objects: readonly string[], entries?: string): File {
  return new File([writePdf(objects, entries)], name, { type: "application/pdf" });
}

/** Returns the objects of a document: the catalog, the page tree, a font, and two for each page. */
function pages(count: number): string[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${count}/Kids[${numbers.map((page) => `${2 * page + 2} 0 R`).join(" ")}]>>`,
    FONT,
    ...numbers.flatMap((page) => {
      const content = drawPage(page);
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R>>>>/Contents ${2 * page + 3} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
}

/** Returns the operators of a page: a bar, a title, and gray lines for the text. */
function drawPage(page: number): string {
  const lines = Array.from(
    { length: 22 },
    (_, index) => `70 ${600 - 24 * index} ${index % 6 === 5 ? 260 : 455} 8 re`,
  );
  return [
    `0.04 0.42 0.36 rg 70 740 ${60 * page} 14 re f`,
    `0.1 0.12 0.11 rg BT /F 44 Tf 70 660 Td (Page ${page}) Tj ET`,
    `0.85 0.87 0.86 rg ${lines.join(" ")} f`,
  ].join("\n");
}

/** @param entries of the trailer, besides the catalog */
function writePdf(objects: readonly string[], entries = ""): string {
  let pdf = "%PDF-1.7\n";
  const rows = objects.map((object, index) => {
    const offset = String(pdf.length).padStart(10, "0");
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${offset} 00000 n \n`;
  });
  const size = objects.length + 1;
  const start = pdf.length;
  return `${pdf}xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}trailer<</Size ${size}/Root 1 0 R${entries}>>\nstartxref\n${start}\n%%EOF\n`;
}

/** Draws a sun and hills, as a JPG. */
export async function pictureFile(
  name: string,
  hills = ["#8fb8c4", "#5f98a0", "#3f7f6a"],
  { width, height } = PICTURE,
): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser has no 2D canvas.");
  const sky = context.createLinearGradient(0, 0, 0, PICTURE.height);
  sky.addColorStop(0, "#bcdcec");
  sky.addColorStop(1, "#f4efe0");
  context.scale(width / PICTURE.width, height / PICTURE.height);
  context.fillStyle = sky;
  context.fillRect(0, 0, PICTURE.width, PICTURE.height);
  context.fillStyle = "#f6d98a";
  context.arc(1180, 260, 100, 0, 2 * Math.PI);
  context.fill();
  for (const [index, color] of hills.entries()) {
    const top = 520 + 130 * index;
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, PICTURE.height);
    for (let x = 0; x <= PICTURE.width; x += 4) {
      context.lineTo(x, top - 90 * Math.sin((x / PICTURE.width) * (7 - 1.5 * index) + top));
    }
    context.lineTo(PICTURE.width, PICTURE.height);
    context.fill();
  }
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  return new File([blob], name, { type: blob.type });
}
