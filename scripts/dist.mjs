import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleExplorer, compile, copySql, root } from "./build.mjs";
import { writeClientTypes } from "./clientTypes.mjs";

/** Written after a build that succeeded; its time says what the build has seen. */
export const stamp = join(root, "dist", ".built");

/** Builds the program as it is shipped. */
export async function buildDist() {
  compile("tsconfig.build.json", "dist");
  copySql("dist");
  await writeClientTypes(join(root, "dist"));
  await bundleExplorer();
  writeFileSync(stamp, "");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildDist();
