import "../styles/comparison.css";
import type { Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { readableSize } from "../state/formats.ts";
import type { TrayFile } from "../state/tray.ts";
import { ComparisonSlider } from "./comparison-slider.tsx";
import { usePicture } from "./use-picture.ts";

/** A file beside what was made of it: both pictures, or both first pages. */
export function CompareDialog(props: {
  readonly before: TrayFile;
  readonly after: TrayFile;
  readonly isOpen: Signal<boolean>;
}) {
  const { before, after, isOpen } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const urls = [usePicture(before).url, usePicture(after).url] as const;
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
      onClose={() => {
        isOpen.value = false;
      }}
    >
      <ComparisonSlider before={urls[0]} after={urls[1]} zoom="fit" />
      <div class="compare-bar">
        {sides.map(([side, { file }]) => (
          <p key={side}>
            <strong>{side}</strong> {readableSize(file.size, language())}
          </p>
        ))}
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {t("notice.close")}
        </button>
      </div>
    </dialog>
  );
}
