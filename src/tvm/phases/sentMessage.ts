import { beginCell } from "../../cell/Builder.ts";
import { CellError } from "../../cell/base/errors.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../cell/Slice.ts";
import { type Money, storeMoney } from "../../model/Money.ts";
import type { OutMessage } from "../../model/strict/OutMessage.ts";

export function withInitApart(message: OutMessage): OutMessage {
  const state = message.init.clone().skip(2).loadRest();
  return { ...message, init: sliceOf(beginCell().storeUint(3, 2).storeRef(state).cell()) };
}

/** The same message with its body in a cell of its own; one that is there already, or empty, stays. */
export function withBodyApart(message: OutMessage): OutMessage {
  const body = message.body.clone();
  if (body.loadBit() || body.isEmpty) return message;
  return { ...message, body: sliceOf(beginCell().storeBit(true).storeRef(body.loadRest()).cell()) };
}

export interface SentFields {
  readonly src: Slice;
  readonly dest: Slice;
  readonly ihrDisabled: boolean;
  readonly value: Money;
  readonly extraFlags: bigint;
  readonly fwdFee: bigint;
  readonly createdLt: bigint;
  readonly createdAt: number;
}

/** The message as it is sent; `undefined` when it does not fit into a cell. */
export function findSentMessage(message: OutMessage, sent: SentFields): Cell | undefined {
  const builder = beginCell();
  try {
    if (message.isExternal) {
      builder.storeUint(3, 2).storeSlice(sent.src).storeSlice(sent.dest);
    } else {
      const flags = (sent.ihrDisabled ? 4 : 0) | (message.bounce ? 2 : 0);
      builder.storeUint(flags, 4).storeSlice(sent.src).storeSlice(sent.dest);
      storeMoney(builder, sent.value).storeCoins(sent.extraFlags).storeCoins(sent.fwdFee);
    }
    builder.storeBigUint(sent.createdLt, 64).storeUint(sent.createdAt, 32);
    return builder.storeSlice(message.init).storeSlice(message.body).cell();
  } catch (error) {
    if (error instanceof CellError && error.code === "cell/overflow") return undefined;
    throw error;
  }
}
