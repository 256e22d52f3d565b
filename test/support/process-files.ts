import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * The text of a file that Linux keeps of a process, such as `status`. Empty when the process has ended or the system has
 * no such files.
 */
export function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error) return "";
    throw error;
  }
}

/** The memory of a process in bytes: now (`VmRSS`) or at its peak (`VmHWM`). 0 when the system does not report it. */
export function memoryOf(pid: number, field: "VmRSS" | "VmHWM" = "VmRSS"): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readProcess(pid, "status"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Returns the paths of the open files of a process, including removed ones. On Linux only. */
export function openFilesOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).map((name) => {
    try {
      return readlinkSync(`${folder}/${name}`);
    } catch (error) {
      // It has been closed since.
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
      throw error;
    }
  });
}
