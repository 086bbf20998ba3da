/** A partition of a table. */
export interface Partition {
  readonly parent: string;
  readonly place: number;
  /** The column by which the table is partitioned, and its values: from `from` on, below `to`. */
  readonly column: string;
  readonly from: bigint;
  readonly to: bigint;
}

export const tableOf = ({ parent, place }: Pick<Partition, "parent" | "place">): string => `${parent}_p${place}`;

/** The table that takes the place of a partition when it is complete. */
export const copyOf = (partition: Pick<Partition, "parent" | "place">): string => `${tableOf(partition)}_copy`;
