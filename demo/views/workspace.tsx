import "../styles/fields.css";
import "../styles/workspace.css";
import "../styles/tray.css";
import { useEffect } from "preact/hooks";
import { start } from "../browser/start.ts";
import { isSheetOpen } from "../state/sheet.ts";
import { retryThumbnails, yieldToJobs } from "../state/thumbnails.ts";
import { ActionBar } from "./action-bar.tsx";
import { OptionsPane } from "./options-pane.tsx";
import { Stage } from "./stage.tsx";
import { Tray } from "./tray.tsx";

/** The page with files: the files, what the task does, its options, and the bar at the bottom. */
export function Workspace() {
  useEffect(yieldToJobs, []);
  useEffect(() => {
    addEventListener("online", retryThumbnails);
    return () => removeEventListener("online", retryThumbnails);
  }, []);
  return (
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
      <Stage />
      <OptionsPane />
      <ActionBar />
    </form>
  );
}
