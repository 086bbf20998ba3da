import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { AppError } from "./errors.ts";

/** Makes the folder that data is kept in, or refuses one that cannot be used, before anything is begun in it. */
export function makeDataFolder(folder: string): void {
  try {
    makeFolders(resolve(folder));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `the data folder ${folder} cannot be used (${Object(cause).message}); give another --data`;
    throw new AppError("app/data", message, { cause });
  }
}

/** One folder after the other: where a file system denies that a folder is there which it has, Node's own way never ends. */
function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  mkdirSync(path);
}
