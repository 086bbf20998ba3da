import { findFolderHolder, takeFolder } from "../../lib/folderLock.ts";
import { LocalnetError } from "../errors.ts";

/** Locks a folder until the returned function is called; refuses while another process has it. */
export function lockFolder(folder: string): () => void {
  const taken = takeFolder(folder);
  if (taken.kind === "taken") return taken.release;
  const { pid } = taken;
  if (pid === undefined) throw new LocalnetError("localnet/locked", `${folder} was taken by another process just now`);
  throw new LocalnetError("localnet/locked", `${folder} is in use by process ${pid}`, { data: { pid } });
}

/** The process that holds the lock of a folder. */
export function findLockHolder(folder: string): number | undefined {
  return findFolderHolder(folder);
}
