import { join } from "node:path";
import { isCoded } from "../../lib/errors.ts";
import type { FileSystem } from "../../lib/files/FileSystem.ts";
import type { Log } from "../../lib/log.ts";
import { nextTurn } from "../../lib/TurnBudget.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";
import { LocalnetError } from "../errors.ts";
import type { ForkBase } from "../ledger/ForkBase.ts";
import { Ledger, type LedgerBlock, type ZeroState } from "../ledger/Ledger.ts";
import { readPosition } from "../ledger/LedgerBlocks.ts";
import { chainFiles } from "./chainFiles.ts";
import { findMark, type MarkedHead } from "./HeadMark.ts";
import { LedgerFile, type StoredRound } from "./ledgerFile.ts";
import type { StateStore } from "./StateStore.ts";

interface LoadOptions {
  readonly repair?: boolean;
  readonly onGiveUp?: () => void;
}

interface LoadModules {
  readonly files: FileSystem;
  readonly log: Log;
}

/** The blocks of a folder, and their file, to which more are appended. */
export interface LoadedChain {
  readonly ledger: Ledger;
  readonly file: LedgerFile;
}

/**
 * Reads all blocks of a folder and opens their file for more. Blocks that were published and are missing or damaged are
 * refused, or given up where a repair is wanted; nothing is changed before that is decided.
 */
export async function loadChain(
  folder: string,
  { origin, states }: { readonly origin: readonly ZeroState[] | ForkBase; readonly states: StateStore },
  { repair = false, onGiveUp }: LoadOptions,
  { files, log }: LoadModules,
): Promise<LoadedChain> {
  const path = join(folder, chainFiles.blocks);
  const mark = findMark(join(folder, chainFiles.head), files);
  if (!repair && !files.exists(path)) refuse(findMissing(path, 0, [states.newest, mark]));
  const [first, stray] = await readRounds(path, new Ledger(origin, states), states, files);
  // The stray round is in the first ledger: the others are read again without it.
  const loaded = stray === undefined || !repair ? first : await readUpTo(stray.at, first, origin, states, files);
  const { ledger, file } = loaded;
  try {
    const problem =
      stray?.problem ??
      file.findDamage() ??
      findMissing(path, ledger.headId.seqno, [states.newest, mark]) ??
      findOther(path, ledger, mark);
    if (!repair) refuse(problem);
    if (problem !== undefined) {
      onGiveUp?.();
      log.warn("continuing without damaged or missing blocks", { problem, from: ledger.headId.seqno + 1 });
    }
    file.cutRest(log);
    if (problem !== undefined) states.dropAfter(ledger.headId.seqno);
    return loaded;
  } catch (error) {
    file.close();
    throw error;
  }
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new LocalnetError("localnet/data", `${problem}; ${choices}`);
}

const choices =
  "restore a copy of the file, or a snapshot with tongate localnet --restore FILE and a new --data; " +
  "or continue without those blocks with tongate localnet --repair, which also rebuilds the index";

/** A round that does not belong to the chain before it. */
interface StrayRound {
  readonly at: number;
  readonly problem: string;
}

/** In turns: the blocks of a restored snapshot are all applied, which takes a millisecond a block. */
async function readRounds(
  path: string,
  ledger: Ledger,
  states: StateStore,
  files: FileSystem,
  end = Number.POSITIVE_INFINITY,
): Promise<readonly [LoadedChain, StrayRound | undefined]> {
  const file = LedgerFile.open(path, files);
  try {
    for (const round of file.rounds()) {
      const problem = round.at < end ? enterRound(ledger, round, states) : "";
      if (problem === undefined) {
        if (!isChecked(ledger.headId.seqno, states)) await nextTurn();
        continue;
      }
      file.endBefore(round);
      const text = `${path} has a block at byte ${round.at} that does not follow from those before it (${problem})`;
      return [
        { ledger, file },
        { at: round.at, problem: `${text}: two processes may have written the file` },
      ];
    }
    return [{ ledger, file }, undefined];
  } catch (error) {
    file.close();
    throw error;
  }
}

async function readUpTo(
  end: number,
  first: LoadedChain,
  origin: readonly ZeroState[] | ForkBase,
  states: StateStore,
  files: FileSystem,
): Promise<LoadedChain> {
  first.file.close();
  const [loaded] = await readRounds(first.file.path, new Ledger(origin, states), states, files, end);
  return loaded;
}

/**
 * Adds a round, or returns why it does not follow. The blocks of rounds up to the stored states were checked before.
 */
function enterRound(ledger: Ledger, { blocks }: StoredRound, states: StateStore): string | undefined {
  const before = ledger.headId.seqno;
  const seqno = blocks.at(-1)?.id.seqno ?? 0;
  if (seqno !== before + 1) return `block ${seqno} comes after block ${before}`;
  try {
    for (const { id, position } of blocks) {
      const entered = isChecked(seqno, states)
        ? ledger.restore(id, position)
        : ledger.take(ledger.check(readPosition(position)), position);
      if (!hasParents(ledger, entered)) return `block ${seqno} has another previous block`;
    }
    return undefined;
  } catch (error) {
    if (!isCoded(error) || error.code === "lib/storage") throw error;
    return `block ${seqno}: ${error.message}`;
  }
}

/** Whether the blocks of a round were checked by the run that stored states after them. */
const isChecked = (seqno: number, { newest }: StateStore) => seqno <= (newest?.seqno ?? 0);

/** The parents of a masterchain block must be the newest blocks, which is so when each seqno is there once. */
function hasParents(ledger: Ledger, { info }: LedgerBlock): boolean {
  return prevBlockIds(info).every(
    (id) => ledger.zeroStates.some((zero) => zero.id.rootHash === id.rootHash) || ledger.findBlock(id) !== undefined,
  );
}

/** Whether blocks are missing that were certainly there. */
export function findMissing(
  path: string,
  seqno: number,
  proofs: readonly (MarkedHead | undefined)[],
): string | undefined {
  const newest = Math.max(0, ...proofs.map((proof) => proof?.seqno ?? 0));
  if (newest <= seqno) return undefined;
  const end = seqno === 0 ? `${path} has no blocks` : `${path} ends with block ${seqno}`;
  return `${end}, although block ${newest} was published: ${newest - seqno} masterchain blocks are missing`;
}

/** Whether the marked block is another than that of the file. */
function findOther(path: string, ledger: Ledger, mark: MarkedHead | undefined): string | undefined {
  if (mark === undefined || mark.seqno === 0) return undefined;
  if (ledger.getMaster(mark.seqno).id.rootHash === mark.rootHash) return undefined;
  return `block ${mark.seqno} of ${path} is not the one that was published`;
}
