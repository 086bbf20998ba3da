import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";
import { updateProgram } from "./program.mjs";

await updateProgram();
await import(pathToFileURL(join(root, "dist", "app", "cli.js")).href);
