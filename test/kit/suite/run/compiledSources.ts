import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";

const project = join(import.meta.dirname, "tsconfig.sources.json");
/** Folders that are compiled: those of the project. Others, such as `web`, are left to the test runner. */
const rooms = ["src", "kit"];
const isSource = (path: string) => path.endsWith(".ts") || path.endsWith(".sql");
/** Another run may use what is not this old, and a few older ones save a compilation when a change is taken back. */
const keptMs = 2 * 3_600_000;
const kept = 4;

/**
 * Compiles `src` and `kit`, once for each state of them, and returns the folder. The engine loads these modules itself:
 * in those that the test runner transforms, each use of an import is a call, and each process loads them for seconds.
 */
export function compileSources(root: string): string {
  const cache = join(root, "node_modules", ".cache", "tongate-sources");
  const folder = join(cache, hashOf(root));
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "fresh-"));
  compile(fresh);
  finish(root, fresh);
  moveUnlessThere(fresh, folder);
  removeOld(cache);
  return folder;
}

/** Paths of the files of a room. */
function list(folder: string, isListed: (path: string) => boolean): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter(isListed).map((name) => join(folder, name));
}

function hashOf(root: string): string {
  const hash = createHash("sha256");
  const settings = [
    project,
    import.meta.filename,
    ...["tsconfig.json", "package-lock.json"].map((name) => join(root, name)),
  ];
  for (const path of [...settings, ...rooms.flatMap((room) => list(join(root, room), isSource)).sort()]) {
    const bytes = readFileSync(path);
    hash.update(`${relative(root, path)} ${bytes.length} `).update(bytes);
  }
  return hash.digest("hex").slice(0, 16);
}

function compile(folder: string): void {
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "..", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", project, "--outDir", folder], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the sources do not compile:\n${stdout}`);
}

/** Adds what the compiler leaves out. */
function finish(root: string, folder: string): void {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const room of rooms) {
    for (const path of list(join(root, room), (name) => name.endsWith(".sql")))
      cpSync(path, join(folder, relative(root, path)), { recursive: true });
    for (const path of list(join(folder, room), (name) => name.endsWith(".js"))) {
      const text = readFileSync(path, "utf8");
      const source = join(root, relative(folder, path).replace(/\.js$/, ".ts"));
      if (text.includes("import.meta")) writeFileSync(path, withSourceAddress(text, source));
    }
  }
}

/** The address of a program that is started, which must be a compiled one, or another use of a module's own address. */
const ownAddress = /(new URL\("\.\/\w+\.js", import\.meta\.url\))|import\.meta\.(url|dirname|filename)/g;

/** A module finds files beside its source, which stay where they are. */
function withSourceAddress(text: string, source: string): string {
  const own = { url: pathToFileURL(source).href, dirname: dirname(source), filename: source };
  return text.replace(ownAddress, (all, program: string | undefined, name: keyof typeof own) => {
    return program === undefined ? JSON.stringify(own[name]) : all;
  });
}

/** Another run may have moved the same result there in the meantime. */
function moveUnlessThere(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function removeOld(cache: string): void {
  const folders = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), usedAt: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt);
  for (const { path, usedAt } of folders.slice(kept))
    if (Date.now() - usedAt > keptMs) rmSync(path, { recursive: true, force: true });
}

/** Resolves modules of `src` and `kit` to their compiled files. */
export function fromCompiled(root: string, folder: string) {
  return {
    name: "tongate-compiled-sources",
    enforce: "pre" as const,
    resolveId(source: string, importer: string | undefined) {
      if (!source.endsWith(".ts")) return null;
      const path = source.startsWith(".") && importer !== undefined ? join(dirname(importer), source) : source;
      const inRoot = relative(root, path);
      if (!rooms.some((room) => inRoot.startsWith(`${room}${sep}`))) return null;
      const compiled = join(folder, inRoot.replace(/\.ts$/, ".js"));
      return existsSync(compiled) ? compiled : null;
    },
  };
}
