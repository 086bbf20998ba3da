import { join } from "node:path";
import { type FileSystem, systemFiles } from "../../lib/files/FileSystem.ts";
import { LocalnetError } from "../errors.ts";
import { archiveChain } from "./chainArchive.ts";
import { chainFiles } from "./chainFiles.ts";
import { lockFolder } from "./folderLock.ts";
import { inspectChain } from "./inspectChain.ts";

/** Writes the chain of an unused folder to one file; returns its number of rounds. */
export async function snapshotChain(folder: string, path: string, files: FileSystem = systemFiles): Promise<number> {
  if (!files.exists(join(folder, chainFiles.header)))
    throw new LocalnetError("localnet/data", `${folder} has no chain to take a snapshot of`);
  const lock = await lockFolder(folder);
  try {
    const { seqno, length, problem } = await inspectChain(folder, files);
    if (problem !== undefined) throw new LocalnetError("localnet/data", `cannot make a snapshot: ${problem}`);
    await archiveChain(folder, length, path, files);
    return seqno;
  } finally {
    lock.release();
  }
}
