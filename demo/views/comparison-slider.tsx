import "../styles/comparison.css";
import { useSignal } from "@preact/signals";
import { t } from "../messages/index.ts";
import { Icon } from "./icon.tsx";
import { into } from "./into-signal.ts";

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
