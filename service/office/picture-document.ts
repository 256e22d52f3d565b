import { strToU8, zipSync } from "fflate";

/** The longest side of a picture in a document, in pixels: 300 for each inch of the text area of A4. */
export const LARGEST_PICTURE = 3_024;

/** A size, in centimeters or pixels. */
interface Area {
  readonly width: number;
  readonly height: number;
}

const ODF = "application/vnd.oasis.opendocument.";
const CM_PER_PIXEL = 2.54 / 96;
/** A4 with margins of 2 cm, and a wide slide. */
const TEXT_AREA: Area = { width: 17, height: 25.6 };
const SLIDE: Area = { width: 28, height: 15.75 };

/** The path of the picture in the package. */
const PICTURE = "Pictures/1.png";

const NAMESPACES = ["office", "text", "drawing", "style"]
  .map(
    (name) =>
      `xmlns:${name === "drawing" ? "draw" : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  )
  .concat(
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'office:version="1.3"',
  )
  .join(" ");

/**
 * Makes an OpenDocument text or presentation that shows one picture, in its own size or as large as fits.
 *
 * @param png the picture, upright
 */
export function pictureDocument(
  png: Uint8Array<ArrayBuffer>,
  family: "writer" | "impress",
): Uint8Array<ArrayBuffer> {
  const picture = sizeOf(png);
  const isText = family === "writer";
  const area = isText ? TEXT_AREA : SLIDE;
  const scale = Math.min(CM_PER_PIXEL, area.width / picture.width, area.height / picture.height);
  const seen = { width: picture.width * scale, height: picture.height * scale };
  const frame = frameOf(seen, isText ? undefined : area);
  const body = isText
    ? `<office:text><text:p>${frame}</text:p></office:text>`
    : `<office:presentation><draw:page draw:name="1" draw:master-page-name="M">${frame}</draw:page></office:presentation>`;
  const type = ODF + (isText ? "text" : "presentation");
  const page = isText ? { width: 21, height: 29.7 } : SLIDE;
  return zipSync({
    mimetype: [strToU8(type), { level: 0 }],
    "META-INF/manifest.xml": strToU8(
      `<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">${[
        ["/", type],
        ["content.xml", "text/xml"],
        ["styles.xml", "text/xml"],
        [PICTURE, "image/png"],
      ]
        .map(
          ([path, media]) =>
            `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${media}"/>`,
        )
        .join("")}</manifest:manifest>`,
    ),
    "styles.xml": strToU8(
      `<?xml version="1.0"?><office:document-styles ${NAMESPACES}><office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="${cm(page.width)}" fo:page-height="${cm(page.height)}" fo:margin="${isText ? "2cm" : "0cm"}"/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="${isText ? "Standard" : "M"}" style:page-layout-name="L"/></office:master-styles></office:document-styles>`,
    ),
    "content.xml": strToU8(
      `<?xml version="1.0"?><office:document-content ${NAMESPACES}><office:body>${body}</office:body></office:document-content>`,
    ),
    [PICTURE]: [png, { level: 0 }],
  });
}

/** Returns the frame of the picture: inline in a text, or centered on a slide. */
function frameOf(seen: Area, slide: Area | undefined): string {
  const size = `svg:width="${cm(seen.width)}" svg:height="${cm(seen.height)}"`;
  const left = slide === undefined ? 0 : (slide.width - seen.width) / 2;
  const top = slide === undefined ? 0 : (slide.height - seen.height) / 2;
  const anchor = slide === undefined ? 'text:anchor-type="as-char"' : "";
  return `<draw:frame ${anchor} draw:name="1" ${size} svg:x="${cm(left)}" svg:y="${cm(top)}"><draw:image xlink:href="${PICTURE}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>`;
}

/** Returns the size of a PNG that an engine has made, in pixels: the first two numbers of IHDR (PNG, 11.2.1). */
function sizeOf(png: Uint8Array<ArrayBuffer>): Area {
  const header = new DataView(png.buffer, png.byteOffset + 16);
  return { width: header.getUint32(0), height: header.getUint32(4) };
}

function cm(length: number): string {
  return `${length.toFixed(4)}cm`;
}
