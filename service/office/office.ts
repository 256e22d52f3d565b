import { mkdir, stat, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { pathToFileURL } from "node:url";
import { ServiceError } from "../../src/shared/errors.ts";
import { outOfMemory } from "../../src/shared/failure.ts";
import type { FormatId } from "../../src/shared/formats.ts";
import { unlessAbsent } from "../platform/system-error.ts";
import type { Export } from "./plan.ts";
import { run } from "./program.ts";

/** Turns macros off. The proxy leads nowhere, so documents cannot make LibreOffice fetch anything. */
const SETTINGS: readonly (readonly [path: string, name: string, value: string])[] = [
  ["/org.openoffice.Office.Common/Security/Scripting", "DisableMacrosExecution", "true"],
  ["/org.openoffice.Office.Common/Security/Scripting", "MacroSecurityLevel", "3"],
  ["/org.openoffice.Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"],
  ["/org.openoffice.Inet/Settings", "ooInetProxyType", "2"],
  ["/org.openoffice.Inet/Settings", "ooInetHTTPProxyName", "127.0.0.1"],
  ["/org.openoffice.Inet/Settings", "ooInetHTTPProxyPort", "9"],
  ["/org.openoffice.Inet/Settings", "ooInetHTTPSProxyName", "127.0.0.1"],
  ["/org.openoffice.Inet/Settings", "ooInetHTTPSProxyPort", "9"],
  ["/org.openoffice.Inet/Settings", "ooInetNoProxy", ""],
];

/** The exit code of LibreOffice's command, a script, when the system has killed what it started. */
const KILLED = 137;
/** More than a file system may have left when it is full. */
const PROBE_BYTES = 1_000_000;

/** What a conversion works with. */
export interface OfficeContext {
  /** LibreOffice's command. */
  readonly soffice: string;
  /** A folder for this conversion only: profile and result. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/**
 * Converts a file with LibreOffice. Each call has its own profile, so that calls do not wait for each other and share
 * no state.
 *
 * @returns the path of the result
 * @throws {ServiceError} `damaged_file` when LibreOffice cannot convert the file, `out_of_memory` when the system has killed it
 * @throws the error of the file system, also when LibreOffice has no room
 */
export async function exportByOffice(
  input: string,
  to: FormatId,
  { filter, readAs }: Export,
  { soffice, folder, signal }: OfficeContext,
): Promise<string> {
  const profile = join(folder, "profile");
  const outputs = join(folder, "outputs");
  await mkdir(join(profile, "user"), { recursive: true });
  await mkdir(outputs, { recursive: true });
  await writeFile(join(profile, "user", "registrymodifications.xcu"), settingsFile());
  const args = [
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    "--headless",
    "--norestore",
    "--nolockcheck",
    "--nodefault",
    ...(readAs === undefined ? [] : [`--infilter=${readAs}`]),
    "--convert-to",
    `${to}:${filter}`,
    "--outdir",
    outputs,
    input,
  ];
  const { code, output } = await run(soffice, args, signal);
  const made = join(outputs, `${parse(input).name}.${to}`);
  // The exit code is 0 even when LibreOffice cannot read the file.
  const found = await unlessAbsent(stat(made));
  if (found !== undefined && found.size > 0) return made;
  if (code === undefined || code === KILLED) throw outOfMemory();
  // LibreOffice reports a full disk as any other failure. Here, it is the error of the file system.
  await writeFile(join(outputs, "probe"), Buffer.alloc(PROBE_BYTES));
  throw new ServiceError(
    "damaged_file",
    `LibreOffice cannot convert the file: it is damaged, protected by a password, or of a kind that it does not know (${
      /^Error: .*$/m.exec(output)?.[0] ?? `exit code ${code}`
    }).`.replaceAll(folder, ""),
  );
}

function settingsFile(): string {
  const items = SETTINGS.map(
    ([path, name, value]) =>
      `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
${items.join("\n")}
</oor:items>
`;
}
