/** The part of the C interface of Little CMS (lcms2.h) that is used here. */
declare module "lcms-wasm" {
  /** An address in its memory, or 0. */
  type Pointer = number;

  export interface LittleCms {
    readonly HEAPU8: Uint8Array;
    _malloc(bytes: number): Pointer;
    _cmsOpenProfileFromMem(at: Pointer, bytes: number): Pointer;
    _cmsCreate_sRGBProfile(): Pointer;
    _cmsCreateTransform(
      from: Pointer,
      fromType: number,
      to: Pointer,
      toType: number,
      intent: number,
      flags: number,
    ): Pointer;
    _cmsDoTransform(transform: Pointer, from: Pointer, to: Pointer, pixels: number): void;
  }

  /** Four bytes per pixel, 255 for no ink. */
  export const TYPE_CMYK_8_REV: number;
  export const TYPE_RGBA_8: number;
  export const INTENT_RELATIVE_COLORIMETRIC: number;
  export default function instantiate(options: object): Promise<LittleCms>;
}
