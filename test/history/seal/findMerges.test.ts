import { describe, expect, it } from "vitest";
import { findMerges } from "../../../src/history/seal/findMerges.ts";
import { placeOf, rangeBits, type StoredPartition } from "../../../src/history/seal/Partition.ts";

/** Logical times of the main network in a day. */
const ltsOfDay = 70n * 10n ** 9n;
/** Partitions that are made between two looks for merges. */
const madeBetween = 8;

function partitionAt(from: bigint, bits: number): StoredPartition {
  const range = { from, to: from + (1n << BigInt(bits)) };
  return { parent: "transactions", column: "lt", place: placeOf(from, bits), ...range, isSealed: true };
}

/**
 * The partitions after so many days whose new ones have 2^bits logical times, and the most that there were at a time.
 */
async function keepIndexing(days: bigint, bits: number) {
  const width = 1n << BigInt(bits);
  const begin = 1n << 45n;
  let stored: readonly StoredPartition[] = [];
  let most = 0;
  for (let end = begin; end < begin + days * ltsOfDay; ) {
    const made = Array.from({ length: madeBetween }, (_, at) => partitionAt(end + BigInt(at) * width, bits));
    end += BigInt(madeBetween) * width;
    stored = [...stored, ...made];
    most = Math.max(most, stored.length);
    const isFinished = ({ to }: { readonly to: bigint }) => Promise.resolve(to <= end - width);
    for (;;) {
      const [merge] = await findMerges(stored, isFinished);
      if (merge === undefined) break;
      const left = stored.filter(({ place }) => !merge.sources.includes(place));
      const wide = partitionAt(merge.from, rangeBits(merge.place) ?? 0);
      stored = [...left, wide].sort((one, other) => (one.from < other.from ? -1 : 1));
    }
  }
  return { stored, most };
}

describe("merges of small partitions", () => {
  it.each([
    ["half a million transactions in 2^31 logical times", 31],
    ["half a million transactions in 2^33 logical times", 33],
  ])("leave few partitions after a year of the main network, with %s", async (_, bits) => {
    const { stored, most } = await keepIndexing(365n, bits);
    expect(most).toBeLessThanOrEqual(25);
    expect(stored.filter(({ place }) => rangeBits(place) === 42).length).toBe(5);
    // Nothing is missing and nothing is there twice.
    for (const [at, { to }] of stored.entries()) expect(stored[at + 1]?.from ?? to).toBe(to);
  });
});
