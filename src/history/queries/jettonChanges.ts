import { readRoot } from "../../cell/boc.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Address } from "../../model/Address.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";

/** Whose jettons a wallet holds, and which. */
export interface HeldJetton {
  readonly owner: Address;
  readonly jetton: Address;
}

/** Amounts by owner, then by jetton. */
export type JettonChanges = ReadonlyMap<Address, ReadonlyMap<Address, bigint>>;

const bounced = 0xffffffff;

/**
 * What a message that its wallet takes does to the wallet's balance; minters mint by `internal_transfer`, too. All of
 * them begin with op:uint32 query_id:uint64 amount:(VarUInteger 16).
 */
const signs: ReadonlyMap<number, bigint> = new Map([
  [0x0f8a7ea5, -1n], // transfer
  [0x178d4519, 1n], // internal_transfer
  [0x595f07bc, -1n], // burn
]);

/** What a wallet gets back when whom it sent this does not take it. */
const returned: ReadonlySet<number> = new Set([
  0x178d4519, // internal_transfer
  0x7bdd97de, // burn_notification
]);

/** How much a wallet's balance changes by a transaction of it that came off. */
export function walletChange({ row, inMessage }: FullTransaction): bigint {
  const { opcode } = inMessage?.row ?? {};
  const boc = inMessage?.body?.boc;
  if (row.aborted || opcode === undefined || boc === undefined) return 0n;
  const isBounced = opcode >>> 0 === bounced;
  if (!isBounced && !signs.has(opcode >>> 0)) return 0n;
  try {
    const body = sliceOf(readRoot(boc)).skip(32);
    if (isBounced && !returned.has(body.loadUint(32))) return 0n;
    const amount = body.skip(64).loadCoins();
    return isBounced ? amount : (signs.get(opcode >>> 0) ?? 0n) * amount;
  } catch (error) {
    // Whoever wrote the wallet's code may give these numbers another meaning.
    if (isCoded(error)) return 0n;
    throw error;
  }
}

/** Whether a transaction may be one that changes a jetton wallet's balance, by its message alone. */
export function mayChangeWallet({ inMessage }: FullTransaction): boolean {
  const opcode = (inMessage?.row.opcode ?? 0) >>> 0;
  return opcode === bounced || signs.has(opcode);
}

/** What owners won and lost by what happened to their wallets; who lost as much as they won is not there. */
export function sumJettonChanges(
  transactions: readonly FullTransaction[],
  wallets: ReadonlyMap<Address, HeldJetton>,
): JettonChanges {
  const changes = new Map<Address, Map<Address, bigint>>();
  for (const transaction of transactions) {
    const wallet = wallets.get(transaction.row.account);
    const change = wallet === undefined ? 0n : walletChange(transaction);
    if (wallet === undefined || change === 0n) continue;
    const own = changes.get(wallet.owner) ?? new Map<Address, bigint>();
    const sum = (own.get(wallet.jetton) ?? 0n) + change;
    changes.set(wallet.owner, own.set(wallet.jetton, sum));
  }
  return withoutZeros(changes);
}

function withoutZeros(changes: JettonChanges): JettonChanges {
  const kept = [...changes].map(([owner, own]) => [owner, new Map([...own].filter(([, sum]) => sum !== 0n))] as const);
  return new Map(kept.filter(([, own]) => own.size > 0));
}
