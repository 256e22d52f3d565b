import { describe, expect, test } from "vitest";
import { profileComponents } from "../../../../../workers/image/color/icc.ts";
import { readMatrixProfile } from "../../../../../workers/image/color/icc-matrix.ts";
import { neutralProfile } from "../../../../../workers/image/color/neutral-profile.ts";
import { latin1 } from "../../../../support/fixtures/image/bytes.ts";
import { displayP3, grayProfile, makeProfile, markedP3 } from "../../../../support/fixtures/image/icc.ts";
import { inkProfile } from "../../../../support/fixtures/image/ink-profile.ts";
import { iccHeader } from "../../../../support/fixtures/image/jpeg.ts";

const HEADER_BYTES = 128;

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1").replaceAll("\0", "");

/** The tags of a profile: where the data of each is, and its bytes. */
function tagsOf(profile: Uint8Array): ReadonlyMap<string, { readonly at: number; readonly data: Buffer }> {
  const bytes = Buffer.from(profile);
  const entries = Array.from({ length: bytes.readUInt32BE(HEADER_BYTES) }, (_, index) => {
    const entry = HEADER_BYTES + 4 + 12 * index;
    const at = bytes.readUInt32BE(entry + 4);
    const data = bytes.subarray(at, at + bytes.readUInt32BE(entry + 8));
    return [bytes.toString("latin1", entry, entry + 4), { at, data }] as const;
  });
  return new Map(entries);
}

function neutral(profile: Uint8Array): Uint8Array<ArrayBuffer> {
  const made = neutralProfile(profile);
  if (made === undefined) throw new Error("it was not rebuilt");
  return made;
}

/** A profile with a number written somewhere. */
function changed(profile: Uint8Array, at: number, value: number): Uint8Array<ArrayBuffer> {
  const copy = profile.slice();
  new DataView(copy.buffer).setUint32(at, value);
  return copy;
}

/** Where the table of tags says something of one of them. */
function entryOf(profile: Uint8Array, name: string): number {
  return HEADER_BYTES + 4 + 12 * [...tagsOf(profile).keys()].indexOf(name);
}

describe("a rebuilt profile", () => {
  test.each([2, 4] as const)("names no maker, version %i", (version) => {
    const source = markedP3("SECRET", version);
    expect(textOf(source)).toMatch(/SECRET.*mmod.*Priv/s);
    const made = neutral(source);
    expect(textOf(made)).not.toMatch(/SEC|RET|mmod|dmnd|dmdd|vcgt|Priv/);
    expect([...tagsOf(made).keys()].join()).toBe("desc,cprt,wtpt,rXYZ,gXYZ,bXYZ,rTRC,gTRC,bTRC");
    expect(tagsOf(made).get("desc")?.data.toString("latin1", 0, 4)).toBe(version === 2 ? "desc" : "mluc");
    expect(tagsOf(made).get("cprt")?.data.toString("latin1", 0, 4)).toBe(version === 2 ? "text" : "mluc");
  });

  test("is equal for equal colors of different cameras, and stays when it is rebuilt", () => {
    const made = neutral(displayP3());
    expect(neutral(markedP3("CAMERA"))).toEqual(made);
    expect(neutral(markedP3("OTHER"))).toEqual(made);
    expect(neutral(made)).toEqual(made);
  });

  test("has the same colors", () => {
    const before = readMatrixProfile(markedP3("SECRET"));
    const after = readMatrixProfile(neutral(markedP3("SECRET")));
    if (typeof before !== "object" || typeof after !== "object") throw new Error("not a matrix");
    expect(after.matrix).toEqual(before.matrix);
    const values = [0, 0.01, 0.3, 0.7, 1];
    for (const [index, curve] of after.curves.entries())
      expect(values.map(curve)).toEqual(values.map((value) => before.curves[index]?.(value)));
  });

  test("keeps version, class, spaces, intent and illuminant", () => {
    const source = changed(displayP3(), 64, 1);
    const made = neutral(source);
    const kept = (bytes: Uint8Array) => [
      bytes.subarray(8, 10),
      bytes.subarray(12, 24),
      bytes.subarray(36, 40),
      bytes.subarray(64, 80),
    ];
    expect(kept(made)).toEqual(kept(source));
    expect(neutral(changed(displayP3(), 64, 0x01000000)).subarray(64, 68)).toEqual(new Uint8Array(4));
  });

  test("stores shared and repeated tag data once, at multiples of four", () => {
    const tags = tagsOf(neutral(displayP3()));
    expect(tags.get("gTRC")?.at).toBe(tags.get("rTRC")?.at);
    expect(tags.get("bTRC")?.at).toBe(tags.get("rTRC")?.at);
    expect([...tags.values()].every(({ at }) => at % 4 === 0)).toBe(true);
  });

  test("is built of gray and of CMYK", () => {
    expect(profileComponents(neutral(grayProfile(1.8)))).toBe(1);
    expect(tagsOf(neutral(grayProfile(1.8))).get("kTRC")?.data).toEqual(
      tagsOf(grayProfile(1.8)).get("kTRC")?.data.subarray(0, 14),
    );
    const inks = inkProfile();
    expect(tagsOf(neutral(inks)).get("A2B0")?.data).toEqual(tagsOf(inks).get("A2B0")?.data);
  });
});

describe("no profile is built of", () => {
  const p3 = displayP3();
  const red = entryOf(p3, "rXYZ");
  const curve = entryOf(p3, "rTRC");
  const curveAt = tagsOf(p3).get("rTRC")?.at ?? 0;

  test.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["a header alone", iccHeader("RGB ", 128)],
    ["a header and no colors", iccHeader("RGB ", 200)],
    ["a profile that is cut off", p3.subarray(0, -1)],
    ["more tags than fit", changed(p3, HEADER_BYTES, 90)],
    ["a count of tags past all limits", changed(p3, HEADER_BYTES, 0xffffffff)],
    ["a tag behind the end", changed(p3, red + 4, p3.length - 4)],
    ["a tag whose end is past 32 bits", changed(p3, red + 8, 0xffffffff)],
    ["a tag that is too short", changed(p3, red + 8, 12)],
    ["a tag of another type", changed(p3, red + 4, curveAt)],
    ["a curve of a kind that does not exist", changed(p3, curveAt + 8, 0x00090000)],
    ["a profile without one of its curves", changed(p3, curve, 0x58585858)],
    ["colors connected through nothing known", changed(p3, 20, 0x58585858)],
  ])("%s", (_, profile) => {
    expect(neutralProfile(profile)).toBeUndefined();
  });

  test("a table that is larger than its tag", () => {
    const inks = inkProfile();
    const grid = (tagsOf(inks).get("A2B0")?.at ?? 0) + 10;
    expect(neutralProfile(changed(inks, grid - 2, 0x0403ff00))).toBeUndefined();
  });

  test("overlapping tags, which would multiply its length", () => {
    const samples = 200_000;
    const curve = new Uint8Array(12 + 2 * samples + 32);
    curve.set(latin1("curv"));
    new DataView(curve.buffer).setUint32(8, samples);
    // A second curve begins 16 bytes behind the first, and so on.
    for (const at of [16, 32]) curve.set(curve.slice(0, 12), at);
    const tones = ["rTRC", "gTRC", "bTRC"];
    const tags = tagsOf(displayP3());
    const places = ["rXYZ", "gXYZ", "bXYZ"].map((name) => [name, tags.get(name)?.data ?? curve] as const);
    const source = makeProfile({ kind: "mntrRGB XYZ ", version: 4 }, [
      ...places,
      ...tones.map((name) => [name, name === "rTRC" ? curve : new Uint8Array(0)] as const),
    ]);
    const start = tagsOf(source).get("rTRC")?.at ?? 0;
    let hostile = source;
    for (const [index, name] of tones.entries()) {
      hostile = changed(hostile, entryOf(source, name) + 4, start + 16 * index);
      hostile = changed(hostile, entryOf(source, name) + 8, 12 + 2 * samples);
    }
    expect(neutralProfile(hostile)).toBeUndefined();
  });
});
