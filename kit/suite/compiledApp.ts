import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { copyImage } from "./databaseImageCopy.ts";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules", ".cache");
const sources = join(root, "src");

/** The program in files, for tests that run it in its own process. */
export interface CompiledApp {
  readonly cli: string;
  /** Runs before the program in each thread of a process, as a module for `--import`; see `killSwitch.ts`. */
  readonly killSwitch: string;
  /** Measures the process from inside, as a module for `--import`; see `attacks/probe.ts`. */
  readonly probe: string;
  /** The module of the v3 client; only if asked for. */
  readonly client: string;
  remove(): void;
}

/**
 * Bundles the program as the build does. Without the image of a new database the first start takes seconds longer,
 * which a test of that time may want. The clients are bundled only for tests that run them.
 */
export async function compileApp({ image = true, hasClients = false } = {}): Promise<CompiledApp> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "tongate-app-"));
  const dist = join(folder, "dist");
  const { bundleProgram } = (await import(pathToFileURL(join(root, "scripts/bundle.mjs")).href)) as {
    bundleProgram(
      folder: string,
      options: { readonly more: Readonly<Record<string, string>>; readonly hasClients: boolean },
    ): Promise<void>;
  };
  const more = {
    killSwitch: join(import.meta.dirname, "killSwitch.ts"),
    probe: join(import.meta.dirname, "../attacks/probe.ts"),
  };
  await bundleProgram(dist, { more, hasClients });
  const cli = join(dist, "app", "cli.js");
  if (!existsSync(cli)) throw new Error("the program does not compile");
  const store = join("history", "store");
  cpSync(join(sources, store, "migrations"), join(dist, store, "migrations"), { recursive: true });
  if (image) copyImage(join(dist, store, "embedded"));
  for (const name of ["package.json", "docs", "README.md", "OPERATING.md", "CHANGELOG.md"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const remove = () => rmSync(folder, { recursive: true });
  const client = join(dist, "api/client/v3Client.js");
  return { cli, killSwitch: join(dist, "killSwitch.js"), probe: join(dist, "probe.js"), client, remove };
}
