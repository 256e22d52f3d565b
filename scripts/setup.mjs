// npm run setup: installs the browsers and native tools that the tests need and this machine lacks.
import { installDependencies } from "./dependencies.mjs";

installDependencies();
const { installMissing } = await import("./machine.mjs");
installMissing();
