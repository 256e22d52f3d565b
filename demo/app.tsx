import { isDraggedOver } from "./browser/window.ts";
import { t } from "./messages/index.ts";
import { trayFiles } from "./state/tray.ts";
import { Empty } from "./views/empty.tsx";
import { lazily } from "./views/lazily.tsx";
import { LeaveDialog } from "./views/leave-dialog.tsx";
import { PageFooter } from "./views/page-footer.tsx";
import { PageHeader } from "./views/page-header.tsx";
import { Toasts } from "./views/toasts.tsx";

/** Loaded with the first file. */
const Workspace = lazily(async () => (await import("./views/workspace.tsx")).Workspace);

/** The whole page. */
export function App() {
  const isEmpty = trayFiles.value.length === 0;
  return (
    <>
      <PageHeader />
      <main class={isEmpty ? "empty" : "workspace"}>{isEmpty ? <Empty /> : <Workspace />}</main>
      {isEmpty && <PageFooter />}
      <Toasts />
      <LeaveDialog />
      {isDraggedOver.value && (
        <div class="drop-target" aria-hidden="true">
          <p>{t("drop.here")}</p>
        </div>
      )}
    </>
  );
}
