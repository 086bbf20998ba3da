import type { Cell } from "../../../cell/Cell.ts";
import { Linked } from "../../../cell/linked.ts";
import { findPool, type NominatorPool } from "../../../contracts/families/nominators/pool.ts";
import {
  findValidatorEvent,
  listNominatorEvents,
  mayEndRound,
  type PoolChange,
  type PoolMessage,
  readPoolMessage,
} from "../../../contracts/families/nominators/poolEvents.ts";
import { isCoded } from "../../../lib/errors.ts";
import { Account } from "../../../model/Account.ts";
import { accountOf, makeAddress } from "../../../model/Address.ts";
import { masterBlockId, masterchain } from "../../../model/block/BlockId.ts";
import { type BlockInfo, prevBlockIds } from "../../../model/block/BlockInfo.ts";
import { findConfigParam } from "../../../model/config/ConfigParams.ts";
import type { Hash } from "../../../model/Hash.ts";
import { type InCell, loadInCell } from "../../../model/Message.ts";
import { Transaction } from "../../../model/Transaction.ts";
import type { Executor } from "../../../tvm/Executor.ts";
import { runAgain } from "../../../tvm/run/runAgain.ts";
import { HistoryError } from "../../errors.ts";
import type { RunBlock, StateRunner } from "../../meaning/StateRunner.ts";
import type { PoolEventRows } from "../../store/schema/poolTables.ts";
import { codeAndData } from "../decode/accountRows.ts";
import type { AccountAfter, DecodedBatch } from "../decode/DecodedBatch.ts";
import { type FetchedBlock, readFetched } from "../source/BlockBatch.ts";
import { poolCodes } from "./AccountStep.ts";

export interface PoolEventModules {
  readonly runner: Pick<StateRunner, "getConfig" | "findLibrary">;
  readonly executor: Pick<Executor, "runTransaction" | "runTickTock">;
}

/** A pool with its state before a block, and the block. */
interface ChangedPool {
  readonly after: AccountAfter;
  readonly before: Cell;
  readonly block: FetchedBlock;
}

type NominatorRow = PoolEventRows["nominatorPoolEvents"][number];
type ValidatorRow = PoolEventRows["poolValidatorEvents"][number];

/** Makes the events of nominator pools: what each transaction changed in their storage. */
export class PoolEventStep {
  readonly #modules: PoolEventModules;

  constructor(modules: PoolEventModules) {
    this.#modules = modules;
  }

  /** The events of a block, whose changed accounts have the states before it where they are pools. */
  async read(
    { batch }: Pick<DecodedBatch, "batch">,
    accounts: readonly AccountAfter[],
    { signal }: Pick<RunBlock, "signal">,
  ): Promise<PoolEventRows> {
    const nominatorPoolEvents: NominatorRow[] = [];
    const poolValidatorEvents: ValidatorRow[] = [];
    for (const after of accounts) {
      const { before } = after;
      if (before === undefined) continue;
      const block = [...batch.shardBlocks, batch.master].find(({ id }) => id.rootHash === after.block.rootHash);
      if (block === undefined) continue;
      for (const { transaction, ...change } of await this.#listChanges({ after, before, block }, signal)) {
        const place = {
          poolAddress: after.address,
          txLt: transaction.lt,
          txHash: transaction.cell.hash(),
          utime: transaction.now,
          mcSeqno: batch.mcSeqno,
        };
        nominatorPoolEvents.push(...nominatorRows(change, place));
        poolValidatorEvents.push(...validatorRows(change, place));
      }
    }
    return { nominatorPoolEvents, poolValidatorEvents };
  }

  /** The transactions of a pool in a block with the states around them, as far as these can be read. */
  async #listChanges(changed: ChangedPool, signal: AbortSignal) {
    const { after, block } = changed;
    const accountBlock = readFetched(block).block.extra.load().accountBlocks.load().find(accountOf(after.address));
    const links = accountBlock === undefined ? [] : accountBlock.transactions.entries().map(([, link]) => link);
    const transactions = links.map(({ cell }) => loadInCell(Transaction, cell));
    const states = await this.#listStates(changed, transactions, signal);
    const pools = states.map(readState);
    const changes: (PoolChange & { readonly transaction: InCell<Transaction> })[] = [];
    for (const [at, transaction] of transactions.entries()) {
      const [from, to] = [pools[at], pools[at + 1]];
      if (from === undefined || to === undefined) continue;
      const message = readPoolMessage(transaction);
      const endsRound = mayEndRound(message) && (await this.#isElector(message, block, signal));
      changes.push({ transaction, before: from, after: to, message, endsRound });
    }
    return changes;
  }

  /** The states before the first transaction and after each one; fewer where the machine comes to another result. */
  async #listStates(
    { after, before, block }: ChangedPool,
    transactions: readonly InCell<Transaction>[],
    signal: AbortSignal,
  ): Promise<readonly Cell[]> {
    const [first] = transactions;
    if (first === undefined || before.hash() !== first.stateUpdate.oldHash) return [];
    if (transactions.length === 1) return [before, after.cell];
    const { block: read, info } = readFetched(block);
    const at = environmentOf(info, signal);
    const environment = {
      config: await this.#modules.runner.getConfig(at),
      now: info.genUtime,
      randomSeed: read.extra.load().randSeed,
      findLibrary: (hash: Hash) => this.#modules.runner.findLibrary(hash, at),
    };
    const states = [before];
    for (const transaction of transactions.slice(0, -1)) {
      const account = {
        account: new Linked(states.at(-1) ?? before, Account),
        lastTransactionHash: transaction.prevHash,
        lastTransactionLt: transaction.prevLt,
      };
      const state = await this.#run(transaction, { ...environment, account, lt: transaction.lt }, signal);
      if (state?.hash() !== transaction.stateUpdate.newHash) return states;
      states.push(state);
    }
    return [...states, after.cell];
  }

  async #run(
    transaction: InCell<Transaction>,
    run: Parameters<typeof runAgain>[2],
    signal: AbortSignal,
  ): Promise<Cell | undefined> {
    try {
      const outcome = await runAgain(this.#modules.executor, transaction, run, signal);
      return outcome.kind === "done" ? outcome.account.account.cell : undefined;
    } catch (error) {
      // A transaction that cannot be run has no events; it must not block indexing.
      if (!isCoded(error) || !brokenRuns.has(error.code)) throw error;
      return undefined;
    }
  }

  async #isElector({ source }: PoolMessage, block: FetchedBlock, signal: AbortSignal): Promise<boolean> {
    const { info } = readFetched(block);
    const elector = findConfigParam(await this.#modules.runner.getConfig(environmentOf(info, signal)), 1);
    return elector !== undefined && makeAddress(masterchain, elector) === source;
  }
}

const brokenRuns: ReadonlySet<string> = new Set(["tvm/timeout", "tvm/crash", "tvm/input", "tvm/unsupported"]);

/** The masterchain block whose configuration and libraries the transactions of a block use. */
function environmentOf(info: BlockInfo, signal: AbortSignal): RunBlock {
  const [previous] = prevBlockIds(info);
  const master = info.masterRef === undefined ? previous : masterBlockId(info.masterRef);
  if (master === undefined) throw new HistoryError("history/mismatch", "a masterchain block without a previous one");
  return { master, keySeqno: info.prevKeyBlockSeqno, now: info.genUtime, signal };
}

/** The pool in a state of an account; `undefined` when it is none or cannot be read. */
function readState(cell: Cell): NominatorPool | undefined {
  const { code, data } = codeAndData(cell);
  return code !== undefined && data !== undefined && poolCodes.has(code.hash()) ? findPool(data) : undefined;
}

type EventPlace = Pick<ValidatorRow, "poolAddress" | "txLt" | "txHash" | "utime" | "mcSeqno">;

function nominatorRows(change: PoolChange, place: EventPlace): readonly NominatorRow[] {
  return listNominatorEvents(change).map(({ nominator, before, after, ...event }, eventIndex) => ({
    ...place,
    eventIndex,
    nominatorAddress: nominator,
    ...event,
    balanceBefore: before.balance,
    balanceAfter: after.balance,
    pendingBalanceBefore: before.pendingBalance,
    pendingBalanceAfter: after.pendingBalance,
    withdrawRequestBefore: before.hasRequest,
    withdrawRequestAfter: after.hasRequest,
  }));
}

function validatorRows(change: PoolChange, place: EventPlace): readonly ValidatorRow[] {
  const event = findValidatorEvent(change);
  if (event === undefined) return [];
  const { validator, rewardShare, ...rest } = event;
  return [{ ...place, validatorAddress: validator, validatorRewardShare: rewardShare, ...rest }];
}
