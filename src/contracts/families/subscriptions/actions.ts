import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { cellOf, coinsOf, destinationOf, sourceOf } from "../../engine/messageParts.ts";
import { call } from "../../engine/pattern.ts";
import { walletPluginDestruct } from "../wallet/messages.ts";
import { paymentConfirmed, paymentRequest, subscriptionPayment } from "./messages.ts";

interface Subscription {
  readonly subscriber: Address;
  readonly beneficiary: Address | undefined;
  readonly subscription: Address;
  readonly amount: bigint | undefined;
}

function partiesOf({ subscriber, beneficiary, subscription }: Subscription) {
  return { source: subscriber, destination: beneficiary, destinationSecondary: subscription };
}

export const subscribe = kind<Subscription>({
  type: "subscribe",
  parties: partiesOf,
  details: (f) => ({
    subscriber: f.address("Address of the account that pays.", (s) => s.subscriber),
    beneficiary: f.whenKnown(f.address("Address of the account that is paid.", (s) => s.beneficiary)),
    subscription: f.address("Address of the contract of the subscription.", (s) => s.subscription),
    amount: f.amount("Payment in nanocoins.", (s) => s.amount),
  }),
});

export const unsubscribe = kind<Subscription>({
  type: "unsubscribe",
  parties: partiesOf,
  details: (f) => ({
    subscriber: f.address("Address of the account that pays.", (s) => s.subscriber),
    beneficiary: f.whenKnown(f.address("Address of the account that is paid.", (s) => s.beneficiary)),
    subscription: f.address("Address of the contract of the subscription.", (s) => s.subscription),
    amount: f.whenKnown(f.amount("Coins that go back, in nanocoins; absent if unknown.", (s) => s.amount)),
  }),
});

const payment = call(subscriptionPayment);
const request = call(paymentRequest, { optional: true });
const confirmed = call(paymentConfirmed, { child: payment, parent: request });

export const subscribeMatcher = matcher({
  name: "subscribe",
  pattern: confirmed,
  build: (match) => {
    const node = match.get(confirmed);
    const callNode = match.find(request);
    const data = {
      subscriber: sourceOf(node),
      beneficiary: destinationOf(match.get(payment)),
      subscription: destinationOf(node),
      // query_id:uint64 amount:Coins
      amount: callNode === undefined ? coinsOf(node) : sliceOf(cellOf(callNode)).skip(96).loadCoins(),
    };
    return made(subscribe, data, { failed: callNode?.failed ?? false });
  },
});

const passedOn = call(walletPluginDestruct, { optional: true });
const removed = call(walletPluginDestruct, { child: passedOn });

export const unsubscribeMatcher = matcher({
  name: "unsubscribe",
  pattern: removed,
  build: (match) => {
    const node = match.get(removed);
    const data = {
      subscriber: sourceOf(node),
      beneficiary: match.find(passedOn)?.data.destination,
      subscription: destinationOf(node),
      amount: undefined,
    };
    return made(unsubscribe, data);
  },
});
