import type { Address } from "../../../model/Address.ts";
import { between, kind, type NodeKind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, transfer, where } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { jettonBurn } from "../jetton/actions.ts";
import { jettonBurnNotification } from "../jetton/messages.ts";
import { jettonMint } from "../jetton/mint.ts";
import { burnLog, dkgLog, mintLog, newKeyLog, pegoutReady, readBurnLog } from "./innerMessages.ts";
import { tgbtcBurnNotification, tgbtcKeyChange, tgbtcMintEnd, tgbtcMintHead, tgbtcNotice } from "./messages.ts";

interface Mint {
  readonly source: Address | undefined;
  readonly teleport: Address | undefined;
  readonly recipient: Address | undefined;
  readonly recipientWallet: Address | undefined;
  readonly amount: bigint;
  readonly asset: Address | undefined;
  readonly bitcoinTxid: bigint;
}

function hex256(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}

/** Bitcoin writes transaction hashes in reverse byte order. */
function formatTxid(txid: bigint): string {
  return Buffer.from(hex256(txid), "hex").reverse().toString("hex");
}

/** Ids of fallbacks are computed with the name of the event they replace (v3-actions.md §6). */
function mintKind(type: string): NodeKind<Mint> {
  return kind<Mint>({
    type,
    name: "tgbtc_mint",
    showsParts: true,
    parties: (m) => between([m.source, m.teleport], [m.recipient, m.recipientWallet]),
    details: (f) => ({
      source: f.address("Address of the sender.", (m) => m.source),
      destination: f.address("Address of the receiver.", (m) => m.recipient),
      amount: f.amount("Amount in satoshi.", (m) => m.amount),
      asset: f.address("Address of the jetton's master; null for coins.", (m) => m.asset),
      bitcoin_tx_id: f.text("Id of the transaction on Bitcoin.", (m) => formatTxid(m.bitcoinTxid)),
      destination_wallet: f.address("Address of the jetton wallet of the receiver.", (m) => m.recipientWallet),
    }),
  });
}

export const tgbtcMint = mintKind("tgbtc_mint");
export const tgbtcMintFallback = mintKind("tgbtc_mint_fallback");

const logged = call(mintLog);
const minted = built(jettonMint);
const mintEnd = call(tgbtcMintEnd, { children: [logged, minted] });
/** How many levels up the request for a mint is searched. */
const maxSteps = 20;

export const tgbtcMintMatcher = matcher({
  name: "tgbtc_mint",
  pattern: mintEnd,
  build: (match) => {
    const above = listAbove(match.get(mintEnd));
    const head = above.at(-1);
    if (!isCall(head) || head.data.opcode !== tgbtcMintHead.opcode) return undefined;
    const log = match.get(logged);
    const { amount, recipient, bitcoinTxid } = bodyOf(log, mintLog);
    const mint = match.get(minted).data;
    const data: Mint = {
      source: head.data.source,
      teleport: sourceOf(log),
      recipient,
      recipientWallet: mint.receiverWallet,
      amount,
      asset: mint.asset,
      bitcoinTxid,
    };
    return made(tgbtcMint, data, { also: above });
  },
});

/** The nodes above, up to the request. */
function listAbove(from: TraceNode): TraceNode[] {
  const above: TraceNode[] = [];
  for (let node = from.previous; node !== undefined && above.length < maxSteps; node = node.previous) {
    above.push(node);
    if (isCall(node) && node.data.opcode === tgbtcMintHead.opcode) break;
  }
  return above;
}

interface Burn {
  readonly source: Address | undefined;
  readonly wallet: Address | undefined;
  readonly pegout: Address | undefined;
  readonly amount: bigint;
  readonly asset: Address | undefined;
}

function burnKind(type: string): NodeKind<Burn> {
  return kind<Burn>({
    type,
    name: "tgbtc_burn",
    showsParts: true,
    parties: (b) => ({ source: b.source, sourceSecondary: b.wallet, destination: b.pegout }),
    details: (f) => ({
      source: f.address("Address of the sender.", (b) => b.source),
      source_wallet: f.address("Address of the jetton wallet of the sender.", (b) => b.wallet),
      destination: f.address("Address of the receiver.", (b) => b.pegout),
      amount: f.amount("Amount in satoshi.", (b) => b.amount),
      asset: f.address("Address of the jetton's master; null for coins.", (b) => b.asset),
    }),
  });
}

export const tgbtcBurn = burnKind("tgbtc_burn");
export const tgbtcBurnFallback = burnKind("tgbtc_burn_fallback");

const notice = call(tgbtcNotice, {
  optional: true,
  children: [call(pegoutReady, { optional: true }), transfer({ optional: true })],
});
const burnLogged = call(burnLog);
const burnt = built(jettonBurn, {
  child: firstOf([
    call(jettonBurnNotification, { children: [burnLogged, notice] }),
    call(tgbtcBurnNotification, { children: [burnLogged, notice] }),
  ]),
});

export const tgbtcBurnMatcher = matcher({
  name: "tgbtc_burn",
  pattern: burnt,
  build: (match) => {
    const burn = match.get(burnt).data;
    const { amount, pegout } = readBurnLog(match.get(burnLogged));
    const data: Burn = {
      source: burn.owner,
      wallet: burn.wallet,
      pegout,
      // A fee may be withheld; more than the burnt amount is a log of the bridge's first days, with another layout.
      amount: burn.amount === 0n || amount < burn.amount ? amount : burn.amount,
      asset: burn.asset,
    };
    return made(tgbtcBurn, data);
  },
});

interface NewKey {
  readonly source: Address | undefined;
  readonly pubkey: bigint;
  readonly coordinator: Address | undefined;
  readonly pegout: Address | undefined;
  readonly amount: bigint;
}

function newKeyKind(type: string): NodeKind<NewKey> {
  return kind<NewKey>({
    type,
    name: "tgbtc_new_key",
    showsParts: true,
    parties: (k) => ({ source: k.source, destination: k.coordinator, destinationSecondary: k.pegout }),
    details: (f) => ({
      source: f.address("Address of the sender.", (k) => k.source),
      pubkey: f.text("Public key, in hex.", (k) => hex256(k.pubkey)),
      coordinator: f.address("Address of the contract that coordinates the signers.", (k) => k.coordinator),
      pegout: f.address("Address of the contract that pays out on Bitcoin.", (k) => k.pegout),
      amount: f.amount("Amount in satoshi.", (k) => k.amount),
      asset: f.none("Always null: the key is for the bridge itself."),
    }),
  });
}

export const tgbtcNewKey = newKeyKind("tgbtc_new_key");
export const tgbtcNewKeyFallback = newKeyKind("tgbtc_new_key_fallback");

const dkgLogged = call(dkgLog);
const keyLogged = call(newKeyLog);
const keyChanged = call(tgbtcKeyChange, {
  children: [keyLogged, notice],
  parent: where((): boolean => true, { child: dkgLogged }),
});

export const tgbtcNewKeyMatcher = matcher({
  name: "tgbtc_new_key",
  pattern: keyChanged,
  build: (match) => {
    const log = match.get(keyLogged);
    const { amount, pubkey, pegout } = bodyOf(log, newKeyLog);
    // The service reads both logs and refuses when one is unreadable.
    bodyOf(match.get(dkgLogged), dkgLog);
    const data = {
      source: sourceOf(match.get(dkgLogged)),
      pubkey,
      coordinator: sourceOf(log),
      pegout,
      amount,
    };
    return made(tgbtcNewKey, data);
  },
});

/** A log without a recognised context. */
const loneMint = call(mintLog);
const loneBurn = call(burnLog);
const loneNewKey = call(newKeyLog);
const loneDkg = call(dkgLog);

export const tgbtcMintLogMatcher = matcher({
  name: "tgbtc_mint_fallback",
  pattern: loneMint,
  build: (match) => {
    const node = match.get(loneMint);
    const { amount, recipient, bitcoinTxid } = bodyOf(node, mintLog);
    const data: Mint = {
      source: messageOf(node).source,
      teleport: undefined,
      recipient,
      recipientWallet: undefined,
      amount,
      asset: undefined,
      bitcoinTxid,
    };
    return made(tgbtcMintFallback, data);
  },
});

export const tgbtcBurnLogMatcher = matcher({
  name: "tgbtc_burn_fallback",
  pattern: loneBurn,
  build: (match) => {
    const { amount, sender, pegout } = readBurnLog(match.get(loneBurn));
    return made(tgbtcBurnFallback, { source: sender, wallet: undefined, pegout, amount, asset: undefined });
  },
});

export const tgbtcNewKeyLogMatcher = matcher({
  name: "tgbtc_new_key_fallback",
  pattern: loneNewKey,
  build: (match) => {
    const node = match.get(loneNewKey);
    const { amount, pubkey, pegout } = bodyOf(node, newKeyLog);
    const coordinator = messageOf(node).source;
    return made(tgbtcNewKeyFallback, { source: undefined, pubkey, coordinator, pegout, amount });
  },
});

interface Dkg {
  readonly coordinator: Address | undefined;
  readonly pubkey: bigint;
  readonly timestamp: bigint;
}

export const tgbtcDkg = kind<Dkg>({
  type: "tgbtc_dkg_log_fallback",
  name: "tgbtc_dkg_log",
  showsParts: true,
  parties: (d) => ({ source: d.coordinator }),
  details: (f) => ({
    coordinator: f.address("Address of the contract that coordinates the signers.", (d) => d.coordinator),
    // Unlike the key of tgbtc_new_key, this one is shown without leading zeros, as in the service.
    pubkey: f.text("Public key, in hex.", (d) => d.pubkey.toString(16)),
    timestamp: f.amount("Time of the log entry, in Unix seconds.", (d) => d.timestamp),
  }),
});

export const tgbtcDkgLogMatcher = matcher({
  name: "tgbtc_dkg_log_fallback",
  pattern: loneDkg,
  build: (match) => {
    const node = match.get(loneDkg);
    return made(tgbtcDkg, { ...bodyOf(node, dkgLog), coordinator: messageOf(node).source });
  },
});
