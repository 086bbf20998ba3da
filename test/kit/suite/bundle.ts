import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

/** Bundles a module with its imports into one JavaScript file for another process. */
export async function bundle(module: string, folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true },
    build: { ssr: join(import.meta.dirname, "../../../src", module), outDir: folder, minify: false },
  });
  return join(folder, readdirSync(folder).find((name) => /\.m?js$/.test(name)) ?? "");
}
