import type { Cell } from "../cell/Cell.ts";
import { type Slice, sliceOf } from "../cell/Slice.ts";
import type { Address } from "../model/Address.ts";
import { anyAddress } from "../model/messageAddress.ts";
import { openSlice } from "../model/VmCellSlice.ts";
import type { VmStack, VmStackValue } from "../model/VmStack.ts";
import { ChainError } from "./errors.ts";

/*
 * What get-methods of tokens give, read by place. What is not there or of another kind means that the contract is not what
 * it was taken for, and is refused as such.
 */

function notThat(what: string, found: VmStackValue | undefined): ChainError {
  return new ChainError("chain/not-token", `a ${found?.kind ?? "missing value"} where ${what} belongs`);
}

export function intAt(stack: VmStack, index: number): bigint {
  const found = stack[index];
  if (found?.kind !== "int") throw notThat("a number", found);
  return found.value;
}

export function cellAt(stack: VmStack, index: number): Cell {
  const found = stack[index];
  if (found?.kind !== "cell") throw notThat("a cell", found);
  return found.cell;
}

/** Addresses come in slices and, from some contracts, in cells. */
function openedAt(stack: VmStack, index: number): Slice {
  const found = stack[index];
  if (found?.kind === "slice") return openSlice(found.slice);
  if (found?.kind === "cell") return sliceOf(found.cell);
  throw notThat("an address", found);
}

/** An account, or nobody; addresses of any other kind are refused. */
export function findAddressAt(stack: VmStack, index: number): Address | undefined {
  const found = anyAddress.load(openedAt(stack, index));
  if (found === undefined || typeof found === "string") return found;
  throw new ChainError("chain/not-token", "an address that is none of an account");
}

export function addressAt(stack: VmStack, index: number): Address {
  const found = findAddressAt(stack, index);
  if (found === undefined) throw new ChainError("chain/not-token", "no address where one belongs");
  return found;
}
