import type { BlockCreateStats, CreatorStats } from "../../model/block/McStateExtra.ts";
import { type Hash, zeroHash } from "../../model/Hash.ts";

type Stats = Extract<BlockCreateStats, { readonly kind: "plain" }>;
type Counters = CreatorStats["mcBlocks"];

const unit = 1n << 32n;
const none: Counters = { lastUpdated: 0, total: 0n, count2048: 0n, count65536: 0n };
const precision = 96n;
const one = 1n << precision;

/** e^(-x / 65536) as a fraction of 2^96, by its series; x is less than 2^16 times a small number of units. */
function decay(x: bigint): bigint {
  let term = one;
  let sum = one;
  for (let k = 1n; term !== 0n && k < 400n; k++) {
    term = (-term * x) / (65536n * k);
    sum += term;
  }
  return sum < 0n ? 0n : sum;
}

/** A decaying counter: multiplied by e^(-elapsed / period), rounded. */
function fade(count: bigint, elapsed: number, period: 2048 | 65536): bigint {
  if (elapsed >= 48 * period) return 0n;
  const x = BigInt(elapsed) * BigInt(65536 / period);
  // Long gaps are processed in steps, so that the series stays short.
  let value = count << 16n;
  for (let left = x; left > 0n; left -= 131072n) value = (value * decay(left < 131072n ? left : 131072n)) >> precision;
  return (value + (1n << 15n)) >> 16n;
}

function increased(counters: Counters, count: number, now: number): Counters {
  const scaled = BigInt(count) * unit;
  if (counters.total === 0n) return { lastUpdated: now, total: BigInt(count), count2048: scaled, count65536: scaled };
  const elapsed = Math.max(0, now - counters.lastUpdated);
  return {
    lastUpdated: now,
    total: counters.total + BigInt(count),
    count2048: fade(counters.count2048, elapsed, 2048) + scaled,
    count65536: fade(counters.count65536, elapsed, 65536) + scaled,
  };
}

/**
 * Counts the creators of blocks: that of the masterchain block, those of its new shard blocks, and all under key zero.
 */
export function countBlocks(stats: Stats, master: Hash, shardMakers: readonly Hash[], now: number): Stats {
  let { counters } = stats;
  const count = (key: Hash, mc: number, shard: number): void => {
    const before = counters.find(key) ?? { mcBlocks: none, shardBlocks: none };
    counters = counters.set(key, {
      mcBlocks: mc > 0 ? increased(before.mcBlocks, mc, now) : before.mcBlocks,
      shardBlocks: shard > 0 ? increased(before.shardBlocks, shard, now) : before.shardBlocks,
    });
  };
  for (const maker of new Set([master, ...shardMakers]))
    count(maker, maker === master ? 1 : 0, shardMakers.filter((other) => other === maker).length);
  count(zeroHash, 1, shardMakers.length);
  return { ...stats, counters };
}
