import type { Cell } from "../../cell/Cell.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Address } from "../../model/Address.ts";
import type { Trace, TraceMessage } from "../../model/Trace.ts";
import { type DedustSwapStep, dedustSwap, dedustSwapForwardPayload } from "../families/dedust/messages.ts";
import { jettonNotify, jettonTransfer } from "../families/jetton/messages.ts";
import { jvaultUnstakeJettonsShort, jvaultUnstakeRequest } from "../families/jvault/messages.ts";
import { readLockWallet, readStakeWallet } from "../families/jvault/stakeData.ts";
import {
  ptonTonTransfer,
  stonfiPaymentRequest,
  stonfiPayToV2,
  stonfiSwap,
  stonfiSwapForwardPayload,
  stonfiSwapV2,
} from "../families/stonfi/messages.ts";
import { listTargets } from "../families/stonfi/v2.ts";
import { listSteps } from "../families/tonco/actions.ts";
import { toncoPayTo } from "../families/tonco/innerMessages.ts";
import { toncoPoolFundAccountPayload, toncoPoolSwap } from "../families/tonco/messages.ts";
import type { Body } from "../kit/declare.ts";
import type { Facts } from "./Facts.ts";
import { makeGhostTree } from "./ghosts.ts";
import { makeMessageTree } from "./traceTree.ts";

/** What must be known before a trace can be classified. */
export interface NeededFacts {
  /** Accounts of which everything an index knows is asked: wallet, item, sale, auction, order, pool, code. */
  readonly accounts: readonly Address[];
  /** Accounts whose data cell is asked, too. */
  readonly data: readonly Address[];
}

/** A body or payload that names accounts which may be no part of the trace. */
interface Naming {
  readonly opcode: number;
  list(cell: Cell): readonly (Address | undefined)[];
}

function naming<T>(body: Body<T>, list: (value: T) => readonly (Address | undefined)[]): Naming {
  return {
    opcode: body.opcode,
    list: (cell) => {
      const value = body.find(cell);
      return value === undefined ? [] : list(value);
    },
  };
}

const inBodies: readonly Naming[] = [
  naming(stonfiSwap, (swap) => [swap.senderAddress]),
  naming(stonfiPaymentRequest, ({ params }) => [params.token0Address, params.token1Address]),
  naming(stonfiSwapV2, listTargets),
  naming(stonfiPayToV2, ({ additional }) => [additional.token0Address, additional.token1Address]),
  naming(toncoPayTo, ({ coins }) => [coins?.wallet0, coins?.wallet1]),
  naming(dedustSwap, ({ step }) => listPools(step)),
];

const inPayloads: readonly Naming[] = [
  naming(stonfiSwapForwardPayload, (swap) => [swap.tokenWallet]),
  naming(toncoPoolFundAccountPayload, (order) => [order.otherJettonWallet]),
  naming(dedustSwapForwardPayload, ({ step }) => listPools(step)),
  { opcode: toncoPoolSwap.opcode, list: (cell) => listSteps(cell).map(({ wallet }) => wallet) },
];

function listPools(first: DedustSwapStep): Address[] {
  const pools: (Address | undefined)[] = [];
  for (let step: DedustSwapStep | undefined = first; step !== undefined; step = step.params.next)
    pools.push(step.poolAddr);
  return pools.filter((pool) => pool !== undefined);
}

/** The facts that name further accounts. */
export type NamingFacts = Pick<Facts, "findData" | "findNftAuction">;

const nothingYet: NamingFacts = { findData: () => undefined, findNftAuction: () => undefined };

/**
 * What to gather for a trace. Some facts name further accounts: asked again with what was gathered, it names those,
 * too; after three rounds nothing new comes.
 */
export function neededFacts(trace: Trace, known: NamingFacts = nothingYet): NeededFacts {
  const accounts = new Set<Address>();
  const stakeWallets = new Set<Address>();
  for (const message of listMessages(trace)) {
    for (const account of [message.source, message.destination]) if (account !== undefined) accounts.add(account);
    for (const account of listNamed(message.body)) accounts.add(account);
    const opcode = opcodeOf(message.body);
    const isUnstake = opcode === jvaultUnstakeJettonsShort.opcode || opcode === jvaultUnstakeRequest.opcode;
    if (isUnstake && message.destination !== undefined) stakeWallets.add(message.destination);
  }
  for (const { account } of trace.transactions) accounts.add(account);
  for (const account of [...accounts]) {
    const item = known.findNftAuction(account)?.nft;
    if (item !== undefined) accounts.add(item);
  }
  const data = new Set(stakeWallets);
  for (const wallet of stakeWallets) {
    const pool = attempt(wallet, known, (cell) => readStakeWallet(cell).pool);
    if (pool === undefined) continue;
    data.add(pool);
    const lock = attempt(pool, known, readLockWallet);
    if (lock !== undefined) accounts.add(lock);
  }
  return { accounts: [...accounts], data: [...data] };
}

function* listMessages(trace: Trace): Generator<TraceMessage> {
  for (const { inMessage, outMessages } of trace.transactions) {
    if (inMessage !== undefined) yield inMessage;
    yield* outMessages;
  }
  if (trace.transactions.length !== 1) return;
  // A lone message from outside may be told as what it would have sent.
  const tree = makeMessageTree(trace);
  const ghosts = tree === undefined ? undefined : makeGhostTree(tree);
  for (const { message } of ghosts?.children ?? []) if (message !== undefined) yield message;
}

function listNamed(body: Cell): Address[] {
  const named = listFrom(inBodies, body);
  const payload = findPayload(body);
  if (payload !== undefined) named.push(...listFrom(inPayloads, payload));
  return named;
}

function listFrom(namings: readonly Naming[], cell: Cell): Address[] {
  const opcode = opcodeOf(cell);
  if (opcode === undefined) return [];
  return namings
    .filter((candidate) => candidate.opcode === opcode)
    .flatMap(({ list }) => listSafely(list, cell))
    .filter((account) => account !== undefined);
}

/** A body that cannot be read names nobody; the classifier will not read it either. */
function listSafely(list: Naming["list"], cell: Cell): readonly (Address | undefined)[] {
  try {
    return list(cell);
  } catch (error) {
    if (isCoded(error)) return [];
    throw error;
  }
}

/** The payload that came with jettons or wrapped TON. */
function findPayload(body: Cell): Cell | undefined {
  const carrier = jettonTransfer.find(body) ?? jettonNotify.find(body) ?? ptonTonTransfer.find(body);
  return carrier?.forwardPayload;
}

function opcodeOf(cell: Cell): number | undefined {
  return cell.isExotic || cell.bitLength < 32 ? undefined : sliceOf(cell).loadUint(32);
}

function attempt(
  account: Address,
  { findData }: NamingFacts,
  read: (cell: Cell) => Address | undefined,
): Address | undefined {
  const cell = findData(account);
  return cell === undefined ? undefined : listSafely((data) => [read(data)], cell)[0];
}
