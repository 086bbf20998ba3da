import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };

interface Published {
  readonly manifest: Manifest;
  readonly tarball: () => Buffer;
}

/** A local npm registry: it offers the installed and the published packages and fetches nothing. */
export interface PackageRegistry {
  readonly url: string;
  /** Adds a tarball made by `npm pack`. */
  publish(file: string): void;
  close(): Promise<void>;
}

/** Offers the installed packages of a repository, without those only for development. */
export async function openPackageRegistry(root: string, temporary: string): Promise<PackageRegistry> {
  const folder = mkdtempSync(join(temporary, "registry-"));
  const packages = new Map<string, Published[]>();
  const add = (published: Published) =>
    packages.set(published.manifest.name, [...(packages.get(published.manifest.name) ?? []), published]);
  for (const path of listInstalled(root)) {
    const manifest = readManifest(readFileSync(join(root, path, "package.json"), "utf8"));
    add({ manifest, tarball: lazily(() => packFolder(join(root, path), folder)) });
  }
  const server = createServer((request, response) => {
    const [, name = "", version] =
      /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url ?? "")) ?? [];
    const versions = packages.get(name) ?? [];
    const published = versions.find(({ manifest }) => manifest.version === version);
    if (published !== undefined) response.end(published.tarball());
    else if (versions.length > 0 && version === undefined) response.end(JSON.stringify(describe(name, versions, url)));
    else response.writeHead(404).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    publish: (file) => {
      const text = run("tar", ["-xzOf", file, "package/package.json"]).toString();
      add({ manifest: readManifest(text), tarball: () => readFileSync(file) });
    },
    close: async () => {
      server.close().closeAllConnections();
      await once(server, "close");
      rmSync(folder, { recursive: true });
    },
  };
}

/** The registry's document about a package. */
function describe(name: string, versions: readonly Published[], url: string): object {
  const entries = versions.map(({ manifest, tarball }) => {
    const integrity = `sha512-${createHash("sha512").update(tarball()).digest("base64")}`;
    return [
      manifest.version,
      { ...manifest, dist: { tarball: `${url}/${name}/-/${manifest.version}.tgz`, integrity } },
    ];
  });
  return { name, "dist-tags": { latest: versions.at(-1)?.manifest.version }, versions: Object.fromEntries(entries) };
}

function readManifest(text: string): Manifest {
  const { name, version, ...others } = JSON.parse(text) as Record<string, unknown>;
  return { ...others, name: String(name), version: String(version) };
}

/** Paths of installed packages, without those only for development. */
function listInstalled(root: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  const paths = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  return paths.map(([path]) => path).filter((path) => existsSync(join(root, path)));
}

function packFolder(path: string, folder: string): Buffer {
  const stage = mkdtempSync(join(folder, "package-"));
  symlinkSync(path, join(stage, "package"));
  const tar = run("tar", ["-chf", "-", "--exclude", "package/node_modules", "-C", stage, "package"]);
  // Better compression would take seconds for all packages.
  return gzipSync(tar, { level: 1 });
}

function run(command: string, args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync(command, args, { maxBuffer: 1e9 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
  return stdout;
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
