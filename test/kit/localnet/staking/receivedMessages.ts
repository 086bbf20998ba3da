import type { Cell } from "../../../../src/cell/Cell.ts";
import type { Ledger } from "../../../../src/localnet/ledger/Ledger.ts";
import { type Address, makeAddress } from "../../../../src/model/Address.ts";
import { forEachTransaction } from "../../../../src/model/block/Block.ts";
import type { Hash } from "../../../../src/model/Hash.ts";
import { loadInCell } from "../../../../src/model/Message.ts";
import { Transaction } from "../../../../src/model/Transaction.ts";
import { listBlocks } from "../ledgerTransactions.ts";

/** A message that an account received, with the transaction that it caused. */
export interface ReceivedMessage {
  readonly kind: "message";
  readonly to: Address;
  readonly from: Address;
  readonly value: bigint;
  readonly body: Cell;
  readonly at: number;
  readonly hash: Hash;
  readonly lt: bigint;
}

interface Tick {
  readonly kind: "tick";
  readonly to: Address;
  readonly at: number;
  readonly lt: bigint;
}

export interface ReceivingBlock {
  readonly workchain: number;
  /** By logical time. */
  readonly received: readonly (ReceivedMessage | Tick)[];
}

/** The internal messages and the ticks of each block. What they cause is not read. */
export function listReceived(ledger: Ledger): readonly ReceivingBlock[] {
  return listBlocks(ledger).map((block) => {
    const found: (ReceivedMessage | Tick)[] = [];
    const { workchain } = block.id;
    forEachTransaction(ledger.block(block), (cell) => {
      const { account, messages, now: at, lt, description } = loadInCell(Transaction, cell);
      const to = makeAddress(workchain, account);
      const { info, body } = messages.in ?? {};
      if (description.kind === "tickTock") found.push({ kind: "tick", to, at, lt });
      if (info?.kind !== "internal" || body === undefined || info.bounced) return;
      const { src: from, value } = info;
      if (typeof from !== "string") return;
      found.push({ kind: "message", to, from, value: value.coins, body, at, hash: cell.hash(), lt });
    });
    return { workchain, received: found.sort((a, b) => (a.lt < b.lt ? -1 : 1)) };
  });
}
