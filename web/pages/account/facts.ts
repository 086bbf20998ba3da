/** What kinds of contracts have facts of their own, by the interfaces that the index found. */
export type ContractKind = "jetton_wallet" | "multisig" | "order" | "vesting" | "sale" | "item" | "pool";

const kinds: readonly (readonly [start: string, kind: ContractKind])[] = [
  ["jetton_wallet", "jetton_wallet"],
  ["multisig_order", "order"],
  ["multisig", "multisig"],
  ["wallet_vesting", "vesting"],
  ["nft_sale", "sale"],
  ["nft_auction", "sale"],
  ["nft_item", "item"],
  ["teleitem", "item"],
  ["tv_pool", "pool"],
];

/** The kinds of an account, each once. */
export function kindsOf(interfaces: readonly string[]): readonly ContractKind[] {
  // The first kind counts: an order also has the beginning of a multisig wallet's name.
  const found = interfaces.flatMap((each) => kinds.find(([start]) => each.startsWith(start))?.[1] ?? []);
  return [...new Set(found)];
}

/** Times and amounts of a vesting wallet. */
export interface Schedule {
  readonly start: number;
  readonly duration: number;
  readonly period: number;
  readonly cliff: number;
  readonly amount: bigint;
}

/**
 * How much of the amount is still locked at a time: nothing is unlocked before the cliff, and then a part with every
 * whole period.
 */
export function lockedAt({ start, duration, period, cliff, amount }: Schedule, now: number): bigint {
  if (now >= start + duration) return 0n;
  if (now < start + cliff || period <= 0) return amount;
  const periods = BigInt(Math.floor((now - start) / period));
  const unlocked = (amount * periods * BigInt(period)) / BigInt(duration);
  return unlocked > amount ? 0n : amount - unlocked;
}

/** The points where the locked amount changes, for a picture; steps too many to see are drawn as a line. */
export function listSteps(schedule: Schedule): readonly (readonly [at: number, locked: bigint])[] {
  const { start, duration, period } = schedule;
  const count = Math.min(maxSteps, period <= 0 ? 1 : Math.ceil(duration / period));
  const times = Array.from({ length: count + 1 }, (_none, at) => start + Math.floor((duration * at) / count));
  return times.map((at) => [at, lockedAt(schedule, at)] as const);
}

const maxSteps = 120;
