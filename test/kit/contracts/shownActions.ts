import { type FactMaps, makeFacts } from "../../../kit/contracts/corpusFacts.ts";
import { type Builder, beginCell } from "../../../src/cell/Builder.ts";
import type { Cell } from "../../../src/cell/Cell.ts";
import { classify } from "../../../src/contracts/classify.ts";
import { storeAddress } from "../../../src/contracts/kit/knownAnswer.ts";
import type { Address } from "../../../src/model/Address.ts";
import type { Trace } from "../../../src/model/Trace.ts";
import type { Step } from "../model/testTrace.ts";

/** An address as details have it. */
export function raw(address: Address): string {
  return address.toUpperCase();
}

/** Everything of the actions of a trace but ids, times and transactions. */
export function describeActions(trace: Trace, facts: FactMaps) {
  return classify(trace, makeFacts(facts)).actions.map(({ type, success, ancestors, details }) => ({
    type,
    success,
    ancestors,
    details,
  }));
}

/** A body with an opcode, a query id and further fields. */
export function bodyWith(opcode: number, store: (builder: Builder) => Builder): Cell {
  return store(beginCell().storeUint(opcode, 32).storeBigUint(7n, 64)).cell();
}

export interface SentJettons {
  readonly from: { readonly wallet: Address };
  readonly to: { readonly owner: Address; readonly wallet: Address };
  readonly amount: bigint;
  readonly payload?: Cell;
  readonly causes?: readonly Step[];
}

/** A transfer of jettons whose payload goes on to the receiver; without one nobody is notified. */
export function sendJettons({ from, to, amount, payload, causes = [] }: SentJettons): Step {
  const storePayload = (builder: Builder) =>
    payload === undefined ? builder.storeBit(false) : builder.storeBit(true).storeRef(payload);
  const order = bodyWith(0x0f8a7ea5, (b) =>
    storePayload(
      storeAddress(storeAddress(b.storeCoins(amount), to.owner), to.owner)
        .storeBit(false)
        .storeCoins(1n),
    ),
  );
  const arrival = bodyWith(0x178d4519, (b) =>
    storePayload(storeAddress(storeAddress(b.storeCoins(amount), to.owner), to.owner).storeCoins(1n)),
  );
  const notice = { to: to.owner, body: bodyWith(0x7362d09c, (b) => b.storeCoins(amount)), causes };
  return {
    to: from.wallet,
    body: order,
    causes: [{ to: to.wallet, body: arrival, causes: payload === undefined ? [] : [notice] }],
  };
}
