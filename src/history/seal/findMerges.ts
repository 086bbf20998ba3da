import { type LtRange, type Partition, placeOf, rangeBits, type StoredPartition } from "./Partition.ts";

/**
 * Four small partitions are merged, and four of those again: a statement is planned for at most three of each width,
 * and a row is written again four times until its partition is as wide as it may be.
 */
const leastMerged = 4;

/** The partitions of one table by weight, in the order of logical times, with those that are not as obstacles. */
interface TablePartitions {
  readonly byWeight: readonly StoredPartition[];
  readonly others: readonly StoredPartition[];
}

/**
 * The merges of small partitions: the smallest aligned range that has enough of them, is finished and has no partition
 * of a fixed width.
 */
export async function findMerges(
  stored: readonly StoredPartition[],
  isMergeable: (range: LtRange) => Promise<boolean>,
): Promise<readonly Partition[]> {
  const merges: Partition[] = [];
  for (const parent of new Set(stored.map((each) => each.parent))) {
    const own = stored.filter((each) => each.parent === parent);
    const byWeight = own.filter((each) => rangeBits(each.place) !== undefined);
    const table = { byWeight, others: own.filter((each) => !byWeight.includes(each)) };
    for (let at = 0; at < byWeight.length; ) {
      const merge = await findMerge(table, at, isMergeable);
      if (merge !== undefined) merges.push(merge);
      at += merge?.sources.length ?? 1;
    }
  }
  return merges.sort((one, other) => (one.from < other.from ? -1 : 1));
}

/** The merge that begins with a partition. */
async function findMerge(
  { byWeight, others }: TablePartitions,
  at: number,
  isMergeable: (range: LtRange) => Promise<boolean>,
): Promise<Partition | undefined> {
  const first = byWeight[at];
  const before = byWeight[at - 1];
  if (first === undefined) return undefined;
  const { parent, column } = first;
  for (let bits = (rangeBits(first.place) ?? 0) + 1; bits <= maxBits; bits++) {
    const from = (first.from >> BigInt(bits)) << BigInt(bits);
    const range = { from, to: from + (1n << BigInt(bits)) };
    const isApart = others.every((each) => each.to <= range.from || each.from >= range.to);
    if (!isApart || (before !== undefined && before.from >= from)) return undefined;
    const inside = byWeight.slice(at).filter((each) => each.from < range.to);
    if (inside.length < leastMerged) continue;
    if (!(await isMergeable(range))) return undefined;
    return { parent, column, ...range, place: placeOf(from, bits), sources: inside.map(({ place }) => place) };
  }
  return undefined;
}

/** As wide as partitions of a fixed width. */
const maxBits = 42;
