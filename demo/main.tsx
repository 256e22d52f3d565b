import { render } from "preact";
import { App } from "./app.tsx";
import { takeLaunches, takeSharedFiles } from "./browser/launch.ts";
import { startWindow } from "./browser/window.ts";
import { preferredLanguage, setLanguage } from "./messages/index.ts";
import { watchFonts } from "./state/fonts.ts";
import { keepForOffline } from "./state/offline.ts";

const root = document.querySelector("#app");
if (root === null) throw new Error("The page has no #app");
await setLanguage(preferredLanguage());
startWindow();
takeLaunches();
void takeSharedFiles();
watchFonts();
render(<App />, root);
void keepForOffline();
