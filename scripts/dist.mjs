import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, copySql, root } from "./build.mjs";
import { writeClientTypes } from "./clientTypes.mjs";
import { bundlePages } from "./pages.mjs";
import { makeDatabaseImage, stamp } from "./program.mjs";

/** Builds the program for shipping. */
export async function buildDist() {
  compile("tsconfig.build.json", "dist");
  copySql("dist");
  await writeClientTypes(join(root, "dist"));
  await bundlePages();
  makeDatabaseImage();
  writeFileSync(stamp, "");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildDist();
