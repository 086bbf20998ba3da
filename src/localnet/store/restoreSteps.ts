import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import { readWhole, writeWhole } from "../../lib/files/writeWhole.ts";
import { formatJson, parseJson } from "../../lib/json.ts";
import { decodeArgs } from "../../lib/kit/arg.ts";
import { listArg, oneOfArg, textArg } from "../../lib/kit/basicArgs.ts";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import { chainFiles } from "./chainFiles.ts";

/*
 * A chain is replaced in one step, whenever the process ends. The new files are made in a folder of their own; then a
 * marker says that they replace the old ones, and from then on the replacement is completed, by the next start if need
 * be. The old files are moved aside and kept until the new chain has made a block.
 */

/** Where the files of the new chain are made. */
export const newFiles = "restoring";
const markerFile = "restore.json";
const replacedFolder = "replaced";

interface RestoreModules {
  readonly files: FileSystem;
  readonly log: Log;
}

interface Marker {
  readonly direction: "replace" | "undo";
  /** The folder of the replaced files, within the chain's. */
  readonly aside: string;
  /** The files that the old chain had. */
  readonly old: readonly string[];
}

const names = Object.values(chainFiles);
const markerFields = {
  direction: oneOfArg(["replace", "undo"]),
  aside: textArg({ maxLength: 100 }),
  old: listArg(oneOfArg(names), { maxItems: names.length }),
};

/** Replaces the chain of a locked folder with the prepared files; the result undoes it. */
export function commitRestore(folder: string, { files }: RestoreModules): { readonly undo: () => void } {
  const aside = join(replacedFolder, String(nextNumber(folder, files)));
  const marker: Marker = {
    direction: "replace",
    aside,
    old: names.filter((name) => files.exists(join(folder, name))),
  };
  files.makeFolder(join(folder, aside));
  setMarker(folder, marker, files);
  replaceFiles(folder, marker, files);
  return {
    undo: () => {
      const undone: Marker = { ...marker, direction: "undo" };
      setMarker(folder, undone, files);
      undoFiles(folder, undone, files);
    },
  };
}

/** Completes or undoes what a killed process has begun. The folder must be locked, and nobody must prepare a chain. */
export function resumeRestore(folder: string, { files, log }: RestoreModules): void {
  const path = join(folder, markerFile);
  if (files.exists(path)) {
    const marker = readMarker(path, files);
    log.warn("completing an interrupted restore of the chain", { direction: marker.direction });
    if (marker.direction === "replace") replaceFiles(folder, marker, files);
    else undoFiles(folder, marker, files);
  }
  if (files.exists(join(folder, newFiles))) files.remove(join(folder, newFiles));
}

/** Whether the next start completes or undoes a restore: until then the files of two chains may be mixed. */
export function isRestoring(folder: string, files: FileSystem): boolean {
  return files.exists(join(folder, markerFile));
}

/** Whether a replaced chain is kept. */
export function findReplaced(folder: string, files: FileSystem): boolean {
  return files.exists(join(folder, replacedFolder));
}

/** Deletes replaced chains. */
export function dropReplaced(folder: string, { files, log }: RestoreModules): void {
  try {
    files.remove(join(folder, replacedFolder));
  } catch (error) {
    if (!isCoded(error, "lib/storage")) throw error;
    log.warn("a replaced chain cannot be deleted", { error: error.message });
  }
}

/** Each step is done once: a new file that is not among the new ones any more has replaced the old one. */
function replaceFiles(folder: string, { aside, old }: Marker, files: FileSystem): void {
  for (const name of names) {
    const from = join(folder, newFiles, name);
    if (!files.exists(from)) continue;
    const to = join(folder, name);
    const kept = join(folder, aside, name);
    // What is aside already is the old one, whatever a file system remembers of the moves after a loss of power.
    if (old.includes(name) && files.exists(to) && !files.exists(kept)) files.rename(to, kept);
    files.remove(to);
    files.rename(from, to);
  }
  finish(folder, [join(folder, aside), folder, join(folder, newFiles)], files);
}

function undoFiles(folder: string, { aside, old }: Marker, files: FileSystem): void {
  for (const name of names) {
    const kept = join(folder, aside, name);
    if (old.includes(name) && !files.exists(kept)) continue;
    files.remove(join(folder, name));
    if (old.includes(name)) files.rename(kept, join(folder, name));
  }
  finish(folder, [folder, join(folder, aside)], files);
  files.remove(join(folder, aside));
  if (files.list(join(folder, replacedFolder)).length === 0) files.remove(join(folder, replacedFolder));
}

/** The moves are durable before the marker goes; where files came to is synced before where they came from. */
function finish(folder: string, moved: readonly string[], files: FileSystem): void {
  for (const each of moved) if (files.exists(each)) files.syncFolder(each);
  files.remove(join(folder, markerFile));
  files.syncFolder(folder);
}

/** Several are kept if a restored chain is replaced before it has made a block. */
function nextNumber(folder: string, files: FileSystem): number {
  const path = join(folder, replacedFolder);
  const numbers = files.exists(path) ? files.list(path).map(Number).filter(Number.isInteger) : [];
  return Math.max(0, ...numbers) + 1;
}

function setMarker(folder: string, { direction, aside, old }: Marker, files: FileSystem): void {
  const text = `${formatJson({ direction, aside, old })}\n`;
  writeWhole(join(folder, markerFile), new TextEncoder().encode(text), files);
}

function readMarker(path: string, files: FileSystem): Marker {
  try {
    return decodeArgs(markerFields, Object(parseJson(readWhole(path, files).toString("utf8"))));
  } catch (cause) {
    if (!isCoded(cause) || cause.code === "lib/storage") throw cause;
    const advice = `the files of both chains are beside it, in ${newFiles} and ${replacedFolder}: put one back, then delete it`;
    throw new LocalnetError("localnet/data", `${path} cannot be read (${cause.message}); ${advice}`, { cause });
  }
}
