// npm run service: the stand-in for the remote service, on the loopback.
import { randomBytes } from "node:crypto";
import { findOffice, missingForService } from "../../scripts/machine.mjs";
import { readOptions, wholeNumber } from "../../scripts/options.mjs";
import { Service } from "./service.ts";

const { values } = readOptions("npm run service --", {
  port: {
    type: "string",
    value: "N",
    takes: wholeNumber(0, 65535),
    default: "8788",
    about: "where it answers",
  },
  host: { type: "string", value: "ADDRESS", about: "for whom; this machine alone when absent" },
  key: {
    type: "string",
    about: "the API key that it asks for; STAYPUT_SERVICE_KEY, or a random one, when absent",
  },
});

const soffice = findOffice();
const missing = missingForService();
for (const line of missing) console.error(line);
if (soffice === undefined) process.exit(1);

const key = values.key ?? (process.env.STAYPUT_SERVICE_KEY || randomBytes(16).toString("base64url"));
const service = await Service.start(
  { soffice, key, onFailure: (thrown) => console.error(thrown) },
  { host: values.host, port: Number(values.port) },
).catch((thrown: unknown) => {
  console.error(
    `The service cannot start: ${thrown}. --port and --host choose another place, --key another key.`,
  );
  process.exit(1);
});
let isClosing = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The terminal and the command around this may both send one.
  process.on(signal, () => {
    if (isClosing) return;
    isClosing = true;
    void service.close().then(() => process.exit(0));
  });
}
process.once("exit", () => service.removeFolder());

console.log(`
  The stand-in for the remote service answers at

  baseUrl  ${service.url}
  apiKey   ${key}

  const client = createClient({ baseUrl: "${service.url}", apiKey: "${key}" });
`);
