import { type Body, bareOpcode, body } from "../../kit/declare.ts";
import { queryId, rest } from "../../kit/fields.ts";
import { currency } from "../../kit/messageFields.ts";

export const paymentRequest = body("payment_request", 0x706c7567, { queryId, amount: currency });
export const paymentConfirmed = body("payment_confirmed", 0xf06c7567, { queryId });
export const subscriptionPayment = body("subscription_payment", 0x73756273, { rest });
export const subscriptionFallback = bareOpcode("subscription_fallback", 0x756e6b77);
export const subscriptionDeploy = bareOpcode("subscription_deploy", 0xf71783cb);
export const subscriptionReducePayment = bareOpcode("subscription_reduce_payment", 0x508238ec);

/** In the order they are tried. */
export const subscriptionsBodies: readonly Body<unknown>[] = [
  paymentRequest,
  paymentConfirmed,
  subscriptionPayment,
  subscriptionFallback,
  subscriptionDeploy,
  subscriptionReducePayment,
];
