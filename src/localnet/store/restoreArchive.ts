import { join } from "node:path";
import { copyPart } from "../../lib/files/copyPart.ts";
import { type FileSystem, systemFiles } from "../../lib/files/FileSystem.ts";
import { writeWhole } from "../../lib/files/writeWhole.ts";
import type { Log } from "../../lib/log.ts";
import { LocalnetError } from "../errors.ts";
import { type CheckedArchive, checkArchive } from "./chainArchive.ts";
import { chainFiles, forkFile } from "./chainFiles.ts";
import type { ChainHeader } from "./chainHeader.ts";
import { lockFolder } from "./folderLock.ts";
import { encodeMark } from "./HeadMark.ts";
import { commitRestore, newFiles, resumeRestore } from "./restoreSteps.ts";

interface RestoreModules {
  readonly files: FileSystem;
  readonly log: Log;
}

/**
 * Checks a whole archive and unpacks it beside the chain of a folder, which does not change. `seqno` is the newest
 * block that the archive must have, where that is known.
 */
export async function prepareRestore(
  path: string,
  folder: string,
  { files, log }: RestoreModules,
  seqno?: number,
): Promise<CheckedArchive> {
  const archive = await checkArchive(path, files);
  if (archive.isFork && !files.exists(join(folder, forkFile))) {
    const advice = "restore it in the data folder of the fork, or copy that folder";
    const text = `${path} is a snapshot of a fork, without what the fork has of its origin; ${advice}`;
    throw new LocalnetError("localnet/snapshot", text);
  }
  const found = archive.head?.seqno ?? 0;
  if (seqno !== undefined && found < seqno) {
    const text = `${path} ends with block ${found}, but the snapshot was made at block ${seqno}: a part is missing`;
    throw new LocalnetError("localnet/snapshot", text);
  }
  if (!archive.isProven) {
    const text = "the archive is of an earlier version and has no checksum: its last blocks may be missing";
    log.warn(text, { path, seqno: found });
  }
  await unpack(path, archive, join(folder, newFiles), files);
  return archive;
}

async function unpack(path: string, archive: CheckedArchive, target: string, files: FileSystem): Promise<void> {
  const { headerBytes, blocksAt, blocksLength, head } = archive;
  if (files.exists(target)) files.remove(target);
  files.makeFolder(join(target, chainFiles.states));
  const from = files.open(path, "r");
  try {
    const blocks = files.open(join(target, chainFiles.blocks), "w");
    try {
      await copyPart({ file: from, at: blocksAt, length: blocksLength }, blocks, 0);
      await blocks.syncLater();
    } finally {
      blocks.close();
    }
  } finally {
    from.close();
  }
  writeWhole(join(target, chainFiles.head), head === undefined ? new Uint8Array() : encodeMark(head), files);
  writeWhole(join(target, chainFiles.header), headerBytes, files);
}

/** Makes the chain of a new folder from an archive and returns its header; a folder with a chain is refused. */
export async function restoreArchive(
  path: string,
  folder: string,
  log: Log,
  files: FileSystem = systemFiles,
): Promise<ChainHeader> {
  files.makeFolder(folder);
  const lock = await lockFolder(folder);
  try {
    resumeRestore(folder, { files, log });
    if (Object.values(chainFiles).some((name) => files.exists(join(folder, name)))) {
      const advice = "give another --data, or start without --restore";
      throw new LocalnetError("localnet/data", `${folder} already has a chain; ${advice}`);
    }
    const { header } = await prepareRestore(path, folder, { files, log });
    commitRestore(folder, { files, log });
    return header;
  } finally {
    lock.release();
  }
}
