// Makes the WebAssembly files that are not in the repository. The build, the tests and the dev server call this first.
import { assemble } from "./assemble.mjs";
import { linkCodecs } from "./link-codecs.mjs";

/** Makes each file whose sources are newer. */
export async function makeWasm() {
  await assemble();
  await linkCodecs();
}
