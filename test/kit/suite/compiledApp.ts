import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";

const root = join(import.meta.dirname, "../../..");
const cache = join(root, "node_modules", ".cache");
const sources = join(root, "src");

const embedded = "history/store/embedded";

/** Entry points: the program, its worker threads, and the maker of database files. */
const programs = [
  "app/cli",
  `${embedded}/databaseWorker`,
  `${embedded}/databaseMaker`,
  "app/service/index/backfill/ingestThread",
];

/** The program in files, for tests that run it in its own process. */
export interface CompiledApp {
  readonly cli: string;
  /** Runs before the program in each thread of a process, as a module for `--import`; see `killSwitch.ts`. */
  readonly killSwitch: string;
  remove(): void;
}

/**
 * Bundles each program into one file: tests start it dozens of times, and reading hundreds of files dominates a start.
 */
export async function compileApp(): Promise<CompiledApp> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "tongate-app-"));
  const dist = join(folder, "dist");
  const input = Object.fromEntries(programs.map((name) => [name, join(sources, `${name}.ts`)]));
  await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [keepPlaces(dist)],
    // This package has hundreds of files, all read at every start.
    ssr: { noExternal: ["typebox"] },
    build: {
      ssr: true,
      outDir: dist,
      minify: false,
      target: "node20",
      rolldownOptions: {
        input: { ...input, killSwitch: join(import.meta.dirname, "killSwitch.ts") },
        output: { entryFileNames: "[name].js" },
      },
    },
  });
  const cli = join(dist, "app", "cli.js");
  if (!existsSync(cli)) throw new Error("the program does not compile");
  const migrations = join("history", "store", "migrations");
  cpSync(join(sources, migrations), join(dist, migrations), { recursive: true });
  for (const name of ["package.json", "docs", "README.md", "OPERATING.md", "CHANGELOG.md"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  return { cli, killSwitch: join(dist, "killSwitch.js"), remove: () => rmSync(folder, { recursive: true }) };
}

/** Keeps `import.meta.url` of each bundled source, so that it finds the files next to it. */
function keepPlaces(dist: string): Plugin {
  return {
    name: "tongate-keep-places",
    transform: (code, id) => {
      if (!id.startsWith(sources)) return undefined;
      const place = pathToFileURL(join(dist, id.slice(sources.length + 1))).href;
      return code.replaceAll("import.meta.url", JSON.stringify(place));
    },
  };
}
