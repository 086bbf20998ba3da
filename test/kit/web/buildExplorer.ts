import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { onceARun } from "../../../kit/suite/onceARun.ts";

const root = join(import.meta.dirname, "../../..");
const program = pathToFileURL(join(root, "scripts/program.mjs")).href;

/** Builds the explorer for production, unless it is, where a service that runs from its sources looks for it. */
export async function buildExplorer(): Promise<string> {
  const [configFile, outDir] = [join(root, "web/vite.config.ts"), join(root, "dist/web")];
  await onceARun("explorer-built", async () => {
    const { arePagesFresh } = (await import(program)) as { arePagesFresh(): boolean };
    if (!arePagesFresh()) await build({ configFile, logLevel: "error", mode: "production", build: { outDir } });
  });
  return outDir;
}
