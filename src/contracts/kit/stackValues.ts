import { beginCell } from "../../cell/Builder.ts";
import type { Cell } from "../../cell/Cell.ts";
import { type Address, accountOf, workchainOf } from "../../model/Address.ts";
import { type VmCellSlice, wholeSlice } from "../../model/vm/VmCellSlice.ts";
import type { VmValue } from "../../model/vm/VmValue.ts";

/* Arguments of get-methods. */

export function intValue(value: bigint): VmValue {
  return { kind: "int", value };
}

export function cellValue(cell: Cell): VmValue {
  return { kind: "cell", cell };
}

/** A whole cell as a slice. */
export function sliceValue(cell: Cell): VmValue {
  return partValue(wholeSlice(cell));
}

export function partValue(slice: VmCellSlice): VmValue {
  return { kind: "slice", slice };
}

// addr_std$10 anycast:(Maybe Anycast) workchain_id:int8 address:bits256 = MsgAddressInt;
export function addressValue(address: Address): VmValue {
  const builder = beginCell().storeUint(4, 3).storeInt(workchainOf(address), 8).storeHex(accountOf(address));
  return sliceValue(builder.cell());
}
