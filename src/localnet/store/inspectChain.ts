import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import { readWhole } from "../../lib/files/writeWhole.ts";
import { openLog } from "../../lib/log.ts";
import { nextTurn } from "../../lib/TurnBudget.ts";
import { chainFiles } from "./chainFiles.ts";
import { decodeHeader } from "./chainHeader.ts";
import { findMark } from "./HeadMark.ts";
import { LedgerFile } from "./ledgerFile.ts";
import { findMissing } from "./loadChain.ts";
import { StateStore } from "./StateStore.ts";

/** What is in a chain's folder. */
export interface InspectedChain {
  /** The newest masterchain block; 0 while there is none. */
  readonly seqno: number;
  /** The number of valid bytes of blocks. */
  readonly length: number;
  /** Why a start refuses the folder, if it does. */
  readonly problem: string | undefined;
}

/** Reads all files of a chain without changing them. Nothing is executed: whether blocks follow is found by a start. */
export async function inspectChain(folder: string, files: FileSystem): Promise<InspectedChain> {
  const path = join(folder, chainFiles.blocks);
  const header = join(folder, chainFiles.header);
  try {
    decodeHeader(readWhole(header, files), header);
    const { newest } = new StateStore(join(folder, chainFiles.states), files, openLog({ level: "silent" }));
    const proofs = [newest, findMark(join(folder, chainFiles.head), files)];
    if (!files.exists(path)) return { seqno: 0, length: 0, problem: findMissing(path, 0, proofs) };
    return await inspectBlocks(path, files, (seqno) => findMissing(path, seqno, proofs));
  } catch (error) {
    if (!isCoded(error)) throw error;
    return { seqno: 0, length: 0, problem: error.message };
  }
}

async function inspectBlocks(
  path: string,
  files: FileSystem,
  findLost: (seqno: number) => string | undefined,
): Promise<InspectedChain> {
  const file = LedgerFile.openToRead(path, files);
  try {
    let seqno = 0;
    for (const { at, blocks } of file.rounds()) {
      const next = blocks.at(-1)?.id.seqno ?? 0;
      if (next !== seqno + 1) {
        const problem = `${path} has block ${next} after block ${seqno} at byte ${at}: two processes may have written it`;
        return { seqno, length: at, problem };
      }
      seqno = next;
      await nextTurn();
    }
    return { seqno, length: file.length, problem: file.findDamage() ?? findLost(seqno) };
  } finally {
    file.close();
  }
}
