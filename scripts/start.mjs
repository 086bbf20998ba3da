import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";
import { buildDist, stamp } from "./dist.mjs";

/** Includes folders, because deleting a file changes only its folder. */
function newestSource() {
  const sources = ["src", "web"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const paths = [...sources, "src", "web", "package.json", "tsconfig.json", "tsconfig.build.json"];
  return Math.max(...paths.map((path) => statSync(join(root, path)).mtimeMs));
}

function builtAt() {
  return statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (builtAt() < newestSource()) {
  process.stderr.write("building…\n");
  await buildDist();
}
await import(pathToFileURL(join(root, "dist", "app", "cli.js")).href);
