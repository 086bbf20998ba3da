import { type Address, makeAddress } from "../../../model/Address.ts";
import { address } from "../../kit/addressFields.ts";
import { type FieldValue, group, quietBody } from "../../kit/declare.ts";
import { coins, ref } from "../../kit/fields.ts";
import { dedustAsset } from "./messages.ts";

// swap#9c610de3 asset_in:Asset asset_out:Asset amount_in:Coins amount_out:Coins
//   ^[ sender:addr referral:addr reserve0:Coins reserve1:Coins ], to the outside
export const dedustSwapEvent = quietBody("dedust_swap_event", 0x9c610de3, {
  assetIn: dedustAsset,
  assetOut: dedustAsset,
  amountIn: coins,
  amountOut: coins,
  context: ref(group({ sender: address, referral: address })),
});

/** Deploys the contract that gathers both sides of a deposit. */
export const dedustInstallDeposit = 0x9b3aa3fa;

/** The jetton of an asset; none for TON. */
export function jettonOf(asset: FieldValue<typeof dedustAsset>): Address | undefined {
  return asset.kind === "native" ? undefined : makeAddress(asset.workchainId, asset.address);
}
