import type { Cell } from "../cell/Cell.ts";
import { dictionary } from "../cell/dictionary.ts";
import { intKey } from "../cell/keys.ts";
import { type Slice, sliceOf } from "../cell/Slice.ts";
import { type Address, plainAddress } from "../model/Address.ts";
import { Coins } from "../model/Currency.ts";
import { internalAddress } from "../model/messageAddress.ts";
import { type AccountNow, findCode, findData } from "./accounts.ts";
import { ChainError } from "./errors.ts";
import { readData } from "./wallets.ts";

/** The kind of an account by its code, among the few contracts that the oldest tools know. */
export type KnownContract =
  | { readonly kind: "uninited" }
  | { readonly kind: "raw" }
  | { readonly kind: "walletV3" | "walletV4" | "highloadV1"; readonly walletId: number; readonly seqno: number }
  | { readonly kind: "highloadV2" | "dns"; readonly walletId: number }
  | RestrictedWallet
  | PaymentChannel;

/** A wallet whose coins are released over time. */
export interface RestrictedWallet {
  readonly kind: "restricted";
  readonly walletId: number;
  readonly seqno: number;
  readonly unlockedBalance: bigint;
  readonly startAt: number;
  readonly limits: readonly { readonly seconds: number; readonly value: bigint }[];
}

export interface PaymentChannel {
  readonly kind: "channel";
  readonly config: ChannelConfig;
  readonly state: ChannelState;
}

export interface ChannelConfig {
  readonly initTimeout: number;
  readonly closeTimeout: number;
  readonly aliceKey: Uint8Array;
  readonly bobKey: Uint8Array;
  readonly alice: Address;
  readonly bob: Address;
  readonly channelId: bigint;
}

export type ChannelState =
  | {
      readonly kind: "init" | "close";
      readonly signedA: boolean;
      readonly signedB: boolean;
      /** In a closing channel these are the promised amounts. */
      readonly minA: bigint;
      readonly minB: bigint;
      readonly expireAt: number;
      readonly a: bigint;
      readonly b: bigint;
    }
  | { readonly kind: "payout"; readonly a: bigint; readonly b: bigint };

export interface IdentifiedContract {
  readonly contract: KnownContract;
  readonly revision: number;
}

type Read = (account: AccountNow, data: Cell | undefined) => KnownContract | undefined;

// seqno:uint32 wallet_id:uint32 …
function seqnoAndId(kind: "walletV3" | "walletV4" | "highloadV1"): Read {
  return (_account, data) =>
    data && readData(data, (slice) => ({ kind, seqno: slice.loadUint(32), walletId: slice.loadUint(32) }));
}

// wallet_id:uint32 …
function idOnly(kind: "highloadV2" | "dns"): Read {
  return (_account, data) => ({ kind, walletId: (data && readData(data, (slice) => slice.loadUint(32))) ?? 0 });
}

const limits = dictionary(intKey(32), Coins);

// seqno:uint32 wallet_id:uint32 public_key:bits256 start_at:uint32 limits:(HashmapE 32 Grams)
const restricted: Read = ({ balance, syncAt }, data) => {
  const found =
    data &&
    readData(data, (slice) => {
      const [seqno, walletId] = [slice.loadUint(32), slice.loadUint(32)];
      const startAt = slice.skip(256).loadUint(32);
      const found = { seqno, walletId, startAt, limits: limits.load(slice).entries() };
      // A wallet that was never initialised has a second key here.
      slice.end();
      return found;
    });
  if (found === undefined) throw new ChainError("chain/method-failed", "balance get method failed");
  const passed = found.startAt === 0 ? -1 : syncAt - found.startAt;
  const sorted = found.limits.map(([seconds, value]) => ({ seconds, value })).sort((a, b) => a.seconds - b.seconds);
  const locked = sorted.findLast(({ seconds }) => seconds <= passed)?.value ?? 0n;
  const unlockedBalance = balance.coins > locked ? balance.coins - locked : 0n;
  return { kind: "restricted", ...found, limits: sorted, unlockedBalance };
};

const channel: Read = (_account, data) =>
  data &&
  readData(data, (slice) => ({
    kind: "channel" as const,
    config: loadChannelConfig(sliceOf(slice.loadRef())),
    state: loadChannelState(sliceOf(slice.loadRef())),
  }));

// chan_config$_ init_timeout:uint32 close_timeout:uint32 a_key:bits256 b_key:bits256 a_addr:^MsgAddressInt
//   b_addr:^MsgAddressInt channel_id:uint64 min_A_extra:Grams = ChanConfig;
function loadChannelConfig(slice: Slice): ChannelConfig {
  const [initTimeout, closeTimeout] = [slice.loadUint(32), slice.loadUint(32)];
  const [aliceKey, bobKey] = [slice.loadBytes(32), slice.loadBytes(32)];
  const [alice, bob] = [slice.loadRef(), slice.loadRef()].map((cell) => internalAddress.load(sliceOf(cell)));
  if (alice === undefined || bob === undefined)
    throw new ChainError("chain/method-failed", "a channel without parties");
  const channelId = slice.loadBigUint(64);
  const sides = { aliceKey, bobKey, alice: plainAddress(alice), bob: plainAddress(bob) };
  return { initTimeout, closeTimeout, ...sides, channelId };
}

// chan_state_init$000 signed_A:Bool signed_B:Bool min_A:Grams min_B:Grams expire_at:uint32 A:Grams B:Grams = ChanState;
// chan_state_close$001 signed_A:Bool signed_B:Bool promise_A:Grams promise_B:Grams expire_at:uint32 A:Grams B:Grams
// chan_state_payout$010 A:Grams B:Grams = ChanState;
function loadChannelState(slice: Slice): ChannelState {
  const tag = slice.loadUint(3);
  if (tag === 2) return { kind: "payout", a: slice.loadCoins(), b: slice.loadCoins() };
  if (tag > 2) throw new ChainError("chain/method-failed", `a channel in state ${tag}`);
  return {
    kind: tag === 0 ? "init" : "close",
    signedA: slice.loadBit(),
    signedB: slice.loadBit(),
    minA: slice.loadCoins(),
    minB: slice.loadCoins(),
    expireAt: slice.loadUint(32),
    a: slice.loadCoins(),
    b: slice.loadCoins(),
  };
}

/** By the hash of the code. Revision −1 is the code compiled from the node's own sources. */
const contracts: ReadonlyMap<string, readonly [revision: number, read: Read]> = new Map([
  ["b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581", [1, seqnoAndId("walletV3")]],
  ["84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599", [2, seqnoAndId("walletV3")]],
  ["feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0", [2, seqnoAndId("walletV4")]],
  ["9494d1cc8edf12f05671a1a9ba09921096eb50811e1924ec65c3c629fbb80812", [-1, idOnly("highloadV2")]],
  ["8ceb45b3cd4b5cc60eaae1c13b9c092392677fe536b2e9b2d801b62eff931fe1", [1, idOnly("highloadV2")]],
  ["0b3a887aeacd2a7d40bb5550bc9253156a029065aefb6d6b583735d58da9d5be", [2, idOnly("highloadV2")]],
  ["0ab1ff93a9e79c0deff4405d8dad6b5ac9f8c01b2f1ebcb4259feb9e98380099", [-1, seqnoAndId("highloadV1")]],
  ["d8cdbbb79f2c5caa677ac450770be0351be21e1250486de85cc52aa33dd16484", [1, seqnoAndId("highloadV1")]],
  ["368c03972e5f4c24412b818652de1de2a2630d1c011609999dff745fb36849ad", [2, seqnoAndId("highloadV1")]],
  ["7353ade3e1f7cbedc525b3e7bc3226fe5ac8276fa5279ac37fb6efbc88f422b7", [-1, idOnly("dns")]],
  ["a0d67d2de8919fe7b7ca77652ccd4fdc56c689de7a69161e45fb0dcc5e47c155", [1, idOnly("dns")]],
  ["0dafb2d193dc5aa5bee21eb6070510ca9475d2f0d6eb62acf9bf02923ce78e0b", [-1, channel]],
  ["8d35049b946cf33b58510bb4560c841a945f7781d6de9fc69ca3f430f6e32273", [1, restricted]],
]);

/** Finds the kind of an account by its code; an unknown account is shown as it is. */
export function identifyContract(account: AccountNow): IdentifiedContract {
  const code = findCode(account);
  if (code === undefined) return { contract: { kind: "uninited" }, revision: 0 };
  const known = contracts.get(code.hash());
  const contract = known?.[1](account, findData(account));
  if (known === undefined || contract === undefined) return { contract: { kind: "raw" }, revision: 0 };
  return { contract, revision: known[0] };
}
