// Makes a HEIC when the site is built, because no browser can. VitePress calls `load`, and pages import its result.
import { box, type ItemPlan, ispe, join, makeHeif, u8, u16 } from "../../../test/support/fixtures/heif.ts";
import { HEVC_NAL_UNITS } from "../../../test/support/fixtures/image/hevc.ts";

/** The size of the coded picture, which is every tile of a grid, as in photos of phones. */
const TILE = { width: 70, height: 64 };
const GRID = { columns: 6, rows: 4 };
const SIZE = { width: GRID.columns * TILE.width, height: GRID.rows * TILE.height };
const GRID_ID = 1;

/** The file in base64. */
declare const data: string;

export { data };

export default { load };

export function load(): string {
  const [vps, sps, pps, slice] = HEVC_NAL_UNITS;
  if (!vps || !sps || !pps || !slice) throw new Error("the fixture has four NAL units");
  const sets = [vps, sps, pps].map((unit) => join(u8((unit[0] ?? 0) >> 1), u16(1), u16(unit.length), unit));
  // ISO/IEC 14496-15, 8.3.3.1: Main profile, 8 bits, 4:2:0, and the parameter sets.
  const profile = Uint8Array.of(1, 0x60, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 30);
  const coding = join(u16(0xf000), Uint8Array.of(0xfc, 0xfd, 0xf8, 0xf8), u16(0), u8(0x0f));
  const properties = [
    box("hvcC", u8(1), profile, coding, u8(sets.length), ...sets),
    ispe(TILE.width, TILE.height),
  ];
  const picture = join(u16(0), u16(slice.length), slice);
  const tiles = Array.from({ length: GRID.columns * GRID.rows }, (_, index): ItemPlan => {
    return { id: GRID_ID + 1 + index, type: "hvc1", hidden: true, properties, data: picture };
  });
  // Version, flags, rows minus one, columns minus one, output width and height.
  const layout = join(
    Uint8Array.of(0, 0, GRID.rows - 1, GRID.columns - 1),
    u16(SIZE.width),
    u16(SIZE.height),
  );
  const grid: ItemPlan = {
    id: GRID_ID,
    type: "grid",
    properties: [ispe(SIZE.width, SIZE.height)],
    data: layout,
  };
  const file = makeHeif({
    primary: GRID_ID,
    items: [grid, ...tiles],
    references: [{ type: "dimg", from: GRID_ID, to: tiles.map(({ id }) => id) }],
  });
  return Buffer.from(file).toString("base64");
}
