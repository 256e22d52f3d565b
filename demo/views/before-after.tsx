import type { ConvertParams } from "../../src/index.ts";
import type { TrayFile } from "../state/tray.ts";

/** A picture before and after its conversion, side by side, with the sizes of both. */
export function BeforeAfter(_props: {
  readonly file: TrayFile;
  /** What `convert` gets besides the file. */
  readonly options: Omit<ConvertParams, "file">;
}) {
  return null;
}
