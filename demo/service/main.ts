// npm run service: runs the stand-in for the remote service on the loopback.
import { findOffice, missingForService } from "../../scripts/machine.mjs";
import { readOptions, wholeNumber } from "../../scripts/options.mjs";
import { hasKeyOption, KEY_OPTION_REFUSED, KEY_VARIABLE, takeKey } from "./key.ts";
import { Service } from "./service.ts";

if (hasKeyOption(process.argv.slice(2))) {
  console.error(KEY_OPTION_REFUSED);
  process.exit(1);
}
const { values } = readOptions("npm run service --", {
  port: {
    type: "string",
    value: "N",
    takes: wholeNumber(0, 65535),
    default: "8788",
    about: "where it answers",
  },
  host: { type: "string", value: "ADDRESS", about: "for whom; this machine alone when absent" },
  "key-file": {
    type: "string",
    value: "FILE",
    about: `holds the API key that it asks for; ${KEY_VARIABLE}, or a random one, when absent`,
  },
});

const soffice = findOffice();
const missing = missingForService();
for (const line of missing) console.error(line);
if (soffice === undefined) process.exit(1);

const { key, service } = await start(soffice).catch((thrown: unknown) => {
  console.error(
    `The service cannot start: ${thrown}. --port and --host choose another place, ` +
      `${KEY_VARIABLE} and --key-file another key.`,
  );
  process.exit(1);
});
let isClosing = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The terminal and the npm script may both send a signal.
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
  apiKey   ${key.isNew ? key.text : "the one that it was given"}
`);

/** Starts the service, with the given key or a new one. */
async function start(soffice: string) {
  const key = takeKey(values["key-file"], process.env);
  const options = { soffice, key: key.text, onFailure: (thrown: unknown) => console.error(thrown) };
  const service = await Service.start(options, { host: values.host, port: Number(values.port) });
  return { key, service };
}
