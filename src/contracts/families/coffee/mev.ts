import type { Address } from "../../../model/Address.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { cellOf, coinsOf, destinationOf, known, noMatch } from "../../engine/messageParts.ts";
import { isCall } from "../../engine/nodes.ts";
import { call, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { jettonTransfer, payloadOpcode } from "../jetton/actions.ts";
import { coffeeMevProtectFailedSwap, coffeeMevProtectHoldFunds, coffeeServiceFee } from "./messages.ts";

/** Money held to prevent front-running of a swap. */
interface Protection {
  readonly source: Address | undefined;
  readonly sourceWallet: Address | undefined;
  readonly contract: Address | undefined;
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
    source: f.address("Address of the sender.", (p) => p.source),
    source_jetton_wallet: f.address(
      "Address of the jetton wallet of the sender; null for coins.",
      (p) => p.sourceWallet,
    ),
    mev_contract: f.address("Address of the contract that holds the funds.", (p) => p.contract),
    mev_contract_jetton_wallet: f.none("Address of the jetton wallet of that contract."),
    asset: f.address("Address of the jetton's master; null for coins.", (p) => p.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (p) => p.amount),
  }),
});

export const coffeeFailedSwap = kind<undefined>({
  type: "coffee_mev_protect_failed_swap",
  showsParts: true,
  details: (f) => ({
    error: f.fixed("Says that this type has no details.", "unsupported action type: 'coffee_mev_protect_failed_swap'"),
  }),
});

/** A message with the opcode, or jettons whose payload begins with it. */
function carries(opcode: number): (node: TraceNode) => boolean {
  return (node) => {
    if (isCall(node)) return node.data.opcode === opcode;
    return isKind(node, jettonTransfer) && payloadOpcode(node.data) === opcode;
  };
}

function readProtection(node: TraceNode): Protection {
  if (isKind(node, jettonTransfer)) {
    const { sender, senderWallet, receiver, asset, amount } = node.data;
    return { source: sender, sourceWallet: senderWallet, contract: receiver, asset, amount };
  }
  if (!isCall(node)) throw noMatch("neither a message nor a transfer");
  const [source, contract] = [node.data.source, destinationOf(node)];
  return { source, sourceWallet: undefined, contract, asset: undefined, amount: coinsOf(node) };
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
    const node = match.get(failedSwap);
    const order = isKind(node, jettonTransfer) ? node.data.forwardPayload : cellOf(node);
    known(coffeeMevProtectFailedSwap.find(known(order)));
    return made(coffeeFailedSwap, undefined);
  },
});
