// The program `stayput-service`: operations as commands, and the HTTP service.
import { installedPackage } from "../folder-urls.ts";
import { requestOf, runCommandLine } from "./command-line.ts";

const request = requestOf(process.argv.slice(2));
if (request.kind === "serve") {
  process.argv.splice(2, process.argv.length, ...request.args);
  await import("../serve.ts");
} else process.exitCode = await runCommandLine(request, installedPackage);
