import type { Address } from "../../../model/Address.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { call, cellOf, coinsOf, destinationOf, known, noMatch, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { jettonTransfer, payloadOpcode } from "../jetton/actions.ts";
import { isCall } from "../transfer/blocks.ts";
import { coffeeMevProtectFailedSwap, coffeeMevProtectHoldFunds, coffeeServiceFee } from "./messages.ts";

/** Money held so that nobody can get in ahead of a swap. */
interface Protection {
  readonly source: Address | undefined;
  readonly sourceWallet: Address | undefined;
  readonly contract: Address;
  readonly asset: Address | undefined;
  readonly amount: bigint;
}

function partiesOf({ source, sourceWallet, contract }: Protection) {
  return { source, sourceSecondary: sourceWallet, destination: contract };
}

export const coffeeHoldFunds = kind<Protection>({
  type: "coffee_mev_protect_hold_funds",
  showsParts: true,
  parties: partiesOf,
  details: (f) => ({
    source: f.address((p) => p.source),
    source_jetton_wallet: f.address((p) => p.sourceWallet),
    mev_contract: f.address((p) => p.contract),
    mev_contract_jetton_wallet: f.none(),
    asset: f.address((p) => p.asset),
    amount: f.amount((p) => p.amount),
  }),
});

export const coffeeFailedSwap = kind<undefined>({
  type: "coffee_mev_protect_failed_swap",
  showsParts: true,
  details: (f) => ({ error: f.fixed("unsupported action type: 'coffee_mev_protect_failed_swap'") }),
});

/** A message with the opcode, or jettons whose payload begins with it. */
function carries(opcode: number): (block: TraceNode) => boolean {
  return (block) => {
    if (isCall(block)) return block.data.opcode === opcode;
    return isKind(block, jettonTransfer) && payloadOpcode(block.data) === opcode;
  };
}

function readProtection(block: TraceNode): Protection {
  if (isKind(block, jettonTransfer)) {
    const { sender, senderWallet, receiver, asset, amount } = block.data;
    return { source: sender, sourceWallet: senderWallet, contract: receiver, asset, amount };
  }
  if (!isCall(block)) throw noMatch("neither a message nor a transfer");
  const [source, contract] = [block.data.source, destinationOf(block)];
  return { source, sourceWallet: undefined, contract, asset: undefined, amount: coinsOf(block) };
}

/** The fee of the service, paid beside it. */
const withFee = where((): boolean => true, { optional: true, child: call(coffeeServiceFee) });

const held = where(carries(coffeeMevProtectHoldFunds.opcode), { parent: withFee });

export const coffeeHoldFundsMatcher = matcher({
  name: coffeeHoldFunds.name,
  pattern: held,
  build: (match) => made(coffeeHoldFunds, readProtection(match.get(held))),
});
const failedSwap = where(carries(coffeeMevProtectFailedSwap.opcode));

export const coffeeFailedSwapMatcher = matcher({
  name: coffeeFailedSwap.name,
  pattern: failedSwap,
  build: (match) => {
    const block = match.get(failedSwap);
    const order = isKind(block, jettonTransfer) ? block.data.forwardPayload : cellOf(block);
    known(coffeeMevProtectFailedSwap.find(known(order)));
    return made(coffeeFailedSwap, undefined);
  },
});
