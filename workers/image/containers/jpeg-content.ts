import type { ByteSource } from "../../pdf/bytes/source.ts";
import { isAdobe, isIcc, isJfif, type Jpeg, type JpegSegment, jpegScans, MARKER } from "./jpeg.ts";
import { type Piece, PieceList } from "./pieces.ts";

/** JFIF's segment up to its thumbnail: marker, length, signature, version, density, and no thumbnail. */
const JFIF_BYTES = 18;

/**
 * A JPEG with its coded data unchanged, from its first marker to its last: whatever stands behind that is dropped.
 *
 * Without metadata it keeps what the picture needs, its colours included: ICC profile, Adobe's segment, and JFIF's
 * without its thumbnail. EXIF, XMP, IPTC, comments, makers' own segments and previews are gone. A height that comes
 * late is put where all readers find it.
 *
 * @throws ServiceError `damaged_file` when the file breaks off
 */
export function jpegContent(
  source: ByteSource,
  jpeg: Jpeg,
  options: { readonly keepMetadata: boolean },
): readonly Piece[] {
  const { keepMetadata } = options;
  const pieces = new PieceList();
  pieces.range(0, 2);
  for (const segment of jpeg.segments) {
    if (jpeg.heightComesLate && isFrameOf(jpeg, segment)) putFrame(pieces, jpeg, segment);
    else if (keepMetadata || isNeeded(source, segment)) pieces.range(segment.start, segment.end);
    else if (isJfif(source, segment)) pieces.bytes(withoutThumbnail(source, segment));
  }
  for (const segment of jpegScans(source, jpeg)) {
    if (segment.marker === MARKER.DNL && jpeg.heightComesLate) continue;
    if (keepMetadata || isNeeded(source, segment)) pieces.range(segment.start, segment.end);
  }
  return pieces.all;
}

function isNeeded(source: ByteSource, segment: JpegSegment): boolean {
  const { marker, start, end } = segment;
  if (marker === MARKER.COM) return false;
  if (marker < MARKER.APP0 || marker > MARKER.APP15) return true;
  if (marker === MARKER.APP0) return end - start === JFIF_BYTES && isJfif(source, segment);
  return isIcc(source, segment) || isAdobe(source, segment);
}

function withoutThumbnail(source: ByteSource, { start }: JpegSegment): Uint8Array {
  const segment = new Uint8Array(JFIF_BYTES);
  segment.set(source.read(start, start + JFIF_BYTES - 2));
  segment.set([0, JFIF_BYTES - 2], 2);
  return segment;
}

function isFrameOf(jpeg: Jpeg, { marker }: JpegSegment): boolean {
  return marker === jpeg.frame.process;
}

/** The frame's segment with the height that was found later, after the marker, its length and the precision. */
function putFrame(pieces: PieceList, jpeg: Jpeg, { start, end }: JpegSegment): void {
  pieces.range(start, start + 5);
  pieces.bytes(Uint8Array.of(jpeg.height >> 8, jpeg.height & 255));
  pieces.range(start + 7, end);
}
