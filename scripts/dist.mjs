import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleExplorer, compile, copySql, root } from "./build.mjs";
import { writeClientTypes } from "./clientTypes.mjs";

/** Written after a successful build; its time shows which sources the build includes. */
export const stamp = join(root, "dist", ".built");

/** Builds the program for shipping. */
export async function buildDist() {
  compile("tsconfig.build.json", "dist");
  copySql("dist");
  await writeClientTypes(join(root, "dist"));
  await bundleExplorer();
  makeDatabaseImage();
  writeFileSync(stamp, "");
}

/** Packs a new built-in database with all tables, so that the first start of the program does not create one. */
function makeDatabaseImage() {
  const folder = join(root, "dist", "history", "store", "embedded");
  const args = [join(folder, "databaseImageMaker.js"), join(folder, "database.image")];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error("the image of the built-in database was not created");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildDist();
