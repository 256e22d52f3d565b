import { t } from "../messages/index.ts";
import { takeFiles } from "./inspect.ts";
import { chosenTask } from "./task.ts";
import { trayFiles } from "./tray.ts";

const PAGE_COUNT = 8;
/** A4 in points. */
const PAGE = { width: 595, height: 842 };
const PICTURE = { width: 1600, height: 1000 };
const QUALITY = 0.95;

/** Adds a document and a picture to the tray, for a user without a file at hand. */
export async function takeExamples(): Promise<void> {
  const name = t("example.name");
  const picture = await makePicture();
  // After a double click, they are there.
  if (trayFiles.peek().length > 0) return;
  chosenTask.value ??= "split";
  takeFiles([
    new File([makePdf()], `${name}.pdf`, { type: "application/pdf" }),
    new File([picture], `${name}.jpg`, { type: "image/jpeg" }),
  ]);
}

/** Returns a PDF with a title and gray lines on each page. */
function makePdf(): Uint8Array<ArrayBuffer> {
  const pages = Array.from({ length: PAGE_COUNT }, (_, index) => index + 1);
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${PAGE_COUNT}/Kids[${pages.map((page) => `${idOf(page)} 0 R`).join(" ")}]>>`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
    ...pages.flatMap((page) => {
      const content = drawPage(page);
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${PAGE.width} ${PAGE.height}]/Resources<</Font<</F 3 0 R>>>>/Contents ${idOf(page) + 1} 0 R>>`,
        `<</Length ${content.length}>>stream\n${content}\nendstream`,
      ];
    }),
  ];
  let pdf = "%PDF-1.7\n";
  const entries = objects.map((object, index) => {
    const offset = String(pdf.length).padStart(10, "0");
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${offset} 00000 n \n`;
  });
  const size = objects.length + 1;
  const start = pdf.length;
  pdf += `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  pdf += `trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(pdf, (character) => character.charCodeAt(0));
}

/** Returns the number of the object of a page. Its content is the next one. */
function idOf(page: number): number {
  return 2 + 2 * page;
}

/** Returns the operators that draw a page. */
function drawPage(page: number): string {
  // Every sixth line ends a paragraph.
  const lines = Array.from(
    { length: 22 },
    (_, index) => `70 ${600 - 24 * index} ${index % 6 === 5 ? 260 : 455} 8 re`,
  );
  const title = t("split.page", { page });
  return [
    `0.04 0.42 0.36 rg 70 740 ${40 * page} 14 re f`,
    `0.1 0.12 0.11 rg BT /F 44 Tf 70 660 Td (${title}) Tj ET`,
    `0.85 0.87 0.86 rg ${lines.join(" ")} f`,
  ].join("\n");
}

/** Returns a picture of hills as a JPEG. */
function makePicture(): Promise<Blob> {
  const { width, height } = PICTURE;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The browser has no 2D canvas");
  const drawHills = (color: string, top: number, waves: number) => {
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, height);
    for (let x = 0; x <= width; x += 4) context.lineTo(x, top - 90 * Math.sin((x / width) * waves + top));
    context.lineTo(width, height);
    context.fill();
  };
  context.fillStyle = "#cfe6f2";
  context.fillRect(0, 0, width, height);
  context.fillStyle = "#f6d98a";
  context.arc(1180, 260, 100, 0, 2 * Math.PI);
  context.fill();
  drawHills("#8fb8c4", 520, 7);
  drawHills("#5f98a0", 640, 5);
  drawHills("#3f7f6a", 790, 4);
  return canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
}
