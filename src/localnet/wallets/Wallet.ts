import { beginCell } from "../../cell/Builder.ts";
import { readRoot } from "../../cell/boc.ts";
import type { Cell } from "../../cell/Cell.ts";
import { storeCell } from "../../cell/codec.ts";
import { sliceOf } from "../../cell/Slice.ts";
import { fromBase64 } from "../../lib/bytes.ts";
import type { ShardAccount } from "../../model/Account.ts";
import { type Address, makeAddress } from "../../model/Address.ts";
import { basechain } from "../../model/block/BlockId.ts";
import { StateInit } from "../../model/StateInit.ts";
import { walletCodes } from "../codes/walletCodes.ts";
import { plainInit } from "../genesis/genesis.ts";
import { localGlobalId } from "../genesis/genesisConfig.ts";
import type { SigningKey } from "./SigningKey.ts";

export type WalletVersion = keyof typeof walletCodes;

/** A wallet contract with its key. */
export interface Wallet {
  readonly version: WalletVersion;
  readonly address: Address;
  readonly init: StateInit;
  readonly key: SigningKey;
  /** Distinguishes wallets with one key; versions before the third have none. */
  readonly walletId: number;
}

/** The numbers that libraries use for the first wallet of a key. */
const firstIds = { usual: 698_983_191, highload: 0x10ad } as const;
/** Highload wallets refuse messages older than this many seconds. */
export const highloadTimeout = 3_600;

export interface WalletPlace {
  readonly workchain?: number;
  /**
   * The global id of the network, which is part of the wallet id of version 5; that of new local networks by default.
   */
  readonly networkId?: number;
}

/** The first wallet of a key, as `@ton/ton` derives it for the same workchain and network. */
export function makeWallet(
  version: WalletVersion,
  key: SigningKey,
  { workchain = basechain, networkId = localGlobalId }: WalletPlace = {},
): Wallet {
  const walletId = walletIdOf(version, workchain, networkId);
  const code = readRoot(fromBase64(walletCodes[version].boc));
  const init = plainInit(code, initialData(version, key.publicKey, walletId));
  const address = makeAddress(workchain, storeCell(StateInit, init).hash());
  return { version, address, init, key, walletId };
}

function walletIdOf(version: WalletVersion, workchain: number, networkId: number): number {
  switch (version) {
    case "v2r2":
      return 0;
    case "v5r1":
      // A client's context: one bit, workchain 0, version 0, wallet 0; libraries use workchain 0 for all wallets.
      return (0x80000000 ^ networkId) >>> 0;
    case "highloadV3":
      return firstIds.highload;
    default:
      return firstIds.usual + workchain;
  }
}

function initialData(version: WalletVersion, publicKey: Uint8Array, walletId: number): Cell {
  const data = beginCell();
  switch (version) {
    case "v2r2":
      return data.storeUint(0, 32).storeBytes(publicKey).cell();
    case "v3r1":
    case "v3r2":
      return data.storeUint(0, 32).storeUint(walletId, 32).storeBytes(publicKey).cell();
    case "v4r2":
      return data.storeUint(0, 32).storeUint(walletId, 32).storeBytes(publicKey).storeBit(false).cell();
    case "v5r1":
      return data.storeBit(true).storeUint(0, 32).storeUint(walletId, 32).storeBytes(publicKey).storeBit(false).cell();
    case "highloadV3":
      return data
        .storeBytes(publicKey)
        .storeUint(walletId, 32)
        .storeUint(0, 2)
        .storeBigUint(0n, 64)
        .storeUint(highloadTimeout, 22)
        .cell();
  }
}

/** The seqno of a wallet's next message; `undefined` while the wallet has no code, and for versions without seqno. */
export function findSeqno(version: WalletVersion, { account }: ShardAccount): number | undefined {
  const loaded = account.load();
  if (version === "highloadV3" || loaded.kind !== "account" || loaded.storage.state.kind !== "active") return undefined;
  const { data } = loaded.storage.state.init;
  if (data === undefined) return undefined;
  const slice = sliceOf(data);
  // Version 5 begins with whether signatures are allowed.
  if (version === "v5r1") slice.skip(1);
  return slice.loadUint(32);
}
