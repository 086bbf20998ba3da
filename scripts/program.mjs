import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copySql, root, timeOf } from "./build.mjs";
import { pagesFolder } from "./pages.mjs";

/** Written after the program was built; its time says what the build has seen. */
export const stamp = join(root, "dist", ".built");

const imagePath = join(root, "dist", "history", "store", "engine", "embedded", "database.image");

/** When something in a folder changed last. Folders count as well, because deleting a file changes only its folder. */
function changedAt(folder) {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return Math.max(timeOf(join(root, folder)), ...paths.map((path) => timeOf(join(root, folder, path))));
}

/** When the sources of the program or what builds them changed last. */
function programChangedAt() {
  const settings = ["package.json", "tsconfig.json", "scripts"].map((path) => timeOf(join(root, path)));
  return Math.max(changedAt("src"), ...settings);
}

/** Whether what is built for browsers, which has sources of the program in it, is of the sources as they are now. */
export function arePagesFresh(programAt = programChangedAt()) {
  return timeOf(join(pagesFolder, "index.html")) >= Math.max(changedAt("web"), programAt);
}

/**
 * Brings the program up to date, without types; the server builds what is for browsers when the first page is asked
 * for.
 */
export async function updateProgram() {
  // An image of older tables would be unpacked by every new index, and by the maker of the next image.
  if (!hasDatabaseImage()) rmSync(imagePath, { force: true });
  const programAt = programChangedAt();
  if (!arePagesFresh(programAt)) rmSync(pagesFolder, { recursive: true, force: true });
  // Without this file the documents are rendered when they are asked for.
  const [pages, ...sources] = ["dist/documents.json", "OPERATING.md", "CHANGELOG.md"].map((path) => join(root, path));
  if (timeOf(pages) < Math.max(changedAt("docs"), ...sources.map(timeOf))) rmSync(pages, { force: true });
  if (timeOf(stamp) >= programAt) return;
  process.stderr.write("building…\n");
  const { status } = spawnSync(process.execPath, [join(root, "scripts", "bundleDist.mjs")], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  copySql("dist");
  writeFileSync(stamp, "");
}

/** Packs a new built-in database with all tables, so that the first start of the program does not create one. */
export function makeDatabaseImage() {
  const args = [join(root, "dist/history/store/migrate/databaseImageMaker.js"), imagePath];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) throw new Error("the image of the built-in database was not made");
}

/** Whether there is an image of the tables as they are now. */
export function hasDatabaseImage() {
  return (
    existsSync(imagePath) && timeOf(imagePath) >= changedAt(join("src", "history", "store", "schema", "migrations"))
  );
}
