import type { Cell } from "../../../cell/Cell.ts";
import type { Codec } from "../../../cell/codec.ts";
import { Dictionary } from "../../../cell/dictionary.ts";
import { hexKey } from "../../../cell/keys.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import { type Address, makeAddress } from "../../../model/Address.ts";
import { contract } from "../../kit/contract.ts";
import { entity, type Layout } from "../../kit/entity.ts";
import { listBounded, loadStandardAddress, small, someAddress } from "../../kit/stack.ts";
import { walletSignedV3 } from "../wallet/messages.ts";
import * as parts from "../wallet/parts.ts";
import { getVestingData } from "../wallet/parts.ts";
import * as messages from "./messages.ts";

export const walletVesting = contract({
  name: "wallet_vesting",
  codes: ["tItTGr7DtxRjgpH3137W3J9qJynvyiBHcTc3TUrotZA="],
  methods: [parts.seqno, parts.getPublicKey, parts.getVestingData],
  furtherMethods: [parts.getSubwalletId, parts.getLockedAmount, parts.isWhitelisted, parts.getWhitelist],
  receives: [walletSignedV3, messages.vestingSendMessageBody, messages.vestingAddWhiteList],
  sends: [messages.vestingSendMessageResponse, messages.vestingAddWhiteListResponse],
  storage: [parts.vestingData],
  errors: parts.signedErrors,
});

/** A wallet whose coins are released over time. */
export interface Vesting {
  readonly kind: "vesting";
  readonly startAt: number;
  /** In seconds, like the next two. */
  readonly totalDuration: number;
  readonly unlockPeriod: number;
  readonly cliffDuration: number;
  readonly totalAmount: bigint;
  readonly sender: Address;
  readonly owner: Address;
  /** Accounts that locked coins may be sent to. */
  readonly whitelist: readonly Address[];
}

interface VestingData extends Omit<Vesting, "kind" | "whitelist"> {
  readonly whitelist: Cell | undefined;
}

// seqno:uint32 wallet_id:uint32 public_key:bits256 whitelist:(HashmapE 264 True) ^[ start_time:uint64
//   total_duration:uint32 unlock_period:uint32 cliff_duration:uint32 total_amount:Coins sender:MsgAddress
//   owner:MsgAddress ]
const wallet: Layout<VestingData> = {
  codes: walletVesting.codes,
  read: (data) => {
    const whitelist = data.skip(320).loadMaybeRef();
    const terms = sliceOf(data.loadRef());
    const found = {
      startAt: small(terms.loadBigUint(64)),
      totalDuration: terms.loadUint(32),
      unlockPeriod: terms.loadUint(32),
      cliffDuration: terms.loadUint(32),
      totalAmount: terms.loadCoins(),
      sender: someAddress(loadStandardAddress(terms)),
      owner: someAddress(loadStandardAddress(terms)),
    };
    terms.end();
    return { ...found, whitelist };
  },
};

const nothing: Codec<undefined> = {
  load: (slice) => void slice.skip(slice.remainingBits).skipRefs(slice.remainingRefs),
  store: () => undefined,
};

/** Keys are a workchain in 8 bits and an account. */
const whitelistKey = hexKey(264);

function readWhitelist(root: Cell | undefined): readonly Address[] {
  return listBounded(new Dictionary(root, whitelistKey, nothing)).map(([key]) =>
    makeAddress((Number.parseInt(key.slice(0, 2), 16) << 24) >> 24, key.slice(2)),
  );
}

export const vesting = entity({
  codes: walletVesting.codes,
  methods: ["get_vesting_data"],
  run: (asking): Promise<VestingData> => asking.own(getVestingData.name, getVestingData.result),
  layouts: [wallet],
  confirm: ({ whitelist, ...terms }): Vesting => ({ kind: "vesting", ...terms, whitelist: readWhitelist(whitelist) }),
});
