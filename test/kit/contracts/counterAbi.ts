import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { AbiLibrary, type AbiTarget } from "../../../src/contracts/AbiLibrary.ts";
import type { Abi } from "../../../src/contracts/abi/Abi.ts";

/** An ABI of one's own with a message in and one out, of forms that no family has. */
export const counterAbi: Abi = {
  name: "counter",
  receives: [{ name: "add", tag: "#7e8764ef", fields: [{ name: "by", type: "coins" }] }],
  sends: [{ name: "told", tag: "#7e8764f0", fields: [{ name: "sum", type: "uint64" }] }],
};

export function addBody(by: bigint): Cell {
  return beginCell().storeUint(0x7e8764ef, 32).storeCoins(by).cell();
}

export function toldBody(sum: bigint): Cell {
  return beginCell().storeUint(0x7e8764f0, 32).storeBigUint(sum, 64).cell();
}

export function counterLibrary(target: Partial<AbiTarget>): AbiLibrary {
  const library = new AbiLibrary();
  library.add({ id: "counter", abi: counterAbi, target: { addresses: [], codeHashes: [], interfaces: [], ...target } });
  return library;
}
