import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, root } from "./build.mjs";

/** Written after a build that succeeded; its time says what the build has seen. */
const stamp = join(root, "dist", ".built");

/** Folders count as well as files, because deleting a file changes only its folder. */
function newestSource() {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const others = ["src", "package.json", "tsconfig.json", "tsconfig.build.json"];
  const paths = [...sources.map((path) => join("src", path)), ...others];
  return Math.max(...paths.map((path) => statSync(join(root, path)).mtimeMs));
}

function builtAt() {
  return statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (builtAt() < newestSource()) {
  process.stderr.write("building…\n");
  compile("tsconfig.build.json", "dist");
  writeFileSync(stamp, "");
}
await import(pathToFileURL(join(root, "dist", "app", "cli.js")).href);
