import { join } from "node:path";
import { build } from "vite";

const root = join(import.meta.dirname, "../../..");

/** Where a service that runs from its sources looks for the explorer. */
export const explorerFolder = join(root, "dist/web");

/** Builds the explorer for production. */
export async function buildExplorer(outDir: string): Promise<void> {
  const configFile = join(root, "web/vite.config.ts");
  await build({ configFile, logLevel: "error", mode: "production", build: { outDir } });
}
