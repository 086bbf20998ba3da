import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { AppError } from "./errors.ts";

/**
 * Makes the data folder, which only this user may read, or refuses an unusable one before anything starts. The access
 * to a folder that somebody has made is left as it is.
 */
export function makeDataFolder(folder: string): void {
  try {
    makeFolders(resolve(folder));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const message = `the data folder ${folder} cannot be used (${Object(cause).message}); give another --data`;
    throw new AppError("app/data", message, { cause });
  }
}

/** Makes parents one by one: if a file system denies an existing folder, Node's recursive mode never ends. */
function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The folder of the local network's chain, for every command. */
export function localFolder({ data }: { readonly data: string }): string {
  return join(data, "localnet");
}

/** The name of the file in that folder by which lite clients know the network. */
export const globalConfigName = "global.config.json";
