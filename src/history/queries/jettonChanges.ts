import { readRoot } from "../../cell/boc.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { isCoded } from "../../lib/errors.ts";
import type { Address } from "../../model/Address.ts";
import type { FullTransaction } from "./fill/FullTransaction.ts";

/** Owner and master of a jetton wallet. */
export interface HeldJetton {
  readonly owner: Address;
  readonly jetton: Address;
}

/** Amounts by owner, then by jetton. */
export type JettonChanges = ReadonlyMap<Address, ReadonlyMap<Address, bigint>>;

const bounced = 0xffffffff;

/**
 * The effect of an accepted message on the wallet's balance; minters also mint by `internal_transfer`. All of them
 * begin with op:uint32 query_id:uint64 amount:(VarUInteger 16).
 */
const signs: ReadonlyMap<number, bigint> = new Map([
  [0x0f8a7ea5, -1n], // transfer
  [0x178d4519, 1n], // internal_transfer
  [0x595f07bc, -1n], // burn
]);

/** Messages of a wallet that give the amount back when they bounce. */
const returned: ReadonlySet<number> = new Set([
  0x178d4519, // internal_transfer
  0x7bdd97de, // burn_notification
]);

/** The change of a wallet's balance by a successful transaction. */
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
    // The author of the wallet's code may give these opcodes another meaning.
    if (isCoded(error)) return 0n;
    throw error;
  }
}

/** Whether a transaction may change a jetton wallet's balance, judged by its message alone. */
export function mayChangeWallet({ inMessage }: FullTransaction): boolean {
  const opcode = (inMessage?.row.opcode ?? 0) >>> 0;
  return opcode === bounced || signs.has(opcode);
}

/** Changes of owners by changes of their wallets, without those that cancel out. */
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
