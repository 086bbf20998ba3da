import type { Address } from "../../../model/Address.ts";
import { type DetailFields, details } from "../../engine/details.ts";
import { between, kind } from "../../engine/kind.ts";
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
  readonly dex: "stonfi" | "stonfi_v2" | "dedust" | "dedust_v2" | "tonco" | "coffee";
  readonly sender: Address | undefined;
  readonly assetIn: Address | undefined;
  readonly assetOut: Address | undefined;
  readonly incoming: SwapTransfer;
  readonly outgoing: SwapTransfer;
  readonly peers: readonly PeerSwap[];
  /** Only some exchanges report it. */
  readonly minOutAmount?: bigint | undefined;
  /** The wallet that pays the receiver, if it is named. */
  readonly askedWallet?: Address | undefined;
}

const transferFields: DetailFields<SwapTransfer> = (f) => ({
  asset: f.address("Address of the jetton's master; null for coins.", (t) => t.asset),
  source: f.address("Address of the sender.", (t) => t.source),
  destination: f.address("Address of the receiver.", (t) => t.destination),
  source_jetton_wallet: f.address("Address of the jetton wallet of the sender; null for coins.", (t) => t.sourceWallet),
  destination_jetton_wallet: f.address(
    "Address of the jetton wallet of the receiver; null for coins.",
    (t) => t.destinationWallet,
  ),
  amount: f.amount("Amount in the smallest units of the asset.", (t) => t.amount),
});
const transferDetails = details<SwapTransfer>(transferFields);

const peerDetails = details<PeerSwap>((f) => ({
  asset_in: f.address("Asset that is paid in: the address of a jetton's master, null for coins.", (p) => p.assetIn),
  amount_in: f.amount("Amount that is paid in, in the smallest units of the asset.", (p) => p.amountIn),
  asset_out: f.address("Asset that is paid out: the address of a jetton's master, null for coins.", (p) => p.assetOut),
  amount_out: f.amount("Amount that is paid out, in the smallest units of the asset.", (p) => p.amountOut),
}));

export const jettonSwap = kind<JettonSwap>({
  type: "jetton_swap",
  parties: (s) =>
    between(
      [s.incoming.source, s.incoming.sourceWallet],
      [s.outgoing.destination, s.askedWallet ?? s.outgoing.destinationWallet],
    ),
  details: (f) => ({
    dex: f.text("Name of the exchange, such as `dedust`.", (s) => s.dex),
    sender: f.address("Address of the sender.", (s) => s.sender),
    asset_in: f.address("Asset that is paid in: the address of a jetton's master, null for coins.", (s) => s.assetIn),
    asset_out: f.address(
      "Asset that is paid out: the address of a jetton's master, null for coins.",
      (s) => s.assetOut,
    ),
    dex_incoming_transfer: f.nested("Transfer from the user to the exchange.", transferDetails, (s) => s.incoming),
    dex_outgoing_transfer: f.nested("Transfer from the exchange to the user.", transferDetails, (s) => s.outgoing),
    peer_swaps: f.list(
      "Single swaps of a route with several pools, in order; empty for one pool.",
      peerDetails,
      (s) => s.peers,
    ),
    min_out_amount: f.only(
      (s) => s.dex === "tonco" || s.dex === "dedust_v2",
      f.amount("Smallest amount that the user accepts; only of exchanges that tell it.", (s) => s.minOutAmount),
    ),
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
