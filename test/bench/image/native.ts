import { statSync } from "node:fs";
import { runNatively } from "../native-program.ts";
import { formatOf, type ImageContestant, type ImageTask, keepsAlpha, QUALITY } from "./task.ts";

type Command = readonly [program: string, ...args: string[]];

const percent = (quality: number) => String(Math.round(100 * quality));

/** libheif's speed of AV1 that is nearest to that of the usual WebAssembly encoder. */
const AVIF = `compression=av1,Q=${percent(QUALITY.avif)},effort=3`;

function commandFor({ from, to, input, output, maxWidth }: ImageTask): Command {
  if (maxWidth !== undefined) {
    const size = [`${maxWidth}`, "--height", "100000", "--size", "down"];
    return ["vips", "thumbnail", input, `${output}[Q=${percent(QUALITY.jpg)}]`, ...size];
  }
  const format = formatOf(from);
  switch (to) {
    case "pdf":
      // Only mutool makes a document of an image, and of these formats.
      return ["mutool", "convert", "-o", output, input];
    case "jpg":
      return format === "heic"
        ? ["heif-convert", "-q", percent(QUALITY.jpg), input, output]
        : ["vips", "copy", input, `${output}[Q=${percent(QUALITY.jpg)}]`];
    case "png":
      return format === "heic" ? ["heif-convert", input, output] : ["vips", "copy", input, output];
    case "webp":
      if (format === "heic" || format === "webp") {
        return ["vips", "copy", input, `${output}[Q=${percent(QUALITY.webp)}]`];
      }
      return keepsAlpha({ from, to })
        ? ["cwebp", "-quiet", "-lossless", "-exact", input, "-o", output]
        : ["cwebp", "-quiet", "-q", percent(QUALITY.webp), input, "-o", output];
    case "avif":
      return ["vips", "copy", input, `${output}[${AVIF}]`];
  }
}

/** Native libvips, libwebp, libheif and MuPDF: what the others are compared with. */
export const nativeTools: ImageContestant = {
  name: "native",
  offers: ({ from, to }) => to !== "pdf" || formatOf(from) === "jpg" || formatOf(from) === "png",

  async run(task) {
    const [program, ...args] = commandFor(task);
    const run = await runNatively(program, args);
    return run.kind === "done" ? { ...run, outputBytes: statSync(task.output).size } : run;
  },

  async close() {},
};
