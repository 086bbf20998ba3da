import { accountAddress } from "../../kit/addressFields.ts";
import { group, quietBody } from "../../kit/declare.ts";
import { bool, cellRef, coins, queryId, ref } from "../../kit/fields.ts";
import { coffeeAsset, coffeePoolParams } from "./messages.ts";

// The service reads these bodies only so far: fields that later versions of the protocol added do not matter.

export const swapSucceeded = quietBody("coffee_swap_succeeded", 0xc0ffee30, {
  queryId,
  input: coffeeAsset,
  inputAmount: coins,
  outputAmount: coins,
  inputReserve: coins,
  outputReserve: coins,
});

export const depositoryRequest = quietBody("coffee_create_liquidity_depository_request", 0xc0ffee27, {
  queryId,
  amount: coins,
  params: ref(group({ recipient: accountAddress, useRecipientOnFailure: bool })),
  poolParams: ref(coffeePoolParams),
  sender: accountAddress,
  proof: cellRef,
});
