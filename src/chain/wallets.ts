import type { Cell } from "../cell/Cell.ts";
import { type Slice, sliceOf } from "../cell/Slice.ts";
import { isCoded } from "../lib/errors.ts";
import { type AccountNow, findCode, findData } from "./accounts.ts";

/** A wallet that people use, as far as its data tells. */
export interface Wallet {
  readonly type: string;
  readonly seqno: number;
  /** Of version 3 and later. */
  readonly walletId: number | undefined;
  /** Of version 5. */
  readonly isSignatureAllowed: boolean | undefined;
}

type ReadWallet = (data: Slice) => Omit<Wallet, "type">;

// seqno:uint32 …
const seqnoOnly: ReadWallet = (data) => ({
  seqno: data.loadInt(32),
  walletId: undefined,
  isSignatureAllowed: undefined,
});

// seqno:uint32 wallet_id:uint32 …
const withId: ReadWallet = (data) => ({
  seqno: data.loadInt(32),
  walletId: data.loadInt(32),
  isSignatureAllowed: undefined,
});

// is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 …
const withSignatureFlag: ReadWallet = (data) => {
  const isSignatureAllowed = data.loadBit();
  return { seqno: data.loadInt(32), walletId: data.loadInt(32), isSignatureAllowed };
};

/** By the hash of the code. */
const wallets: ReadonlyMap<string, readonly [type: string, read: ReadWallet]> = new Map([
  ["a0cfc2c48aee16a271f2cfc0b7382d81756cecb1017d077faaab3bb602f6868c", ["wallet v1 r1", seqnoOnly]],
  ["d4902fcc9fad74698fa8e353220a68da0dcf72e32bcb2eb9ee04217c17d3062c", ["wallet v1 r2", seqnoOnly]],
  ["587cc789eff1c84f46ec3797e45fc809a14ff5ae24f1e0c7a6a99cc9dc9061ff", ["wallet v1 r3", seqnoOnly]],
  ["5c9a5e68c108e18721a07c42f9956bfb39ad77ec6d624b60c576ec88eee65329", ["wallet v2 r1", seqnoOnly]],
  ["fe9530d3243853083ef2ef0b4c2908c0abf6fa1c31ea243aacaa5bf8c7d753f1", ["wallet v2 r2", seqnoOnly]],
  ["b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581", ["wallet v3 r1", withId]],
  ["84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599", ["wallet v3 r2", withId]],
  ["64dd54805522c5be8a9db59cea0105ccf0d08786ca79beb8cb79e880a8d7322d", ["wallet v4 r1", withId]],
  ["feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0", ["wallet v4 r2", withId]],
  ["f3d7ca53493deedac28b381986a849403cbac3d2c584779af081065af0ac4b93", ["wallet v5 beta", withSignatureFlag]],
  ["20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f", ["wallet v5 r1", withSignatureFlag]],
]);

/** The wallet an account is, by its code; one whose data cannot be read is none. */
export function findWallet(account: AccountNow): Wallet | undefined {
  const known = wallets.get(findCode(account)?.hash() ?? "");
  const data = findData(account);
  if (known === undefined || data === undefined) return undefined;
  const [type, read] = known;
  const found = readData(data, read);
  return found === undefined ? undefined : { type, ...found };
}

/** What can be read of the data; `undefined` when it is not laid out like this. */
export function readData<T>(data: Cell, read: (slice: Slice) => T): T | undefined {
  try {
    return read(sliceOf(data));
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}
