import { render } from "preact";
import { loadAbout } from "./api/features.ts";
import { followHead } from "./api/live.ts";
import { loadLocalNames } from "./api/localNames.ts";
import { App } from "./app/App.tsx";
import { applyTheme } from "./browser/applyTheme.ts";
import { catchLinks } from "./browser/router.ts";

applyTheme();
const root = document.getElementById("app");
if (root === null) throw new Error("the page has no place for the explorer");
await loadAbout();
await loadLocalNames();
catchLinks();
followHead();
render(<App />, root);
