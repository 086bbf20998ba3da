import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "tongate-package-"));
const installed = join(folder, "node_modules", "tongate");

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

/** The folders of the packages that an install without development packages has. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && dev !== true && devOptional !== true)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

function sizeOf(path: string): number {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** Packages inside of other packages are counted with their own entry of the lock file. */
function ownSize(path: string): number {
  const inner = join(root, path, "node_modules");
  return sizeOf(join(root, path)) - (existsSync(inner) ? sizeOf(inner) : 0);
}

beforeAll(() => {
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--silent", "--pack-destination", folder], root)) as [
    { filename: string },
  ];
  run("tar", ["-xzf", packed.filename], folder);
  mkdirSync(dirname(installed), { recursive: true });
  cpSync(join(folder, "package"), installed, { recursive: true });
  // What `npm install` would bring, from the packages that are here: nothing is fetched.
  for (const path of productionPackages().filter(
    (each) => !each.slice("node_modules/".length).includes("node_modules/"),
  )) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(join(root, path), target);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the package", () => {
  it("has the program, its documents and samples, and no maps that point nowhere", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    const needed = [
      "README.md",
      "OPERATING.md",
      "CHANGELOG.md",
      "LICENSE",
      "docs/start.md",
      "deploy/Dockerfile",
      "dist/app/cli.js",
    ];
    expect(needed.filter((path) => !files.includes(path))).toEqual([]);
    expect(
      files.filter((path) => path.endsWith(".map") || path.startsWith("src/") || path.startsWith("test/")),
    ).toEqual([]);
    const linked = ["README.md", "OPERATING.md"].flatMap((name) =>
      [...readFileSync(join(installed, name), "utf8").matchAll(/\]\(([^):#]+)\)/g)].map(([, path = ""]) => path),
    );
    // These two are for people with a clone.
    const forClones = new Set(["CONTRIBUTING.md", "ARCHITECTURE.md"]);
    expect(linked.filter((path) => !forClones.has(path) && !existsSync(join(installed, path)))).toEqual([]);
  });

  it("runs where it is installed", () => {
    const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
      readonly version: string;
    };
    expect(run(process.execPath, [join(installed, "dist/app/cli.js"), "version"], folder)).toBe(`${version}\n`);
    expect(run(process.execPath, [join(installed, "dist/app/cli.js"), "config"], folder)).toContain('"network"');
  });

  it("installs in 70 MB, with no install script and for Node 20", () => {
    const megabytes =
      [...productionPackages().map(ownSize), sizeOf(installed)].reduce((sum, size) => sum + size, 0) / 1e6;
    expect(megabytes).toBeLessThan(70);
    const facts = productionPackages().map((path) => ({
      path,
      ...JSON.parse(readFileSync(join(root, path, "package.json"), "utf8")),
    }));
    const scripts = facts.filter(({ scripts = {} }) =>
      ["preinstall", "install", "postinstall"].some((name) => name in scripts),
    );
    expect(scripts.map(({ path }) => path)).toEqual([]);
    const tooNew = facts.filter(
      ({ engines }) => />=? ?(?:2[1-9]|[3-9]\d)/.test(engines?.node ?? "") && !/\b20\b/.test(engines.node),
    );
    expect(tooNew.map(({ path, engines }) => `${path} ${engines.node}`)).toEqual([]);
  });
});
