import { readHeif } from "../../workers/image/formats/heic/read-heic.ts";
import { type HeifPlan, type ItemPlan, join, makeHeif } from "./fixtures/heif.ts";

/** Returns the plan of an HEVC picture. */
export function picture(id: number, ...properties: readonly Uint8Array[]): ItemPlan {
  return { id, type: "hvc1", properties };
}

/** Reads the images of a planned file. */
export function read(plan: HeifPlan): ReturnType<typeof readHeif> {
  return readBytes(makeHeif(plan));
}

/** Reads the images of a file of those parts. */
export function readBytes(...parts: readonly Uint8Array<ArrayBuffer>[]): ReturnType<typeof readHeif> {
  return readHeif(new Blob([join(...parts)]));
}
