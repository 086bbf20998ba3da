/**
 * Statements of a commit, or of a join of segments, find a few rows by their keys. Without statistics, as in a new
 * partition, PostgreSQL takes the keys for a large share of the table and reads all of it. Holds until the end of the
 * transaction.
 */
export const useIndexes = "set local enable_seqscan = off";
