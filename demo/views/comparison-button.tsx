import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { t } from "../messages/index.ts";
import { comparedFile } from "../state/comparison.ts";
import { isShownByBrowsers } from "../state/formats.ts";
import type { TrayFile } from "../state/tray.ts";

/** The picture of a file, as a button that opens its comparison. Without the picture if browsers do not show it. */
export function ComparisonButton({ file }: { readonly file: TrayFile }) {
  const url = useSignal<string | undefined>(undefined);
  const isShown = isShownByBrowsers(file.inspection.value?.format);
  useEffect(() => {
    if (!isShown) return undefined;
    const picture = URL.createObjectURL(file.file);
    url.value = picture;
    return () => URL.revokeObjectURL(picture);
  }, [file, isShown, url]);
  return (
    <button
      type="button"
      class="button comparison-button"
      onClick={() => {
        comparedFile.value = file;
      }}
    >
      {isShown && url.value && <img src={url.value} alt="" decoding="async" />}
      <span>{t("compare.open")}</span>
    </button>
  );
}
