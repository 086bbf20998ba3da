import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { root } from "./build.mjs";
import { dropKinds, dropMnemonics, dropReasons, dropRuns, dropTexts, markPure, shortenLines } from "./editSources.mjs";
import { splitSources } from "./splitSources.mjs";

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

/*
 * The checks of proofs are loaded in stages: what checks balances and states is one chunk, then what shows code and
 * data, what get-methods need besides, which is the machine and what reads and writes their stacks, and what emulation
 * needs, or tokens. The other reads need neither; the plain client uses nothing of all this. Contracts by an ABI need
 * only the cells of the checks, and bags.
 */
const stages = {
  checks: ["api/client/verify/openVerifier", "api/v2/balances"],
  accounts: ["api/v2/accounts"],
  reads: ["api/v2/blocks", "api/v2/transactions", "api/v2/config", "api/v2/wallets"],
  machine: ["tvm/run/openExecutor", "tvm/thread/CryptoThread.client"],
  methods: ["api/v2/runMethod"],
  transactions: ["tvm/run/transactionParts.client"],
  emulation: ["api/v2/fees", "tvm/run/acceptance"],
  rare: ["tvm/run/rareParts.client"],
  tokens: ["api/v2/contracts"],
  index: [
    ...["api/client/verify/openV3Verifier", "api/client/verify/provePart"],
    ...["api/v3/blockchain", "api/v3/accounts", "api/v3/actions"],
  ],
  contract: ["api/client/contract/openContract"],
};
const plainSources =
  /[\\/]src[\\/](?:lib[\\/](?:errors|json|jsonReader(?:\.client)?|clock|abort|retry)|api[\\/](?:declare[\\/]errors|client[\\/](?:\w+|verify[\\/](?:UnprovedError|callArgs|clientNames)|light[\\/]ClientOptions)))(?:~\w+)?\.ts$/;

const clientEntry = /[\\/]src[\\/]api[\\/]client[\\/]\w+\.ts$/;

/** A split entry point of a stage would be one more small file to load. */
const entrySources = new Set(
  Object.values(stages).flatMap((entries) => entries.map((entry) => join(root, "src", `${entry}.ts`))),
);

const contractSources = /[\\/]src[\\/]contracts[\\/]/;

/** What operations of no stage share is one chunk, too. */
const otherSources = /[\\/]src[\\/](?:cell|model|lite|contracts|chain|lib|api[\\/](?:declare|v2[\\/]shapes))[\\/]/;

/**
 * What a stage needs is known to the declaration; later chunks take what they need along, so that none need each other.
 */
const exactChunks = new Set([
  "cells",
  "bags",
  "checks",
  "states",
  "shared",
  "accounts",
  "reads",
  "machine",
  "methods",
  "transactions",
]);

/** In Node, where code is not sent, the checks are one chunk and the machine another. */
const nodeGroups = [
  { name: "plain", test: plainSources, priority: 1 },
  // Ready-made ABIs are a module without any other.
  { name: "checks", test: /[\\/]src[\\/](?!tvm[\\/]|.*[\\/]readyAbis\.ts$)/ },
  {
    name: "machine",
    test: /[\\/]src[\\/]tvm[\\/](?:machine|run[\\/](?!transaction)|crypto[\\/](?!bls|heavy|ristretto|secp))/,
  },
];

/** The chunks of the clients for browsers: one for each stage, and one for what reads and later stages share. */
async function clientGroups(input, options) {
  const used = {};
  for (const [name, entries] of Object.entries(stages)) {
    const input = Object.fromEntries(entries.map((entry) => [entry, join(options.base, `${entry}.ts`)]));
    used[name] = await modulesOf({ ...options, input });
  }
  const { checks, accounts, reads, machine, methods, transactions, emulation, rare, tokens, index, contract } = used;
  const plain = await modulesOf({ ...options, input });
  const later = [methods, emulation, tokens];
  const tests = [
    // What only the checks need of these sources is theirs.
    ["plain", (id) => plainSources.test(id) && plain.has(id)],
    ["cells", (id) => contract.has(id) && checks.has(id)],
    ["bags", (id) => contract.has(id) && [accounts, reads, machine, methods, emulation].some((each) => each.has(id))],
    ["content", (id) => contract.has(id) && [tokens, index].some((each) => each.has(id))],
    ["contract", (id) => contract.has(id)],
    ["checks", (id) => checks.has(id)],
    ["states", (id) => accounts.has(id) && [reads, machine, methods, emulation].some((each) => each.has(id))],
    ["accounts", (id) => accounts.has(id)],
    ["shared", (id) => reads.has(id) && [machine, methods, emulation].some((each) => each.has(id))],
    ["reads", (id) => reads.has(id)],
    // All of them need the machine.
    ["machine", (id) => machine.has(id) || later.filter((each) => each.has(id)).length > 1],
    ["methods", (id) => methods.has(id)],
    // Rare get-methods need these as well.
    ["transactions", (id) => transactions.has(id)],
    ["emulation", (id) => emulation.has(id)],
    ["rare", (id) => rare.has(id)],
    ["tokens", (id) => tokens.has(id)],
    ["index", (id) => index.has(id)],
    // All that is known of contracts; only what decodes bodies needs it.
    ["contracts", (id) => contractSources.test(id)],
    ["operations", (id) => otherSources.test(id)],
  ];
  return tests.map(([name, test], i) => ({
    ...{ name, test, priority: tests.length - i },
    includeDependenciesRecursively: !exactChunks.has(name),
  }));
}

/** The modules that entry points need at once, without what they load on demand. */
async function modulesOf({ plugins, platform, ...options }) {
  const later = { name: "later", resolveDynamicImport: (name) => ({ id: String(name), external: true }) };
  const build = await openBuild({ ...options, platform, plugins: [later, ...plugins] });
  const { output } = await build.generate();
  await build.close();
  // Not those of which nothing is left.
  const used = output.flatMap(({ modules = {} }) => Object.entries(modules).filter(([, { code }]) => code));
  return new Set(used.map(([id]) => id));
}

/** What is unused is left out already, so that nobody needs the marks of pure calls any more. */
const bare = { comments: { annotation: false } };

/** Bundles the program, with more entry points if given, and the clients, and removes what an earlier build left. */
export async function bundleProgram(folder, more = {}) {
  const base = join(root, "src");
  const entries = (names) => Object.fromEntries(names.map((name) => [name, join(base, sourceOf(name))]));
  const input = { ...entries(programs), ...more };
  const files = await bundle({ base, folder, input, chunks: "chunks", plugins: [leaveOutChecks()] });
  // They share nothing with the program, because they are a package of their own, too.
  const names = await inlineNames(base, folder);
  const client = { input: entries(clients), chunks: "client" };
  const inNode = { base, plugins: [names, takeForms(base, ["client"]), dropRuns()], external: [], groups: nodeGroups };
  files.push(...(await bundle({ ...client, ...inNode, folder })));
  const options = browserOptions(base, names, [dropMnemonics()]);
  const groups = await clientGroups(client.input, options);
  const place = { folder: join(folder, browserFolder), output: bare };
  const browserFiles = await bundle({ ...client, ...options, groups, ...place });
  files.push(...browserFiles.map((path) => `${browserFolder}/${path}`));
  removeStale(folder, new Set(files));
  cpSync(join(root, "node_modules", bundledPackage, "license"), join(folder, bundledPackage, "LICENSE"));
}

/**
 * The checks that the explorer, or a client, loads on demand: the files, minified; the first one is where they begin.
 */
export async function bundleChecks(entry = "checkHere") {
  const base = join(root, "src");
  // The explorer also shows code as text.
  const more = entry === "checkHere" ? [] : [dropMnemonics()];
  const options = browserOptions(base, await inlineNames(base, join(root, "dist")), more);
  const input = { [entry]: join(base, `api/client/${entry}.ts`) };
  const build = await openBuild({ ...options, input });
  try {
    const groups = await clientGroups(input, options);
    const name = "check-[name]-[hash].js";
    const names = { entryFileNames: name, chunkFileNames: name };
    const { output } = await build.generate({ ...names, ...bare, minify: true, codeSplitting: { groups } });
    refuseCircles(output);
    const files = output.map(({ fileName, code, isEntry }) => ({ fileName, code, isEntry }));
    return files.sort((a, b) => Number(b.isEntry) - Number(a.isEntry));
  } finally {
    await build.close();
  }
}

function browserOptions(base, names, more) {
  const plugins = [
    names,
    splitSources(base, (id) => entrySources.has(id) || clientEntry.test(id)),
    takeForms(base, ["browser", "client"]),
    dropTexts(),
    dropRuns(),
    shortenLines(),
    dropReasons(),
    dropKinds(),
    ...more,
    markPure(),
  ];
  return {
    base,
    plugins,
    platform: browserPlatform(base),
    external: [],
    treeshake: { moduleSideEffects: false },
    preserveEntrySignatures: "allow-extension",
  };
}

/**
 * Bundles sources below `base` into files of the names given, and what several of them share, or load on demand, into
 * chunks: Node takes almost a millisecond of CPU for each module that it loads, and there are more than a thousand.
 * Code stays as it is, below the name of its source, so that a stack trace leads to it. Gives the paths of all files.
 */
export async function bundle({ folder, chunks, groups = programGroups, output: outputOptions, ...options }) {
  const build = await openBuild(options);
  try {
    const { output } = await build.write({
      ...outputOptions,
      dir: folder,
      entryFileNames: "[name].js",
      chunkFileNames: `${chunks}/[name].js`,
      codeSplitting: { groups },
    });
    refuseCircles(output);
    return output.map(({ fileName }) => fileName);
  } finally {
    await build.close();
  }
}

/** Chunks that import each other in a circle use declarations of each other before these are evaluated. */
export function refuseCircles(output) {
  const importsOf = new Map(output.map(({ fileName, imports = [] }) => [fileName, imports]));
  const done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) throw new Error(`chunks import each other: ${[...path, name].join(" → ")}`);
    if (done.has(name)) return;
    for (const each of importsOf.get(name) ?? []) visit(each, [...path, name]);
    done.add(name);
  };
  for (const name of importsOf.keys()) visit(name, []);
}

function openBuild({ base, plugins = [], external = programExternal, platform = nodePlatform, ...options }) {
  // What browsers load on demand, Node has in few files.
  const checks = { pluginTimings: false, ineffectiveDynamicImport: platform !== nodePlatform };
  return rolldown({ cwd: root, checks, external, ...platform, ...options, plugins: [keepPlaces(base), ...plugins] });
}

/** Modules of the clients that read the declarations, which clients do not load. */
const inlined = ["verify/clientNames", "contract/readyAbis", "verify/endpointFiles", "verify/v3EndpointFiles"].map(
  (name) => `api/client/${name}`,
);

/** Replaces these modules by their values. */
async function inlineNames(base, folder) {
  // Several processes may build at the same time.
  const place = join(folder, `.names.${process.pid}`);
  const input = Object.fromEntries(inlined.map((name) => [name, join(base, `${name}.ts`)]));
  await bundle({ base, folder: place, input, chunks: "chunks" });
  const codes = await Promise.all(inlined.map((name) => valuesOf(join(place, `${name}.js`))));
  rmSync(place, { recursive: true });
  const handler = (id) => codes[inlined.findIndex((name) => id.replaceAll("\\", "/").endsWith(`${name}.ts`))];
  return { name: "inline-names", load: { filter: { id: /(?:clientNames|readyAbis|[eE]ndpointFiles)\.ts$/ }, handler } };
}

async function valuesOf(path) {
  const values = Object.entries(await import(pathToFileURL(path).href));
  return values.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`).join("");
}

/**
 * The program asks servers, and checks no proofs: the declarations, loaded one by one, would be a hundred more chunks.
 */
function leaveOutChecks() {
  const fails = '{ throw new Error("the program checks no proofs"); }';
  const code = `export function openVerifier() ${fails}\nexport function openV3Verifier() ${fails}`;
  return { name: "no-checks", load: { filter: { id: /openV(?:3V)?erifier\.ts$/ }, handler: () => code } };
}

/** Takes another form of a module that has one beside it; clients have no schemas. */
function takeForms(base, forms) {
  return {
    name: "other-forms",
    resolveId: (name, from) => {
      if (name === bundledPackage) return join(base, "lib/kit/schemas.client.ts");
      const path = from !== undefined && name.startsWith(".") ? join(dirname(from), name) : "";
      if (!path.startsWith(base) || !/^[^.]+\.ts$/.test(basename(path))) return undefined;
      return forms.map((form) => path.replace(/ts$/, `${form}.ts`)).find((each) => existsSync(each));
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
