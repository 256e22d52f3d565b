// libheif and libde265 are under the LGPL: what this becomes, libheif.js, and libheif.wasm are files of their own
// beside the worker, so that they can be replaced by others.
export { default as createLibheif } from "libheif-js/libheif-wasm/libheif.js";
