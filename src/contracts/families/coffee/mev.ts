import type { Address } from "../../../model/Address.ts";
import { kind, type NodeKind } from "../../engine/kind.ts";
import { type Matcher, made, matcher } from "../../engine/matcher.ts";
import { call, coinsOf, destinationOf, type MatchContext, noMatch, sourceOf, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { jettonTransfer, payloadOpcode } from "../jetton/actions.ts";
import { isCall } from "../transfer/blocks.ts";
import { coffeeMevProtectFailedSwap, coffeeMevProtectHoldFunds, coffeeServiceFee } from "./messages.ts";

/** Money held so that nobody can get in ahead of a swap, or returned when the swap failed. */
interface Protection {
  readonly source: Address;
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

export const coffeeFailedSwap = kind<Protection>({
  type: "coffee_mev_protect_failed_swap",
  showsParts: true,
  parties: partiesOf,
  details: (f) => ({ error: f.fixed("unsupported action type: 'coffee_mev_protect_failed_swap'") }),
});

/** A message with the opcode, or jettons whose payload begins with it. */
function carries(opcode: number): (block: TraceNode) => boolean {
  return (block) => {
    if (isCall(block)) return block.data.opcode === opcode;
    return isKind(block, jettonTransfer) && payloadOpcode(block.data) === opcode;
  };
}

function protectionMatcher(event: NodeKind<Protection>, opcode: number, around: MatchContext = {}): Matcher {
  const pattern = where(carries(opcode), around);
  return matcher({
    name: event.name,
    pattern,
    build: (match) => made(event, readProtection(match.get(pattern))),
  });
}

function readProtection(block: TraceNode): Protection {
  if (isKind(block, jettonTransfer)) {
    const { sender, senderWallet, receiver, asset, amount } = block.data;
    return { source: sender, sourceWallet: senderWallet, contract: receiver, asset, amount };
  }
  if (!isCall(block)) throw noMatch("neither a message nor a transfer");
  const [source, contract] = [sourceOf(block), destinationOf(block)];
  return { source, sourceWallet: undefined, contract, asset: undefined, amount: coinsOf(block) };
}

/** The fee of the service, paid beside it. */
const withFee = where((): boolean => true, { optional: true, child: call(coffeeServiceFee) });

export const coffeeHoldFundsMatcher = protectionMatcher(coffeeHoldFunds, coffeeMevProtectHoldFunds.opcode, {
  parent: withFee,
});
export const coffeeFailedSwapMatcher = protectionMatcher(coffeeFailedSwap, coffeeMevProtectFailedSwap.opcode);
