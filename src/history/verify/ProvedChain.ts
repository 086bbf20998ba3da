import type { Facts } from "../../contracts/engine/Facts.ts";
import { throwIfAborted } from "../../lib/deadline.ts";
import { fetchAccount } from "../../lite/queries/accounts.ts";
import type { LiteServer } from "../../lite/server/LiteServer.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { zeroHash } from "../../model/Hash.ts";
import type { Executor } from "../../tvm/Executor.ts";
import type { EntityRows } from "../entities/indexedEntities.ts";
import { HistoryError } from "../errors.ts";
import { codeAndData } from "../ingest/decode/accountRows.ts";
import type { AccountAfter, DecodedBatch } from "../ingest/decode/DecodedBatch.ts";
import { decodeBatch } from "../ingest/decode/decodeBatch.ts";
import type { AccountQueries } from "../ingest/source/AccountQueries.ts";
import type { BlockSource } from "../ingest/source/BlockSource.ts";
import { AccountReader, type ReadAccounts } from "../ingest/states/AccountReader.ts";
import { noAccount } from "../ingest/states/BlockStates.ts";
import { StateMemory } from "../ingest/states/StateMemory.ts";
import { listZeroAccounts } from "../ingest/states/zeroAccounts.ts";
import { poolCodes } from "../ingest/steps/AccountStep.ts";
import { runBlockOf } from "../ingest/steps/decodeBlocks.ts";
import { ElectionStep } from "../ingest/steps/ElectionStep.ts";
import { PoolEventStep } from "../ingest/steps/PoolEventStep.ts";
import { Interpreter } from "../meaning/Interpreter.ts";
import type { RunBlock } from "../meaning/StateRunner.ts";
import { StateRunner } from "../meaning/StateRunner.ts";
import type { PoolEventRows } from "../store/schema/poolTables.ts";
import type { ElectionRows } from "../store/schema/validatorTables.ts";

export interface ChainModules {
  readonly source: Pick<BlockSource, "batches">;
  readonly server: LiteServer;
  readonly queries: AccountQueries;
  readonly executor: Executor;
  readonly network: Facts["network"];
}

/** How many decoded blocks are kept: verified traces share most of theirs. */
const keptBlocks = 32;

/** Empty lookups, so that everything comes from the chain. */
const noTables = { query: async () => [] };
const noLookups = { findStates: async () => new Map(), findCodes: async () => new Map() };

/** Reads the chain again with proofs, without using the tables. */
export class ProvedChain {
  /** The newest block in the tables when verification began. */
  readonly headSeqno: number;
  readonly #modules: ChainModules;
  readonly #signal: AbortSignal;
  readonly #blocks = new Map<number, DecodedBatch>();

  constructor(modules: ChainModules, headSeqno: number, signal: AbortSignal) {
    this.headSeqno = headSeqno;
    this.#modules = modules;
    this.#signal = signal;
  }

  /** A masterchain block with the shard blocks it newly commits. */
  async getBlock(mcSeqno: number): Promise<DecodedBatch> {
    const known = this.#blocks.get(mcSeqno);
    if (known !== undefined) return known;
    throwIfAborted(this.#signal);
    for await (const batch of this.#modules.source.batches({ from: mcSeqno, to: mcSeqno }, this.#signal)) {
      const decoded = decodeBatch(batch);
      this.#blocks.set(mcSeqno, decoded);
      const [oldest] = this.#blocks.keys();
      if (this.#blocks.size > keptBlocks && oldest !== undefined) this.#blocks.delete(oldest);
      return decoded;
    }
    throw new HistoryError("history/absent", `no masterchain block ${mcSeqno}`);
  }

  /** The states after a block of some accounts that it changes or begins with, as rows and as values. */
  async readStates(mcSeqno: number, addresses: ReadonlySet<Address>): Promise<ReadAccounts> {
    const decoded = await this.getBlock(mcSeqno);
    const changed = decoded.changed.filter(({ address }) => addresses.has(address));
    const unmentioned = listZeroAccounts(decoded.batch).filter(({ address }) => addresses.has(address));
    return this.#read({ ...decoded, changed }, unmentioned);
  }

  /** An account that no transaction up to a block mentions, as rows and as a value. */
  async readUnmentioned(mcSeqno: number, account: AccountAfter): Promise<ReadAccounts> {
    return this.#read({ ...(await this.getBlock(mcSeqno)), changed: [] }, [account]);
  }

  async #read(decoded: DecodedBatch, unmentioned: readonly AccountAfter[]): Promise<ReadAccounts> {
    const { server, queries } = this.#modules;
    const runBlock = runBlockOf(decoded, this.#signal);
    const runner = this.#openRunner();
    const lookups = {
      ...noLookups,
      findLibrary: (hash: AccountAfter["stateHash"]) => runner.findLibrary(hash, runBlock),
    };
    const modules = { server, queries, memory: new StateMemory(), lookups };
    const reader = new AccountReader(modules, { statesBefore: poolCodes });
    return reader.read(decoded, this.#signal, unmentioned);
  }

  /** What a block changed in nominator pools. */
  async readPoolEvents(mcSeqno: number, pools: ReadonlySet<Address>): Promise<PoolEventRows> {
    const { accounts } = await this.readStates(mcSeqno, pools);
    const step = new PoolEventStep({ runner: this.#openRunner(), executor: this.#modules.executor });
    return step.read(await this.getBlock(mcSeqno), accounts, { signal: this.#signal });
  }

  /** An account at a masterchain block, whether or not that block changes it. */
  async getAccount(address: Address, mcSeqno: number): Promise<AccountAfter> {
    const { server, queries } = this.#modules;
    const runBlock = await this.#getRunBlock(mcSeqno);
    const { entry } = await queries.run(
      (own) => fetchAccount(server, runBlock.master, address, { signal: own }),
      this.#signal,
    );
    const cell = entry?.cell ?? noAccount;
    return {
      address,
      block: runBlock.master,
      stateHash: cell.hash(),
      lastTransHash: entry?.shardAccount.lastTransactionHash ?? zeroHash,
      lastTransLt: entry?.shardAccount.lastTransactionLt ?? 0n,
      now: runBlock.now,
      cell,
      ...codeAndData(cell),
    };
  }

  /** Entities of accounts at a masterchain block. */
  async detect(accounts: readonly AccountAfter[], mcSeqno: number): Promise<EntityRows> {
    const { network } = this.#modules;
    const runBlock = await this.#getRunBlock(mcSeqno);
    const runner = this.#openRunner();
    const interpreter = new Interpreter({ database: noTables, runner, network });
    const { entities } = await interpreter.interpret({ runBlock, transactions: [], accounts, step: noStep(mcSeqno) });
    return entities;
  }

  /** What a masterchain block tells of elections; `isStart` reads all of it, as at the first block of an index. */
  async readElections(mcSeqno: number, isStart: boolean): Promise<ElectionRows> {
    const decoded = await this.getBlock(mcSeqno);
    const { elector } = decoded.batch;
    const addresses = new Set(elector === undefined ? [] : [makeAddress(masterchain, elector)]);
    const { accounts } = await this.readStates(mcSeqno, addresses);
    const runBlock = await this.#getRunBlock(mcSeqno);
    return new ElectionStep({ runner: this.#openRunner() }).read({ decoded, accounts, runBlock, isStart });
  }

  async #getRunBlock(mcSeqno: number): Promise<RunBlock> {
    return runBlockOf(await this.getBlock(mcSeqno), this.#signal);
  }

  /** One for each block: it takes cached states for current ones. */
  #openRunner(): StateRunner {
    return new StateRunner({ ...this.#modules, database: noTables });
  }
}

function noStep(mcSeqno: number) {
  return { mcSeqno, traceIds: new Map(), touched: [], openEdges: [], closedEdges: [] };
}
