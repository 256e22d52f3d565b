import type { Signal } from "@preact/signals";
import type { TrayFile } from "../state/tray.ts";

/** The pages of a document, to select those of a split. The grid and `text` are one state. */
export function SplitGrid(_props: { readonly file: TrayFile; readonly text: Signal<string> }) {
  return null;
}
