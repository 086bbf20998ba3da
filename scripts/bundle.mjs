import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./build.mjs";

const embedded = "history/store/engine/embedded";

/**
 * What Node starts as a file: the program, its worker threads, and the makers of database files; and what test suites
 * import of the program.
 */
export const programs = [
  "app/cli",
  "app/testing/startLocalNetwork",
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

/** The clients that the package exports, without `./dist/` and `.js`. */
const clients = Object.values(exports)
  .flatMap((place) => (typeof place === "string" ? [] : [place.default.slice("./dist/".length, -".js".length)]))
  .filter((path) => path.startsWith("api/client/"));

/** This package has 300 modules, and every start would read them; its licence is in the build. */
const bundledPackage = "typebox";

/** What almost every part uses is one chunk: by the parts that share them, these sources would be forty. */
const programGroups = [{ name: "base", test: /[\\/]src[\\/](?:cell|model|lib[\\/](?!kit[\\/]))/ }];

const programExternal = Object.keys({ ...dependencies, ...optionalDependencies })
  .filter((name) => name !== bundledPackage)
  .map((name) => new RegExp(`^${name}(?:/|$)`));

const nodePlatform = { platform: "node", transform: { target: "node20" } };

/** The clients for browsers, which also have other modules in the place of Node's. */
const browserFolder = "browser";
const browserModules = { crypto: "crypto", buffer: "utf8", "fs/promises": "files" };

function browserPlatform(base) {
  const place = join(base, "lib/browser");
  const alias = Object.entries(browserModules).map(([name, file]) => [`node:${name}`, join(place, `${file}.ts`)]);
  const inject = Object.fromEntries(
    ["Buffer", "setImmediate"].map((name) => [name, [join(place, `${name}.ts`), name]]),
  );
  return {
    platform: "browser",
    resolve: { alias: Object.fromEntries(alias) },
    transform: { target: "es2022", inject },
  };
}

/** What all checks of proofs use is one chunk, and the machine another; the plain client uses neither. */
const checkSources =
  /[\\/]src[\\/](?:(?:cell|model|lite|lib[\\/](?:kit|sharing|browser))[\\/]|chain[\\/](?!replay|run[\\/]fees)|api[\\/](?:declare[\\/](?!errors)|v2[\\/](?:shapes[\\/](?!tokens|replay|stepStack|dns|send)|args|blockArgs|onChain|V2Reader)))/;
const plainSources =
  /[\\/]src[\\/](?:lib[\\/](?:errors|json|jsonReader|libErrors|clock|abort|retry)\.ts|api[\\/](?:declare[\\/]errors\.ts|client[\\/](?:\w+\.ts|verify[\\/]UnprovedError\.ts|light[\\/]ClientOptions\.ts)))/;
const clientGroups = [
  { name: "plain", test: plainSources, priority: 1 },
  { name: "checks", test: checkSources },
  {
    name: "machine",
    test: /[\\/]src[\\/]tvm[\\/](?:machine|run[\\/](?!transaction)|crypto[\\/](?!bls|heavy|ristretto|secp))/,
  },
];

/** Bundles the program, with more entry points if given, and the clients, and removes what an earlier build left. */
export async function bundleProgram(folder, more = {}) {
  const base = join(root, "src");
  const entries = (names) => Object.fromEntries(names.map((name) => [name, join(base, sourceOf(name))]));
  const input = { ...entries(programs), ...more };
  const files = await bundle({ base, folder, input, chunks: "chunks", plugins: [leaveOutChecks()] });
  // They share nothing with the program, because they are a package of their own, too.
  const plugins = [await inlineNames(base, folder), takeClientForms(base)];
  const client = { base, input: entries(clients), chunks: "client", plugins, external: [], groups: clientGroups };
  files.push(...(await bundle({ ...client, folder })));
  const browser = { ...client, folder: join(folder, browserFolder), platform: browserPlatform(base) };
  files.push(...(await bundle(browser)).map((path) => `${browserFolder}/${path}`));
  removeStale(folder, new Set(files));
  cpSync(join(root, "node_modules", bundledPackage, "license"), join(folder, bundledPackage, "LICENSE"));
}

/**
 * Bundles sources below `base` into files of the names given, and what several of them share, or load on demand, into
 * chunks: Node takes almost a millisecond of CPU for each module that it loads, and there are more than a thousand. Code
 * stays as it is, below the name of its source, so that a stack trace leads to it. Gives the paths of all files.
 */
export async function bundle({ base, folder, input, chunks, plugins = [], ...more }) {
  const { external = programExternal, groups = programGroups, platform = nodePlatform } = more;
  const { transform, ...own } = platform;
  const options = { cwd: root, input, external, ...own, plugins: [keepPlaces(base), ...plugins] };
  const build = await rolldown({ ...options, transform });
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

/** Modules of the clients that read the declarations, which clients do not load. */
const inlined = ["api/client/clientNames", "api/client/verify/endpointFiles"];

/** Replaces these modules by their values. */
async function inlineNames(base, folder) {
  const place = join(folder, ".names");
  const input = Object.fromEntries(inlined.map((name) => [name, join(base, `${name}.ts`)]));
  await bundle({ base, folder: place, input, chunks: "chunks" });
  const codes = await Promise.all(inlined.map((name) => valuesOf(join(place, `${name}.js`))));
  rmSync(place, { recursive: true });
  const handler = (id) => codes[inlined.findIndex((name) => id.replaceAll("\\", "/").endsWith(`${name}.ts`))];
  return { name: "inline-names", load: { filter: { id: /(?:clientNames|endpointFiles)\.ts$/ }, handler } };
}

async function valuesOf(path) {
  const values = Object.entries(await import(pathToFileURL(path).href));
  return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`).join("");
}

/** The program asks servers, and checks no proofs: the declarations, loaded one by one, would be a hundred more chunks. */
function leaveOutChecks() {
  const code = 'export function openVerifier() { throw new Error("the program checks no proofs"); }';
  return { name: "no-checks", load: { filter: { id: /openVerifier\.ts$/ }, handler: () => code } };
}

/** Takes the form for clients of a module that has one beside it; clients have no schemas. */
function takeClientForms(base) {
  return {
    name: "client-forms",
    resolveId: (name, from) => {
      if (name === bundledPackage) return join(base, "lib/kit/schemas.client.ts");
      const path = from !== undefined && name.startsWith(".") ? join(dirname(from), name) : "";
      const form = path.replace(/(?<!\.client)\.ts$/, ".client.ts");
      return path.startsWith(base) && form !== path && existsSync(form) ? form : undefined;
    },
  };
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
