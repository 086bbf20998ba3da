import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRoot, writeBoc } from "../../cell/boc.ts";
import type { Log } from "../../lib/log.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { LocalnetError } from "../errors.ts";
import { ChainView } from "../ledger/ChainView.ts";
import { type CheckedBlock, Ledger } from "../ledger/Ledger.ts";
import type { BlockLog } from "../rounds/RoundMaker.ts";
import { archiveChain } from "./chainArchive.ts";
import { chainFiles } from "./chainFiles.ts";
import { type ChainHeader, decodeHeader, encodeHeader } from "./chainHeader.ts";
import { lockFolder } from "./folderLock.ts";
import { LedgerFile, type LedgerFileOptions, type StoredRound } from "./ledgerFile.ts";
import { StateStore } from "./StateStore.ts";
import { writeWhole } from "./writeWhole.ts";

/** Interval of stored states in masterchain blocks: at most this many are applied again to reach any state. */
const stateEvery = 250;

/** A chain in its folder, used by one process at a time. */
export class ChainFolder implements BlockLog {
  readonly header: ChainHeader;
  readonly ledger: Ledger;
  readonly #path: string;
  readonly #file: LedgerFile;
  readonly #states: StateStore;
  readonly #unlock: () => void;
  #isClosed = false;

  /** Opens the chain of a folder; an empty folder gets a new chain with the result of `makeHeader`. */
  static async open(
    folder: string,
    makeHeader: () => Promise<ChainHeader>,
    log: Log,
    options: LedgerFileOptions = {},
  ): Promise<ChainFolder> {
    mkdirSync(folder, { recursive: true });
    const unlock = lockFolder(folder);
    try {
      const header = readHeader(folder) ?? createHeader(folder, await makeHeader());
      const states = new StateStore(join(folder, chainFiles.states), log);
      const ledger = new Ledger(header.zeroStates, states);
      const file = await LedgerFile.open(join(folder, chainFiles.blocks), log, options);
      await load(ledger, file, states).catch(async (error: unknown) => {
        await file.close();
        throw error;
      });
      return new ChainFolder(folder, header, ledger, file, states, unlock);
    } catch (error) {
      unlock();
      throw error;
    }
  }

  private constructor(
    path: string,
    header: ChainHeader,
    ledger: Ledger,
    file: LedgerFile,
    states: StateStore,
    unlock: () => void,
  ) {
    this.#path = path;
    this.header = header;
    this.ledger = ledger;
    this.#file = file;
    this.#states = states;
    this.#unlock = unlock;
  }

  /** Writes the current chain to one file, from which `restoreChain` makes a folder again. */
  archive(path: string): void {
    archiveChain(this.#path, this.#file.length, path);
  }

  append(blocks: readonly CheckedBlock[]): Promise<readonly (() => Uint8Array)[]> {
    return this.#file.append(blocks);
  }

  /** Called after each round: stores the newest states when it is time. */
  afterRound(): void {
    if (this.ledger.headId.seqno % stateEvery === 0) this.putStates();
  }

  /**
   * Stores the newest states and continues with a copy of them in memory: a state made by updates keeps every block in
   * memory that it has cells of.
   */
  putStates(): void {
    const { ledger } = this;
    if (ledger.headId.seqno <= this.#states.newest) return;
    const ids = [ledger.headId, ...new ChainView(ledger).topIds()].filter(({ seqno }) => seqno > 0);
    const states = ids.map((id) => ({ id, state: ledger.state(id) }));
    this.#states.put(ledger.headId.seqno, states);
    for (const { id, state } of states) ledger.keepState(id, readRoot(writeBoc(state)));
  }

  async close(): Promise<void> {
    if (!this.#isClosed) this.putStates();
    await this.destroy();
  }

  /** Releases the folder as it is. */
  async destroy(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#file.close();
    this.#unlock();
  }
}

function readHeader(folder: string): ChainHeader | undefined {
  const path = join(folder, chainFiles.header);
  return existsSync(path) ? decodeHeader(readFileSync(path), path) : undefined;
}

function createHeader(folder: string, header: ChainHeader): ChainHeader {
  if (existsSync(join(folder, chainFiles.blocks))) {
    throw new LocalnetError(
      "localnet/data",
      `${folder} has blocks but no ${chainFiles.header} that describes their chain`,
    );
  }
  writeWhole(join(folder, chainFiles.header), encodeHeader(header));
  return header;
}

/** Rounds before the stored states are not checked again: an earlier run has done it. */
async function load(ledger: Ledger, file: LedgerFile, states: StateStore): Promise<void> {
  for await (const round of file.rounds()) {
    const isKnown = (round.at(-1)?.id.seqno ?? 0) <= states.newest;
    for (const { id, readAgain } of round) {
      if (isKnown) ledger.restore(id, readAgain);
      else ledger.take(ledger.check(readAgain()), readAgain);
    }
    checkRound(round);
  }
  states.dropAfter(ledger.headId.seqno);
}

function checkRound(round: StoredRound): void {
  if (round.at(-1)?.id.workchain !== masterchain)
    throw new LocalnetError("localnet/data", "a round that does not end with a masterchain block");
}
