import { type Box, boxesIn, fullBox } from "../../isobmff/boxes.ts";
import { type Cursor, damagedHeif } from "../../isobmff/cursor.ts";
import { readProperty } from "../../isobmff/properties.ts";
import { shownPart } from "../../isobmff/transforms.ts";
import type { Size } from "../../picture/size.ts";
import type { HeifImage } from "./images.ts";

const PICTURES = ["pict", "vide"];
const HEVC = ["hvc1", "hev1"];
/** The fields of a visual sample entry before its width and height. */
const BEFORE_SIZE = 24;
/** The fields between the size and the boxes of the entry: resolution, frame count, compressor name, depth. */
const BEHIND_SIZE = 50;

/**
 * Returns the cover of an image sequence without a still picture (ISO/IEC 23008-12, clause 7): the first frame of its
 * first picture track.
 *
 * @throws {ServiceError} `damaged_file` when no track holds HEVC images
 */
export function coverOfSequence(movie: Cursor): HeifImage {
  for (const track of boxesIn(movie)) {
    const cover = track.type === "trak" ? coverOfTrack(track) : undefined;
    if (cover) return cover;
  }
  throw damagedHeif("it is an image sequence without pictures that could be read");
}

function coverOfTrack(track: Box): HeifImage | undefined {
  const media = child(track.body, "mdia");
  if (!media) return undefined;
  let handler: string | undefined;
  let description: Cursor | undefined;
  for (const { type, body } of boxesIn(media)) {
    if (type === "hdlr") {
      fullBox(body);
      body.skip(4);
      handler = body.fourCC();
    } else if (type === "minf") {
      const table = child(body, "stbl");
      description = table && child(table, "stsd");
    }
  }
  if (!handler || !PICTURES.includes(handler) || !description) return undefined;
  fullBox(description);
  description.skip(4);
  for (const { type, body } of boxesIn(description)) {
    if (HEVC.includes(type)) return cover(body);
  }
  return undefined;
}

function cover(entry: Cursor): HeifImage {
  entry.skip(BEFORE_SIZE);
  const size: Size = { width: entry.u16(), height: entry.u16() };
  if (size.width === 0 || size.height === 0) throw damagedHeif("its frames are empty");
  entry.skip(BEHIND_SIZE);
  let color: HeifImage["color"];
  for (const box of boxesIn(entry)) {
    if (box.type !== "colr") continue;
    const property = readProperty(box);
    if (property.kind === "color") color = property.color;
  }
  return {
    kind: "readable",
    isPrimary: true,
    item: undefined,
    stored: size,
    shown: shownPart(size, []),
    transforms: [],
    hasAlpha: false,
    color,
    coding: undefined,
  };
}

function child(body: Cursor, type: string): Cursor | undefined {
  for (const box of boxesIn(body)) if (box.type === type) return box.body;
  return undefined;
}
