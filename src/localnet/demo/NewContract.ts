import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import { fromBase64 } from "../../lib/bytes.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { basechain } from "../../model/block/BlockId.ts";
import { StateInit } from "../../model/StateInit.ts";
import type { CompiledCode } from "../codes/walletCodes.ts";
import { plainInit } from "../genesis/genesis.ts";

/** A contract with its initial code and data, which define its address. */
export interface ContractInit {
  readonly address: Address;
  readonly init: StateInit;
}

export function makeContract(code: CompiledCode, data: Cell, workchain: number = basechain): ContractInit {
  const init = plainInit(codeCell(code), data);
  return { address: makeAddress(workchain, storeCell(StateInit, init).hash()), init };
}

export function codeCell({ boc }: CompiledCode): Cell {
  return readRoot(fromBase64(boc));
}
