import { ServiceError } from "../../../src/shared/errors.ts";
import type { Color } from "../color/color.ts";
import type { Size } from "../picture/size.ts";
import { type Box, fullBox } from "./boxes.ts";
import { type Cursor, damagedHeif } from "./cursor.ts";

/** A transform of the decoded picture. An item names its transforms in the order of their use. */
export type Transform =
  | {
      readonly kind: "rotate";
      /** Counter-clockwise, in steps of 90°. */
      readonly quarterTurns: number;
    }
  | { readonly kind: "mirror"; readonly exchanges: "top and bottom" | "left and right" }
  | {
      readonly kind: "crop";
      /** In pixels, with fractions. */
      readonly width: number;
      readonly height: number;
      /** The distance between the center of the crop and the center of the picture. */
      readonly right: number;
      readonly down: number;
    };

/** An HEVC decoder configuration: the NAL units of the parameter sets, and the size of the length before each NAL unit. */
export interface CodingRecord {
  readonly lengthBytes: number;
  readonly nalUnits: readonly Uint8Array[];
}

/**
 * A property that items share (ISO/IEC 23008-12, 6.5). `other` matters to the decoder only. `broken` could not be
 * read, and affects the items that name it.
 */
export type Property =
  | ({ readonly kind: "size" } & Size)
  | { readonly kind: "transform"; readonly transform: Transform }
  | { readonly kind: "color"; readonly color: Color }
  | { readonly kind: "auxiliary"; readonly type: string }
  | { readonly kind: "coding"; readonly record: CodingRecord }
  | { readonly kind: "other"; readonly type: string }
  | { readonly kind: "broken"; readonly type: string; readonly failure: ServiceError };

/** The length of the record up to the number of arrays. */
const CODING_HEADER = 22;

/** Reads one property of an `ipco` box. */
export function readProperty(box: Box): Property {
  try {
    return readWhole(box);
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { kind: "broken", type: box.type, failure: thrown };
  }
}

function readWhole({ type, body }: Box): Property {
  switch (type) {
    case "ispe":
      fullBox(body);
      return { kind: "size", width: body.u32(), height: body.u32() };
    case "irot":
      return { kind: "transform", transform: { kind: "rotate", quarterTurns: body.u8() & 3 } };
    case "imir": {
      const exchanges = (body.u8() & 1) === 0 ? "top and bottom" : "left and right";
      return { kind: "transform", transform: { kind: "mirror", exchanges } };
    }
    case "clap":
      return { kind: "transform", transform: readCrop(body) };
    case "colr": {
      const color = readColor(body);
      return color ? { kind: "color", color } : { kind: "other", type };
    }
    case "auxC":
      fullBox(body);
      return { kind: "auxiliary", type: body.text() };
    case "hvcC":
      return { kind: "coding", record: readCoding(body) };
    default:
      return { kind: "other", type };
  }
}

/**
 * Returns the color space of an item. An ICC profile says more than code points. If both are there, the code points
 * describe the coding only.
 */
export function colorOf(properties: readonly Property[]): Color | undefined {
  const colors = properties.flatMap((property) => (property.kind === "color" ? [property.color] : []));
  return colors.find(({ kind }) => kind === "icc") ?? colors[0];
}

/** Reads HEVCDecoderConfigurationRecord (ISO/IEC 14496-15, 8.3.3.1.2). */
function readCoding(body: Cursor): CodingRecord {
  body.skip(CODING_HEADER - 1);
  const lengthBytes = (body.u8() & 3) + 1;
  const nalUnits: Uint8Array[] = [];
  const arrays = body.u8();
  for (let array = 0; array < arrays; array++) {
    body.skip(1);
    const count = body.u16();
    // Copies: a view that is sent to a helper takes all tables along.
    for (let unit = 0; unit < count; unit++) nalUnits.push(body.bytes(body.u16()).slice());
  }
  return { lengthBytes, nalUnits };
}

function readCrop(body: Cursor): Transform {
  const width = fraction(body.u32(), body);
  const height = fraction(body.u32(), body);
  const right = fraction(body.i32(), body);
  const down = fraction(body.i32(), body);
  return { kind: "crop", width, height, right, down };
}

function fraction(numerator: number, body: Cursor): number {
  const denominator = body.u32();
  if (denominator === 0) throw damagedHeif("its crop divides by zero");
  return numerator / denominator;
}

function readColor(body: Cursor): Color | undefined {
  const kind = body.fourCC();
  if (kind === "prof" || kind === "rICC") return { kind: "icc", profile: body.bytes(body.left) };
  if (kind !== "nclx") return undefined;
  const primaries = body.u16();
  const transfer = body.u16();
  const matrix = body.u16();
  return { kind: "nclx", primaries, transfer, matrix, fullRange: body.u8() >= 0x80 };
}
