import { join } from "node:path";
import { closeToOthers, type FileSystem } from "../../lib/files/FileSystem.ts";
import { readWhole, writeWhole } from "../../lib/files/writeWhole.ts";
import type { Log } from "../../lib/log.ts";
import { nextTurn } from "../../lib/TurnBudget.ts";
import type { TurnPause } from "../collate/BlockInput.ts";
import { LocalnetError } from "../errors.ts";
import type { Fork } from "../fork/Fork.ts";
import type { ForkPlace } from "../fork/openFork.ts";
import type { CheckedBlock, Ledger } from "../ledger/Ledger.ts";
import type { StoredPosition } from "../ledger/LedgerBlocks.ts";
import type { BlockLog } from "../rounds/RoundMaker.ts";
import { archiveChain } from "./chainArchive.ts";
import { chainFiles, forkFile } from "./chainFiles.ts";
import { type ChainHeader, decodeHeader, encodeHeader } from "./chainHeader.ts";
import { findRemains } from "./chainRemains.ts";
import { type ChainLock, lockFolder } from "./folderLock.ts";
import { HeadMark } from "./HeadMark.ts";
import type { LedgerFile } from "./ledgerFile.ts";
import { loadChain } from "./loadChain.ts";
import { dropReplaced, findReplaced, resumeRestore } from "./restoreSteps.ts";
import { StateStore } from "./StateStore.ts";
import { fillStates, storeStates } from "./storeStates.ts";

/** Interval of stored states in masterchain blocks: at most this many are applied again to reach any state. */
export const stateEvery = 250;

export interface ChainFolderOptions {
  /**
   * Whether to give up everything from a damaged record on, and blocks that are missing; otherwise they are refused.
   */
  readonly repair?: boolean;
  /** Called before the first block is given up. */
  readonly onGiveUp?: () => void;
  /** The header of a new chain. */
  readonly makeHeader: (fork: Fork | undefined) => Promise<ChainHeader>;
  /** Opens what the chain has of another one, if it continues one. */
  readonly openFork?: (place: ForkPlace) => Promise<Fork | undefined>;
  /** Refuses a header without a checksum that cannot be right. */
  readonly checkUnproven: (header: ChainHeader) => Promise<void>;
}

export interface ChainFolderModules {
  readonly files: FileSystem;
  readonly log: Log;
}

interface Parts {
  readonly header: ChainHeader;
  readonly ledger: Ledger;
  readonly file: LedgerFile;
  readonly states: StateStore;
  readonly mark: HeadMark;
  readonly fork: Fork | undefined;
}

/** A chain in its folder, used by one process at a time. */
export class ChainFolder implements BlockLog {
  readonly header: ChainHeader;
  readonly ledger: Ledger;
  readonly fork: Fork | undefined;
  readonly #path: string;
  readonly #modules: ChainFolderModules;
  readonly #parts: Parts;
  readonly #lock: ChainLock;
  /** The seqno with which a restored chain began, while the chain that it replaced is kept. */
  #restoredAt: number | undefined;
  #isClosed = false;
  /** Resolves when no states are being written. */
  #lastPut: Promise<void> = Promise.resolve();

  /** Opens the chain of a folder; an empty folder gets a new chain with the result of `makeHeader`. */
  static async open(folder: string, options: ChainFolderOptions, modules: ChainFolderModules): Promise<ChainFolder> {
    modules.files.makeFolder(folder);
    closeToOthers(folder);
    const lock = await lockFolder(folder);
    try {
      resumeRestore(folder, modules);
      const parts = await openParts(folder, options, modules);
      return new ChainFolder(folder, parts, lock, modules);
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  private constructor(path: string, parts: Parts, lock: ChainLock, modules: ChainFolderModules) {
    this.#path = path;
    this.header = parts.header;
    this.ledger = parts.ledger;
    this.fork = parts.fork;
    this.#parts = parts;
    this.#lock = lock;
    this.#modules = modules;
    this.#restoredAt = findReplaced(path, modules.files) ? parts.ledger.headId.seqno : undefined;
  }

  /** Writes the current chain to one file, from which `restoreArchive` makes a folder again. */
  archive(path: string): Promise<void> {
    return archiveChain(this.#path, this.#parts.file.length, path, this.#modules.files);
  }

  async append(blocks: readonly CheckedBlock[]): Promise<readonly StoredPosition[]> {
    // Another process may have taken the folder while this one was stopped: then its blocks count.
    this.#lock.check();
    const { file, mark } = this.#parts;
    const places = await file.append(blocks);
    const last = blocks.at(-1);
    if (last !== undefined) mark.write(last.id);
    return places;
  }

  /** Called after each round: stores the newest states when it is time. */
  async afterRound(pause: TurnPause): Promise<void> {
    const { seqno } = this.ledger.headId;
    if (seqno % stateEvery === 0) await this.putStates(pause);
    if (this.#restoredAt === undefined || seqno <= this.#restoredAt) return;
    this.#restoredAt = undefined;
    dropReplaced(this.#path, this.#modules);
  }

  /** Stores the newest states and continues with copies of them. */
  putStates(pause: TurnPause): Promise<void> {
    const put = this.#putStates(pause);
    const end = () => {};
    this.#lastPut = put.then(end, end);
    return put;
  }

  async #putStates(pause: TurnPause): Promise<void> {
    const { ledger } = this;
    const { states } = this.#parts;
    if (ledger.headId.seqno <= (states.newest?.seqno ?? 0)) return;
    await storeStates(ledger.headId, { ledger, states, log: this.#modules.log }, pause);
  }

  /** Stores the newest states, with a turn for others after each step: their queues may be long, and clients wait. */
  async close(): Promise<void> {
    if (!this.#isClosed) await this.putStates(nextTurn);
    await this.destroy();
  }

  /** Releases the folder as it is, after states that are being written: another chain may come into it. */
  async destroy(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#lastPut;
    this.#parts.file.close();
    this.#parts.fork?.close();
    this.#parts.mark.close();
    this.#lock.release();
  }
}

async function openParts(folder: string, options: ChainFolderOptions, modules: ChainFolderModules): Promise<Parts> {
  const { files } = modules;
  const isNew = !files.exists(join(folder, chainFiles.header));
  if (isNew) refuseRemains(folder, files);
  const fork = await options.openFork?.({ path: join(folder, forkFile), isNew, files });
  try {
    return await openWith(fork, isNew, folder, options, modules);
  } catch (error) {
    fork?.close();
    throw error;
  }
}

async function openWith(
  fork: Fork | undefined,
  isNew: boolean,
  folder: string,
  options: ChainFolderOptions,
  modules: ChainFolderModules,
): Promise<Parts> {
  const { files, log } = modules;
  const header = await openHeader(folder, fork, isNew, options, modules);
  const states = new StateStore(join(folder, chainFiles.states), files, log, fork && ((hash) => fork.findCell(hash)));
  const origin = fork?.base ?? header.zeroStates;
  const { ledger, file } = await loadChain(folder, { origin, states }, options, modules);
  try {
    await fillStates({ ledger, states, log }, stateEvery);
    const mark = new HeadMark(join(folder, chainFiles.head), files, log);
    for (const name of Object.values(chainFiles)) closeToOthers(join(folder, name));
    if (ledger.head !== undefined) mark.write(ledger.head.id);
    return { header, ledger, file, states, mark, fork };
  } catch (error) {
    file.close();
    throw error;
  }
}

async function openHeader(
  folder: string,
  fork: Fork | undefined,
  isNew: boolean,
  { makeHeader, checkUnproven }: ChainFolderOptions,
  { files, log }: ChainFolderModules,
): Promise<ChainHeader> {
  const path = join(folder, chainFiles.header);
  if (isNew) {
    const header = await makeHeader(fork);
    writeWhole(path, encodeHeader(header), files);
    return header;
  }
  const { header, isProven } = decodeHeader(readWhole(path, files), path);
  if (isProven) return header;
  await checkUnproven(header);
  writeWhole(path, encodeHeader(header), files);
  log.info("added a checksum to the description of the chain", { path });
  return header;
}

/** A new chain must not begin beside the remains of another. */
function refuseRemains(folder: string, files: FileSystem): void {
  const remains = findRemains(folder, files);
  if (remains === undefined) return;
  throw new LocalnetError("localnet/data", `${remains}; restore a copy of it, or delete the folder for a new chain`);
}
