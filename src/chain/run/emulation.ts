import type { Cell } from "../../cell/Cell.ts";
import { Linked, makeLinked } from "../../cell/linked.ts";
import { isCoded } from "../../lib/errors.ts";
import type { TransactionPoint } from "../../lite/queries/transactions.ts";
import { Account, type ShardAccount } from "../../model/Account.ts";
import type { Address } from "../../model/Address.ts";
import { type BlockIdExt, shardHolds } from "../../model/block/BlockId.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";
import type { VmLogDetail } from "../../tvm/Executor.ts";
import type { TraceLimits } from "../../tvm/run/trace.ts";
import { type AccountNow, getAccount } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import type { SentMessage } from "../SentMessage.ts";
import { type EmulatedRun, type EmulatedTransaction, runEmulation } from "./emulationRun.ts";
import { libraryFinder } from "./libraries.ts";
import { detectNew, type NewContracts } from "./newContracts.ts";
import { getRunSettings } from "./runSettings.ts";

/** The predicted effects of a message. */
export interface Emulation extends Pick<EmulatedRun, "trace" | "transactions" | "left" | "accounts"> {
  /** The network's global version, needed to decode messages. */
  readonly globalVersion: number;
  /** Contracts that it would deploy. */
  readonly contracts: NewContracts;
}

/** The same with details of the run. */
export interface WholeEmulation extends Emulation, Pick<EmulatedRun, "before" | "states" | "logs"> {
  readonly kind: "done";
  /** The newest block of the shard of every account that was used. */
  readonly shardBlocks: ReadonlyMap<Address, BlockIdExt>;
}

export interface EmulationOptions extends TraceLimits {
  /** Returns an account that replaces that of the chain, given the last transaction and state on the chain. */
  readonly findState?:
    | ((address: Address, last: TransactionPoint, onChain: () => ShardAccount) => ShardAccount | undefined)
    | undefined;
}

/** How a run differs from the current chain. */
export interface EmulationRules extends EmulationOptions {
  readonly signatures?: "check" | "ignore" | undefined;
  /** Unix time; that of the chain by default. */
  readonly now?: number | undefined;
  /** One value for the whole trace; zero by default. */
  readonly randomSeed?: Hash | undefined;
  readonly log?: VmLogDetail | undefined;
  /** The masterchain block that would contain all of it. */
  readonly mcSeqno?: number | undefined;
  /** Whether messages to other shards take effect in later blocks; all is in one block otherwise. */
  readonly inSteps?: boolean | undefined;
}

/** The account does not accept the message. */
export interface NotAccepted {
  readonly kind: "notAccepted";
  readonly exitCode: number | undefined;
}

/** A block begins at a round logical time after all earlier ones. */
const ltStep = 1_000_000n;
/** A message reaches another shard about three blocks later (emulate.md §5). */
const stepBlocks = 3;
const stepSeconds = 8;

/** The outcome of an emulation. */
export type EmulationOutcome = { readonly kind: "done"; readonly emulation: Emulation } | NotAccepted;

/**
 * Emulates an external message, and everything it causes, on the current accounts or their replacements. The trace is
 * identified by the normalized hash, like all traces that are not on the chain yet.
 */
export async function emulateMessage(
  chain: Chain,
  message: Cell,
  { normalizedHash }: SentMessage,
  destination: Address,
  options: EmulationOptions,
): Promise<EmulationOutcome> {
  const sent = { hash: normalizedHash, normalizedHash };
  const outcome = await emulate(chain, message, sent, destination, options);
  if (outcome.kind === "notAccepted") return outcome;
  const { trace, transactions, left, accounts, globalVersion, contracts } = outcome;
  return { kind: "done", emulation: { trace, transactions, left, accounts, globalVersion, contracts } };
}

/** The same with custom rules, and with details of the run. */
export async function emulate(
  chain: Chain,
  message: Cell,
  { hash, normalizedHash }: SentMessage,
  destination: Address,
  rules: EmulationRules,
): Promise<WholeEmulation | NotAccepted> {
  const {
    findState = () => undefined,
    signatures,
    now,
    randomSeed = zeroHash,
    log,
    mcSeqno = 0,
    inSteps,
    ...limits
  } = rules;
  const { config, previousBlocks } = await getRunSettings(chain);
  const shardBlocks = new Map<Address, BlockIdExt>();
  const beginning = (account: AccountNow): ShardAccount => {
    shardBlocks.set(account.address, account.shardBlock);
    return findState(account.address, account.lastTransaction, () => startOf(account)) ?? startOf(account);
  };
  const receiver = await getAccount(chain, destination);
  const first = beginning(receiver);
  const staysInShard = (from: Address, to: Address): boolean => {
    const block = shardBlocks.get(from);
    return block === undefined || shardHolds(block, to);
  };
  const run = await runEmulation(
    {
      ...{ ...limits, config, previousBlocks, message, randomSeed, mcSeqno },
      ...{ externalHash: hash, normalizedHash, caller: chain.caller },
      now: now ?? Math.max(receiver.syncAt, chain.nowAt()),
      findLibrary: libraryFinder(chain),
      lt: (first.lastTransactionLt / ltStep + 1n) * ltStep,
      ...(signatures && { signatures }),
      ...(log && { log }),
      ...(inSteps && { stepBlocks, steps: { staysInShard, lt: BigInt(stepBlocks) * ltStep, seconds: stepSeconds } }),
    },
    {
      executor: chain.executor,
      loadAccount: async (address) => (address === destination ? first : beginning(await getAccount(chain, address))),
    },
    chain.asking.signal,
  );
  if (run.kind === "notAccepted") return { kind: "notAccepted", exitCode: run.exitCode };
  const contracts = await detectDeployed(chain, new Map([...run.before, ...run.accounts]), run.transactions);
  return { ...run, globalVersion: findConfigParam(config, 8)?.version ?? 0, contracts, shardBlocks };
}

function startOf({ entry, lastTransaction: { hash, lt } }: AccountNow): ShardAccount {
  const account = entry === undefined ? makeLinked(Account, { kind: "none" }) : new Linked(entry.cell, Account);
  return { account, lastTransactionHash: hash, lastTransactionLt: lt };
}

/** A trace whose new contracts could not be detected is still returned, with fewer facts. */
async function detectDeployed(
  chain: Chain,
  accounts: ReadonlyMap<Address, ShardAccount>,
  transactions: readonly EmulatedTransaction[],
): Promise<NewContracts> {
  const isDeploying = ({ before, after }: EmulatedTransaction) =>
    before.status !== "active" && after.status === "active";
  const deployed = new Set(transactions.filter(isDeploying).map(({ seen }) => seen.account));
  try {
    return await detectNew(chain, accounts, deployed);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return new Map();
  }
}
