import { type Body, bareOpcodes, body } from "../../kit/declare.ts";
import { rest } from "../../kit/fields.ts";
import { currency } from "../../kit/messageFields.ts";
import { queryBody } from "../../kit/queryBody.ts";

export const paymentRequest = queryBody("payment_request", 0x706c7567, { amount: currency });
export const paymentConfirmed = queryBody("payment_confirmed", 0xf06c7567);
export const subscriptionPayment = body("subscription_payment", 0x73756273, { rest });

/** Known by name only. */
const bare = bareOpcodes({
  subscription_fallback: 0x756e6b77,
  subscription_deploy: 0xf71783cb,
  subscription_reduce_payment: 0x508238ec,
});

/** In the order they are tried. */
export const subscriptionsBodies: readonly Body<unknown>[] = [
  paymentRequest,
  paymentConfirmed,
  subscriptionPayment,
  ...bare,
];
