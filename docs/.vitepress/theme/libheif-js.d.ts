/** The package has types for its C functions only. */
declare module "libheif-js/libheif-wasm/libheif-bundle.mjs" {
  export interface Libheif {
    readonly HeifDecoder: new () => { decode(file: Uint8Array): HeifImage[] };
  }
  interface HeifImage {
    get_width(): number;
    get_height(): number;
    /** Fills the pixels, and passes them on. Passes null when the picture cannot be decoded. */
    display(pixels: ImageData, done: (pixels: ImageData | null) => void): void;
    free(): void;
  }
  export default function createLibheif(): Libheif;
}
