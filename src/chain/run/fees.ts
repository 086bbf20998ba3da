import type { Cell } from "../../cell/Cell.ts";
import { loadCell, storeCell } from "../../cell/codec.ts";
import { Linked, makeLinked } from "../../cell/linked.ts";
import { cellValue, intValue, sliceValue } from "../../contracts/kit/stackValues.ts";
import { isCoded } from "../../lib/errors.ts";
import { Account, type ShardAccount } from "../../model/Account.ts";
import { plainAddress, workchainOf } from "../../model/Address.ts";
import { masterchain } from "../../model/block/BlockId.ts";
import { coinsOnly } from "../../model/Currency.ts";
import type { Config } from "../../model/config/ConfigParams.ts";
import { GasLimitsPrices, type GasPrices, gasPricesOf } from "../../model/config/GasLimitsPrices.ts";
import { getParam } from "../../model/config/readConfig.ts";
import { zeroHash } from "../../model/Hash.ts";
import { RelaxedMessage } from "../../model/Message.ts";
import { OutList } from "../../model/OutAction.ts";
import { StateInit } from "../../model/StateInit.ts";
import type { AcceptedExternal, RefusedExternal } from "../../tvm/Executor.ts";
import { type AccountNow, findCode, getAccount } from "../accounts.ts";
import type { Chain } from "../Chain.ts";
import { ChainError } from "../errors.ts";
import { type MessageParts, makeExternalMessage, makeStateInit } from "../message.ts";
import { runMethod } from "./getMethod.ts";
import { libraryFinder } from "./libraries.ts";
import { countCells, forwardPrice, storagePrice } from "./prices.ts";
import { getRunSettings } from "./runSettings.ts";

/** The cost of an external message for its account. */
export interface FeeEstimate {
  readonly inForward: bigint;
  readonly storage: bigint;
  readonly gas: bigint;
  readonly forward: bigint;
}

/** The state init replaces code and data of the account, and is part of the message. */
export interface FeeQuery extends MessageParts {
  readonly signatures: "check" | "ignore";
}

/** Runs the message on the current account and adds up the fees. */
export async function estimateFees(chain: Chain, feeQuery: FeeQuery): Promise<FeeEstimate> {
  const account = await getAccount(chain, feeQuery.address);
  const { config } = await getRunSettings(chain);
  const message = makeExternalMessage(feeQuery);
  const isMaster = workchainOf(feeQuery.address) === masterchain;
  const known = {
    inForward: forwardPrice(config, isMaster, countCells(message.refs())),
    storage: storagePrice(config, isMaster, account.storage, account.syncAt),
  };
  const prices = gasPricesOf(getParam(config, isMaster ? 20 : 21, GasLimitsPrices));
  // Without code nothing runs. The reference charges the flat price only where there is no balance to buy gas credit.
  if (findCode(account) === undefined && feeQuery.init === undefined)
    return { ...known, gas: account.balance.coins === 0n ? prices.flatGasPrice : 0n, forward: 0n };
  const isPoor = account.balance.coins === 0n && feeQuery.init !== undefined;
  const outcome = await run(chain, feeQuery, account, config, message);
  if (isPoor && outcome?.kind === "notAccepted")
    return { ...known, gas: gasPrice(prices, await gasUntilRefused(chain, feeQuery, account, message)), forward: 0n };
  if (outcome === undefined || outcome.kind === "notAccepted") return { ...known, gas: 0n, forward: 0n };
  const isSuccess = outcome.exitCode === 0 || outcome.exitCode === 1;
  const forward = isSuccess ? forwardFees(config, isMaster, outcome.actions) : 0n;
  return { ...known, gas: gasPrice(prices, outcome.gasUsed), forward };
}

function gasPrice({ flatGasLimit, flatGasPrice, gasPrice: price }: GasPrices, used: bigint): bigint {
  const beyond = used > flatGasLimit ? used - flatGasLimit : 0n;
  return flatGasPrice + ((beyond * price + 0xffffn) >> 16n);
}

/** The entry point of external messages. */
const receiveExternal = -1;

/**
 * The gas used until the code refused the message. Elsewhere a refusal costs nothing; but an account without balance
 * gets no gas credit, and the reference counts its gas.
 */
async function gasUntilRefused(chain: Chain, feeQuery: FeeQuery, account: AccountNow, message: Cell): Promise<bigint> {
  const stack = [intValue(0n), intValue(0n), cellValue(message), sliceValue(feeQuery.body)];
  const content = { kind: "active" as const, code: feeQuery.init?.code, data: feeQuery.init?.data };
  return (await runMethod(chain, { ...account, content }, { method: receiveExternal, stack })).gasUsed;
}

/** The account's last logical time is far below any lt that a block would have now. */
const ltAhead = 1_000_000n;

async function run(
  chain: Chain,
  feeQuery: FeeQuery,
  account: AccountNow,
  config: Config,
  message: Cell,
): Promise<AcceptedExternal | RefusedExternal | undefined> {
  const { executor, asking } = chain;
  const transaction = {
    ...{ config, caller: chain.caller },
    previousBlocks: (await getRunSettings(chain)).previousBlocks,
    now: account.syncAt,
    randomSeed: zeroHash,
    findLibrary: libraryFinder(chain),
    account: startOf(account, feeQuery.init),
    lt: account.lastTransaction.lt + ltAhead,
    signatures: feeQuery.signatures,
    message,
  };
  try {
    // What the code asks for is priced here and not done: the reference does not do it either.
    return await executor.runAcceptance(transaction, asking.signal);
  } catch (error) {
    // No transaction: such an account cannot receive a message, which costs nothing.
    if (isCoded(error, "tvm/input")) return undefined;
    throw error;
  }
}

/** A balance larger than any real one, for accounts that are not deployed yet. */
const plenty = coinsOnly(10n ** 18n);

/** The account before the run: as it is, or with other code and data. */
function startOf(account: AccountNow, init: FeeQuery["init"]): ShardAccount {
  const { address, entry, lastTransaction, syncAt } = account;
  const last = { lastTransactionHash: lastTransaction.hash, lastTransactionLt: lastTransaction.lt };
  const found = entry === undefined ? undefined : loadCell(Account, entry.cell);
  if (entry !== undefined && init === undefined) return { account: new Linked(entry.cell, Account), ...last };
  if (init === undefined) return { account: makeLinked(Account, { kind: "none" }), ...last };
  const state = { kind: "active" as const, init: makeStateInit(init) };
  const balance = account.balance.coins === 0n ? plenty : account.balance;
  if (found?.kind === "account")
    return { account: makeLinked(Account, { ...found, storage: { ...found.storage, balance, state } }), ...last };
  const used = { cells: 0, bits: 0 };
  const storageInfo = { used, extra: { kind: "none" as const }, lastPaid: syncAt, duePayment: undefined };
  const storage = { lastTransactionLt: lastTransaction.lt, balance, state };
  return { account: makeLinked(Account, { kind: "account", address, storageInfo, storage }), ...last };
}

/** With more actions none is executed. */
const maxActions = 20;

/** The forward fees of the messages that the code sends. */
function forwardFees(config: Config, isMaster: boolean, list: Cell | undefined): bigint {
  const actions = list === undefined ? [] : loadCell(OutList, list);
  if (actions.length > maxActions) throw new ChainError("chain/fees", `more than ${maxActions} actions`);
  return actions.reduce((sum, action) => {
    if (action.kind === "sendMessage") return sum + messageFee(config, isMaster, action.message);
    if (action.kind === "reserve") return sum;
    throw new ChainError("chain/fees", `fees of an action ${action.kind} are not supported`);
  }, 0n);
}

/** Only cells below the message itself are counted: those that its state init and its body refer to. */
function messageFee(config: Config, isMaster: boolean, cell: Cell): bigint {
  const { info, init, initPlace, body, bodyPlace } = loadOutgoing(cell);
  const initCell = init === undefined ? undefined : storeCell(StateInit, init);
  const beneath = [
    ...(initCell === undefined ? [] : initPlace === "ref" ? [initCell] : initCell.refs()),
    ...(bodyPlace === "ref" ? [body] : body.refs()),
  ];
  const toMaster = info.kind === "internal" && workchainOf(plainAddress(info.dest)) === masterchain;
  return forwardPrice(config, isMaster || toMaster, countCells(beneath));
}

function loadOutgoing(cell: Cell): RelaxedMessage {
  try {
    return loadCell(RelaxedMessage, cell);
  } catch (cause) {
    throw isCoded(cause) ? new ChainError("chain/fees", "an action sends an invalid message", { cause }) : cause;
  }
}
