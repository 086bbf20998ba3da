import { accountAddress } from "../../kit/addressFields.ts";
import { group } from "../../kit/declare.ts";
import { bool, cellRef, coins, ref } from "../../kit/fields.ts";
import { quietQueryBody } from "../../kit/queryBody.ts";
import { coffeeAsset, coffeePoolParams } from "./messages.ts";

// The service reads these bodies only so far: fields that later versions of the protocol added do not matter.

export const swapSucceeded = quietQueryBody("coffee_swap_succeeded", 0xc0ffee30, {
  input: coffeeAsset,
  inputAmount: coins,
  outputAmount: coins,
  inputReserve: coins,
  outputReserve: coins,
});

export const depositoryRequest = quietQueryBody("coffee_create_liquidity_depository_request", 0xc0ffee27, {
  amount: coins,
  params: ref(group({ recipient: accountAddress, useRecipientOnFailure: bool })),
  poolParams: ref(coffeePoolParams),
  sender: accountAddress,
  proof: cellRef,
});
