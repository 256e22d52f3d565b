import { type TrayFile, trayFileOf } from "../../demo/state/tray.ts";
import type { Inspection } from "../../src/index.ts";

/** Returns a file as the tray has it after its inspection. */
export function inspectedFile(inspection: Inspection, file = new File([], "file")): TrayFile {
  const trayFile = trayFileOf(file);
  trayFile.inspection.value = inspection;
  return trayFile;
}
