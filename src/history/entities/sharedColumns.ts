import { address, hash, int8, nullable } from "../store/schema/columns.ts";

/** A contract with its own list, in the order in which contracts were first seen. */
export const listedColumns = {
  address: address,
  id: int8,
};

/** The account state that a row was read from. */
export const stateColumns = {
  codeHash: hash,
  dataHash: hash,
  lastTransactionLt: int8,
};

/** Like `stateColumns`, for tables whose hashes may be missing. */
export const nullableStateColumns = {
  codeHash: nullable(hash),
  dataHash: nullable(hash),
  lastTransactionLt: int8,
};
