import { strToU8, zipSync } from "fflate";
import { ServiceError } from "../../src/shared/errors.ts";
import { FORMATS, type FormatId } from "../../src/shared/formats.ts";
import { readBmp } from "../../workers/image/formats/bmp/read-bmp.ts";
import { readGif } from "../../workers/image/formats/gif/read-gif.ts";
import { readJpeg } from "../../workers/image/formats/jpg/read-jpeg.ts";
import { readPng } from "../../workers/image/formats/png/read-png.ts";
import { readWebp } from "../../workers/image/formats/webp/read-webp.ts";
import { bufferSource } from "../../workers/io/source.ts";

/** The displayed size of a picture in pixels, and its rotation in degrees, clockwise. */
interface Picture {
  readonly width: number;
  readonly height: number;
  readonly turn: 0 | 90 | 180 | 270;
}

/** In centimeters. */
interface Area {
  readonly width: number;
  readonly height: number;
}

const ODF = "application/vnd.oasis.opendocument.";
const CM_PER_PIXEL = 2.54 / 96;
/** A4 with margins of 2 cm, and a wide slide. */
const TEXT_AREA: Area = { width: 17, height: 25.6 };
const SLIDE: Area = { width: 28, height: 15.75 };

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
 * @throws {ServiceError} `damaged_file`, and `unsupported_conversion` for pictures that LibreOffice does not read
 */
export function pictureDocument(
  bytes: Uint8Array<ArrayBuffer>,
  format: FormatId,
  family: "writer" | "impress",
): Uint8Array {
  const picture = sizeOf(bytes, format);
  const isText = family === "writer";
  const area = isText ? TEXT_AREA : SLIDE;
  const scale = Math.min(CM_PER_PIXEL, area.width / picture.width, area.height / picture.height);
  const seen = { width: picture.width * scale, height: picture.height * scale };
  const frame = frameOf(picture, seen, isText ? undefined : area, `Pictures/1.${format}`);
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
        [`Pictures/1.${format}`, FORMATS[format].mime],
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
    [`Pictures/1.${format}`]: [bytes, { level: 0 }],
  });
}

/** Returns the frame of the picture: inline in a text, or centered on a slide. */
function frameOf({ turn }: Picture, seen: Area, slide: Area | undefined, path: string): string {
  const isSideways = turn % 180 !== 0;
  const { width, height } = isSideways ? { width: seen.height, height: seen.width } : seen;
  const size = `svg:width="${cm(width)}" svg:height="${cm(height)}"`;
  const left = slide === undefined ? 0 : (slide.width - seen.width) / 2;
  const top = slide === undefined ? 0 : (slide.height - seen.height) / 2;
  // OpenDocument rotates counterclockwise around the upper left corner. Then the corner is moved.
  const corner = {
    x: left + (turn === 90 || turn === 180 ? seen.width : 0),
    y: top + (turn === 180 || turn === 270 ? seen.height : 0),
  };
  const place =
    turn === 0
      ? `svg:x="${cm(left)}" svg:y="${cm(top)}"`
      : `draw:transform="rotate (${(-turn * Math.PI) / 180}) translate (${cm(corner.x)} ${cm(corner.y)})"`;
  const anchor = slide === undefined ? 'text:anchor-type="as-char"' : "";
  return `<draw:frame ${anchor} draw:name="1" ${size} ${place}><draw:image xlink:href="${path}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>`;
}

function sizeOf(bytes: Uint8Array<ArrayBuffer>, format: FormatId): Picture {
  switch (format) {
    case "jpg":
      return upright(readJpeg(bufferSource(bytes)));
    case "png":
      return upright(readPng(bufferSource(bytes)));
    case "webp":
      return { ...readWebp(bytes), turn: 0 };
    case "gif":
      return { ...readGif(bytes), turn: 0 };
    case "bmp":
      return { ...readBmp(bytes), turn: 0 };
    default:
      throw new ServiceError(
        "unsupported_conversion",
        `LibreOffice does not read ${format.toUpperCase()}: convert it to JPG or PNG first, which needs no service.`,
        { from: format },
      );
  }
}

/** Applies the EXIF orientation (EXIF 2.32, tag 0x0112). */
function upright({
  width,
  height,
  orientation,
}: {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
}): Picture {
  const turn = orientation <= 2 ? 0 : orientation <= 4 ? 180 : orientation <= 6 ? 90 : 270;
  return orientation <= 4 ? { width, height, turn } : { width: height, height: width, turn };
}

function cm(length: number): string {
  return `${length.toFixed(4)}cm`;
}
