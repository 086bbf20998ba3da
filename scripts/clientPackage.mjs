import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./build.mjs";

/** The folder of the package `tongate-client`, ready for `npm publish`. */
const folder = join(root, "dist-client");

const dist = join(root, "dist");

/** Relative imports of a compiled file or a declaration, including dynamic imports and types. */
function importsOf(path) {
  const text = readFileSync(path, "utf8");
  // Only statements: the words are in texts of the code, too.
  const found = text.matchAll(/^(?:import|export)\b[^"';]*\bfrom\s*"([^"\n]+)"|\bimport\s*\(?\s*"([^"\n]+)"/gm);
  return [...found].map(([, named, bare]) => named ?? bare);
}

/** All files that a file needs, including itself; rejects imports of other packages, and in browsers those of Node. */
function closureOf(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const name of importsOf(path)) {
    if (name.startsWith("node:") && !relative(dist, path).startsWith("browser")) continue;
    if (!name.startsWith(".")) throw new Error(`${relative(root, path)} imports ${name}`);
    const target = join(dirname(path), name);
    closureOf(path.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target, seen);
  }
  return seen;
}

/** The modules of the client: those for every server of the API, and none for local networks only. */
function entries({ exports }) {
  return [exports["./client"], exports["./client-v3"]];
}

/** Modules by themselves: the client for lite servers over HTTP, and ready-made ABIs. */
const furtherEntries = ({ exports }) => [exports["./client-light"], exports["./client-abi"]];

/** The values and the types that a declaration file declares. */
function declarationsOf(path) {
  const text = readFileSync(path, "utf8");
  const names = (pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
  return {
    path,
    text,
    // An overloaded function is declared more than once.
    values: [...new Set(names(/^export declare (?:class|const|function) (\w+)/gm))],
    types: names(/^export (?:interface|type) (\w+)/gm),
  };
}

/**
 * Both clients in one module, as code and as declarations. The common start of the two files comes from the first; any
 * other name in both would be ambiguous.
 */
function formatIndex(paths) {
  const [first, second, ...others] = paths.map(declarationsOf);
  if (second === undefined || others.length > 0) throw new Error(`two clients are expected, not ${paths.length}`);
  const same = commonStart(first.text, second.text);
  const isRepeated = (name) => {
    if (![...first.values, ...first.types].includes(name)) return false;
    if (!new RegExp(`^export .*\\b${name}\\b`, "m").test(same)) throw new Error(`both clients declare ${name}`);
    return true;
  };
  const fresh = (names) => names.filter((name) => !isRepeated(name));
  const parts = [first, { ...second, values: fresh(second.values), types: fresh(second.types) }];
  const format = (list) =>
    parts.map((part) => `export { ${list(part).join(", ")} } from "./${moduleOf(part.path)}";\n`).join("");
  return {
    code: format(({ values }) => values),
    types: format(({ values, types }) => [...values, ...types.map((name) => `type ${name}`)]),
  };
}

function commonStart(a, b) {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}

function moduleOf(path) {
  return relative(dist, path)
    .replaceAll("\\", "/")
    .replace(/\.d\.ts$/, ".js");
}

function manifestOf({ version, license, engines, repository, publishConfig }) {
  return {
    name: "tongate-client",
    version,
    description: "Typed client of the TON Center API, v2, v3 and streaming, for Node and browsers.",
    license,
    type: "module",
    sideEffects: false,
    keywords: ["ton", "toncenter", "blockchain", "client", "api"],
    ...(repository === undefined ? {} : { repository }),
    publishConfig,
    engines,
    exports: {
      ".": { types: "./index.d.ts", browser: "./browser/index.js", default: "./index.js" },
      "./light": {
        types: "./api/client/lightClient.d.ts",
        browser: "./browser/api/client/lightClient.js",
        default: "./api/client/lightClient.js",
      },
      "./abi": {
        types: "./api/client/contract/readyAbis.d.ts",
        browser: "./browser/api/client/contract/readyAbis.js",
        default: "./api/client/contract/readyAbis.js",
      },
      "./package.json": "./package.json",
    },
  };
}

/** Builds the package from the compiled program, so that nothing is written twice. */
export function buildClientPackage() {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const places = entries(manifest);
  const kinds = ["default", "types", "browser"];
  const [code, types, browser] = kinds.map((kind) => places.map((place) => join(root, place[kind])));
  const further = furtherEntries(manifest).flatMap((place) => kinds.map((kind) => join(root, place[kind])));
  if (!code.every((path) => existsSync(path))) throw new Error("build the program first: npm run build");
  rmSync(folder, { recursive: true, force: true });
  for (const path of new Set([...code, ...types, ...browser, ...further].flatMap((each) => [...closureOf(each)]))) {
    const target = join(folder, relative(dist, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  }
  const index = formatIndex(types);
  for (const place of [".", "browser"]) writeFileSync(join(folder, place, "index.js"), index.code);
  writeFileSync(join(folder, "index.d.ts"), index.types);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifestOf(manifest), undefined, 2)}\n`);
  copyFileSync(join(root, "docs", "client.md"), join(folder, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  return folder;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) buildClientPackage();
