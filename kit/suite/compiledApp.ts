import { cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { copyImage } from "./databaseImageCopy.ts";
import { onceARun } from "./onceARun.ts";

const root = join(import.meta.dirname, "../..");
const kit = join(root, "kit");
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

/** Where the files of a new database come from: the image, a process that makes them, or one that never ends. */
type NewDatabase = "packed" | "made" | "never made";

/** The program as `npm start` runs it, brought up to date and copied once for all tests of a run. */
export async function compileApp({ database = "packed" }: { database?: NewDatabase } = {}): Promise<CompiledApp> {
  const whole = await onceARun("tongate-app", copyProgram);
  const make = (copy: string) => copyWithoutImage(whole, copy, database);
  const folder = database === "packed" ? whole : await onceARun(`tongate-app-${database.replace(" ", "-")}`, make);
  const at = (path: string) => join(folder, program, "dist", path);
  return {
    cli: at("app/cli.js"),
    folder: join(folder, program),
    killSwitch: at("killSwitch.js"),
    probe: at("probe.js"),
    client: at("api/client/v3Client.js"),
  };
}

async function copyProgram(folder: string): Promise<void> {
  const dist = join(folder, program, "dist");
  const { updateProgram } = await importScript<{ updateProgram(): Promise<void> }>("program.mjs");
  await updateProgram();
  cpSync(join(root, "dist"), dist, { recursive: true, filter: (path) => path !== join(root, "dist", "web") });
  const { bundle } = await importScript<{ bundle(options: object): Promise<unknown> }>("bundle.mjs");
  const input = {
    killSwitch: join(import.meta.dirname, "killSwitch.ts"),
    probe: join(import.meta.dirname, "../attacks/probe.ts"),
  };
  await bundle({ base: kit, folder: dist, input, chunks: "kit" });
  if (!existsSync(join(dist, "app", "cli.js"))) throw new Error("the program does not compile");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  await copyImage(join(dist, store, "engine", "embedded"));
  const { writeDocuments } = await importScript<{ writeDocuments(folder: string): void }>("documents.mjs");
  writeDocuments(dist);
  cpSync(join(root, "package.json"), join(folder, program, "package.json"));
}

function importScript<T>(name: string): Promise<T> {
  return import(pathToFileURL(join(root, "scripts", name)).href) as Promise<T>;
}

async function copyWithoutImage(whole: string, copy: string, database: NewDatabase): Promise<void> {
  cpSync(whole, copy, { recursive: true });
  const engine = join(copy, program, "dist", store, "engine", "embedded");
  rmSync(join(engine, "database.image"));
  if (database === "never made") writeFileSync(join(engine, "databaseMaker.js"), "setInterval(() => {}, 1 << 30);\n");
}
