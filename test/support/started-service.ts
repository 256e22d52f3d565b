import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { buildPackageOnce } from "../../scripts/built.mjs";
import { Service, type ServiceOptions } from "../../service/http/service.ts";
import { docx } from "./fixtures/office/documents.ts";
import { Scratch } from "./native-tools.ts";
import { openFilesOf } from "./process-files.ts";

// The service, with scripts instead of LibreOffice.

const scratch = new Scratch();
beforeAll(buildPackageOnce);
afterAll(() => scratch.remove());

/** The fields of a form. */
export type FormFields = Readonly<Record<string, string | Blob>>;

/** A document, and a conversion that the service accepts. */
export const DOCUMENT = new File([docx(["One"])], "Übersicht (1).docx");
export const CONVERSION: FormFields = { file: DOCUMENT, output_format: "pdf" };

/**
 * Returns the path of a script that takes LibreOffice's arguments, and writes `input.$to` into the folder `$out`.
 *
 * @param body what the script does first
 */
export function officeScript(body = ""): string {
  const path = scratch.path("soffice");
  const lines = [
    "#!/bin/sh",
    'for a; do [ "$p" = --outdir ] && out=$a; [ "$p" = --convert-to ] && to=$(echo "$a" | cut -d: -f1); p=$a; done',
    body,
    'printf "%%PDF-1.7 made" > "$out/input.$to"',
  ];
  writeFileSync(path, lines.join("\n"));
  chmodSync(path, 0o755);
  return path;
}

/** A script that makes a PDF. */
export const WORKING_OFFICE = officeScript();

/** Starts the service. It is closed at the end of the test. */
export async function startService(options: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await Service.start({ soffice: WORKING_OFFICE, key: "secret", ...options });
  onTestFinished(() => service.close());
  return service;
}

/** Sends a form to the service for a conversion. */
export function postForm(
  { url }: Pick<Service, "url">,
  fields: FormFields = CONVERSION,
  init: RequestInit = {},
): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const headers = { Authorization: "Bearer secret" };
  return fetch(`${url}/api/convert`, { method: "POST", headers, body, ...init });
}

/** Returns the names of the folders that the service keeps for uploads and conversions. */
export function jobFolders(service: Service): string[] {
  return readdirSync(service.folder).filter((name) => name.startsWith("job-"));
}

/** Returns the status, the code and the details of an error, and checks its form. */
export async function errorOf(response: Response): Promise<readonly [number, string, unknown]> {
  const body = await response.json();
  expect(Object.keys(body)).toEqual(["success", "error"]);
  expect(body.success).toBe(false);
  expect(Object.keys(body.error)).toEqual(["code", "message", "details"]);
  return [response.status, body.error.code, body.error.details];
}

/** Connects to the service. */
export function dial({ url }: Service): Socket {
  const { hostname, port } = new URL(url);
  // A broken connection also ends it.
  return connect(Number(port), hostname).on("error", () => {});
}

/** Returns the text that arrives until the connection ends. */
export function received(socket: Socket): Promise<string> {
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
  });
  return new Promise((resolve) => socket.on("close", () => resolve(text)));
}

/** Returns the open files of the service in this process, including removed ones. On Linux only. */
export function openFiles(service: Service): string[] {
  return openFilesOf(process.pid).filter((path) => path.startsWith(service.folder));
}
