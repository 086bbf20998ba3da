import { expect } from "vitest";
import { ChainView } from "../../../src/localnet/ledger/ChainView.ts";
import type { Ledger } from "../../../src/localnet/ledger/Ledger.ts";
import { type Address, plainAddress } from "../../../src/model/Address.ts";
import type { Hash } from "../../../src/model/Hash.ts";
import type { Message } from "../../../src/model/Message.ts";
import { checkBlock } from "./check/checkBlock.ts";
import { listBlocks, listTransactions } from "./ledgerTransactions.ts";

interface Internal {
  readonly src: Address;
  readonly dest: Address;
  readonly createdLt: bigint;
}

function internal({ info }: Message): Internal | undefined {
  if (info.kind !== "internal") return undefined;
  return { src: plainAddress(info.src), dest: plainAddress(info.dest), createdLt: info.createdLt };
}

const nobody = `-1:${"0".repeat(64)}`;

/** Checks that every internal message is received once, and messages between two accounts in sending order. */
export function checkDelivery(ledger: Ledger): { readonly delivered: number } {
  const sent = new Set<Hash>();
  const received = new Map<Hash, Internal>();
  const lastLt = new Map<string, bigint>();
  for (const { messages } of listTransactions(ledger)) {
    for (const message of messages.out.values()) if (internal(message) !== undefined) sent.add(message.cell.hash());
    const arrived = messages.in === undefined ? undefined : internal(messages.in);
    if (messages.in === undefined || arrived === undefined || arrived.src === nobody) continue;
    const hash = messages.in.cell.hash();
    expect(received.has(hash)).toBe(false);
    received.set(hash, arrived);
    const way = `${arrived.src} ${arrived.dest}`;
    expect(arrived.createdLt).toBeGreaterThan(lastLt.get(way) ?? -1n);
    lastLt.set(way, arrived.createdLt);
  }
  expect(new Set(received.keys())).toEqual(sent);
  return { delivered: received.size };
}

/**
 * Checks that the balances of all accounts and the fees of validators add up to the supply. No message may be in
 * transit.
 */
export function checkTotals(ledger: Ledger): void {
  const view = new ChainView(ledger);
  expect(view.hasQueued).toBe(false);
  const totals = [view.head, ...view.topIds()].map((id) => view.state(id).totals.load());
  const inAccounts = totals.reduce((sum, { totalBalance }) => sum + totalBalance.coins, 0n);
  const owed = totals[0]?.totalValidatorFees.coins ?? 0n;
  expect(inAccounts + owed).toBe(view.masterExtra().globalBalance.coins);
}

/** Checks every block like a validator. */
export function checkBlocks(ledger: Ledger): void {
  for (const block of listBlocks(ledger)) checkBlock(ledger.root(block));
}
