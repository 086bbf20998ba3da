import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, copySql, root } from "./build.mjs";
import { bundleProgram } from "./bundle.mjs";
import { writeDocuments } from "./documents.mjs";
import { bundlePages } from "./pages.mjs";
import { makeDatabaseImage, stamp } from "./program.mjs";

/** Builds the program for shipping. */
export async function buildDist() {
  const [dist, modules] = [join(root, "dist"), join(root, ".build")];
  // The compiler checks the types, and one of its modules makes the declarations of the clients.
  compile("tsconfig.build.json", ".build");
  rmSync(dist, { recursive: true, force: true });
  await bundleProgram(dist);
  const { formatClientTypes } = await import(pathToFileURL(join(modules, "scripts", "clientTypes.js")).href);
  for (const [path, text] of Object.entries(await formatClientTypes(root))) writeFileSync(join(dist, path), text);
  rmSync(modules, { recursive: true });
  copySql("dist");
  writeDocuments(dist);
  await bundlePages();
  makeDatabaseImage();
  writeFileSync(stamp, "");
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await buildDist();
