import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";

/** Where the program serves what is built for browsers from. */
export const pagesFolder = join(root, "dist", "web");

/** Bundles the explorer and the parts of the other pages; they are put into place when they are complete. */
export async function bundlePages() {
  const { build } = await import("vite");
  const unfinished = join(root, "dist", `web.${process.pid}`);
  mkdirSync(join(root, "dist"), { recursive: true });
  try {
    await build({ configFile: join(root, "web", "vite.config.ts"), logLevel: "warn", build: { outDir: unfinished } });
    if (existsSync(pagesFolder)) rmSync(pagesFolder, { recursive: true });
    renameSync(unfinished, pagesFolder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await bundlePages();
