import { beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { storeAddress } from "../../../src/localnet/demo/body.ts";
import { makeComment } from "../../../src/localnet/wallets/transfer.ts";
import type { Address } from "../../../src/model/Address.ts";

export interface JettonTransfer {
  readonly to: Address;
  readonly amount: bigint;
  readonly comment: string;
}

// transfer#0f8a7ea5 query_id:uint64 amount:Coins destination:MsgAddress response_destination:MsgAddress
//   custom_payload:(Maybe ^Cell) forward_ton_amount:Coins forward_payload:(Either Cell ^Cell)
/** The message of a jetton owner to its jetton wallet. */
export function jettonTransferBody({ to, amount, comment }: JettonTransfer): Cell {
  const start = beginCell().storeUint(0x0f8a7ea5, 32).storeBigUint(7n, 64).storeCoins(amount);
  return storeAddress(storeAddress(start, to), to)
    .storeBit(false)
    .storeCoins(1n)
    .storeBit(true)
    .storeRef(makeComment(comment))
    .cell();
}
