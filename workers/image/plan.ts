import type { ColorPolicy, EncoderTraits, Fidelity, SourceImage } from "./formats/codec.ts";
import type { Layout } from "./picture/picture.ts";
import { type Bounds, fittingSize, type Size } from "./picture/size.ts";

/** The parts of a request that decide how an image is converted. */
export interface PlanOptions extends Bounds {
  readonly from: string;
  readonly to: string;
  readonly quality?: number | undefined;
  readonly keepMetadata?: boolean | undefined;
}

/** How one image is converted. */
export interface Plan {
  /** The size of the output, if the picture must become smaller. */
  readonly smaller: Size | undefined;
  /** Whether a smaller picture stays in planes, which the encoder takes. Otherwise it becomes pixels with full chroma. */
  readonly keepsPlanes: boolean;
  /**
   * The layouts that both sides support, cheapest for the decoder first. With `coded`, the file's own coded data goes
   * into the output, unless the file is damaged. The image is still decoded as a check.
   */
  readonly layouts: readonly Layout[];
  readonly colors: ColorPolicy;
  readonly fidelity: Fidelity;
  /** Whether transparent pixels get a background. */
  readonly flattensAlpha: boolean;
}

/** Plans the conversion of one image. Depends on nothing but its parameters. */
export function planConversion(
  image: Pick<SourceImage, "width" | "height" | "shown" | "hasAlpha" | "layouts">,
  encoder: EncoderTraits,
  { from, to, quality, keepMetadata = false, ...bounds }: PlanOptions,
): Plan {
  const fitting = fittingSize(image.shown, bounds);
  const smaller = fitting === image.shown ? undefined : fitting;
  const accepted = encoder.accepts({ ...image, ...smaller }, quality);
  const canCopy = from === to && quality === undefined && smaller === undefined;
  const layouts = image.layouts.filter(
    // A picture is scaled in any layout. Planes take half the time of pixels.
    (layout) => (layout === "coded" ? canCopy : smaller || accepted.layouts.includes(layout)),
  );
  const { colorLabels, alpha } = encoder;
  // Of a smaller picture, no value is that of the file.
  const fidelity = smaller && accepted.fidelity === "exact" ? "alpha" : accepted.fidelity;
  return {
    smaller,
    keepsPlanes: accepted.layouts.includes("yuv420"),
    layouts,
    colors: {
      profile: colorLabels === "none" ? "convert" : keepMetadata ? "keep" : "allow",
      records: colorLabels === "icc and records",
    },
    fidelity,
    flattensAlpha: !alpha,
  };
}
