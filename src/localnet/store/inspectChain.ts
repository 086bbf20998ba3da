import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import { readWhole } from "../../lib/files/writeWhole.ts";
import { openLog } from "../../lib/log.ts";
import { nextTurn } from "../../lib/TurnBudget.ts";
import { chainFiles } from "./chainFiles.ts";
import { decodeHeader } from "./chainHeader.ts";
import { findRemains } from "./chainRemains.ts";
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
  /** Whether a repair can continue with the blocks before the problem: none can without the header. */
  readonly isRepairable: boolean;
}

const withoutHeader = { seqno: 0, length: 0, isRepairable: false } as const;
const repairable = { isRepairable: true } as const;

/** Reads all files of a chain without changing them. Nothing is executed: whether blocks follow is found by a start. */
export async function inspectChain(folder: string, files: FileSystem): Promise<InspectedChain> {
  const path = join(folder, chainFiles.blocks);
  const refused = findHeaderProblem(folder, files);
  if (refused !== undefined) return { ...withoutHeader, problem: refused };
  try {
    const { newest } = new StateStore(join(folder, chainFiles.states), files, openLog({ level: "silent" }));
    const proofs = [newest, findMark(join(folder, chainFiles.head), files)];
    if (!files.exists(path)) return { seqno: 0, length: 0, problem: findMissing(path, 0, proofs), ...repairable };
    return await inspectBlocks(path, files, (seqno) => findMissing(path, seqno, proofs));
  } catch (error) {
    if (!isCoded(error)) throw error;
    return { seqno: 0, length: 0, problem: error.message, ...repairable };
  }
}

function findHeaderProblem(folder: string, files: FileSystem): string | undefined {
  const header = join(folder, chainFiles.header);
  try {
    if (!files.exists(header)) return findRemains(folder, files);
    decodeHeader(readWhole(header, files), header);
    return undefined;
  } catch (error) {
    if (!isCoded(error)) throw error;
    return error.message;
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
        return { seqno, length: at, problem, ...repairable };
      }
      seqno = next;
      await nextTurn();
    }
    return { seqno, length: file.length, problem: file.findDamage() ?? findLost(seqno), ...repairable };
  } finally {
    file.close();
  }
}
