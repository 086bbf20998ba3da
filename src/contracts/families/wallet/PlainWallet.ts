import type { Cell } from "../../../cell/Cell.ts";
import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import type { Hash } from "../../../model/Hash.ts";
import type { Contract } from "../../kit/contract.ts";
import { refusable } from "../../kit/entity.ts";
import * as wallets from "./interfaces.ts";

/** Decoded data of a wallet. Numbers are 32 bits without sign. */
export interface PlainWallet {
  /** The name in the public API. */
  readonly type: string;
  readonly seqno: number;
  /** Of version 3 and later. */
  readonly walletId: number | undefined;
  /** Of version 5. */
  readonly isSignatureAllowed: boolean | undefined;
}

type ReadData = (data: Slice) => Omit<PlainWallet, "type">;

// seqno:uint32 …
const seqnoOnly: ReadData = (data) => ({
  seqno: data.loadUint(32),
  walletId: undefined,
  isSignatureAllowed: undefined,
});

// seqno:uint32 wallet_id:uint32 …
const withId: ReadData = (data) => ({
  seqno: data.loadUint(32),
  walletId: data.loadUint(32),
  isSignatureAllowed: undefined,
});

// is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 …
const withSignatureFlag: ReadData = (data) => {
  const isSignatureAllowed = data.loadBit();
  return { seqno: data.loadUint(32), walletId: data.loadUint(32), isSignatureAllowed };
};

// revision:uint8 seqno:uint32 subwallet_id:uint32 …
const afterRevision: ReadData = (data) => withId(data.skip(8));

type KnownWallet = readonly [type: string, contract: Contract];

const withoutId: readonly KnownWallet[] = [
  ["wallet v1 r1", wallets.walletV1r1],
  ["wallet v1 r2", wallets.walletV1r2],
  ["wallet v1 r3", wallets.walletV1r3],
  ["wallet v2 r1", wallets.walletV2r1],
  ["wallet v2 r2", wallets.walletV2r2],
];
const identified: readonly KnownWallet[] = [
  ["wallet v3 r1", wallets.walletV3r1],
  ["wallet v3 r2", wallets.walletV3r2],
  ["wallet v4 r1", wallets.walletV4r1],
  ["wallet v4 r2", wallets.walletV4r2],
];
const flagged: readonly KnownWallet[] = [
  ["wallet v5 beta", wallets.walletV5Beta],
  ["wallet v5 r1", wallets.walletV5r1],
];

/** Wallets by the form of their data. */
const known: readonly (readonly [read: ReadData, wallets: readonly KnownWallet[]])[] = [
  [seqnoOnly, withoutId],
  [withId, identified],
  [withSignatureFlag, flagged],
  [afterRevision, [["tg-wallet", wallets.telegramWallet]]],
];

/** By the first code of each version; the later beta is not treated as a wallet. */
const byCode: ReadonlyMap<Hash, { readonly type: string; readonly read: ReadData }> = new Map(
  known.flatMap(([read, versions]) =>
    versions.flatMap(([type, { codes }]) => codes.slice(0, 1).map((code) => [code, { type, read }] as const)),
  ),
);

/** Whether a code is a wallet that coins are sent to without bounce. */
export function isPlainWallet(codeHash: Hash): boolean {
  return byCode.has(codeHash);
}

/** The wallet of this code; undefined when its data cannot be read. */
export function readWallet(codeHash: Hash, data: Cell): PlainWallet | undefined {
  const wallet = byCode.get(codeHash);
  if (wallet === undefined) return undefined;
  const found = refusable(() => wallet.read(sliceOf(data)));
  return found && { type: wallet.type, ...found };
}
