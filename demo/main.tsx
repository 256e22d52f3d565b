import { render } from "preact";
import { App } from "./app.tsx";
import { preferredLanguage, setLanguage } from "./messages/index.ts";
import { discardRemovedFiles } from "./state/discard.ts";
import { watchFonts } from "./state/fonts.ts";
import { takeLaunches, takeSharedFiles } from "./state/launch.ts";
import { keepForOffline } from "./state/offline.ts";
import { startWindow } from "./state/window.ts";

const root = document.querySelector("#app");
if (root === null) throw new Error("The page has no #app");
await setLanguage(preferredLanguage());
startWindow();
takeLaunches();
void takeSharedFiles();
watchFonts();
discardRemovedFiles();
render(<App />, root);
void keepForOffline();
