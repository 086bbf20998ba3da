/**
 * Where the rows of a table are when the database is a Citus cluster: divided by a column over the workers, copied to
 * every machine, or on the coordinator alone. What grows with the chain is distributed; what the writer alone needs,
 * and what must be seen together with the checkpoint, is on the coordinator; what every answer looks up and few blocks
 * change is on every machine. Every unique key of a distributed table contains its column.
 */
export type Placement<Column extends string = string> =
  | { readonly kind: "distributed"; readonly by: Column; readonly group: DistributionGroup }
  | { readonly kind: "reference" }
  | { readonly kind: "local" };

/** Tables of one group with the same value in their column have these rows on the same machine. */
export type DistributionGroup = "bytes" | "seqno";

export function distributedBy<Column extends string>(by: Column) {
  return { kind: "distributed", by, group: "bytes" } as const;
}

export function distributedBySeqno<Column extends string>(by: Column) {
  return { kind: "distributed", by, group: "seqno" } as const;
}

export const onEveryMachine = { kind: "reference" } as const;
export const onCoordinator = { kind: "local" } as const;
