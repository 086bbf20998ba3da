import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import type { Steps } from "../../lib/sharing/steps.ts";
import { type Address, plainAddress } from "../../model/Address.ts";
import { CellCounter, maxMerkleDepth } from "../../model/CellCounter.ts";
import { forwardFee } from "../../model/config/fees.ts";
import { ModelError } from "../../model/errors.ts";
import { noMoney, withCoins } from "../../model/Money.ts";
import { internalAddress } from "../../model/messageAddress.ts";
import {
  cellBudget,
  loadExtraRoot,
  loadShortestCoins,
  loadSkipped,
  skipCell,
  skipExternalAddress,
  skipInternalAddress,
  skipStateInit,
  skipStateInitWithLibraries,
} from "../../model/strict/schemes.ts";
import { TvmError } from "../errors.ts";
import type { Draft, InMessage } from "./Draft.ts";

export function receiverOf(message: Cell): Address {
  return readMessage(() => {
    const slice = sliceOf(message);
    if (!slice.loadBit()) {
      slice.skip(3);
      skipInternalAddress(slice);
    } else {
      if (slice.loadBit()) throw new TvmError("tvm/input", "an outbound external message has no destination account");
      skipExternalAddress(slice);
    }
    return plainAddress(internalAddress.load(slice));
  });
}

/** Takes the message in: its value waits to be credited, and one from outside pays for its import. */
export function* receive(draft: Draft, cell: Cell): Steps<void> {
  const message = readInMessage(cell);
  draft.message = message;
  if (message.isExternal) yield* receiveExternal(draft, message);
  else receiveInternal(draft, message);
  const { account, rules } = draft;
  if (account.isMasterchain && rules.blackhole === account.id && draft.messageBalance !== undefined)
    draft.messageBalance = withCoins(draft.messageBalance, 0n);
}

/** The message of a transaction. */
export function readInMessage(cell: Cell): InMessage {
  return readMessage(() => loadMessage(cell));
}

function readMessage<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof CellError || cause instanceof ModelError)) throw cause;
    throw new TvmError("tvm/input", `the message cannot be read: ${cause.message}`, { cause });
  }
}

function receiveInternal(draft: Draft, message: InMessage): void {
  // Before version 12 the field held a fee, which is the account's when nobody delivered the message faster.
  const refund = draft.rules.version >= 12 ? 0n : message.extraFlags;
  draft.messageBalance = withCoins(message.value, message.value.coins + refund);
  if (message.createdLt < draft.startLt) return;
  draft.startLt = message.createdLt + 1n;
  draft.endLt = draft.startLt + 1n;
}

function* receiveExternal(draft: Draft, message: InMessage): Steps<void> {
  const { rules, account } = draft;
  const { limits } = rules;
  if (rules.version >= 10 && message.dest.clone().loadUint(3) !== 4)
    throw rejected("its destination is not a plain address");
  if (message.cell.depth() > limits.maxExternalMessageDepth) throw rejected("it is too deep");
  const size = new CellCounter(limits.maxMessageCells);
  for (const ref of message.cell.refs()) yield* size.addInSteps(ref);
  if (size.bits > limits.maxMessageBits || size.cells > limits.maxMessageCells) throw rejected("it is too large");
  if (size.merkleDepth > maxMerkleDepth) throw rejected("its proofs are nested too deep");
  const prices = account.isMasterchain ? rules.forward.masterchain : rules.forward.basechain;
  const fee = account.isSpecial ? 0n : forwardFee(prices, size.cells, size.bits);
  if (draft.balance.coins < fee) throw rejected("the account cannot pay for its import");
  draft.balance = withCoins(draft.balance, draft.balance.coins - fee);
  draft.messageBalance = noMoney;
  draft.totalFees += fee;
}

function rejected(why: string): TvmError {
  return new TvmError("tvm/input", `an external message is rejected before any code runs: ${why}`);
}

function loadMessage(cell: Cell): InMessage {
  const slice = sliceOf(cell);
  const isExternal = slice.loadBit();
  if (isExternal && slice.loadBit())
    throw new TvmError("tvm/input", "an outbound external message starts no transaction");
  const flags = isExternal ? 0 : slice.loadUint(3);
  const src = loadSkipped(slice, isExternal ? skipExternalAddress : skipInternalAddress);
  const dest = loadSkipped(slice, skipInternalAddress);
  // The import fee of an external message has no meaning.
  if (isExternal) slice.loadCoins();
  return {
    cell,
    isExternal,
    bounce: (flags & 2) !== 0,
    bounced: (flags & 1) !== 0,
    src,
    dest,
    value: isExternal ? noMoney : { coins: getCoins(slice), extra: loadExtraRoot(slice) },
    extraFlags: isExternal ? 0n : getCoins(slice),
    fwdFee: isExternal ? 0n : getCoins(slice),
    createdLt: isExternal ? 0n : slice.loadBigUint(64),
    createdAt: isExternal ? 0 : slice.loadUint(32),
    init: loadInit(slice),
    body: loadBody(slice),
  };
}

function getCoins(slice: Slice): bigint {
  const coins = loadShortestCoins(slice);
  if (coins === undefined) throw new TvmError("tvm/input", "an amount with zeros in front");
  return coins;
}

function loadInit(slice: Slice): Cell | undefined {
  if (!slice.loadBit()) return undefined;
  const init = slice.loadBit() ? slice.loadRef() : loadSkipped(slice, skipStateInit).loadRest();
  skipCell(init, skipStateInitWithLibraries, cellBudget());
  return init;
}

function loadBody(slice: Slice): Slice {
  if (!slice.loadBit()) return slice;
  const body = slice.loadRef();
  slice.end();
  return sliceOf(body);
}
