import { CellKind } from "../../cell/base/CellKind.ts";
import { libraryHash } from "../../cell/exotic.ts";
import type { Hash } from "../../cell/Hash.ts";
import { Linked, makeLinked } from "../../cell/linked.ts";
import { isCoded } from "../../lib/errors.ts";
import { fetchAccount } from "../../lite/queries/accounts.ts";
import { fetchBlock, type WholeBlock } from "../../lite/queries/blocks.ts";
import { fetchTransactions, type TransactionPoint } from "../../lite/queries/transactions.ts";
import { Account, type ShardAccount } from "../../model/Account.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import type { AccountBlock } from "../../model/block/AccountBlock.ts";
import { type BlockIdExt, shardHolds } from "../../model/block/BlockId.ts";
import { prevBlockIds } from "../../model/block/BlockInfo.ts";
import { zeroHash } from "../../model/Hash.ts";
import { type InCell, loadInCell } from "../../model/Message.ts";
import { Transaction } from "../../model/Transaction.ts";
import type { AccountRun, RunEnvironment, TransactionOutcome } from "../../tvm/Executor.ts";
import { runAgain } from "../../tvm/run/runAgain.ts";
import { getBlockId, type NamedBlock } from "../blocks.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";
import { chainAt } from "../pinned/atBlock.ts";
import { libraryFinder } from "../run/libraries.ts";
import { getRunSettings } from "../run/runSettings.ts";

/** A transaction of the chain, and the result of running it again on the proved state before it. */
export interface Replay {
  readonly address: Address;
  readonly transaction: InCell<Transaction>;
  readonly outcome: ReplayOutcome;
  /** Whether both have the same hash. */
  readonly isEqual: boolean;
}

/** The result of a run, or the coded reason for having none. */
export type ReplayOutcome =
  | TransactionOutcome
  | { readonly kind: "failed"; readonly code: string; readonly reason: string };

type StepListener = NonNullable<AccountRun["onStep"]>;

/** Listens to the steps of a run, at once or when it knows what is to run. */
export type RunListener = StepListener | { prepare(run: PreparedRun): Promise<StepListener> };

/** A transaction that is about to run. */
export interface PreparedRun {
  readonly address: Address;
  /** The code that it runs, or that the library has which it names. */
  readonly codeHash: Hash | undefined;
}

/** Data shared by all transactions of one block. */
type BlockEnvironment = Omit<RunEnvironment, "log" | "turn">;

/** Runs one transaction again, after the earlier ones of its account in the same block, which produce its state. */
export async function replayTransaction(
  chain: Chain,
  address: Address,
  point: TransactionPoint,
  onStep?: RunListener,
): Promise<Replay> {
  const [item] = await fetchTransactions(chain.server, address, point, 1, chain.asking);
  if (item === undefined)
    throw new ChainError("chain/not-found", `no transaction ${point.lt}:${point.hash} of ${address}`);
  const { workchain, shard, seqno } = item.claimedBlock;
  const block = await openReplayedBlock(chain, { workchain, shard, seqno, hashes: undefined });
  const place = block.accounts.findIndex(([each]) => each === address);
  for await (const replay of replayAccount(chain, block, place, point.lt, onStep))
    if (replay.transaction.lt === point.lt) return replay;
  throw new ChainError("chain/not-found", `block ${seqno} has no transaction ${point.lt} of ${address}`);
}

/** A block of the chain with what its transactions need to run again. */
export interface ReplayedBlock {
  readonly whole: WholeBlock;
  readonly environment: BlockEnvironment;
  /** The accounts with transactions in the block, in their order. */
  readonly accounts: readonly (readonly [address: Address, accountBlock: AccountBlock])[];
}

/**
 * A block that is proved to belong to the chain, with the environment of its transactions: the masterchain block it
 * refers to.
 */
export async function openReplayedBlock(chain: Chain, named: NamedBlock): Promise<ReplayedBlock> {
  const id = await getBlockId(chain, { ...named, hashes: undefined });
  const whole = await fetchBlock(chain.server, id, chain.asking);
  const { masterRef, genUtime } = whole.info;
  const master = await chainAt(chain, masterRef?.seqno ?? id.seqno - 1);
  const { config, previousBlocks } = await getRunSettings(master);
  const { randSeed, accountBlocks } = whole.block.extra.load();
  const environment = {
    config,
    previousBlocks,
    now: genUtime,
    randomSeed: randSeed,
    findLibrary: libraryFinder(master),
    caller: chain.caller,
  };
  const accounts = [...accountBlocks.load().entries()].map(
    ([account, accountBlock]) => [makeAddress(named.workchain, account), accountBlock] as const,
  );
  return { whole, environment, accounts };
}

/** Runs the transactions of one account of a block again, up to the first one that is different. */
export async function* replayAccount(
  chain: Chain,
  { whole, environment, accounts }: ReplayedBlock,
  place: number,
  listenAt?: bigint,
  listener?: RunListener,
): AsyncIterable<Replay> {
  const found = accounts[place];
  if (found === undefined) return;
  const [address, accountBlock] = found;
  let account = await accountBefore(chain, whole, address);
  for (const [lt, link] of accountBlock.transactions.entries()) {
    const transaction = loadInCell(Transaction, link.cell);
    const onStep =
      lt === listenAt && typeof listener === "object"
        ? await listener.prepare({ address, codeHash: codeHashOf(account, transaction) })
        : listener;
    const run = { ...environment, account, lt, ...(lt === listenAt && typeof onStep === "function" && { onStep }) };
    const outcome = await tryRun(chain, transaction, run);
    const isEqual = outcome.kind === "done" && outcome.transaction.cell.hash() === link.cell.hash();
    yield { address, transaction, outcome, isEqual };
    // The following transactions would run on another state than on the chain.
    if (outcome.kind !== "done" || !isEqual) return;
    account = outcome.account;
  }
}

/** The code of the account, or the one that the message brings. */
function codeHashOf({ account }: ShardAccount, { messages }: Transaction): Hash | undefined {
  const loaded = account.load();
  const isActive = loaded.kind === "account" && loaded.storage.state.kind === "active";
  const code = isActive ? loaded.storage.state.init.code : messages.in?.init?.code;
  return code?.kind === CellKind.library ? libraryHash(code) : code?.hash();
}

async function tryRun(chain: Chain, transaction: Transaction, run: AccountRun): Promise<ReplayOutcome> {
  try {
    return await runAgain(chain.executor, transaction, run, chain.asking.signal);
  } catch (error) {
    if (!isCoded(error) || !error.code.startsWith("tvm/")) throw error;
    return { kind: "failed", code: error.code, reason: error.message };
  }
}

/** The account in the state before the block: that of the previous block, or of two after a merge. */
async function accountBefore(chain: Chain, { info }: WholeBlock, address: Address): Promise<ShardAccount> {
  const before = prevBlockIds(info).find((id: BlockIdExt) => shardHolds(id, address));
  if (before === undefined) throw new ChainError("chain/no-block", `no earlier block contains ${address}`);
  const { entry } = await fetchAccount(chain.server, before, address, chain.asking);
  if (entry === undefined)
    return { account: makeLinked(Account, { kind: "none" }), lastTransactionHash: zeroHash, lastTransactionLt: 0n };
  const { lastTransactionHash, lastTransactionLt } = entry.shardAccount;
  return { account: new Linked(entry.cell, Account), lastTransactionHash, lastTransactionLt };
}
