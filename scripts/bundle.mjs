import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./build.mjs";

const embedded = "history/store/engine/embedded";

/** What Node starts as a file: the program, its worker threads, and the makers of database files. */
export const programs = [
  "app/cli",
  "app/replay/replayThread",
  "app/service/index/backfill/ingestThread",
  `${embedded}/databaseWorker`,
  `${embedded}/databaseMaker`,
  "history/store/migrate/databaseImageMaker",
  "tvm/crypto/cryptoWorker",
];

/** The source of a program. Users start the first by its path, which stays the same wherever its source is. */
export const sourceOf = (name) => `${name === "app/cli" ? "app/commands/cli" : name}.ts`;

const { dependencies, optionalDependencies, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The modules that the package exports, without `./dist/` and `.js`. */
const clients = Object.values(exports).flatMap((place) =>
  typeof place === "string" ? [] : [place.default.slice("./dist/".length, -".js".length)],
);

/** This package has 300 modules, and every start would read them; its licence is in the build. */
const bundledPackage = "typebox";

/** What almost every part uses is one chunk: by the parts that share them, these sources would be forty. */
const groups = [{ name: "base", test: /[\\/]src[\\/](?:cell|model|lib[\\/](?!kit[\\/]))/ }];

const external = Object.keys({ ...dependencies, ...optionalDependencies })
  .filter((name) => name !== bundledPackage)
  .map((name) => new RegExp(`^${name}(?:/|$)`));

/** Bundles the program, with more entry points if given, and the clients, and removes what an earlier build left. */
export async function bundleProgram(folder, more = {}) {
  const base = join(root, "src");
  const entries = (names) => Object.fromEntries(names.map((name) => [name, join(base, sourceOf(name))]));
  const files = await bundle({ base, folder, input: { ...entries(programs), ...more }, chunks: "chunks" });
  // They share nothing with the program, because they are a package of their own, too.
  const plugins = [await inlineNames(base, folder)];
  files.push(...(await bundle({ base, folder, input: entries(clients), chunks: "client", plugins })));
  removeStale(folder, new Set(files));
  cpSync(join(root, "node_modules", bundledPackage, "license"), join(folder, bundledPackage, "LICENSE"));
}

/**
 * Bundles sources below `base` into files of the names given, and what several of them share, or load on demand, into
 * chunks: Node takes almost a millisecond of CPU for each module that it loads, and there are more than a thousand. Code
 * stays as it is, below the name of its source, so that a stack trace leads to it. Gives the paths of all files.
 */
export async function bundle({ base, folder, input, chunks, plugins = [] }) {
  const options = { cwd: root, input, platform: "node", external, plugins: [keepPlaces(base), ...plugins] };
  const build = await rolldown({ ...options, transform: { target: "node20" } });
  try {
    const { output } = await build.write({
      dir: folder,
      entryFileNames: "[name].js",
      chunkFileNames: `${chunks}/[name].js`,
      codeSplitting: { groups },
    });
    return output.map(({ fileName }) => fileName);
  } finally {
    await build.close();
  }
}

/** Replaces the module of names by its values: it reads them from the declarations, which clients do not load. */
async function inlineNames(base, folder) {
  const path = join(base, "api/client/clientNames.ts");
  const place = join(folder, ".names");
  await bundle({ base, folder: place, input: { names: path }, chunks: "chunks" });
  const names = await import(pathToFileURL(join(place, "names.js")).href);
  rmSync(place, { recursive: true });
  const code = Object.entries(names).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  return { name: "inline-names", load: { filter: { id: /clientNames\.ts$/ }, handler: () => code.join("") } };
}

/** Gives each source the URL that it has when it is compiled alone, so that it finds what is beside it. */
function keepPlaces(base) {
  return {
    name: "keep-places",
    transform: {
      filter: { code: "import.meta.url" },
      handler: (code, id) => {
        const place = relative(base, id).replaceAll("\\", "/").replace(/\.ts$/, ".js");
        return code.replaceAll("import.meta.url", `urlOfPlace(${JSON.stringify(place)})`);
      },
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(/\burlOfPlace\("([^"]+)"\)/g, (_all, place) => {
        const path = posix.relative(posix.dirname(fileName), place);
        return `new URL(${JSON.stringify(path)}, import.meta.url).href`;
      }),
  };
}

/** Removes what was built from sources that are no more; what is built for browsers is not from them. */
function removeStale(folder, wanted) {
  const built = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const isStale = (path) => path.endsWith(".js") && !path.startsWith("web/") && !wanted.has(path);
  for (const path of built.filter(isStale)) rmSync(join(folder, path));
}
