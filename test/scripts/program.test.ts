import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** Later than every file that the test makes. */
const later = Date.now() / 1_000 + 3_600;

let folder: string;
let image: string;
let program: { updateProgram(): Promise<void>; hasDatabaseImage(): boolean };

/** Writes a file into the copy of the repository. */
function write(path: string, changedAt?: number): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "{}");
  if (changedAt !== undefined) utimesSync(file, changedAt, changedAt);
  return file;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tongate-program-"));
  cpSync(join(root, "scripts"), join(folder, "scripts"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const sources = ["package.json", "tsconfig.json", "web/page.ts", "docs/start.md"];
  for (const path of [...sources, "src/history/store/schema/migrations/0001.sql"]) write(path);
  // Nothing else is to be built.
  write("dist/.built", later);
  image = write("dist/history/store/engine/embedded/database.image", 1_000);
  program = await import(pathToFileURL(join(folder, "scripts/program.mjs")).href);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("removes an image of older tables before the program starts", async () => {
  expect(program.hasDatabaseImage()).toBe(false);
  await program.updateProgram();
  expect(existsSync(image)).toBe(false);
});

it("keeps an image of the tables as they are", async () => {
  write("dist/history/store/engine/embedded/database.image", later);
  await program.updateProgram();
  expect([existsSync(image), program.hasDatabaseImage()]).toEqual([true, true]);
});

it("removes the pages of older documents, and keeps those of the documents as they are", async () => {
  const pages = write("dist/documents.json", later);
  await program.updateProgram();
  expect(existsSync(pages)).toBe(true);
  write("dist/documents.json", 1_000);
  await program.updateProgram();
  expect(existsSync(pages)).toBe(false);
});

it("removes pages of older sources, and keeps those of the sources as they are", async () => {
  const page = write("dist/web/index.html", later);
  await program.updateProgram();
  expect(existsSync(page)).toBe(true);
  for (const source of ["web/page.ts", "src/history/store/schema/migrations/0001.sql"]) {
    write("dist/web/index.html", later);
    write(source, later + 10);
    write("dist/.built", later + 10);
    await program.updateProgram();
    expect([source, existsSync(page)]).toEqual([source, false]);
    write(source);
  }
});
