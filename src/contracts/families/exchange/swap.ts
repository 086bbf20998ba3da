import type { Address } from "../../../model/Address.ts";
import { type DetailFields, details } from "../../engine/details.ts";
import { kind } from "../../engine/kind.ts";
import { type JettonTransfer, ptonMasters } from "../jetton/actions.ts";

/** A transfer into or out of an exchange; no asset means TON. */
export interface SwapTransfer {
  readonly asset: Address | undefined;
  readonly source: Address | undefined;
  readonly destination: Address | undefined;
  readonly sourceWallet: Address | undefined;
  readonly destinationWallet: Address | undefined;
  readonly amount: bigint;
}

/** One step of a swap with several steps. */
export interface PeerSwap {
  readonly assetIn: Address | undefined;
  readonly amountIn: bigint;
  readonly assetOut: Address | undefined;
  readonly amountOut: bigint;
}

export interface JettonSwap {
  readonly dex: "stonfi" | "stonfi_v2" | "dedust" | "tonco" | "coffee";
  readonly sender: Address | undefined;
  readonly assetIn: Address | undefined;
  readonly assetOut: Address | undefined;
  readonly incoming: SwapTransfer;
  readonly outgoing: SwapTransfer;
  readonly peers: readonly PeerSwap[];
  /** Only one exchange reports it. */
  readonly minOutAmount?: bigint | undefined;
  /** The wallet that pays the receiver, if it is named. */
  readonly askedWallet?: Address | undefined;
}

const transferFields: DetailFields<SwapTransfer> = (f) => ({
  asset: f.address((t) => t.asset),
  source: f.address((t) => t.source),
  destination: f.address((t) => t.destination),
  source_jetton_wallet: f.address((t) => t.sourceWallet),
  destination_jetton_wallet: f.address((t) => t.destinationWallet),
  amount: f.amount((t) => t.amount),
});
const transferDetails = details<SwapTransfer>(transferFields);

const peerDetails = details<PeerSwap>((f) => ({
  asset_in: f.address((p) => p.assetIn),
  amount_in: f.amount((p) => p.amountIn),
  asset_out: f.address((p) => p.assetOut),
  amount_out: f.amount((p) => p.amountOut),
}));

export const jettonSwap = kind<JettonSwap>({
  type: "jetton_swap",
  parties: (s) => ({
    source: s.incoming.source,
    sourceSecondary: s.incoming.sourceWallet,
    destination: s.outgoing.destination,
    destinationSecondary: s.askedWallet ?? s.outgoing.destinationWallet,
  }),
  details: (f) => ({
    dex: f.text((s) => s.dex),
    sender: f.address((s) => s.sender),
    asset_in: f.address((s) => s.assetIn),
    asset_out: f.address((s) => s.assetOut),
    dex_incoming_transfer: f.nested(transferDetails, (s) => s.incoming),
    dex_outgoing_transfer: f.nested(transferDetails, (s) => s.outgoing),
    peer_swaps: f.list(peerDetails, (s) => s.peers),
    min_out_amount: f.whenKnown(f.amount((s) => (s.dex === "tonco" ? s.minOutAmount : undefined))),
  }),
});

/** The jetton transfers of a swap. */
export function jettonMoved(transfer: JettonTransfer): SwapTransfer {
  return {
    asset: transfer.asset,
    amount: transfer.amount,
    source: transfer.sender,
    sourceWallet: transfer.senderWallet,
    destination: transfer.receiver,
    destinationWallet: transfer.receiverWallet,
  };
}

/** The TON transfers of a swap. */
export function tonMoved(moved: Pick<SwapTransfer, "amount" | "source" | "destination">): SwapTransfer {
  return { ...moved, asset: undefined, sourceWallet: undefined, destinationWallet: undefined };
}

/** The asset of a jetton: wrapped TON is TON. */
export function unwrapped(jetton: Address | undefined): Address | undefined {
  return jetton !== undefined && ptonMasters.has(jetton) ? undefined : jetton;
}
