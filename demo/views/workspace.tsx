import "../styles/fields.css";
import "../styles/workspace.css";
import "../styles/tray.css";
import { useEffect } from "preact/hooks";
import { start } from "../browser/start.ts";
import { comparedFile } from "../state/comparison.ts";
import { isSheetOpen } from "../state/sheet.ts";
import { retryThumbnails, yieldToJobs } from "../state/thumbnails.ts";
import { ActionBar } from "./action-bar.tsx";
import { ComparisonDialog } from "./comparison-dialog.tsx";
import { Inspector } from "./inspector.tsx";
import { Tray } from "./tray.tsx";

/** The page with files: the tray, the inspector and the action bar. */
export function Workspace() {
  const compared = comparedFile.value;
  useEffect(yieldToJobs, []);
  useEffect(() => {
    addEventListener("online", retryThumbnails);
    return () => removeEventListener("online", retryThumbnails);
  }, []);
  return (
    <>
      <form
        class="panes"
        data-sheet={isSheetOpen.value ? "open" : "closed"}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Tray />
        <Inspector />
        <ActionBar />
      </form>
      {compared && <ComparisonDialog key={compared.id} file={compared} />}
    </>
  );
}
