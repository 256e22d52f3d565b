// What a user would pick instead, each as its documentation says. The modules come from this folder's own
// node_modules, which are there only when the benchmark has installed them: hence the addresses in variables.

/**
 * @typedef {{ file: File, from: string, to: string, quality: number | undefined }} PeerJob
 */

const PACKAGES = "/test/bench/image/peers/node_modules/";

/** @param {string} path */
const load = (path) => import(/* @vite-ignore */ PACKAGES + path);

/** @param {string} format */
const typeOf = (format) => (format === "jpg" ? "image/jpeg" : `image/${format}`);

const JSQUASH = /** @type {Record<string, string>} */ ({
  jpg: "jpeg",
  png: "png",
  webp: "webp",
  avif: "avif",
});

/** @param {PeerJob} job */
async function jsquash({ file, from, to, quality }) {
  const { default: decode } = await load(`@jsquash/${JSQUASH[from]}/decode.js`);
  const { default: encode } = await load(`@jsquash/${JSQUASH[to]}/encode.js`);
  const lossless = to === "webp" && quality === undefined ? { lossless: 1, exact: 1 } : {};
  const options = quality === undefined ? lossless : { quality: 100 * quality };
  const bytes = await encode(await decode(await file.arrayBuffer()), options);
  return new Blob([bytes], { type: typeOf(to) });
}

/** @param {PeerJob} job */
async function browserImageCompression({ file, to, quality }) {
  const { default: compress } = await load("browser-image-compression/dist/browser-image-compression.mjs");
  // In its worker mode it loads code from another origin.
  return compress(file, {
    useWebWorker: false,
    fileType: typeOf(to),
    ...(quality !== undefined && { initialQuality: quality }),
    alwaysKeepResolution: true,
  });
}

/** @param {PeerJob} job */
async function heic2any({ file, to, quality }) {
  if (!("heic2any" in window)) {
    await new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${PACKAGES}heic2any/dist/heic2any.js`;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
  }
  return Reflect.get(window, "heic2any")({ blob: file, toType: typeOf(to), quality });
}

/** @param {PeerJob} job */
async function heicTo({ file, to, quality }) {
  const { heicTo } = await load("heic-to/dist/heic-to.js");
  return heicTo({ blob: file, type: typeOf(to), quality });
}

/** @type {Promise<any> | undefined} */
let magick;

/** @param {PeerJob} job */
async function imageMagick({ file, to, quality }) {
  magick ??= (async () => {
    const module = await load("@imagemagick/magick-wasm/dist/index.js");
    const wasm = await fetch(`${PACKAGES}@imagemagick/magick-wasm/dist/x86/magick.wasm`);
    await module.initializeImageMagick(new Uint8Array(await wasm.arrayBuffer()));
    return module;
  })();
  const { ImageMagick } = await magick;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return new Blob(
    [
      await ImageMagick.read(bytes, (/** @type {any} */ image) => {
        if (quality !== undefined) image.quality = Math.round(100 * quality);
        return image.write(to === "jpg" ? "JPEG" : to.toUpperCase(), (/** @type {Uint8Array} */ made) =>
          made.slice(),
        );
      }),
    ],
    { type: typeOf(to) },
  );
}

/** @type {Record<string, (job: PeerJob) => Promise<Blob>>} */
export const peers = {
  "@jsquash": jsquash,
  "browser-image-compression": browserImageCompression,
  heic2any,
  "heic-to": heicTo,
  "magick-wasm": imageMagick,
};
