import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { readableSize } from "../state/formats.ts";
import { screenPicture } from "../state/pictures.ts";
import type { TrayFile } from "../state/tray.ts";
import { Button } from "./button.tsx";
import { ComparisonSlider } from "./comparison-slider.tsx";
import { into } from "./into-signal.ts";
import { usePicture } from "./use-picture.ts";

/** A file beside what was made of it: both pictures, or both first pages. */
export function CompareDialog(props: {
  readonly before: TrayFile;
  readonly after: TrayFile;
  readonly isOpen: Signal<boolean>;
}) {
  const { before, after, isOpen } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const drawnBefore = usePicture((signal) => screenPicture(before, signal), before);
  const drawnAfter = usePicture((signal) => screenPicture(after, signal), after);
  useEffect(() => dialog.current?.showModal(), []);
  const sides = [
    [t("compare.before"), before],
    [t("compare.after"), after],
  ] as const;
  return (
    <dialog
      ref={dialog}
      class="compare-dialog"
      aria-label={t("result.compareName", { name: after.file.name })}
      onClose={() => into(isOpen)(false)}
    >
      <ComparisonSlider before={drawnBefore.url} after={drawnAfter.url} zoom="fit" />
      <div class="compare-bar">
        {sides.map(([side, { file }]) => (
          <p key={side}>
            <strong>{side}</strong> {readableSize(file.size, language())}
          </p>
        ))}
        <Button class="button" text={t("notice.close")} onClick={() => dialog.current?.close()} />
      </div>
    </dialog>
  );
}
