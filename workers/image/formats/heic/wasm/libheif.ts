// libheif and libde265 are under the LGPL. They become files of their own beside the worker, libheif.js and
// libheif.wasm, so that users can replace them.
export { default as createLibheif } from "libheif-js/libheif-wasm/libheif.js";
