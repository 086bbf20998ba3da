import { render } from "preact";
import { followHead } from "./api/live.ts";
import { App } from "./app/App.tsx";
import { loadAbout } from "./app/about.ts";
import { loadLocalNames } from "./app/localNames.ts";
import { catchLinks } from "./app/router.ts";
import { applyTheme } from "./app/settings.ts";

applyTheme();
const root = document.getElementById("app");
if (root === null) throw new Error("the page has no place for the explorer");
await loadAbout();
await loadLocalNames();
catchLinks();
followHead();
render(<App />, root);
