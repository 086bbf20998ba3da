import { type Address, makeAddress } from "../../../model/Address.ts";
import { address, partyAddress } from "../../kit/addressFields.ts";
import { type BodyField, type FieldValue, group, quietBody } from "../../kit/declare.ts";
import { bits256, cellRef, coins, maybeRef, ref } from "../../kit/fields.ts";
import { quietQueryBody } from "../../kit/queryBody.ts";
import { dedustAsset, dedustPoolParams } from "./messages.ts";

/** An asset as the service reads it: every kind but TON is a jetton. */
const servedAsset: BodyField<FieldValue<typeof dedustAsset>> = {
  ...dedustAsset,
  load: (s) => {
    if (s.loadUint(4) === 0) return { kind: "native" };
    return { kind: "jetton", workchainId: s.loadInt(8), address: bits256.load(s) };
  },
};

// swap#9c610de3 asset_in:Asset asset_out:Asset amount_in:Coins amount_out:Coins
//   ^[ sender:addr referral:addr reserve0:Coins reserve1:Coins ], to the outside
export const dedustSwapEvent = quietBody("dedust_swap_event", 0x9c610de3, {
  assetIn: servedAsset,
  assetOut: servedAsset,
  amountIn: coins,
  amountOut: coins,
  context: ref(group({ sender: address, referral: address, reserve0: coins, reserve1: coins })),
});

const targets = { minLpAmount: coins, asset0TargetBalance: coins, asset1TargetBalance: coins };

// The proofs in these bodies are not checked: the service skips them.
export const depositTonToVault = quietQueryBody("dedust_deposit_ton", 0xd55e4686, {
  amount: coins,
  poolParams: dedustPoolParams,
  targets: ref(group(targets)),
});
export const depositJettonPayload = quietBody("dedust_deposit_jetton_payload", 0x40e108d6, {
  poolParams: dedustPoolParams,
  ...targets,
});
export const depositToPool = quietQueryBody("dedust_deposit_to_pool", 0xb56b9598, {
  proof: cellRef,
  ownerAddr: partyAddress,
  minLpAmount: coins,
  assets: ref(group({ asset0: dedustAsset, asset0Amount: coins, asset1: dedustAsset, asset1Amount: coins })),
  fulfillPayload: maybeRef,
  rejectPayload: maybeRef,
});
export const payOutFromPool = quietQueryBody("dedust_pay_out_from_pool", 0xad4eb6f5, { proof: cellRef, amount: coins });

/** Deploys the contract that collects both sides of a deposit. */
export const dedustInstallDeposit = 0x9b3aa3fa;

/** The jetton of an asset; none for TON. */
export function dedustJettonOf(asset: FieldValue<typeof dedustAsset>): Address | undefined {
  return asset.kind === "native" ? undefined : makeAddress(asset.workchainId, asset.address);
}
