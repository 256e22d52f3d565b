import { type Signal, useSignal } from "@preact/signals";
import { language, t } from "../messages/index.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { into } from "./into-signal.ts";
import "../styles/comparison.css";
import { useEffect, useRef } from "preact/hooks";
import { readableSize } from "../state/formats.ts";
import { screenPicture } from "../state/pictures.ts";
import type { TrayFile } from "../state/tray.ts";
import { usePicture } from "./use-picture.ts";

/** How large a picture is shown: the whole of it, or each of its pixels as a pixel of the screen. */
export type Zoom = "fit" | "full";

/** Two pictures at the same place, with a divider between them that the user moves. Those of undefined are not shown. */
export function ComparisonSlider(props: {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly zoom: Zoom;
}) {
  const { before, after, zoom } = props;
  /** The place of the divider, in percent of the width. */
  const divider = useSignal(50);
  const scrolled = useSignal(0);
  const size = useSignal({ width: 0, height: 0 });
  return (
    <div
      class="comparison-slider"
      data-zoom={zoom}
      style={{
        "--divider": divider.value,
        "--scrolled": `${zoom === "fit" ? 0 : scrolled.value}px`,
        "--width": `${size.value.width}px`,
        "--height": `${size.value.height}px`,
        "--density": devicePixelRatio,
      }}
    >
      <section
        class="comparison-view"
        aria-label={t("compare.picture")}
        // The arrow keys scroll it.
        tabIndex={zoom === "full" ? 0 : undefined}
        onScroll={({ currentTarget }) => into(scrolled)(currentTarget.scrollLeft)}
      >
        <div class="comparison-pictures">
          {before && (
            <div class={after && "comparison-before"}>
              <img
                src={before}
                alt={t("compare.before")}
                // Otherwise browsers drag the picture instead of the divider.
                draggable={false}
                onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
                  size.value = { width: naturalWidth, height: naturalHeight };
                }}
              />
            </div>
          )}
          {before && after && (
            <div class="comparison-after">
              <img src={after} alt={t("compare.after")} draggable={false} />
            </div>
          )}
        </div>
      </section>
      {before && after && (
        <>
          <input
            type="range"
            min="0"
            max="100"
            value={divider.value}
            aria-label={t("compare.divider")}
            onInput={({ currentTarget }) => into(divider)(currentTarget.valueAsNumber)}
          />
          <span class="comparison-divider" aria-hidden="true">
            <span class="comparison-knob">
              <Icon name="both-ways" />
            </span>
          </span>
          <span class="comparison-name">{t("compare.before")}</span>
          <span class="comparison-name">{t("compare.after")}</span>
        </>
      )}
    </div>
  );
}

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
