import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, destinationOf, known, noMatch } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { call, firstOf } from "../../engine/pattern.ts";
import { findReceived } from "./actions.ts";
import { jettonInternalTransfer, jettonNotify, jettonMintBody as mintBody, minterJettonMint } from "./messages.ts";

export interface JettonMint {
  readonly asset: Address;
  readonly receiver: Address | undefined;
  readonly receiverWallet: Address | undefined;
  readonly amount: bigint | undefined;
  readonly tonAmount: bigint;
}

export const jettonMint = kind<JettonMint>({
  type: "jetton_mint",
  parties: (m) => ({ destination: m.receiver, destinationSecondary: m.receiverWallet }),
  details: (f) => ({
    asset: f.address("Address of the jetton's master; null for coins.", (m) => m.asset),
    receiver: f.address("Address of the receiver.", (m) => m.receiver),
    receiver_jetton_wallet: f.address("Address of the jetton wallet of the receiver.", (m) => m.receiverWallet),
    amount: f.amount("Amount in the smallest units of the asset.", (m) => m.amount),
    ton_amount: f.amount("Coins for the jetton wallet of the receiver, in nanocoins.", (m) => m.tonAmount),
  }),
});

const received = call(jettonInternalTransfer, { child: call(jettonNotify, { optional: true }) });
const minted = call([mintBody.opcode, minterJettonMint.opcode], {
  child: firstOf([received, call(jettonNotify)], { optional: true }),
});

export const jettonMintMatcher = matcher({
  name: "jetton_mint",
  pattern: minted,
  build: (match, facts) => {
    const node = match.get(minted);
    const arrival = match.find(received);
    if (arrival === undefined || node.failed) return made(jettonMint, readIntent(node), { failed: true });
    return made(jettonMint, readArrival(node, arrival, facts), { failed: arrival.failed });
  },
});

/** Both forms; only the second one contains the amount, and its inner message must be readable in any case. */
function readMint(node: CallNode) {
  const plain = mintBody.find(cellOf(node));
  if (plain !== undefined) return { ...plain, masterAmount: undefined };
  const mint = bodyOf(node, minterJettonMint);
  return { ...mint, masterAmount: readMasterAmount(mint.masterMsg) };
}

function readArrival(node: CallNode, arrival: CallNode, facts: Facts): JettonMint {
  const wallet = known(facts.findJettonWallet(destinationOf(arrival)));
  return {
    asset: wallet.jetton,
    receiver: wallet.owner,
    receiverWallet: destinationOf(arrival),
    amount: known(findReceived(arrival)).amount,
    tonAmount: readMint(node).tonAmount,
  };
}

/**
 * What would have been minted; only one of the two forms contains the amount. The service refuses an external receiver
 * here and only here: a mint that arrives names its receiver by the owner of the wallet.
 */
function readIntent(node: CallNode): JettonMint {
  const { toAddress, tonAmount, masterAmount } = readMint(node);
  if (typeof toAddress === "object") throw noMatch("a failed mint to an external address");
  return {
    asset: destinationOf(node),
    receiver: toAddress,
    receiverWallet: undefined,
    amount: masterAmount,
    tonAmount,
  };
}

// op:uint32 query_id:uint64 amount:Coins
function readMasterAmount(message: Cell): bigint {
  return sliceOf(message).skip(96).loadCoins();
}
