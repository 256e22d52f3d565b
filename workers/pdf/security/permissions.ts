import type { Permission } from "../../../src/shared/protocol.ts";

/** The bits of `P` (ISO 32000-2, Table 22), counted from 1. A permission needs all of its bits. */
const BITS: Record<Permission, readonly number[]> = {
  print: [3, 12],
  print_low: [3],
  modify: [4],
  copy: [5],
  annotate: [6],
  fill_forms: [9],
  assemble: [11],
};
/** Revision 2 has the bits 3 to 6 only. */
const BITS_OF_REVISION_2: Record<Permission, readonly number[]> = {
  ...BITS,
  print: [3],
  fill_forms: [6],
  assemble: [4],
};
/** Bits that are always 1: 7, 8, 13 to 32, and 10 (extraction for accessibility). */
const ALWAYS = 0xfffff2c0 | 0;
const NAMES = Object.keys(BITS) as readonly Permission[];

/** Returns the number `P` for the allowed permissions; for all of them when absent. */
export function permissionBits(allowed: readonly Permission[] = NAMES): number {
  let bits = ALWAYS;
  for (const name of allowed) for (const bit of BITS[name]) bits |= maskOf(bit);
  return bits;
}

/** Returns the permissions that a number `P` allows. */
export function permissionsIn(bits: number, revision: number): Permission[] {
  const needed = revision === 2 ? BITS_OF_REVISION_2 : BITS;
  return NAMES.filter((name) => needed[name].every((bit) => (bits & maskOf(bit)) !== 0));
}

function maskOf(bit: number): number {
  return 1 << (bit - 1);
}
