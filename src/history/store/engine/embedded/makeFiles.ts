import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onAbort } from "../../../../lib/abort.ts";
import { getOpenFileLimit } from "../../../../lib/process/openFileLimit.ts";
import { HistoryError } from "../../../errors.ts";
import { databaseError } from "../../databaseErrors.ts";
import { unpackImage } from "./databaseImage.ts";
import { databaseWorkerUrl } from "./databaseWorkerUrl.ts";
import { refuseFull } from "./diskSpace.ts";
import { engineFiles } from "./engineFiles.ts";

/**
 * Creates the files of a database in a folder that is empty or absent. They are renamed into place when they are
 * complete; files of an attempt that failed are ignored.
 */
export async function makeFiles(files: string, signal?: AbortSignal): Promise<void> {
  refuseForeign(files);
  const [parent, unfinished] = [dirname(files), `${basename(files)}.unfinished-`];
  try {
    for (const name of readdirSync(parent)) if (name.startsWith(unfinished)) removeLeft(join(parent, name));
    const place = mkdtempSync(join(parent, unfinished));
    // A program that runs from its sources has no image.
    if (!(await unpackImage(imagePath(), place, signal))) await runMaker(place, signal);
    if (existsSync(files)) rmdirSync(files);
    renameSync(place, files);
  } catch (error) {
    refuseFull(parent);
    throw databaseError(error, `making ${files}`);
  }
}

/**
 * The maker of a process that was killed may still write there; what stays is removed when files are made the next
 * time.
 */
function removeLeft(place: string): void {
  try {
    rmSync(place, { recursive: true, force: true });
  } catch {
    // It is in nobody's way.
  }
}

/** The image that the build has put beside the programs of the engine. */
function imagePath(): string {
  return fileURLToPath(new URL("./database.image", databaseWorkerUrl));
}

/** Throws if a database that does not exist cannot be created because something else is in its place. */
export function refuseForeign(files: string): void {
  const parent = dirname(files);
  if (existsSync(parent) && !statSync(parent).isDirectory())
    throw new HistoryError("history/database", `${parent} is not a folder; delete it to create a database there`);
  if (existsSync(files) && readdirSync(files).length > 0) {
    throw new HistoryError(
      "history/database",
      `${files} contains files that are not a database; delete it to create one`,
    );
  }
}

/** How much of its error output is reported. */
const maxWords = 2_000;

/** Creating files takes more memory than using them, and only the end of a process returns it. */
function runMaker(place: string, signal: AbortSignal | undefined): Promise<void> {
  const program = fileURLToPath(new URL("./databaseMaker.js", databaseWorkerUrl));
  const maxFiles = engineFiles(getOpenFileLimit());
  const maker = spawn(process.execPath, [program, place, String(maxFiles)], { stdio: ["ignore", "ignore", "pipe"] });
  const stopListening = onAbort(signal, () => maker.kill("SIGKILL"));
  let words = "";
  maker.stderr.setEncoding("utf8").on("data", (text: string) => {
    words = `${words}${text}`.slice(-maxWords);
  });
  return new Promise((resolve, reject) => {
    const fail = (why: string, cause?: unknown) =>
      reject(new HistoryError("history/database", `the files of the database could not be created: ${why}`, { cause }));
    maker.on("error", (cause) => fail(cause.message, cause));
    maker.on("close", (code, killedBy) => {
      stopListening();
      if (code === 0) resolve();
      else fail(words.trim() || `ended by ${killedBy ?? code}`);
    });
  });
}
