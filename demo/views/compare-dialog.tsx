import "../styles/comparison.css";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { language, t } from "../messages/index.ts";
import { readableSize } from "../state/formats.ts";
import { pictureOrOffline, screenPicture } from "../state/pictures.ts";
import type { TrayFile } from "../state/tray.ts";
import { ComparisonSlider } from "./comparison-slider.tsx";

/** A file beside what was made of it: both pictures, or both first pages. */
export function CompareDialog(props: {
  readonly before: TrayFile;
  readonly after: TrayFile;
  readonly isOpen: Signal<boolean>;
}) {
  const { before, after, isOpen } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const urls = [usePicture(before), usePicture(after)] as const;
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

/** Returns the blob URL of a picture of a file, once it is drawn. */
function usePicture(file: TrayFile): string | undefined {
  const url = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const ending = new AbortController();
    const draw = async () => {
      const picture = await pictureOrOffline(() => screenPicture(file, ending.signal), ending.signal);
      if (picture instanceof Blob && !ending.signal.aborted) url.value = URL.createObjectURL(picture);
    };
    void draw();
    return () => {
      ending.abort();
      if (url.value !== undefined) URL.revokeObjectURL(url.value);
    };
  }, [file, url]);
  return url.value;
}
