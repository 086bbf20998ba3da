import { Type } from "typebox";
import { type AccountNow, findCode, findData } from "../../../chain/accounts.ts";
import type {
  ChannelConfig,
  ChannelState,
  KnownContract,
  PaymentChannel,
  RestrictedWallet,
} from "../../../chain/knownContracts.ts";
import { crc16 } from "../../../lib/crc.ts";
import { bool, field, int, list, text } from "../../../lib/kit/shape.ts";
import { accountAddress, bigNumber, maybeBoc, oneOf, orEmpty } from "./ids.ts";
import { hash64 } from "./scalars.ts";
import { typed } from "./typed.ts";

/** A contract with the account it was read from. */
export interface ShownContract {
  readonly account: AccountNow;
  readonly contract: KnownContract;
}

const maybeHash = orEmpty(hash64);
const frozen = maybeHash(
  "Hash of the state that a frozen account had, in base64; empty for others.",
  ({ content }: AccountNow) => (content.kind === "frozen" ? content.stateHash : undefined),
);

const uninited = typed<AccountNow>()("uninited.accountState", { frozen_hash: frozen });

const raw = typed<AccountNow>()("raw.accountState", {
  code: maybeBoc("Code of the account as a bag of cells in base64; empty without code.", findCode),
  data: maybeBoc("Data of the account as a bag of cells in base64; empty without data.", findData),
  frozen_hash: frozen,
});

export interface WithSeqno {
  readonly walletId: number;
  readonly seqno: number;
}

const withSeqno = {
  wallet_id: int("Id of the wallet, which is part of what it signs.", (it: WithSeqno) => it.walletId),
  seqno: int("Counter of the wallet: its next message must carry it.", (it: WithSeqno) => it.seqno),
};
const walletV3 = typed<WithSeqno>()("wallet.v3.accountState", withSeqno);
const walletV4 = typed<WithSeqno>()("wallet.v4.accountState", withSeqno);
const highloadV1 = typed<WithSeqno>()("wallet.highload.v1.accountState", withSeqno);

const idOnly = {
  wallet_id: int(
    "Id of the wallet, which is part of what it signs.",
    (it: { readonly walletId: number }) => it.walletId,
  ),
};
const highloadV2 = typed<{ readonly walletId: number }>()("wallet.highload.v2.accountState", idOnly);
const dns = typed<{ readonly walletId: number }>()("dns.accountState", idOnly);

const limit = typed<RestrictedWallet["limits"][number]>()("rwallet.limit", {
  seconds: int("Seconds after the beginning from which the limit holds.", (it) => it.seconds),
  value: bigNumber("Coins that are locked from then on, in nanocoins.", (it) => it.value),
});

const restrictedConfig = typed<RestrictedWallet>()("rwallet.config", {
  start_at: int("Time when the release begins, in Unix seconds.", (it) => it.startAt),
  limits: list(limit)("Locked coins, by time since the beginning.", (it) => it.limits),
});

const restricted = typed<RestrictedWallet>()("rwallet.accountState", {
  wallet_id: int("Id of the wallet, which is part of what it signs.", (it) => it.walletId),
  seqno: int("Counter of the wallet: its next message must carry it.", (it) => it.seqno),
  unlocked_balance: bigNumber("Balance that can be spent now, in nanocoins.", (it) => it.unlockedBalance),
  config: restrictedConfig("When and how the coins are released.", (it) => it),
});

/** A public key in its friendly form: two tag bytes, the key, a checksum. */
const publicKey = field({
  schema: Type.String({ pattern: "^[A-Za-z0-9_-]{48}$" }),
  encode: (key: Uint8Array) => {
    const bytes = Buffer.concat([Buffer.of(0x3e, 0xe6), key, Buffer.alloc(2)]);
    bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34);
    return bytes.toString("base64url");
  },
});

const channelConfig = typed<ChannelConfig>()("pchan.config", {
  alice_public_key: publicKey("Public key of the first party, in its friendly form.", (it) => it.aliceKey),
  alice_address: accountAddress("Address of the first party.", (it) => it.alice),
  bob_public_key: publicKey("Public key of the second party, in its friendly form.", (it) => it.bobKey),
  bob_address: accountAddress("Address of the second party.", (it) => it.bob),
  init_timeout: int("Time for which the channel waits for both parties, in seconds.", (it) => it.initTimeout),
  close_timeout: int(
    "Time in which the other party may object to a closing state, in seconds.",
    (it) => it.closeTimeout,
  ),
  channel_id: bigNumber("Number of the channel, signed.", (it) => BigInt.asIntN(64, it.channelId)),
});

type OpenChannel = Extract<ChannelState, { readonly minA: bigint }>;

const openFields = {
  signed_A: bool("Whether the first party has signed.", (it: OpenChannel) => it.signedA),
  signed_B: bool("Whether the second party has signed.", (it: OpenChannel) => it.signedB),
  min_A: bigNumber("Least amount of the first party, in nanocoins.", (it: OpenChannel) => it.minA),
  min_B: bigNumber("Least amount of the second party, in nanocoins.", (it: OpenChannel) => it.minB),
  expire_at: int("Time when the state expires, in Unix seconds.", (it: OpenChannel) => it.expireAt),
  A: bigNumber("Balance of the first party, in nanocoins.", (it: OpenChannel) => it.a),
  B: bigNumber("Balance of the second party, in nanocoins.", (it: OpenChannel) => it.b),
};
const stateInit = typed<OpenChannel>()("pchan.stateInit", openFields);
const stateClose = typed<OpenChannel>()("pchan.stateClose", openFields);
const statePayout = typed<ChannelState>()("pchan.statePayout", {
  A: bigNumber("Balance of the first party, in nanocoins.", (it) => it.a),
  B: bigNumber("Balance of the second party, in nanocoins.", (it) => it.b),
});

const channelState = oneOf([stateInit, stateClose, statePayout], (state: ChannelState) => {
  if (state.kind === "payout") return statePayout.encode(state);
  return state.kind === "init" ? stateInit.encode(state) : stateClose.encode(state);
});

const channel = typed<PaymentChannel>()("pchan.accountState", {
  config: channelConfig("Parties and timeouts of the channel.", (it) => it.config),
  state: channelState("State of the channel.", (it) => it.state),
  description: text("State of the channel as text.", (it) => describe(it.state)),
});

/** The state in the format in which nodes print values of the schema. */
function describe(state: ChannelState): string {
  const grams = (name: string, value: bigint) =>
    `\n  ${name}:(nanograms\n    amount:(var_uint len:${value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)} value:${value}))`;
  const sides = grams("A", state.a) + grams("B", state.b);
  if (state.kind === "payout") return `(chan_state_payout${sides})\n`;
  const [first, second] = state.kind === "init" ? ["min_A", "min_B"] : ["promise_A", "promise_B"];
  const signed = `signed_A:${Number(state.signedA)} signed_B:${Number(state.signedB)}`;
  const least = grams(first ?? "", state.minA) + grams(second ?? "", state.minB);
  return `(chan_state_${state.kind} ${signed}${least} expire_at:${state.expireAt}${sides})\n`;
}

const forms = [uninited, raw, walletV3, walletV4, highloadV1, highloadV2, dns, restricted, channel] as const;

function encode({ account, contract }: ShownContract) {
  switch (contract.kind) {
    case "uninited":
      return uninited.encode(account);
    case "raw":
      return raw.encode(account);
    case "walletV3":
      return walletV3.encode(contract);
    case "walletV4":
      return walletV4.encode(contract);
    case "highloadV1":
      return highloadV1.encode(contract);
    case "highloadV2":
      return highloadV2.encode(contract);
    case "dns":
      return dns.encode(contract);
    case "restricted":
      return restricted.encode(contract);
    case "channel":
      return channel.encode(contract);
  }
}

/** The contract of an account, if it is one that the oldest tools know. */
export const contractState = oneOf(forms, encode);
