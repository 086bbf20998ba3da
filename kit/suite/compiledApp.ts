import { cpSync, existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { copyImage } from "./databaseImageCopy.ts";
import { onceARun } from "./onceARun.ts";

const root = join(import.meta.dirname, "../..");
const sources = join(root, "src");
const store = join("history", "store");
/** The packages are beside it, as a link, so that it holds only files of the program. */
const program = "program";

/** The program in files, for tests that run it in its own process. */
export interface CompiledApp {
  readonly cli: string;
  /** The package as it is installed. */
  readonly folder: string;
  /** Runs before the program in each thread of a process, as a module for `--import`; see `killSwitch.ts`. */
  readonly killSwitch: string;
  /** Measures the process from inside, as a module for `--import`; see `attacks/probe.ts`. */
  readonly probe: string;
  /** The module of the v3 client. */
  readonly client: string;
}

/**
 * The program as the build bundles it, once for all tests of a run. Without the image of a new database the first start
 * takes seconds longer, which a test of that time may want.
 */
export async function compileApp({ image = true } = {}): Promise<CompiledApp> {
  const whole = await onceARun("tongate-app", bundle);
  const folder = image ? whole : await onceARun("tongate-app-without-image", (copy) => copyWithoutImage(whole, copy));
  const at = (path: string) => join(folder, program, "dist", path);
  return {
    cli: at("app/cli.js"),
    folder: join(folder, program),
    killSwitch: at("killSwitch.js"),
    probe: at("probe.js"),
    client: at("api/client/v3Client.js"),
  };
}

async function bundle(folder: string): Promise<void> {
  const dist = join(folder, program, "dist");
  const importScript = (name: string) => import(pathToFileURL(join(root, "scripts", name)).href);
  const { bundleProgram } = (await importScript("bundle.mjs")) as {
    bundleProgram(folder: string, more: Readonly<Record<string, string>>): Promise<void>;
  };
  const { writeDocuments } = (await importScript("documents.mjs")) as { writeDocuments(folder: string): void };
  await bundleProgram(dist, {
    killSwitch: join(import.meta.dirname, "killSwitch.ts"),
    probe: join(import.meta.dirname, "../attacks/probe.ts"),
  });
  if (!existsSync(join(dist, "app", "cli.js"))) throw new Error("the program does not compile");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const migrations = join(store, "schema", "migrations");
  cpSync(join(sources, migrations), join(dist, migrations), { recursive: true });
  await copyImage(join(dist, store, "engine", "embedded"));
  writeDocuments(dist);
  cpSync(join(root, "package.json"), join(folder, program, "package.json"));
}

async function copyWithoutImage(whole: string, copy: string): Promise<void> {
  cpSync(whole, copy, { recursive: true });
  rmSync(join(copy, program, "dist", store, "engine", "embedded", "database.image"));
}
