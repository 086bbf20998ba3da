import { readdirSync } from "node:fs";
import { storageError } from "./FileSystem.ts";

/** The lock of earlier versions, one for all processes. */
export const formerFlag = "lock";

const flag = /^lock\.([0-9a-f]{16})$/;

export function flagName(token: string): string {
  return `lock.${token}`;
}

export function socketName(token: string): string {
  return `lock.${token}.socket`;
}

/** The names of all processes that show a flag in a folder. */
export function findFlags(folder: string): readonly string[] {
  try {
    return readdirSync(folder).flatMap((name) => flag.exec(name)?.[1] ?? []);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw storageError("read", folder, error);
  }
}
