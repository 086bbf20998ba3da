import { readRoot } from "../../../src/cell/boc.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { loadCell } from "../../../src/cell/codec.ts";
import { makeLinked } from "../../../src/cell/linked.ts";
import { Account, type ShardAccount } from "../../../src/model/Account.ts";
import type { AccountBlock } from "../../../src/model/block/AccountBlock.ts";
import { Block } from "../../../src/model/block/Block.ts";
import { ShardStateUnsplit } from "../../../src/model/block/ShardState.ts";
import type { Config } from "../../../src/model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../../src/model/Hash.ts";
import type { Transaction } from "../../../src/model/Transaction.ts";
import type { Executor, FindLibrary, RunEnvironment, TransactionOutcome } from "../../../src/tvm/Executor.ts";
import { runAgain } from "../../../src/tvm/run/runAgain.ts";
import type { ChainRecord } from "../cell/chainRecord.ts";
import { followChain } from "../cell/checkChain.ts";

/** A recorded transaction, its configuration, and the outcome of a new run. */
export interface Rerun {
  readonly expected: Cell;
  readonly transaction: Transaction;
  readonly workchain: number;
  readonly config: Config;
  readonly outcome: TransactionOutcome;
}

/** An executor, or only its part for transactions. */
type TransactionExecutor = Pick<Executor, "runTransaction" | "runTickTock">;

/** What blocks use from the masterchain state they refer to. */
interface MasterFacts {
  readonly config: Config;
  readonly findLibrary: FindLibrary;
}

/** Runs every transaction of a chain again, each on the recorded account state. */
export async function rerunChain(record: ChainRecord, executor: TransactionExecutor): Promise<Rerun[]> {
  const states = followChain(record);
  const find = (workchain: number, shard: string, seqno: number): ShardStateUnsplit => {
    const state = states.get(`${workchain} ${shard} ${seqno}`);
    // A recording may end earlier for the masterchain; its last state serves, because nothing changed.
    return state === undefined ? find(workchain, shard, seqno - 1) : loadCell(ShardStateUnsplit, state);
  };
  const reruns: Promise<Rerun[]>[] = [];
  for (const block of record.blocks) {
    const { info, extra } = loadCell(Block, readRoot(record.blockBytes(block)));
    const { accountBlocks, randSeed } = extra.load();
    const before = block.prev.map(([shard, seqno]) => find(block.workchain, shard, seqno));
    const master = masterFacts(info.load().masterRef?.seqno ?? block.seqno - 1, record, find);
    const environment = { ...master, randomSeed: randSeed, now: info.load().genUtime };
    accountBlocks.load().forEach((accountBlock, account) => {
      const start = findAccount(before, account);
      reruns.push(rerunAccount(accountBlock, start, block.workchain, environment, executor));
    });
  }
  return (await Promise.all(reruns)).flat();
}

function masterFacts(
  seqno: number,
  { zerostates }: ChainRecord,
  find: (workchain: number, shard: string, seqno: number) => ShardStateUnsplit,
): MasterFacts {
  const shard = zerostates.find(({ workchain }) => workchain === -1)?.shard ?? "";
  const { custom, totals } = find(-1, shard, seqno);
  if (custom === undefined) throw new Error("no masterchain state");
  const { libraries } = totals.load();
  return { config: custom.load().config, findLibrary: (hash) => libraries.find(hash)?.library };
}

function findAccount(states: readonly ShardStateUnsplit[], account: Hash): ShardAccount {
  for (const state of states) {
    const found = state.accounts.load().find(account);
    if (found !== undefined) return found;
  }
  return { account: makeLinked(Account, { kind: "none" }), lastTransactionHash: zeroHash, lastTransactionLt: 0n };
}

async function rerunAccount(
  block: AccountBlock,
  start: ShardAccount,
  workchain: number,
  environment: Pick<RunEnvironment, "config" | "findLibrary" | "randomSeed" | "now">,
  executor: TransactionExecutor,
): Promise<Rerun[]> {
  const reruns: Rerun[] = [];
  let account = start;
  for (const [, link] of block.transactions.entries()) {
    const transaction = link.load();
    const outcome = await runAgain(executor, transaction, { ...environment, account, lt: transaction.lt });
    if (outcome.kind === "done") account = outcome.account;
    reruns.push({ expected: link.cell, transaction, workchain, config: environment.config, outcome });
  }
  return reruns;
}
