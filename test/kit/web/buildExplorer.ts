import { join } from "node:path";
import { build } from "vite";
import { onceARun } from "../../../kit/suite/onceARun.ts";

const root = join(import.meta.dirname, "../../..");

/** Builds the explorer for production, once a run, where a service that runs from its sources looks for it. */
export async function buildExplorer(): Promise<string> {
  const [configFile, outDir] = [join(root, "web/vite.config.ts"), join(root, "dist/web")];
  await onceARun("explorer-built", async () => {
    await build({ configFile, logLevel: "error", mode: "production", build: { outDir } });
  });
  return outDir;
}
