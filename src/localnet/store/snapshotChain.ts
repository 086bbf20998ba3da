import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import { archiveChain } from "./chainArchive.ts";
import { chainFiles } from "./chainFiles.ts";
import { lockFolder } from "./folderLock.ts";
import { LedgerFile } from "./ledgerFile.ts";

/** Writes the chain of an unused folder to one file; returns its number of rounds. */
export async function snapshotChain(folder: string, path: string, log: Log): Promise<number> {
  if (!existsSync(join(folder, chainFiles.header)))
    throw new LocalnetError("localnet/data", `${folder} has no chain to take a snapshot of`);
  const unlock = lockFolder(folder);
  try {
    const file = await LedgerFile.open(join(folder, chainFiles.blocks), log);
    try {
      let count = 0;
      for await (const _round of file.rounds()) count++;
      archiveChain(folder, file.length, path);
      return count;
    } finally {
      await file.close();
    }
  } finally {
    unlock();
  }
}
